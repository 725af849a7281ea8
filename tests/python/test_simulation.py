"""Scenes and simulations: what a step does and reports, states, threads, what is rejected."""

import copy
import json
import math
import pathlib
import pickle
import signal
import threading

import abut
import numpy as np
import pytest
from abut import Scene, Simulation, SimulationState
from other_threads import assert_others_run_during

SCENES = pathlib.Path(__file__).parents[2] / "scenes"
GRAVITY = 9.81


def cube(height=0.101, **changes):
    """A cube of 0.2 m, 8 kg, above the plane y = 0."""
    return {
        "format": 1,
        "name": "cube",
        "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}],
        "objects": [
            {
                "name": "cube",
                "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
                "transform": {"translate": [0, height, 0]},
                "material": {"youngs_modulus": 1e6},
            }
        ],
        **changes,
    }


def collision(**changes):
    """Two cubes that meet in free flight."""
    scene = cube(gravity=[0, 0, 0], planes=[], solver={"tolerance": 1e-7}, **changes)
    first = scene["objects"][0]
    first.update(velocity=[0.5, 0, 0])
    second = copy.deepcopy(first)
    second.update(name="other", velocity=[-1, 0.1, 0], transform={"translate": [0.21, 0.141, 0.03]})
    scene["objects"].append(second)
    return scene


def flat(**changes):
    """A rectangle above a line."""
    return {
        "format": 1,
        "planes": [{"point": [0, 0], "normal": [0, 1]}],
        "objects": [
            {
                "geometry": {"generate": "rectangle", "size": [0.2, 0.1], "cells": [4, 2]},
                "transform": {"translate": [0, 0.0502]},
            }
        ],
        **changes,
    }


def simulated(scene, steps=0):
    simulation = Simulation(Scene.from_json(scene))
    for _ in range(steps):
        assert simulation.step().converged
    return simulation


# --- Scenes ---


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.json")), ids=lambda path: path.stem)
def test_scenes_are_read_from_files_and_text(path):
    data = json.loads(path.read_text())
    scenes = [
        Scene.from_file(path),
        Scene.from_file(str(path), []),
        Scene.from_json(path.read_text(), SCENES),
        Scene.from_json(data, folder=str(SCENES), settings=[]),
    ]
    for scene in scenes:
        assert scene.num_objects == len(data["objects"]) == len(scene.object_names)
        assert scene.object_names == [o.get("name", f"object{k}") for k, o in enumerate(data["objects"])]
        assert scene.dt == data.get("time", {}).get("dt", 0.01)
        time = data.get("time", {})
        assert scene.steps == (round(time["until"] / scene.dt) if "until" in time else time.get("steps", 100))
    assert scenes[0].name == data.get("name", path.stem)
    assert f"'{scenes[0].name}', {scene.num_objects} objects" in repr(scenes[0])


def test_settings_change_what_is_read():
    assert Scene.from_json(cube(), settings=["time.dt=0.002", "time.steps=7"]).dt == 0.002
    assert Scene.from_file(SCENES / "slope_slides.json", settings=("time.steps=7",)).steps == 7
    with pytest.raises(abut.InvalidInput, match="colour"):
        Scene.from_json(cube(), settings=["contact.colour=1"])


def test_meshes_are_looked_for_in_the_folder(tmp_path):
    abut.write_obj(tmp_path / "box.obj", abut.generate.box())
    scene = {"format": 1, "objects": [{"kind": "obstacle", "geometry": {"file": "box.obj"}}]}
    assert len(Simulation(Scene.from_json(scene, tmp_path)).positions) == 8
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    assert Scene.from_file(tmp_path / "scene.json").name == "scene"
    with pytest.raises(abut.InvalidInput, match="box.obj: no such file"):
        Scene.from_json(scene)


