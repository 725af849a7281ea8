"""CollisionMesh as Python sees it."""

import copy
import gc
import pickle

import abut
import numpy as np
import pytest
import scipy.sparse

TET = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
TET_FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
SQUARE = [[0.0, 0], [1, 0], [1, 1], [0, 1]]
SQUARE_EDGES = [[0, 1], [1, 2], [2, 3], [3, 0]]


@pytest.fixture
def mesh():
    return abut.CollisionMesh(TET, faces=TET_FACES)


def test_counts_and_arrays(mesh):
    assert (mesh.dim, mesh.num_vertices, mesh.num_edges, mesh.num_faces) == (3, 4, 6, 4)
    assert (mesh.ndof, mesh.full_num_vertices, mesh.full_ndof) == (12, 4, 12)
    np.testing.assert_array_equal(mesh.rest_positions, TET)
    np.testing.assert_array_equal(mesh.faces, TET_FACES)
    np.testing.assert_array_equal(mesh.edges, abut.edges(TET_FACES))
    corners = np.sort(mesh.faces[:, [[0, 1], [1, 2], [2, 0]]], axis=2)
    np.testing.assert_array_equal(mesh.edges[mesh.faces_to_edges], corners)
    assert mesh.codim_vertices.size == mesh.codim_edges.size == 0
    assert mesh.body_ids.tolist() == mesh.material_ids.tolist() == mesh.vertex_components.tolist() == [0] * 4
    assert repr(mesh) == "<abut.CollisionMesh: 4 vertices in 3D, 6 edges, 4 faces>"


def test_rest_areas_sum_to_the_surface(mesh):
    t = TET[np.array(TET_FACES)]
    surface = np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1).sum() / 2
    assert mesh.vertex_areas.sum() == pytest.approx(surface)
    assert mesh.edge_areas.sum() == pytest.approx(surface)


def test_adjacency(mesh):
    for v in range(4):
        assert mesh.vertex_edges(v).tolist() == [e for e in range(6) if v in mesh.edges[e]]
        assert mesh.vertex_faces(v).tolist() == [f for f in range(4) if v in mesh.faces[f]]
        ((ring, is_closed),) = mesh.one_ring(v)
        assert is_closed is True
        assert sorted(ring) == sorted({0, 1, 2, 3} - {v})
        assert mesh.is_on_boundary(v) is False
    for e in range(6):
        faces = mesh.edge_faces(e)
        assert len(faces) == 2
        for face, opposite in zip(faces, mesh.edge_opposites(e)):
            assert {opposite} == set(mesh.faces[face]) - set(mesh.edges[e])


def test_components():
    data = abut.generate.box().joined(abut.generate.cloth().translated([3, 0, 0]))
    closed, cloth = abut.CollisionMesh(data).components
    assert closed.is_closed and closed.is_oriented and closed.is_closed_and_oriented
    assert not cloth.is_closed and cloth.is_oriented and not cloth.is_closed_and_oriented
    assert (closed.num_vertices, closed.num_edges, closed.num_faces) == (8, 18, 12)
    assert "open" in repr(cloth)


def test_a_mesh_in_the_plane_has_edges_only():
    mesh = abut.CollisionMesh(SQUARE, SQUARE_EDGES)
    assert (mesh.dim, mesh.num_faces) == (2, 0)
    np.testing.assert_array_equal(mesh.vertex_areas, np.ones(4))
    with pytest.raises(ValueError, match="faces: a mesh in the plane collides by its edges"):
        abut.CollisionMesh(SQUARE, faces=[[0, 1, 2]])


def test_loose_points_and_edges():
    mesh = abut.CollisionMesh(np.vstack([TET, [[5, 5, 5], [6, 6, 6]]]), [[4, 5]], TET_FACES)
    assert mesh.codim_edges.tolist() == [0]
    assert mesh.is_on_boundary(4)
    points = abut.CollisionMesh(TET)
    assert points.codim_vertices.tolist() == [0, 1, 2, 3]
    assert points.one_ring(0) == []


@pytest.mark.parametrize("name", ["vertex_edges", "vertex_faces", "one_ring", "is_on_boundary", "to_full_vertex_id"])
@pytest.mark.parametrize("vertex", [-1, 4, 2**31, -(2**40)])
def test_vertices_out_of_range_are_rejected(mesh, name, vertex):
    with pytest.raises(ValueError, match=f"vertex: {vertex} is out of range"):
        getattr(mesh, name)(vertex)


@pytest.mark.parametrize("name", ["edge_faces", "edge_opposites"])
@pytest.mark.parametrize("edge", [-1, 6])
def test_edges_out_of_range_are_rejected(mesh, name, edge):
    with pytest.raises(ValueError, match=f"edge: {edge} is out of range; expected 0 to 5"):
        getattr(mesh, name)(edge)


