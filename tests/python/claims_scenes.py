"""What scripts/claims measures and test_claims.py asserts: the claims of "Geometric Contact Potential", Huang et al.
2025, on scenes that take seconds. Every function returns numbers and judges nothing.

Forces of IPC are for a stiffness of 1 Pa, of a barrier whose stiffness is a pressure: weights by area, and
use_physical_barrier. So "0.3" is a pressure, in units of its stiffness. Simulations have the stiffness of scenes."""

import pathlib
import tempfile

import abut
import claims_meshes
import numpy as np
from abut import (
    BarrierPotential,
    CollisionFilter,
    CollisionMesh,
    CollisionSetType,
    MeshData,
    NormalCollisions,
    SmoothCollisions,
    SmoothContactParameters,
    SmoothContactPotential,
    adaptive_extents,
)

# --- Potentials ---


def gcp(mesh, X, params, rest=None, stiffness=1.0):
    """Energy, forces by vertex and number of pairs; with `rest`, extents are adapted to these positions."""
    collisions = SmoothCollisions()
    extents = None if rest is None else adaptive_extents(mesh, rest, params)
    collisions.build(mesh, X, params, extents)
    potential = SmoothContactPotential(params, stiffness)
    forces = -potential.gradient(collisions, mesh, X).reshape(np.shape(X))
    return potential(collisions, mesh, X), forces, len(collisions)


def ipc(mesh, X, dhat, convergent=False, stiffness=1.0):
    """The same of IPC with area weights, or of convergent IPC."""
    set_type = CollisionSetType.CONVERGENT if convergent else CollisionSetType.IPC
    collisions = NormalCollisions()
    collisions.build(mesh, X, dhat, set_type=set_type, use_area_weighting=True)
    potential = BarrierPotential(dhat, stiffness, True)
    forces = -potential.gradient(collisions, mesh, X).reshape(np.shape(X))
    return potential(collisions, mesh, X), forces, len(collisions)


def largest(forces):
    return np.linalg.norm(forces, axis=1).max()


def pressure(mesh, forces):
    """Largest force on a vertex over its area."""
    return (np.linalg.norm(forces, axis=1) / mesh.vertex_areas).max()


# --- Shapes ---


def closed_curve(points):
    n = len(points)
    return MeshData(points, edges=np.column_stack([np.arange(n), (np.arange(n) + 1) % n]))


def refined(corners, spacing):
    """Points along a polygon, at most `spacing` apart."""
    points = []
    for a, b in zip(np.array(corners, float), np.roll(np.array(corners, float), -1, axis=0)):
        n = int(np.ceil(np.linalg.norm(b - a) / spacing - 1e-9))
        points.append(a + (b - a) * np.arange(n)[:, None] / n)
    return np.vstack(points)


def rounded_square(straight=4, arc=12, radius=0.08):
    """Width 1 m; edges of 0.21 m in the sides and of 0.0105 m at the corners."""
    half, points = 0.5 - radius, []
    for side in range(4):
        c, s = np.cos(side * np.pi / 2), np.sin(side * np.pi / 2)
        corner = [(0.5, -half + 2 * half * i / straight) for i in range(straight)]
        angles = np.arange(arc) * np.pi / 2 / arc
        corner += [(half + radius * np.cos(a), half + radius * np.sin(a)) for a in angles]
        points += [(c * x - s * y, s * x + c * y) for x, y in corner]
    return np.array(points)


def slit_outline(width):
    w = width / 2
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (w, 0.5), (w, 0), (-w, 0), (-w, 0.5), (-0.5, 0.5)]


def rest_shapes():
    """Name, figure, mesh and dhat of shapes at rest that IPC pushes apart."""
    cube = abut.generate.box(size=(0.5, 0.5, 0.5), subdivisions=(4, 4, 4))
    slit = abut.generate.tet_prism(corners=slit_outline(0.01), depth=0.5, subdivisions=2)
    ball = abut.generate.icosphere(radius=0.5, subdivisions=3)
    fillet = claims_meshes.fillet_block()
    return [
        ("rounded square, edges 0.01 to 0.21 m", "17", CollisionMesh(closed_curve(rounded_square())), 0.1),
        ("sphere, extent above its edges", "1", CollisionMesh(ball), 0.1),
        ("cube with rounded edges, edges 0.019 to 0.57 m", "1", CollisionMesh(fillet), 0.07),
        ("two blocks 2 cm apart", "20", CollisionMesh(cube.joined(cube.translated((0.52, 0, 0)))), 0.025),
        ("slit of 1 cm", "20", CollisionMesh(slit), 0.0125),
    ]


