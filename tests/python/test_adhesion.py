"""Adhesion: against the laws in numpy and finite differences; the stress between plates; what is rejected; threads."""

import abut
import numpy as np
import pytest
from abut import (
    BarrierPotential,
    CollisionSetType,
    DiffWRT,
    FrictionPotential,
    HessianMode,
    InvalidInput,
    NormalAdhesionPotential,
    NormalCollisions,
    PSDProjectionMethod,
    TangentialAdhesionPotential,
    TangentialCollisions,
)
from contact_scenes import DHAT, SCENES, built, large, turn
from finite_differences import jacobian
from other_threads import assert_others_run_during

DHAT_P, Y, CRITICAL, EPS_A = 0.061, 4e3, 0.05, 0.05
STRENGTH = Y * CRITICAL
scenes = pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
kinds = pytest.mark.parametrize("distance", ("plain", "squared"))


def adhesion(**options):
    return NormalAdhesionPotential(DHAT_P, DHAT, Y, CRITICAL, **options)


def lagged(mesh, mu=None, X=None, **options):
    X = mesh.rest_positions if X is None else X
    bonds = TangentialCollisions()
    bonds.build(mesh, X, built(mesh), adhesion(), mu, **options)
    return bonds


def velocities(mesh, scale=1.5 * EPS_A):
    """Some hold, some let go, some have."""
    return np.random.default_rng(3).normal(scale=scale, size=mesh.rest_positions.shape)


def law_at(d, distance, dmin):
    """Value and slope by the distance, from abut.laws."""
    if distance == "plain":
        value, first, _ = abut.laws.normal_adhesion(d - dmin, DHAT_P, DHAT, STRENGTH / (2 * (DHAT_P - DHAT)))
        return value, first
    p, q = (2 * dmin + DHAT_P) * DHAT_P, (2 * dmin + DHAT) * DHAT
    value, first, _ = abut.laws.normal_adhesion(d**2 - dmin**2, p, q, STRENGTH / (4 * (DHAT_P + dmin) * (p - q)))
    return value, 2 * d * first


# --- Normal ---


@scenes
@kinds
@pytest.mark.parametrize("dmin", (0, 1e-3))
def test_energies_and_forces_are_those_of_the_law(make, distance, dmin):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh, X, DHAT, dmin, use_area_weighting=True)
    well = adhesion(distance=distance)
    distances = np.array([collisions.geometry(k, mesh, X).squared_distance ** 0.5 for k in range(len(collisions))])
    assert distances.min() - dmin < DHAT_P < distances.max() - dmin
    value, slope = law_at(distances, distance, dmin)
    weights = np.array([collision.weight for collision in collisions])
    mollified = np.zeros(len(collisions), dtype=bool)  # nearly parallel edges
    for k, collision in enumerate(collisions):
        if collision.kind is abut.PairKind.edge_edge:
            a, b, c, d = X[collision.vertices]
            mollified[k] = np.sum(np.cross(b - a, d - c) ** 2) < collision.eps_x
    assert mollified.sum() < len(collisions) / 2
    energies = well.energies(collisions, mesh, X)
    np.testing.assert_allclose(energies[~mollified], (weights * value)[~mollified], rtol=1e-9)
    np.testing.assert_allclose(well.force_magnitudes(collisions, mesh, X), -slope, rtol=1e-9, atol=1e-9)
    assert well(collisions, mesh, X) == pytest.approx(energies.sum(), rel=1e-12)
    assert well(collisions, mesh, X) < 0


@scenes
@kinds
def test_derivatives_match_differences(make, distance):
    mesh = make()
    X = mesh.rest_positions
    collisions, well = built(mesh, use_area_weighting=True), adhesion(distance=distance)
    gradient = well.gradient(collisions, mesh, X)
    by_differences = jacobian(lambda *x: well(collisions, mesh, np.array(x)), X, 1e-7)
    np.testing.assert_allclose(gradient, by_differences.ravel(), atol=1e-6 * np.abs(gradient).max())
    hessian = well.hessian(collisions, mesh, X).toarray()
    by_differences = jacobian(lambda *x: well.gradient(collisions, mesh, np.array(x)), X, 1e-7)
    np.testing.assert_allclose(hessian, by_differences, atol=1e-5 * np.abs(hessian).max())
    assert np.linalg.eigvalsh(hessian)[0] < -1e-3 * np.abs(hessian).max()
    clamped = well.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP).toarray()
    analytic = adhesion(distance=distance, hessian_mode=HessianMode.ANALYTIC)
    assert analytic.hessian_mode is HessianMode.ANALYTIC
    for positive in (clamped, analytic.hessian(collisions, mesh, X).toarray()):
        assert np.linalg.eigvalsh(positive)[0] >= -1e-12 * np.abs(positive).max()


