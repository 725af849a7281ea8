"""Cases of contact whose pressure Hertz gives in closed form (Johnson, "Contact mechanics", 1985, chapters 4 and 5)."""

import numpy as np
from meshes import disc, graded_ball
from scenes import MODELS, simulation_of, steps
from table import Curve, Plot, absolute, case, relative

R = 1.0  # m
E, NU = 1e6, 0.3
STIFFNESS = E / (1 - NU**2)  # E* against something rigid
DT = 1e-3
MATERIAL = {"model": "fixed_corotated", "youngs_modulus": E, "poisson_ratio": NU}


def contact_of(model, dhat):
    contact = {"model": model, "dhat": dhat}
    return dict(contact, adaptive_dhat=False) if model == "gcp" else contact


def pressed(bodies, scripts, contact, dim, planes=(), count=4, watch=lambda simulation: None):
    """An equilibrium, reached in some steps, each of which is watched; scripts must arrive."""
    scene = {
        "gravity": [0] * dim,
        "planes": list(planes),
        "objects": bodies,
        "scripts": scripts,
        "contact": contact,
        "time": {"dt": DT, "integrator": "quasi_static"},
        "solver": {"tolerance": 1e-4},  # 1e-7 m per step
    }
    simulation = simulation_of(scene)
    for report in steps(simulation, count):
        assert report.script_lag < 1e-3 * R, report.script_lag
        watch(simulation)
    return simulation


# --- Cylinders ---


def pressure_on_circle(rest, x, forces):
    """Along the lower half of a disc: places and pressures, from forces on vertices and the spacing of these."""
    on = np.flatnonzero((np.abs(np.linalg.norm(rest - [0, R], axis=1) - R) < 1e-9) & (rest[:, 1] < 0.5 * R))
    on = on[np.argsort(rest[on, 0])]
    return x[on, 0], forces[on] / np.gradient(x[on, 0])


def cylinder(model, per_radius, against="plane", share=0.1, radius=0.055):
    """A disc, held at its top, is pressed down. h is 1 / `per_radius` of the contact's half width, which is about `radius`,
    and dhat `share` of h. Returns measured over expected half width, peak pressure and approach, and the pressure over
    the half width."""
    h = radius / per_radius
    dhat = share * h
    load = np.pi * STIFFNESS * radius**2 / 4
    approach = 2 * load / (np.pi * STIFFNESS) * (2 * np.log(4 / radius) - 1)
    mesh = disc(R, h, 1.8 * radius)
    top = np.flatnonzero(mesh.vertices[:, 1] > 1.98 * R).tolist()
    bodies = [{"name": "disc", "geometry": mesh.translated((0, dhat)), "material": MATERIAL}]
    scripts = [{"object": "disc", "select": {"indices": top}, "velocity": [0, -(approach + 0.5 * dhat) / (4 * DT)]}]
    planes = [{}]
    if against == "disc":
        # Upside down, with edges of another length (with 0.7 of it, the convergent set's Newton runs in a circle on
        # some CPUs); both are pushed by half of the way of two
        other = disc(R, 0.72 * h, 1.8 * radius)
        below = np.flatnonzero(other.vertices[:, 1] > 1.98 * R).tolist()
        bodies.append({"name": "other", "geometry": other.transformed([[-1, 0], [0, -1]]), "material": MATERIAL})
        scripts.append({"object": "other", "select": {"indices": below}, "velocity": [0, approach / (4 * DT)]})
        planes = []
    simulation = pressed(bodies, scripts, contact_of(model, dhat), 2, planes)
    n = len(mesh.vertices)
    rest, x, forces = mesh.vertices, simulation.positions[:n], simulation.contact_forces()[:n, 1]
    load = forces.sum()
    # Two equal cylinders have half the radius and half the stiffness: the same half width
    a = np.sqrt(4 * load * R / (np.pi * STIFFNESS))
    places, pressures = pressure_on_circle(rest, x, forces)
    lowest = rest[:, 1].argmin()
    measured = {
        "half width": 2 * np.sqrt(forces @ x[:, 0] ** 2 / load) / a,  # of an ellipse <x²> = a²/4
        "peak pressure": pressures.max() / (2 * load / (np.pi * a)),
        "approach": (R - (x[0, 1] - x[lowest, 1])) / (load / (np.pi * STIFFNESS) * (2 * np.log(4 * R / a) - 1)),
    }
    return measured, places / a, pressures * np.pi * a / (2 * load)