# --- Spurious forces: 6.1 ---


def rest():
    """For each shape at rest: name, figure, GCP's energy and largest force, IPC's pairs and pressure."""
    rows = []
    for name, figure, mesh, dhat in rest_shapes():
        X = mesh.rest_positions
        energy, forces, _ = gcp(mesh, X, SmoothContactParameters(dhat), rest=X)
        _, ipc_forces, pairs = ipc(mesh, X, dhat)
        rows.append((name, figure, energy, largest(forces), pairs, pressure(mesh, ipc_forces)))
    return rows


def wall_pressure(model, dhat, spacing):
    """Pressure between two parallel lines at half of dhat, for a stiffness of 1: to make models comparable."""
    block = closed_curve(refined([(-1, -1), (1, -1), (1, 0), (-1, 0)], spacing))
    mesh = CollisionMesh(block.joined(block.translated((0, 1 + dhat / 2))))
    X = mesh.rest_positions
    middle = (np.abs(X[:, 0]) < 0.5) & (np.abs(X[:, 1] - dhat / 2) < 1e-9)
    return model(mesh, X)[1][middle, 1].sum() / mesh.vertex_areas[middle].sum()


def notch(half_angle, spacing):
    """The outline of a block with a notch, whose tip is at the origin; as many points for any angle."""
    w = np.tan(np.radians(half_angle))
    corners = np.array([(-1, -0.3), (1, -0.3), (1, 1), (w, 1), (0, 0), (-w, 1), (-1, 1)])
    counts = [int(length / spacing) for length in (2, 1.3, 0.5, 1.2, 1.2, 0.5, 1.3)]
    sides = zip(corners, np.roll(corners, -1, axis=0), counts)
    return np.vstack([a + (b - a) * np.arange(n)[:, None] / n for a, b, n in sides])


def cusp(half_angle=15, dhat=0.1, spacing=0.02):
    """A notch of 80 degrees that has closed to a cusp of 30: the force on its walls within 0.3 m of the tip, of each
    model with the stiffness that gives parallel walls at dhat / 2 a pressure of 1 Pa."""
    mesh, X = CollisionMesh(closed_curve(notch(40, spacing))), notch(half_angle, spacing)
    near = np.linalg.norm(X, axis=1) < 0.3
    models = {
        "IPC": lambda mesh, X: ipc(mesh, X, dhat),
        "convergent IPC": lambda mesh, X: ipc(mesh, X, dhat, convergent=True),
    }
    for alpha in (0.8, 0.5, 0.2, 0.1):
        params = SmoothContactParameters(dhat, alpha)
        models[f"GCP, alpha {alpha}"] = lambda mesh, X, params=params: gcp(mesh, X, params)
    return {
        name: np.linalg.norm(model(mesh, X)[1][near], axis=1).sum() / wall_pressure(model, dhat, spacing)
        for name, model in models.items()
    }


# --- Number of pairs: table 2 ---


def rolled_mat(cells=16, gap=0.004):
    """A closed slab of 1 m x 0.2 m, 1 cm thick, rolled to a spiral whose layers are `gap` apart: mesh, positions."""
    slab = abut.generate.box(size=(1, 0.01, 0.2), subdivisions=(4 * cells, 1, cells))
    mesh = CollisionMesh(slab)
    X = mesh.rest_positions
    pitch, start = 0.01 + gap, 0.03
    # Arc length of r = start + pitch phi / 2 pi
    phi = np.linspace(0, 60, 6001)
    radius = start + pitch * phi / (2 * np.pi)
    length = np.concatenate([[0], np.cumsum((radius[1:] + radius[:-1]) / 2 * np.diff(phi))])
    angle = np.interp(X[:, 0] + 0.5, length, phi)
    r = start + pitch * angle / (2 * np.pi) + X[:, 1]
    return mesh, np.column_stack([r * np.cos(angle), r * np.sin(angle), -X[:, 2]])


