"""Collisions and barriers: against numpy, finite differences and each other; what is rejected; threads."""

import gc
import threading
import weakref

import abut
import numpy as np
import pytest
from abut import BarrierPotential, CollisionSetType, HessianCache, NormalCollisions, PairKind, PSDProjectionMethod
from contact_scenes import DHAT, KINDS, SCENES, STENCIL_SIZES, built, large, plane, space, touching
from finite_differences import jacobian
from other_threads import assert_others_run_during

LAWS = ("clamped_log", "normalized_clamped_log", "clamped_log_squared", "cubic", "two_stage")
scenes = pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)


def gradient_by_differences(function, X):
    return jacobian(lambda *x: [function(np.array(x))], X)[0]


# --- Collisions ---


@scenes
def test_every_kind_of_pair_is_in_contact(make):
    mesh = make()
    collisions = built(mesh)
    expected = {"vv", "ev", "pv"} if mesh.dim == 2 else set(KINDS)
    assert {kind for kind in KINDS if len(getattr(collisions, kind)) > 0} == expected
    assert len(collisions) == sum(len(getattr(collisions, kind)) for kind in KINDS)
    assert not collisions.empty() and collisions


@scenes
def test_a_set_is_a_sequence_in_the_order_of_its_lists(make):
    mesh = make()
    collisions = built(mesh, use_area_weighting=True)
    kinds = [kind for kind in KINDS for _ in range(len(getattr(collisions, kind)))]
    rows = [row for kind in KINDS for row in range(len(getattr(collisions, kind)))]
    names = dict(zip(KINDS, list(PairKind)[1:]))
    assert len(kinds) == len(collisions) == len(list(collisions))
    for k, collision in enumerate(collisions):
        terms = getattr(collisions, kinds[k])
        assert collision.kind is names[kinds[k]]
        assert collision.elements == tuple(terms.elements[rows[k]])
        assert collision.vertices.tolist() == terms.vertices[rows[k]].tolist()
        assert collision.weight == terms.weights[rows[k]]
        if kinds[k] == "ee":
            assert collision.feature == terms.features[rows[k]] and collision.eps_x == terms.eps_x[rows[k]] > 0
        else:
            assert collision.feature is None and collision.eps_x == 0
        again = collisions[k - len(collisions)]
        assert (again.kind, again.elements) == (collision.kind, collision.elements)
        assert f"{collision.kind.name} {collision.elements}" in repr(collision)
    for index in (len(collisions), -len(collisions) - 1, 2**62):
        with pytest.raises(IndexError, match=f"collision {index} is out of range; there are {len(collisions)}"):
            collisions[index]
    for index in ("0", 0.5, None, slice(2)):
        with pytest.raises(TypeError):
            collisions[index]


@scenes
def test_arrays_are_read_only_and_stay(make):
    mesh = make()
    collisions = built(mesh)
    arrays = {}
    for kind, size in zip(KINDS, STENCIL_SIZES):
        terms = getattr(collisions, kind)
        assert isinstance(terms, abut.CollisionTerms) and (kind == "ee") == isinstance(terms, abut.EdgeEdgeTerms)
        assert terms.vertices.shape == (len(terms), size) and terms.elements.shape == (len(terms), 2)
        assert terms.vertices.dtype == terms.elements.dtype == np.int32
        assert terms.weights.shape == (len(terms),) and terms.weights.dtype == np.float64
        assert f"{len(terms)} collisions>" in repr(terms)
        names = ["vertices", "elements", "weights"] + ["features", "eps_x"] * (kind == "ee")
        arrays.update({(kind, name): getattr(terms, name) for name in names})
    copies = {key: array.copy() for key, array in arrays.items()}
    for array in arrays.values():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    collisions.build(mesh, mesh.rest_positions, 1e-6)
    assert len(collisions) == 0
    del collisions, mesh, terms
    gc.collect()
    for key, array in arrays.items():
        np.testing.assert_array_equal(array, copies[key])


@scenes
def test_stencils_list_the_vertices_of_all_collisions(make):
    collisions = built(make())
    offsets, vertices = collisions.stencil_offsets, collisions.stencil_vertices
    assert offsets.dtype == np.int64 and vertices.dtype == np.int32 and offsets[0] == 0
    assert len(offsets) == len(collisions) + 1 and offsets[-1] == len(vertices)
    for k, collision in enumerate(collisions):
        assert vertices[offsets[k] : offsets[k + 1]].tolist() == collision.vertices.tolist()
    assert NormalCollisions().stencil_offsets.tolist() == [0] and NormalCollisions().stencil_vertices.size == 0


@scenes
@pytest.mark.parametrize("set_type", CollisionSetType)
def test_every_way_to_build_finds_the_same(make, set_type):
    mesh = make()
    X = mesh.rest_positions
    options = {"set_type": set_type, "use_area_weighting": True}
    collisions = built(mesh, X, DHAT, 0.01, **options)
    candidates = abut.Candidates()
    candidates.build(mesh, X, (DHAT + 0.01) / 2)
    detection = abut.Detection(mesh, range=2 * DHAT)
    detection.update(X)
    for arguments in (
        (candidates, mesh, X, DHAT, 0.01),
        (detection, mesh, X, DHAT, 0.01),
    ):
        other = NormalCollisions()
        other.build(*arguments, **options)
        assert other == collisions
    assert built(mesh, X, DHAT, dmin=0.01, broad_phase="brute_force", **options) == collisions
    assert (collisions.dhat, collisions.dmin, collisions.set_type) == (DHAT, 0.01, set_type)
    assert collisions.use_area_weighting is True and collisions.enable_shape_derivatives is False


