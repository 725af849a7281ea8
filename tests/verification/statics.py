"""Cases of equilibrium: a contact that must carry a uniform pressure, beams, plates."""

import numpy as np
from scenes import MODELS, advance, lame, linear_stress, simulation_of, start_from
from table import Curve, Plot, case, order, relative, absolute

import abut

DT = 1e-3


def equilibrium(body, gravity, tolerance=1e-6, count=2):
    """Of a body under gravity alone, without contact: positions at rest and in equilibrium."""
    scene = {
        "gravity": list(gravity),
        "objects": [body],
        "contact": {"model": "none"},
        "time": {"dt": DT, "integrator": "quasi_static"},
        "solver": {"tolerance": tolerance},
    }
    simulation = simulation_of(scene)
    rest = simulation.positions
    advance(simulation, count)
    return rest, simulation.positions


# --- The patch test ---

E_PATCH, PATCH_STRAIN = 1e6, 0.01


def patch(model, cells, share, dim=2, height=1.0):
    """Two blocks of 1 m on each other, `cells` and 1.5 times as many edges wide, squeezed by 1 % with a Poisson's ratio of 0.
    Of the vertical stress in elements: the largest difference from its mean over the mean, the same of elements that
    are farther than a quarter of the height from the contact, and the mean over what the squeeze should give."""
    h = 1 / cells
    dhat = share * h
    lower_cells, upper_cells = cells, cells * 3 // 2
    material = {"model": "fixed_corotated", "youngs_modulus": E_PATCH, "poisson_ratio": 0}

    def block(name, count, y):
        if dim == 2:
            geometry = {"generate": "rectangle", "size": [1, height], "cells": [count, count]}
            place = [0, y]
        else:
            geometry = {"generate": "tet_box", "size": [1, height, 1], "subdivisions": [count, count, count]}
            place = [0, y, 0]
        return {"name": name, "geometry": geometry, "transform": {"translate": place}, "material": material}

    def half_space(y, sign):
        point, normal = [0] * dim, [0] * dim
        point[1], normal[1] = y, sign
        return {"half_space": {"point": point, "normal": normal}}

    gap = dhat
    lower, upper = block("lower", lower_cells, -height / 2), block("upper", upper_cells, height / 2 + gap)
    way = PATCH_STRAIN * 2 * height + gap
    velocity = [0] * dim
    velocity[1] = -way / (2 * DT)
    lower["fix"] = half_space(-height + 1e-6, -1)
    contact = {"model": model, "dhat": dhat}
    if model == "gcp":
        contact["adaptive_dhat"] = False
    scene = {
        "gravity": [0] * dim,
        "objects": [lower, upper],
        "scripts": [{"object": "upper", "select": half_space(height + gap - 1e-6, 1), "velocity": velocity}],
        "contact": contact,
        "time": {"dt": DT, "integrator": "quasi_static"},
        "solver": {"tolerance": 1e-5},
    }
    simulation = simulation_of(scene)
    rest = simulation.positions
    elements = simulation.faces if dim == 2 else simulation.tets
    report = advance(simulation, 2)
    assert report.script_lag < 1e-2 * way, report.script_lag
    stress = linear_stress(rest, simulation.positions, elements, E_PATCH, 0)[:, 1, 1]
    middles = rest[elements].mean(axis=1)
    far = np.abs(middles[:, 1]) > height / 4
    # Force balance: the mean stress of a horizontal cut is the load
    mean = stress[far].mean()
    spread = np.abs(stress / mean - 1)
    force = sum(np.array(pair.contact) for pair in report.forces if {pair.body, pair.other} == {0, 1})
    slip = simulation.positions[np.abs(rest[:, 1]) < 1e-9, 0].mean()
    return {
        "largest": spread.max(),
        "mean": np.sqrt((spread**2).mean()),
        "far": spread[far].max(),
        "sideways": np.abs(force[0] / force[1]),
        "slip": slip,
        "pressure": np.abs(force[1]) / (E_PATCH * PATCH_STRAIN),
        "middles": middles,
        "stress": stress / mean,
    }