def pair_counts():
    """For each dhat: pairs of IPC, of convergent IPC, and of GCP with alpha 1, 0.8, 0.5 and 0.1."""
    mesh, X = rolled_mat()
    rows = []
    for dhat in (0.005, 0.008, 0.012):
        counts = [ipc(mesh, X, dhat)[2], ipc(mesh, X, dhat, convergent=True)[2]]
        for alpha in (1, 0.8, 0.5, 0.1):
            collisions = SmoothCollisions()
            collisions.build(mesh, X, SmoothContactParameters(dhat, alpha))
            counts.append(len(collisions))
        rows.append((dhat, *counts))
    return rows


# --- Convergence under refinement: figure 36 ---


SHARP = 0.1  # L at sharp features [m]


def energy_with_sharp_length(mesh, length, dhat, r=0):
    """The energy at rest with this L at sharp features, and the lengths of edges elsewhere."""
    params = SmoothContactParameters(dhat, r=r).with_sharp_length(mesh, mesh.sharp_features(), length)
    collisions = SmoothCollisions()
    collisions.build(mesh, mesh.rest_positions, params)
    return SmoothContactPotential(params)(collisions, mesh, mesh.rest_positions)


def circles(level):
    """Two circles 5 cm apart, without features."""
    circle = abut.generate.squircle(radius=0.5, exponent=2, segments=24 * 2**level)
    return CollisionMesh(circle.joined(circle.translated((0.013, 1.05))))


def two_bodies(a, b):
    """Bodies that act on each other, not on themselves."""
    ids = np.repeat([0, 1], [len(a.vertices), len(b.vertices)])
    return CollisionMesh(a.joined(b), filter=CollisionFilter.different_bodies(ids))


def corner_over_block(level, gap=0.05, block_level=None):
    """A square with a corner down over the flat top of a block, edges of 0.1 m halved `level` times. The bodies do not act
    on themselves."""
    h = 0.1 / 2**level
    s = np.sqrt(0.5)
    square = closed_curve(refined([(0, gap), (s, gap + s), (0, gap + 2 * s), (-s, gap + s)], h) + [0.013, 0])
    h = h if block_level is None else 0.1 / 2**block_level
    block = closed_curve(refined([(-1, -0.5), (1, -0.5), (1, 0), (-1, 0)], h))
    return two_bodies(square, block)


def cube_over_block(level, gap=0.04):
    """A cube with a corner down over the flat top of a block."""
    n, size = 2 * 2**level, 0.06
    cube = abut.generate.box(size=(size, size, size), subdivisions=(n, n, n))
    x = np.array([1, 1, 1]) / np.sqrt(3)
    y = np.array([1, -1, 0]) / np.sqrt(2)
    cube = cube.transformed(np.array([y, x, np.cross(y, x)]))  # the diagonal to +y
    cube = cube.translated((0.003, gap - cube.vertices[:, 1].min(), 0.001))
    block = abut.generate.box(size=(2 * size, 0.05, 2 * size), subdivisions=(2 * n, 1, 2 * n))
    return two_bodies(cube, block.translated((0, -0.025, 0)))


def convergence():
    """Of each configuration: its name, its dhat, and the energy at each level of refinement, with dhat as it is."""
    configurations = (
        ("two circles", circles, 0.2, 7),
        ("corner over a flat block", corner_over_block, 0.2, 7),
        ("corner of a cube over a flat block", cube_over_block, 0.06, 5),
    )
    return [
        (name, dhat, [energy_with_sharp_length(make(level), SHARP, dhat) for level in range(levels)])
        for name, make, dhat, levels in configurations
    ]


# --- A corner into a plane: 6.6 ---


def smallest_gap(energy_at, energy):
    """The gap at which a potential that falls with the gap has taken up the energy."""
    low, high = np.log(1e-15), np.log(0.19)
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if energy_at(np.exp(middle)) > energy else (low, middle)
    return np.exp(low)


