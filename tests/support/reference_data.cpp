#include "support/reference_data.hpp"

namespace abut::test {

bool has_reference_data() { return std::filesystem::is_directory(ABUT_REFERENCE_DIR); }

nlohmann::json read_oracle(const std::string& name)
{
    std::ifstream file(std::filesystem::path(ABUT_REFERENCE_DIR) / "oracle" / (name + ".json"));
    return nlohmann::json::parse(file);
}

Eigen::VectorXd to_vector(const nlohmann::json& numbers)
{
    Eigen::VectorXd x(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        x[i] = numbers[i].get<double>();
    return x;
}

Eigen::MatrixXd to_matrix(const nlohmann::json& rows)
{
    Eigen::MatrixXd X(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        X.row(i) = to_vector(rows[i]);
    return X;
}

} // namespace abut::test
