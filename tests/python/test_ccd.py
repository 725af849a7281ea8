"""When moving elements first touch: single pairs, and whole meshes."""

import copy
import pickle

import abut
import numpy as np
import pytest
from abut import CcdOutcome, PairKind

# Query, points, distance of the points at one time, dimensions.
QUERIES = {
    "point_point": (abut.point_point_ccd, 2, abut.point_point_squared_distance, (2, 3)),
    "point_edge": (abut.point_edge_ccd, 3, abut.point_edge_squared_distance, (2, 3)),
    "point_triangle": (abut.point_triangle_ccd, 4, abut.point_triangle_squared_distance, (3,)),
    "edge_edge": (abut.edge_edge_ccd, 4, abut.edge_edge_squared_distance, (3,)),
}
CASES = [(name, dim) for name, query in QUERIES.items() for dim in query[3]]

# A motion that meets in the middle of its time and, 1 m apart at the start, covers 2 m.
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
HEAD_ON = {
    "point_point": ([[0, 1, 0], [0, 0, 0]], [[0, -1, 0], [0, 0, 0]]),
    "point_edge": ([[0.25, 1, 0], [0, 0, 0], [1, 0, 0]], [[0.25, -1, 0], [0, 0, 0], [1, 0, 0]]),
    "point_triangle": ([[0.25, 1, 0.25], *TRIANGLE], [[0.25, -1, 0.25], *TRIANGLE]),
    "edge_edge": (
        [[0, 1, -1], [0, 1, 1], [-1, 0, 0], [1, 0, 0]],
        [[0, -1, -1], [0, -1, 1], [-1, 0, 0], [1, 0, 0]],
    ),
}


def assert_just_before(toi, exact, tolerance=1e-9):
    assert exact * (1 - tolerance) <= toi <= exact


@pytest.mark.parametrize("name, dim", CASES)
@pytest.mark.parametrize("dmin", [0, 0.25])
def test_known_times_of_impact(name, dim, dmin):
    start, end = (np.array(points)[:, :dim] for points in HEAD_ON[name])
    result = QUERIES[name][0](*start, *end, dmin=dmin)
    assert result.outcome is CcdOutcome.hit and result.is_clear is False
    assert result.intervals > 0
    assert_just_before(result.toi, (1 - dmin) / 2)


@pytest.mark.parametrize("name, dim", CASES)
def test_what_stays_apart_is_clear(name, dim):
    query = QUERIES[name][0]
    start, end = (np.array(points)[:, :dim] for points in HEAD_ON[name])
    still = query(*start, *start)
    assert still.outcome is CcdOutcome.clear and still.is_clear is True and still.toi == 1
    early = query(*start, *end, tmax=0.4375)
    assert early.is_clear and early.toi == 0.4375


@pytest.mark.parametrize("name, dim", CASES)
def test_what_touches_at_the_start_is_a_hit_at_zero(name, dim):
    query = QUERIES[name][0]
    start, end = (np.array(points)[:, :dim] for points in HEAD_ON[name])
    middle = (start + end) / 2
    assert query(*middle, *end).outcome is CcdOutcome.hit_at_zero
    assert query(*start, *end, dmin=1).outcome is CcdOutcome.hit_at_zero
    assert query(*start, *end, dmin=1).toi == 0


@pytest.mark.parametrize("dim", [2, 3])
def test_times_of_two_points_match_the_quadratic(dim):
    rng = np.random.default_rng(0)
    dmin, hits = 0.7, 0
    for p0, q0, p1, q1 in rng.normal(size=(300, 4, dim)):
        r, v = p0 - q0, (p1 - q1) - (p0 - q0)
        a, b, c = v @ v, r @ v, r @ r - dmin**2
        root = b * b - a * c
        exact = (-b - np.sqrt(root)) / a if root > 0 else np.inf
        result = abut.point_point_ccd(p0, q0, p1, q1, dmin=dmin)
        if c <= 0:
            assert result.outcome is CcdOutcome.hit_at_zero
        elif 0 <= exact <= 1:
            hits += 1
            assert result.outcome is CcdOutcome.hit
            assert_just_before(result.toi, exact, 1e-8)
        else:
            assert result.is_clear
    assert hits > 20


