"""What is near what and what intersects, against slow answers of numpy; filters that ask Python; threads."""

import faulthandler
import gc
import itertools
import os
import threading
import weakref

import abut
import numpy as np
import pytest
from abut import Candidates, CollisionFilter, CollisionMesh, Detection, IntersectionKind
from other_threads import assert_others_run_during

KINDS = ("vv", "ev", "ee", "fv")


@pytest.fixture(scope="module")
def terminal(pytestconfig):
    """The real stderr, which pytest captures."""
    with pytestconfig.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        stderr = os.fdopen(os.dup(2), "w")
    with stderr:
        yield stderr


@pytest.fixture(autouse=True)
def _end_deadlocks(terminal):
    """A deadlock ends the process with a trace of every thread, instead of hanging it."""
    faulthandler.dump_traceback_later(300, exit=True, file=terminal)
    yield
    faulthandler.cancel_dump_traceback_later()


def sheets(cells, gap=0.1, **options):
    """Two wavy sheets of cloth, `gap` apart."""
    cloth = abut.generate.cloth(cells=(cells, cells))
    data = cloth.joined(cloth.translated([0, gap, 0]))
    noise = np.random.default_rng(7).normal(scale=0.1 * gap, size=data.vertices.shape)
    return CollisionMesh(data.vertices + noise, faces=data.faces, **options)


def loose(**options):
    """Loose points and edges beside triangles."""
    rng = np.random.default_rng(8)
    edges, faces = np.arange(20, 40).reshape(-1, 2), np.arange(40, 70).reshape(-1, 3)
    return CollisionMesh(rng.uniform(size=(70, 3)), edges, faces, **options)


def plane(**options):
    """Loose points and edges in the plane."""
    rng = np.random.default_rng(9)
    return CollisionMesh(rng.uniform(size=(60, 2)), np.arange(20, 60).reshape(-1, 2), **options)


MESHES = {"sheets": lambda **options: sheets(4, **options), "loose": loose, "plane": plane}
mesh_cases = pytest.mark.parametrize("make", MESHES.values(), ids=MESHES)


def built(mesh, *arguments, **options):
    candidates = Candidates()
    candidates.build(mesh, *arguments, **options)
    return candidates


def expected_pairs(mesh, is_near, can_collide=lambda i, j: True):
    """The pairs of every kind that the rules allow and is_near(vertices, vertices) accepts, by loops."""

    def allowed(a, b):
        return not set(a) & set(b) and any(can_collide(i, j) for i in a for j in b) and is_near(a, b)

    V = [(v,) for v in range(mesh.num_vertices)]
    E, F = list(map(tuple, mesh.edges)), list(map(tuple, mesh.faces))
    loose_v = mesh.codim_vertices.tolist()
    edges, vertices = (range(len(E)), range(len(V))) if mesh.dim == 2 else (mesh.codim_edges.tolist(), loose_v)
    return {
        "vv": [[i, j] for i, j in itertools.combinations(loose_v, 2) if allowed(V[i], V[j])],
        "ev": [[e, v] for e in edges for v in vertices if allowed(E[e], V[v])],
        "ee": [[a, b] for a, b in itertools.combinations(range(len(E)), 2) if mesh.dim == 3 and allowed(E[a], E[b])],
        "fv": [[f, v] for f in range(len(F)) for v in range(len(V)) if allowed(F[f], V[v])],
    }


def boxes_overlap(positions, inflation):
    """Do the boxes of two sets of vertices overlap, for vertices at all of the positions?"""
    X = np.array(positions)

    def overlap(a, b):
        A, B = X[:, list(a)].reshape(-1, X.shape[2]), X[:, list(b)].reshape(-1, X.shape[2])
        return ((A.min(0) - B.max(0) <= 2 * inflation) & (B.min(0) - A.max(0) <= 2 * inflation)).all()

    return overlap