def ellipse():
    x = np.linspace(-1, 1, 201)
    return Curve("Hertz", list(x), list(np.sqrt(1 - x * x)), True)


def cylinder_rows(against, per_radius, bounds, share=0.1):
    rows, curves = [], []
    for model in MODELS:
        measured, places, pressures = cylinder(model, per_radius, against, share)
        rows += [relative(f"{what}, `{model}`", value, 1, bounds[what]) for what, value in measured.items()]
        near = np.abs(places) < 1.6
        curves.append(Curve(model, list(places[near]), list(pressures[near])))
    return rows, [ellipse(), *curves]


@case("Hertz: cylinder on a plane")
def hertz_cylinder():
    """A disc of 1 m (plane strain, E = 1 MPa, ν = 0.3), held at its top, is pressed on a plane until the half width a of the contact
    is about 0.055 m; edges there are a / 8 and d̂ a tenth of them. Given the measured load P: half width √(4 P R / (π E*)) from the
    second moment of the forces, peak pressure 2 P / (π a), approach of the centre P / (π E*) (2 ln(4 R / a) − 1). Values are over these."""
    bounds = {"half width": 0.08, "peak pressure": 0.05, "approach": 0.025}
    rows, curves = cylinder_rows("plane", 8, bounds)
    return rows, [Plot("hertz-cylinder", "Cylinder on a plane, h = a / 8", "x / a", "pressure / peak of Hertz", curves)]


@case("Hertz: cylinder on a cylinder")
def hertz_cylinders():
    """Two such discs on each other, one with edges of a / 8, the other of 0.7 times that: the vertices of one lie between those of the
    other."""
    bounds = {"half width": 0.08, "peak pressure": 0.05, "approach": 0.025}
    rows, curves = cylinder_rows("disc", 8, bounds)
    return rows, [Plot("hertz-cylinders", "Cylinder on a cylinder, h = a / 8", "x / a", "pressure / peak of Hertz", curves)]


def refinement(against, counts, bound):
    """Rows and plots of meshes by model."""
    rows, plots = [], []
    names = ("half width", "peak pressure", "approach")
    errors = {model: {name: [] for name in names} for model in counts}
    for model in counts:
        for count in counts[model]:
            measured, _, _ = cylinder(model, count, against)
            for name in names:
                errors[model][name].append(measured[name] - 1)
        for name in names:
            listed = ", ".join(f"{100 * e:+.2g}" for e in errors[model][name])
            rows.append(absolute(f"{name}, `{model}`: errors {listed} %; the last", errors[model][name][-1], 0, bound))
    for name in ("half width", "approach"):
        curves = [Curve(model, [1 / c for c in counts[model]], [abs(e) for e in errors[model][name]]) for model in counts]
        title = f"Cylinder on a {'plane' if against == 'plane' else 'cylinder'}: {name}"
        plots.append(Plot(f"hertz-{against}-{name.replace(' ', '-')}", title, "h / a, with d̂ = h / 10", "error", curves, True))
    return rows, plots


@case("Hertz: cylinder on a plane, refined", long=True)
def hertz_cylinder_refined():
    """Edges of a / 4, a / 8, a / 16 and a / 32, with d̂ a tenth of them: errors fall with h until they are those of the closed form, which is
    for a / R → 0 and small strain."""
    return refinement("plane", dict.fromkeys(MODELS, (4, 8, 16, 32)), 0.012)


@case("Hertz: cylinder on a cylinder, refined", long=True)
def hertz_cylinders_refined():
    """The same for two cylinders, down to a / 16; with `ogc` to a / 8, as its bounds for each vertex make steps that are many times d̂
    so long that a / 16 reaches the limit of 1,000 iterations."""
    counts = dict.fromkeys(MODELS, (4, 8, 16))
    return refinement("disc", dict(counts, ogc=(4, 8)), 0.04)


