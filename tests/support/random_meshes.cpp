#include "support/random_meshes.hpp"

#include <set>

namespace abut::test {

MovingMesh random_soup(const SoupOptions& options, RandomStream& random, const CollisionFilter& filter)
{
    const int dim = options.dim;
    std::vector<Vec3> start, end;
    std::set<std::vector<int>> edges, faces;
    const auto add = [&](int corners) {
        const Vec3 center = random_points<3>(random), drift = options.motion * random_points<3>(random);
        std::vector<int> element;
        while (static_cast<int>(element.size()) < corners) {
            int v = static_cast<int>(start.size());
            if (corners > 1 && v > 0 && random.uniform() < options.shared)
                v = static_cast<int>(random.below(static_cast<std::uint32_t>(v)));
            if (std::find(element.begin(), element.end(), v) != element.end())
                continue;
            if (v == static_cast<int>(start.size())) {
                start.push_back(center + 0.5 * options.element_size * random_points<3>(random));
                end.push_back(start.back() + 0.7 * drift + 0.3 * options.motion * random_points<3>(random));
            }
            element.push_back(v);
        }
        std::sort(element.begin(), element.end());
        if (corners == 3)
            faces.insert(element);
        if (corners == 2)
            edges.insert(element);
    };
    for (int i = 0; i < options.triangles && dim == 3; ++i)
        add(3);
    for (int i = 0; i < options.edges; ++i)
        add(2);
    for (int i = 0; i < options.points; ++i)
        add(1);

    const auto elements_of = [](const std::set<std::vector<int>>& lists, int corners) {
        Elements elements(static_cast<Eigen::Index>(lists.size()), corners);
        Eigen::Index row = 0;
        for (const std::vector<int>& list : lists)
            elements.row(row++) = Eigen::Map<const Eigen::RowVectorXi>(list.data(), corners);
        return elements;
    };
    const auto positions_of = [&](const std::vector<Vec3>& points) {
        Positions X(static_cast<Eigen::Index>(points.size()), dim);
        for (std::size_t i = 0; i < points.size(); ++i)
            X.row(static_cast<Eigen::Index>(i)) = points[i].head(dim).transpose();
        return X;
    };
    const Positions X0 = positions_of(start);
    return {CollisionMesh(X0, elements_of(edges, 2), elements_of(faces, 3), {.filter = filter}), X0, positions_of(end)};
}

double scale(Layout layout)
{
    return layout == Layout::tiny ? 1e-12 : layout == Layout::least ? 1e-300 : layout == Layout::huge ? 1e45 : 1;
}

void lay_out(MovingMesh& moving, Layout layout, RandomStream& random)
{
    const auto each = [&](auto&& f) {
        for (Positions* X : {&moving.X0, &moving.X1})
            for (Eigen::Index v = 0; v < X->rows(); ++v)
                for (Eigen::Index axis = 0; axis < X->cols(); ++axis)
                    (*X)(v, axis) = f((*X)(v, axis), axis);
    };
    switch (layout) {
    case Layout::plain:
        break;
    case Layout::grid:
        each([](double x, Eigen::Index) { return std::round(8 * x) / 8; });
        break;
    case Layout::coincident:
        for (Eigen::Index v = 1; v < moving.X0.rows(); ++v)
            if (random.below(2) == 0) {
                const auto other = static_cast<Eigen::Index>(random.below(static_cast<std::uint32_t>(v)));
                moving.X0.row(v) = moving.X0.row(other);
                if (random.below(2) == 0)
                    moving.X1.row(v) = moving.X1.row(other);
            }
        break;
    case Layout::far_million:
        each([](double x, Eigen::Index axis) { return x + (axis == 0 ? 1e6 : -1e6); });
        break;
    case Layout::far_billion:
        each([](double x, Eigen::Index) { return x + 1e9; });
        break;
    case Layout::tiny:
    case Layout::least:
    case Layout::huge:
        each([&](double x, Eigen::Index) { return x * scale(layout); });
        break;
    case Layout::flat:
        each([](double x, Eigen::Index axis) { return axis == 1 ? 1e-9 * x : x; });
        break;
    case Layout::needle:
        each([](double x, Eigen::Index axis) { return axis == 0 ? 1e9 * x : x; });
        break;
    case Layout::still:
        moving.X1 = moving.X0;
        break;
    }
}

CollisionFilter random_filter(RandomStream& random)
{
    const auto seed = random.next_bits();
    switch (random.below(4)) {
    case 0:
        return CollisionFilter::callable([=](int i, int j) {
            return RandomStream(seed, static_cast<std::uint64_t>(std::min(i, j)) << 32 | std::max(i, j)).below(3) > 0;
        });
    case 1:
        return CollisionFilter::callable([](int i, int j) { return i % 3 != j % 3; });
    default:
        return {};
    }
}

} // namespace abut::test
