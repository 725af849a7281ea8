"""Cases of materials that flow: yield curves, a thick sphere under pressure, the bend of a wire and of a beam, a cycle of load."""

import math

import numpy as np
from rods import polyline
from scenes import advance, simulation_of, steps
from table import Curve, Plot, absolute, case, relative

import abut

E, NU, Y, H = 1e6, 0.3, 1e3, 5e4
MU = E / (2 * (1 + NU))
QUASI_STATIC = {"dt": 1e-2, "integrator": "quasi_static"}


def material(**plasticity):
    return {"model": "hencky", "youngs_modulus": E, "poisson_ratio": NU, "plasticity": {"yield_stress": Y, **plasticity}}


def block(size, cells, **plasticity):
    return {"name": "block", "geometry": {"generate": "tet_box", "size": size, "subdivisions": cells},
            "material": material(**plasticity)}


def half(axis, at):
    """What lies beyond `at` along an axis."""
    point, normal = [0, 0, 0], [0, 0, 0]
    point[axis], normal[axis] = abs(at) * math.copysign(1, at), math.copysign(1, at)
    return {"half_space": {"point": point, "normal": normal}}


def moved_block(body, axis, direction, edge, ways, tolerance=1e-9):
    """A block whose face at -edge along an axis is held, and whose other face goes by `ways` along a direction, step by step;
    yields displacement, force and report."""
    frames = [{"time": 0}]
    for k, way in enumerate(ways):
        frames.append({"time": QUASI_STATIC["dt"] * (k + 1), "translate": [way * d for d in direction]})
    scene = {
        "gravity": [0, 0, 0],
        "objects": [dict(body, fix=half(axis, -edge + 1e-6))],
        "scripts": [{"object": "block", "select": half(axis, edge - 1e-6), "keyframes": frames}],
        "contact": {"model": "none"},
        "time": QUASI_STATIC,
        "solver": {"tolerance": tolerance},
    }
    simulation = simulation_of(scene)
    rest = simulation.positions
    face = rest[:, axis] > edge - 1e-6
    before = 0.0
    for report in steps(simulation, len(ways)):
        at = ((simulation.positions - rest)[face] @ np.array(direction)).mean()
        yield at, report.balance.script_work / (at - before), report, rest, simulation
        before = at


def tension(hardening, most=0.02, count=40):
    """Logarithmic strain between two cuts in the middle of a bar, and Kirchhoff's stress there."""
    length = 6
    strains, stresses = [], []
    for _, force, _, rest, simulation in moved_block(
            block([length, 1, 1], [24, 4, 4], **hardening), 0, [1, 0, 0], length / 2,
            [most * length * (k + 1) / count for k in range(count)]):
        x = simulation.positions
        cut = [np.isclose(rest[:, 0], at) for at in (-0.5, 0.5)]
        stretch = x[cut[1], 0].mean() - x[cut[0], 0].mean()
        strains.append(math.log(stretch))
        stresses.append(force * stretch)
    return np.array(strains), np.array(stresses)


def tension_form(strain, hardening):
    """E e up to the yield stress, then e = tau / E + (tau - Y) / H."""
    beyond = (E * hardening * strain + E * Y) / (E + hardening)
    return np.where(E * strain < Y, E * strain, beyond)


def shear(hardening, most=0.02, count=40):
    """A cube of which all vertices are held: simple shear."""
    pairs = [(at, force) for at, force, *_ in moved_block(
        block([1, 1, 1], [1, 1, 1], **hardening), 1, [1, 0, 0], 0.5, [most * (k + 1) / count for k in range(count)])]
    return tuple(np.array(each) for each in zip(*pairs))


def shear_form(gamma, hardening):
    """mu gamma up to Y / √3, then gamma = tau / mu + √3 (√3 tau - Y) / H."""
    if hardening == 0:
        return np.minimum(MU * gamma, Y / math.sqrt(3))
    beyond = (gamma + math.sqrt(3) * Y / hardening) / (1 / MU + 3 / hardening)
    return np.where(MU * gamma < Y / math.sqrt(3), MU * gamma, beyond)