def test_arrays_may_stand_for_lists():
    scene = cube(gravity=np.array([0, -1.5, 0]), time={"dt": np.float32(0.25), "steps": np.int64(3)})
    scene["objects"][0]["fix"] = {"indices": np.arange(3)}
    scene["objects"][0]["velocity"] = tuple(np.zeros(3))
    scene["contact"] = {"model": "gcp", "adaptive_dhat": np.bool_(False)}
    read = Scene.from_json(scene)
    assert read.dt == 0.25 and read.steps == 3
    simulation = Simulation(read)
    simulation.step()
    assert (simulation.velocities[:3] == 0).all() and simulation.velocities[-1, 1] < 0
    with pytest.raises(abut.InvalidInput, match="/gravity/0: expected a number"):
        Scene.from_json(cube(gravity=np.array([["0", "1", "2"]] * 3)))
    with pytest.raises(TypeError, match="scene: expected dicts, lists, arrays, .* got <class 'object'>"):
        Scene.from_json(cube(gravity=object()))


def test_a_scene_needs_objects():
    for scene in ('{"format": 1}', {"format": 1, "objects": []}):
        with pytest.raises(abut.InvalidInput, match="scene /objects: the scene has none"):
            Scene.from_json(scene)


def test_wrong_scenes_are_rejected(tmp_path):
    with pytest.raises(ValueError, match="scene /contact/dhatt: unknown key, did you mean 'dhat'"):
        Scene.from_json(cube(contact={"dhatt": 1}))
    with pytest.raises(abut.InvalidInput, match="/time/dt"):
        Scene.from_json(cube(time={"dt": -1}))
    with pytest.raises(abut.InvalidInput, match="/contact/dhat"):
        Scene.from_json(cube(contact={"dhat": "small"}))
    with pytest.raises(abut.InvalidInput):
        Scene.from_json("{")
    with pytest.raises(abut.InvalidInput):
        Scene.from_json(cube(gravity=[0, math.nan, 0]))
    with pytest.raises(abut.InvalidInput, match="missing.json: no such file"):
        Scene.from_file(tmp_path / "missing.json")
    with pytest.raises(abut.InvalidInput, match="path: it has a character of code 0"):
        Scene.from_file("a\0b")


def test_materials_that_cannot_flow_are_told_what_to_use():
    scene = cube()
    for material, words in (
            ({"plasticity": {"yield_stress": 0}}, "yield_stress: 0 is not a stress above 0 .* leave"),
            ({"plasticity": {"yield_stress": -1}}, "yield_stress: -1 is not a stress above 0 .* leave"),
            ({"model": "neo_hookean", "plasticity": {"yield_stress": 1}}, "a solid of neo_hookean cannot flow.*hencky")):
        scene["objects"][0]["material"] = material
        with pytest.raises(abut.InvalidInput, match=words):
            Scene.from_json(scene)


def test_wrong_types_are_rejected():
    for scene in (None, 3, b"{}", [cube()]):
        with pytest.raises(TypeError, match="scene: expected JSON text or a dict"):
            Scene.from_json(scene)
    for settings in ("time.dt=1", [1], 1, None):
        with pytest.raises(TypeError):
            Scene.from_json(cube(), settings=settings)
    for path in (None, 1):
        with pytest.raises(TypeError):
            Scene.from_file(path)
    with pytest.raises(TypeError):
        Scene.from_json({"format": {1, 2}})
    with pytest.raises(TypeError):
        Scene()
    for scene in (None, cube(), "scene.json"):
        with pytest.raises(TypeError):
            Simulation(scene)


def test_a_start_that_intersects_is_rejected():
    with pytest.raises(abut.InvalidStart, match="(?s)intersects in .* 'cube'"):
        simulated(cube(height=0.05))
    with pytest.raises(abut.InvalidStart):
        simulated(cube(height=0.1))  # touches


# --- Steps ---


def test_a_cube_comes_to_rest_on_a_plane():
    simulation = simulated(cube(height=0.1002), 30)
    dhat = {name: value for name, value, _ in simulation.choices}["contact.dhat"]
    lowest = simulation.positions[:, 1].min()
    assert 0 < lowest < dhat
    assert np.abs(simulation.velocities).max() < 0.01
    # The floor carries the weight.
    weight = simulation.masses.sum() * GRAVITY
    force = simulation.contact_forces()
    assert force.shape == simulation.positions.shape
    assert force[:, 1].sum() == pytest.approx(weight, rel=0.02)
    assert np.abs(force[:, [0, 2]]).max() == 0


