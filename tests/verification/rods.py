"""Cases of rods: a column that buckles, a cable that hangs, a spring, a twisted ring, waves, rigid motions."""

import math

import numpy as np
from scenes import G, advance, simulation_of, steps
from table import Curve, Plot, absolute, case, order, relative

import abut

E_ROD, NU_ROD, RHO_ROD = 1e7, 0.3, 1000.0


def polyline(points, is_closed=False):
    count = len(points)
    edges = [[k, (k + 1) % count] for k in range(count if is_closed else count - 1)]
    return abut.MeshData(np.asarray(points, dtype=float), edges=np.array(edges, dtype=np.int32))


def straight(length, count):
    """Along x, from 0."""
    return polyline([[length * k / count, 0, 0] for k in range(count + 1)])


def rod(mesh, radius, **more):
    material = {"radius": radius, "youngs_modulus": E_ROD, "poisson_ratio": NU_ROD, "density": RHO_ROD}
    material.update(more.pop("material", {}))
    return {"name": "rod", "kind": "rod", "geometry": mesh, "material": material, **more}


def moments(radius):
    """Stiffness against bending and against twist."""
    return E_ROD * math.pi * radius**4 / 4, E_ROD / (2 * (1 + NU_ROD)) * math.pi * radius**4 / 2


def rod_scene(body, integrator="quasi_static", dt=1e-2, tolerance=1e-8, **more):
    return {
        "gravity": more.pop("gravity", [0, 0, 0]),
        "objects": [body],
        "contact": {"model": "none"},
        "time": {"dt": dt, "integrator": integrator},
        "solver": {"tolerance": tolerance, **more.pop("solver", {})},
        **more,
    }


def set_state(simulation, positions=None, velocities=None):
    """Puts vertices elsewhere before the first step; frames follow them without twist."""
    state = simulation.state()
    simulation.set_state(abut.SimulationState(
        state.positions if positions is None else positions,
        state.velocities if velocities is None else velocities,
        step=state.step, time=state.time, others=state.others))


# --- Euler's column ---


