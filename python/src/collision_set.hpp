#pragma once
// What sets of collisions have in common in Python: how they are held and built, and that they are sequences of
// collisions, each of which has a stencil.

#include "abut/contact/normal_collisions.hpp"
#include "detection.hpp"
#include "features.hpp"

namespace abut::python {

/// What the mesh that collisions were built for has in common with every mesh that they may be used with: their indices
/// stay in range there.
inline std::string size_text(const MeshSizes& mesh)
{
    return fmt::format(
        "{} vertices in {}D, {} edges, {} faces and {} planes", mesh.vertices, mesh.dim, mesh.edges, mesh.faces,
        mesh.planes);
}

/// Collisions as Python holds them. A build makes a new set and then takes it over, so that arrays of the old one stay
/// valid, other threads never see half a build, and a build that fails changes nothing.
template <typename Set>
struct SharedCollisions {
    std::shared_ptr<const Set> set = std::make_shared<const Set>();
    MeshSizes mesh_size{.dim = 3};

    /// The set, if it fits the mesh.
    [[nodiscard]] std::shared_ptr<const Set> for_mesh(const CollisionMesh& mesh) const
    {
        const MeshSizes other = MeshSizes::of(mesh);
        if (!set->empty() && mesh_size != other)
            reject("collisions: built for a mesh of {}, but this one has {}", size_text(mesh_size), size_text(other));
        return set;
    }

    /// Runs work(set) on the next set without the interpreter lock.
    template <typename Work>
    void rebuild(const CollisionMesh& mesh, Work&& work)
    {
        const auto next = without_gil([&] {
            auto made = std::make_shared<Set>();
            work(*made);
            return made;
        });
        *this = {next, MeshSizes::of(mesh)};
    }
    /// The same by work(set, detection), if the detection was updated at X.
    template <typename Work>
    void rebuild(SharedDetection& detection, const CollisionMesh& mesh, const Positions& X, Work&& work)
    {
        std::shared_ptr<Set> next;
        detection.read_at(mesh, X, [&](const Detection& found) {
            next = std::make_shared<Set>();
            work(*next, found);
        });
        *this = {next, MeshSizes::of(mesh)};
    }
};

/// Defines build() from Candidates and from a Detection, with More parameters, which `extras` describe.
template <typename... More, typename Set, typename Extras>
void def_build_from_lists(
    Class<SharedCollisions<Set>>& type, const Extras& extras, const char* candidates_doc, const char* detection_doc)
{
    using Shared = SharedCollisions<Set>;
    type.def(
        "build", "candidates"_a, "mesh"_a, "X"_a, extras, candidates_doc,
        [](Shared& self, const SharedCandidates& candidates, const CollisionMesh& mesh, const Positions& X,
           More... more) {
            self.rebuild(mesh, [&, lists = candidates.lists](Set& set) { set.build(*lists, mesh, X, more...); });
        });
    type.def(
        "build", "detection"_a, "mesh"_a, "X"_a, extras, detection_doc,
        [](Shared& self, SharedDetection& detection, const CollisionMesh& mesh, const Positions& X, More... more) {
            self.rebuild(
                detection, mesh, X, [&](Set& set, const Detection& found) { set.build(found, mesh, X, more...); });
        });
}

// --- One collision ---

/// One collision of a set, and the dimension of its mesh.
template <typename Set>
struct CollisionItem {
    std::shared_ptr<const Set> set;
    decltype(std::declval<const Set&>()[0]) collision;
    int dim;
};

/// A collision's kind and elements, as its __repr__ begins.
template <typename Collision>
std::string pair_text(const Collision& collision)
{
    return fmt::format("{} ({}, {})", name_of(collision.kind), collision.elements[0], collision.elements[1]);
}

/// The class of one collision, of which properties may be fields of the collision.
template <typename Set>
struct CollisionClass : Class<CollisionItem<Set>> {
    using Item = CollisionItem<Set>;
    using Class<Item>::get;

    CollisionClass(py::module_& m, const char* name, const char* doc, const char* vertices_doc)
        : Class<Item>(m, name, doc)
    {
        using C = decltype(Item::collision);
        get("kind", "Its PairKind.", &C::kind);
        get("elements", "The two elements, in the order of the kind's name.", &C::elements);
        get("vertices", vertices_doc, &C::vertices);
    }

