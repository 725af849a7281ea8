"""Planes as obstacles, against numpy."""

import abut
import numpy as np
import pytest
from abut import Candidates, CollisionMesh, Detection, IntersectionKind, PairKind

FLOOR = ([0, 0, 0], [0, 1, 0])
SLOPE = ([1, -1, 0], [3, 4, -12])
POINTS = np.random.default_rng(11).uniform(-1, 1, size=(200, 3))


def heights(mesh, X):
    """Signed distances (#planes, #V)."""
    return np.array([(X - point) @ normal for point, normal in mesh.planes])


def built(mesh, *arguments, **options):
    candidates = Candidates()
    candidates.build(mesh, *arguments, **options)
    return candidates


def test_planes_are_kept_with_unit_normals():
    mesh = CollisionMesh(POINTS, planes=[FLOOR, SLOPE])
    (point, normal), (other_point, other_normal) = mesh.planes
    assert point.tolist() == [0, 0, 0] and normal.tolist() == [0, 1, 0]
    assert other_point.tolist() == [1, -1, 0]
    np.testing.assert_allclose(other_normal, np.array(SLOPE[1]) / 13, atol=1e-16)
    again = CollisionMesh(POINTS, planes=mesh.planes)
    np.testing.assert_array_equal(np.array(again.planes), np.array(mesh.planes))


@pytest.mark.parametrize("planes", [None, [], (), np.zeros((0, 2, 3)), iter([])])
def test_a_mesh_may_have_no_planes(planes):
    mesh = CollisionMesh(POINTS, planes=planes)
    assert mesh.planes == CollisionMesh(POINTS).planes == []
    assert built(mesh, POINTS, 0.1).pv.shape == (0, 2)


def test_planes_are_read_from_anything_that_holds_pairs():
    expected = np.array([FLOOR, ([0, 5, 0], [0, -1, 0])], dtype=float)
    for planes in (expected, expected.tolist(), tuple(map(tuple, expected)), iter(expected), (p for p in expected)):
        np.testing.assert_array_equal(np.array(CollisionMesh(POINTS, planes=planes).planes), expected)


def test_every_way_to_build_a_mesh_takes_planes():
    box = abut.generate.box()
    for mesh in (
        CollisionMesh(box, planes=[FLOOR]),
        CollisionMesh(abut.generate.tet_box(), planes=[FLOOR]),
        CollisionMesh(box.vertices, faces=box.faces, planes=[FLOOR]),
        CollisionMesh.build_from_full_mesh(box.vertices, faces=box.faces, planes=[FLOOR]),
        CollisionMesh.build_from_selection(box.vertices, [True] * 8, faces=box.faces, planes=[FLOOR]),
    ):
        np.testing.assert_array_equal(np.array(mesh.planes), np.array([FLOOR]))


@pytest.mark.parametrize(
    "planes, error, message",
    [
        ([([0, 0, 0], [0, 0, 0])], ValueError, r"planes\[0\].normal: its length is 0"),
        ([FLOOR, ([0, 0, 0], [0, np.nan, 0])], ValueError, r"planes\[1\].normal: y = nan is not a finite"),
        ([([0, 0, np.inf], [0, 1, 0])], ValueError, r"planes\[0\].point: z = inf is not a finite"),
        ([([0, 0], [0, 1, 0])], ValueError, r"planes\[0\].point: expected 3 coordinates as the vertices have, got 2"),
        ([([0, 0, 0], [0, 1])], ValueError, r"planes\[0\].normal: expected 3 coordinates as the vertices have, got 2"),
        ([([0, 0, 0], 1)], ValueError, r"planes\[0\].normal: expected a point of shape"),
        ([([0, 0, 0], None)], TypeError, r"planes\[0\].normal: expected a point of shape"),
        ([([0, 0, 0],)], ValueError, r"planes\[0\]: expected \(point, normal\), got 1 items"),
        ([(1, 2, 3)], ValueError, r"planes\[0\]: expected \(point, normal\), got 3 items"),
        ([FLOOR, 7], TypeError, r"planes\[1\]: expected \(point, normal\), got int"),
        ([None], TypeError, r"planes\[0\]: expected \(point, normal\), got NoneType"),
        (7, TypeError, r"planes: expected a list of \(point, normal\), got int"),
        (FLOOR, ValueError, r"planes\[0\]: expected \(point, normal\), got 3 items"),
        ("ab", ValueError, r"planes\[0\]: expected \(point, normal\), got 1 items"),
        (["ab"], TypeError, r"planes\[0\].point: expected a point of shape"),
        ([np.array(3.0)], (TypeError, ValueError), "planes|unsized"),
    ],
)
def test_bad_planes_are_rejected_by_name(planes, error, message):
    with pytest.raises(error, match=message):
        CollisionMesh(POINTS, planes=planes)


