"""OGC's contacts, bounds and cut steps, against slow answers of numpy."""

import itertools

import abut
import numpy as np
import pytest
from abut import BarrierPotential, CollisionMesh, CollisionSetType, Truncation, TrustRegion
from contact_scenes import DHAT, SCENES, built, large, space, touching
from other_threads import assert_others_run_during

scenes = pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)


def region_at(mesh, dhat=DHAT, *arguments, **options):
    region = TrustRegion(mesh, dhat, *arguments, **options)
    region.update(mesh.rest_positions)
    return region


def distance(X, a, b):
    """Of two elements given by their vertices."""
    points = X[list(a) + list(b)]
    name = {(1, 1): "point_point", (1, 2): "point_edge", (2, 2): "edge_edge", (1, 3): "point_triangle"}
    return np.sqrt(getattr(abut, name[len(a), len(b)] + "_squared_distance")(*points))


def expected_bounds(mesh, X, query_radius):
    """By the definition: a vertex shares 0.45 of the smallest distance of all pairs whose elements it is a corner of."""
    smallest = np.full(mesh.num_vertices, query_radius)
    V, E, F = [(v,) for v in range(mesh.num_vertices)], list(map(tuple, mesh.edges)), list(map(tuple, mesh.faces))
    loose = [(v,) for v in mesh.codim_vertices]
    pairs = list(itertools.combinations(loose, 2))
    if mesh.dim == 2:
        pairs += itertools.product(V, E)
    else:
        pairs += list(itertools.combinations(E, 2)) + list(itertools.product(V, F))
        pairs += itertools.product(loose, [E[e] for e in mesh.codim_edges])
    for a, b in pairs:
        if not set(a) & set(b):
            corners = list(a + b)
            smallest[corners] = np.minimum(smallest[corners], distance(X, a, b))
    for point, normal in mesh.planes:
        smallest = np.minimum(smallest, 2 * (X - np.asarray(point)) @ np.asarray(normal))
    return 0.45 * smallest


@scenes
def test_bounds_are_those_of_all_pairs(make):
    mesh = make()
    X = mesh.rest_positions
    region = region_at(mesh, query_radius=0.5)
    np.testing.assert_allclose(region.bounds, expected_bounds(mesh, X, 0.5), atol=1e-13)
    assert region.query_radius == 0.5 and region.num_updates == 1
    np.testing.assert_array_equal(region.centers, X)
    assert region.collisions == built(mesh, set_type=CollisionSetType.OGC)
    assert region.vertex_distances.shape == (mesh.num_vertices,)
    assert region.edge_distances.shape == (mesh.num_edges,)
    assert region.face_distances.shape == (mesh.num_faces,)
    assert region.plane_distances.shape == (mesh.num_vertices,)
    for distances in (region.vertex_distances, region.edge_distances, region.face_distances, region.plane_distances):
        assert (distances <= 0.5).all() and (distances > 0).all()

    detection = abut.Detection(mesh, range=0.5)
    detection.update(X)
    other = TrustRegion(mesh, DHAT)
    other.update(detection, X)
    np.testing.assert_array_equal(other.bounds, region.bounds)
    assert other.collisions == region.collisions


@scenes
@pytest.mark.parametrize("truncation", Truncation)
def test_cut_steps_pass_through_nothing(make, truncation):
    mesh = make()
    X, rng = mesh.rest_positions, np.random.default_rng(1)
    region = region_at(mesh, truncation=truncation)
    assert not abut.has_intersections(mesh, X)
    for k in range(12):
        if k % 3 == 0:
            region.update(X)
        dx = rng.normal(scale=0.1, size=X.shape)
        step = region.truncate(X, dx)
        assert 0 < step.num_truncated <= len(X) and step.scale == 1 and step.slope == 0
        moved = np.linalg.norm(X + step.dx - region.centers, axis=1)
        limit = region.bounds if truncation != Truncation.PLANES else 0.45 * region.query_radius
        assert (moved <= limit + 1e-14).all()
        assert abut.is_step_collision_free(mesh, X, X + step.dx)
        X = X + step.dx
        assert not abut.has_intersections(mesh, X)


def test_a_projected_step_ends_at_the_nearest_point_of_the_region():
    mesh = space()
    region, X = region_at(mesh), mesh.rest_positions
    dx = np.random.default_rng(2).normal(scale=0.05, size=X.shape)
    length = np.linalg.norm(dx, axis=1)
    expected = dx * np.minimum(1, region.bounds / length)[:, None]
    step = region.truncate(X, dx)
    np.testing.assert_allclose(step.dx, expected, atol=1e-15)
    assert step.num_truncated == (length > region.bounds).sum()
    scale, vertex = region.largest_scale(X, dx)
    assert scale == pytest.approx((region.bounds / length).min()) and vertex == (region.bounds / length).argmin()
    assert region.largest_scale(X, 0 * dx) == (1.0, -1)


