"""The Geometric Contact Potential: against numpy and finite differences; extents; what is rejected; threads."""

import abut
import abut.ipctk as ipctk
import numpy as np
import pytest
from abut import (
    CollisionMesh,
    FeatureLength,
    HessianCache,
    PairKind,
    PSDProjectionMethod,
    SmoothCollisions,
    SmoothContactParameters,
    SmoothContactPotential,
    SmoothContactVariant,
)
from contact_scenes import DHAT, SCENES, large, plane, space, touching
from other_threads import assert_others_run_during

scenes = pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
variants = pytest.mark.parametrize("variant", SmoothContactVariant)


def parameters(variant=SmoothContactVariant.PAPER, dhat=DHAT):
    if variant == SmoothContactVariant.TOOLKIT:
        return params_of_toolkit(dhat)
    return SmoothContactParameters(dhat)


def params_of_toolkit(dhat):
    params = SmoothContactParameters.toolkit(dhat)
    params.alpha_t = 0.5
    return params


def built(mesh, params=None, X=None, **options):
    collisions = SmoothCollisions()
    collisions.build(mesh, mesh.rest_positions if X is None else X, params or parameters(), **options)
    return collisions


def barrier(z, eps, r):
    """p_eps of the paper and its slope."""
    v = 2 * z / eps
    B, slope = (2 / 3 - v**2 + v**3 / 2, 1.5 * v**2 - 2 * v) if v < 1 else ((2 - v) ** 3 / 6, -((2 - v) ** 2) / 2)
    h, h1 = 1.5 * B, 1.5 * slope * 2 / eps
    return h / z**r, h1 / z**r - r * h / z ** (r + 1)


def point_over_face(height):
    """A loose point over the middle of a triangle of area 4.5 m²."""
    return CollisionMesh([[0, 0, 0], [3, 0, 0], [0, 3, 0], [1, 1, height]], faces=[[0, 1, 2]])


def thin_box():
    """A plate of 1 m, 2 cm thick."""
    return CollisionMesh(abut.generate.box(size=(1, 0.02, 1), subdivisions=(3, 1, 3)))


# --- As the toolkit's page has it ---


@pytest.mark.parametrize("make", [space, thin_box])
def test_the_listing_of_the_toolkit_runs(make):
    collision_mesh = make()
    vertices = collision_mesh.rest_positions
    dhat = DHAT
    alpha_t = 0.5
    beta_t = 0.0
    alpha_n = 0.1
    beta_n = 0.0
    r = 2
    params = ipctk.SmoothContactParameters(dhat, alpha_t, beta_t, alpha_n, beta_n, r)

    use_adaptive_dhat = True
    collisions = ipctk.SmoothCollisions()
    if use_adaptive_dhat:
        collisions.compute_adaptive_dhat(collision_mesh, vertices, params)
    collisions.build(collision_mesh, vertices, params, use_adaptive_dhat)

    barrier_potential = ipctk.SmoothContactPotential(params)
    b = barrier_potential(collisions, collision_mesh, vertices)
    grad = barrier_potential.gradient(collisions, collision_mesh, vertices)
    hess = barrier_potential.hessian(collisions, collision_mesh, vertices)

    ndof = vertices.size
    assert isinstance(b, float) and grad.shape == (ndof,) and hess.shape == (ndof, ndof)
    assert len(collisions) == 0 and b == 0, "nothing acts at the positions that the extents were computed at"
    assert not grad.any() and hess.nnz == 0


# --- Collisions ---