# --- Balls ---


def tributary(rest, x, tets):
    """A third of the area of the triangles of the surface at each vertex, projected on the plane y = 0."""
    faces = tets[:, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    faces = faces[first[count == 1]]
    a, b, c = (x[faces[:, k]][:, [0, 2]] for k in range(3))
    areas = np.abs((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]) / 2
    areas[(rest[faces, 1] > 0.5 * R).any(axis=1)] = 0
    return np.bincount(faces.ravel(), np.repeat(areas / 3, 3), minlength=len(x))


def tatara(load):
    """By how much less a ball between two plates is squeezed at each of them than a half-space would be."""
    far = (0.75 * load * R / STIFFNESS) ** (2 / 3) + 4 * R * R  # a² + 4 R²
    return load / (np.pi * E) * (2 * (1 + NU) * R**2 / far**1.5 + (1 - NU**2) / far**0.5)


def ball(model, shells, grading=0.7, against="plane", share=0.1, radius=0.15):
    """The same of a ball that is held above its centre."""
    h = R / shells * (1 - grading) / (1 + grading)
    dhat = share * h
    mesh = graded_ball(R, shells, grading)
    way = radius**2 / R + 0.5 * dhat
    top = np.flatnonzero(mesh.vertices[:, 1] > 0.95 * R).tolist()
    bodies = [{"name": "ball", "geometry": mesh.translated((0, dhat, 0)), "material": MATERIAL}]
    scripts = [{"object": "ball", "select": {"indices": top}, "velocity": [0, -way / (4 * DT), 0]}]
    planes = [{}]
    if against == "ball":
        # Upside down, and turned about the axis so that vertices do not meet
        angle = 0.3
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, -1, 0], [np.sin(angle), 0, -np.cos(angle)]])
        other = mesh.transformed(turn)
        bodies.append({"name": "other", "geometry": other, "material": MATERIAL})
        scripts.append({"object": "other", "select": {"indices": top}, "velocity": [0, way / (4 * DT), 0]})
        planes = []
    simulation = pressed(bodies, scripts, contact_of(model, dhat), 3, planes)
    n = len(mesh.vertices)
    rest, x, forces = mesh.vertices, simulation.positions[:n], simulation.contact_forces()[:n, 1]
    load = forces.sum()
    a = (0.75 * load * R / STIFFNESS) ** (1 / 3)
    r = np.linalg.norm(x[:, [0, 2]], axis=1)
    areas = tributary(rest, x, mesh.tets)
    peak = 1.5 * load / (np.pi * a * a)
    inside = (r < 0.4 * a) & (areas > 0)
    lowest = rest[:, 1].argmin()
    held = (x - rest)[top, 1].mean()
    measured = {
        "radius": np.sqrt(2.5 * forces @ r**2 / load) / a,  # of half an ellipsoid <r²> = 2 a²/5
        "peak pressure": forces[inside].sum() / (areas[inside] * np.sqrt(1 - (r[inside] / a) ** 2)).sum() / peak,
        "approach": ((x - rest)[lowest, 1] - held) / (a * a / R - tatara(load)),
    }
    pressures = np.divide(forces, areas, out=np.zeros(n), where=areas > 0) / peak
    keep = (areas > 0) & (r < 1.6 * a)
    order = np.argsort(r[keep])
    return measured, (r[keep] / a)[order], pressures[keep][order], n


def ball_rows(against, shells, bounds):
    rows, curves = [], []
    for model in MODELS:
        measured, places, pressures, _ = ball(model, shells, against=against)
        rows += [relative(f"{what}, `{model}`", value, 1, bounds[what]) for what, value in measured.items()]
        curves.append(Curve(model, list(places), list(pressures), has_line=False))
    x = np.linspace(0, 1, 101)
    return rows, [Curve("Hertz", list(x), list(np.sqrt(1 - x * x)), True), *curves]