def test_in_the_plane_planes_are_lines():
    X = [[0.0, 1], [2, 3]]
    mesh = CollisionMesh(X, planes=[([0, 0], [0, 2])])
    ((point, normal),) = mesh.planes
    assert point.tolist() == [0, 0] and normal.tolist() == [0, 1]
    assert abut.compute_minimum_distance(mesh, X) == 1
    limit = abut.find_collision_free_stepsize(mesh, X, [[0, -1], [2, 3]])
    assert limit.kind is PairKind.plane_vertex and limit.step == pytest.approx(0.4)
    with pytest.raises(ValueError, match=r"planes\[0\].normal: expected 2 coordinates"):
        CollisionMesh(X, planes=[([0, 0], [0, 2, 0])])


@pytest.mark.parametrize("method", ["bvh", "brute_force"])
def test_candidates_are_the_vertices_within_twice_the_inflation(method):
    mesh = CollisionMesh(POINTS, planes=[FLOOR, SLOPE])
    X1 = POINTS + np.random.default_rng(12).normal(scale=0.1, size=POINTS.shape)
    candidates = built(mesh, POINTS, 0.05, method=method)
    expected = np.argwhere(heights(mesh, POINTS) < 0.1)
    np.testing.assert_array_equal(candidates.pv, expected)
    assert candidates.pv.dtype == np.int32 and 0 < len(expected) < 400
    assert len(candidates) == sum(len(getattr(candidates, kind)) for kind in ("vv", "ev", "ee", "fv", "pv"))
    swept = np.argwhere(np.minimum(heights(mesh, POINTS), heights(mesh, X1)) < 0.1)
    np.testing.assert_array_equal(built(mesh, POINTS, X1, 0.05, method=method).pv, swept)
    assert candidates != built(CollisionMesh(POINTS), POINTS, 0.05)
    assert f"{len(expected)} pv>" in repr(candidates)
    with pytest.raises(ValueError, match="read-only"):
        candidates.pv[...] = 0


def test_too_many_vertices_near_a_plane_are_a_limit():
    mesh = CollisionMesh(POINTS, planes=[([0, 9, 0], [0, 1, 0])])
    assert len(built(mesh, POINTS, 0, max_pairs=200)) == 200
    with pytest.raises(abut.LimitReached, match="more than 199 plane-vertex pairs"):
        built(mesh, POINTS, 0, max_pairs=199)


def test_planes_are_detected_by_signed_distance():
    mesh = CollisionMesh(POINTS, planes=[FLOOR, SLOPE], filter=lambda i, j: False)
    detection = Detection(mesh, range=0.2)
    detection.update(POINTS)
    height = heights(mesh, POINTS)
    np.testing.assert_array_equal(detection.pv.pairs, np.argwhere(height < 0.2))
    expected = np.maximum(height[height < 0.2], 0) ** 2
    np.testing.assert_allclose(detection.pv.squared_distances, expected, rtol=1e-12, atol=0)
    assert not detection.pv.features.any()
    assert len(detection) == len(detection.pv) and detection.smallest_distance == 0
    above = POINTS + [0, 1, 0]
    alone = CollisionMesh(POINTS, planes=[FLOOR], filter=lambda i, j: False)
    assert abut.compute_minimum_distance(alone, above) == pytest.approx(above[:, 1].min(), rel=1e-12)
    assert abut.compute_minimum_distance(alone, POINTS) == 0


