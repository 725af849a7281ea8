"""Claims of "Geometric Contact Potential" that hold on small scenes; docs/claims.md has the numbers."""

import claims_meshes
import claims_scenes as scenes
import numpy as np
import pytest
from abut import CollisionMesh


def test_nothing_acts_at_rest_where_ipc_does():
    for name, _, energy, force, ipc_pairs, ipc_pressure in scenes.rest():
        assert energy == 0 and force == 0, name
        assert ipc_pairs > 0 and ipc_pressure > 0, name


def test_meshes_of_claims_are_closed_and_as_large_as_they_should_be():
    # Of the block: the core, plates on its faces, quarters of rods along its edges, eighths of balls at its corners
    block = 0.8**3 + 6 * 0.8**2 * 0.1 + 3 * 0.8 * np.pi * 0.1**2 + 4 / 3 * np.pi * 0.1**3
    meshes = [
        (claims_meshes.hollow_ball(0.4, 0.5, subdivisions=2, layers=2), 4 / 3 * np.pi * (0.5**3 - 0.4**3), 2),
        (claims_meshes.cross(), 0.2 * (2 * 0.2 * np.sqrt(2) - 0.2**2), 1),
        (claims_meshes.fillet_block(), block, 1),
    ]
    for mesh, volume, surfaces in meshes:
        components = CollisionMesh(mesh).components
        assert [part.is_closed_and_oriented for part in components] == [True] * surfaces
        a, b, c, d = (mesh.vertices[mesh.tets[:, k]] for k in range(4))
        volumes = (np.cross(b - a, c - a) * (d - a)).sum(axis=1) / 6
        assert volumes.min() > 0
        assert 0.94 * volume < volumes.sum() < 1.0001 * volume  # round surfaces are inscribed


def test_nothing_moves_at_rest_where_ipc_does():
    for name, _, results in scenes.rest_simulations(steps=3):
        iterations, moved = results["gcp"]
        assert moved == 0, name
        assert iterations == 0, name
        assert results["ipc"][1] > 1e-3, name


@pytest.mark.parametrize(
    "simulate, dhat, thinnest, thickest",
    # A third of 0.18 m, with cells as high as a third of 0.03 m; and a wall well below dhat
    [(scenes.squeezed_cube, 0.0125, 0.0593, 0.0595), (scenes.balloon, 0.02, 0.01, 0.012)],
)
def test_nothing_acts_within_a_body_that_becomes_thin(simulate, dhat, thinnest, thickest):
    force, pairs, length = simulate(scenes.contact("gcp", dhat, alpha_t=0.1))
    assert force == 0 and pairs == 0
    assert thinnest < length < thickest
    ipc_force, ipc_pairs, _ = simulate(scenes.contact("ipc", dhat))
    assert ipc_force > 1 and ipc_pairs > 0


def test_force_at_cusps_that_close_is_below_ipcs():
    steps = 18
    names = ("GCP, alpha 0.1", "IPC", "convergent IPC")
    runs = [scenes.cusp_compression(scenes.CUSP_MODELS[name], steps) for name in names]
    for k in (16, 17):  # at 34 and 36 %
        ours, *others = (run[k][0] for run in runs)
        assert 0 < ours < 0.6 * min(others)
    # The walls do not need it yet
    assert scenes.cusp_compression({"model": "none"}, steps)[-1][1] > 1


def test_force_at_a_cusp_is_below_ipcs():
    forces = scenes.cusp()
    assert forces["GCP, alpha 0.1"] < 0.01 * min(forces["IPC"], forces["convergent IPC"])
    assert forces["GCP, alpha 0.1"] <= forces["GCP, alpha 0.5"] <= forces["GCP, alpha 0.8"]


def test_a_block_slides_less_off_a_cliffs_edge():
    results = scenes.cliff_edge(steps=50)
    slid = {model: sideways for model, (sideways, _) in results.items()}
    assert slid["gcp"] < 0.5 * min(slid["ipc"], slid["convergent_ipc"])
    assert all(0.15 < height < 0.165 for _, height in results.values())  # and all still lie on it


def test_pairs_are_fewer_than_ipcs_and_fall_with_alpha():
    for _, ipc, convergent, *gcp in scenes.pair_counts():
        assert ipc < convergent
        assert gcp[0] < ipc
        assert gcp == sorted(gcp, reverse=True)
        assert gcp[-1] > 0


@pytest.mark.parametrize("make", [scenes.circles, scenes.corner_over_block])
def test_energy_converges_under_refinement(make):
    values = [scenes.energy_with_sharp_length(make(level), scenes.SHARP, 0.2) for level in (4, 5, 6)]
    changes = [abs(b / a - 1) for a, b in zip(values, values[1:])]
    assert changes[1] < 0.03
    assert changes[1] < changes[0]


def test_a_corner_stops_at_the_same_gap_on_every_mesh():
    rows = scenes.corner_into_plane(False, levels=(1, 2, 3), share=0.01)
    gcp, convergent = ([row[k] for row in rows] for k in (1, 2))
    assert max(gcp) < 1.001 * min(gcp)
    assert convergent[-1] < 0.1 * convergent[0]


def test_the_tip_of_a_square_bounces_off_a_plane_in_the_same_way_on_every_mesh():
    heights = np.array(
        [scenes.corner_impact(scenes.IMPACT_MODELS["GCP"], n, 1e7, steps=26)[:, 0] for n in (5, 10, 20, 40)]
    )
    turn = heights.argmin(axis=1)
    assert (turn == turn[0]).all() and 0 < turn[0] < 25
    assert np.ptp(heights, axis=0).max() < 0.01 * heights.min()


@pytest.mark.parametrize("r", [1, 2])
def test_a_corner_stops_at_the_same_gap_where_edges_are_shorter_than_it(r):
    gaps = [row[1] for row in scenes.corner_into_plane(True, levels=(3, 4), share=0.5, r=r)]
    assert gaps[0] == pytest.approx(0.1, rel=1e-6)
    assert gaps[1] == pytest.approx(gaps[0], rel=1e-3)


@pytest.mark.parametrize("r", [1, 2])
def test_the_tip_of_a_hard_square_takes_the_same_way_where_edges_are_shorter_than_its_gap(r):
    def heights(model):
        return np.array([scenes.corner_impact(model, n, 1e11, steps=90, dt=1e-5)[:, 0] for n in (20, 40)])

    def difference(heights):
        return np.ptp(heights, axis=0).max() / heights.min()

    model = scenes.sharp_impact_model(0.2, r)
    sharp = heights(model)
    assert (sharp.argmin(axis=1) < 85).all()  # it turns
    assert difference(sharp) < 0.015
    assert difference(heights(dict(model, feature_length="edge_length"))) > 0.1


def test_a_larger_extent_takes_fewer_iterations():
    (_, small, _), (_, large, _) = scenes.extents(dhats=(0.001, 0.01), alphas=(0.5,))
    assert large < 0.9 * small
