#pragma once
// The reference toolkit's recorded results, for comparison (tests/data/README.md).

#include "abut/math/types.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace abut::test {

/// The scene `name`, without its extension, of tests/data/oracle. Throws where it is missing.
nlohmann::json read_oracle(const std::string& name);

/// All names of such scenes, in order.
std::vector<std::string> oracle_names();

Eigen::VectorXd to_vector(const nlohmann::json& numbers);

/// Rows of numbers as a matrix.
Eigen::MatrixXd to_matrix(const nlohmann::json& rows);

} // namespace abut::test