@pytest.mark.parametrize("name, dim", CASES)
def test_times_of_impact_are_never_late(name, dim):
    query, count, squared_distance, _ = QUERIES[name]
    rng = np.random.default_rng(1)
    dmin, outcomes = 0.4, []
    for start, end in rng.normal(size=(100, 2, count, dim)):
        result = query(*start, *end, dmin=dmin)
        outcomes.append(result.outcome)
        times = np.linspace(0, result.toi, 50)
        distances = [np.sqrt(squared_distance(*((1 - t) * start + t * end))) for t in times]
        if result.outcome is not CcdOutcome.hit_at_zero:
            assert min(distances[:-1]) > dmin
        if result.outcome is CcdOutcome.hit:
            assert distances[-1] == pytest.approx(dmin, rel=1e-6)
    assert {CcdOutcome.hit, CcdOutcome.clear} <= set(outcomes)


@pytest.mark.parametrize("name", ["point_point", "point_edge"])
def test_the_plane_is_space_at_height_zero(name):
    query, count, _, _ = QUERIES[name]
    for start, end in np.random.default_rng(2).normal(size=(50, 2, count, 2)):
        flat = query(*start, *end, dmin=0.1)
        lifted = query(*np.pad([*start, *end], ((0, 0), (0, 1))), dmin=0.1)
        assert (flat.outcome, flat.toi) == (lifted.outcome, lifted.toi)


def test_a_plane_is_met_from_either_side():
    for side in (1, -1):
        result = abut.point_plane_ccd([5, 1 + 2 * side, 7], [5, 1 - 2 * side, 7], [0, 1, 0], [0, 1, 0], dmin=0.5)
        assert result.outcome is CcdOutcome.hit
        assert_just_before(result.toi, 0.375)
    assert abut.point_plane_ccd([0, 2, 0], [9, 2, 9], [0, 1, 0], [0, 1, 0]).is_clear
    assert abut.point_plane_ccd([0, 1, 0], [0, 2, 0], [0, 1, 0], [0, 1, 0]).outcome is CcdOutcome.hit_at_zero


def test_a_tight_limit_of_intervals_is_an_outcome():
    start = [[0, 0, 0], [1, 1e-9, 0], [0, 1, 0], [1, 1, 0]]
    end = [[0, 0, 0], [1, 0, 0], [0, -1, 0], [1, -1, 1]]
    exhausted = abut.edge_edge_ccd(*start, *end, max_intervals=64)
    assert exhausted.outcome is CcdOutcome.exhausted and exhausted.intervals == 64
    assert not exhausted.is_clear and 0.4 < exhausted.toi < 0.5
    assert exhausted.toi <= abut.edge_edge_ccd(*start, *end).toi <= 0.5


def test_a_looser_tolerance_is_earlier_by_about_itself():
    start, end = HEAD_ON["point_triangle"]
    for tolerance in (0.25, 1e-2, 1e-6):
        result = abut.point_triangle_ccd(*start, *end, tolerance=tolerance)
        assert_just_before(result.toi, 0.5, 2 * tolerance)


def test_results_are_plain_and_read_only():
    result = abut.point_point_ccd([0, 1], [0, 0], [0, -1], [0, 0])
    assert repr(result) == f"<abut.CcdResult: hit, toi = {result.toi}, {result.intervals} intervals>"
    assert isinstance(result.toi, float) and isinstance(result.intervals, int)
    for name in ("outcome", "toi", "intervals", "is_clear"):
        with pytest.raises(AttributeError):
            setattr(result, name, 0)
    with pytest.raises(TypeError):
        abut.CcdResult()