def squared_distance(X, a, b):
    """Of two elements given by their vertices."""
    points = X[list(b) + list(a)] if len(a) != 2 or len(b) != 2 else X[list(a) + list(b)]
    name = {(1, 1): "point_point", (2, 1): "point_edge", (2, 2): "edge_edge", (3, 1): "point_triangle"}
    return getattr(abut, name[len(a), len(b)] + "_squared_distance")(*points)


# --- Candidates ---


@mesh_cases
@pytest.mark.parametrize("method", ["bvh", "brute_force"])
def test_candidates_are_the_pairs_whose_boxes_overlap(make, method):
    mesh = make()
    X = mesh.rest_positions
    expected = expected_pairs(mesh, boxes_overlap([X], 0.06))
    candidates = built(mesh, X, 0.06, method=method)
    assert {kind: getattr(candidates, kind).tolist() for kind in KINDS} == expected
    assert len(candidates) == sum(map(len, expected.values())) > 0


@mesh_cases
def test_candidates_of_a_step_are_the_pairs_whose_paths_overlap(make):
    mesh = make()
    X0 = mesh.rest_positions
    X1 = X0 + np.random.default_rng(3).normal(scale=0.1, size=X0.shape)
    expected = expected_pairs(mesh, boxes_overlap([X0, X1], 0.01))
    candidates = built(mesh, X0, X1, inflation=0.01)
    assert {kind: getattr(candidates, kind).tolist() for kind in KINDS} == expected
    assert candidates == built(mesh, X0=X0, X1=X1, inflation=0.01, method="brute_force")
    assert built(mesh, X0, X0, 0.01) == built(mesh, X0, 0.01) != candidates


def test_candidates_compare_and_describe_themselves():
    mesh = loose()
    empty, some = Candidates(), built(mesh, mesh.rest_positions, 0.1)
    assert empty == Candidates() and empty != some and some == built(mesh, X=mesh.rest_positions, inflation=0.1)
    assert empty != 3 and not (empty == [])
    assert len(empty) == 0 and not empty and some
    counts = ", ".join(f"{len(getattr(some, kind))} {kind}" for kind in (*KINDS, "pv"))
    assert repr(some) == f"<abut.Candidates: {counts}>"
    with pytest.raises(TypeError, match="unhashable"):
        hash(some)


def test_arrays_of_candidates_are_read_only_and_stay():
    mesh = loose()
    candidates = built(mesh, mesh.rest_positions, 0.1)
    arrays = {kind: getattr(candidates, kind) for kind in KINDS}
    copies = {kind: array.copy() for kind, array in arrays.items()}
    for array in arrays.values():
        assert array.dtype == np.int32 and array.shape[1] == 2 and array.flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    candidates.build(mesh, mesh.rest_positions, 0)
    assert len(candidates.fv) < len(arrays["fv"])
    del candidates, mesh
    gc.collect()
    for kind, array in arrays.items():
        assert len(array) > 0
        np.testing.assert_array_equal(array, copies[kind])
    assert Candidates().ee.shape == (0, 2) and Candidates().ee.dtype == np.int32


def test_a_build_that_fails_changes_nothing():
    mesh = loose()
    candidates = built(mesh, mesh.rest_positions, 0.1)
    before = built(mesh, mesh.rest_positions, 0.1)
    with pytest.raises(abut.LimitReached, match="more than 5 .* pairs; .* raise max_pairs"):
        candidates.build(mesh, mesh.rest_positions, 0.5, max_pairs=5)
    assert candidates == before


@pytest.mark.parametrize(
    "options, message",
    [
        ({"inflation": -1e-9}, "inflation: -1e-09 is not between 0"),
        ({"inflation": np.nan}, "inflation: nan is not"),
        ({"inflation": np.inf}, "inflation: inf is not"),
        ({"max_pairs": -1}, "max_pairs: -1 is not between 0"),
        ({"max_pairs": 2**31}, "max_pairs: 2147483648 is not between 0"),
        ({"method": "BVH"}, 'method: expected "bvh" or "brute_force", got "BVH"'),
    ],
)
def test_bad_options_of_candidates_are_rejected_by_name(options, message):
    mesh = loose()
    X = mesh.rest_positions
    for positions in ((X,), (X, X)):
        with pytest.raises(ValueError, match=f"^{message}"):
            Candidates().build(mesh, *positions, **{"inflation": 0.1, **options})


