"""The books of a step from Python: energies, momentum, forces between bodies, blocked scripts."""

import copy
import pickle

import abut
import numpy as np
import pytest
from abut import Scene, Simulation, SimulationState

GRAVITY = 9.81


def cube(height, **changes):
    """A cube of 0.2 m and 8 kg."""
    return {
        "name": f"cube at {height}",
        "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [1, 1, 1]},
        "transform": {"translate": [0, height, 0]},
        "material": {"youngs_modulus": 1e6},
        **changes,
    }


def simulation(*objects, **changes):
    floor = [{"point": [0, 0, 0], "normal": [0, 1, 0]}]
    return Simulation(Scene.from_json({"format": 1, "planes": floor, "objects": list(objects), **changes}))


def test_free_fall_loses_what_implicit_euler_loses():
    falling = simulation(cube(5))
    report = falling.step()
    drop = GRAVITY * 0.01**2
    assert report.balance.kinetic == pytest.approx(0.5 * 8 * (GRAVITY * 0.01) ** 2)
    assert report.balance.gravity == pytest.approx(8 * GRAVITY * (5 - drop))
    assert report.balance.gain == pytest.approx(-0.5 * 8 * (GRAVITY * 0.01) ** 2)
    assert report.balance.momentum_defect < 1e-12
    assert report.balance.script_work == report.balance.friction_loss == 0
    assert report.forces == []


def test_forces_between_bodies_carry_their_weights():
    stack = simulation(cube(0.1001), cube(0.3003), contact={"friction": {"mu": 0.3}}, solver={"tolerance": 1e-6},
                       time={"integrator": "quasi_static"})
    report = stack.step()
    assert report.converged, report.message
    (by_plane, by_upper) = report.forces
    assert by_plane[:2] == (0, -1) and by_upper[:2] == (0, 1)
    for _, _, contact, friction, *_ in report.forces:
        assert contact.shape == friction.shape == (3,)
    assert by_plane[2][1] == pytest.approx(16 * GRAVITY, rel=1e-3)
    assert by_upper[2][1] == pytest.approx(-8 * GRAVITY, rel=1e-3)
    forces = stack.contact_forces()
    lower = forces[: stack.object_starts[1]].sum(axis=0)
    assert by_plane[2] + by_upper[2] == pytest.approx(lower, abs=1e-9)
    assert report.balance.kinetic == 0


def test_friction_takes_energy():
    sliding = simulation(cube(0.1001, velocity=[1, 0, 0]), contact={"friction": {"mu": 0.3}})
    reports = [sliding.step() for _ in range(10)]
    assert all(report.balance.friction_loss >= 0 for report in reports)
    assert sum(report.balance.friction_loss for report in reports) > 0.1
    (force,) = reports[-1].forces
    assert force[3][0] < 0, "friction is against the motion"


def test_scripts_work():
    pulled = simulation(cube(1), gravity=[0, 0, 0], scripts=[{"object": "cube at 1", "velocity": [0.5, 0, 0]}])
    report = pulled.step()
    assert report.converged
    # From rest to 0.5 m/s in a step: the kinetic energy, and as much again that implicit Euler loses.
    assert report.balance.script_work == pytest.approx(2 * 0.5 * 8 * 0.5**2, rel=0.05)


def test_the_plane_has_forces_of_two_numbers():
    flat = Simulation(Scene.from_json({
        "format": 1,
        "planes": [{"point": [0, 0], "normal": [0, 1]}],
        "objects": [{"geometry": {"generate": "rectangle", "size": [0.2, 0.1], "cells": [2, 1]},
                     "transform": {"translate": [0, 0.0501]}}],
    }))
    for _ in range(5):
        report = flat.step()
    ((body, other, contact, friction, *_),) = report.forces
    assert (body, other) == (0, -1) and contact.shape == friction.shape == (2,) and contact[1] > 0


def blocked():
    """A press whose way is longer than what it presses lets it go."""
    press = {"name": "press", "kind": "obstacle", "transform": {"translate": [0, 0.2005, 0]},
             "geometry": {"generate": "plane_grid", "size": [0.5, 0.5], "cells": [2, 2]}}
    return simulation(cube(0.1001, material={"youngs_modulus": 1e9}), press,
                      scripts=[{"object": "press", "velocity": [0, -0.02, 0]}], solver={"max_blocked_steps": 5})


def test_a_blocked_script_is_counted_in_the_state():
    pressing = blocked()
    assert pressing.state().blocked_steps == 0
    for _ in range(200):
        before, report = pressing.state(), pressing.step()
        if not report.converged:
            break
    assert report.outcome == "script_blocked" and "'press'" in report.message and report.script_lag > 0
    assert pressing.state().blocked_steps == 5 and before.blocked_steps == 4
    for through in (pickle.loads(pickle.dumps(before)), copy.copy(before)):
        assert through == before and through.blocked_steps == 4
        again = blocked()
        again.set_state(through)
        assert again.step().message == report.message
    x, v = before.positions, before.velocities
    values = {"step": before.step, "time": before.time, "stiffness": before.stiffness}
    assert SimulationState(x, v, **values).blocked_steps == 0
    assert SimulationState(x, v, **values) != before == SimulationState(x, v, blocked_steps=4, **values)
    with pytest.raises(abut.InvalidInput, match="blocked_steps: -1"):
        SimulationState(x, v, blocked_steps=-1, **values)
    assert np.array_equal(x, before.positions)


def test_contacts_are_the_pairs_that_press():
    resting = simulation(cube(0.1001), planes=[{"point": [0, 0, 0], "normal": [0, 1, 0]}])
    for _ in range(5):
        report = resting.step()
    vertices, bodies, distances = resting.contacts()
    assert len(vertices) == len(bodies) == len(distances) == report.num_contacts > 0
    assert vertices.dtype == bodies.dtype == np.int32 and (vertices[:, 1:] == -1).all()
    assert (bodies == [-1, 0]).all()
    assert np.allclose(distances, resting.positions[vertices[:, 0], 1], rtol=1e-12)
    assert distances.min() == pytest.approx(report.smallest_distance, rel=1e-12)