MEETING = (
    "where a vertex meets one of the other block, IPC's set counts more pairs than beside it ([why](collision-sets.md)), so that the "
    "energy falls where they slide apart"
)
# Of the root mean square, of the force sideways, and why
PATCH_BOUNDS = {
    "ipc": (0.04, 0.02, MEETING),
    "convergent_ipc": (0.015, 1e-3, ""),
    "gipc": (0.05, 0.025, MEETING),
    "ogc": (0.01, 1e-3, ""),
    "gcp": (0.015, 1e-3, ""),
}


@case("Contact patch test")
def patch_test():
    """Two elastic blocks in the plane, 16 and 24 edges wide so that not all vertices meet, are squeezed by 1 % without friction and
    with a Poisson's ratio of 0: the stress should be the same everywhere, and nothing should act sideways. Root mean square of the
    vertical stress's difference from its mean, over the mean, and horizontal over vertical force. d̂ is a tenth of the longer
    edges. No model passes the test exactly: forces act along lines between closest points, with weights that are not those of the
    surfaces' shape functions. The root mean square falls slowly with h, except that of `ogc`, which is the least; the largest
    difference, in elements at the contact, does not."""
    rows, curves, all_cells = [], [], (8, 16, 32)
    for model in MODELS:
        mean_bound, side_bound, cause = PATCH_BOUNDS[model]
        results = [patch(model, cells, 0.1) for cells in all_cells]
        middle = results[1]
        listed = ", ".join(f"{100 * each['mean']:.2g}" for each in results)
        what = f"stress, `{model}` ({listed} % for 8, 16 and 32 edges)"
        rows.append(absolute(what, middle["mean"], 0, mean_bound, cause=cause))
        rows.append(absolute(f"largest difference of stress, `{model}`", middle["largest"], 0))
        rows.append(absolute(f"horizontal force, `{model}`", middle["sideways"], 0, side_bound, cause=cause))
        curves.append(Curve(model, [1 / cells for cells in all_cells], [each["mean"] for each in results]))
    plot = Plot("patch", "Patch test: difference of stress", "h [m], with d̂ = h / 10", "root mean square / mean", curves, True)
    return rows, [plot]


# --- Beams ---

BEAM = {"model": "fixed_corotated", "youngs_modulus": 1e7, "poisson_ratio": 0, "density": 1000}


def solid_beam(refinement, dim, length=1.0, thickness=0.1, gravity=1e-2):
    """Deflection of the free end of a beam that is held at x = 0, over Timoshenko's."""
    n = refinement
    if dim == 2:
        geometry = {"generate": "rectangle", "size": [length, thickness], "cells": [10 * n, n]}
    else:
        geometry = {"generate": "tet_box", "size": [length, thickness, thickness], "subdivisions": [10 * n, n, n]}
    point, normal = [1e-6] + [0] * (dim - 1), [-1] + [0] * (dim - 1)
    body = {
        "geometry": geometry,
        "transform": {"translate": [length / 2] + [0] * (dim - 1)},
        "material": BEAM,
        "fix": {"half_space": {"point": point, "normal": normal}},
    }
    rest, x = equilibrium(body, [0, -gravity] + [0] * (dim - 2))
    end = rest[:, 0] > length - 1e-6
    down = (rest - x)[end, 1].mean()
    weight = BEAM["density"] * gravity  # per volume
    bending = 12 * weight * length**4 / (8 * BEAM["youngs_modulus"] * thickness**2)
    shear = weight * length**2 / (2 * 5 / 6 * BEAM["youngs_modulus"] / 2)
    return down / (bending + shear)


@case("Cantilever of a solid")
def cantilever_solid():
    """A beam of 1 m x 0.1 m, held at one end, bends under a small weight; Timoshenko's deflection of the end, which is 0.8 % more than
    Euler and Bernoulli's (ν = 0). Linear triangles and tetrahedra are far too stiff in bending where there are few of them over the
    thickness (locking): this is the price of these elements, not of the solver. They converge with the square of h, which is
    asserted, as is the limit that the last two meshes point to."""
    rows, curves = [], []
    for dim, counts, name in ((2, (1, 2, 4, 8, 16), "triangles in the plane"), (3, (1, 2, 4, 8), "tetrahedra")):
        shares = [solid_beam(n, dim) for n in counts]
        listed = ", ".join(f"{share:.3g}" for share in shares)
        what = f"deflection, {name} ({listed} with {', '.join(map(str, counts))} cells over the thickness)"
        rows.append(relative(what, shares[-1], 1, 0.03 if dim == 2 else 0.12, cause="locking of linear elements"))
        rows.append(absolute(f"order in h, {name}", order([1 - share for share in shares]), 2, 0.4))
        limit = shares[-1] + (shares[-1] - shares[-2]) / 3
        rows.append(relative(f"limit for h → 0, {name}", limit, 1, 0.03))
        curves.append(Curve(name, list(counts), shares))
    return rows, [Plot("cantilever", "Cantilever of a solid", "cells over the thickness", "deflection / Timoshenko's", curves)]