def test_a_report_says_what_the_step_did():
    simulation = simulated(cube(height=0.1002, time={"dt": 0.005}), 10)
    report = simulation.step()
    assert report.step == simulation.step_count == 11
    assert report.time == simulation.time == pytest.approx(0.055)
    assert report.outcome == "converged" and report.converged is True
    assert isinstance(report.message, str) and len(report.iterations) >= 1
    assert report.num_contacts > 0
    assert report.smallest_distance == pytest.approx(simulation.positions[:, 1].min(), rel=1e-6)
    assert report.stiffness == simulation.state().stiffness > 0
    assert report.script_lag == 0
    speeds = (simulation.velocities**2).sum(axis=1)
    assert report.balance.kinetic == pytest.approx((simulation.masses * speeds).sum() / 2)
    assert report.balance.elastic > 0 and report.balance.contact > 0
    assert report.balance.momentum == pytest.approx(simulation.masses @ simulation.velocities)
    assert (report.num_intersections, report.num_inverted) == (0, 0)
    assert "step 11" in repr(report) and "converged" in repr(report)


def test_what_was_not_verified_is_none():
    report = simulated(cube(verify="off")).step()
    assert report.num_intersections is None and report.num_inverted is None
    simulation = simulated(cube(output={"every": 2}))
    assert [simulation.step().num_intersections for _ in range(4)] == [None, 0, None, 0]


def test_free_fall_is_that_of_implicit_euler():
    simulation = simulated(cube(height=5, time={"dt": 0.01}))
    start = simulation.positions
    for n in range(1, 6):
        report = simulation.step()
        drop = GRAVITY * 0.01**2 * n * (n + 1) / 2
        assert simulation.positions == pytest.approx(start - [0, drop, 0], abs=1e-9)
        assert report.num_contacts == 0 and report.smallest_distance == math.inf and report.balance.contact == 0
    assert (simulation.contact_forces() == 0).all()


def test_momentum_is_conserved_in_a_collision():
    simulation = simulated(collision())
    before = simulation.masses @ simulation.velocities
    assert before == pytest.approx([-4, 0.8, 0])
    contacts = 0
    for _ in range(12):
        report = simulation.step()
        contacts += report.num_contacts
        assert report.converged
        assert report.balance.momentum == pytest.approx(before, abs=1e-5)
    assert contacts > 0 and simulation.verify().is_good


def test_a_step_that_does_not_converge_is_an_outcome():
    simulation = simulated(cube(height=0.1002, solver={"max_iterations": 1, "tolerance": 1e-12}))
    report = simulation.step()
    assert report.outcome == "iteration_limit" and not report.converged and report.message
    assert report.num_intersections == 0 and simulation.step_count == 1


def test_the_plane_has_two_coordinates():
    simulation = simulated(flat(), 3)
    report = simulation.step()
    assert simulation.positions.shape == simulation.velocities.shape == (15, 2)
    assert report.balance.momentum.shape == (2,)
    assert report.balance.momentum == pytest.approx(simulation.masses @ simulation.velocities)


def test_elements_are_those_of_the_objects_in_order():
    scene = cube(height=0.5)
    scene["objects"] += [
        {"name": "sheet", "geometry": {"generate": "cloth", "cells": [2, 3]}, "transform": {"translate": [0, 2, 0]}},
        {"name": "wire", "kind": "obstacle", "geometry": {"generate": "rod", "segments": 4},
         "transform": {"translate": [0, 3, 0]}}]
    scene["objects"].insert(0, scene["objects"][0] | {"name": "first", "transform": {"translate": [3, 0.5, 0]}})
    simulation = simulated(scene)
    starts, X = simulation.object_starts, simulation.positions
    assert (simulation.dim, simulation.num_vertices) == (3, len(X))
    expected = {"edges": [0, 0, 0, 4], "faces": [0, 0, 12, 0], "tets": [None, None, 0, 0]}
    for name, corners in (("edges", 2), ("faces", 3), ("tets", 4)):
        elements, rows = getattr(simulation, name), getattr(simulation, name[:-1] + "_starts")
        assert elements.dtype == rows.dtype == np.int32 and elements.shape == (rows[-1], corners) and rows[0] == 0
        for k, count in enumerate(expected[name]):
            own = elements[rows[k] : rows[k + 1]]
            assert len(own) == count or (count is None and len(own) > 0)
            assert ((starts[k] <= own) & (own < starts[k + 1])).all(), "of its own vertices"
    first, second = simulation.tets[: simulation.tet_starts[1]], simulation.tets[simulation.tet_starts[1] :]
    assert (second == first + starts[1]).all(), "the same mesh twice"
    corners = X[simulation.tets]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    assert (volumes > 0).all() and volumes.sum() == pytest.approx(2 * np.prod(np.ptp(X[: starts[1]], axis=0)))
    simulation.step()
    assert (simulation.faces[simulation.face_starts[2] :] >= starts[2]).all()
    plane = simulated(flat())
    assert plane.dim == 2 and plane.tets.shape == (0, 4) and plane.faces.shape[1] == 3 and len(plane.faces) > 0