def test_sets_compare_and_describe_themselves():
    mesh = space()
    collisions, empty = built(mesh), NormalCollisions()
    assert collisions == built(mesh) and collisions != empty and empty == NormalCollisions() and empty != 3
    assert collisions != built(mesh, use_area_weighting=True)
    assert collisions != built(mesh, set_type=CollisionSetType.CONVERGENT)
    counts = ", ".join(f"{len(getattr(collisions, kind))} {kind}" for kind in KINDS)
    assert repr(collisions) == f"<abut.NormalCollisions: {counts}>"
    assert len(empty) == 0 and empty.empty() and not empty and list(empty) == []
    with pytest.raises(TypeError, match="unhashable"):
        hash(collisions)
    for name in ("CollisionTerms", "EdgeEdgeTerms", "NormalCollision", "NormalCollisionGeometry", "NormalPotential"):
        with pytest.raises(TypeError, match="No constructor"):
            getattr(abut, name)()


@scenes
def test_geometry_is_that_of_numpy(make):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh)
    smallest = np.inf
    for k, collision in enumerate(collisions):
        geometry = collisions.geometry(k, mesh, X)
        assert geometry.normal.shape == (mesh.dim,) and geometry.coefficients.shape == collision.vertices.shape
        if collision.kind == PairKind.plane_vertex:
            point, normal = mesh.planes[collision.elements[0]]
            difference = ((X[collision.vertices[0]] - point) @ normal) * normal
            assert geometry.coefficients.tolist() == [1]
        else:
            assert geometry.coefficients.sum() == pytest.approx(0, abs=1e-12)
            difference = geometry.coefficients @ X[collision.vertices]
        distance = np.linalg.norm(difference)
        assert geometry.squared_distance == pytest.approx(distance**2, rel=1e-10)
        np.testing.assert_allclose(geometry.normal, difference / distance, atol=1e-10)
        smallest = min(smallest, distance)
    assert collisions.compute_minimum_distance(mesh, X) == pytest.approx(smallest, rel=1e-12)
    assert collisions.compute_minimum_distance(mesh, X) == pytest.approx(abut.compute_minimum_distance(mesh, X))
    assert NormalCollisions().compute_minimum_distance(mesh, X) == np.inf
    with pytest.raises(IndexError):
        collisions.geometry(len(collisions), mesh, X)


def test_nearly_parallel_edges_keep_their_features():
    features = built(space(angle=1e-3)).ee.features
    assert (features == abut.EdgeEdgeFeature.a_b).any() and (features != abut.EdgeEdgeFeature.a_b).any()


def test_a_touching_start_is_invalid_and_names_the_pair():
    mesh = touching()
    X = mesh.rest_positions
    candidates = abut.Candidates()
    candidates.build(mesh, X, 0.1)
    collisions = built(space())
    before = built(space())
    for arguments in ((mesh, X, 0.1), (candidates, mesh, X, 0.1)):
        with pytest.raises(abut.InvalidStart, match="^X: face 0 and vertex 3 are at distance 0"):
            collisions.build(*arguments)
    mesh = space()
    with pytest.raises(abut.InvalidStart, match="^X: .* are at distance .*dmin"):
        collisions.build(mesh, mesh.rest_positions, DHAT, 0.1)
    assert collisions == before


@pytest.mark.parametrize(
    "options, error, message",
    [
        *[({"dhat": value}, ValueError, f"dhat: {value} is not a positive") for value in (0, -1, np.nan, np.inf)],
        *[({"dmin": value}, ValueError, f"dmin: {value} is not a distance") for value in (-1, np.nan, np.inf)],
        ({"set_type": "IPC"}, TypeError, "set_type: expected a member of abut.CollisionSetType, got 'IPC'"),
        ({"set_type": 1}, TypeError, "set_type: expected a member of abut.CollisionSetType, got 1"),
        ({"set_type": None}, TypeError, "set_type: expected a member of abut.CollisionSetType, got None"),
        ({"set_type": PSDProjectionMethod.NONE}, TypeError, "set_type: expected a member of abut.CollisionSetType"),
        ({"broad_phase": "hash"}, ValueError, 'broad_phase: expected "bvh" or "brute_force", got "hash"'),
    ],
)
def test_bad_options_of_a_build_are_rejected_by_name(options, error, message):
    mesh = space()
    with pytest.raises(error, match=f"^{message}"):
        NormalCollisions().build(mesh, mesh.rest_positions, **{"dhat": DHAT, **options})


def test_calls_of_build_that_fit_no_signature_are_type_errors():
    mesh = space()
    X = mesh.rest_positions
    for arguments in ((mesh, X), (X, mesh, 0.1), (mesh, X, "0.1"), (mesh, X, X, 0.1), (mesh, mesh, X, 0.1), ()):
        with pytest.raises(TypeError):
            NormalCollisions().build(*arguments)


def test_a_detection_has_to_be_of_the_mesh_and_the_positions():
    mesh, other = space(), space()
    X = mesh.rest_positions
    detection = abut.Detection(mesh, range=DHAT)
    with pytest.raises(ValueError, match=r"^detection: it was not updated at these positions; call detection.update"):
        NormalCollisions().build(detection, mesh, X, DHAT)
    detection.update(X)
    with pytest.raises(ValueError, match="^detection: it was made for another mesh"):
        NormalCollisions().build(detection, other, X, DHAT)
    with pytest.raises(ValueError, match="^detection: it was not updated at these positions"):
        NormalCollisions().build(detection, mesh, X + 1e-9, DHAT)
    with pytest.raises(ValueError, match=r"^X: expected shape"):
        NormalCollisions().build(detection, mesh, X[1:], DHAT)
    with pytest.raises(ValueError, match="^detection: its range 0.12 m is shorter than dmin"):
        NormalCollisions().build(detection, mesh, X, DHAT, 0.01)
    with pytest.raises(ValueError, match="^X: row 0"):
        detection.update(X * np.nan)
    with pytest.raises(ValueError, match="^X: expected shape"):
        detection.update(X[1:])


