"""The package: how it is imported, documented and typed, and what its errors are."""

import ast
import inspect
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap

import abut
import numpy as np
import pytest

PACKAGE = pathlib.Path(abut.__file__).parent
HERE = pathlib.Path(__file__).parent


def run_python(*arguments, **environment):
    """Runs this interpreter, outside of the sources, with nothing in the environment but where the package is."""
    environment = {"PYTHONPATH": str(PACKAGE.parent), **environment}
    command = [sys.executable, "-s", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


def test_it_imports_with_nothing_but_its_path():
    code = "import abut; print(abut.__version__, abut.edges([[0, 1, 2]]).size)"
    result = run_python("-W", "error", "-c", code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == [abut.__version__, "6"]


def test_importing_is_quiet_and_needs_no_scipy():
    code = "import sys; sys.modules['scipy'] = None; import abut; abut.CollisionMesh([[0.0, 0, 0]])"
    result = run_python("-c", code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_generate_is_a_module_of_its_own():
    result = run_python("-c", "from abut.generate import box; import abut.generate; print(box())")
    assert result.stdout == "<abut.MeshData: 8 vertices in 3D, 0 edges, 12 faces, 0 tets>\n", result.stderr


def test_laws_is_a_module_of_its_own():
    result = run_python("-c", "from abut.laws import cubic; import abut.laws; print(cubic(1, 2)[0] == 1 / 3)")
    assert result.stdout == "True\n", result.stderr


def test_a_cpu_without_avx2_is_an_import_error():
    assert abut._missing_cpu_flags("x86-64-v3", "flags\t\t: fpu sse2 avx fma\n") == ["avx2", "bmi2"]
    assert abut._missing_cpu_flags("x86-64-v3", "flags\t\t: fma avx2 bmi2 bmi1\n") == []
    assert abut._missing_cpu_flags("x86-64", "flags\t\t: fpu sse2\n") == []
    assert abut._missing_cpu_flags("native", "flags\t\t: fpu sse2\n") == []
    assert abut._missing_cpu_flags("x86-64-v3", "no flags here\n") == []
    code = textwrap.dedent(
        """
        import pathlib, platform, sys, types
        pathlib.Path.read_text = lambda self: "flags : fpu sse2"
        platform.machine = lambda: "x86_64"
        sys.modules["abut._build_info"] = info = types.ModuleType("abut._build_info")
        info.VERSION, info.ARCH = "0", "x86-64-v3"
        import abut
        """
    )
    result = run_python("-c", code)
    assert "ImportError: abut was built for x86-64-v3, but this CPU lacks avx2, bmi2, fma." in result.stderr
    assert "-DABUT_NATIVE=ON" in result.stderr and "-DABUT_ARCH=x86-64" in result.stderr


def test_errors_are_what_python_expects():
    assert issubclass(abut.InvalidInput, ValueError)
    assert issubclass(abut.InvalidStart, ValueError)
    assert issubclass(abut.LimitReached, RuntimeError)
    assert issubclass(abut.InputOutput, OSError)
    for error in (abut.InvalidInput, abut.InvalidStart, abut.LimitReached, abut.InputOutput):
        assert issubclass(error, abut.Error)
        assert error.__module__ == "abut" and error.__doc__


def public_callables():
    for module in (abut, abut.generate, abut.laws):
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            if name.startswith("_") or not callable(value):
                continue
            yield f"{module.__name__}.{name}", value
            if inspect.isclass(value) and not issubclass(value, (Exception, int)):
                for member, attribute in vars(value).items():
                    if not member.startswith("_"):
                        yield f"{module.__name__}.{name}.{member}", attribute


@pytest.mark.parametrize("name", dict(public_callables()))
def test_everything_public_has_a_docstring(name):
    doc = inspect.getdoc(dict(public_callables())[name]) or ""
    text = "\n".join(line for line in doc.splitlines() if "->" not in line and line != "Overloaded function.")
    assert len(text.strip()) > 3, name
    assert "object at 0x" not in doc and "Eigen" not in doc and "std::" not in doc


def test_everything_public_says_it_is_of_abut():
    for name in abut.__all__:
        value = getattr(abut, name)
        if callable(value):
            assert value.__module__ == "abut", name


def test_a_forked_child_can_use_it():
    points = np.random.default_rng(0).normal(size=(2, 50_000, 3))
    expected = abut.point_point_squared_distances(*points)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        abut.set_num_threads(1)
        os._exit(0 if (abut.point_point_squared_distances(*points) == expected).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


# --- Types ---


def run_mypy(*arguments):
    return run_python("-m", *arguments, MYPYPATH=str(PACKAGE.parent))


def test_the_stubs_match_the_module():
    pytest.importorskip("mypy")
    assert (PACKAGE / "py.typed").exists()
    result = run_mypy("mypy.stubtest", "abut", "--allowlist", str(HERE / "stubtest_allowlist.txt"))
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_stubs_name_the_arguments_that_the_docstrings_name():
    """stubtest cannot see the signatures of compiled functions, but their docstrings can."""
    for module, file in ((abut, "__init__.pyi"), (abut.generate, "generate.pyi"), (abut.laws, "laws.pyi")):
        stub = {}
        for node in ast.parse((PACKAGE / file).read_text()).body:
            if isinstance(node, ast.FunctionDef):
                names = [a.arg for a in node.args.args], [a.arg for a in node.args.kwonlyargs]
                stub.setdefault(node.name, set()).add((tuple(names[0]), tuple(names[1])))
        assert stub
        for name, signatures in stub.items():
            documented = set()
            for line in getattr(module, name).__doc__.splitlines():
                text = line.split(". ", 1)[1] if line[:1].isdigit() and ". " in line else line
                if not text.startswith(f"{name}(") or "->" not in text or "*args" in text:
                    continue
                function = ast.parse(f"def {text}: ...".replace(", ...]", "]")).body[0].args
                documented.add((tuple(a.arg for a in function.args), tuple(a.arg for a in function.kwonlyargs)))
            assert signatures == documented, name


def test_a_typed_program_type_checks(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import abut
            import numpy as np
            from abut import generate

            mesh = abut.CollisionMesh(generate.box(size=(1, 2, 3)), filter=lambda i, j: i != j)
            distance: float = abut.point_point_squared_distance([0, 0], [1, 1])
            value, gradient, hessian = abut.edge_length([0, 0], [1, 1], order="hessian")
            squared, features = abut.point_triangle_squared_distances(mesh.rest_positions, *np.eye(3))
            faces = features == abut.PointTriangleFeature.face
            closed: bool = mesh.components[0].is_closed and mesh.diagnose().is_clean
            both = abut.CollisionFilter() & ~mesh.filter
            candidates = abut.Candidates()
            candidates.build(mesh, mesh.rest_positions, inflation=0.1)
            candidates.build(mesh, mesh.rest_positions, mesh.rest_positions, 0.1, method="brute_force")
            limit = abut.find_collision_free_stepsize(mesh, mesh.rest_positions, mesh.rest_positions, dmin=0.01)
            is_free: bool = limit.kind == abut.PairKind.none and candidates != abut.Candidates()
            detection = abut.Detection(mesh, range=0.1)
            near = detection.fv.pairs[detection.fv.features == abut.PointTriangleFeature.face]
            half_space = abut.CollisionMesh(generate.box(), planes=[([0, -1, 0], (0, 1, 0)), *mesh.planes])
            below = candidates.pv[detection.pv.squared_distances == 0]
            collisions = abut.NormalCollisions()
            collisions.build(mesh, mesh.rest_positions, 0.1, use_area_weighting=True)
            collisions.build(candidates, mesh, mesh.rest_positions, 0.1, set_type=abut.CollisionSetType.CONVERGENT)
            collisions.build(detection, mesh, mesh.rest_positions, dhat=0.05)
            barrier = abut.BarrierPotential(0.05, 1e3, law=abut.laws.cubic, distance="plain", law_unit=lambda x: x * x)
            barrier.stiffness *= 2
            force = barrier.forces(collisions, mesh, mesh.rest_positions)[collisions.stencil_offsets[0]]
            kinds = [collision.kind for collision in collisions if collision.weight > 0]
            cache = abut.HessianCache(abut.candidate_pattern(candidates, mesh))
            clamp = abut.PSDProjectionMethod.CLAMP
            matrix = barrier.hessian(collisions, mesh, mesh.rest_positions, clamp, cache=cache)
            contacts = abut.TangentialCollisions()
            contacts.build(mesh, mesh.rest_positions, collisions, barrier, 0.3)
            contacts.build(mesh, mesh.rest_positions, collisions, barrier, mu_s=[0.3] * 8, mu_k=0.2)
            drag = abut.FrictionPotential(1e-3).force(contacts, mesh, mesh.rest_positions) + force[0]
            energy: float = abut.laws.clamped_log(0.5, 1.0)[0]
            energies = abut.laws.clamped_log(np.linspace(0, 1), 1.0)[0].sum()
            stiff: float = abut.suggest_stiffness(dhat=1e-3, mass=1e-3, dt=0.01).stiffness
            toi: float = abut.point_point_ccd([0, 0], [1, 0], [0, 0], [0, 1], tmax=0.5).toi
            scene = abut.Scene.from_json({"format": 1}, settings=["time.dt=0.01"])
            simulation = abut.Simulation(scene)
            found: int = simulation.step().num_intersections or simulation.verify().num_inverted
            simulation.set_state(simulation.state())
            run = abut.run(scene, "out", steps=3, callback=lambda report: report.converged)
            is_good: bool = run.verdict == "good" and abut.resume(run.folder, steps=None).exit_code == 0
            reveal_type(gradient)
            """
        )
    )
    result = run_mypy("mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program))
    assert result.returncode == 0, result.stdout + result.stderr
    assert "ndarray" in result.stdout
    program.write_text('import abut\nwrong: str = abut.edge_length([0], [1], order="nothing")\n')
    result = run_mypy("mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program))
    assert result.returncode == 1 and "program.py:2" in result.stdout
