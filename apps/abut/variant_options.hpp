#pragma once
// --vary and --table: which variants of a scene a command runs.

#include "abut/run/variants.hpp"

#include <CLI/CLI.hpp>

namespace abut {

struct VariantArguments {
    std::vector<std::string> vary;
    std::filesystem::path table;

    [[nodiscard]] bool empty() const { return vary.empty() && table.empty(); }
};

void add_variant_options(CLI::App& command, VariantArguments& arguments);
/// Bad usage, before anything is read.
void check_usage(const VariantArguments& arguments);
/// Rejects settings of keys that vary, which would be without effect.
[[nodiscard]] Variants read_variants(const VariantArguments& arguments, const std::vector<std::string>& settings);

/// An option that may come more than once, with one value each time.
void add_repeated(
    CLI::App& command, const std::string& name, const std::string& type, std::vector<std::string>& values,
    const std::string& help);
/// Bad usage where one of the values is not KEY=VALUE.
void check_pairs(const std::string& option, const std::vector<std::string>& values);

} // namespace abut
