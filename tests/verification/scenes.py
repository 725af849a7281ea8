"""What the cases share: simulations of scenes whose geometry may be a mesh, steps that must converge, names."""

import pathlib
import tempfile

import abut
import numpy as np

MODELS = ("ipc", "convergent_ipc", "gipc", "ogc", "gcp")
G = 9.81


def write_msh(path, mesh):
    """Tetrahedra or triangles, in space or in the plane, as Gmsh's MSH 2.2, with coordinates that are read back exactly."""
    points = mesh.vertices.tolist()
    nodes = [f"{i} {' '.join(repr(c) for c in (*x, 0.0)[:3])}" for i, x in enumerate(points, start=1)]
    kind, elements = (4, mesh.tets) if len(mesh.tets) else (2, mesh.faces)
    rows = [f"{i} {kind} 0 {' '.join(map(str, e))}" for i, e in enumerate((elements + 1).tolist(), start=1)]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes)), *nodes, "$EndNodes"]
    lines += ["$Elements", str(len(rows)), *rows, "$EndElements"]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_obj(path, mesh):
    """Edges as OBJ, with coordinates that are read back exactly."""
    lines = [f"v {' '.join(repr(c) for c in x)}" for x in mesh.vertices.tolist()]
    lines += [f"l {a} {b}" for a, b in (mesh.edges + 1).tolist()]
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def simulation_of(scene):
    """A geometry of the scene may also be a MeshData. Nothing is verified unless the scene says so."""
    objects = []
    with tempfile.TemporaryDirectory() as folder:
        for k, body in enumerate(scene["objects"]):
            mesh = body["geometry"]
            if isinstance(mesh, abut.MeshData):
                is_curve = len(mesh.tets) == 0 and len(mesh.faces) == 0
                name = f"{k}.obj" if is_curve else f"{k}.msh"
                (write_obj if is_curve else write_msh)(pathlib.Path(folder, name), mesh)
                is_flat = mesh.vertices.shape[1] == 2
                body = dict(body, geometry={"file": name, **({"in_plane": True} if is_flat else {})})
            objects.append(body)
        whole = {"verify": "off", **scene, "format": 1, "objects": objects}
        return abut.Simulation(abut.Scene.from_json(whole, folder=folder))


def steps(simulation, count):
    """Takes steps that must converge, and yields their reports."""
    for _ in range(count):
        report = simulation.step()
        if not report.converged:
            raise RuntimeError(report.message)
        yield report


def advance(simulation, count):
    """The same, for whom only the last report matters."""
    report = None
    for report in steps(simulation, count):
        pass
    return report


def start_from(simulation, positions=None, velocities=None, stiffness=None):
    """Puts vertices elsewhere, before the first step."""
    state = simulation.state()
    simulation.set_state(
        abut.SimulationState(
            state.positions if positions is None else positions,
            state.velocities if velocities is None else velocities,
            step=state.step,
            time=state.time,
            stiffness=state.stiffness if stiffness is None else stiffness,
        )
    )


def centre(simulation, values):
    """The mean over the masses of all vertices."""
    masses = simulation.masses
    return masses @ values / masses.sum()


def known_integrators():
    """Those of ORDERS that this build has."""
    box = {"geometry": {"generate": "tet_box", "subdivisions": [1, 1, 1]}}
    known = []
    for name in ORDERS:
        try:
            abut.Scene.from_json({"format": 1, "objects": [box], "time": {"integrator": name}})
        except ValueError as error:
            if "/time/integrator" not in str(error):
                raise
        else:
            known.append(name)
    return known


ORDERS = {"implicit_euler": 1, "bdf2": 2, "newmark": 2}
INTEGRATORS = known_integrators()


def lame(youngs_modulus, poisson_ratio):
    """mu and lambda."""
    shear = youngs_modulus / (2 * (1 + poisson_ratio))
    return shear, youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))


def linear_stress(rest, x, elements, youngs_modulus, poisson_ratio):
    """Cauchy's stress of every element by Hooke's law for its small strain, for bodies that hardly turn: (n, d, d)."""
    dim = rest.shape[1]
    edges = (rest[elements[:, 1:]] - rest[elements[:, :1]]).transpose(0, 2, 1)
    now = (x[elements[:, 1:]] - x[elements[:, :1]]).transpose(0, 2, 1)
    gradient = now @ np.linalg.inv(edges) - np.eye(dim)
    strain = (gradient + gradient.transpose(0, 2, 1)) / 2
    mu, lam = lame(youngs_modulus, poisson_ratio)
    return 2 * mu * strain + lam * np.trace(strain, axis1=1, axis2=2)[:, None, None] * np.eye(dim)