    template <typename T>
    void get(const char* name, const char* doc, T decltype(Item::collision)::*field)
    {
        get(name, doc, [field](const Item& self) { return self.collision.*field; });
    }
};

// --- All of them ---

/// An index into a sequence, from its end where negative. Beyond it is an IndexError, which ends iterations.
inline std::size_t sequence_index(std::int64_t index, std::size_t size)
{
    const auto count = static_cast<std::int64_t>(size);
    if (index < -count || index >= count)
        throw py::index_error(fmt::format("collision {} is out of range; there are {}", index, size));
    return static_cast<std::size_t>(index < 0 ? index + count : index);
}

/// Where the vertices of each collision begin in the list of all, and that list.
template <typename Shared>
void def_stencils(Class<Shared>& type)
{
    type.get(
        "stencil_offsets",
        "Where the vertices of each collision begin in stencil_vertices, and its end, (len + 1,) int64.",
        [](const Shared& self) {
            const Stencils& stencils = self.set->stencils();
            py::array_t<std::int64_t> offsets(static_cast<py::ssize_t>(stencils.size() + 1));
            for (std::size_t k = 0; k < stencils.size(); ++k)
                offsets.mutable_data()[k] = stencils.offset(k);
            offsets.mutable_data()[stencils.size()] = stencils.num_entries();
            return offsets;
        });
    type.get(
        "stencil_vertices",
        "The vertices of all collisions one after another, (n,) int32: those of collision k are "
        "stencil_vertices[stencil_offsets[k]:stencil_offsets[k + 1]].",
        [](const Shared& self) {
            const Stencils& all = self.set->stencils();
            return to_numpy({all.empty() ? nullptr : all[0].data(), static_cast<std::size_t>(all.num_entries())});
        });
}

/// What every class of collisions has: it is a sequence, with stencils, of items of the class `item_name`.
template <typename Set>
void def_sequence(Class<SharedCollisions<Set>>& type, const char* item_name)
{
    using Shared = SharedCollisions<Set>;
    type.init("No collisions.", [] { return Shared(); });
    def_stencils(type);
    type.def("__len__", "Number of collisions of all kinds.", [](const Shared& self) { return self.set->size(); });
    type.def("__getitem__", "index"_a, fmt::format("One {}.", item_name), [](const Shared& self, std::int64_t index) {
        const std::size_t k = sequence_index(index, self.set->size());
        return CollisionItem<Set>{self.set, (*self.set)[k], self.mesh_size.dim};
    });
    type.def("__iter__", "The collisions, one after another.", [](const py::object& self) {
        const auto iterator = py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr()));
        if (!iterator)
            throw py::error_already_set();
        return iterator;
    });
    type.def("empty", "Are there no collisions?", [](const Shared& self) { return self.set->empty(); });
    type.def(
        "__eq__", py::is_operator(), "Are the collisions the same, to the last bit?",
        [](const Shared& a, const Shared& b) { return *a.set == *b.set; });
    type.repr([](const Shared& self) {
        const Set& all = *self.set;
        using enum PairKind;
        if constexpr (requires { all.count(edge_edge); })
            return counts_text(
                all.count(vertex_vertex), all.count(edge_vertex), all.count(edge_edge), all.count(face_vertex),
                all.count(plane_vertex));
        else
            return counts_text(all.vv().size(), all.ev().size(), all.ee().size(), all.fv().size(), all.pv().size());
    });
}

template <typename Set>
void def_minimum_distance(Class<SharedCollisions<Set>>& type, const char* doc)
{
    type.def(
        "compute_minimum_distance", "mesh"_a, "X"_a, doc,
        [](const SharedCollisions<Set>& self, const CollisionMesh& mesh, const Positions& X) {
            const auto set = self.for_mesh(mesh);
            return without_gil([&] { return set->compute_minimum_distance(mesh, X); });
        });
}

/// Defines vv, ev, ee, fv and pv: terms(set, list) of each kind. For docstrings: what they are, and their classes.
template <typename Set, typename Terms>
void def_kinds(
    Class<SharedCollisions<Set>>& type, const char* noun, const char* type_name, const char* edge_type_name,
    Terms terms)
{
    const auto def_kind = [&](const char* name, const char* doc, const char* of_type, auto list) {
        type.get(name, fmt::format(fmt::runtime(doc), noun, of_type).c_str(), [=](const SharedCollisions<Set>& self) {
            return terms(self, ((*self.set).*list)());
        });
    };
    def_kind("vv", "(vertex, vertex) {}, the smaller first, as {}.", type_name, &Set::vv);
    def_kind("ev", "(edge, vertex) {}, as {}. Stencil: vertex, ends of the edge.", type_name, &Set::ev);
    def_kind(
        "ee", "(edge, edge) {}, the smaller first, as {}. Stencil: ends of the first, of the second.", edge_type_name,
        &Set::ee);
    def_kind("fv", "(face, vertex) {}, as {}. Stencil: vertex, corners of the face.", type_name, &Set::fv);
    def_kind("pv", "(plane, vertex) {}, as {}. Stencil: vertex.", type_name, &Set::pv);
}

} // namespace abut::python
