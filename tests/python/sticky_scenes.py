"""What scripts/claims-sticky measures and test_sticky_claims.py asserts: the claims of "Augmented Incremental Potential Contact for
Sticky Interactions" (Fang et al. 2023), on scenes that take seconds. Every function returns numbers and judges nothing."""

import json
import pathlib
import random
import tempfile

import abut
import numpy as np

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


def load(name):
    return json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))


class NotConverged(Exception):
    pass


class Run:
    """A simulation step by step; a step that does not converge, or that intersects, raises."""

    def __init__(self, scene, folder="."):
        self.scene = abut.Scene.from_json({**scene, "verify": "step"}, folder)
        self.simulation = abut.Simulation(self.scene)
        self.names = list(self.scene.object_names)
        self.iterations = 0

    def part(self, name):
        starts, k = self.simulation.object_starts, self.names.index(name)
        return slice(starts[k], starts[k + 1])

    def points(self, name):
        return self.simulation.positions[self.part(name)]

    def steps(self):
        for _ in range(self.scene.steps):
            report = self.simulation.step()
            if not report.converged:
                raise NotConverged(f"step {report.step}: {report.message}")
            assert report.num_intersections == 0 and report.num_inverted == 0, report.step
            self.iterations += len(report.iterations)
            yield report


def bonded_area(report):
    return sum(force.bonded_area for force in report.forces)


# --- Two plates: figure 15 ---

PLATES = {"strength": 2e4, "dhat_p": 1e-3, "dhat_a": 2e-3}  # Pa, m, m


def plates(name, steps, speed):
    """Of `plates_pull` or `plates_peel`, from a gap of a quarter of dhat_p on and with plates that are harder than their bonds: rows of gap in
    the middle, pull of bonds and displacement, at a speed; and for each step how far from the middle the farthest whole bond is."""
    scene = load(name)
    for body in scene["objects"]:
        body["material"]["youngs_modulus"] = 1e7
    scene["objects"][1]["transform"]["translate"][1] = 0.01 + PLATES["dhat_p"] / 4
    for script in scene["scripts"]:
        script["velocity"] = [0, speed, 0]
        where = script["select"].get("box", {}).get("min") or script["select"]["half_space"]["point"]
        where[1] = 0.0201
    scene["contact"] = {"dhat": PLATES["dhat_p"] / 4, "adhesion": {**PLATES, "mu_a": 1}}
    scene["time"]["steps"] = steps
    run = Run(scene)
    low, high = run.points("low").copy(), run.points("high").copy()
    top, bottom = low[:, 1] > low[:, 1].max() - 1e-6, high[:, 1] < high[:, 1].min() + 1e-6
    middle_top, middle_bottom = top & (abs(low[:, 0]) < 0.02), bottom & (abs(high[:, 0]) < 0.02)
    curve, fronts = [], []
    for report in run.steps():
        gap = run.points("high")[middle_bottom, 1].mean() - run.points("low")[middle_top, 1].mean()
        pull = sum(abs(force.adhesion[1]) for force in report.forces)
        curve.append((gap, pull, speed * report.time))
        bonds = run.simulation.tractions().bonds[run.part("low")]
        whole = abs(low[top & (bonds == 1), 0])
        fronts.append(whole.max() if len(whole) else 0.0)
    return np.array(curve), np.array(fronts)


# --- A block that is pulled off: section 4.2 ---


def detachment_strain(youngs_modulus, cells, critical_strain=0.1, size=0.1):
    """The strain of a block at the last equilibrium in which it sticks to the ground, pulled up at its top."""
    dhat = 1e-4
    ends = 0.8 * critical_strain * size, 1.25 * critical_strain * size
    run = Run({
        "format": 1, "gravity": [0, 0, 0],
        "objects": [{"name": "block", "geometry": {"generate": "tet_box", "size": [size] * 3, "subdivisions": [cells] * 3},
                     "transform": {"translate": [0, size / 2 + dhat, 0]},
                     "material": {"model": "fixed_corotated", "youngs_modulus": youngs_modulus, "poisson_ratio": 0}}],
        "planes": [{}],
        "scripts": [{"object": "block", "select": {"half_space": {"point": [0, 0.999 * size, 0]}},
                     "keyframes": [{"time": 0}, {"time": 0.08, "translate": [0, ends[0], 0]}, {"time": 0.38, "translate": [0, ends[1], 0]}]}],
        "contact": {"dhat": dhat, "adhesion": {"critical_strain": critical_strain}},
        "time": {"dt": 0.01, "steps": 38, "integrator": "quasi_static"}})
    start = run.points("block").copy()
    top, bottom = start[:, 1] > start[:, 1].max() - 1e-6, start[:, 1] < start[:, 1].min() + 1e-6
    strain = 0.0
    for report in run.steps():
        if bonded_area(report) == 0:
            return strain
        moved = run.points("block")[:, 1] - start[:, 1]
        strain = (moved[top].mean() - moved[bottom].mean()) / size
    return float("inf")


