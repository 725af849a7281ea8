#include "support/reference_data.hpp"

#include "support/data_folders.hpp"

#include <algorithm>
#include <stdexcept>

namespace abut::test {

nlohmann::json read_oracle(const std::string& name)
{
    const std::filesystem::path path = oracle_folder() / (name + ".json");
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(path.string() + ": cannot be read");
    return nlohmann::json::parse(file);
}

std::vector<std::string> oracle_names()
{
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(oracle_folder()))
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().stem());
    std::sort(names.begin(), names.end());
    return names;
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