@case("Hertz: ball on a plane")
def hertz_ball():
    """A ball of 1 m in 4,320 tetrahedra, held above its centre, is pressed on a plane until the contact's radius a is about 0.15 m, where
    edges are about a / 5; d̂ is a tenth of them. Given the measured load P: radius (3 P R / (4 E*))^(1/3) from the second moment of
    the forces, peak pressure 3 P / (2 π a²) from the forces within 0.4 a, approach a² / R, less Tatara's term for the ball's finite size
    ("On compression of rubber elastic sphere over a large range of displacements", 1991). Values are over these."""
    bounds = {"radius": 0.06, "peak pressure": 0.06, "approach": 0.06}
    rows, curves = ball_rows("plane", 6, bounds)
    return rows, [Plot("hertz-ball", "Ball on a plane, h = a / 5", "r / a", "pressure / peak of Hertz", curves)]


@case("Hertz: ball on a ball", long=True)
def hertz_balls():
    """Two such balls on each other, one turned about the axis so that no vertices meet."""
    bounds = {"radius": 0.06, "peak pressure": 0.06, "approach": 0.06}
    rows, curves = ball_rows("ball", 6, bounds)
    return rows, [Plot("hertz-balls", "Ball on a ball, h = a / 5", "r / a", "pressure / peak of Hertz", curves)]


@case("Hertz: ball on a plane, refined", long=True)
def hertz_ball_refined():
    """Balls of 1,280, 4,320 and 10,240 tetrahedra, with edges of a / 3.4, a / 5.1 and a / 6.8 at the contact, d̂ a tenth of them."""
    rows, curves, all_shells = [], [], (4, 6, 8)
    for model in MODELS:
        errors = {}
        for shells in all_shells:
            for what, value in ball(model, shells)[0].items():
                errors.setdefault(what, []).append(value - 1)
        for what, values in errors.items():
            listed = ", ".join(f"{100 * e:+.2g}" for e in values)
            rows.append(absolute(f"{what}, `{model}`: errors {listed} %; the last", values[-1], 0, 0.035))
        curves.append(Curve(model, [4 / shells for shells in all_shells], [abs(e) for e in errors["approach"]]))
    return rows, [Plot("hertz-ball-approach", "Ball on a plane: approach", "h / h of the coarsest, d̂ = h / 10", "error", curves, True)]


@case("Hertz: force against indentation")
def hertz_force():
    """The ball is pressed down in six steps with `ipc` and `gcp`: force over 4/3 E* √R δ^(3/2), with δ the measured approach plus
    Tatara's term. Until the contact is a few edges wide, the mesh decides."""
    rows, curves, shells, grading, count = [], [], 6, 0.7, 6
    h = R / shells * (1 - grading) / (1 + grading)
    mesh = graded_ball(R, shells, grading)
    top = np.flatnonzero(mesh.vertices[:, 1] > 0.95 * R).tolist()
    lowest = mesh.vertices[:, 1].argmin()
    dhat, way = 0.1 * h, 0.03
    for model in ("ipc", "gcp"):
        scripts = [{"object": "ball", "select": {"indices": top}, "velocity": [0, -way / (count * DT), 0]}]
        bodies = [{"name": "ball", "geometry": mesh.translated((0, dhat, 0)), "material": MATERIAL}]
        loads, approaches = [0.0], [0.0]

        def watch(simulation):
            moved = simulation.positions - mesh.vertices - [0, dhat, 0]
            loads.append(simulation.contact_forces()[:, 1].sum())
            approaches.append(moved[lowest, 1] - moved[top, 1].mean() + tatara(loads[-1]))

        pressed(bodies, scripts, contact_of(model, dhat), 3, [{}], count, watch)
        exact = 4 / 3 * STIFFNESS * np.sqrt(R) * approaches[-1] ** 1.5
        rows.append(relative(f"force at the end, `{model}`", loads[-1], exact, bound=0.06, unit="N"))
        curves.append(Curve(model, approaches, loads))
    x = np.linspace(0, 1.05 * max(approaches), 101)
    curves.insert(0, Curve("Hertz", list(x), list(4 / 3 * STIFFNESS * np.sqrt(R) * x**1.5), True))
    return rows, [Plot("hertz-force", "Ball on a plane: force", "indentation δ [m]", "force [N]", curves)]
