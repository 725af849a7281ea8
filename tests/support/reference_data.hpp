#pragma once
// The reference toolkit's recorded results, for comparison.

#include "abut/math/types.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace abut::test {

/// Is the reference data installed beside the source? Tests that need it are skipped where it is not.
inline bool has_reference_data() { return std::filesystem::is_directory(ABUT_REFERENCE_DIR); }

#define ABUT_SKIP_WITHOUT_REFERENCE_DATA()                                                                             \
    if (!::abut::test::has_reference_data())                                                                           \
    GTEST_SKIP() << "the reference data is not in " << ABUT_REFERENCE_DIR

/// The scene `name`, without its extension, of the folder `oracle`.
inline nlohmann::json read_oracle(const std::string& name)
{
    std::ifstream file(std::filesystem::path(ABUT_REFERENCE_DIR) / "oracle" / (name + ".json"));
    return nlohmann::json::parse(file);
}

inline Eigen::VectorXd to_vector(const nlohmann::json& numbers)
{
    Eigen::VectorXd x(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        x[i] = numbers[i].get<double>();
    return x;
}

/// Rows of numbers as a matrix.
inline Eigen::MatrixXd to_matrix(const nlohmann::json& rows)
{
    Eigen::MatrixXd X(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        X.row(i) = to_vector(rows[i]);
    return X;
}

} // namespace abut::test
