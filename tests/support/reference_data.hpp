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
bool has_reference_data();

#define ABUT_SKIP_WITHOUT_REFERENCE_DATA()                                                                             \
    if (!::abut::test::has_reference_data())                                                                           \
    GTEST_SKIP() << "the reference data is not in " << ABUT_REFERENCE_DIR

/// The scene `name`, without its extension, of the folder `oracle`.
nlohmann::json read_oracle(const std::string& name);

Eigen::VectorXd to_vector(const nlohmann::json& numbers);

/// Rows of numbers as a matrix.
Eigen::MatrixXd to_matrix(const nlohmann::json& rows);

} // namespace abut::test