def flat_shell(mesh, fix, thickness, gravity, density=1000, youngs_modulus=1e9, material="fixed_corotated"):
    """The positions of a sheet in the plane y = 0 that bends under its weight."""
    body = {
        "geometry": mesh,
        "material": {"model": material, "youngs_modulus": youngs_modulus, "poisson_ratio": 0, "density": density,
                     "thickness": thickness},
        "fix": {"indices": fix.tolist()},
    }
    return equilibrium(body, [0, -gravity, 0], tolerance=1e-7)[1]


def equilateral_strip(columns, rows, h):
    """Equilateral triangles with edges of h across the strip: columns of vertices at x = 0, √3/2 h, ..., every other one moved
    by h / 2 along z."""
    points = [(np.sqrt(3) / 2 * h * i, 0, h * (j + i % 2 / 2)) for i in range(columns + 1) for j in range(rows + 1)]
    faces = []
    for i in range(columns):
        left, right = np.arange(rows + 1) + i * (rows + 1), np.arange(rows + 1) + (i + 1) * (rows + 1)
        for j in range(rows):
            if i % 2 == 0:
                faces += [(left[j], left[j + 1], right[j]), (left[j + 1], right[j + 1], right[j])]
            else:
                faces += [(left[j], right[j + 1], right[j]), (left[j], left[j + 1], right[j + 1])]
    return abut.MeshData(points, faces=faces)