def test_calls_of_build_that_fit_no_signature_are_type_errors():
    mesh = loose()
    X = mesh.rest_positions
    for arguments in ((mesh, X), (mesh, X, X), (mesh, X, X, X), (X, X, 0.1), (mesh, X, 0.1, "bvh"), (mesh, X, "0.1")):
        with pytest.raises(TypeError):
            Candidates().build(*arguments)


# --- Detection ---


@mesh_cases
def test_detection_finds_what_is_in_range(make):
    mesh = make()
    X, reach = mesh.rest_positions, 0.15
    expected = expected_pairs(mesh, lambda a, b: squared_distance(X, a, b) < reach**2)
    detection = Detection(mesh, range=reach)
    assert len(detection) == 0 and detection.num_searches == 0 and detection.smallest_distance == np.inf
    detection.update(X)
    assert {kind: getattr(detection, kind).pairs.tolist() for kind in KINDS} == expected
    assert detection.range == reach and detection.num_searches == 1
    assert len(detection) == sum(map(len, expected.values())) > 0
    elements = {"v": [(v,) for v in range(mesh.num_vertices)], "e": mesh.edges, "f": mesh.faces}
    smallest = np.inf
    for kind in KINDS:
        found = getattr(detection, kind)
        pairs = [(elements[kind[0]][i], elements[kind[1]][j]) for i, j in found.pairs]
        # Several pairs are measured at once, and round in another order: by some ulps of coordinates of 1 m, twice the distance
        exact = np.array([squared_distance(X, *p) for p in pairs])
        assert np.all(np.abs(found.squared_distances - exact) <= 1e-14 * exact + 8e-15 * np.abs(X).max() * np.sqrt(exact))
        smallest = min(smallest, *found.squared_distances, np.inf)
        # Candidates cover what is in range.
        assert set(map(tuple, found.pairs)) <= set(map(tuple, getattr(detection.candidates, kind)))
    assert detection.smallest_distance == np.sqrt(smallest) == abut.compute_minimum_distance(mesh, X)


def test_features_are_those_of_the_geometry():
    mesh = loose()
    X = mesh.rest_positions
    detection = Detection(mesh, range=0.3)
    detection.update(X)
    fv, ee, ev = detection.fv, detection.ee, detection.ev
    _, features = abut.point_triangle_squared_distances(X[fv.pairs[:, 1]], *X[mesh.faces[fv.pairs[:, 0]].T])
    np.testing.assert_array_equal(fv.features, features)
    _, features = abut.edge_edge_squared_distances(*X[mesh.edges[ee.pairs[:, 0]].T], *X[mesh.edges[ee.pairs[:, 1]].T])
    np.testing.assert_array_equal(ee.features, features)
    _, features = abut.point_edge_squared_distances(X[ev.pairs[:, 1]], *X[mesh.edges[ev.pairs[:, 0]].T])
    np.testing.assert_array_equal(ev.features, features)
    assert not detection.vv.features.any() and len(detection.vv) > 0
    assert (fv.features == abut.PointTriangleFeature.face).any()


@mesh_cases
@pytest.mark.parametrize("slack", [0, 0.25, 1])
def test_small_moves_search_no_more_and_find_the_same(make, slack):
    mesh = make()
    rng = np.random.default_rng(4)
    detection = Detection(mesh, range=0.1, slack=slack)
    X = mesh.rest_positions.copy()
    for step in range(20):
        detection.update(X)
        fresh = Detection(mesh, range=0.1)
        fresh.update(X)
        assert all(getattr(detection, kind) == getattr(fresh, kind) for kind in KINDS)
        X += rng.uniform(-1, 1, size=X.shape) * 0.004
    assert detection.num_searches == 20 if slack == 0 else 1 <= detection.num_searches < 20