def test_candidates_of_another_mesh_are_rejected():
    mesh, small = space(), abut.CollisionMesh(abut.generate.box(), planes=[([0, -1, 0], [0, 1, 0])])
    candidates = abut.Candidates()
    candidates.build(mesh, mesh.rest_positions, DHAT)
    with pytest.raises(ValueError, match="^candidates: .* is no pair of this mesh"):
        NormalCollisions().build(candidates, small, small.rest_positions, DHAT)
    with pytest.raises(ValueError, match="^candidates: .* is no pair of this mesh"):
        abut.candidate_pattern(candidates, small)


def test_collisions_of_another_mesh_are_rejected():
    mesh = space()
    data = abut.MeshData(mesh.rest_positions, mesh.edges, mesh.faces)
    collisions, barrier = built(mesh), BarrierPotential(DHAT)
    flat = abut.CollisionMesh(mesh.rest_positions[:, [0, 2]])
    for other in (abut.CollisionMesh(data), abut.CollisionMesh(abut.generate.box()), flat):
        for call in (
            barrier,
            barrier.gradient,
            barrier.hessian,
            barrier.energies,
            barrier.forces,
            barrier.force_magnitudes,
            barrier.shape_derivative,
            lambda c, m, X: c.geometry(0, m, X),
            lambda c, m, X: c.compute_minimum_distance(m, X),
            lambda c, m, X: abut.TangentialCollisions().build(m, X, c, barrier, 0.1),
        ):
            with pytest.raises(ValueError, match="^collisions: built for a mesh of 35 vertices in 3D, .* 1 planes, but"):
                call(collisions, other, other.rest_positions)
    same = space()
    assert barrier(collisions, same, same.rest_positions) == barrier(collisions, mesh, mesh.rest_positions)


# --- Potential ---


@scenes
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("distance", ["squared", "plain"])
def test_derivatives_are_those_of_finite_differences(make, law, distance):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh, set_type=CollisionSetType.CONVERGENT, use_area_weighting=True)
    barrier = BarrierPotential(DHAT, 3e4, law=law, distance=distance)
    gradient, hessian = barrier.gradient(collisions, mesh, X), barrier.hessian(collisions, mesh, X).toarray()
    assert gradient.shape == (mesh.ndof,) and np.abs(gradient).max() > 0
    expected = gradient_by_differences(lambda x: barrier(collisions, mesh, x), X)
    np.testing.assert_allclose(gradient, expected, atol=1e-5 * np.abs(gradient).max())
    expected = jacobian(lambda *x: barrier.gradient(collisions, mesh, np.array(x)), X, step=1e-6)
    np.testing.assert_allclose(hessian, expected, atol=1e-5 * np.abs(hessian).max())
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12 * np.abs(hessian).max())


@scenes
def test_energies_forces_and_gradient_agree(make):
    mesh = make()
    X = mesh.rest_positions
    collisions, barrier = built(mesh), BarrierPotential(DHAT, 2.0)
    energies, forces = barrier.energies(collisions, mesh, X), barrier.forces(collisions, mesh, X)
    assert energies.shape == (len(collisions),)
    assert energies.sum() == pytest.approx(barrier(collisions, mesh, X), rel=1e-13)
    assert forces.shape == (len(collisions.stencil_vertices), mesh.dim)
    total = np.zeros_like(X)
    np.add.at(total, collisions.stencil_vertices, forces)
    gradient = barrier.gradient(collisions, mesh, X)
    np.testing.assert_allclose(total.ravel(), -gradient, atol=1e-14 * np.abs(gradient).max())
    # Collision by collision: the law of its distance, along its normal.
    magnitudes = barrier.force_magnitudes(collisions, mesh, X)
    for k, collision in enumerate(collisions):
        geometry = collisions.geometry(k, mesh, X)
        D = geometry.squared_distance
        value, first, _ = abut.laws.clamped_log(D, DHAT**2)
        assert magnitudes[k] == pytest.approx(-2 * 2.0 * first * np.sqrt(D), rel=1e-12)
        force = np.outer(geometry.coefficients, geometry.normal) * magnitudes[k] * collision.weight
        rows = slice(*collisions.stencil_offsets[k : k + 2])
        if collision.kind != PairKind.edge_edge:  # the mollifier is 1
            assert energies[k] == pytest.approx(2.0 * collision.weight * value, rel=1e-12)
            np.testing.assert_allclose(forces[rows], force, rtol=1e-9, atol=1e-12 * np.abs(forces).max())
        if collision.kind != PairKind.plane_vertex:
            np.testing.assert_allclose(forces[rows].sum(0), 0, atol=1e-12 * np.abs(forces).max())


@pytest.mark.parametrize("make", [space, lambda: space(angle=1e-3), plane], ids=["space", "parallel", "plane"])
@pytest.mark.parametrize("set_type", CollisionSetType)
def test_projected_hessians_have_no_negative_eigenvalues(make, set_type):
    mesh = make()
    X = mesh.rest_positions
    collisions, barrier = built(mesh, set_type=set_type), BarrierPotential(DHAT, 1e3)
    spectra = {}
    for method in PSDProjectionMethod:
        matrix = barrier.hessian(collisions, mesh, X, method)
        dense = matrix.toarray()
        np.testing.assert_allclose(dense, dense.T, atol=1e-12 * np.abs(dense).max())
        spectra[method] = np.linalg.eigvalsh(dense)
    largest = spectra[PSDProjectionMethod.NONE].max()
    assert spectra[PSDProjectionMethod.NONE].min() < -1e-6 * largest
    for method in (PSDProjectionMethod.CLAMP, PSDProjectionMethod.ABS):
        assert spectra[method].min() > -1e-12 * largest
    assert spectra[PSDProjectionMethod.ABS].sum() > spectra[PSDProjectionMethod.CLAMP].sum()


