"""Functions of a few points: values against numpy, derivatives against finite differences."""

import itertools

import abut
import numpy as np
import pytest
from abut import EdgeEdgeFeature, PointEdgeFeature, PointTriangleFeature
from finite_differences import jacobian

TRIANGLE = np.array([[0.0, 0, 0], [1.3, 0.1, 0], [0.2, 1.1, 0.3]])

# Name, number of points, dimensions.
TERMS = [
    ("point_point_squared_distance", 2, (2, 3)),
    ("point_line_squared_distance", 3, (2, 3)),
    ("line_line_squared_distance", 4, (3,)),
    ("point_plane_squared_distance", 4, (3,)),
    ("point_edge_squared_distance", 3, (2, 3)),
    ("point_triangle_squared_distance", 4, (3,)),
    ("edge_edge_squared_distance", 4, (3,)),
    ("edge_length", 2, (2, 3)),
    ("triangle_area", 3, (3,)),
    ("signed_triangle_area", 3, (2,)),
    ("signed_tet_volume", 4, (3,)),
    ("dihedral_angle", 4, (3,)),
    ("edge_edge_cross_squared_norm", 4, (3,)),
    ("edge_edge_mollifier_threshold", 4, (3,)),
]
VECTORS = [
    ("point_plane_coordinates", 4, (3,), (2,)),
    ("line_line_coordinates", 4, (3,), (2,)),
    ("triangle_normal", 3, (3,), (3,)),
    ("edge_normal", 2, (2,), (2,)),
    ("point_point_tangent_basis", 2, (2, 3), None),
    ("point_edge_tangent_basis", 3, (2, 3), None),
    ("edge_edge_tangent_basis", 4, (3,), (3, 2)),
    ("point_triangle_tangent_basis", 4, (3,), (3, 2)),
]


def by_dimension(table):
    return [(row[0], row[1], dim, *row[3:]) for row in table for dim in row[2]]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.mark.parametrize("name, count, dim", by_dimension(TERMS))
def test_terms_have_the_derivatives_of_their_values(name, count, dim, rng):
    function = getattr(abut, name)
    points = rng.uniform(-1, 1, (count, dim))
    value, gradient, hessian = function(*points, order="hessian")
    assert isinstance(value, float)
    assert value == function(*points) == function(*points, order="gradient")[0]
    assert gradient.shape == (count * dim,)
    assert hessian.shape == (count * dim, count * dim)
    np.testing.assert_allclose(gradient, jacobian(function, points)[0], atol=1e-7)
    gradients = jacobian(lambda *x: function(*x, order="gradient")[1], points)
    np.testing.assert_allclose(hessian, gradients, atol=1e-5 * max(1, np.abs(hessian).max()))


@pytest.mark.parametrize("name, count, dim, shape", by_dimension(VECTORS))
def test_vectors_have_the_jacobian_of_their_values(name, count, dim, shape, rng):
    function = getattr(abut, name)
    points = rng.uniform(-1, 1, (count, dim))
    value, derivative = function(*points, order="jacobian")
    assert value.shape == (shape or (dim, dim - 1))
    np.testing.assert_array_equal(value, function(*points))
    np.testing.assert_allclose(derivative, jacobian(function, points), atol=1e-6 * max(1, np.abs(derivative).max()))


@pytest.mark.parametrize("dim", [2, 3])
def test_the_foot_on_a_line_has_a_coordinate_and_a_gradient(dim, rng):
    p, e0, e1 = points = rng.uniform(-1, 1, (3, dim))
    value, gradient = abut.point_line_coordinate(*points, order="gradient")
    assert value == pytest.approx((p - e0) @ (e1 - e0) / ((e1 - e0) @ (e1 - e0)))
    np.testing.assert_allclose(gradient, jacobian(abut.point_line_coordinate, points)[0], atol=1e-7)
    with pytest.raises(ValueError, match="order: .*hessian"):
        abut.point_line_coordinate(*points, order="hessian")


def test_distances_agree_with_a_search_over_the_triangle(rng):
    u = np.array([(i, j) for i in range(101) for j in range(101 - i)]) / 100
    samples = TRIANGLE[0] + u @ (TRIANGLE[1:] - TRIANGLE[0])
    for p in rng.uniform(-2, 2, (50, 3)):
        searched = ((samples - p) ** 2).sum(axis=1).min()
        found = abut.point_triangle_squared_distance(p, *TRIANGLE)
        assert found <= searched + 1e-12
        assert np.sqrt(found) == pytest.approx(np.sqrt(searched), abs=0.02)
        weights = abut.point_triangle_coordinates(p, *TRIANGLE)
        assert weights.sum() == pytest.approx(1)
        assert ((weights @ TRIANGLE - p) ** 2).sum() == pytest.approx(found)