@scenes
@variants
def test_a_set_is_a_sequence_in_the_order_of_its_kinds(make, variant):
    mesh = make()
    collisions = built(mesh, parameters(variant))
    assert len(collisions) == len(list(collisions)) > 0 and not collisions.empty()
    assert collisions.variant is variant
    kinds = [c.kind for c in collisions]
    assert kinds == sorted(kinds) and {collisions.count(kind) == kinds.count(kind) for kind in PairKind} == {True}
    offsets, vertices = collisions.stencil_offsets, collisions.stencil_vertices
    corners = {PairKind.vertex_vertex: (1, 1), PairKind.edge_vertex: (2, 1), PairKind.edge_edge: (2, 2)}
    corners |= {PairKind.face_vertex: (3, 1), PairKind.plane_vertex: (0, 1)}
    elements = {0: lambda p: (), 1: lambda v: (v,), 2: lambda e: tuple(mesh.edges[e]), 3: lambda f: tuple(mesh.faces[f])}
    for k, c in enumerate(collisions):
        first, second = (elements[n](i) for n, i in zip(corners[c.kind], c.elements))
        vertex_first = c.kind in (PairKind.edge_vertex, PairKind.face_vertex)
        assert tuple(c.vertices) == (second + first if vertex_first else first + second)
        assert tuple(c.stencil[: len(c.vertices)]) == tuple(c.vertices) and len(set(c.stencil)) == len(c.stencil)
        np.testing.assert_array_equal(c.stencil, vertices[offsets[k] : offsets[k + 1]])
        assert c.dhat == DHAT and c.weight > 0
        assert c.kind.name in repr(c)
    assert offsets[-1] == len(vertices)
    assert collisions[-1].elements == collisions[len(collisions) - 1].elements
    with pytest.raises(IndexError, match="out of range"):
        collisions[len(collisions)]
    counts = [collisions.count(kind) for kind in list(PairKind)[1:]]
    assert repr(collisions) == "<abut.SmoothCollisions: {} vv, {} ev, {} ee, {} fv, {} pv>".format(*counts)


@scenes
@variants
def test_sets_from_a_mesh_candidates_and_a_detection_are_the_same(make, variant):
    mesh, params = make(), parameters(variant)
    X = mesh.rest_positions
    expected = built(mesh, params)
    candidates = abut.Candidates()
    candidates.build(mesh, X, DHAT / 2)
    detection = abut.Detection(mesh, range=1.5 * DHAT)
    detection.update(X)
    for source in (candidates, detection):
        collisions = SmoothCollisions()
        collisions.build(source, mesh, X, params)
        assert collisions == expected
    assert built(mesh, params, broad_phase="brute_force") == expected
    assert built(mesh, parameters(variant, DHAT / 2)) != expected


def test_a_failed_build_changes_nothing_and_old_sets_stay_valid():
    mesh, contact = space(), touching()
    collisions = built(mesh)
    item, size = collisions[0], len(collisions)
    with pytest.raises(abut.InvalidStart, match="vertices: face 0 and vertex 3 touch.*move them apart"):
        collisions.build(contact, contact.rest_positions, parameters())
    assert len(collisions) == size
    stencil = item.stencil
    collisions.build(mesh, mesh.rest_positions + 0, parameters(dhat=1e-4))
    assert len(collisions) == 0 and collisions.empty() and item.stencil.tolist() == stencil.tolist()


def test_the_smallest_distance_is_that_of_the_closest_pair():
    mesh = point_over_face(0.05)
    collisions = built(mesh)
    X = mesh.rest_positions.copy()
    assert collisions.compute_minimum_distance(mesh, X) == pytest.approx(0.05)
    X[3, 2] = 0.03
    assert collisions.compute_minimum_distance(mesh, X) == pytest.approx(0.03)
    assert SmoothCollisions().compute_minimum_distance(mesh, X) == np.inf


# --- Energy ---


def test_a_point_over_a_face_has_the_energy_of_the_paper():
    z, kappa = 0.05, 7.0
    mesh = point_over_face(z)
    X = mesh.rest_positions
    collisions, potential = built(mesh), SmoothContactPotential(parameters(), kappa)
    assert [c.kind for c in collisions] == [PairKind.face_vertex] and collisions[0].elements == (0, 3)
    weight = 4.5 * DHAT**2  # a loose point is as wide as dhat
    assert collisions[0].weight == pytest.approx(weight)
    p, slope = barrier(z, DHAT, 2)
    assert potential(collisions, mesh, X) == pytest.approx(kappa * weight * p)
    gradient = potential.gradient(collisions, mesh, X).reshape(-1, 3)
    np.testing.assert_allclose(gradient[3], [0, 0, kappa * weight * slope])
    np.testing.assert_allclose(gradient[:3].sum(axis=0), -gradient[3])
    np.testing.assert_allclose(potential.normal_forces(collisions, mesh, X), [-kappa * weight * slope])
    potential.stiffness = 2 * kappa
    assert potential.stiffness == 2 * kappa
    assert potential(collisions, mesh, X) == pytest.approx(2 * kappa * weight * p)