def test_hessians_are_sorted_scipy_matrices_of_their_own():
    mesh = space()
    X = mesh.rest_positions
    collisions, barrier = built(mesh), BarrierPotential(DHAT)
    matrix = barrier.hessian(collisions, mesh, X)
    assert matrix.format == "csc" and matrix.shape == (mesh.ndof, mesh.ndof) and matrix.has_canonical_format
    assert matrix.dtype == np.float64 and matrix.indices.dtype == np.int32
    expected = matrix.toarray()
    matrix.data *= 0
    matrix.eliminate_zeros()
    assert matrix.nnz == 0
    np.testing.assert_array_equal(barrier.hessian(collisions, mesh, X).toarray(), expected)
    indices = barrier.hessian(collisions, mesh, X).indices
    gc.collect()
    assert indices.max() < mesh.ndof


def test_without_collisions_everything_is_zero():
    mesh = space()
    X = mesh.rest_positions
    barrier, cache = BarrierPotential(1e-6), HessianCache()
    for collisions in (NormalCollisions(), built(mesh, dhat=1e-6)):
        assert barrier(collisions, mesh, X) == 0
        np.testing.assert_array_equal(barrier.gradient(collisions, mesh, X), np.zeros(mesh.ndof))
        for options in ({}, {"cache": cache}):
            matrix = barrier.hessian(collisions, mesh, X, **options)
            assert matrix.shape == (mesh.ndof, mesh.ndof) and matrix.nnz == 0
        assert barrier.energies(collisions, mesh, X).shape == barrier.force_magnitudes(collisions, mesh, X).shape == (0,)
        assert barrier.forces(collisions, mesh, X).shape == (0, 3)


def test_a_barrier_has_parameters():
    barrier = BarrierPotential(0.1)
    assert (barrier.dhat, barrier.stiffness, barrier.use_physical_barrier) == (0.1, 1.0, False)
    assert barrier.law_name == "clamped_log of the squared distance"
    assert repr(barrier) == "<abut.BarrierPotential: clamped_log of the squared distance, dhat = 0.1 m, stiffness = 1>"
    assert isinstance(barrier, abut.NormalPotential)
    barrier = BarrierPotential(0.1, 5, True, law="cubic", distance="plain")
    assert barrier.stiffness == 5 and barrier.use_physical_barrier is True
    assert barrier.law_name == "cubic of the distance" and "physical" in repr(barrier)
    with pytest.raises(AttributeError):
        barrier.dhat = 1


@scenes
def test_energy_is_linear_in_the_stiffness(make):
    mesh = make()
    X = mesh.rest_positions
    collisions, barrier = built(mesh), BarrierPotential(DHAT)
    energy = barrier(collisions, mesh, X)
    barrier.stiffness = 8
    assert barrier.stiffness == 8 and barrier(collisions, mesh, X) == pytest.approx(8 * energy, rel=1e-14)
    for value in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match=f"^stiffness: {value} is not a positive number"):
            barrier.stiffness = value
    with pytest.raises(TypeError):
        barrier.stiffness = "8"
    assert barrier.stiffness == 8


def test_a_physical_barrier_divides_by_the_unit_of_its_law():
    mesh = space()
    X = mesh.rest_positions
    dmin = 0.01
    collisions = built(mesh, X, DHAT, dmin, use_area_weighting=True)
    x_hat = (2 * dmin + DHAT) * DHAT
    for law, distance, unit in (
        ("clamped_log", "squared", x_hat**2),
        ("clamped_log", "plain", DHAT**2),
        ("normalized_clamped_log", "squared", 1),
        (abut.laws.clamped_log, "squared", x_hat**2),
    ):
        plain = BarrierPotential(DHAT, law=law, distance=distance)(collisions, mesh, X)
        physical = BarrierPotential(DHAT, 1, True, law=law, distance=distance)(collisions, mesh, X)
        assert physical == pytest.approx(plain * DHAT / unit, rel=1e-12)


