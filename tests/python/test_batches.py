"""Many pairs at once: the same numbers as one at a time, in parallel, without the interpreter lock."""

import threading

import abut
import numpy as np
import pytest
from other_threads import assert_others_run_during

# Name, arguments, dimensions, feature.
BATCHES = [
    ("point_edge", 3, 2, abut.PointEdgeFeature),
    ("point_edge", 3, 3, abut.PointEdgeFeature),
    ("point_triangle", 4, 3, abut.PointTriangleFeature),
    ("edge_edge", 4, 3, abut.EdgeEdgeFeature),
]


@pytest.mark.parametrize("name, count, dim, feature", BATCHES)
def test_a_batch_gives_what_its_rows_give(name, count, dim, feature):
    points = np.random.default_rng(3).integers(-2, 3, (count, 500, dim)).astype(float)
    distances, features = getattr(abut, f"{name}_squared_distances")(*points)
    assert distances.shape == features.shape == (500,)
    assert features.dtype == np.uint8
    assert len(set(features)) == len(feature)
    for i in range(500):
        assert distances[i] == getattr(abut, f"{name}_squared_distance")(*points[:, i])
        assert features[i] == getattr(abut, f"{name}_feature")(*points[:, i])
    first = feature(int(features[0]))
    assert (features == first)[0]


@pytest.mark.parametrize("dim", [2, 3])
def test_point_point_distances_match_numpy(dim):
    p, q = np.random.default_rng(4).normal(size=(2, 3000, dim))
    np.testing.assert_allclose(abut.point_point_squared_distances(p, q), ((p - q) ** 2).sum(axis=1), rtol=1e-14)


def test_one_point_stands_for_every_row():
    p = np.random.default_rng(5).normal(size=(100, 3))
    triangle = np.eye(3)
    distances, _ = abut.point_triangle_squared_distances(p, *triangle)
    expected, _ = abut.point_triangle_squared_distances(p, *(np.tile(t, (100, 1)) for t in triangle))
    np.testing.assert_array_equal(distances, expected)
    distances, features = abut.point_triangle_squared_distances([0, 0, 0], *triangle)
    assert distances.shape == features.shape == (1,)


def test_no_rows_give_no_rows():
    distances, features = abut.edge_edge_squared_distances(*[np.zeros((0, 3))] * 4)
    assert distances.shape == features.shape == (0,)


def test_rows_must_match():
    with pytest.raises(ValueError, match="t1: expected 5 rows as t0 has, got 4"):
        abut.point_triangle_squared_distances([0, 0, 0], np.ones((5, 3)), np.ones((4, 3)), np.ones((5, 3)))
    with pytest.raises(ValueError, match="e0: expected 2 columns as p has, got 3"):
        abut.point_edge_squared_distances(np.ones((5, 2)), np.ones((5, 3)), np.ones((5, 3)))
    with pytest.raises(ValueError, match=r"a0: expected points in space, of shape \(n, 3\), got 2 columns"):
        abut.edge_edge_squared_distances(*[np.ones((5, 2))] * 4)
    with pytest.raises(ValueError, match=r"p: .*got shape \(5, 4\)"):
        abut.point_point_squared_distances(np.ones((5, 4)), np.ones((5, 4)))
    with pytest.raises(ValueError, match="p: row 2 has z = nan"):
        abut.point_point_squared_distances([[0, 0, 0], [0, 0, 0], [0, 0, np.nan]], [0, 0, 0])


def test_the_number_of_threads_does_not_change_a_bit():
    points = np.random.default_rng(6).normal(size=(4, 20_000, 3))
    abut.set_num_threads(1)
    assert abut.num_threads() == 1
    alone = abut.edge_edge_squared_distances(*points)
    abut.set_num_threads(4)
    together = abut.edge_edge_squared_distances(*points)
    np.testing.assert_array_equal(alone[0], together[0])
    np.testing.assert_array_equal(alone[1], together[1])


@pytest.mark.parametrize("count", [-1, 1025])
def test_thread_counts_out_of_range_are_rejected(count):
    with pytest.raises(ValueError, match="threads"):
        abut.set_num_threads(count)


def test_other_threads_run_during_a_batch():
    abut.set_num_threads(1)
    points = np.random.default_rng(8).normal(size=(1_000_000, 3))
    triangle = np.random.default_rng(9).normal(size=(3, 3))
    assert_others_run_during(lambda: abut.point_triangle_squared_distances(points, *triangle))


def test_an_array_that_changes_during_a_call_does_no_harm():
    points = np.random.default_rng(10).normal(size=(200_000, 3))
    done = threading.Event()

    def scribble():
        while not done.is_set():
            points[:] = np.nan
            points[:] = 1.0

    scribbler = threading.Thread(target=scribble)
    scribbler.start()
    try:
        for _ in range(20):
            try:
                distances = abut.point_point_squared_distances(points, [0.0, 0, 0])
            except ValueError:
                continue
            assert np.isfinite(distances).all()
    finally:
        done.set()
        scribbler.join()
