"""Hessians in closed form, against numpy."""

import abut
import numpy as np
import pytest
from abut import BarrierPotential, CollisionSetType, HessianMode, PairKind, PSDProjectionMethod
from contact_scenes import DHAT, SCENES, built, plane, space

CLOSED_FORMS = (HessianMode.ANALYTIC, HessianMode.GAUSS_NEWTON)


def curvature(mode, D, dhat):
    """Of the squared log of the squared distance, along the gradient of the distance."""
    _, first, second = abut.laws.clamped_log_squared(D, dhat**2)
    if mode == HessianMode.GAUSS_NEWTON:
        return 4 * D * second
    if D < (0.1 * dhat) ** 2:
        return curvature(mode, (0.1 * dhat) ** 2, dhat)
    return 4 * D * second + 2 * first


@pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("mode", CLOSED_FORMS)
def test_a_plain_pair_has_its_curvature_along_the_gradient_of_its_distance(make, mode):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh, set_type=CollisionSetType.CONVERGENT, use_area_weighting=True)
    expected = np.zeros((X.size, X.size))
    for k, collision in enumerate(collisions):
        geometry = collisions.geometry(k, mesh, X)
        if collision.kind == PairKind.edge_edge:
            a0, a1, b0, b1 = X[collision.vertices]
            assert np.sum(np.cross(a1 - a0, b1 - b0) ** 2) > collision.eps_x, "nothing is mollified"
        gradient = np.zeros_like(X)
        gradient[collision.vertices] = np.outer(geometry.coefficients, geometry.normal)
        scale = max(0, 3e3 * collision.weight * curvature(mode, geometry.squared_distance, DHAT))
        expected += scale * np.outer(gradient.ravel(), gradient.ravel())
    barrier = BarrierPotential(DHAT, 3e3, law="clamped_log_squared", hessian_mode=mode)
    actual = barrier.hessian(collisions, mesh, X).toarray()
    np.testing.assert_allclose(actual, expected, atol=1e-10 * np.abs(expected).max())


@pytest.mark.parametrize("make", [space, lambda: space(angle=1e-3), plane], ids=["space", "parallel", "plane"])
@pytest.mark.parametrize("set_type", CollisionSetType)
@pytest.mark.parametrize("law", ["clamped_log", "clamped_log_squared", "cubic", "two_stage"])
def test_closed_forms_are_positive_semidefinite(make, set_type, law):
    mesh = make()
    X = mesh.rest_positions
    collisions = built(mesh, set_type=set_type)
    exact = BarrierPotential(DHAT, 1e3, law=law)
    assert exact.hessian_mode == HessianMode.EXACT
    for mode in CLOSED_FORMS:
        barrier = BarrierPotential(DHAT, 1e3, law=law, hessian_mode=mode)
        assert barrier.hessian_mode is mode
        assert barrier(collisions, mesh, X) == exact(collisions, mesh, X)
        np.testing.assert_array_equal(barrier.gradient(collisions, mesh, X), exact.gradient(collisions, mesh, X))
        matrix = barrier.hessian(collisions, mesh, X).toarray()
        eigenvalues = np.linalg.eigvalsh(matrix)
        assert eigenvalues.max() > 0
        assert eigenvalues.min() > -1e-12 * eigenvalues.max()
        clamped = barrier.hessian(collisions, mesh, X, PSDProjectionMethod.CLAMP)
        np.testing.assert_array_equal(clamped.toarray(), matrix)
    barrier.stiffness = 2e3
    assert barrier.hessian_mode == HessianMode.GAUSS_NEWTON


@pytest.mark.parametrize("value", [1, "ANALYTIC", None, True, PSDProjectionMethod.CLAMP])
def test_other_modes_are_rejected(value):
    with pytest.raises(TypeError, match="^hessian_mode: expected a member of abut.HessianMode, got "):
        BarrierPotential(DHAT, hessian_mode=value)
