#include "support/json_schema.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace abut::test {

struct JsonSchema::Parts {
    nlohmann::json text;
    valijson::Schema schema;
};

JsonSchema::JsonSchema(const std::string& text) : parts_(std::make_unique<Parts>())
{
    parts_->text = nlohmann::json::parse(text);
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(parts_->text), parts_->schema);
}

JsonSchema::~JsonSchema() = default;

std::string JsonSchema::objection(const nlohmann::json& value) const
{
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(parts_->schema, valijson::adapters::NlohmannJsonAdapter(value), &results))
        return "";
    std::string text = "invalid";
    for (valijson::ValidationResults::Error error; results.popError(error);)
        text += "; " + error.description;
    return text;
}

} // namespace abut::test