@pytest.mark.parametrize("name", ["CcdOutcome", "PairKind", "IntersectionKind"])
def test_enums_are_pickled_and_compare_with_integers(name):
    for i, member in enumerate(getattr(abut, name)):
        assert member == i and pickle.loads(pickle.dumps(member)) is member and copy.deepcopy(member) is member


@pytest.mark.parametrize("name, dim", CASES)
def test_bad_points_are_rejected_by_name(name, dim):
    query = QUERIES[name][0]
    start, end = (np.array(points, dtype=float)[:, :dim] for points in HEAD_ON[name])
    signature = query.__doc__.splitlines()[0]
    names = [argument.split(":")[0].strip() for argument in signature[signature.index("(") + 1 :].split(",")]
    points = [*start, *end]
    for i, point in enumerate(points):
        for bad in (np.nan, np.inf, 1e51):
            broken = point.copy()
            broken[1] = bad
            with pytest.raises(ValueError, match=f"^{names[i]}: y = "):
                query(*points[:i], broken, *points[i + 1 :])
        for bad in (0.0, [1.0], np.zeros((1, dim)), np.zeros(4), []):
            with pytest.raises(ValueError, match=f"^{names[i]}: expected a point"):
                query(*points[:i], bad, *points[i + 1 :])
        with pytest.raises(TypeError, match=f"^{names[i]}: expected a point"):
            query(*points[:i], None, *points[i + 1 :])
        if i > 0:
            with pytest.raises(ValueError, match=f"^{names[i]}: expected "):
                query(*points[:i], np.zeros(5 - dim), *points[i + 1 :])
    with pytest.raises(TypeError):
        query(*points[:-1])
    with pytest.raises(TypeError):
        query(*points, 0.1)


OPTIONS = [
    *[("dmin", value) for value in (-1e-300, -1, np.nan, np.inf)],
    *[("tmax", value) for value in (0, -1, 1 + 1e-15, np.nan, np.inf)],
    *[("tolerance", value) for value in (0, 1, -1, np.nan)],
    *[("max_intervals", value) for value in (63, 0, -1, -(2**40), 2**31)],
]


@pytest.mark.parametrize("option, value", OPTIONS)
def test_bad_options_are_rejected_by_name(option, value):
    start, end = HEAD_ON["edge_edge"]
    with pytest.raises(ValueError, match=f"^{option}: {value}".replace("+", r"\+")):
        abut.edge_edge_ccd(*start, *end, **{option: value})
    with pytest.raises(ValueError, match=f"^{option}: "):
        abut.point_plane_ccd([0, 1, 0], [0, 2, 0], [0, 0, 0], [0, 1, 0], **{option: value})


def test_options_of_other_types_are_type_errors():
    start, end = HEAD_ON["edge_edge"]
    for options in ({"dmin": "0"}, {"tmax": None}, {"max_intervals": 100.5}, {"min_distance": 0}):
        with pytest.raises(TypeError):
            abut.edge_edge_ccd(*start, *end, **options)


def test_a_normal_must_have_unit_length():
    for normal in ([0, 2, 0], [0, 0, 0]):
        with pytest.raises(ValueError, match="^unit_normal: its length is [02], not 1"):
            abut.point_plane_ccd([0, 1, 0], [0, 2, 0], [0, 0, 0], normal)
    with pytest.raises(ValueError, match="^unit_normal: y = nan"):
        abut.point_plane_ccd([0, 1, 0], [0, 2, 0], [0, 0, 0], [0, np.nan, 0])


# --- Steps of meshes ---


def boxes(gap):
    """A unit box above a larger one, `gap` apart, and its vertices."""
    below = abut.generate.box(size=(2, 2, 2))
    above = abut.generate.box().translated([0.1, 1.5 + gap, 0.2])
    return abut.CollisionMesh(below.joined(above)), range(8, 16)