@pytest.mark.parametrize(
    "options, error, message",
    [
        *[({"dhat": value}, ValueError, f"dhat: {value} is not a positive") for value in (0, -1, np.nan, np.inf)],
        *[({"stiffness": value}, ValueError, f"stiffness: {value} is not") for value in (0, -1, np.nan, np.inf)],
        ({"law": "clamped_lug"}, ValueError, r"law: 'clamped_lug' is not one of .*did you mean 'clamped_log'\?"),
        ({"law": "?"}, ValueError, "law: '\\?' is not one of clamped_log, "),
        ({"law": 3}, TypeError, r"law: expected a name or a callable of \(x, x_hat\), got 3"),
        ({"law": None}, TypeError, "law: expected a name or a callable"),
        ({"distance": "cubed"}, ValueError, 'distance: expected "squared" or "plain", got "cubed"'),
        ({"law_unit": lambda x_hat: 1}, ValueError, "law_unit: only a law of your own needs one"),
        ({"law": abut.laws.cubic, "law_unit": 1.0}, TypeError, "law_unit: expected a callable of x_hat, got 1.0"),
    ],
)
def test_bad_options_of_a_barrier_are_rejected_by_name(options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        BarrierPotential(**{"dhat": DHAT, **options})


def test_arguments_of_other_types_are_type_errors():
    mesh = space()
    X, collisions, barrier = mesh.rest_positions, built(mesh), BarrierPotential(DHAT)
    for call in (
        lambda: BarrierPotential(),
        lambda: BarrierPotential("0.1"),
        lambda: BarrierPotential(0.1, 1, False, "cubic"),
        lambda: BarrierPotential(0.1, distance=1),
        lambda: barrier(mesh, X),
        lambda: barrier(mesh, collisions, X),
        lambda: barrier.gradient(collisions, abut.generate.box(), X),
        lambda: barrier.hessian(collisions, mesh, X, cache=3),
        lambda: HessianCache(3),
        lambda: abut.candidate_pattern(collisions, mesh),
    ):
        with pytest.raises(TypeError):
            call()
    for value in (True, 1, "CLAMP", None, CollisionSetType.IPC):
        message = "^project_hessian_to_psd: expected a member of abut.PSDProjectionMethod, got "
        with pytest.raises(TypeError, match=message):
            barrier.hessian(collisions, mesh, X, value)


CALLS = {
    "call": lambda P, C, mesh, X: P(C, mesh, X),
    "gradient": lambda P, C, mesh, X: P.gradient(C, mesh, X),
    "hessian": lambda P, C, mesh, X: P.hessian(C, mesh, X, PSDProjectionMethod.CLAMP).toarray(),
    "energies": lambda P, C, mesh, X: P.energies(C, mesh, X),
    "forces": lambda P, C, mesh, X: P.forces(C, mesh, X),
    "force_magnitudes": lambda P, C, mesh, X: P.force_magnitudes(C, mesh, X),
    "shape_derivative": lambda P, C, mesh, X: P.shape_derivative(C, mesh, X).toarray(),
    "geometry": lambda P, C, mesh, X: C.geometry(0, mesh, X).normal,
    "compute_minimum_distance": lambda P, C, mesh, X: C.compute_minimum_distance(mesh, X),
    "build": lambda P, C, mesh, X: C.build(mesh, X, DHAT),
}
calls = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
law_calls = pytest.mark.parametrize("name", list(CALLS)[:7])


@calls
def test_positions_of_any_layout_and_type_are_read(call):
    mesh = space()
    X = mesh.rest_positions.astype(np.float32).astype(float)
    collisions, barrier = built(mesh, X, enable_shape_derivatives=True), BarrierPotential(DHAT)
    expected = call(barrier, collisions, mesh, X)
    before = built(mesh, X, enable_shape_derivatives=collisions.enable_shape_derivatives)
    wide = np.zeros((2 * len(X), 6))
    wide[::2, ::2] = X
    for same in (np.asfortranarray(X), wide[::2, ::2], X.astype(np.float32), X.tolist(), X[::-1].copy()[::-1]):
        np.testing.assert_array_equal(call(barrier, collisions, mesh, same), expected)
        assert collisions == before


@calls
def test_bad_positions_are_rejected_by_name(call):
    mesh = space()
    X = mesh.rest_positions
    collisions, barrier = built(mesh, enable_shape_derivatives=True), BarrierPotential(DHAT)
    broken = X.copy()
    broken[3, 2] = np.nan
    for value, message in [
        (X[:-1], r"expected shape \(35, 3\)"),
        (X[:, :2], r"expected shape \(35, 3\)"),
        (X.ravel(), r"expected an array of shape"),
        (broken, "row 3 has z = nan"),
        (X.astype(complex), "expected .* of real numbers"),
    ]:
        with pytest.raises(ValueError, match=f"^X: {message}"):
            call(barrier, collisions, mesh, value)
    for value in (None, "X", X.astype(object)):
        with pytest.raises(TypeError, match="^X: expected an array"):
            call(barrier, collisions, mesh, value)


def test_a_potential_that_reaches_farther_than_its_collisions_is_rejected():
    mesh = space()
    collisions = built(mesh, dhat=0.1)
    with pytest.raises(ValueError, match="^collisions: built for dhat = 0.1 m, but the potential reaches 0.12 m"):
        BarrierPotential(DHAT).gradient(collisions, mesh, mesh.rest_positions)


def test_where_a_pair_touches_energy_is_infinite_and_has_no_derivative():
    mesh = touching()
    X = mesh.rest_positions.copy()
    X[3, 1] = 0.05
    collisions, barrier = built(mesh, X), BarrierPotential(DHAT)
    assert len(collisions) == 1
    X[3, 1] = 0
    assert barrier(collisions, mesh, X) == np.inf
    for call in (barrier.gradient, barrier.hessian, barrier.forces):
        with pytest.raises(abut.InvalidStart, match="^X: collision 0 .* compute_collision_free_stepsize"):
            call(collisions, mesh, X)


@pytest.mark.parametrize("make", [space, lambda **o: space(angle=1e-3, **o), plane], ids=["space", "parallel", "plane"])
def test_the_shape_derivative_is_that_of_finite_differences(make):
    mesh = make()
    X = mesh.rest_positions
    options = {"use_area_weighting": True, "enable_shape_derivatives": True}
    barrier = BarrierPotential(DHAT, 1e3)

    def gradient(*rest):
        moved = abut.CollisionMesh(np.array(rest), mesh.edges, mesh.faces if mesh.dim == 3 else None, planes=mesh.planes)
        return barrier.gradient(built(moved, X, **options), moved, X)

    derivative = barrier.shape_derivative(built(mesh, **options), mesh, X)
    assert derivative.shape == (mesh.ndof, mesh.ndof) and derivative.format == "csc"
    expected = jacobian(gradient, X, step=1e-6)
    np.testing.assert_allclose(derivative.toarray(), expected, atol=1e-6 * np.abs(expected).max())
    with pytest.raises(ValueError, match="^collisions: build them with enable_shape_derivatives"):
        barrier.shape_derivative(built(mesh, use_area_weighting=True), mesh, X)


# --- Cache ---


@scenes
def test_a_cache_sorts_once_while_the_collisions_stay(make):
    mesh = make()
    X = mesh.rest_positions
    collisions, barrier, cache = built(mesh), BarrierPotential(DHAT), HessianCache()
    assert cache.num_analyses == 0 and repr(cache) == "<abut.HessianCache: 0 analyses>"
    kept = []
    for k in range(4):
        x = X * (1 + 1e-4 * k)
        matrix = barrier.hessian(collisions, mesh, x, PSDProjectionMethod.ABS, cache=cache)
        expected = barrier.hessian(collisions, mesh, x, PSDProjectionMethod.ABS)
        for name in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(getattr(matrix, name), getattr(expected, name))
        kept.append((matrix, expected))
    assert cache.num_analyses == 1
    barrier.hessian(NormalCollisions(), mesh, X, cache=cache)
    assert cache.num_analyses == 2
    for matrix, expected in kept:  # later calls do not write into earlier results
        np.testing.assert_array_equal(matrix.toarray(), expected.toarray())


@scenes
def test_a_cache_with_the_pattern_of_candidates_keeps_it(make):
    mesh = make()
    X = mesh.rest_positions
    candidates = abut.Candidates()
    candidates.build(mesh, X, DHAT)
    pattern = abut.candidate_pattern(candidates, mesh)
    assert pattern.num_rows == mesh.num_vertices and pattern.dim == mesh.dim and pattern.num_blocks > 0
    assert f"{pattern.num_blocks} blocks" in repr(pattern)
    cache = HessianCache(pattern)
    matrices = []
    for dhat in (DHAT, DHAT / 2, 1e-6):
        collisions, barrier = built(mesh, dhat=dhat), BarrierPotential(dhat)
        matrices.append(barrier.hessian(collisions, mesh, X, cache=cache))
        np.testing.assert_array_equal(matrices[-1].toarray(), barrier.hessian(collisions, mesh, X).toarray())
        np.testing.assert_array_equal(matrices[-1].indices, matrices[0].indices)
    assert matrices[0].nnz > BarrierPotential(DHAT).hessian(built(mesh), mesh, X).nnz
    narrow = abut.Candidates()
    with pytest.raises(ValueError, match="^pattern: it has no block"):
        cache = HessianCache(abut.candidate_pattern(narrow, mesh))
        BarrierPotential(DHAT).hessian(built(mesh), mesh, X, cache=cache)
    other = abut.CollisionMesh(abut.generate.box())
    with pytest.raises(ValueError, match="^cache: its pattern is for"):
        BarrierPotential(DHAT).hessian(NormalCollisions(), other, other.rest_positions, cache=HessianCache(pattern))


# --- Laws in Python ---


def own_clamped_log(x, x_hat):
    with np.errstate(divide="ignore", invalid="ignore"):
        log = np.log(x / x_hat)
        gap, ratio = x - x_hat, x_hat / x
        terms = -(gap**2) * log, -gap * (2 * log - ratio + 1), (ratio + 2) * ratio - 2 * log - 3
    return tuple(np.where(x < x_hat, term, 0) for term in terms)


@scenes
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("distance", ["squared", "plain"])
@law_calls
def test_a_law_in_python_is_as_good_as_the_built_in_one(make, law, distance, name):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh, X, DHAT, 0.01, enable_shape_derivatives=True)
    expected = CALLS[name](BarrierPotential(DHAT, 7, law=law, distance=distance), collisions, mesh, X)
    own = BarrierPotential(DHAT, 7, law=getattr(abut.laws, law), distance=distance)
    # Laws of Abut have a logarithm of their own, two ulps off at most; entries of Hessians are sums that cancel.
    np.testing.assert_allclose(CALLS[name](own, collisions, mesh, X), expected, rtol=1e-14, atol=1e-14 * np.abs(expected).max())