def test_the_width_of_features_weighs_pairs():
    mesh = point_over_face(0.05)
    params = parameters()
    params.feature_length, params.constant_length = FeatureLength.CONSTANT, 0.2
    assert built(mesh, params)[0].weight == pytest.approx(4.5 * 0.2**2)
    params.feature_length = FeatureLength.PER_ELEMENT
    params.vertex_lengths, params.edge_lengths = [0, 0, 0, 0.3], np.zeros(3)
    assert built(mesh, params)[0].weight == pytest.approx(4.5 * 0.3**2)
    np.testing.assert_array_equal(params.vertex_lengths, [0, 0, 0, 0.3])
    params.edge_lengths = [1, 2]
    with pytest.raises(ValueError, match="edge_lengths: 2 lengths for 3 elements"):
        built(mesh, params)
    with pytest.raises(TypeError, match="feature_length: expected a member of abut.FeatureLength, got 1"):
        params.feature_length = 1


def test_the_width_of_sharp_features_is_kept():
    mesh = abut.CollisionMesh(abut.generate.box(size=(2, 2, 2), subdivisions=(2, 2, 2)))
    features = mesh.sharp_features()
    assert (len(features.edges), len(features.corners)) == (24, 8)
    assert repr(features) == "<abut.SharpFeatures: 24 edges, 8 corners>"
    assert len(mesh.sharp_features(angle=np.pi / 2).edges) == 0
    plain = parameters()
    params = plain.with_sharp_length(mesh, features, 0.3)
    assert plain.feature_length is FeatureLength.EDGE_LENGTH
    assert params.feature_length is FeatureLength.PER_ELEMENT and params.dhat == plain.dhat
    np.testing.assert_array_equal(params.vertex_lengths[features.corners], 0.3)
    np.testing.assert_array_equal(params.edge_lengths[features.edges], 0.3)
    on_creases = np.setdiff1d(mesh.edges[features.edges], features.corners)
    assert len(on_creases) == 12
    np.testing.assert_allclose(params.vertex_lengths[on_creases], np.sqrt(0.3))  # edges of 1 m
    with pytest.raises(ValueError, match="angle: 0 is not between 0 and pi"):
        mesh.sharp_features(0)
    with pytest.raises(ValueError, match="length: 0 is not a positive length"):
        plain.with_sharp_length(mesh, features, 0)
    with pytest.raises(ValueError, match="features: edge .* is none of the mesh's 18"):
        plain.with_sharp_length(abut.CollisionMesh(abut.generate.box()), features, 0.3)


@scenes
@variants
def test_derivatives_are_those_of_the_energy(make, variant):
    mesh = make()
    X = mesh.rest_positions
    collisions, potential = built(mesh, parameters(variant)), SmoothContactPotential(parameters(variant), 3.0)
    gradient, H = potential.gradient(collisions, mesh, X), potential.hessian(collisions, mesh, X).toarray()
    rng = np.random.default_rng(8)
    for _ in range(4):
        # Of the frozen set. Differences err by 1e-9, half of it rounding; the step is a thousandth of the mollifiers' width.
        direction, h = rng.normal(size=X.shape), 1e-7
        ahead, behind = X + h * direction, X - h * direction
        slope = (potential(collisions, mesh, ahead) - potential(collisions, mesh, behind)) / (2 * h)
        assert slope == pytest.approx(gradient @ direction.ravel(), rel=1e-7)
        bend = (potential.gradient(collisions, mesh, ahead) - potential.gradient(collisions, mesh, behind)) / (2 * h)
        assert np.linalg.norm(bend - H @ direction.ravel()) < 1e-7 * np.linalg.norm(bend)
    # A pair's large terms cancel, which leaves some rounding in the blocks on the diagonal.
    np.testing.assert_allclose(H, H.T, rtol=0, atol=1e-12 * np.abs(H).max())

    energies, forces = potential.energies(collisions, mesh, X), potential.forces(collisions, mesh, X)
    assert energies.shape == (len(collisions),) and energies.sum() == pytest.approx(potential(collisions, mesh, X))
    total = np.zeros_like(X)
    np.add.at(total, collisions.stencil_vertices, forces)
    np.testing.assert_allclose(-total.ravel(), gradient, atol=1e-12 * np.abs(gradient).max())
    normal = potential.normal_forces(collisions, mesh, X)
    assert normal.shape == (len(collisions),) and (normal >= 0).all() and normal.max() > 0