def swing_of_column(share, count, length=1.0, radius=0.003):
    """Squared angular frequency of the lowest bending mode of a column on two hinges, pressed by a share of Euler's load: the
    end is moved until the column carries it, then it is pushed aside a little and let swing."""
    B, _ = moments(radius)
    area = math.pi * radius**2
    load = share * math.pi**2 * B / length**2
    short = length * (1 - load / (E_ROD * area))
    x = np.array([[short * k / count, 0, 0] for k in range(count + 1)])
    mass = RHO_ROD * area * length
    slow = math.pi**2 * math.sqrt(B / (mass / length)) / length**2  # without load
    omega = slow * math.sqrt(1 - share)
    simulation = simulation_of(rod_scene(
        rod(straight(length, count), radius, fix={"indices": [0, count]}), "newmark", 2 * math.pi / omega / 400, 1e-10))
    bow = 1e-5 * np.sin(math.pi * np.arange(count + 1) / count)
    set_state(simulation, x + bow[:, None] * [0, 1, 0])
    # From the largest deflection to the middle is a quarter of a period.
    before, before_time = bow[count // 2], 0.0
    for report in steps(simulation, 200):
        now = simulation.positions[count // 2, 1]
        if now <= 0:
            quarter = before_time + (report.time - before_time) * before / (before - now)
            return (math.pi / 2 / quarter) ** 2 / slow**2
        before, before_time = now, report.time
    raise RuntimeError("the column does not swing back")


@case("Euler's column")
def euler_column():
    """A column of the length L on two hinges, pressed by a load P. The squared frequency of its lowest bending mode falls with the load
    as 1 − P / P_E, and at Euler's load P_E = π² B / L² it does not come back. Measured at 50 % and 90 % of it, from which a straight line
    gives the load at which the frequency is 0. Euler 1744; Timoshenko, Gere, Theory of elastic stability, 1961, 2.1."""
    rows, errors, all_counts = [], [], (8, 16, 32)
    for count in all_counts:
        low, high = swing_of_column(0.5, count), swing_of_column(0.9, count)
        critical = 0.5 + low * 0.4 / (low - high)
        errors.append(abs(critical - 1))
        rows.append(relative(f"buckling load, {count} edges", critical, 1, 0.03 if count == 8 else 0.01, "P_E"))
    rows.append(absolute("order in the length of edges", order(errors), 2, 0.3))
    plot = Plot("euler-column", "Euler's column: error of the load", "edge / L", "error / P_E",
                [Curve("rod", [1 / count for count in all_counts], errors)], True)
    return rows, [plot]


# --- A hanging cable ---


def catenary(length, span):
    """The parameter c of y = c cosh(x / c) with this length over this span."""
    low, high = 1e-3 * span, 1e3 * span
    for _ in range(200):
        c = math.sqrt(low * high)
        low, high = (c, high) if 2 * c * math.sinh(min(span / (2 * c), 700)) > length else (low, c)
    return c


@case("Hanging cable")
def hanging_cable():
    """A cable that hardly resists bending or stretching hangs from two points at the same height, 0.8 of its length apart. Its
    middle hangs by c (cosh(s / 2c) − 1) below them, where 2c sinh(s / 2c) is its length and s the span: Bernoulli, Leibniz, Huygens 1691. What is left of
    stretch (a ten thousandth) and bending is part of the error."""
    rows, errors, all_counts = [], [], (16, 32, 64)
    length, span, radius = 1.0, 0.8, 1e-4
    c = catenary(length, span)
    expected = c * (math.cosh(span / (2 * c)) - 1)
    for count in all_counts:
        # Starts as an arc of a circle of the same length, which is 2 a R long and 2 R sin(a) wide
        a = 1.0
        for _ in range(100):
            a -= (math.sin(a) / a - span / length) / (math.cos(a) / a - math.sin(a) / a**2)
        phi, R = np.linspace(-a, a, count + 1), length / (2 * a)
        points = np.stack([R * np.sin(phi), R * (math.cos(a) - np.cos(phi)), 0 * phi], axis=1)
        body = rod(polyline(points), radius, material={"youngs_modulus": 1e8, "rest": "straight"}, fix={"indices": [0, count]})
        simulation = simulation_of(rod_scene(body, gravity=[0, -G, 0], tolerance=1e-5))
        advance(simulation, 2)
        sag = -simulation.positions[:, 1].min()
        errors.append(abs(sag / expected - 1))
        rows.append(relative(f"sag, {count} edges", sag, expected, 1e-3, "m"))
    return rows, [Plot("hanging-cable", "Hanging cable: error of the sag", "edge / length", "relative error",
                       [Curve("rod", [1 / count for count in all_counts], errors)], True)]


# --- A spring ---


def spring_constant(per_turn, turns, R, pitch, radius):
    """Of a helix whose end edges are held, from the energy at small ways both ways."""
    count = per_turn * turns
    phi = np.linspace(0, 2 * math.pi * turns, count + 1)
    points = np.stack([R * np.cos(phi), pitch * phi / (2 * math.pi), R * np.sin(phi)], axis=1)
    way, energy = 1e-3 * pitch * turns, 0.0
    body = rod(polyline(points), radius, fix={"indices": [0, 1]})
    for sign in (1, -1):
        scene = rod_scene(body, dt=1.0, tolerance=1e-9)
        scene["scripts"] = [
            {"object": "rod", "select": {"indices": [count - 1, count]}, "velocity": [0, sign * way, 0]}]
        energy += advance(simulation_of(scene), 1).balance.elastic / 2
    return 2 * energy / way**2


@case("Helical spring")
def helical_spring():
    """A spring of eight turns whose ends are held: moved along its axis, they do not turn. Force F and moment M about the axis twist the wire by F R cos α + M sin α over C,
    and bend it by M cos α − F R sin α over B, where R is the radius, α the angle of the helix, tan α = pitch / 2πR, and s the wire's length less half an edge at
    each end. With c₁₁ = s R² (cos² α / C + sin² α / B), c₂₂ = s (sin² α / C + cos² α / B) and c₁₂ = s R sin α cos α (1 / C − 1 / B) its constant is
    1 / (c₁₁ − c₁₂² / c₂₂), which for small α is G r⁴ / (4 n R³). Love, A treatise on the mathematical theory of elasticity, 1927, article 271."""
    rows, errors, all_counts = [], [], (24, 48, 96)
    R, pitch, turns, radius = 0.05, 0.02, 8, 0.002
    B, C = moments(radius)
    alpha = math.atan2(pitch, 2 * math.pi * R)
    cos, sin = math.cos(alpha), math.sin(alpha)
    for per_turn in all_counts:
        wire = turns * 2 * math.pi * R / cos * (1 - 1 / (per_turn * turns))
        c11 = wire * R**2 * (cos**2 / C + sin**2 / B)
        c22, c12 = wire * (sin**2 / C + cos**2 / B), wire * R * sin * cos * (1 / C - 1 / B)
        expected = 1 / (c11 - c12**2 / c22)
        measured = spring_constant(per_turn, turns, R, pitch, radius)
        errors.append(abs(measured / expected - 1))
        rows.append(relative(f"spring constant, {per_turn} edges a turn", measured, expected, 0.06 * (24 / per_turn), "N/m"))
    return rows, [Plot("helical-spring", "Helical spring: error of its constant", "edges a turn", "relative error",
                       [Curve("rod", list(all_counts), errors)], True)]


# --- Michell's ring ---


def ring_growth(share, count, radius=0.01, R=0.2):
    """By how much the ring's deflection out of its plane grows, from a twist that is this share of the critical one."""
    B, C = moments(radius)
    twist = share * 2 * math.pi * math.sqrt(3) * B / C
    phi = 2 * math.pi * np.arange(count) / count
    points = np.stack([R * np.cos(phi), R * np.sin(phi), 0 * phi], axis=1)
    body = rod(polyline(points, True), radius, material={"rest": "straight", "rest_twist": -twist / (2 * math.pi * R)})
    period = 2 * math.pi * R**2 / math.sqrt(B / (RHO_ROD * math.pi * radius**2))
    simulation = simulation_of(rod_scene(body, "newmark", period / 100, 1e-11))
    bump = 1e-6 * R
    set_state(simulation, points + bump * np.cos(2 * phi)[:, None] * [0, 0, 1])
    largest = 0.0
    for _ in steps(simulation, 400):
        largest = max(largest, 2 * abs(np.mean(simulation.positions[:, 2] * np.exp(-2j * phi))) / bump)
    return largest


@case("Michell's ring")
def michell_ring():
    """A rod that is straight at rest is bent to a ring, its ends turned against each other by Θ and joined. Up to
    Θ = 2π √3 B / C the ring stays in its plane; beyond it, it writhes (Michell 1889; Goriely, "Twisted elastic rings", 2006). A ring of 80 edges that is
    pushed out of its plane by a millionth of its radius, by cos 2φ, swings below the critical twist, and moves away from the plane above it. The largest
    deflection over the first one, within four periods 2π R² √(ρ A / B): the critical twist is between those at which it stays and grows tenfold."""
    rows = []
    for share in (0.9, 0.98):
        rows.append(absolute(f"growth at {share:g} of the critical twist, beyond 1", max(ring_growth(share, 80) - 1, 0), 0, 1))
    for share in (1.02, 1.1):
        growth = ring_growth(share, 80)
        rows.append(absolute(f"1 / growth at {share:g} of the critical twist ({growth:.3g})", 1 / growth, 0, 0.1))
    return rows, []


# --- Waves ---


def wave_frequency(mode, count, integrator, per_period, length=1.0, radius=0.01):
    """Of a standing bending wave on two hinges, over what Euler and Bernoulli's beam has."""
    B, _ = moments(radius)
    k = mode * math.pi / length
    omega = k**2 * math.sqrt(B / (RHO_ROD * math.pi * radius**2))
    simulation = simulation_of(rod_scene(
        rod(straight(length, count), radius, fix={"indices": [0, count]}), integrator, 2 * math.pi / omega / per_period, 1e-11))
    shape = np.sin(mode * math.pi * np.arange(count + 1) / count)
    set_state(simulation, simulation.positions + 1e-6 * shape[:, None] * [0, 1, 0])
    before, before_time = 1.0, 0.0
    for report in steps(simulation, per_period):
        now = 2 / count * float(shape @ simulation.positions[:, 1]) / 1e-6
        if now <= 0:
            quarter = before_time + (report.time - before_time) * before / (before - now)
            return math.pi / 2 / quarter / omega
        before, before_time = now, report.time
    raise RuntimeError("the wave does not swing back")


@case("Bending waves of a rod")
def rod_waves():
    """Standing waves of a rod on two hinges, with one and with four half waves: ω = k² √(B / (ρ A)), so that a wave of the length λ runs with
    the speed ω / k = 2π / λ √(B / (ρ A)) (Euler and Bernoulli's beam, which like this rod has no inertia against turning its sections out of
    their plane). 64 edges and 200 steps a period, by Newmark's method."""
    rows = []
    for mode in (1, 4):
        rows.append(relative(f"speed of a wave of 2 L / {mode}", wave_frequency(mode, 64, "newmark", 200), 1, 5e-3))
    all_counts = (8, 16, 32)
    errors = [abs(wave_frequency(2, count, "newmark", 2000) - 1) for count in all_counts]
    rows.append(absolute("order in the length of edges, wave of L", order(errors), 2, 0.2))
    plot = Plot("rod-waves", "Bending wave of the length L: error of its speed", "edge / L", "relative error",
                [Curve("rod", [1 / count for count in all_counts], errors)], True)
    return rows, [plot]


# --- Rigid motions ---


@case("Twist under rigid motion")
def rigid_twist():
    """A wrung, bent ribbon, frames and all, is carried along and turned about an axis of its own by a script, 1.3 turns in 40 steps. Twist is measured between frames
    that are carried from step to step by themselves, so that it stays what it was only if these follow rightly: its largest change, over the largest
    twist."""
    phi = np.linspace(0, 3 * math.pi, 31)
    points = np.stack([0.3 * np.cos(phi), 0.03 * phi, 0.3 * np.sin(phi)], axis=1)
    body = rod(polyline(points), [0.02, 0.01], material={"rest": "straight", "rest_twist": 5.0})
    simulation = simulation_of({**rod_scene(body, dt=0.05, tolerance=1e-9), "scripts": [
        {"object": "rod", "velocity": [0.1, 0, -0.2], "rotate": {"axis": [1, 2, -0.5], "degrees_per_second": 234}}]})
    before = np.array(simulation.rod_twist())
    advance(simulation, 40)
    change = np.abs(simulation.rod_twist() - before).max() / np.abs(before).max()
    cause = "vertices follow a script to a hundredth of their way in a step; a test of the energy turns them exactly, to 1e-11"
    return [absolute("change of twist", change, 0, 1e-4, cause=cause)], []
