#pragma once
// Is JSON valid by a JSON Schema? Only json_schema.cpp includes the library that tells.

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

namespace abut::test {

class JsonSchema {
public:
    /// The text of a schema of draft 7.
    explicit JsonSchema(const std::string& text);
    ~JsonSchema();

    /// Empty where the value is valid, else what is wrong.
    [[nodiscard]] std::string objection(const nlohmann::json& value) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace abut::test