def test_vertices_are_those_of_the_objects_in_order():
    simulation = simulated(collision())
    starts = simulation.object_starts
    assert starts.dtype == np.int32 and starts.tolist() == [0, 27, 54]
    assert simulation.positions.shape == (54, 3) and simulation.masses.shape == (54,)
    for k, centre in enumerate(([0, 0.101, 0], [0.21, 0.141, 0.03])):
        assert simulation.positions[starts[k] : starts[k + 1]].mean(axis=0) == pytest.approx(centre)
    assert simulation.masses.sum() == pytest.approx(16)


def test_arrays_are_copies():
    simulation = simulated(cube())
    before = simulation.positions
    for name in ("positions", "velocities", "masses", "object_starts"):
        getattr(simulation, name)[:] = 7
    assert (simulation.positions == before).all() and simulation.object_starts[0] == 0
    assert (simulation.velocities == 0).all() and simulation.masses.sum() == pytest.approx(8)


def test_choices_say_what_was_left_open():
    names = [name for name, value, reason in simulated(cube()).choices if value > 0 and reason]
    assert {"contact.dhat", "contact.stiffness", "solver.tolerance"} <= set(names)
    given = simulated(cube(contact={"dhat": 1e-3, "stiffness": 1e5}))
    assert not {"contact.dhat", "contact.stiffness"} & {name for name, _, _ in given.choices}
    assert given.state().stiffness == 1e5
    cloth = {"format": 1, "contact": {"model": "gcp"}, "objects": [{"geometry": {"generate": "cloth", "cells": [2, 2]}}]}
    chosen = {name: value for name, value, _ in abut.Simulation(abut.Scene.from_json(cloth)).choices}
    assert chosen["objects[].material.model"] == "neo_hookean"


def test_a_dhat_beyond_the_smallest_body_is_warned_of():
    assert simulated(cube(contact={"dhat": 1e-3})).warnings == []
    (warning,) = simulated(cube(contact={"dhat": 100.0})).warnings
    extent = 0.2 * math.sqrt(3)
    assert warning.startswith(f"contact.dhat: 100 m is more than the extent of 'cube', {extent:.4g} m")
    assert f"contact.dhat = {1e-3 * extent:.4g} is" in warning
    assert simulated(cube(contact={"model": "none", "dhat": 100.0})).warnings == []


def test_verify_finds_nothing_wrong():
    found = simulated(collision(), 3).verify()
    assert (found.num_intersections, found.num_inverted, found.is_good) == (0, 0, True)
    assert repr(found) == "<abut.Verification: 0 intersections, 0 inverted elements>"


# --- States ---