def moved(mesh, vertices, offset):
    X = mesh.rest_positions.copy()
    X[vertices] += offset
    return X


def test_a_falling_box_stops_before_the_one_below():
    mesh, above = boxes(gap=1)
    X0, X1 = mesh.rest_positions, moved(mesh, above, [0, -2, 0])
    limit = abut.find_collision_free_stepsize(mesh, X0, X1)
    # Contact is at one half of the step; the box may use up 0.8 of its distance.
    assert_just_before(limit.step, 0.4, 0.011)
    assert limit.kind is PairKind.face_vertex
    face, vertex = limit.pair
    assert X0[mesh.faces[face], 1].tolist() == [1, 1, 1] and X0[vertex, 1] == 2
    assert limit.initial_distance == pytest.approx(1)
    assert limit.is_cut_by_max_pairs is False
    assert limit.num_pairs > 0 and limit.num_intervals >= limit.num_pairs
    assert "face_vertex" in repr(limit)
    assert abut.compute_collision_free_stepsize(mesh, X0, X1) == limit.step
    assert abut.is_step_collision_free(mesh, X0, X0 + limit.step * (X1 - X0)) is True
    assert abut.is_step_collision_free(mesh, X0, X1) is False


def test_options_of_a_step():
    mesh, above = boxes(gap=1)
    X0, X1 = mesh.rest_positions, moved(mesh, above, [0, -2, 0])
    fine = abut.compute_collision_free_stepsize(mesh, X0, X1, dmin=0.5, rescaling=0.5, tolerance=1e-6)
    assert_just_before(fine, 0.125, 1e-5)
    assert abut.is_step_collision_free(mesh, X0, X0 + 0.2 * (X1 - X0), dmin=0.5)
    assert not abut.is_step_collision_free(mesh, X0, X0 + 0.3 * (X1 - X0), dmin=0.5)


def test_a_free_step_is_whole():
    mesh, above = boxes(gap=1)
    limit = abut.find_collision_free_stepsize(mesh, mesh.rest_positions, moved(mesh, above, [5, 1, 0]))
    assert (limit.step, limit.kind, limit.pair) == (1, PairKind.none, (-1, -1))


def test_a_mesh_in_contact_cannot_step():
    mesh, above = boxes(gap=0)
    X0, X1 = mesh.rest_positions, moved(mesh, above, [0, -1, 0])
    assert abut.compute_collision_free_stepsize(mesh, X0, X1) == 0
    assert not abut.is_step_collision_free(mesh, X0, X0)


def test_curves_in_the_plane_step_too():
    mesh = abut.CollisionMesh([[0, 0], [1, 0], [0.5, 1], [0.5, 3]], [[0, 1], [2, 3]])
    limit = abut.find_collision_free_stepsize(mesh, mesh.rest_positions, moved(mesh, [2, 3], [0, -2]))
    assert_just_before(limit.step, 0.4, 0.011)
    assert (limit.kind, limit.pair) == (PairKind.edge_vertex, (0, 2))


def test_loose_points_step_too():
    mesh = abut.CollisionMesh([[0.0, 0, 0], [1, 0, 0]])
    limit = abut.find_collision_free_stepsize(mesh, [[0, 0, 0], [1, 0, 0]], [[2, 0, 0], [1, 0, 0]])
    assert (limit.kind, limit.pair) == (PairKind.vertex_vertex, (0, 1))
    assert_just_before(limit.step, 0.4, 0.011)


def test_pairs_that_the_filter_excludes_do_not_limit_a_step():
    mesh, above = boxes(gap=1)
    mesh = abut.CollisionMesh(
        mesh.rest_positions, faces=mesh.faces, filter=lambda i, j: (i in above) == (j in above)
    )
    X0, X1 = mesh.rest_positions, moved(mesh, above, [0, -2, 0])
    assert abut.compute_collision_free_stepsize(mesh, X0, X1) == 1
    assert abut.is_step_collision_free(mesh, X0, X1)


