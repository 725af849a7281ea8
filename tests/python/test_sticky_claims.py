"""Claims of "Augmented Incremental Potential Contact for Sticky Interactions" that hold on small scenes; docs/claims.md has the numbers."""

import pytest
import sticky_scenes as scenes


def test_plates_pull_hardest_at_dhat_p_and_no_more_from_dhat_a_on():
    curve, _ = scenes.plates("plates_pull", 110, 2e-3)
    gap, force = curve[:, 0], curve[:, 1]
    # Steps are of 0.02 mm; areas of vertices at the rim include a share of the sides, 0.0125 m² for 0.01 m².
    assert gap[force.argmax()] == pytest.approx(scenes.PLATES["dhat_p"], rel=0.05)
    assert force.max() == pytest.approx(scenes.PLATES["strength"] * 0.0125, rel=0.05)
    assert gap[force == 0].min() == pytest.approx(scenes.PLATES["dhat_a"], rel=0.05)


def test_plates_are_peeled_from_their_ends_with_less_force():
    curve, fronts = scenes.plates("plates_peel", 50, 2e-2)
    assert 50 < curve[:, 1].max() < 150, "243 N, where all bonds pull at once"
    assert curve[-1, 1] == 0
    assert fronts[0] > 0.09 and all(later <= earlier + 1e-9 for earlier, later in zip(fronts, fronts[1:]))
    assert fronts[fronts > 0][-1] < 0.06


@pytest.mark.parametrize("cells", [4, 8])
@pytest.mark.parametrize("youngs_modulus", [1e4, 1e5, 1e6])
def test_a_block_comes_off_at_its_critical_strain(youngs_modulus, cells):
    # Steps are of a strain of 0.0015; the claim is 10 %.
    assert scenes.detachment_strain(youngs_modulus, cells) == pytest.approx(0.1, rel=0.03)


def test_a_tape_peels_at_a_right_angle():
    rows, angles = scenes.tape("tape_peel")
    assert sorted(angles) == [0.2, 0.4, 0.6, 0.8]
    assert all(75 < angle < 105 for angle in angles.values())
    assert rows[:, 2].max() < 0.5, "little force along the desk"