def test_asking_for_an_edge_where_there_is_none():
    with pytest.raises(ValueError, match="edge: 0 is out of range; the mesh has none"):
        abut.CollisionMesh(TET).edge_faces(0)


# --- Arrays that belong to the mesh ---

ARRAYS = """rest_positions edges faces faces_to_edges codim_vertices codim_edges vertex_areas edge_areas body_ids
material_ids vertex_components""".split()


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_read_only(mesh, name):
    array = getattr(mesh, name)
    assert array.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        array[...] = 0
    if array.size > 0:
        assert array.base is mesh
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_arrays_outlive_their_mesh():
    arrays = [getattr(abut.CollisionMesh(TET, faces=TET_FACES), name) for name in ARRAYS]
    expected = [array.copy() for array in arrays]
    gc.collect()
    for _ in range(100):
        abut.CollisionMesh(np.random.rand(4, 3), faces=TET_FACES)
    for array, copied in zip(arrays, expected):
        np.testing.assert_array_equal(array, copied)


def test_a_mesh_does_not_see_later_changes_of_its_arguments():
    vertices, faces = TET.copy(), np.array(TET_FACES)
    mesh = abut.CollisionMesh(vertices, faces=faces)
    vertices[:] = np.nan
    faces[:] = -1
    np.testing.assert_array_equal(mesh.rest_positions, TET)
    np.testing.assert_array_equal(mesh.faces, TET_FACES)


def test_a_mesh_cannot_be_pickled_and_says_so(mesh):
    for clone in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="pickle"):
            clone(mesh)


# --- The full mesh ---


@pytest.fixture
def full():
    data = abut.generate.tet_box(subdivisions=(2, 2, 2))
    return data, abut.CollisionMesh.build_from_full_mesh(data.vertices, faces=abut.boundary_faces(data.tets))


def full_jacobian(mesh):
    """d positions / d full positions, dense."""
    columns = []
    for i in range(mesh.full_ndof):
        unit = np.zeros(mesh.full_ndof)
        unit[i] = 1
        columns.append(mesh.map_displacements(unit.reshape(-1, mesh.dim)).ravel())
    return np.array(columns).T


def random_hessian(n):
    hessian = scipy.sparse.random(n, n, density=0.2, random_state=3, format="csr")
    return hessian + hessian.T


def test_a_full_mesh_keeps_what_its_elements_use(full):
    data, mesh = full
    assert mesh.full_num_vertices == 27 and mesh.num_vertices == 26
    ids = [mesh.to_full_vertex_id(v) for v in range(26)]
    np.testing.assert_array_equal(mesh.rest_positions, data.vertices[ids])
    np.testing.assert_array_equal(mesh.vertices(data.vertices + 1), data.vertices[ids] + 1)
    np.testing.assert_array_equal(mesh.displace_vertices(data.vertices), 2 * mesh.rest_positions)
    from_data = abut.CollisionMesh(data)
    np.testing.assert_array_equal(from_data.rest_positions, mesh.rest_positions)
    np.testing.assert_array_equal(from_data.faces, mesh.faces)


def test_a_selection_keeps_its_flags():
    include = [True, True, False, True]
    mesh = abut.CollisionMesh.build_from_selection(TET, include, [[1, 3]])
    assert mesh.edges.tolist() == [[1, 2]]
    assert mesh.to_full_vertex_id(2) == 3
    with pytest.raises(ValueError, match="edges: row 0 uses vertex 2, which is not selected"):
        abut.CollisionMesh.build_from_selection(TET, include, [[1, 2]])


def test_derivatives_reach_the_full_mesh(full):
    _, mesh = full
    J = full_jacobian(mesh)
    gradient = np.random.default_rng(1).normal(size=mesh.ndof)
    np.testing.assert_allclose(mesh.to_full_dof(gradient), J.T @ gradient, atol=1e-14)
    hessian = random_hessian(mesh.ndof)
    for form in ("csr", "csc", "coo", "lil", "dok", "bsr"):
        mapped = mesh.to_full_dof(hessian.asformat(form))
        assert scipy.sparse.isspmatrix_csc(mapped)
        np.testing.assert_allclose(mapped.toarray(), J.T @ hessian.toarray() @ J, atol=1e-14)


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_derivatives_pass_a_displacement_map(form):
    weights = scipy.sparse.random(4, 7, density=0.6, random_state=5, format=form)
    mesh = abut.CollisionMesh(TET, faces=TET_FACES, displacement_map=weights)
    assert (mesh.full_num_vertices, mesh.full_ndof) == (7, 21)
    nodes = np.random.default_rng(2).normal(size=(7, 3))
    np.testing.assert_allclose(mesh.map_displacements(nodes), weights @ nodes, atol=1e-14)
    np.testing.assert_allclose(mesh.displace_vertices(nodes), TET + weights @ nodes, atol=1e-14)
    J = np.kron(weights.toarray(), np.eye(3))
    np.testing.assert_allclose(full_jacobian(mesh), J, atol=1e-14)
    gradient = np.arange(12.0)
    np.testing.assert_allclose(mesh.to_full_dof(gradient), J.T @ gradient, atol=1e-14)
    hessian = random_hessian(12)
    np.testing.assert_allclose(mesh.to_full_dof(hessian).toarray(), J.T @ hessian.toarray() @ J, atol=1e-14)
    with pytest.raises(ValueError, match="displacement map"):
        mesh.to_full_vertex_id(0)
    with pytest.raises(ValueError, match="displacement map"):
        mesh.vertices(nodes)


