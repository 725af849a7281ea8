#pragma once
// The kinds of pairs of elements, and lists by kind. The order of kinds is the same everywhere: vv, ev, ee, fv, pv.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace abut {

using IndexPair = std::array<int, 2>;

/// Kinds of pairs; the elements of a pair come in the order of the name.
enum class PairKind : std::uint8_t { none, vertex_vertex, edge_vertex, edge_edge, face_vertex, plane_vertex };

enum class ElementKind : std::uint8_t { vertex, edge, face, plane };
[[nodiscard]] const char* to_string(ElementKind kind);
/// What a pair is made of, in the order of the kind's name; `none` is two vertices.
[[nodiscard]] const std::array<ElementKind, 2>& element_kinds(PairKind kind);

/// How many vertices the two elements of a pair have; planes have none.
constexpr int stencil_size(PairKind kind)
{
    constexpr std::array sizes{2, 2, 3, 4, 4, 1};
    return sizes[static_cast<std::size_t>(kind)];
}

/// Are there pairs of this kind in so many dimensions?
constexpr bool exists_in(int dim, PairKind kind)
{
    return dim == 3 || (kind != PairKind::edge_edge && kind != PairKind::face_vertex);
}

/// Something for each kind of pair; of one type, or of five.
template <typename VV, typename EV = VV, typename EE = VV, typename FV = VV, typename PV = VV>
struct ByKind {
    VV vv; ///< (vertex, vertex), the smaller first
    EV ev; ///< (edge, vertex)
    EE ee; ///< (edge, edge), the smaller first
    FV fv; ///< (face, vertex)
    PV pv; ///< (plane, vertex)

    /// The number of pairs in lists by kind.
    [[nodiscard]] std::size_t size() const { return vv.size() + ev.size() + ee.size() + fv.size() + pv.size(); }

    /// That of a kind, which is not `none`.
    [[nodiscard]] VV& operator[](PairKind kind) requires std::is_same_v<ByKind, ByKind<VV>>
    {
        switch (kind) {
        case PairKind::edge_vertex:
            return ev;
        case PairKind::edge_edge:
            return ee;
        case PairKind::face_vertex:
            return fv;
        case PairKind::plane_vertex:
            return pv;
        default:
            return vv;
        }
    }

    [[nodiscard]] const VV& operator[](PairKind kind) const requires std::is_same_v<ByKind, ByKind<VV>>
    {
        return const_cast<ByKind&>(*this)[kind]; // NOLINT(cppcoreguidelines-pro-type-const-cast): comes back const
    }

    bool operator==(const ByKind&) const = default;
};

/// Lists whose type depends on the number of vertices that a pair has.
template <template <int> typename List>
using ByStencil = ByKind<List<2>, List<3>, List<4>, List<4>, List<1>>;

/// A kind that templates can be chosen by; it converts to PairKind.
template <PairKind kind>
using KindConstant = std::integral_constant<PairKind, kind>;

/// Calls visit(kind, item...) for each kind in order, with the items of this kind of all that are given.
template <typename Visit, typename... Kinds>
void for_each_kind(Visit&& visit, Kinds&&... by_kind)
{
    visit(KindConstant<PairKind::vertex_vertex>(), by_kind.vv...);
    visit(KindConstant<PairKind::edge_vertex>(), by_kind.ev...);
    visit(KindConstant<PairKind::edge_edge>(), by_kind.ee...);
    visit(KindConstant<PairKind::face_vertex>(), by_kind.fv...);
    visit(KindConstant<PairKind::plane_vertex>(), by_kind.pv...);
}

} // namespace abut