def test_a_falling_box_stops_before_the_floor():
    box = abut.generate.box().translated([0, 1.5, 0])
    mesh = CollisionMesh(box, planes=[FLOOR])
    X0, X1 = box.vertices, box.vertices - [0, 2, 0]
    gap = X0[:, 1].min()
    limit = abut.find_collision_free_stepsize(mesh, X0, X1)
    assert limit.step == pytest.approx(0.8 * gap / 2) and limit.kind is PairKind.plane_vertex
    assert limit.pair[0] == 0 and X0[limit.pair[1], 1] == gap == limit.initial_distance
    assert "plane_vertex" in repr(limit)
    assert abut.compute_collision_free_stepsize(mesh, X0, X1) == limit.step
    assert abut.is_step_collision_free(mesh, X0, X0 + limit.step * (X1 - X0))
    assert not abut.is_step_collision_free(mesh, X0, X1)
    assert abut.compute_collision_free_stepsize(CollisionMesh(box), X0, X1) == 1


def test_numpy_positions_after_a_step_are_above_the_plane():
    rng = np.random.default_rng(13)
    for _ in range(200):
        offset = rng.normal() * 10.0 ** rng.uniform(-3, 9)
        X0 = np.array([[0.0, offset + 10.0 ** rng.uniform(-16, 0) + 1e-12 * abs(offset), 0]])
        X1 = np.array([[1.0, offset + rng.normal() * 10.0 ** rng.uniform(-16, 0), 0]])
        mesh = CollisionMesh(X0, planes=[([0, offset, 0], [0, 1, 0])])
        step = abut.compute_collision_free_stepsize(mesh, X0, X1)
        assert 0 < step <= 1
        assert (X0 + step * (X1 - X0))[0, 1] > offset


def test_vertices_behind_a_plane_are_intersections():
    mesh = CollisionMesh(POINTS, planes=[FLOOR, SLOPE])
    expected = np.argwhere(heights(mesh, POINTS) < 0)
    found = abut.find_intersections(mesh, POINTS)
    np.testing.assert_array_equal([i.pair for i in found], expected)
    assert all(i.kind is IntersectionKind.plane_vertex for i in found)
    np.testing.assert_array_equal([i.location for i in found], POINTS[expected[:, 1]])
    assert abut.has_intersections(mesh, POINTS)
    on = np.array([[0.0, 0, 0]])
    assert not abut.has_intersections(CollisionMesh(on, planes=[FLOOR]), on)
    assert abut.has_intersections(CollisionMesh(on, planes=[FLOOR]), on - [0, 5e-324, 0])


def test_the_number_of_threads_does_not_change_a_bit():
    X = np.random.default_rng(14).uniform(-1, 1, size=(20_000, 3))
    X1 = X - [0, 0.05, 0]
    mesh = CollisionMesh(X, planes=[FLOOR, SLOPE], filter=lambda i, j: False)
    above = CollisionMesh(X, planes=[([0, -1.01, 0], [0, 1, 0])])
    results = []
    for count in (1, 2, 4):
        abut.set_num_threads(count)
        detection = Detection(mesh, range=1e-3)
        detection.update(X)
        limit = abut.find_collision_free_stepsize(above, X, X1)
        assert limit.kind is PairKind.plane_vertex
        behind = [i.pair for i in abut.find_intersections(mesh, X)]
        results.append((detection.pv, limit.step.hex(), limit.pair, behind, built(mesh, X, 1e-3)))
    assert results[0] == results[1] == results[2]