def test_detected_pairs_are_read_only_and_stay():
    mesh = sheets(6)
    X = mesh.rest_positions
    detection = Detection(mesh, range=0.15)
    detection.update(X)
    fv, candidates = detection.fv, detection.candidates
    arrays = [fv.pairs, fv.squared_distances, fv.features]
    assert [array.dtype for array in arrays] == [np.int32, np.float64, np.uint8]
    assert len(fv) == len(arrays[0]) == len(arrays[1]) == len(arrays[2]) > 0
    copies = [array.copy() for array in arrays]
    for array in arrays:
        assert array.base is fv
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    candidates.build(mesh, X, 0)
    assert detection.candidates != candidates and detection.candidates == detection.candidates
    detection.update(X * 100)
    assert len(detection) == 0 and detection.fv != fv
    assert repr(fv) == f"<abut.DetectedPairs: {len(fv)} pairs>"
    assert repr(detection) == "<abut.Detection: 0 pairs closer than 0.15 m>"
    del detection, fv, mesh, candidates
    gc.collect()
    for array, copied in zip(arrays, copies):
        np.testing.assert_array_equal(array, copied)
    with pytest.raises(TypeError):
        abut.DetectedPairs()


def test_a_detection_keeps_its_mesh_alive():
    class CanCollide:
        def __call__(self, i, j):
            return True

    can_collide = CanCollide()
    alive = weakref.ref(can_collide)
    mesh = sheets(3, filter=can_collide)
    X = mesh.rest_positions.copy()
    detection = Detection(mesh, range=0.2)
    del mesh, can_collide
    gc.collect()
    for _ in range(20):
        sheets(3)
    detection.update(X)
    assert alive() is not None and len(detection) > 0
    del detection
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize(
    "options, message",
    [
        *[({"range": value}, f"range: {value} is not a positive distance") for value in (0, -1, np.nan, np.inf)],
        *[({"slack": value}, f"slack: {value} is not a share") for value in (-1, 11, np.nan)],
    ],
)
def test_bad_options_of_a_detection_are_rejected_by_name(options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Detection(sheets(2), **{"range": 0.1, **options})


def test_a_detection_needs_a_mesh_and_a_range():
    for arguments, options in (((), {"range": 1}), ((sheets(2),), {}), ((sheets(2), 1), {}), ((3,), {"range": 1})):
        with pytest.raises(TypeError):
            Detection(*arguments, **options)


@pytest.mark.parametrize("gap", [0.3, 1e-3, 1e-9])
def test_the_minimum_distance_is_found_at_any_scale(gap):
    mesh = CollisionMesh([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.25, gap, 0.25]], faces=[[0, 1, 2]])
    assert abut.compute_minimum_distance(mesh, mesh.rest_positions) == pytest.approx(gap, rel=1e-12)


def test_without_pairs_there_is_no_minimum_distance():
    mesh = CollisionMesh([[0, 0, 0], [1, 0, 0], [0, 0, 1]], faces=[[0, 1, 2]])
    assert abut.compute_minimum_distance(mesh, mesh.rest_positions) == np.inf


# --- Intersections ---

TRIANGLE = [[0, 0, 0], [3, 0, 0], [0, 0, 3]]