def test_its_properties():
    well = adhesion()
    assert (well.dhat_p, well.dhat_a, well.dhat) == (DHAT_P, DHAT, DHAT)
    assert (well.youngs_modulus, well.critical_strain, well.strength) == (Y, CRITICAL, STRENGTH)
    assert well.law_name == "adhesion of the distance" and well.hessian_mode is HessianMode.EXACT
    assert adhesion(distance="squared").law_name == "adhesion of the squared distance"
    assert repr(well) == (
        "<abut.NormalAdhesionPotential: adhesion of the distance, dhat_p = 0.061 m, dhat_a = 0.12 m, strength = 200 Pa>"
    )
    assert isinstance(well, abut.NormalPotential) and not isinstance(well, BarrierPotential)
    usual = NormalAdhesionPotential.for_barrier(1e-3, 1e5, 0.02)
    assert (usual.dhat_p, usual.dhat_a, usual.strength) == (1e-3, 2e-3, 2e3)
    options = usual.collision_options
    assert options == {
        "dhat": 2e-3,
        "set_type": CollisionSetType.CONVERGENT,
        "use_area_weighting": True,
        "use_face_edges": False,
    }
    with pytest.raises(AttributeError):
        well.dhat_p = 1


def pull_of_plates(cells, **changed):
    """On a square of 1 m at dhat_p above a larger one, of the strength."""
    well = NormalAdhesionPotential.for_barrier(0.02, 1e5, 0.01)
    lower = abut.generate.cloth(size=(1.6, 1.6), cells=(cells + cells // 2, cells + cells // 2)).transformed(turn(0.3))
    scene = lower.joined(abut.generate.cloth(cells=(cells, cells)).translated([0.01, 0.02, 0.02]))
    mesh, collisions = abut.CollisionMesh(scene), NormalCollisions()
    collisions.build(mesh, scene.vertices, **{**well.collision_options, **changed})
    gradient = well.gradient(collisions, mesh, scene.vertices).reshape(-1, 3)
    return gradient[len(lower.vertices) :, 1].sum() / well.strength


def test_plates_are_pulled_with_the_strength_whatever_their_meshes():
    # Also of what is beside the upper plate, up to dhat_a = 2 dhat_p away: along its border and around its corners.
    border = 0.02 * (2 * np.arcsinh(3**0.5) - 3**0.5)
    expected = 1 + (4 * border + np.pi * 0.02**2) / 2
    assert 1.03 < expected < 1.04
    for cells in (8, 16, 32):
        assert pull_of_plates(cells) == pytest.approx(expected, abs=0.5 / cells)
    assert pull_of_plates(16, use_face_edges=True) > 1.5
    assert pull_of_plates(16, use_face_edges=True, set_type=CollisionSetType.IPC) > 2


def test_sets_share_a_detection_and_candidates():
    mesh = large(20, gap=0.01)
    X = mesh.rest_positions
    well = NormalAdhesionPotential.for_barrier(0.012, Y, CRITICAL)
    detection, candidates = abut.Detection(mesh, range=0.024), abut.Candidates()
    detection.update(X)
    candidates.build(mesh, X, 0.012)
    for options in (well.collision_options, {"dhat": 0.012}, {"dhat": 0.02, "use_face_edges": False}):
        alone, shared, from_candidates = NormalCollisions(), NormalCollisions(), NormalCollisions()
        alone.build(mesh, X, **options)
        shared.build(detection, mesh, X, **options)
        from_candidates.build(candidates, mesh, X, **options)
        assert len(alone) > 0 and shared == alone and from_candidates == alone
        assert (len(alone.ee) == 0) == ("use_face_edges" in options)


# --- Tangential ---


@scenes
def test_the_normal_force_is_the_strength_of_the_bonds(make):
    mesh = make()
    bonds = lagged(mesh, 0.7)
    assert len(bonds) > 0 and {bond.normal_force for bond in bonds} == {STRENGTH}
    # Moved apart, no bond is left.
    X = mesh.rest_positions * 30
    assert {bond.normal_force for bond in lagged(mesh, 0.7, X) if bond.kind is not abut.PairKind.plane_vertex} == {0}


@scenes
def test_the_energy_is_that_of_the_law(make):
    mesh = make()
    V = velocities(mesh)
    bonds, potential = lagged(mesh, 0.7), TangentialAdhesionPotential(EPS_A)
    speeds = np.array([np.linalg.norm(b.basis.T @ (b.coefficients @ V[b.vertices])) for b in bonds])
    assert speeds.min() < EPS_A and (speeds > 2 * EPS_A).any()
    value = abut.laws.tangential_adhesion(speeds, EPS_A)[0]
    expected = 0.7 * STRENGTH * np.array([b.weight for b in bonds]) * value
    np.testing.assert_allclose(potential.energies(bonds, mesh, V), expected, rtol=1e-11)
    assert potential(bonds, mesh, V) == pytest.approx(expected.sum(), rel=1e-12)
    # Much faster, everything has let go; friction would go on.
    assert not potential.force(bonds, mesh, V * 1e6).any()
    assert FrictionPotential(EPS_A).force(bonds, mesh, V * 1e6).any()


@scenes
def test_sliding_derivatives_match_differences(make):
    mesh = make()
    V, X = velocities(mesh), mesh.rest_positions
    bonds, potential = lagged(mesh, mu_s=0.8, mu_k=0.5), TangentialAdhesionPotential(EPS_A)
    gradient = potential.gradient(bonds, mesh, V)
    by_differences = jacobian(lambda *v: potential(bonds, mesh, np.array(v)), V, 1e-7).ravel()
    np.testing.assert_allclose(gradient, by_differences, atol=1e-6 * np.abs(gradient).max())
    np.testing.assert_array_equal(potential.force(bonds, mesh, V), -gradient)
    for v in (V, 0 * V):
        hessian = potential.hessian(bonds, mesh, v).toarray()
        by_differences = jacobian(lambda *u: potential.gradient(bonds, mesh, np.array(u)), v, 1e-7 * EPS_A)
        assert np.abs(hessian).max() > 0
        np.testing.assert_allclose(hessian, by_differences, atol=1e-5 * np.abs(hessian).max())
        clamped = potential.hessian(bonds, mesh, v, PSDProjectionMethod.CLAMP).toarray()
        assert np.linalg.eigvalsh(clamped)[0] >= -1e-12 * np.abs(clamped).max()

    def force(*x):
        return potential.force(lagged(mesh, mu_s=0.8, mu_k=0.5, X=np.array(x)), mesh, V)

    by_position = potential.force_jacobian(bonds, mesh, X, V, adhesion(), DiffWRT.LAGGED_POSITIONS).toarray()
    np.testing.assert_allclose(by_position, jacobian(force, X, 1e-7), atol=1e-5 * np.abs(by_position).max())


def test_its_speed_and_name():
    potential = TangentialAdhesionPotential(0.02)
    assert potential.eps_a == 0.02 and repr(potential) == "<abut.TangentialAdhesionPotential: eps_a = 0.02 m/s>"
    assert isinstance(potential, abut.TangentialPotential)


# --- Errors and threads ---


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: NormalAdhesionPotential(0, 1, 1, 1), "dhat_p: 0 is not a positive number"),
        (lambda: NormalAdhesionPotential(1, 1, 1, 1), "dhat_p: 1 is not below dhat_a, which is 1"),
        (lambda: NormalAdhesionPotential(1, np.inf, 1, 1), "dhat_a: inf is not a positive number"),
        (lambda: NormalAdhesionPotential(1, 2, np.nan, 1), "youngs_modulus: nan is not a positive number"),
        (lambda: NormalAdhesionPotential(1, 2, 1, -1), "critical_strain: -1 is not a positive number"),
        (lambda: NormalAdhesionPotential(1, 2, 1, 1, distance="cubed"), 'distance: expected "squared" or "plain"'),
        (lambda: NormalAdhesionPotential.for_barrier(-1, 1, 1), "dhat_p: -1 is not a positive number"),
        (lambda: TangentialAdhesionPotential(0), "eps_a: 0 is not a positive speed"),
        (lambda: TangentialAdhesionPotential(np.nan), "eps_a: nan is not a positive speed"),
    ],
)
def test_bad_numbers_are_rejected_by_name(call, words):
    with pytest.raises(InvalidInput, match=f"^{words}"):
        call()


def test_sets_and_arrays_that_do_not_fit_are_rejected():
    mesh = SCENES["space"]()
    X, bonds = mesh.rest_positions, TangentialCollisions()
    with pytest.raises(InvalidInput, match="^collisions: built for dhat = 0.1 m, but the potential reaches 0.12 m"):
        adhesion()(built(mesh, dhat=0.1), mesh, X)
    with pytest.raises(InvalidInput, match="^collisions: built for dhat = 0.1 m, but the potential reaches 0.12 m"):
        bonds.build(mesh, X, built(mesh, dhat=0.1), adhesion(), 0.5)
    with pytest.raises(InvalidInput, match="^X: "):
        bonds.build(mesh, X[:3], built(mesh), adhesion(), 0.5)
    with pytest.raises(TypeError, match="^hessian_mode: expected a member of abut.HessianMode"):
        adhesion(hessian_mode="exact")
    assert bonds.empty()


def test_other_threads_run_during_evaluation():
    mesh = large()
    X = mesh.rest_positions
    collisions, well = built(mesh, dhat=0.02), NormalAdhesionPotential(0.01, 0.02, Y, CRITICAL)
    assert_others_run_during(lambda: well.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP))