@pytest.mark.parametrize("through", [lambda s: s, lambda s: pickle.loads(pickle.dumps(s)), copy.deepcopy])
def test_a_simulation_continues_with_the_same_bits(through):
    scene = cube(height=0.1002, contact={"friction": {"mu": 0.3}}, gravity=[2, -9, 0])
    simulation = simulated(scene, 4)
    state = through(simulation.state())
    for _ in range(4):
        simulation.step()
    other = simulated(scene)
    other.set_state(state)
    assert other.state() == state and (other.step_count, other.time) == (4, state.time)
    reports = [other.step() for _ in range(4)]
    assert other.state() == simulation.state() != state
    assert other.positions.tobytes() == simulation.positions.tobytes()
    assert other.velocities.tobytes() == simulation.velocities.tobytes()
    assert reports[-1].step == 8
    # Back again, in the same simulation.
    simulation.set_state(state)
    for _ in range(4):
        simulation.step()
    assert other.state() == simulation.state()


def test_states_are_immutable_and_stay():
    simulation = simulated(cube())
    state = simulation.state()
    positions, before = state.positions, state.positions.copy()
    for array in (positions, state.velocities):
        with pytest.raises(ValueError):
            array[0] = 1
    with pytest.raises(AttributeError):
        state.time = 1
    simulation.step()
    assert (positions == before).all() and state.step == 0
    del state, simulation
    assert (positions == before).all()


def test_states_can_be_made():
    simulation = simulated(cube(height=5))
    start = simulation.state()
    thrown = SimulationState(
        start.positions + [0, 1, 0], start.velocities + [1, 0, 0], step=3, time=0.5, stiffness=start.stiffness
    )
    assert thrown != start and thrown != 1 and "after 3 steps, at 0.5 s" in repr(thrown)
    simulation.set_state(thrown)
    report = simulation.step()
    assert report.step == 4 and report.time == pytest.approx(0.51)
    assert report.balance.momentum[0] == pytest.approx(8)


def test_wrong_states_are_rejected_and_change_nothing():
    simulation = simulated(cube(), 1)
    before = simulation.state()
    x, v = before.positions, before.velocities
    good = {"step": 0, "time": 0.0, "stiffness": 1.0}
    with pytest.raises(abut.InvalidInput, match="state: 3 x 3 positions, but the scene has 27 x 3"):
        simulation.set_state(SimulationState(x[:3], v[:3], **good))
    with pytest.raises(abut.InvalidStart, match="state: its positions intersect"):
        simulation.set_state(SimulationState(x - [0, 0.1, 0], v, **good))
    with pytest.raises(abut.InvalidInput, match="stiffness is 0"):
        simulation.set_state(SimulationState(x, v, **{**good, "stiffness": 0}))
    for state in (None, {"positions": x}, x):
        with pytest.raises(TypeError):
            simulation.set_state(state)
    assert simulation.state() == before
    with pytest.raises(abut.InvalidInput, match="velocities: expected 27 x 3"):
        SimulationState(x, v[:3], **good)
    for name, value in (("step", -1), ("time", math.inf), ("stiffness", math.nan), ("stiffness", -1)):
        with pytest.raises(abut.InvalidInput, match=name):
            SimulationState(x, v, **{**good, name: value})
    with pytest.raises(abut.InvalidInput, match="positions"):
        SimulationState(x * math.nan, v, **good)
    with pytest.raises(TypeError):
        SimulationState(x, v)
    other = SimulationState(x[:, :2], v[:, :2], **good)
    assert other != before and other == SimulationState(x[:, :2], v[:, :2], **good)
    with pytest.raises(TypeError):
        hash(other)


def test_contact_forces_belong_to_the_present_positions():
    """After set_state the forces are those of the positions that were set, with no step between."""
    simulation = simulated(cube(height=0.1002), 10)
    forces = simulation.contact_forces()
    assert np.linalg.norm(forces) > 0
    other = Simulation(Scene.from_json(cube(height=0.1002)))
    other.set_state(simulation.state())
    assert np.array_equal(other.contact_forces(), forces)


# --- Threads ---


def test_the_number_of_threads_changes_no_bit():
    states = []
    for threads in (1, 2, 3):
        abut.set_num_threads(threads)
        states.append(simulated(collision(), 8).state())
    assert states[0] == states[1] == states[2]
    assert states[0].positions.tobytes() == states[2].positions.tobytes()


def large():
    scene = cube(height=0.1002)
    scene["objects"][0]["geometry"]["subdivisions"] = [8, 8, 8]
    return scene


def test_other_threads_run_during_a_step():
    assert_others_run_during(simulated(large()).step)