def test_derivatives_of_a_wrong_size_are_rejected(mesh):
    with pytest.raises(ValueError, match="gradient: expected 12 entries"):
        mesh.to_full_dof(np.zeros(11))
    for shape in ((11, 11), (12, 11), (2**31 - 1, 2**31 - 1)):
        with pytest.raises(ValueError, match=r"derivative: expected a Hessian of shape \(12, 12\)"):
            mesh.to_full_dof(scipy.sparse.coo_matrix(shape))
    with pytest.raises(ValueError, match="derivative: entry 1 is inf"):
        mesh.to_full_dof([0, np.inf, 0])
    with pytest.raises(ValueError, match=r"derivative: expected a vector of shape \(n,\), got shape \(12, 12\)"):
        mesh.to_full_dof(np.eye(12))
    for name in ("vertices", "map_displacements", "displace_vertices"):
        with pytest.raises(ValueError, match=r"full_\w+: expected shape \(4, 3\)"):
            getattr(mesh, name)(np.zeros((5, 3)))
        with pytest.raises(ValueError, match=r"full_\w+: row 1 has z = nan"):
            getattr(mesh, name)([[0, 0, 0], [0, 0, np.nan], [0, 0, 0], [0, 0, 0]])


# --- Unusual geometry ---


def test_coincident_vertices_are_reported():
    found = abut.CollisionMesh(np.vstack([TET, TET[:1]]), faces=TET_FACES).diagnose()
    assert found.coincident_vertices == [(0, 4)]
    assert found.unreferenced_vertices == [4]
    assert not found.is_clean
    assert "coincident" in found.summary and str(found) == found.summary


def test_elements_listed_twice_are_rejected():
    with pytest.raises(ValueError, match="faces: .*4.*"):
        abut.CollisionMesh(TET, faces=[*TET_FACES, [1, 0, 2]])
    with pytest.raises(ValueError, match="edges: "):
        abut.CollisionMesh(TET, [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="faces: row 0 uses vertex 1 twice"):
        abut.CollisionMesh(TET, faces=[[0, 1, 1]])


def test_degenerate_elements_are_reported_and_stay_finite():
    mesh = abut.CollisionMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 0, 0]], [[0, 3]], [[0, 1, 2]])
    found = mesh.diagnose()
    assert found.zero_area_faces == [0]
    assert found.zero_length_edges == [0]
    assert np.isfinite(mesh.vertex_areas).all() and np.isfinite(mesh.edge_areas).all()


def test_flat_and_inverted_tets_are_no_start():
    abut.validate_tets(TET, [[0, 1, 2, 3]])
    for tets in ([[0, 1, 2, 3], [0, 2, 1, 3]], [[0, 1, 2, 3], [0, 1, 2, 4]]):
        with pytest.raises(abut.InvalidStart, match=r"tets: 1 of 2 have no positive volume \(rows 1\)"):
            abut.validate_tets(np.vstack([TET, [[1, 1, 0]]]), tets)
    data = abut.MeshData(TET, tets=[[0, 2, 1, 3]])
    with pytest.raises(abut.InvalidStart, match="tets"):
        abut.CollisionMesh(data)


def test_non_manifold_and_inconsistent_meshes_are_accepted_and_reported():
    fin = np.vstack([TET, [[0.5, -1, -1]]])
    assert abut.CollisionMesh(fin, faces=[*TET_FACES, [0, 1, 4]]).diagnose().non_manifold_edges == [0]
    found = abut.CollisionMesh(TET, faces=[[0, 1, 2], [0, 1, 3]]).diagnose()
    assert found.inconsistent_edges == [0]
    assert found.boundary_edges == [1, 2, 3, 4]


def test_a_clean_mesh_has_nothing_to_report(mesh):
    found = mesh.diagnose()
    assert found.is_clean and found.summary == ""


def test_vertices_that_all_coincide_are_rejected():
    with pytest.raises(ValueError, match="vertices: all 4 vertices coincide"):
        abut.CollisionMesh(np.ones((4, 3)))
