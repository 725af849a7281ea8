#pragma once
// The tests that a pair's direction has to pass. Each is coded once, here, over a type of vectors: PlainVector where
// only the verdict matters, VectorFunction where derivatives do.

#include "abut/contact/gcp/vector_function.hpp"

#include <cstdint>

namespace abut::gcp {

/// A vector that a pair's direction is tested against, by vertices: in a set by their numbers in the pair's stencil.
struct Test {
    enum class Kind : std::uint8_t {
        along,    ///< tangent of a vertex: from it to neighbour i
        bisector, ///< tangent of a vertex: between those to neighbours i and j
        across,   ///< tangent of an edge: from it, perpendicular, to the opposite vertex i of a face
        normal,   ///< outward normal of the face with the neighbours i and j of a vertex; one of several must agree
        sector,   ///< of an edge, or a vertex in the plane: between the faces (edges) to i and j, outward
    };
    Kind kind;
    std::uint8_t side; ///< 0: the pair's first element, 1: its second
    int i, j = -1;
    bool operator==(const Test&) const = default;
};

/// Where an element's vectors start: its first vertex, and of an edge its second.
struct Origin {
    int first, second = -1;
};

template <typename A, typename B>
double cosine(const A& a, const B& b)
{
    return a.value.dot(b.value) / (a.value.norm() * b.value.norm());
}

/// The tangent of a test, along which the distance must not fall.
template <typename V, typename Points>
V tangent_of(const Test& test, const Points& x, const Origin& at)
{
    switch (test.kind) {
    case Test::Kind::bisector:
        return V::bisector(x, at.first, test.i, test.j);
    case Test::Kind::across:
        return V::perpendicular(x, at.first, at.second, test.i);
    default:
        return V::difference(x, at.first, test.i);
    }
}

template <typename V, typename Points>
V normal_of(const Test& test, const Points& x, const Origin& at)
{
    return V::normal(x, at.first, test.i, test.j);
}

/// The wedge of the two faces at an edge, or of the two edges at a vertex in the plane. Outside of it a direction v has
/// (v - e1) x (v - e2) > 0, eq. 9, of unit vectors: by the normals it is v.n1 + v.n2 - t1.n2.
template <typename V>
struct Sector {
    V t1, n1, n2;

    template <typename Points>
    static Sector of(const Test& test, const Points& x, const Origin& at)
    {
        if (at.second >= 0)
            return {
                V::perpendicular(x, at.first, at.second, test.i), V::normal(x, at.first, at.second, test.i),
                V::normal(x, at.first, test.j, at.second)};
        return {
            V::difference(x, at.first, test.i), V::normal(x, at.first, test.i, -1), V::normal(x, at.first, -1, test.j)};
    }

    /// Of the direction `away` times r.
    template <typename R>
    [[nodiscard]] double argument(const R& r, double away) const
    {
        return away * (cosine(n1, r) + cosine(n2, r)) - cosine(t1, n2);
    }
};

/// Of the step that the sum of the normals' own steps goes through: at a vertex in space one normal is enough.
template <int Dim>
double width_of_sum(double alpha_n)
{
    return Dim == 2 ? alpha_n : 1;
}

} // namespace abut::gcp
