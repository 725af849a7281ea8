"""Cases of motion: friction on a slope, oscillators and the order of integrators, collisions."""

import numpy as np
from scipy.special import ellipj, ellipk
from scenes import G, INTEGRATORS, MODELS, ORDERS, advance, centre, lame, simulation_of, start_from, steps
from table import Curve, Plot, absolute, case, order, relative

import abut

# --- A block on a slope ---

MU = 0.3
EPS_V = 1e-4  # m/s


def block_scene(gravity, model="ipc", dt=0.01, mu=MU, integrator="implicit_euler", **keys):
    """A stiff cube of 0.2 m on the plane y = 0."""
    cube = {
        "name": "cube",
        "geometry": {"generate": "tet_box", "size": [0.2, 0.2, 0.2], "subdivisions": [2, 2, 2]},
        "transform": {"translate": [0, 0.1002, 0]},
        "material": {"youngs_modulus": 1e9, "poisson_ratio": 0.3},
    }
    contact = {"model": model, "dhat": 4e-4, "friction": {"mu": mu, "eps_v": EPS_V}}
    if model == "gcp":
        contact["adaptive_dhat"] = False
    return {
        "gravity": list(gravity),
        "planes": [{}],
        "objects": [cube],
        "contact": contact,
        "time": {"dt": dt, "integrator": integrator},
        "solver": {"tolerance": 1e-7, "friction_iterations": 3},
        **keys,
    }


def settled(model, angle):
    """The cube where it lies still under the part of gravity that is normal to the slope: positions, and the stiffness of
    contact there, which depends on the time step and would lift the cube if it changed."""
    simulation = simulation_of(block_scene((0, -G * np.cos(angle), 0), model, dt=0.01))
    advance(simulation, 60)
    state = simulation.state()
    return state.positions, state.stiffness


def on_slope(model, angle, duration, dt=0.01, integrator="implicit_euler"):
    """How far the centre of the cube slid down a slope from rest, and its speed: [m], [m/s]."""
    gravity = G * np.array([np.sin(angle), -np.cos(angle), 0])
    simulation = simulation_of(block_scene(gravity, model, dt, integrator=integrator))
    positions, stiffness = settled(model, angle)
    start_from(simulation, positions, np.zeros_like(positions), stiffness)
    advance(simulation, round(duration / dt))
    return centre(simulation, simulation.positions - positions)[0], centre(simulation, simulation.velocities)[0]


def critical_slope(model, halvings=5):
    """tan of the angle at which the cube begins to be faster than what counts as static, over mu, by halving."""
    low, high = 0.97, 1.03
    for _ in range(halvings):
        middle = (low + high) / 2
        _, speed = on_slope(model, np.arctan(MU * middle), duration=0.6, dt=0.02)
        low, high = (low, middle) if speed > EPS_V else (middle, high)
    return (low + high) / 2 * MU


@case("Block on a slope: when it begins to slide")
def slope_angle():
    """A cube of 0.2 m rests on a slope with a coefficient of friction of 0.3; it slides where the tangent of the angle is above
    that (Coulomb). The angle is found by halving: sliding is a speed above eps_v = 0.1 mm/s after 0.6 s."""
    rows = [
        relative(f"tan of the critical angle, `{model}`", critical_slope(model), MU, bound=0.005) for model in MODELS
    ]
    return rows, []


TRAPEZOID = (
    "order 1 where sliding begins: the trapezoidal rule takes the mean of friction at both ends of the first step, and at rest it is 0, so that the "
    "speed is too large by μ g cos α dt / 2"
)


@case("Block on a slope: how far it slides")
def slope_distance():
    """The same cube from rest on a slope of 25°, for 0.5 s: a t² / 2 with a = g (sin α − μ cos α). Implicit Euler adds dt / t
    to that, here 2 %."""
    angle, duration, dt = np.radians(25), 0.5, 0.01
    exact = G * (np.sin(angle) - MU * np.cos(angle)) * duration**2 / 2
    rows, curves = [], []
    for model in MODELS:
        slid, _ = on_slope(model, angle, duration, dt)
        rows.append(relative(f"distance, `{model}`, `implicit_euler`", slid, exact, bound=0.022, unit="m"))
    times = dt / 2.0 ** np.arange(0, 4)
    for integrator in INTEGRATORS:
        distances = [on_slope("ipc", angle, duration, each, integrator)[0] for each in times]
        errors = [abs(distance / exact - 1) for distance in distances]
        curves.append(Curve(integrator, list(times), errors))
        if integrator == "implicit_euler":
            rows.append(absolute("order in dt, `ipc`, `implicit_euler`", order(errors), 1, bound=0.1))
        else:
            bound, cause = (0.04, TRAPEZOID) if integrator == "newmark" else (0.005, "")
            rows.append(relative(f"distance, `ipc`, `{integrator}`", distances[0], exact, bound, "m", cause))
    plot = Plot("slope", "Block on a slope: error of the distance", "dt [s]", "relative error", curves, True)
    return rows, [plot]