# --- Cubes on a wall: figure 14 ---


def cube_regimes():
    """What each cube of `cubes_on_wall` does, by (mu, mu_a, critical strain)."""
    scene = load("cubes_on_wall")
    run = Run(scene)
    start = {name: run.points(name).copy() for name in run.names}
    last = None
    for report in run.steps():
        last = report
    regimes = {}
    for k, name in enumerate(run.names):
        moved = run.points(name) - start[name]
        down, away = -moved[:, 1].mean(), moved[:, 2].mean()
        turn = np.ptp(moved[:, 2])  # of a cube that only slides: what it deforms by
        is_bonded = any(force.bonded_area > 0 for force in last.forces if k in (force.body, force.other))
        if is_bonded:
            what = "sticks" if down < 0.01 else "slides"
        else:
            what = "turns and lets go" if turn > 0.02 or away > 0.02 else "falls freely"
        pair, = (p for p in scene["contact"]["pairs"] if p["materials"][0] == name)
        adhesion = pair.get("adhesion", {"mu_a": 0, "critical_strain": 0})
        regimes[pair["friction"]["mu"], adhesion["mu_a"], adhesion["critical_strain"]] = (what, float(down))
    return regimes


# --- A tape: figure 16 ---


def tape(name):
    """Of `tape_peel` or `tape_to_the_right`: rows of time, bonded share and force along the desk; and of the part that is off the desk the
    angle to what sticks, by bonded share."""
    run = Run(load(name))
    rows, angles, most = [], {}, None
    for report in run.steps():
        area = bonded_area(report)
        most = most or area
        along = sum(np.hypot(force.friction[0], force.friction[2]) for force in report.forces)
        rows.append((report.time, area / most, along))
        for share in (0.8, 0.6, 0.4, 0.2):
            if share not in angles and area < share * most:
                x = run.points("tape")
                # The bend at the front, of some millimetres, is left out.
                off = x[x[:, 1] > 0.01][:, :2]
                if len(off) < 3:
                    continue
                direction = np.linalg.svd(off - off.mean(axis=0))[2][0]
                angles[share] = float(np.degrees(np.arctan2(abs(direction[1]), -np.sign(direction[1]) * direction[0])))
    return np.array(rows), angles


# --- A gel that cleans keys: figures 8 and 12 ---


def crumbs_held(seed=1, critical_strain=0.5, dhat_a=1e-3, dhat_p=0.5, dhat=0.5, dt=0.02):
    """How many of 100 crumbs at random places a gel lifts off the keys; dhat_p and dhat are shares of dhat_a. Also its Newton iterations."""
    scene = load("cleaning_gel")
    gel, crumbs = scene["objects"][:2]
    gel["geometry"]["subdivisions"] = [9, 3, 9]
    scene["time"] = {"dt": dt, "steps": round(1 / dt)}
    radius = crumbs["contact_thickness"] / 2
    strength = critical_strain * gel["material"]["youngs_modulus"] * np.pi * radius**2
    scene["contact"]["dhat"] = dhat * dhat_a
    scene["contact"]["adhesion"] = {"strength": 1e-30, "dhat_p": dhat_p * dhat_a, "dhat_a": dhat_a}
    scene["contact"]["pairs"][0]["adhesion"]["strength"] = strength
    chance = random.Random(seed)
    places = [(0.005 * (i - 4.5) + chance.uniform(-1, 1) * 1e-3, 0.0058, 0.005 * (k - 4.5) + chance.uniform(-1, 1) * 1e-3)
              for i in range(10) for k in range(10)]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "crumbs.obj").write_text("".join("v {:.6f} {:.6f} {:.6f}\n".format(*x) for x in places))
        crumbs["geometry"], crumbs["transform"] = {"file": "crumbs.obj"}, {}
        run = Run(scene, folder)
        for _ in run.steps():
            pass
    return int((run.points("crumbs")[:, 1] > 0.015).sum()), run.iterations


# --- A sheet that is twisted and turned back: figure 13 ---


def twisted_sheet(dt):
    """Positions of the sheet at its end, and its smallest width on the way."""
    scene = load("twisted_sheet")
    seconds = scene["time"]["dt"] * scene["time"]["steps"]
    scene["time"] = {"dt": dt, "steps": round(seconds / dt)}
    run = Run(scene)
    middle = abs(run.points("sheet")[:, 1]) < 0.03
    narrowest = np.inf
    for _ in run.steps():
        x = run.points("sheet")[middle]
        narrowest = min(narrowest, 2 * np.hypot(x[:, 0], x[:, 2]).max())
    return run.points("sheet").copy(), float(narrowest)