@scenes
@variants
def test_projected_hessians_have_no_negative_eigenvalue(make, variant):
    mesh = make()
    X = mesh.rest_positions
    collisions, potential = built(mesh, parameters(variant)), SmoothContactPotential(parameters(variant))
    exact = potential.hessian(collisions, mesh, X).toarray()
    scale = np.abs(exact).max()
    assert np.linalg.eigvalsh(exact)[0] < -1e-6 * scale
    cache = HessianCache()
    for method in (PSDProjectionMethod.CLAMP, PSDProjectionMethod.ABS):
        H = potential.hessian(collisions, mesh, X, method, cache=cache)
        assert np.linalg.eigvalsh(H.toarray())[0] > -1e-10 * scale
        assert (H != potential.hessian(collisions, mesh, X, method)).nnz == 0
    assert cache.num_analyses == 1


def test_the_toolkits_normal_force_is_the_norm_of_the_gradient():
    mesh, params = space(), parameters(SmoothContactVariant.TOOLKIT)
    X = mesh.rest_positions
    collisions, potential = built(mesh, params), SmoothContactPotential(params)
    forces, offsets = potential.forces(collisions, mesh, X), collisions.stencil_offsets
    norms = [np.linalg.norm(forces[a:b]) for a, b in zip(offsets, offsets[1:])]
    np.testing.assert_allclose(potential.normal_forces(collisions, mesh, X), norms, rtol=1e-12)


# --- What counts as contact ---


def test_opposite_sides_of_a_thin_body_do_not_see_each_other():
    mesh, params = thin_box(), parameters()
    assert mesh.components[0].is_closed_and_oriented
    assert len(built(mesh, params)) == 0
    params.use_exterior_test = False
    assert len(built(mesh, params)) > 0
    # An open sheet has no inside: both of its sides are outside.
    for z in (0.05, -0.05):
        assert len(built(point_over_face(z))) == 1


@scenes
@variants
def test_nothing_acts_at_rest_with_adaptive_extents(make, variant):
    mesh, params = make(), parameters(variant)
    X = mesh.rest_positions
    plain = built(mesh, params)
    extents = abut.adaptive_extents(mesh, X, params)
    lists = extents.vertices, extents.edges, extents.faces
    assert [e.size for e in lists] == [mesh.num_vertices, mesh.num_edges, mesh.num_faces]
    for extent in lists:
        assert (extent > 0).all() and (extent <= DHAT).all()
    assert (extents.edges <= extents.vertices[mesh.edges].min(axis=1)).all()
    assert len(plain) > 0 and built(mesh, params, extents=extents).empty()
    assert built(mesh, params, extents=abut.SmoothExtents(*lists)).empty()
    assert built(mesh, params, extents=None) == plain
    # What limits an extent is a distance, of which it has another share now.
    other = abut.adaptive_extents(mesh, X, params, 0.9)
    limited = other.vertices < DHAT
    assert limited.any()
    np.testing.assert_allclose(extents.vertices[limited], other.vertices[limited] * 0.5 / 0.9, rtol=1e-12)