def test_edge_edge_coordinates_give_the_distance(rng):
    for a0, a1, b0, b1 in rng.uniform(-1, 1, (50, 4, 3)):
        s, t = abut.edge_edge_coordinates(a0, a1, b0, b1)
        assert 0 <= s <= 1 and 0 <= t <= 1
        gap = (1 - s) * a0 + s * a1 - (1 - t) * b0 - t * b1
        assert abut.edge_edge_squared_distance(a0, a1, b0, b1) == pytest.approx(gap @ gap)


def test_a_frozen_feature_is_used_whatever_is_closest():
    p, e0, e1 = [0.0, 1], [0.0, 0], [1.0, 0]
    distance = abut.point_edge_squared_distance
    assert distance(p, e0, e1, feature=PointEdgeFeature.e1) == 2
    assert distance([5, 2], e0, e1, feature=PointEdgeFeature.edge) == 4
    assert distance([5, 2], e0, e1) == 20
    corner = abut.point_triangle_squared_distance([0, 0, 1], *TRIANGLE, feature=PointTriangleFeature.t1)
    assert corner == pytest.approx(1.3**2 + 0.1**2 + 1)
    ends = abut.edge_edge_squared_distance(
        [0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1], feature=EdgeEdgeFeature.a1_b1
    )
    assert ends == pytest.approx(3)


@pytest.mark.parametrize("feature", [PointEdgeFeature.e0, 0, "face"])
def test_a_feature_of_another_kind_is_a_type_error(feature):
    with pytest.raises(TypeError, match="feature: expected a member of abut.PointTriangleFeature"):
        abut.point_triangle_squared_distance([0, 0, 1], *TRIANGLE, feature=feature)


def test_features_name_the_closest_part():
    assert abut.point_edge_feature([-1, 0], [0, 0], [1, 0]) is PointEdgeFeature.e0
    assert abut.point_edge_feature([0.5, 3, 1], [0, 0, 0], [1, 0, 0]) is PointEdgeFeature.edge
    assert abut.point_triangle_feature([0.3, 0.3, 2], *TRIANGLE) is PointTriangleFeature.face
    crossing = abut.edge_edge_feature([-1, 0, 0], [1, 0, 0], [0, -1, 1], [0, 1, 1])
    assert crossing is EdgeEdgeFeature.a_b
    assert abut.point_edge_coordinate([0.25, 3], [0, 0], [1, 0]) == 0.25


def test_a_fixed_plane_has_derivatives_by_the_point():
    value, gradient, hessian = abut.point_plane_squared_distance([1, 2, 3], [0, 0, 1], [0, 0, 1], order="hessian")
    assert value == 4
    np.testing.assert_array_equal(gradient, [0, 0, 4])
    np.testing.assert_array_equal(hessian, np.diag([0, 0, 2]))
    with pytest.raises(ValueError, match="unit_normal: expected length 1, got 2"):
        abut.point_plane_squared_distance([1, 2, 3], [0, 0, 1], [0, 0, 2])


def test_measures_have_known_values():
    assert abut.edge_length([0, 0], [3, 4]) == 5
    assert abut.triangle_area([0, 0, 0], [2, 0, 0], [0, 3, 0]) == 3
    assert abut.signed_triangle_area([0, 0], [0, 3], [2, 0]) == -3
    assert abut.signed_tet_volume([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 6]) == 1
    assert abut.dihedral_angle([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]) == pytest.approx(np.pi / 2)
    np.testing.assert_array_equal(abut.triangle_normal([0, 0, 0], [2, 0, 0], [0, 3, 0]), [0, 0, 1])
    np.testing.assert_array_equal(abut.edge_normal([0, 0], [2, 0]), [0, -1])


def test_the_mollifier_follows_its_formula(rng):
    points = rng.uniform(-1, 1, (4, 3))
    c = abut.edge_edge_cross_squared_norm(*points)
    assert c == pytest.approx((np.cross(points[1] - points[0], points[3] - points[2]) ** 2).sum())
    value, gradient, hessian = abut.edge_edge_mollifier(*points, 2 * c, order="hessian")
    assert value == pytest.approx(0.75)

    def mollifier(*x):
        return abut.edge_edge_mollifier(*x, 2 * c)

    np.testing.assert_allclose(gradient, jacobian(mollifier, points)[0], atol=1e-7)
    assert hessian.shape == (12, 12)
    assert abut.edge_edge_mollifier(*points, eps_x=0.0) == 1
    for eps_x in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="eps_x: expected a finite number >= 0"):
            abut.edge_edge_mollifier(*points, eps_x)


