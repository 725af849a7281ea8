#include "abut/contact/gcp/smooth_contact_parameters.hpp"

#include "abut/base/error.hpp"
#include "abut/mesh/collision_mesh.hpp"
#include "abut/mesh/validate.hpp"

namespace abut {

namespace {

/// Written so that NaN is out of range.
void check_support(const char* test, double alpha, double beta, bool may_be_zero)
{
    if (!(alpha <= 1 && (may_be_zero ? alpha >= 0 : alpha > 0)))
        reject("alpha_{}: {} is not in {}0, 1]", test, alpha, may_be_zero ? "[" : "(");
    if (!(beta <= 1 && alpha + beta > 0))
        reject("beta_{}: {} is not in (-alpha_{}, 1] = ({}, 1]", test, beta, test, -alpha);
}

void check_lengths(const char* name, const Eigen::VectorXd& lengths, int count)
{
    if (lengths.size() != count)
        reject("{}: {} lengths for {} elements; give one for each", name, lengths.size(), count);
    for (Eigen::Index i = 0; i < lengths.size(); ++i)
        if (!(lengths[i] >= 0 && lengths[i] <= max_coordinate))
            reject("{}[{}]: {} is not a length from 0 to {} m", name, i, lengths[i], max_coordinate);
}

std::string_view name_of(SmoothContactVariant variant)
{
    return variant == SmoothContactVariant::paper ? "paper" : "toolkit";
}

std::string_view name_of(FeatureLength length)
{
    return length == FeatureLength::edge_length ? "edge_length"
           : length == FeatureLength::constant  ? "constant"
                                                : "per_element";
}

void compare_lengths(const char* name, const Eigen::VectorXd& a, const Eigen::VectorXd& b, std::string& found)
{
    if (!found.empty())
        return;
    if (a.size() != b.size()) {
        found = fmt::format("{}: {} and {} of them", name, a.size(), b.size());
        return;
    }
    for (Eigen::Index i = 0; i < a.size() && found.empty(); ++i)
        if (a[i] != b[i])
            found = fmt::format("{}[{}]: {} and {}", name, i, a[i], b[i]);
}

} // namespace

SmoothContactParameters SmoothContactParameters::toolkit(double dhat)
{
    return {.dhat = dhat, .alpha_t = 1, .r = 2, .variant = SmoothContactVariant::toolkit, .use_exterior_test = false};
}

void SmoothContactParameters::validate() const
{
    if (!(dhat > 0 && dhat <= max_coordinate))
        reject("dhat: {} is not a positive distance up to {} m", dhat, max_coordinate);
    check_support("t", alpha_t, beta_t, false);
    check_support("n", alpha_n, beta_n, true);
    if (r < 0 || r > 16)
        reject("r: {} is not an exponent from 1 to 16, nor 0 for the dimension less one", r);
}

void SmoothContactParameters::validate(const CollisionMesh& mesh) const
{
    validate();
    if (!mesh.offsets().empty())
        reject("mesh: it has offsets, but the Geometric Contact Potential keeps no distance; take a mesh without");
    if (feature_length == FeatureLength::constant && !(constant_length > 0 && constant_length <= max_coordinate))
        reject("constant_length: {} is not a positive length up to {} m", constant_length, max_coordinate);
    if (feature_length == FeatureLength::per_element) {
        check_lengths("vertex_lengths", vertex_lengths, mesh.num_vertices());
        check_lengths("edge_lengths", edge_lengths, mesh.num_edges());
    }
}

std::string difference(const SmoothContactParameters& first, const SmoothContactParameters& second, int dim)
{
    std::string found;
    const auto compare = [&](const char* name, const auto& a, const auto& b) {
        if (found.empty() && a != b)
            found = fmt::format("{}: {} and {}", name, a, b);
    };
    compare("variant", name_of(first.variant), name_of(second.variant));
    compare("dhat", first.dhat, second.dhat);
    compare("alpha_t", first.alpha_t, second.alpha_t);
    compare("beta_t", first.beta_t, second.beta_t);
    compare("alpha_n", first.alpha_n, second.alpha_n);
    compare("beta_n", first.beta_n, second.beta_n);
    compare("r", first.exponent(dim), second.exponent(dim));
    compare("use_exterior_test", first.use_exterior_test, second.use_exterior_test);
    compare("feature_length", name_of(first.feature_length), name_of(second.feature_length));
    if (first.feature_length == FeatureLength::constant)
        compare("constant_length", first.constant_length, second.constant_length);
    if (first.feature_length == FeatureLength::per_element) {
        compare_lengths("vertex_lengths", first.vertex_lengths, second.vertex_lengths, found);
        compare_lengths("edge_lengths", first.edge_lengths, second.edge_lengths, found);
    }
    return found;
}

} // namespace abut