@case("Yield curves with hardening")
def yield_curves():
    """A bar of 6 x 1 x 1 m that is pulled at its ends, and a cube in simple shear, to 2 % in 40 steps: Kirchhoff's stress in the
    middle of the bar against logarithmic strain there, and the shear force, by the work of the scripts. Closed forms of von Mises with
    linear hardening; that of shear is for small strains. Largest error of all steps, over the yield stress."""
    rows, curves = [], []
    for name, hardening in (("perfectly plastic", 0), ("H = E / 20", H), ("H = E / 4", E / 4)):
        for what, run, form, scale in (("tension", tension, tension_form, Y), ("shear", shear, shear_form, Y / math.sqrt(3))):
            strain, stress = run({"hardening": hardening})
            necks = what == "tension" and hardening == 0
            expected = form(strain, hardening)
            worst = np.abs(stress - expected).argmax()
            rows.append(absolute(f"{what}, {name}: stress over yield stress where it is farthest off", stress[worst] / scale,
                                 expected[worst] / scale, bound=None if necks else 0.01,
                                 cause="a bar that does not harden necks, as it should: strain is not uniform" if necks else ""))
            if hardening in (0, E / 4):
                curves += [Curve(f"{what}, {name}", strain, stress / Y),
                           Curve(f"{what}, {name}, closed form", strain, expected / Y, is_closed_form=True)]
    return rows, [Plot("yield", "Yield curves", "strain", "stress / yield stress", curves)]


# --- Thick sphere ---


def hollow_ball(inner, outer, subdivisions, layers):
    """Layers of an icosphere, each prism cut into three tetrahedra by the numbers of its corners."""
    sphere = abut.generate.icosphere(radius=1, subdivisions=subdivisions)
    directions, count = sphere.vertices / np.linalg.norm(sphere.vertices, axis=1)[:, None], len(sphere.vertices)
    radii = inner * (outer / inner) ** np.linspace(0, 1, layers + 1)
    points = np.vstack([r * directions for r in radii])
    tets = []
    for face in sphere.faces:
        a, b, c = sorted(face)
        for layer in range(layers):
            low, high = np.array([a, b, c]) + layer * count, np.array([a, b, c]) + (layer + 1) * count
            tets += [[low[0], low[1], low[2], high[2]], [low[0], low[1], high[1], high[2]], [low[0], high[0], high[1], high[2]]]
    tets = np.array(tets, dtype=np.int32)
    p, q, r, s = (points[tets[:, k]] for k in range(4))
    volumes = (np.cross(q - p, r - p) * (s - p)).sum(axis=1) / 6
    tets[volumes < 0] = tets[volumes < 0][:, [0, 2, 1, 3]]
    return abut.MeshData(points, tets=tets), np.abs(volumes)


def front_of_sphere(subdivisions, layers, front, inner=1.0, outer=2.0, count=6):
    """The radius up to which a sphere has flowed under the pressure that brings it to `front`, by the volume that has."""
    pressure = 2 * Y * math.log(front / inner) + 2 / 3 * Y * (1 - (front / outer) ** 3)
    mesh, volumes = hollow_ball(inner, outer, subdivisions, layers)
    scene = {
        "gravity": [0, 0, 0],
        "objects": [{"name": "sphere", "geometry": mesh, "material": material(), "pressure": {"value": pressure}}],
        "contact": {"model": "none"},
        "time": QUASI_STATIC,
        "solver": {"tolerance": 1e-8},
    }
    simulation = simulation_of(scene)
    advance(simulation, count)
    flowed = np.array(simulation.state().history["plastic.strain"]) > 0
    share = volumes[flowed].sum() / volumes.sum()
    return (inner**3 + share * (outer**3 - inner**3)) ** (1 / 3)