def test_predicates_are_exact():
    a, b = np.array([12.0, 12.0]), np.array([24.0, 24.0])
    for i, j in itertools.product(range(8), repeat=2):
        p = np.array([0.5 + i * 2.0**-53, 0.5 + j * 2.0**-53])
        # p is on the line through a and b where its coordinates are equal as rounded.
        assert abut.orientation(p, a, b) == np.sign(p[0] - p[1]) * -1
    assert abut.orientation([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e-300 * 1e50]) == 1
    assert abut.segments_intersect([0, 0], [1, 1], [1, 1], [2, 0]) is True
    assert abut.segments_intersect([0, 0], [1, 1], [1, 1.1], [2, 3]) is False
    assert abut.segment_intersects_triangle([0.2, 0.2, -1], [0.2, 0.2, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0])
    assert not abut.segment_intersects_triangle([2, 2, -1], [2, 2, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0])
    assert abut.point_in_triangle([0.5, 0], [0, 0], [1, 0], [0, 1])
    assert not abut.point_in_triangle([0.6, 0.6], [0, 0], [1, 0], [0, 1])


def test_an_unknown_order_names_the_known_ones():
    with pytest.raises(ValueError, match='order: expected "value", "gradient" or "hessian", got "third"'):
        abut.edge_length([0, 0], [1, 0], order="third")
    with pytest.raises(ValueError, match='order: expected "value" or "jacobian", got "gradient"'):
        abut.edge_normal([0, 0], [1, 0], order="gradient")


def test_points_of_other_shapes_are_rejected_by_name():
    with pytest.raises(ValueError, match=r"q: expected shape \(2,\) as p has, got shape \(3,\)"):
        abut.point_point_squared_distance([0, 0], [0, 0, 0])
    with pytest.raises(ValueError, match=r"p: expected a point of shape \(2,\) or \(3,\), got shape \(4,\)"):
        abut.point_point_squared_distance([0, 0, 0, 0], [0, 0, 0, 0])
    with pytest.raises(ValueError, match=r"q: .*got shape \(1, 3\)"):
        abut.point_point_squared_distance([0, 0, 0], [[0, 0, 0]])
    with pytest.raises(ValueError, match=r"t0: expected a point in space, of shape \(3,\), got shape \(2,\)"):
        abut.triangle_area([0, 0], [1, 0], [0, 1])
    with pytest.raises(ValueError, match=r"e0: expected a point in the plane, of shape \(2,\), got shape \(3,\)"):
        abut.edge_normal([0, 0, 0], [1, 0, 0])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e60])
def test_coordinates_that_are_not_finite_are_rejected(value):
    with pytest.raises(ValueError, match="e1: y = .* is not a finite number"):
        abut.edge_length([0, 0], [1, value])


def test_degenerate_points_give_numbers():
    zero = np.zeros(3)
    for name, count, dims in TERMS:
        results = getattr(abut, name)(*[zero[: dims[-1]]] * count, order="hessian")
        assert all(np.isfinite(part).all() for part in results), name
    for name, count, dims, _ in VECTORS:
        results = getattr(abut, name)(*[zero[: dims[-1]]] * count, order="jacobian")
        assert all(np.isfinite(part).all() for part in results), name


def test_links_are_counted():
    angle = np.arange(30) * 2 * np.pi / 30
    flat = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    upright = np.stack([1 + np.cos(angle), 0 * angle, -np.sin(angle)], axis=1)
    assert abut.linking_number(flat, upright) == abut.linking_number(upright, flat) == 1
    assert abut.linking_number(flat, upright[::-1]) == -1
    assert abut.linking_number(flat, upright + [0.0, 5, 0]) == 0
    assert abut.piercings([[0.2, 0.1, -1], [0.2, 0.1, 1]], flat) == (1, 0)
    assert abut.piercings([[0.2, 0.1, 1], [0.2, 0.1, -1], [5, 0, -1]], flat) == (0, 1)
    with pytest.raises(ValueError, match="a: expected points of 3 coordinates"):
        abut.linking_number(flat[:, :2], upright)
    with pytest.raises(ValueError, match="has 2 corners"):
        abut.piercings(flat, upright[:2])