def corner_into_plane(refine_block, levels=(1, 2, 3, 4, 5), share=0.01, r=0):
    """A rigid square falls with a corner on a flat block, with an energy and stiffnesses for which both models stop it
    at `share` of dhat at the first level. By level of refinement, of the square or of both bodies: length of edges, and
    the smallest gap with GCP and with convergent IPC. The bodies do not act on themselves."""
    dhat = 0.2

    def at(level, gap):
        return corner_over_block(level, gap, None if refine_block else levels[0])

    def gcp_at(level, gap):
        return energy_with_sharp_length(at(level, gap), SHARP, dhat, r)

    def ipc_at(level, gap):
        mesh = at(level, gap)
        return ipc(mesh, mesh.rest_positions, dhat, convergent=True)[0]

    rows = []
    for level in levels:
        gaps = [smallest_gap(lambda gap: U(level, gap), U(levels[0], share * dhat)) for U in (gcp_at, ipc_at)]
        rows.append((0.1 / 2**level, *gaps))
    return rows


# --- Tangent-point energy: 6.4 ---


def tangent_point_energy(vertices, faces, eps, p=6):
    """Eq. 15 by the barycentres of faces, without pairs of faces that share a vertex."""
    from scipy.spatial import cKDTree

    a, b, c = (vertices[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    double = np.linalg.norm(normal, axis=1)
    normal, area, centre = normal / double[:, None], double / 2, (a + b + c) / 3
    pairs = cKDTree(centre).query_pairs(eps, output_type="ndarray")
    shared = (faces[pairs[:, 0]][:, :, None] == faces[pairs[:, 1]][:, None, :]).any(axis=(1, 2))
    i, j = pairs[~shared].T
    d = centre[i] - centre[j]
    r = np.linalg.norm(d, axis=1)
    v = 2 * r / eps
    h = 1.5 * np.where(v < 1, 2 / 3 - v**2 + v**3 / 2, np.maximum(2 - v, 0) ** 3 / 6)
    sides = sum(np.abs((normal[k] * d).sum(axis=1)) ** p for k in (i, j))
    return (sides / r ** (2 * p) * h * area[i] * area[j]).sum()


def tangent_points():
    """On a sphere of radius 1 with eps = 0.1: the smallest and largest gradient of the tangent-point energy at some
    vertices, and GCP's. At a cube: both energies by subdivisions."""
    ball = abut.generate.icosphere(radius=1, subdivisions=5)
    eps, h, gradients = 0.1, 1e-6, []
    for v in range(0, len(ball.vertices), 500):
        # What is farther than eps from the faces around v does not feel it.
        near = np.linalg.norm(ball.vertices[ball.faces[:, 0]] - ball.vertices[v], axis=1) < 3 * eps
        values = np.zeros((3, 2))
        for axis in range(3):
            for side in (0, 1):
                X = ball.vertices.copy()
                X[v, axis] += h * (2 * side - 1)
                values[axis, side] = tangent_point_energy(X, ball.faces[near], eps)
        gradients.append(np.linalg.norm(values[:, 1] - values[:, 0]) / (2 * h))
    mesh = CollisionMesh(ball)
    _, forces, _ = gcp(mesh, ball.vertices, SmoothContactParameters(eps), rest=ball.vertices)
    cubes = []
    for n in (8, 16, 32):
        cube = abut.generate.box(subdivisions=(n, n, n))
        mesh = CollisionMesh(cube)
        zero = gcp(mesh, cube.vertices, SmoothContactParameters(0.2), rest=cube.vertices)[0]
        cubes.append((n, tangent_point_energy(cube.vertices, cube.faces, 0.2), zero))
    return min(gradients), max(gradients), largest(forces), cubes


# --- Simulations ---


def simulation_of(scene):
    """A geometry of the scene may also be a MeshData of tetrahedra."""
    objects = []
    with tempfile.TemporaryDirectory() as folder:
        for k, body in enumerate(scene["objects"]):
            if isinstance(body["geometry"], MeshData):
                claims_meshes.write_msh(pathlib.Path(folder, f"{k}.msh"), body["geometry"])
                body = dict(body, geometry={"file": f"{k}.msh"})
            objects.append(body)
        return abut.Simulation(abut.Scene.from_json(dict(scene, format=1, objects=objects), folder=folder))


def reports(simulation, steps):
    """Takes some steps."""
    for _ in range(steps):
        report = simulation.step()
        if not report.converged:
            raise RuntimeError(report.message)
        yield report


def run(scene, steps):
    """The simulation after some steps, and its iterations."""
    simulation = simulation_of(scene)
    return simulation, sum(len(report.iterations) for report in reports(simulation, steps))


def contact(model, dhat, **keys):
    return {"model": model, "dhat": dhat, **keys}


def rest_simulations(steps=50):
    """Bodies at rest without gravity, half a second: name, figure, and by model iterations and how far a vertex went
    [m]."""
    rounded = {"geometry": {"generate": "polygon", "corners": rounded_square().tolist()}}
    fillet = {
        "geometry": claims_meshes.fillet_block(),
        "material": {"youngs_modulus": 100, "poisson_ratio": 0.2, "density": 10},
    }
    ball = {"geometry": {"generate": "tet_ball", "radius": 0.5, "shells": 3}}
    cube = {"geometry": {"generate": "tet_box", "subdivisions": [6, 6, 6]}}
    block = {"geometry": {"generate": "tet_box", "size": [0.5, 0.5, 0.5], "subdivisions": [4, 4, 4]}}
    beside = dict(block, transform={"translate": [0.52, 0, 0]})
    slit = {"geometry": {"generate": "tet_prism", "corners": slit_outline(0.01), "depth": 0.5, "subdivisions": 2}}
    scenes = [
        ("rounded square", "17", [rounded], 0.1),
        ("cube with rounded edges", "1", [fillet], 0.07),
        ("ball, extent above its edges", "1", [ball], 0.25),
        ("cube, extent above its edges", "1", [cube], 0.2),
        ("two blocks 2 cm apart", "20", [block, beside], 0.025),
        ("slit of 1 cm", "20", [slit], 0.0125),
    ]
    rows = []
    for name, figure, objects, dhat in scenes:
        gravity = [0, 0] if name == "rounded square" else [0, 0, 0]
        results = {}
        for model in ("gcp", "ipc"):
            simulation = simulation_of({"gravity": gravity, "objects": objects, "contact": contact(model, dhat)})
            start = simulation.positions.copy()
            iterations = sum(len(report.iterations) for report in reports(simulation, steps))
            results[model] = iterations, np.linalg.norm(simulation.positions - start, axis=1).max()
        rows.append((name, figure, results))
    return rows


def squeezing(name, height, speed):
    """Scripts that move bottom and top of an object towards each other, at `speed` [m/s] in sum."""
    return [
        {
            "object": name,
            "select": {"half_space": {"point": [0, side * 0.499 * height, 0], "normal": [0, side, 0]}},
            "velocity": [0, -side * speed / 2, 0],
        }
        for side in (-1, 1)
    ]


def in_equilibrium(body, scripts, model, steps, dt):
    """A body that is deformed slowly: largest contact force [N] at any time, pairs at the end, and the simulation."""
    time = {"dt": dt, "integrator": "quasi_static"}
    scene = {"gravity": [0, 0, 0], "objects": [body], "scripts": scripts, "contact": model, "time": time}
    simulation = simulation_of(scene)
    forces, pairs = [], 0
    for report in reports(simulation, steps):
        forces.append(largest(simulation.contact_forces()))
        pairs = report.num_contacts
    return max(forces), pairs, simulation


def squeezed_cube(model, ratio=0.33, steps=17, dt=0.01):
    """A cube with edges of 0.03 m and a Poisson's ratio of 0 is squeezed: largest contact force [N] at any time, pairs
    and height [m] at the end."""
    size = 0.18
    cube = {
        "name": "cube",
        "geometry": {"generate": "tet_box", "size": [size, size, size], "subdivisions": [6, 6, 6]},
        "material": {"youngs_modulus": 1e4, "poisson_ratio": 0, "density": 100},
    }
    scripts = squeezing("cube", size, (1 - ratio) * size / (steps * dt))
    force, pairs, simulation = in_equilibrium(cube, scripts, model, steps, dt)
    return force, pairs, np.ptp(simulation.positions[:, 1])


def balloon(model, rest=(0.4, 0.5), inner=1.4, steps=25, dt=0.01, subdivisions=2):
    """A hollow ball of rubber, whose inner surface is pulled outwards until its wall is thinner than dhat: largest
    contact force [N] at any time, pairs and mean thickness [m] at the end."""
    body = {
        "name": "balloon",
        "geometry": claims_meshes.hollow_ball(*rest, subdivisions, layers=2),
        "material": {"youngs_modulus": 4e6, "poisson_ratio": 0.45, "density": 100},
    }
    directions = abut.generate.icosphere(radius=1, subdivisions=subdivisions).vertices
    speed = (inner - rest[0]) / (steps * dt)
    scripts = [
        {"object": "balloon", "select": {"indices": [i]}, "velocity": (speed * direction).tolist()}
        for i, direction in enumerate(directions)
    ]
    force, pairs, simulation = in_equilibrium(body, scripts, model, steps, dt)
    radius, n = np.linalg.norm(simulation.positions, axis=1), len(directions)
    return force, pairs, (radius[-n:] - radius[:n]).mean()


# Stiffnesses for which the smallest distance is about the same, 3 mm, while the cross below is squeezed by 46 %. So the
# paper makes models comparable.
CUSP_MODELS = {
    "IPC": contact("ipc", 0.015, stiffness=1.5e6),
    "convergent IPC": contact("convergent_ipc", 0.015, stiffness=1e9),
    "GCP, alpha 0.1": contact("gcp", 0.015, alpha_t=0.1, stiffness=1),
    "GCP, alpha 0.5": contact("gcp", 0.015, alpha_t=0.5, stiffness=0.08),
    "GCP, alpha 0.8": contact("gcp", 0.015, alpha_t=0.8, stiffness=0.08),
}


def cusp_compression(model, steps):
    """Two bars that cross, 1 m high, are squeezed by 2 % per step, so that the corners at their sides become cusps. After
    each step: the sum of contact forces on vertices that are within 0.1 m of the cusps at rest [N], the angle of a cusp
    [degrees], and the smallest distance [m]."""
    mesh = claims_meshes.cross()
    X = mesh.vertices
    tips = np.array([(side * 0.2 / np.sqrt(2), 0) for side in (-1, 1)])
    near = np.linalg.norm(X[:, None, :2] - tips, axis=2).min(axis=1) < 0.1
    # The right cusp in the middle of the depth, and the next vertices on its walls
    places = tips[1] + [(0, 0), (0.05, 0.05), (0.05, -0.05)]
    tip, upper, lower = (np.linalg.norm(X - (*place, 0), axis=1).argmin() for place in places)
    body = {
        "name": "cross",
        "geometry": mesh,
        "material": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 100},
    }
    scripts = squeezing("cross", height=1, speed=2)
    scene = {"gravity": [0, 0, 0], "objects": [body], "scripts": scripts, "contact": model, "time": {"dt": 0.01}}
    simulation = simulation_of(scene)
    rows = []
    for report in reports(simulation, steps):
        force = np.linalg.norm(simulation.contact_forces()[near], axis=1).sum()
        up, down = (simulation.positions[v] - simulation.positions[tip] for v in (upper, lower))
        angle = np.degrees(np.arctan2(up[1], up[0]) - np.arctan2(down[1], down[0]))
        rows.append((force, angle, report.smallest_distance))
    return rows


# Stiffnesses for which the tip below turns at about half of dhat on the coarsest mesh.
IMPACT_MODELS = {
    "GCP": contact("gcp", 0.01, stiffness=1e5),
    "convergent IPC": contact("convergent_ipc", 0.01, stiffness=2e14),
}


def sharp_impact_model(dhat, r):
    """GCP with L as in IMPACT_MODELS on the coarsest square, but kept at corners, and a stiffness that also turns the tip
    of a hard square at about half of dhat."""
    stiffness = {(0.01, 1): 1e5, (0.01, 2): 5e2, (0.2, 1): 8e8, (0.2, 2): 1e8}[dhat, r]
    return contact("gcp", dhat, stiffness=stiffness, exponent=r, feature_length={"sharp": 0.141})


def corner_impact(model, cells, youngs_modulus, steps, dt=2e-6):
    """An elastic square of 0.71 m, `cells` edges per side, flies with a corner into a block of 2 m with 2 `cells` edges per
    side, at 234 m/s from a little more than dhat above it: the heights of its tip and of its lowest vertex after each
    step [m], (steps, 2)."""
    corners = [[0, 0], [0.5, 0.5], [0, 1], [-0.5, 0.5]]
    square = {
        "geometry": {"generate": "polygon", "corners": corners, "subdivisions": cells},
        "transform": {"translate": [0.013, 1.2 * model["dhat"]]},
        "material": {"youngs_modulus": youngs_modulus, "poisson_ratio": 0.3},
        "velocity": [0, -234],
    }
    corners = [[-1, -2], [1, -2], [1, 0], [-1, 0]]
    block = {"kind": "obstacle", "geometry": {"generate": "polygon", "corners": corners, "subdivisions": 2 * cells}}
    scene = {"gravity": [0, 0], "objects": [square, block], "contact": model, "time": {"dt": dt}}
    simulation = simulation_of(scene)
    square = slice(simulation.object_starts[1])
    tip = simulation.positions[square, 1].argmin()
    heights = (simulation.positions[square, 1] for _ in reports(simulation, steps))
    return np.array([(height[tip], height.min()) for height in heights])


def cliff_edge(steps=100):
    """A block falls 5 mm on a cliff, its side flush with the cliff's, without friction: how far its centre went
    sideways after a second [m], by model."""
    scene = {
        "objects": [
            {
                "name": "cliff",
                "kind": "obstacle",
                "geometry": {"generate": "box", "size": [1, 0.5, 0.6], "subdivisions": [2, 1, 1]},
                "transform": {"translate": [-0.5, -0.25, 0]},
            },
            {
                "name": "block",
                "geometry": {"generate": "tet_box", "size": [0.3, 0.3, 0.3], "subdivisions": [2, 2, 2]},
                "transform": {"translate": [-0.15, 0.165, 0]},
                "material": {"youngs_modulus": 1e6},
            },
        ],
    }
    results = {}
    for model in ("gcp", "ipc", "convergent_ipc"):
        simulation, _ = run(dict(scene, contact=contact(model, 0.01)), steps)
        block = slice(simulation.object_starts[1], None)
        centre = np.average(simulation.positions[block], axis=0, weights=simulation.masses[block])
        results[model] = np.hypot(centre[0] + 0.15, centre[2]), centre[1]
    return results


def extents(dhats=(0.001, 0.003, 0.01, 0.03), alphas=(0.5, 0.8), steps=13):
    """Two balls collide at 6 m/s until they are apart again, with the same stiffness throughout. By dhat: the mean of
    iterations for each alpha_t, and the smallest distance; of four ways to turn the second ball, as single runs differ by
    chance as much as extents do."""
    ball = {"geometry": {"generate": "tet_ball", "radius": 0.2, "shells": 3}, "material": {"youngs_modulus": 1e5}}

    def collide(dhat, alpha_t, degrees):
        place = {"translate": [0.48, 0.03, 0.02], "rotate": {"axis": [1, 2, 3], "degrees": degrees}}
        scene = {
            "gravity": [0, 0, 0],
            "objects": [dict(ball, velocity=[3, 0, 0]), dict(ball, velocity=[-3, 0, 0], transform=place)],
            "contact": contact("gcp", dhat, alpha_t=alpha_t, stiffness=0.02),
        }
        taken = list(reports(simulation_of(scene), steps))
        return sum(len(step.iterations) for step in taken), min(step.smallest_distance for step in taken)

    rows = []
    for dhat in dhats:
        runs = np.array([[collide(dhat, alpha_t, degrees) for degrees in (25, 60, 95, 130)] for alpha_t in alphas])
        rows.append((dhat, *runs[:, :, 0].mean(axis=1), runs[:, :, 1].min()))
    return rows