def test_a_law_may_be_written_in_numpy():
    mesh = large(cells=20, gap=0.02)
    X = mesh.rest_positions
    collisions = built(mesh, dhat=0.025)
    barrier, own = BarrierPotential(0.025, 1e5), BarrierPotential(0.025, 1e5, law=own_clamped_log)
    assert own.law_name == "own_clamped_log of the squared distance"
    assert BarrierPotential(1, law=lambda x, x_hat: (0, 0, 0), distance="plain").law_name == "<lambda> of the distance"
    assert len(collisions) > 1000
    for call in (CALLS["call"], CALLS["gradient"], CALLS["hessian"]):
        expected = call(barrier, collisions, mesh, X)
        actual = call(own, collisions, mesh, X)
        np.testing.assert_allclose(actual, expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


@pytest.mark.parametrize("distance", ["squared", "plain"])
def test_a_law_sees_distances_in_arrays(distance):
    mesh = space()
    X, dmin = mesh.rest_positions, 0.02
    collisions = built(mesh, X, DHAT, dmin)
    seen = []

    def law(x, x_hat):
        assert isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype == np.float64 and isinstance(x_hat, float)
        seen.extend(x)
        assert x_hat == pytest.approx(DHAT if distance == "plain" else (2 * dmin + DHAT) * DHAT)
        x[:] = np.nan  # it is the law's own
        return 1, [0.0], np.float32(0)

    energies = BarrierPotential(DHAT, law=law, distance=distance).energies(collisions, mesh, X)
    D = np.array([collisions.geometry(k, mesh, X).squared_distance for k in range(len(collisions))])
    np.testing.assert_allclose(seen, np.sqrt(D) - dmin if distance == "plain" else D - dmin**2, atol=1e-14)
    assert len(energies) == len(seen) and energies.max() == max(c.weight for c in collisions)


@law_calls
@pytest.mark.parametrize("count", [1, 2])
def test_what_a_law_raises_ends_the_call(name, count):
    class Surprise(Exception):
        pass

    def law(x, x_hat):
        raise Surprise(x)

    mesh = large(cells=20, gap=0.02)
    X = mesh.rest_positions
    collisions = built(mesh, dhat=0.025, enable_shape_derivatives=True)
    barrier, cache = BarrierPotential(0.025, law=law), HessianCache()
    abut.set_num_threads(count)
    for _ in range(3):
        with pytest.raises(Surprise):
            CALLS[name](barrier, collisions, mesh, X)
        with pytest.raises(Surprise):
            barrier.hessian(collisions, mesh, X, cache=cache)
    with pytest.raises(Surprise):
        abut.TangentialCollisions().build(mesh, X, collisions, barrier, 0.5)
    # And the library works on, the cache with it.
    good = BarrierPotential(0.025)
    expected = good.hessian(collisions, mesh, X)
    np.testing.assert_array_equal(good.hessian(collisions, mesh, X, cache=cache).data, expected.data)


@pytest.mark.parametrize(
    "result, error, message",
    [
        (lambda x: None, TypeError, r": expected \(value, first, second\), got NoneType"),
        (lambda x: x, TypeError, r": expected \(value, first, second\), got \d+ items"),
        (lambda x: 1.0, TypeError, r": expected \(value, first, second\), got float"),
        (lambda x: np.array(1.0), TypeError, r": expected \(value, first, second\), got ndarray"),
        (lambda x: "abc", TypeError, r": expected \(value, first, second\), got str"),
        (lambda x: (x, x), TypeError, r": expected \(value, first, second\), got 2 items"),
        (lambda x: (x, x, x, x), TypeError, r": expected \(value, first, second\), got 4 items"),
        (lambda x: {0: x, 1: x, 2: x}, TypeError, r": expected \(value, first, second\), got dict"),
        (lambda x: (x, "x", x), TypeError, ", first derivative: expected a number or an array, got"),
        (lambda x: (None, x, x), TypeError, ", value: expected a number or an array, got None"),
        (lambda x: (x, x, x[:-1]), ValueError, r", second derivative: expected shape \(\d+,\) as x has, or a number"),
        (lambda x: (x[None], x, x), ValueError, r", value: expected shape \(\d+,\) .* got shape \(1, \d+\)"),
        (lambda x: (x, x + 1j, x), ValueError, ", first derivative: expected a number or an array of real numbers"),
        (lambda x: (x, x, x * np.nan), ValueError, ": its second derivative is nan at x = .*, x_hat = "),
    ],
)
def test_a_law_that_returns_something_else_is_named(result, error, message):
    def my_law(x, x_hat):
        return result(x)

    mesh = space()
    barrier = BarrierPotential(DHAT, law=my_law)
    with pytest.raises(error, match=f"^law 'my_law'{message}"):
        barrier(built(mesh), mesh, mesh.rest_positions)


def test_a_law_may_return_an_array_of_three_rows():
    mesh = space()
    X, collisions = mesh.rest_positions, built(mesh)
    barrier = BarrierPotential(DHAT, law=lambda x, x_hat: np.array(abut.laws.cubic(x, x_hat)))
    assert barrier(collisions, mesh, X) == BarrierPotential(DHAT, law="cubic")(collisions, mesh, X)


def test_a_law_has_a_unit():
    mesh = space()
    X, collisions = mesh.rest_positions, built(mesh)
    plain = BarrierPotential(DHAT, law=abut.laws.cubic)(collisions, mesh, X)

    def physical(unit):
        return BarrierPotential(DHAT, 1, True, law=abut.laws.cubic, law_unit=unit)(collisions, mesh, X)

    assert physical(lambda x_hat: 2 * x_hat) == pytest.approx(plain * DHAT / (2 * DHAT**2), rel=1e-13)
    assert physical(lambda x_hat: np.float32(4)) == pytest.approx(plain * DHAT / 4, rel=1e-13)
    for value in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match=f"^law_unit of law 'cubic': {value} is not a positive number"):
            physical(lambda x_hat, value=value: value)
    with pytest.raises(TypeError, match="^law_unit of law 'cubic': expected a number, got 'm'"):
        physical(lambda x_hat: "m")
    with pytest.raises(ZeroDivisionError):
        physical(lambda x_hat: 1 / 0)


