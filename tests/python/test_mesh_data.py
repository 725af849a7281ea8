"""MeshData, topology of index arrays, generators and OBJ files."""

import inspect
import os
import pathlib
import pickle

import abut
import numpy as np
import pytest
from abut import MeshData, generate

GENERATORS = [getattr(generate, name) for name in dir(generate) if not name.startswith("_")]
TRIANGLE = [[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_arrays_are_checked_views():
    data = MeshData(TRIANGLE, edges=[[0, 1]], faces=np.array([[0, 1, 2]], dtype=np.uint64))
    assert data.vertices.dtype == np.float64 and data.faces.dtype == np.int32
    assert data.tets.shape == (0, 4)
    assert repr(data) == "<abut.MeshData: 3 vertices in 3D, 1 edges, 1 faces, 0 tets>"
    with pytest.raises(ValueError, match="read-only"):
        data.vertices[0] = 1
    with pytest.raises(AttributeError):
        data.vertices = TRIANGLE
    with pytest.raises(ValueError, match="tets: row 0 has index 3"):
        MeshData(TRIANGLE, tets=[[0, 1, 2, 3]])
    vertices = MeshData(TRIANGLE).vertices
    np.testing.assert_array_equal(vertices, TRIANGLE)


def test_meshes_move_and_join():
    data = MeshData(TRIANGLE, faces=[[0, 1, 2]])
    moved = data.translated([1, 2, 3])
    np.testing.assert_array_equal(moved.vertices, np.array(TRIANGLE) + [1, 2, 3])
    mirrored = data.transformed(np.diag([-1, 1, 1]))
    assert mirrored.faces.tolist() == [[1, 0, 2]]
    joined = data.joined(moved)
    assert joined.faces.tolist() == [[0, 1, 2], [3, 4, 5]]
    np.testing.assert_array_equal(joined.vertices, np.vstack([data.vertices, moved.vertices]))
    assert data.vertices.shape == (3, 3)
    for call in (
        lambda: data.translated([1, 2]),
        lambda: data.translated([1, 2, np.nan]),
        lambda: data.transformed(np.zeros((3, 3))),
        lambda: data.transformed(np.eye(2)),
        lambda: data.transformed([1, 2, 3]),
        lambda: data.joined(MeshData([[0.0, 0]])),
    ):
        with pytest.raises(ValueError):
            call()


def test_mesh_data_can_be_pickled():
    data = generate.tet_box(subdivisions=(1, 2, 1))
    again = pickle.loads(pickle.dumps(data))
    for name in ("vertices", "edges", "faces", "tets"):
        np.testing.assert_array_equal(getattr(again, name), getattr(data, name))


def test_edges_and_boundaries():
    faces = [[0, 1, 2], [2, 1, 3]]
    assert abut.edges(faces).tolist() == [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
    assert abut.boundary_edges(faces).tolist() == [[0, 1], [2, 0], [1, 3], [3, 2]]
    sides = abut.boundary_faces([[0, 1, 2, 3]])
    assert sorted(map(sorted, sides.tolist())) == [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    with pytest.raises(ValueError, match="tets: .*share one triangle"):
        abut.boundary_faces([[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]])


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda generator: generator.__name__)
def test_generators_make_meshes_that_can_collide(generator):
    data = generator()
    if data.vertices.shape[1] == 2 and len(data.faces):  # in the plane borders collide
        mesh = abut.CollisionMesh(data.vertices, edges=abut.boundary_edges(data.faces))
    else:
        mesh = abut.CollisionMesh(data)
    assert mesh.diagnose().is_clean
    assert len(mesh.components) == {"rope": 3, "fur": 200, "chain_mail": 16, "grains": 64}.get(generator.__name__, 1)
    with pytest.raises(TypeError):
        generator(1)
    with pytest.raises(TypeError):
        generator(no_such_option=1)


def test_generators_take_their_options():
    data = generate.box(size=(2, 4, 6), subdivisions=[1, 2, 3])
    np.testing.assert_array_equal(np.ptp(data.vertices, axis=0), [2, 4, 6])
    assert len(data.faces) == 4 * (2 + 3 + 6)
    assert len(generate.icosphere(subdivisions=0).faces) == 20
    np.testing.assert_allclose(np.linalg.norm(generate.icosphere(radius=3).vertices, axis=1), 3)
    assert generate.squircle(segments=12).vertices.shape == (12, 2)
    open_tube = generate.cylinder(closed=False, segments=5, rings=2)
    assert not abut.CollisionMesh(open_tube).components[0].is_closed
    assert generate.tet_ball(shells=2).tets.shape == (160, 4)
    assert generate.tet_cone(segments=4, subdivisions=3).tets.shape == (4 * 27, 4)
    assert generate.tet_torus(major_segments=5, minor_segments=4, rings=2).tets.shape == (3 * 5 * 4 * 3, 4)
    assert generate.tet_prism(corners=[[0, 0], [1, 0], [1, 1], [0, 1]], layers=2).tets.shape == (12, 4)
    assert generate.polygon(corners=[[0, 0], [1, 0], [0, 1]], subdivisions=3).vertices.shape == (10, 2)
    assert generate.revolved(profile=[[1, 0], [2, 1]], segments=6).faces.shape == (12, 3)
    assert generate.rope(strands=4, turns=1, strand_radius=0.01, segments=20).vertices.shape == (4 * 21, 3)
    assert generate.chain_mail(rows=2, columns=3, segments=12).edges.shape == (6 * 12, 2)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: generate.box(size=(1, 1)), ValueError),
        (lambda: generate.box(size=(1, 1, 0)), ValueError),
        (lambda: generate.box(size=(1, 1, np.nan)), ValueError),
        (lambda: generate.box(subdivisions=(1, 1, 0.5)), ValueError),
        (lambda: generate.box(subdivisions=(1, 1, 0)), ValueError),
        (lambda: generate.box(subdivisions=(10**9, 10**9, 10**9)), abut.LimitReached),
        (lambda: generate.icosphere(radius=-1.0), ValueError),
        (lambda: generate.icosphere(subdivisions=-1), ValueError),
        (lambda: generate.icosphere(subdivisions=40), abut.LimitReached),
        (lambda: generate.rod(segments=2**40), abut.LimitReached),
        (lambda: generate.rod(segments=1.5), TypeError),
        (lambda: generate.torus(major_radius=1.0, minor_radius=2.0), ValueError),
        (lambda: generate.torus_knot(p=2, q=4), ValueError),
        (lambda: generate.knit(strand_radius=0.01), ValueError),
        (lambda: generate.knot(half_turns=2), ValueError),
        (lambda: generate.net(meshes=[0, 1]), ValueError),
        (lambda: generate.grains(counts=[0, 1, 1]), ValueError),
        (lambda: generate.fur(hairs=2**40), abut.LimitReached),
        (lambda: generate.revolved(profile=[[1, 0]]), ValueError),
        (lambda: generate.revolved(profile=[[1, 0, 0], [2, 1, 0]]), ValueError),
        (lambda: generate.polygon(corners=[[0, 0], [1, 1], [1, 0], [0, 1]]), ValueError),
        (lambda: generate.tet_prism(depth=0.0), ValueError),
        (lambda: generate.tet_cone(segments=2), ValueError),
        (lambda: generate.tet_torus(rings=2**40), abut.LimitReached),
    ],
)
def test_generators_reject_options_out_of_range(call, error):
    with pytest.raises(error):
        call()