def test_a_step_descends_after_it_was_cut():
    X = np.array([[0, 0, 0], [0.1, 0, 0], [9, 0, 0]])
    region = region_at(CollisionMesh(X), 1.0)
    dx = np.array([[-1, 0, 0], [1, 0, 0], [0.5, 0, 0]])
    gradient = np.array([1, 0, 0, -1, 0, 0, 1, 0, 0])
    assert gradient @ region.truncate(X, dx).dx.ravel() > 0
    step = region.truncate(X, dx, gradient)
    assert step.slope == pytest.approx(gradient @ step.dx.ravel()) and step.slope < 0
    np.testing.assert_allclose(step.dx, step.scale * dx, atol=1e-16)
    assert repr(step) == f"<abut.TruncatedStep: 2 of 3 vertices cut, scale {step.scale}>"


def test_cutting_many_vertices_asks_for_an_update():
    mesh = space()
    region = TrustRegion(mesh, DHAT, max_truncated_share=0.5)
    assert region.needs_update and region.num_updates == 0 and region.query_radius == 0 and region.bounds.size == 0
    X = mesh.rest_positions
    region.update(X)
    assert not region.needs_update
    dx = np.zeros_like(X)
    dx[0] = 1
    region.truncate(X, dx)
    assert not region.needs_update
    region.truncate(X, dx + 1)
    assert region.needs_update
    region.update(X)
    assert not region.needs_update
    assert repr(region) == f"<abut.TrustRegion: {len(X)} vertices, dhat {DHAT} m, 2 updates>"


def test_a_warm_start_is_cut_to_the_regions():
    mesh = space()
    X = mesh.rest_positions
    region = TrustRegion(mesh, DHAT, query_radius=0.2, max_query_radius=0.3)
    start = region.warm_start(X, X + [0, -0.15, 0])
    assert region.query_radius == pytest.approx(DHAT + 0.15)
    np.testing.assert_allclose(start - X, -np.minimum(region.bounds, 0.15)[:, None] * [0, 1, 0], atol=1e-15)
    region.warm_start(X, X - 5)
    assert region.query_radius == 0.3


def test_the_list_stays_frozen_between_updates():
    mesh = space()
    X = mesh.rest_positions
    region = region_at(mesh)
    barrier = BarrierPotential(DHAT, 1e3, law="two_stage", distance="plain")
    collisions = region.collisions
    Y = X + region.truncate(X, np.random.default_rng(3).normal(size=X.shape)).dx
    assert region.collisions == collisions
    assert barrier(collisions, mesh, Y) != barrier(collisions, mesh, X) and np.isfinite(barrier(collisions, mesh, Y))
    region.update(Y)
    assert region.collisions != collisions and collisions == built(mesh, set_type=CollisionSetType.OGC)


def test_regions_and_sets_have_the_dimension_of_the_mesh():
    for make in SCENES.values():
        mesh = make()
        assert region_at(mesh).centers.shape == mesh.rest_positions.shape
        assert len(built(mesh, set_type=CollisionSetType.OGC)) < len(built(mesh))


def test_bad_input_is_rejected():
    mesh = space()
    X = mesh.rest_positions
    cases = {
        "dhat": {"dhat": 0},
        "dmin": {"dmin": -1},
        "query_radius": {"query_radius": DHAT / 2},
        "max_query_radius": {"max_query_radius": DHAT},
        "relaxation": {"relaxation": 0.5},
        "max_truncated_share": {"max_truncated_share": -0.1},
    }
    for name, options in cases.items():
        with pytest.raises(ValueError, match=f"^{name}: "):
            TrustRegion(mesh, **{"dhat": DHAT, **options})
    with pytest.raises(TypeError, match="truncation: expected a member of abut.Truncation, got 'SCALE'"):
        TrustRegion(mesh, DHAT, truncation="SCALE")
    region = TrustRegion(mesh, DHAT)
    with pytest.raises(ValueError, match="no regions before the first update"):
        region.truncate(X, X)
    region.update(X)
    with pytest.raises(ValueError, match="X: vertex 0 is .* from where the last update was"):
        region.truncate(X + 1, X)
    with pytest.raises(ValueError, match="^dx: "):
        region.truncate(X, X[:-1])
    with pytest.raises(ValueError, match="^gradient: "):
        region.truncate(X, X, X[0])
    detection = abut.Detection(mesh, range=DHAT / 2)
    detection.update(X)
    with pytest.raises(ValueError, match="^detection: its range"):
        region.update(detection, X)
    contact = touching()
    with pytest.raises(abut.InvalidStart, match="face 0 and vertex 3"):
        TrustRegion(contact, DHAT).update(contact.rest_positions)
    assert region.num_updates == 1


def test_other_threads_run_during_an_update():
    mesh = large()
    region = TrustRegion(mesh, 0.006)
    assert_others_run_during(lambda: region.update(mesh.rest_positions))


def test_a_region_that_is_at_work_says_so():
    region = None

    def asks_the_region(i, j):
        with pytest.raises(RuntimeError, match="at work in another call"):
            region.update(X)
        return True

    X = space().rest_positions[:4]
    mesh = CollisionMesh(X, faces=[[0, 1, 2]], filter=asks_the_region)
    region = TrustRegion(mesh, 5.0)
    region.update(X)
    assert region.num_updates == 1