def test_adaptive_extents_keep_the_barrier():
    """Two plates that were 4 cm apart at rest, 1 cm apart."""
    plate = abut.generate.box(size=(1, 0.2, 1), subdivisions=(3, 1, 3))
    data = plate.joined(plate.translated([0.1, 0.24, 0.05]))
    mesh, params = CollisionMesh(data), parameters()
    rest = mesh.rest_positions
    collisions = SmoothCollisions()
    extents = abut.adaptive_extents(mesh, rest, params)
    collisions.build(mesh, rest, params, extents)
    assert len(collisions) == 0
    X = rest.copy()
    X[len(X) // 2 :, 1] -= 0.03
    collisions.build(mesh, X, params, extents)
    assert len(collisions) > 0 and all(c.dhat == pytest.approx(0.02) for c in collisions)
    force = -SmoothContactPotential(params).gradient(collisions, mesh, X).reshape(-1, 3)
    assert force[len(X) // 2 :, 1].sum() > 0 > force[: len(X) // 2, 1].sum()


# --- Parameters and errors ---


def test_parameters_are_checked_where_they_are_set():
    params = SmoothContactParameters(1e-3, 0.5, 0.0, 0.1, 0.0, 2)
    numbers = ("dhat", "alpha_t", "beta_t", "alpha_n", "beta_n", "r")
    assert [getattr(params, name) for name in numbers] == [1e-3, 0.5, 0, 0.1, 0, 2]
    assert params.variant is SmoothContactVariant.PAPER and params.use_exterior_test
    assert params.feature_length is FeatureLength.EDGE_LENGTH
    assert repr(params).startswith("<abut.SmoothContactParameters: PAPER, dhat = 0.001 m, alpha_t = 0.5")
    toolkit = SmoothContactParameters.toolkit(1e-3)
    assert [getattr(toolkit, name) for name in numbers] == [1e-3, 1, 0, 0.1, 0, 2]
    assert toolkit.variant is SmoothContactVariant.TOOLKIT and not toolkit.use_exterior_test
    cases = {"dhat": (0, np.nan), "alpha_t": (0, 1.1), "beta_t": (-0.5, 2), "alpha_n": (-0.1, 2), "beta_n": (-0.1, 2)}
    cases["r"] = (-1, 17)
    for name, values in cases.items():
        for value in values:
            with pytest.raises(ValueError, match=f"^{name}: "):
                SmoothContactParameters(**{"dhat": 1e-3, name: value})
            before = getattr(params, name)
            with pytest.raises(ValueError, match=f"^{name}: "):
                setattr(params, name, value)
            assert getattr(params, name) == before
    for ratio in (0, 1, np.nan):
        with pytest.raises(ValueError, match="^ratio: "):
            abut.adaptive_extents(thin_box(), thin_box().rest_positions, params, ratio)
    with pytest.raises(TypeError, match="variant: expected a member of abut.SmoothContactVariant, got 'PAPER'"):
        params.variant = "PAPER"
    with pytest.raises(ValueError, match="^stiffness: "):
        SmoothContactPotential(params, 0)


def test_potentials_keep_their_parameters():
    params = parameters()
    potential = SmoothContactPotential(params)
    params.dhat, params.r = 1.0, 1
    assert potential.parameters.dhat == DHAT and potential.parameters.r == 0
    assert repr(potential) == f"<abut.SmoothContactPotential: PAPER, dhat = {DHAT} m, stiffness = 1>"


def test_a_suggested_stiffness_makes_a_pair_as_stiff_as_its_load():
    L = 0.3
    mesh = abut.CollisionMesh([[0, DHAT / 2, 0], [0, DHAT / 2 + L, 0]], edges=[[0, 1]], planes=[([0, 0, 0], [0, 1, 0])])
    X, params = mesh.rest_positions, parameters()
    options = {"params": params, "dim": 3, "feature_length": L, "mass": 0.1, "dt": 0.01}
    suggestion = abut.suggest_smooth_stiffness(**options)
    potential = SmoothContactPotential(params, suggestion.stiffness)
    assert potential.hessian(built(mesh), mesh, X)[1, 1] == pytest.approx(1e3, rel=1e-9)
    assert "GCP" in str(suggestion) and "inertia governs" in str(suggestion)
    params.feature_length, params.constant_length = FeatureLength.CONSTANT, L
    assert abut.suggest_smooth_stiffness(**{**options, "feature_length": 9}).stiffness == suggestion.stiffness
    params.feature_length = FeatureLength.EDGE_LENGTH
    for name, value in (("dim", 1), ("feature_length", 0), ("mass", -1), ("dt", 0), ("gap", 1)):
        with pytest.raises(ValueError, match=f"^{name}: "):
            abut.suggest_smooth_stiffness(**{**options, name: value})


def test_what_does_not_fit_is_rejected():
    mesh = space()
    X, params = mesh.rest_positions, parameters()
    collisions, potential = built(mesh), SmoothContactPotential(params)
    other = thin_box()
    with pytest.raises(ValueError, match="^extents: .* of vertices, but the mesh has"):
        collisions.build(mesh, X, params, abut.adaptive_extents(other, other.rest_positions, params))
    with pytest.raises(ValueError, match="use_adaptive_dhat: call compute_adaptive_dhat.* for this mesh"):
        ipctk.SmoothCollisions().build(mesh, X, params, True)
    smaller = abut.CollisionMesh(abut.MeshData(np.eye(3), faces=[[0, 1, 2]]))
    for call in (potential, potential.gradient, potential.hessian, potential.energies, potential.forces):
        for other in (plane(), smaller):
            with pytest.raises(ValueError, match="^collisions: built for a mesh of"):
                call(collisions, other, other.rest_positions)
        with pytest.raises(ValueError, match="^X: "):
            call(collisions, mesh, X[:-1])
    toolkit = SmoothContactPotential(parameters(SmoothContactVariant.TOOLKIT))
    with pytest.raises(ValueError, match="collisions: built with other parameters .* variant: paper and toolkit"):
        toolkit(collisions, mesh, X)
    params.alpha_t = 0.75
    turned = SmoothContactPotential(params)
    for call in (turned, turned.gradient, turned.hessian, turned.energies, turned.forces, turned.normal_forces):
        with pytest.raises(ValueError, match="collisions: built with other parameters .* alpha_t: 0.5 and 0.75"):
            call(collisions, mesh, X)
    detection = abut.Detection(mesh, range=DHAT / 2)
    detection.update(X)
    with pytest.raises(ValueError, match="^detection: its range"):
        SmoothCollisions().build(detection, mesh, X, params)
    with pytest.raises(TypeError, match="kind: expected a member of abut.PairKind"):
        collisions.count(1)
    face = point_over_face(0.05)
    frozen = built(face)
    down = face.rest_positions.copy()
    down[3, 2] = 0
    with pytest.raises(abut.InvalidStart, match="face 0 and vertex 3 touch"):
        potential.gradient(frozen, face, down)


def test_friction_is_built_from_pairs_of_gcp():
    mesh = point_over_face(0.05)
    X, params = mesh.rest_positions, parameters()
    collisions, potential = built(mesh), SmoothContactPotential(params, 3.0)
    sliding = abut.TangentialCollisions()
    sliding.build(mesh, X, collisions, potential, 0.4)
    assert len(sliding) == len(collisions) == 1 and sliding[0].weight == 1
    assert sliding[0].normal_force == pytest.approx(potential.normal_forces(collisions, mesh, X)[0], rel=1e-14)
    V = np.zeros_like(X)
    V[3, 0] = 1.0
    force = -abut.FrictionPotential(1e-3).gradient(sliding, mesh, V).reshape(-1, 3)
    assert force[3, 0] == pytest.approx(-0.4 * sliding[0].normal_force)


# --- Threads ---


@variants
def test_results_are_the_same_for_any_number_of_threads(variant):
    mesh = large(30, 0.01)
    X, params = mesh.rest_positions, parameters(variant, 0.02)
    results = []
    for threads in (1, 3):
        abut.set_num_threads(threads)
        collisions, potential = SmoothCollisions(), SmoothContactPotential(params)
        extents = abut.adaptive_extents(mesh, X, params)
        collisions.build(mesh, X, params)
        H = potential.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP)
        gradient, value = potential.gradient(collisions, mesh, X), potential(collisions, mesh, X)
        results.append((collisions, extents.vertices, value, gradient, H))
    a, b = results
    assert a[0] == b[0] and len(a[0]) > 1000 and a[2] == b[2]
    np.testing.assert_array_equal(a[1], b[1])
    np.testing.assert_array_equal(a[3], b[3])
    assert (a[4] != b[4]).nnz == 0


def test_other_threads_run_during_a_build_and_an_evaluation():
    mesh = large()
    X, params = mesh.rest_positions, parameters(dhat=0.006)
    collisions, potential = SmoothCollisions(), SmoothContactPotential(params)
    assert_others_run_during(lambda: collisions.build(mesh, X, params))
    assert_others_run_during(lambda: potential.hessian(collisions, mesh, X))