def test_defaults_of_generators_are_in_their_signatures():
    assert "size: ArrayLike = (1.0, 1.0, 1.0), subdivisions: ArrayLike = (1, 1, 1)" in generate.box.__doc__
    assert inspect.getdoc(generate.tet_ball).startswith("tet_ball(*, radius: float = 1.0, shells: int = 6)")


# --- OBJ ---


@pytest.mark.parametrize("as_path", [str, os.fsencode, pathlib.Path])
def test_obj_files_keep_every_bit(tmp_path, as_path):
    name = as_path(tmp_path / "tëst.obj")
    data = generate.icosphere(radius=1 / 3).joined(generate.helix())
    abut.write_obj(name, data)
    again = abut.read_obj(name)
    for part in ("vertices", "edges", "faces"):
        np.testing.assert_array_equal(getattr(again, part), getattr(data, part))


def test_obj_text_is_parsed():
    data = abut.parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n")
    assert data.faces.shape == (2, 3)
    with pytest.raises(abut.InvalidInput, match="scene.obj:2"):
        abut.parse_obj("v 0 0 0\nf 1 2 3\n", name="scene.obj")


def test_files_that_cannot_be_read_or_written(tmp_path):
    with pytest.raises(ValueError, match="missing.obj"):
        abut.read_obj(tmp_path / "missing.obj")
    with pytest.raises(ValueError):
        abut.read_obj(tmp_path)
    with pytest.raises(ValueError, match="path: "):
        abut.read_obj("a\0b.obj")
    with pytest.raises(ValueError):
        abut.read_obj(b"/no/such/\xff\xfe.obj")
    with pytest.raises(OSError):
        abut.write_obj(tmp_path / "missing" / "x.obj", MeshData(TRIANGLE))
    with pytest.raises(ValueError, match="tets"):
        abut.write_obj(tmp_path / "x.obj", generate.tet_box(subdivisions=(1, 1, 1)))
    path = tmp_path / "small.obj"
    abut.write_obj(path, MeshData(TRIANGLE, faces=[[0, 1, 2]]))
    with pytest.raises(abut.LimitReached, match="small.obj"):
        abut.read_obj(path, max_bytes=10)


# --- MSH ---


MSH = """$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 4 10 40
3 1 0 4
10
20
30
40
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 10 20 30 40
$EndElements
"""


def test_msh_files_become_meshes(tmp_path):
    path = tmp_path / "tet.msh"
    path.write_text(MSH)
    data = abut.read_msh(path)
    assert data.tets.tolist() == [[0, 1, 2, 3]] and data.vertices.shape == (4, 3)
    assert abut.parse_msh(MSH).tets.tolist() == [[0, 1, 2, 3]]
    with pytest.raises(ValueError, match=r"bad.msh:19: \$Elements: element 1 uses node 20 twice"):
        abut.parse_msh(MSH.replace("10 20 30 40", "10 20 20 40"), name="bad.msh")
    with pytest.raises(abut.InvalidStart, match="element 1"):
        abut.parse_msh(MSH.replace("10 20 30 40", "20 10 30 40"))
    with pytest.raises(abut.LimitReached):
        abut.read_msh(path, max_bytes=10)
    with pytest.raises(ValueError):
        abut.read_msh(tmp_path / "missing.msh")