@pytest.mark.parametrize(
    "kind, mesh, pair, location",
    [
        (
            IntersectionKind.edge_face,
            CollisionMesh([*TRIANGLE, [1, -1, 1], [1, 2, 1]], [[3, 4]], [[0, 1, 2]]),
            (0, 0),
            [1, 0, 1],
        ),
        (
            IntersectionKind.edge_edge,
            CollisionMesh([[-1, 0, 1], [2, 0, 1], [0.5, -1, 1], [0.5, 2, 1]], [[0, 1], [2, 3]]),
            (0, 1),
            [0.5, 0, 1],
        ),
        (
            IntersectionKind.edge_edge,
            CollisionMesh([[-1, 0], [2, 0], [0.5, -1], [0.5, 2]], [[0, 1], [2, 3]]),
            (0, 1),
            [0.5, 0, 0],
        ),
        (IntersectionKind.face_vertex, CollisionMesh([*TRIANGLE, [1, 0, 1]], None, [[0, 1, 2]]), (0, 3), [1, 0, 1]),
        (IntersectionKind.edge_vertex, CollisionMesh([[0, 0], [4, 2], [2, 1]], [[0, 1]]), (0, 2), [2, 1, 0]),
        (IntersectionKind.vertex_vertex, CollisionMesh([[1, 2, 3], [0, 0, 0], [1, 2, 3]]), (0, 2), [1, 2, 3]),
    ],
)
def test_every_kind_of_intersection_is_found(kind, mesh, pair, location):
    X = mesh.rest_positions
    (found,) = abut.find_intersections(mesh, X)
    assert found.kind is kind and found.pair == pair
    np.testing.assert_allclose(found.location, location, atol=1e-15)
    assert found.location.shape == (3,)
    assert kind.name in repr(found)
    assert abut.has_intersections(mesh, X) is True
    apart = X.copy()
    apart[(len(X) + 1) // 2 :] += 10.0
    assert abut.find_intersections(mesh, apart) == [] and abut.has_intersections(mesh, apart) is False


def crossing(cells=6, **options):
    """Sheets of which one has come through the other."""
    mesh = sheets(cells, **options)
    X = mesh.rest_positions.copy()
    X[len(X) // 2 :, 1] -= 0.2 * X[len(X) // 2 :, 0] + 0.1
    return mesh, X


def test_crossing_sheets_intersect_where_edges_pass_faces():
    mesh, X = crossing()
    expected = [
        (e, f)
        for e in range(mesh.num_edges)
        for f in range(mesh.num_faces)
        if not set(mesh.edges[e]) & set(mesh.faces[f])
        and abut.segment_intersects_triangle(*X[mesh.edges[e]], *X[mesh.faces[f]])
    ]
    found = abut.find_intersections(mesh, X)
    assert [intersection.pair for intersection in found] == expected and len(expected) > 10
    assert all(intersection.kind is IntersectionKind.edge_face for intersection in found)
    for intersection in found:
        face = X[mesh.faces[intersection.pair[1]]]
        assert abut.point_triangle_squared_distance(intersection.location, *face) < 1e-28


def test_too_many_intersections_are_a_limit():
    mesh, X = crossing()
    count = len(abut.find_intersections(mesh, X))
    assert len(abut.find_intersections(mesh, X, max_count=count)) == count
    for max_count in (0, count - 1):
        with pytest.raises(abut.LimitReached, match=f"more than {max_count}"):
            abut.find_intersections(mesh, X, max_count=max_count)
    assert abut.find_intersections(mesh, mesh.rest_positions, max_count=0) == []
    with pytest.raises(ValueError, match="^max_count: -1 is below 0"):
        abut.find_intersections(mesh, X, max_count=-1)


# --- Positions ---

CALLS = {
    "Candidates.build": lambda mesh, X: Candidates().build(mesh, X, 0.2),
    "Candidates.build of a step": lambda mesh, X: Candidates().build(mesh, X, X, 0.2),
    "find_collision_free_stepsize": lambda mesh, X: abut.find_collision_free_stepsize(mesh, X, X, dmin=0.05),
    "compute_collision_free_stepsize": lambda mesh, X: abut.compute_collision_free_stepsize(mesh, X, X, dmin=0.05),
    "is_step_collision_free": lambda mesh, X: abut.is_step_collision_free(mesh, X, X, dmin=0.05),
    "find_intersections": abut.find_intersections,
    "has_intersections": abut.has_intersections,
    "Detection.update": lambda mesh, X: Detection(mesh, range=0.2).update(X),
    "compute_minimum_distance": abut.compute_minimum_distance,
}
calls = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@calls
def test_bad_positions_are_rejected_by_name(call):
    mesh = sheets(2)
    X = mesh.rest_positions
    broken = X.copy()
    broken[3, 2] = np.nan
    for value, message in [
        (X[:-1], r"expected shape \(18, 3\)"),
        (X[:, :2], r"expected shape \(18, 3\)"),
        (X[0], r"expected an array of shape"),
        (np.zeros((0, 3)), ""),
        (broken, "row 3 has z = nan"),
        (X.astype(bool), "expected .* of real numbers"),
    ]:
        with pytest.raises(ValueError, match=f"^X0?: {message}"):
            call(mesh, value)
    for value in (None, "X", X.astype(object)):
        with pytest.raises(TypeError, match="^X0?: expected an array"):
            call(mesh, value)
    with pytest.raises(TypeError):
        call(abut.generate.box(), X)


# --- Filters that ask Python ---


def by_threes(i, j):
    return (i + j) % 3 == 0


@mesh_cases
def test_callables_and_tables_filter_alike(make):
    def filtered(collision_filter):
        mesh = make(filter=collision_filter)
        X = mesh.rest_positions
        detection = Detection(mesh, range=0.2)
        detection.update(X)
        minimum = abut.compute_minimum_distance(mesh, X)
        return mesh, built(mesh, X, 0.06), [getattr(detection, kind) for kind in KINDS], minimum

    n = make().num_vertices
    table = [(i, j) for i, j in itertools.combinations(range(n), 2) if by_threes(i, j)]
    mesh, candidates, *rest = filtered(by_threes)
    assert (candidates, *rest) == filtered(CollisionFilter.only_pairs(table))[1:]
    expected = expected_pairs(mesh, boxes_overlap([mesh.rest_positions], 0.06), by_threes)
    assert {kind: getattr(candidates, kind).tolist() for kind in KINDS} == expected
    assert 0 < len(candidates) < len(built(make(), mesh.rest_positions, 0.06))


@calls
@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_call_asks_the_callable(call, count):
    askers = set()

    def can_collide(i, j):
        askers.add(threading.get_ident())
        return True

    mesh, X = crossing(filter=can_collide)
    abut.set_num_threads(count)
    call(mesh, X)
    assert 1 <= len(askers) <= count
    if count == 1:
        assert askers == {threading.get_ident()}


@pytest.mark.skipif(os.cpu_count() == 1, reason="there is one hardware thread")
def test_a_callable_is_asked_from_several_threads():
    both_ask = threading.Barrier(2, timeout=60)
    askers = set()

    def can_collide(i, j):
        if threading.get_ident() not in askers:
            askers.add(threading.get_ident())
            both_ask.wait()
        return True

    mesh, unfiltered = sheets(18, gap=0.02, filter=can_collide), sheets(18, gap=0.02)
    abut.set_num_threads(2)
    X = mesh.rest_positions
    assert built(mesh, X, 0.01) == built(unfiltered, X, 0.01)
    assert len(askers) == 2


@calls
@pytest.mark.parametrize("count", [1, 2, 4])
def test_what_a_callable_raises_ends_the_call(call, count):
    class Surprise(Exception):
        pass

    def can_collide(i, j):
        raise Surprise(i, j)

    mesh, X = crossing(cells=30, filter=can_collide)
    abut.set_num_threads(count)
    for _ in range(5):
        with pytest.raises(Surprise):
            call(mesh, X)
    # And the library works on.
    assert abut.has_intersections(*crossing())


def test_a_callable_that_fails_late_leaves_nothing_behind():
    asked = itertools.count()

    def can_collide(i, j):
        if next(asked) > 1000:
            raise ZeroDivisionError
        return True

    mesh = sheets(16, filter=can_collide)
    candidates = Candidates()
    abut.set_num_threads(2)
    with pytest.raises(ZeroDivisionError):
        candidates.build(mesh, mesh.rest_positions, 0.2)
    assert len(candidates) == 0


def test_a_callable_must_answer_true_or_false_in_threads_too():
    mesh, X = crossing(cells=16, filter=lambda i, j: None)
    abut.set_num_threads(2)
    with pytest.raises(TypeError, match="expected True or False, got None"):
        abut.has_intersections(mesh, X)


def test_a_callable_may_call_the_library():
    other, X_other = crossing()
    mesh, X = crossing(cells=4, filter=lambda i, j: abut.has_intersections(other, X_other))
    abut.set_num_threads(2)
    assert abut.has_intersections(mesh, X)


def test_an_update_inside_an_update_is_refused():
    def can_collide(i, j):
        detection.update(X)
        return True

    mesh, X = crossing(filter=can_collide)
    detection = Detection(mesh, range=0.2)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="another update of this Detection is under way"):
            detection.update(X)
    assert len(detection) == 0


def test_a_failed_update_does_not_spoil_the_next():
    fails = False

    def can_collide(i, j):
        if fails:
            raise ZeroDivisionError
        return True

    mesh = sheets(4, filter=can_collide)
    X = mesh.rest_positions
    detection = Detection(mesh, range=0.2)
    detection.update(X)
    before = [getattr(detection, kind) for kind in KINDS]
    fails = True
    with pytest.raises(ZeroDivisionError):
        detection.update(X + 1)
    assert [getattr(detection, kind) for kind in KINDS] == before
    fails = False
    detection.update(X)
    assert [getattr(detection, kind) for kind in KINDS] == before


# --- Threads ---


def test_the_number_of_threads_does_not_change_a_bit():
    mesh, X = crossing(cells=40)
    results = []
    for count in (1, 2, 4):
        abut.set_num_threads(count)
        detection = Detection(mesh, range=0.05)
        detection.update(X)
        found = [(i.kind, i.pair, i.location.tobytes()) for i in abut.find_intersections(mesh, X)]
        pairs = [getattr(detection, kind) for kind in KINDS]
        minimum = abut.compute_minimum_distance(mesh, mesh.rest_positions)
        results.append((built(mesh, X, 0.01), built(mesh, mesh.rest_positions, X, 0), pairs, found, minimum))
    assert results[0] == results[1] == results[2]
    assert len(results[0][0]) > 0 and len(results[0][3]) > 0


@pytest.mark.parametrize(
    "name", ["Candidates.build", "find_collision_free_stepsize", "has_intersections", "Detection.update"]
)
def test_other_threads_run_during_a_call(name):
    abut.set_num_threads(1)
    mesh = sheets(100, gap=0.004)
    X = mesh.rest_positions
    call = {
        "Candidates.build": lambda: Candidates().build(mesh, X, 0.004),
        "find_collision_free_stepsize": lambda: abut.find_collision_free_stepsize(mesh, X, X + 0.01),
        "has_intersections": lambda: abut.has_intersections(mesh, X),
        "Detection.update": lambda: Detection(mesh, range=0.008).update(X),
    }[name]
    assert_others_run_during(call)


def test_a_detection_may_be_read_while_it_is_updated():
    mesh = sheets(20)
    X = mesh.rest_positions
    detection = Detection(mesh, range=0.12)
    detection.update(X)
    sizes = {len(detection)}
    detection.update(X * 100)
    sizes.add(len(detection))
    wrong = []
    done = threading.Event()

    def read():
        while not done.is_set():
            fv, size = detection.fv, len(detection)
            if size not in sizes or not len(fv) == len(fv.pairs) == len(fv.squared_distances) == len(fv.features):
                wrong.append((size, len(fv)))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for k in range(30):
            detection.update(X * (1 if k % 2 else 100))
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not wrong


def test_updates_from_two_threads_are_refused_or_right():
    mesh = sheets(30)
    X = mesh.rest_positions
    detection = Detection(mesh, range=0.05)
    refused, wrong = [], []

    def update():
        for _ in range(20):
            try:
                detection.update(X)
            except RuntimeError as error:
                refused.append(str(error))
            except BaseException as error:
                wrong.append(error)

    threads = [threading.Thread(target=update) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and all("another update" in message for message in refused)
    fresh = Detection(mesh, range=0.05)
    fresh.update(X)
    assert all(getattr(detection, kind) == getattr(fresh, kind) for kind in KINDS)
