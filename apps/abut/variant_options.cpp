#include "variant_options.hpp"

#include "outputs.hpp"

#include "abut/base/error.hpp"

#include <fmt/format.h>

namespace abut {

void add_repeated(
    CLI::App& command, const std::string& name, const std::string& type, std::vector<std::string>& values,
    const std::string& help)
{
    command
        .add_option_function<std::string>(
            name, [&values](const std::string& value) { values.push_back(value); }, help)
        ->type_name(type)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->trigger_on_parse();
}

void check_pairs(const std::string& option, const std::vector<std::string>& values)
{
    for (const std::string& text : values)
        if (text.find('=') == std::string::npos || text[0] == '=')
            throw CLI::ValidationError(fmt::format("{} {}: expected KEY=VALUE", option, text));
}

void add_variant_options(CLI::App& command, VariantArguments& arguments)
{
    add_repeated(
        command, "--vary", "KEY=VALUE,VALUE", arguments.vary,
        "Values of a key, e.g. contact.model=ipc,ogc; repeated: all combinations");
    command.add_option("--table", arguments.table, "CSV file instead: a row of keys, then a row per variant")
        ->check(named());
}

void check_usage(const VariantArguments& arguments)
{
    if (arguments.vary.empty() == arguments.table.empty())
        throw CLI::ValidationError("give --vary KEY=VALUE,VALUE or --table FILE, one of both");
    check_pairs("--vary", arguments.vary);
}

namespace {

Variants read(const VariantArguments& arguments)
{
    if (!arguments.table.empty())
        return read_variants(arguments.table);
    std::vector<VariedKey> varied;
    for (const std::string& text : arguments.vary)
        varied.push_back(parse_varied_key(text));
    return all_combinations(varied);
}

} // namespace

Variants read_variants(const VariantArguments& arguments, const std::vector<std::string>& settings)
{
    Variants variants = read(arguments);
    if (!arguments.table.empty())
        return variants; // where a cell is empty, the setting counts
    for (const std::string& setting : settings)
        for (const std::string& key : variants.keys)
            if (setting.starts_with(key + "="))
                reject("--set {}: {} varies, so that this has no effect; leave one of both out", setting, key);
    return variants;
}

} // namespace abut