@case("Thick sphere under pressure")
def thick_sphere():
    """A sphere of the radii 1 m and 2 m, perfectly plastic, with a pressure inside that makes it flow up to the radius c:
    p = 2 Y ln(c / a) + 2/3 Y (1 - c³ / b³) (Hill, The Mathematical Theory of Plasticity, 1950, chapter V). The front by the volume
    of the elements that have flowed."""
    rows = []
    for subdivisions, layers in ((2, 8), (3, 14)):
        for front in (1.3, 1.6):
            rows.append(relative(f"front of {front} m, {20 * 4**subdivisions * layers * 3:,} tetrahedra",
                                 front_of_sphere(subdivisions, layers, front), front, bound=0.03, unit="m"))
    return rows, []


# --- A bent wire ---

E_WIRE, Y_WIRE, R_WIRE = 1e9, 1e6, 0.01


def residual_curvature(curvature, hardening, length=1.0, count=60):
    """A wire that is straight at rest, held along an arc in the first step, then let go."""
    angles = np.linspace(-0.5, 0.5, count + 1) * length * curvature
    arc = [[math.sin(a) / curvature, (1 - math.cos(a)) / curvature, 0] for a in angles]
    scene = {
        "gravity": [0, 0, 0],
        "objects": [{"name": "wire", "kind": "rod", "geometry": polyline(arc),
                     "material": {"youngs_modulus": E_WIRE, "poisson_ratio": 0.3, "radius": R_WIRE, "rest": "straight",
                                  "plasticity": {"yield_stress": Y_WIRE, "hardening": hardening}}}],
        "scripts": [{"object": "wire", "release": QUASI_STATIC["dt"]}],
        "contact": {"model": "none"},
        "time": {"dt": QUASI_STATIC["dt"], "integrator": "implicit_euler"},
        "solver": {"tolerance": 1e-10},
    }
    scene["objects"][0]["damping"] = {"mass": 200}
    simulation = simulation_of(scene)
    advance(simulation, 400)
    x = simulation.positions
    tangents = np.diff(x, axis=0)
    turns = [math.atan2(np.linalg.norm(np.cross(t, u)), t @ u) for t, u in zip(tangents, tangents[1:])]
    middle = turns[len(turns) // 2]
    return 2 * math.tan(middle / 2) / (np.linalg.norm(tangents, axis=1).mean())


@case("Residual curvature of a bent wire")
def residual_bend():
    """A wire of 1 cm radius that is bent to a curvature and let go: κ less the full plastic moment 4/3 Y r³ over E I. With
    hardening the moment is that and H I per plastic curvature. A section that is resolved, in which yield moves inwards from the surface,
    has for a round wire the moment that the second rows tell: the model yields all at once, and is off by that."""
    rows = []
    inertia = math.pi * R_WIRE**4 / 4
    moment, first = 4 / 3 * Y_WIRE * R_WIRE**3, Y_WIRE / (E_WIRE * R_WIRE)
    for times in (4, 10):
        curvature = times * first
        bent = residual_curvature(curvature, 0)
        rows.append(relative(f"bent to {times} times the curvature of first yield", bent,
                             curvature - moment / (E_WIRE * inertia), bound=0.01, unit="1/m"))
        # ∫ σ y dA of min(E κ y, Y) over the circle
        s = 1 / times
        y = (np.arange(20000) + 0.5) / 20000
        resolved = 4 * R_WIRE**3 * Y_WIRE * (np.minimum(y / s, 1) * y * np.sqrt(1 - y * y)).mean()
        rows.append(relative(f"the same with a resolved section, {times} times", bent, curvature - resolved / (E_WIRE * inertia),
                             unit="1/m", cause="the section yields all at once"))
    h = E_WIRE / 10
    curvature = 10 * first
    # E I (κ - κ_p) = M + H I κ_p
    expected = (E_WIRE * inertia * curvature - moment) / ((E_WIRE + h) * inertia)
    rows.append(relative("with hardening E / 10, bent to 10 times", residual_curvature(curvature, h), expected, bound=0.01, unit="1/m"))
    return rows, []


# --- A bent beam ---


def bent_beam(times, cells, length=1.0, height=0.1, width=0.05, count=12):
    """A beam that is held at one end and bent by the other, then let go: curvatures of its middle half before and after, and that of
    first yield."""
    first = 2 * Y / (E * height)
    frames = [{"time": 0}]
    for k in range(1, count + 1):
        curvature = times * first * k / count
        angle = curvature * length
        frames.append({"time": QUASI_STATIC["dt"] * k, "degrees": math.degrees(angle),
                       "translate": [math.sin(angle) / curvature - length, (1 - math.cos(angle)) / curvature, 0]})
    frames.append(dict(frames[-1], time=QUASI_STATIC["dt"] * (count + 1)))
    scene = {
        "gravity": [0, 0, 0],
        "objects": [dict(block([length, height, width], cells), fix=half(0, -length / 2 + 1e-6))],
        "scripts": [{"object": "block", "select": half(0, length / 2 - 1e-6), "keyframes": frames,
                     "rotate": {"axis": [0, 0, 1], "centre": [length / 2, 0, 0]}, "release": QUASI_STATIC["dt"] * (count + 0.1)}],
        "contact": {"model": "none"},
        "time": QUASI_STATIC,
        "solver": {"tolerance": 1e-9},
    }
    simulation = simulation_of(scene)
    rest = simulation.positions

    def curvature_now():
        angles = []
        for at in (-length / 4, length / 4):
            cut = np.isclose(rest[:, 0], at)
            across = (rest[cut, 1, None] * simulation.positions[cut]).sum(axis=0)  # the section, as a direction
            angles.append(math.atan2(-across[0], across[1]))
        return (angles[1] - angles[0]) / (length / 2)

    advance(simulation, count)
    bent = curvature_now()
    advance(simulation, 2)
    return bent, curvature_now(), first


@case("Residual curvature of a bent beam", long=True)
def residual_beam():
    """A beam of 1 x 0.1 x 0.05 m of tetrahedra, perfectly plastic, that is bent at its ends and let go. Yield moves inwards from its
    surface: the moment is 3/2 M (1 - (κ_1 / κ)² / 3) with that of first yield, M = Y b h² / 6, at the curvature κ_1 = 2 Y / (E h) (Hill
    1950), and the curvature that stays is κ less that moment over E I. κ is measured in the middle half before it is
    let go: the ends, which are kept flat, are stiffer."""
    rows = []
    for times, bound in ((2, 0.03), (4, 0.01), (10, 0.01)):
        bent, left, first = bent_beam(times, [40, 10, 3])
        rows.append(relative(f"bent to {bent / first:.1f} times the curvature of first yield", left,
                             bent - 1.5 * (1 - (first / bent) ** 2 / 3) * first, bound=bound, unit="1/m"))
    return rows, []


# --- A cycle ---


@case("Work of a load cycle")
def load_cycle():
    """A bar that is pulled to 2 %, pushed back to -1 % and then to where it exerts no force, in 120 quasi-static steps: the
    work of the scripts by the mean of the forces at both ends of each step, in less returned, over the heat of flow and what hardening
    and residual stress store."""
    rows = []
    for name, hardening in (("perfectly plastic", 0), ("H = E / 20", H), ("H = E / 4", E / 4)):
        ways = [*np.linspace(0, 0.06, 41)[1:], *np.linspace(0.06, -0.03, 61)[1:], *np.linspace(-0.03, -0.025, 21)[1:]]
        work = heat = last = before = 0
        for at, force, report, *_ in moved_block(block([3, 1, 1], [9, 3, 3], hardening=hardening), 0, [1, 0, 0], 1.5, ways):
            work += (force + before) / 2 * (at - last)
            last, before = at, force
            heat += report.balance.plastic_loss
        stored = report.balance.elastic
        rows.append(relative(f"work, {name}", work, heat + stored, bound=0.01, unit="J"))
    return rows, []