def strip(cells, kind, length=1.0, thickness=0.01):
    """Of a strip, over Euler and Bernoulli's: deflection of the free end, and curvature near the middle, where the ends have
    no say. One more row of cells is held."""
    h = length / cells
    if kind == "equilateral triangles":
        mesh = equilateral_strip(cells + 1, cells // 3, 2 / np.sqrt(3) * h).translated((-h, 0, 0))
    else:
        make = abut.generate.plane_grid if kind == "parallel diagonals" else abut.generate.cloth
        mesh = make(size=(length + h, length / 4), cells=(cells + 1, cells // 4)).translated(((length - h) / 2, 0, 0))
    fix = np.flatnonzero(mesh.vertices[:, 0] < 1e-9)
    gravity, density, youngs_modulus = 1e-3, 1000, 1e9
    x = flat_shell(mesh, fix, thickness, gravity, density, youngs_modulus)
    scale = density * gravity * thickness / (24 * youngs_modulus * thickness**3 / 12)

    def exact(x):
        return scale * (x**4 - 4 * length * x**3 + 6 * length**2 * x**2)

    def down(x0):
        return -x[np.abs(mesh.vertices[:, 0] - x0) < 1e-9, 1].mean()

    def curvature(f):
        return f(2 / 3) - 2 * f(7 / 12) + f(1 / 2)

    return down(length) / exact(length), curvature(down) / curvature(exact)


@case("Cantilever of a shell")
def cantilever_shell():
    """A strip of 1 m x 0.25 m, 1 cm thick, held at one end, under a small weight: Euler and Bernoulli's deflection (ν = 0). Hinges
    ([bending](elasticity.md#bending)) do not converge to it: they have a stiffness of their own against bending across the strip
    and against twist. With curvatures κ their energy per area is, in the limit of fine meshes,
    D/2 ((κxx ± κxy)² + (κyy ± κxy)² + 4 κxy²) on right triangles with parallel diagonals, the sign by their direction, and
    D/2 (κ₁² + κ₂² − 2/3 κ₁ κ₂) on equilateral ones, whatever ν is. A strip with free sides bends across and twists until that is
    least: 5/4 and 9/8 of the curvature, where its ends have no say. These limits are asserted."""
    rows, curves, counts = [], [], (24, 36, 48)
    cause = "does not converge to 1: hinges resist bending across and twist by another amount than a plate"
    for kind, limit in (("parallel diagonals", 5 / 4), ("alternating diagonals", None), ("equilateral triangles", 9 / 8)):
        ends, middles = zip(*(strip(cells, kind) for cells in counts))
        listed = ", ".join(f"{share:.4g}" for share in ends)
        what = f"deflection of the end, {kind} ({listed} with {', '.join(map(str, counts))} cells)"
        rows.append(relative(what, ends[-1], 1, cause=cause))
        if limit is not None:
            rows.append(relative(f"curvature in the middle over the closed form, {kind}", middles[-1], limit, 0.03))
        curves.append(Curve(kind, list(counts), list(middles)))
    return rows, [Plot("strip", "Cantilever of a shell", "cells along it", "curvature in the middle / closed form", curves)]


# --- Plates ---


def square_plate(cells, diagonals, is_clamped, thickness=0.01):
    """Deflection of the middle of a plate of 1 m under its weight over Navier's, or over that of a clamped one."""
    h = 1 / cells
    make = abut.generate.plane_grid if diagonals == "parallel" else abut.generate.cloth
    more = 2 if is_clamped else 0  # one more row of cells around it is held
    mesh = make(size=(1 + more * h, 1 + more * h), cells=(cells + more, cells + more))
    fix = np.flatnonzero(np.abs(mesh.vertices[:, [0, 2]]).max(axis=1) > 0.5 - 1e-9)
    gravity, density, youngs_modulus = 1e-3, 1000, 1e9
    x = flat_shell(mesh, fix, thickness, gravity, density, youngs_modulus)
    load, stiffness = density * gravity * thickness, youngs_modulus * thickness**3 / 12
    expected = (0.00126532 if is_clamped else 0.00406235) * load / stiffness
    return -x[np.linalg.norm(mesh.vertices, axis=1).argmin(), 1] / expected


def triangle_plate(cells, thickness=0.01):
    """The same of an equilateral triangle of height 1 m, of equilateral triangles, that is supported along its sides."""
    side = 2 / np.sqrt(3)
    points = [(i / cells * side + 0.5 * j / cells * side, j / cells) for j in range(cells + 1) for i in range(cells + 1 - j)]
    index = {(i, j): k for k, (j, i) in enumerate((j, i) for j in range(cells + 1) for i in range(cells + 1 - j))}
    faces = [(index[i, j], index[i, j + 1], index[i + 1, j]) for j in range(cells) for i in range(cells - j)]
    faces += [(index[i + 1, j], index[i, j + 1], index[i + 1, j + 1]) for j in range(cells) for i in range(cells - j - 1)]
    points = np.array([(x - side / 2, 0, z - 1 / 3) for x, z in points])
    inner = {index[i, j] for j in range(1, cells) for i in range(1, cells - j)}
    fix = np.array([k for k in range(len(points)) if k not in inner])
    gravity, density, youngs_modulus = 1e-3, 1000, 1e9
    x = flat_shell(abut.MeshData(points, faces=faces), fix, thickness, gravity, density, youngs_modulus)
    load, stiffness = density * gravity * thickness, youngs_modulus * thickness**3 / 12
    middle = np.linalg.norm(points, axis=1).argmin()
    return -x[middle, 1] / (load / (972 * stiffness))


@case("Plate under its weight")
def plate():
    """Plates, 1 cm thick, whose deflection is a small share of that (ν = 0): a square supported or clamped along its sides (Timoshenko and
    Woinowsky-Krieger, "Theory of plates and shells", 1959: 0.00406 and 0.00126 q a⁴ / D) and an equilateral triangle of height a that
    is supported (q a⁴ / (972 D) at its centroid)."""
    rows, curves = [], []
    counts = (8, 16, 32)
    cause = "hinges of right triangles resist bending about other axes than their own by another amount, on every mesh"
    kinds = [("equilateral triangle", lambda n: triangle_plate(3 * n // 2), "")]
    for diagonals in ("parallel", "alternating"):
        for is_clamped in (False, True):
            name = f"square, {'clamped' if is_clamped else 'supported'}, {diagonals} diagonals"
            kinds.append((name, lambda n, d=diagonals, c=is_clamped: square_plate(n, d, c), cause))
    for name, run, why in kinds:
        shares = [run(n) for n in counts]
        listed = ", ".join(f"{share:.4g}" for share in shares)
        rows.append(relative(f"{name} ({listed} on meshes each twice as fine)", shares[-1], 1, None if why else 0.02, cause=why))
        curves.append(Curve(name, list(counts), shares))
    return rows, [Plot("plate", "Plates under their weight", "cells along a side", "deflection / closed form", curves)]


# --- Laplace's balloon ---


def balloon_growth(subdivisions, pressure, radius=0.1, thickness=5e-4, youngs_modulus=1e6, poisson_ratio=0.3):
    """By how much the mean radius of a thin sphere grows under a pressure from inside, over Laplace's: the tension is
    pressure times radius / 2, and Hooke's law makes it a strain."""
    body = {
        "geometry": {"generate": "icosphere", "radius": radius, "subdivisions": subdivisions},
        "material": {"youngs_modulus": youngs_modulus, "poisson_ratio": poisson_ratio, "thickness": thickness, "bending": False},
        "pressure": pressure,
    }
    rest, x = equilibrium(body, (0, 0, 0), tolerance=1e-9, count=3)
    grown = np.linalg.norm(x - x.mean(axis=0), axis=1).mean() / np.linalg.norm(rest, axis=1).mean() - 1
    value = pressure.get("value") or pressure["gas"]["initial"]
    return grown / (value * radius * (1 - poisson_ratio) / (2 * youngs_modulus * thickness))


@case("Laplace's balloon")
def balloon():
    """A thin sphere of radius R and thickness t under the pressure p: its tension is p R / 2 (Laplace), so that it grows by
    p R (1 - ν) / (2 E t) of itself while that is small, here 7e-5; on three meshes of triangles, each twice as fine. A gas
    of 1 Pa above an outside of 1 Pa loses twice as much of it as the volume grows, which is nothing here."""
    counts = (2, 3, 4)
    shares = [balloon_growth(n, {"value": 1.0}) for n in counts]
    errors = [abs(share - 1) for share in shares]
    listed = ", ".join(f"{share:.5f}" for share in shares)
    rows = [
        relative(f"growth of the radius ({listed} on meshes each twice as fine)", shares[-1], 1, 0.005),
        absolute("order in the length of edges", order(errors), 2, 0.3),
        relative("the same of a sealed gas", balloon_growth(4, {"gas": {"ambient": 1.0, "initial": 1.0}}), 1, 0.006),
    ]
    return rows, []


# --- Materials ---


def stress_of(model, mu, lam):
    """Closed forms of the stress for a stretch along x with the sides held, F = diag(s, 1, 1), and for a simple shear by g,
    from the energies of elasticity.md: P(s), tau(g)."""
    return {
        "neo_hookean": (lambda s: mu * (s - 1 / s) + lam * np.log(s) / s, lambda g: mu * g),
        "stable_neo_hookean": (
            lambda s: 4 / 3 * mu * s * (1 - 1 / (s * s + 3)) - mu + (lam + 5 / 6 * mu) * (s - 1),
            lambda g: 4 / 3 * mu * g * (1 - 1 / (g * g + 4)),
        ),
        "fixed_corotated": (
            lambda s: (2 * mu + lam) * (s - 1),
            lambda g: 2 * mu * g * (1 - 1 / np.sqrt(g * g + 4)),
        ),
        "stvk": (
            lambda s: (2 * mu + lam) * s * (s * s - 1) / 2,
            lambda g: mu * (g + g**3) + lam * g**3 / 2,
        ),
        "hencky": (
            lambda s: (2 * mu + lam) * np.log(s) / s,
            lambda g: 4 * mu * np.arcsinh(g / 2) / np.sqrt(4 + g * g),
        ),
    }[model]


def elastic_energy(body, F):
    """Of a body whose vertices are all held in a deformation F [J]."""
    scene = {"gravity": [0, 0, 0], "objects": [dict(body, fix="all")], "contact": {"model": "none"}, "time": {"dt": DT}}
    simulation = simulation_of(scene)
    start_from(simulation, simulation.positions @ np.asarray(F).T)
    return advance(simulation, 1).balance.elastic


def stress_curves(name, bodies, forms, volume, shear):
    """Rows and plots of stresses, from differences of the elastic energy of bodies, by name, in a stretch along x and in a
    shear, over the closed forms of both; all over their largest modulus, `volume` is that of the bodies at rest."""
    step, rows, plots = 1e-5, [], []
    for what, deformation, values, k in (
        ("stretch", lambda s: np.diag([s, 1, 1]), np.linspace(0.6, 1.6, 11), 0),
        ("shear", shear, np.linspace(0, 0.8, 9), 1),
    ):
        curves = []
        for model, body in bodies.items():
            exact, unit = forms[model][k], YOUNG_CURVES
            measured = [
                (elastic_energy(body, deformation(v + step)) - elastic_energy(body, deformation(v - step))) / (2 * step * volume)
                for v in values
            ]
            worst = max(abs(m - exact(v)) for m, v in zip(measured, values)) / unit
            rows.append(absolute(f"stress in {what}, `{model}`", worst, 0, 1e-6))
            curves.append(Curve(model, list(values), [m / unit for m in measured]))
        title = {"stretch": f"{name}: stretch with the sides held", "shear": f"{name}: simple shear"}[what]
        plots.append(Plot(f"{what}-{name.lower()}", title, what, "nominal stress / E", curves))
    return rows, plots


YOUNG_CURVES, POISSON_CURVES = 1e6, 0.3


@case("Stretch and shear of each material: solids")
def material_curves():
    """A box of tetrahedra is held in a stretch along x with its sides held (0.6 to 1.6), and in a simple shear (0 to 0.8), with E = 1 MPa and
    ν = 0.3. Its stress, from differences of its elastic energy, against the derivative of the [energy](elasticity.md#models)
    written out by hand: the largest difference, over E."""
    models = ("neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk", "hencky")
    bodies = {
        model: {
            "geometry": {"generate": "tet_box", "subdivisions": [2, 2, 2]},
            "material": {"model": model, "youngs_modulus": YOUNG_CURVES, "poisson_ratio": POISSON_CURVES},
        }
        for model in models
    }
    forms = {model: stress_of(model, *lame(YOUNG_CURVES, POISSON_CURVES)) for model in models}
    return stress_curves("Solids", bodies, forms, 1.0, lambda g: np.array([[1, g, 0], [0, 1, 0], [0, 0, 1]]))


@case("Stretch and shear of each material: sheets")
def sheet_curves():
    """The same of a sheet of 1 m x 1 m and 1 mm in its plane, which is free across it: with λ of plane stress, E ν / (1 − ν²).
    Woven cloth has moduli of 1 MPa along the warp, 0.6 MPa along the weft and 0.1 MPa in shear."""
    thickness, warp, weft, cross = 1e-3, YOUNG_CURVES, 0.6 * YOUNG_CURVES, 0.1 * YOUNG_CURVES
    mu, lam = lame(YOUNG_CURVES, POISSON_CURVES)[0], YOUNG_CURVES * POISSON_CURVES / (1 - POISSON_CURVES**2)
    materials = {
        model: {"model": model, "youngs_modulus": YOUNG_CURVES, "poisson_ratio": POISSON_CURVES}
        for model in ("neo_hookean", "fixed_corotated", "stvk", "hencky")
    }
    forms = {model: stress_of(model, mu, lam) for model in materials}
    materials["baraff_witkin"] = {"model": "baraff_witkin", "warp": warp, "weft": weft, "shear": cross, "warp_direction": [1, 0, 0]}
    forms["baraff_witkin"] = (lambda s: warp * (s - 1), lambda g: cross * g + weft * g * (1 - 1 / np.sqrt(1 + g * g)))
    bodies = {
        model: {
            "kind": "shell",
            "geometry": {"generate": "plane_grid", "cells": [3, 2]},
            "material": {**material, "thickness": thickness, "bending": False},
        }
        for model, material in materials.items()
    }
    return stress_curves("Sheets", bodies, forms, thickness, lambda g: np.array([[1, 0, g], [0, 1, 0], [0, 0, 1]]))