def test_a_barrier_keeps_its_law_alive():
    class Law:
        def __call__(self, x, x_hat):
            return abut.laws.cubic(x, x_hat)

    law = Law()
    alive = weakref.ref(law)
    barrier = BarrierPotential(DHAT, law=law)
    assert barrier.law_name == "Law of the squared distance"
    del law
    gc.collect()
    mesh = space()
    assert alive() is not None and barrier(built(mesh), mesh, mesh.rest_positions) > 0
    barrier.stiffness = 2
    assert barrier(built(mesh), mesh, mesh.rest_positions) > 0
    del barrier
    gc.collect()
    assert alive() is None


def test_a_law_may_call_the_library_but_not_use_the_cache_it_is_used_with():
    mesh = space()
    X, collisions = mesh.rest_positions, built(mesh)
    inner, cache = BarrierPotential(DHAT), HessianCache()

    def law(x, x_hat):
        inner.gradient(collisions, mesh, X)
        barrier.stiffness = 5  # for the next call
        inner.hessian(collisions, mesh, X, cache=cache)
        return abut.laws.clamped_log(x, x_hat)

    barrier = BarrierPotential(DHAT, law=law)
    assert barrier(collisions, mesh, X) == inner(collisions, mesh, X)
    assert barrier(collisions, mesh, X) == pytest.approx(5 * inner(collisions, mesh, X))
    with pytest.raises(RuntimeError, match="^cache: another call is using it"):
        barrier.hessian(collisions, mesh, X, cache=cache)
    np.testing.assert_array_equal(
        inner.hessian(collisions, mesh, X, cache=cache).data, inner.hessian(collisions, mesh, X).data
    )


def test_collisions_are_not_built_from_a_detection_that_is_being_updated():
    def can_collide(i, j):
        NormalCollisions().build(detection, mesh, X, DHAT)
        return True

    mesh = space(filter=can_collide)
    X = mesh.rest_positions
    detection = abut.Detection(mesh, range=DHAT)
    with pytest.raises(RuntimeError, match="^detection: it is being updated"):
        detection.update(X)


# --- Stiffness ---