def test_two_threads_cannot_step_one_simulation():
    simulation = simulated(large())
    failed = threading.Event()
    errors, reports = [], []

    def step():
        while not failed.is_set() and len(reports) < 200:
            try:
                reports.append(simulation.step())
            except RuntimeError as error:
                errors.append(str(error))
                failed.set()

    threads = [threading.Thread(target=step) for _ in range(2)]
    for thread in threads:
        thread.start()
    # What the last step left can be read meanwhile.
    while not failed.is_set() and len(reports) < 200:
        state = simulation.state()
        assert state.time == pytest.approx(0.01 * state.step) and simulation.positions.shape == state.positions.shape
    for thread in threads:
        thread.join()
    assert errors and "step: another call is using this Simulation" in errors[0]
    assert [report.step for report in sorted(reports, key=lambda report: report.step)] == list(
        range(1, len(reports) + 1)
    )
    assert simulation.step_count == len(reports) and simulation.step().converged


def test_each_thread_may_step_its_own():
    expected = simulated(collision(), 6).state()
    states = []
    threads = [threading.Thread(target=lambda: states.append(simulated(collision(), 6).state())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(states) == 3 and all(state == expected for state in states)


def test_a_signal_ends_a_step_between_iterations_and_leaves_the_state():
    """As Ctrl-C does; here a timer's, which comes while step() runs."""
    scene = cube(0.2)
    scene["objects"][0]["geometry"]["subdivisions"] = [12, 12, 12]
    simulation = Simulation(Scene.from_json(scene))
    before = simulation.state

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    old = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.005)
        with pytest.raises(Stop):
            simulation.step()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert simulation.state == before
    assert simulation.step().step == 1


def test_tractions_times_areas_are_the_forces_between_bodies():
    scene = abut.Scene.from_json({
        "format": 1, "planes": [{"point": [0, 0, 0], "normal": [0, 1, 0]}], "contact": {"adhesion": {"strength": 1e4}},
        "objects": [{"geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [4, 4, 4]},
                     "transform": {"translate": [0, 0.1002, 0]}}]})
    simulation = abut.Simulation(scene)
    for _ in range(5):
        report = simulation.step()
    (force,) = report.forces
    found = simulation.tractions()
    assert found.normal.shape == found.tangential.shape == (simulation.num_vertices, 3)
    assert found.bonds.dtype == np.uint8 and found.bonds.max() >= 1 and force.bonded_area > 0
    sum_of_tractions = (found.normal * found.areas[:, None]).sum(axis=0)
    np.testing.assert_allclose(sum_of_tractions, force.contact, rtol=1e-9, atol=1e-9 * np.abs(force.contact).max())


def test_the_hessian_of_a_step_is_inertia_elasticity_and_the_derivative_of_contact_forces():
    def at(**contact):
        return simulated(cube(0.1004, contact={"dhat": 1e-3, **contact}, time={"dt": 0.01}))

    touching, alone = at(model="ogc", stiffness=1e4), at(model="none")
    H = touching.hessian()
    n = touching.num_vertices
    assert H.shape == (3 * n, 3 * n) and abs(H - H.T).max() <= 1e-9 * abs(H).max()
    # Nothing but inertia and what is touched resists a common motion.
    sideways = np.tile([1.0, 0, 0], n)
    np.testing.assert_allclose(H @ sideways, np.repeat(touching.masses, 3) / 0.01**2 * sideways, atol=1e-6 * abs(H).max())
    # What contact adds is the derivative of its forces.
    contact = H - alone.hessian()
    assert abs(contact).max() > 0
    way = np.random.default_rng(1).standard_normal(3 * n)
    h, start = 1e-8, touching.state()

    def forces(step):
        x = start.positions + (step * way).reshape(-1, 3)
        touching.set_state(SimulationState(x, start.velocities, step=0, time=0.0, stiffness=start.stiffness, history=start.history))
        return touching.contact_forces().ravel()

    difference = (forces(h) - forces(-h)) / (2 * h)
    np.testing.assert_allclose(contact @ way, -difference, atol=1e-5 * abs(difference).max())