def test_a_step_across_too_many_pairs_is_cut():
    line = np.arange(200.0)[:, None] * [1.0, 0, 0]
    mesh = abut.CollisionMesh(line)
    limit = abut.find_collision_free_stepsize(mesh, line, line + [400, 0, 0], max_pairs=50)
    assert limit.is_cut_by_max_pairs is True and limit.kind is PairKind.none
    assert 0 < limit.step < 1 and limit.num_pairs <= 3 * 50
    assert abut.find_collision_free_stepsize(mesh, line, line + [400, 0, 0]).step == 1
    crowd = abut.CollisionMesh(np.random.default_rng(0).normal(size=(50, 3)))
    with pytest.raises(abut.LimitReached, match="raise max_pairs"):
        abut.compute_collision_free_stepsize(crowd, crowd.rest_positions, -crowd.rest_positions, dmin=9, max_pairs=5)


def sheets(cells):
    """Two wavy sheets of cloth above each other, and positions in which they have passed through each other."""
    cloth = abut.generate.cloth(cells=(cells, cells))
    data = cloth.joined(cloth.translated([0, 0.1, 0]))
    noise = np.random.default_rng(7).normal(scale=0.2 / cells, size=data.vertices.shape)
    X0 = data.vertices + 0.1 * noise
    X1 = X0 + noise
    X1[len(X0) // 2 :, 1] -= 0.2
    return abut.CollisionMesh(data), X0, X1


def test_the_number_of_threads_does_not_change_a_step():
    mesh, X0, X1 = sheets(40)
    found = []
    for count in (1, 2, 4):
        abut.set_num_threads(count)
        limit = abut.find_collision_free_stepsize(mesh, X0, X1)
        found.append([getattr(limit, name) for name in dir(limit) if not name.startswith("_")])
    assert found[0] == found[1] == found[2]
    assert 0 < abut.compute_collision_free_stepsize(mesh, X0, X1) < 1


STEPS = [abut.find_collision_free_stepsize, abut.compute_collision_free_stepsize, abut.is_step_collision_free]


@pytest.mark.parametrize("function", STEPS)
@pytest.mark.parametrize("name", ["X0", "X1"])
def test_bad_positions_of_a_step_are_rejected_by_name(function, name):
    mesh, _ = boxes(gap=1)
    X = mesh.rest_positions
    broken = X.copy()
    broken[3, 2] = np.nan
    for value, message in [
        (X[:-1], r"expected shape \(16, 3\)"),
        (X[:, :2], r"expected shape \(16, 3\)"),
        (X[0], r"expected an array of shape"),
        (np.zeros((0, 3)), ""),
        (broken, "row 3 has z = nan"),
        (X * 1j, "expected .* of real numbers"),
    ]:
        with pytest.raises(ValueError, match=f"^{name}: {message}"):
            function(mesh, **{"X0": X, "X1": X, name: value})
    with pytest.raises(TypeError, match=f"^{name}: "):
        function(mesh, **{"X0": X, "X1": X, name: None})
    with pytest.raises(TypeError):
        function(abut.generate.box(), X, X)


@pytest.mark.parametrize(
    "option, value",
    [
        *[("dmin", value) for value in (-1, np.nan, np.inf)],
        *[("rescaling", value) for value in (0, 1, -1, np.nan)],
        *[("tolerance", value) for value in (0, 1, np.nan)],
        *[("max_pairs", value) for value in (0, -1)],
    ],
)
def test_bad_options_of_a_step_are_rejected_by_name(option, value):
    mesh, _ = boxes(gap=1)
    X = mesh.rest_positions
    for function in STEPS if option == "dmin" else STEPS[:2]:
        with pytest.raises(ValueError, match=f"^{option}: {value} is"):
            function(mesh, X, X, **{option: value})
