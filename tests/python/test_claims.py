"""Claims of "Geometric Contact Potential" that hold on small scenes; docs/claims.md has the numbers."""

import claims_scenes as scenes
import pytest


def test_nothing_acts_at_rest_where_ipc_does():
    for name, _, energy, force, ipc_pairs, ipc_pressure in scenes.rest():
        assert energy == 0 and force == 0, name
        assert ipc_pairs > 0 and ipc_pressure > 0, name


def test_nothing_moves_at_rest_where_ipc_does():
    for name, results in scenes.rest_simulations(steps=3):
        iterations, moved = results["gcp"]
        assert moved == 0, name
        # None; where elastic forces are zero to rounding only, one a step.
        assert iterations == {"two blocks 2 cm apart": 0}.get(name, 3), name
        assert results["ipc"][1] > 1e-6, name


def test_nothing_acts_in_a_squeezed_cube():
    energy, force, ipc_pairs_at_rest, ipc_pairs, ipc_pressure = scenes.compression()
    assert energy == 0 and force == 0
    assert ipc_pairs_at_rest == 0 and ipc_pairs > 0 and ipc_pressure > 0


def test_nothing_acts_through_a_thin_wall():
    thickness, energy, force, ipc_pairs, _ = scenes.balloon()
    assert thickness < 0.01
    assert energy == 0 and force == 0 and ipc_pairs > 0


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
    values = [scenes.energy_with_lengths(*make(level), 0.2) for level in (4, 5, 6)]
    changes = [abs(b / a - 1) for a, b in zip(values, values[1:])]
    assert changes[1] < 0.03
    assert changes[1] < changes[0]


def test_a_corner_stops_at_the_same_gap_on_every_mesh():
    rows = scenes.corner_into_plane(False, levels=(1, 2, 3), share=0.01)
    gcp, convergent = ([row[k] for row in rows] for k in (1, 2))
    assert max(gcp) < 1.001 * min(gcp)
    assert convergent[-1] < 0.1 * convergent[0]