@case("Block that is pushed")
def pushed_block():
    """The cube with a speed of 1 m/s on level ground stops after v² / (2 μ g) and stays there; implicit Euler takes v dt / 2
    off that. And a wall that pushes it at 0.1 m/s exerts μ m g, the mean of the last half of 0.5 s."""
    dt, speed = 0.005, 1.0
    exact = speed**2 / (2 * MU * G)
    rows = []
    for model in MODELS:
        simulation = simulation_of(block_scene((0, -G, 0), model, dt))
        positions, stiffness = settled(model, 0)
        start_from(simulation, positions, np.tile([speed, 0.0, 0.0], (len(positions), 1)), stiffness)
        advance(simulation, round(0.6 / dt))
        slid = centre(simulation, simulation.positions - positions)[0]
        rows.append(relative(f"distance until it stops, `{model}`", slid, exact, bound=0.025, unit="m"))
    for model in MODELS:
        scene = block_scene((0, -G, 0), model, dt)
        wall = {"name": "wall", "kind": "obstacle",
                "geometry": {"generate": "box", "size": [0.05, 0.18, 0.4]},
                "transform": {"translate": [-0.1255, 0.095, 0]}}
        scene["objects"] = [*scene["objects"], wall]
        scene["scripts"] = [{"object": "wall", "velocity": [0.1, 0, 0]}]
        # The wall's friction would carry a part of the weight: it slides over the ground, the cube does not slide on it
        simulation = simulation_of(scene)
        forces = []
        for report in steps(simulation, round(0.5 / dt)):
            pushes = [pair.contact[0] for pair in report.forces if {pair.body, pair.other} == {0, 1}]
            forces.append(abs(sum(pushes)))
        weight = simulation.masses[: simulation.object_starts[1]].sum() * G
        force = float(np.mean(forces[len(forces) // 2 :]))
        rows.append(relative(f"force of the wall, `{model}`", force, MU * weight, bound=0.02, unit="N"))
    return rows, []


# --- Oscillators ---


def spring(amplitude, integrator, dt, youngs_modulus=1e5, height=0.1):
    """One tetrahedron whose base is fixed and whose top moves along the normal of the base: an oscillator with one degree
    of freedom. Starts in the middle with the speed that takes it to the amplitude, a share of its height. Returns the
    simulation and omega."""
    corners = np.array([[0, 0, 0], [0, 0, 0.1], [0.1, 0, 0], [0.03, height, 0.03]])
    mesh = abut.MeshData(corners, tets=[[0, 1, 2, 3]])
    density, poisson_ratio = 1000, 0.3
    body = {
        "geometry": mesh,
        "material": {"model": "stvk", "youngs_modulus": youngs_modulus, "poisson_ratio": poisson_ratio, "density": density},
        "fix": {"indices": [0, 1, 2]},
    }
    mu, lam = lame(youngs_modulus, poisson_ratio)
    # Energy V (lambda + 2 mu) / 2 (u / H)², a quarter of the mass at the top
    omega = np.sqrt(4 * (lam + 2 * mu) / (density * height**2))
    scene = {
        "gravity": [0, 0, 0],
        "objects": [body],
        "contact": {"model": "none"},
        "time": {"dt": dt, "integrator": integrator},
        "solver": {"tolerance": 1e-12 * height * omega},
    }
    simulation = simulation_of(scene)
    velocities = np.zeros((4, 3))
    velocities[3, 1] = amplitude * height * omega
    start_from(simulation, velocities=velocities)
    return simulation, omega


@case("Free oscillator: order of each integrator")
def oscillator_order():
    """A tetrahedron with a fixed base, whose top moves along the base's normal with an amplitude of 1e-5 of its height: one
    degree of freedom with ω² = 4 (λ + 2 μ) / (ρ H²). The error of the top's place after 1.1 periods, over the amplitude, for
    steps of 1/40 to 1/640 of a period."""
    rows, curves, amplitude, height = [], [], 1e-5, 0.1
    counts = 40 * 2 ** np.arange(0, 5)
    for integrator in INTEGRATORS:
        errors = []
        for count in counts:
            _, omega = spring(amplitude, integrator, 1.0)
            period = 2 * np.pi / omega
            simulation, _ = spring(amplitude, integrator, period / count)
            rest = simulation.positions[3, 1]
            n = int(1.1 * count)
            advance(simulation, n)
            place = (simulation.positions[3, 1] - rest) / (amplitude * height)
            errors.append(abs(place - np.sin(2 * np.pi * n / count)))
        rows.append(absolute(f"order, `{integrator}`", order(errors), ORDERS[integrator], bound=0.1))
        curves.append(Curve(integrator, list(1 / counts), errors))
    return rows, [Plot("oscillator", "Free oscillator: error after 1.1 periods", "dt / period", "error / amplitude", curves, True)]


@case("Free oscillator: energy over 1,000 steps")
def oscillator_energy():
    """The same oscillator with an amplitude of 1 % of its height and 50 steps per period: kinetic and elastic energy after
    1,000 steps over that at the start. The trapezoidal rule keeps it. Of a linear oscillator implicit Euler divides it by
    1 + (ω dt)² in every step; of BDF2 the larger root of its characteristic polynomial tells the same."""
    rows, curves, count = [], [], 1000
    for integrator in INTEGRATORS:
        _, omega = spring(0.01, integrator, 1.0)
        dt = 2 * np.pi / omega / 50
        simulation, _ = spring(0.01, integrator, dt)
        start = 0.5 * (simulation.masses @ (simulation.velocities**2)).sum()
        energies = [1.0]
        for report in steps(simulation, count):
            energies.append((report.balance.kinetic + report.balance.elastic) / start)
        z = 1j * omega * dt
        if integrator == "implicit_euler":
            growth = abs(1 / (1 - z))
        elif integrator == "bdf2":
            growth = max(abs(np.roots([1.5 - z, -2, 0.5])))
        else:
            growth = 1.0
        expected = growth ** (2 * count)
        if integrator == "bdf2":
            expected *= abs(1 / (1 - z)) ** 2 / growth**2  # its first step is one of implicit Euler
        what = f"energy left, `{integrator}`"
        rows.append(relative(what, energies[-1], expected, bound=0.01))
        curves.append(Curve(integrator, list(range(0, count + 1, 10)), energies[::10]))
    return rows, [Plot("oscillator-energy", "Free oscillator, 50 steps per period", "step", "energy / energy at the start", curves)]


def pendulum_angle(time, start, omega):
    """Of a pendulum let go at an angle: theta = 2 asin(k sn(K - omega t, k)), k = sin(start / 2)."""
    m = np.sin(start / 2) ** 2
    sn, *_ = ellipj(ellipk(m) - omega * time, m)
    return 2 * np.arcsin(np.sqrt(m) * sn)


@case("Pendulum: order of each integrator")
def pendulum_order():
    """A stiff tetrahedron hangs on an edge that is fixed and is let go at 60°: a physical pendulum, θ(t) by elliptic functions.
    Error of the angle after one period of small swings, for 50 to 800 steps."""
    rows, curves = [], []
    start, length = np.radians(60), 0.5
    # The edge along z is the axle; the other two vertices are side by side below it, of equal mass
    hanging = np.array([[0, 0, -0.2], [0, 0, 0.2], [-0.1, -length, 0], [0.1, -length, 0]])
    turn = np.array([[np.cos(start), -np.sin(start), 0], [np.sin(start), np.cos(start), 0], [0, 0, 1]])
    mesh = abut.MeshData(hanging @ turn.T, tets=[[0, 1, 2, 3]])
    a, b, c, d = mesh.vertices
    if np.dot(np.cross(b - a, c - a), d - a) < 0:
        mesh = abut.MeshData(hanging @ turn.T, tets=[[1, 0, 2, 3]])
    omega = np.sqrt(G * length / (length**2 + 0.1**2))
    duration = 2 * np.pi / omega
    counts = 50 * 2 ** np.arange(0, 5)
    exact = pendulum_angle(duration, start, omega)
    for integrator in INTEGRATORS:
        errors = []
        for count in counts:
            body = {
                "geometry": mesh,
                "material": {"youngs_modulus": 1e11, "poisson_ratio": 0.3},
                "fix": {"indices": [0, 1]},
            }
            simulation = simulation_of(
                {
                    "gravity": [0, -G, 0],
                    "objects": [body],
                    "contact": {"model": "none"},
                    "time": {"dt": duration / count, "integrator": integrator},
                    "solver": {"tolerance": 1e-9},
                }
            )
            advance(simulation, count)
            below = simulation.positions[2:].mean(axis=0)
            errors.append(abs(np.arctan2(below[0], -below[1]) - exact))
        rows.append(absolute(f"order, `{integrator}`", order(errors), ORDERS[integrator], bound=0.15))
        curves.append(Curve(integrator, list(duration / counts), errors))
    return rows, [Plot("pendulum", "Pendulum let go at 60°: error after one swing", "dt [s]", "error of the angle [rad]", curves, True)]


# --- Two balls ---


def balls(model, integrator, dt=2e-4, tolerance=1e-11, offset=0.03):
    """Two elastic balls of different size that collide, not centrally, at 2 m/s, without gravity."""

    def ball(name, radius, x, y, velocity):
        return {
            "name": name,
            "geometry": {"generate": "tet_ball", "radius": radius, "shells": 2},
            "transform": {"translate": [x, y, 0]},
            "velocity": [velocity, 0, 0],
            "material": {"youngs_modulus": 1e6, "poisson_ratio": 0.3},
        }

    return simulation_of(
        {
            "gravity": [0, 0, 0],
            "objects": [ball("left", 0.1, -0.105, 0, 1.5), ball("right", 0.06, 0.064, offset, -0.5)],
            "contact": {"model": model, "dhat": 1e-3},
            "time": {"dt": dt, "integrator": integrator},
            "solver": {"tolerance": tolerance},
        }
    )


def angular_momentum(simulation):
    return (simulation.masses[:, None] * np.cross(simulation.positions, simulation.velocities)).sum(axis=0)


def collision(model, integrator, count, **keys):
    """Change of momentum over the sum of m |v|, change of angular momentum over the sum of m |x| |v|, and energies over
    that at the start after every step."""
    simulation = balls(model, integrator, **keys)
    masses = simulation.masses
    speeds = np.linalg.norm(simulation.velocities, axis=1)
    scale = masses @ speeds
    turning = masses @ (speeds * np.linalg.norm(simulation.positions, axis=1))
    momentum, spin = masses @ simulation.velocities, angular_momentum(simulation)
    start = 0.5 * (masses @ (simulation.velocities**2)).sum()
    energies, touched = [1.0], False
    for report in steps(simulation, count):
        energies.append((report.balance.kinetic + report.balance.elastic + report.balance.contact) / start)
        touched = touched or report.num_contacts > 0
    assert touched
    lost = np.linalg.norm(masses @ simulation.velocities - momentum) / scale
    return lost, np.linalg.norm(angular_momentum(simulation) - spin) / turning, energies


@case("Two balls collide: momentum")
def collision_momentum():
    """Balls of 0.1 and 0.06 m collide off centre at 2 m/s, with steps of 0.2 ms and a tolerance of 1e-11 m/s: change of momentum
    after 100 steps, over Σ m |v|."""
    rows = []
    for model in MODELS:
        lost, _, _ = collision(model, "implicit_euler", 100)
        rows.append(absolute(f"change of momentum, `{model}`, `implicit_euler`", lost, 0, bound=1e-10))
    for integrator in INTEGRATORS[1:]:
        lost, _, _ = collision("ipc", integrator, 100)
        rows.append(absolute(f"change of momentum, `ipc`, `{integrator}`", lost, 0, bound=1e-10))
    return rows, []


# Of energy and of angular momentum
KEPT = {"implicit_euler": (0.1, 1e-3), "bdf2": (0.03, 5e-5), "newmark": (0.01, 5e-6)}


@case("Two balls collide: energy by integrator over 1,000 steps", long=True)
def collision_energy():
    """The same collision over 1,000 steps, `ipc`. Kinetic, elastic and contact energy at the end over that at the start, and the change
    of angular momentum over Σ m |x| |v|. Nothing in nature is lost here; an integrator that damps loses what becomes vibration."""
    rows, curves = [], []
    for integrator in INTEGRATORS:
        lost, spin, energies = collision("ipc", integrator, 1000, tolerance=1e-9)
        energy_bound, spin_bound = KEPT[integrator]
        rows.append(absolute(f"change of momentum, `{integrator}`", lost, 0, bound=1e-10))
        rows.append(relative(f"energy left, `{integrator}`", energies[-1], 1, energy_bound))
        rows.append(absolute(f"change of angular momentum, `{integrator}`", spin, 0, spin_bound))
        curves.append(Curve(integrator, list(range(0, 1001, 5)), energies[::5]))
    return rows, [Plot("collision", "Two balls collide", "step", "energy / energy at the start", curves)]