def test_the_initial_stiffness_balances_forces_between_bounds():
    rng = np.random.default_rng(2)
    barrier = rng.normal(size=30)
    options = {"bbox_diagonal": 2.0, "dhat": 0.01, "average_mass": 0.1}
    bounds = abut.initial_barrier_stiffness(energy_gradient=-barrier, barrier_gradient=0 * barrier, **options)
    assert 0 < bounds.min < bounds.max == pytest.approx(100 * bounds.min) and bounds.stiffness == bounds.min
    x, x_hat = (1e-8 * 2) ** 2, 0.01**2
    _, _, curvature = abut.laws.clamped_log(x, x_hat)
    assert bounds.min == pytest.approx(1e11 * 0.1 / (4 * x * curvature), rel=1e-10)
    middle = 7 * bounds.min
    balanced = abut.initial_barrier_stiffness(
        energy_gradient=-middle * barrier, barrier_gradient=barrier, law=abut.laws.clamped_log, **options
    )
    assert balanced.stiffness == pytest.approx(middle) and balanced.min == bounds.min
    assert repr(balanced).startswith(f"<abut.StiffnessRange: stiffness = {balanced.stiffness}")
    with pytest.raises(ValueError, match="^barrier_gradient: 30 numbers, but energy_gradient has 29"):
        abut.initial_barrier_stiffness(energy_gradient=barrier[1:], barrier_gradient=barrier, **options)
    with pytest.raises(ValueError, match="^energy_gradient: entry 0 is nan"):
        abut.initial_barrier_stiffness(energy_gradient=barrier * np.nan, barrier_gradient=barrier, **options)
    for name in options:
        with pytest.raises(ValueError, match=f"^{name}: 0 is not a positive number"):
            abut.initial_barrier_stiffness(
                energy_gradient=barrier, barrier_gradient=barrier, **{**options, name: 0}
            )
    with pytest.raises(TypeError):
        abut.initial_barrier_stiffness(2.0, 0.01, 0.1, barrier, barrier)


def test_the_stiffness_doubles_where_tiny_gaps_shrink():
    options = {"stiffness": 3.0, "max_stiffness": 10.0, "bbox_diagonal": 1.0}
    update = abut.update_barrier_stiffness
    assert update(previous_distance=2e-10, distance=1e-10, **options) == 6
    assert update(previous_distance=1e-10, distance=2e-10, **options) == 3
    assert update(previous_distance=1e-3, distance=1e-10, **options) == 3
    assert update(previous_distance=2e-10, distance=1e-10, **{**options, "stiffness": 8.0}) == 10
    assert update(previous_distance=2e-3, distance=1e-3, relative_limit=0.1, **options) == 6
    with pytest.raises(ValueError, match="^stiffness: -3 is not a positive number"):
        update(previous_distance=1, distance=1, **{**options, "stiffness": -3})


def test_a_suggested_stiffness_explains_itself():
    options = {"dhat": 1e-3, "mass": 1e-3, "dt": 0.01}
    suggestion = abut.suggest_stiffness(**options)
    assert suggestion.inertia == pytest.approx(10) and suggestion.elasticity == 0
    assert suggestion.stiffness == pytest.approx(10 / suggestion.barrier)
    assert str(suggestion) == suggestion.explanation and suggestion.explanation in repr(suggestion)
    assert "inertia governs" in suggestion.explanation
    # A vertex at half of dhat over a plane is as stiff as its inertia.
    mesh = abut.CollisionMesh([[0, 0.5e-3, 0]], planes=[([0, 0, 0], [0, 1, 0])])
    X = mesh.rest_positions
    hessian = BarrierPotential(1e-3, suggestion.stiffness).hessian(built(mesh, X, 1e-3), mesh, X)
    assert hessian[1, 1] == pytest.approx(10, rel=1e-9)
    elastic = abut.suggest_stiffness(**options, youngs_modulus=1e6, edge_length=0.01, law="two_stage", distance="plain")
    assert elastic.elasticity == pytest.approx(1e4) and "two_stage" in str(elastic) and "material governs" in str(elastic)
    own = abut.suggest_stiffness(**options, law=abut.laws.clamped_log, use_physical_barrier=True)
    assert own.stiffness == pytest.approx(abut.suggest_stiffness(**options, use_physical_barrier=True).stiffness)
    for name, value in (("mass", 0), ("dt", -1), ("dhat", np.nan), ("gap", 1), ("weight", 0), ("youngs_modulus", -1)):
        with pytest.raises(ValueError, match=f"^{name}: "):
            abut.suggest_stiffness(**{**options, name: value})


# --- Threads ---


def test_the_number_of_threads_does_not_change_a_bit():
    mesh = large(cells=40, gap=0.01)
    X = mesh.rest_positions
    results = []
    for count in (1, 2, 4):
        abut.set_num_threads(count)
        collisions, barrier = built(mesh, dhat=0.013, set_type=CollisionSetType.CONVERGENT), BarrierPotential(0.013)
        hessian = barrier.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP)
        gradient = barrier.gradient(collisions, mesh, X)
        results.append((collisions, barrier(collisions, mesh, X), gradient.tobytes(), hessian.data.tobytes()))
    assert results[0] == results[1] == results[2] and len(results[0][0]) > 2000


@pytest.mark.parametrize("name", ["call", "hessian", "build"])
def test_other_threads_run_during_a_call(name):
    abut.set_num_threads(1)
    mesh = large()
    X = mesh.rest_positions
    collisions, barrier = built(mesh, dhat=0.008), BarrierPotential(0.008)
    call = {
        "call": lambda: [barrier(collisions, mesh, X) for _ in range(20)],
        "hessian": lambda: barrier.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP),
        "build": lambda: built(mesh, X, 0.008),
    }[name]
    assert_others_run_during(call)


def test_threads_may_share_everything_but_a_cache():
    mesh = large(cells=30, gap=0.01)
    X = mesh.rest_positions
    collisions, barrier, cache = built(mesh, dhat=0.013), BarrierPotential(0.013), HessianCache()
    expected = barrier.hessian(collisions, mesh, X).data
    refused, wrong = [], []

    def work():
        for _ in range(10):
            try:
                barrier.stiffness = 1.0
                if (barrier.hessian(collisions, mesh, X).data != expected).any():
                    wrong.append("data")
                if (barrier.hessian(collisions, mesh, X, cache=cache).data != expected).any():
                    wrong.append("cached data")
                collisions.build(mesh, X, 0.013)
            except RuntimeError as error:
                refused.append(str(error))
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and all("cache: another call is using it" in message for message in refused)
