"""The border: every array that can be read is read right, every other is rejected by name."""

import abut
import numpy as np
import pytest
import scipy.sparse

VERTICES = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)


class Thing:
    """Neither a number nor an array."""


def layouts(array):
    """The same numbers in every layout numpy knows."""
    wide = np.zeros((array.shape[0] * 2, array.shape[1] * 3), dtype=array.dtype)
    wide[::2, ::3] = array
    read_only = array.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:].view(array.dtype).reshape(array.shape)
    unaligned[:] = array
    yield "contiguous", array.copy()
    yield "Fortran order", np.asfortranarray(array)
    yield "strided", wide[::2, ::3]
    yield "negative strides", array[::-1, ::-1].copy()[::-1, ::-1]
    yield "read-only", read_only
    yield "transposed", array.T.copy().T
    yield "broadcast", np.broadcast_to(array, array.shape)
    yield "unaligned", unaligned
    yield "byte-swapped", array.astype(array.dtype.newbyteorder())
    yield "list", array.tolist()
    yield "tuple", tuple(map(tuple, array.tolist()))


@pytest.mark.parametrize("name", [name for name, _ in layouts(VERTICES)])
def test_positions_of_any_layout_are_read(name):
    mesh = abut.CollisionMesh(dict(layouts(VERTICES))[name], faces=FACES)
    np.testing.assert_array_equal(mesh.rest_positions, VERTICES)


@pytest.mark.parametrize("name", [name for name, _ in layouts(FACES)])
def test_indices_of_any_layout_are_read(name):
    mesh = abut.CollisionMesh(VERTICES, faces=dict(layouts(FACES))[name])
    np.testing.assert_array_equal(mesh.faces, FACES)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_positions_of_any_real_type_are_read(dtype):
    mesh = abut.CollisionMesh(VERTICES.astype(dtype), faces=FACES)
    assert mesh.rest_positions.dtype == np.float64
    np.testing.assert_array_equal(mesh.rest_positions, VERTICES)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_indices_of_any_integer_type_are_read(dtype):
    mesh = abut.CollisionMesh(VERTICES, faces=FACES.astype(dtype))
    assert mesh.faces.dtype == np.int32
    np.testing.assert_array_equal(mesh.faces, FACES)


@pytest.mark.parametrize("shape", [(), (3,), (0, 3), (4, 1), (4, 4), (4, 0), (2, 2, 3)])
def test_positions_of_a_wrong_shape_are_rejected(shape):
    with pytest.raises(ValueError, match=r"vertices: "):
        abut.CollisionMesh(np.zeros(shape))


@pytest.mark.parametrize("shape", [(), (3,), (4, 2), (4, 4), (2, 2, 3), (0, 5)])
def test_indices_of_a_wrong_shape_are_rejected(shape):
    with pytest.raises(ValueError, match=r"faces: expected an array of shape \(n, 3\), got shape"):
        abut.CollisionMesh(VERTICES, faces=np.zeros(shape, dtype=int))


@pytest.mark.parametrize("dtype", [bool, complex])
def test_positions_that_are_no_reals_are_value_errors(dtype):
    with pytest.raises(ValueError, match=f"vertices: expected .* of real numbers, got dtype {np.dtype(dtype)}"):
        abut.CollisionMesh(VERTICES.astype(dtype))


@pytest.mark.parametrize("dtype", [bool, complex, np.float32, np.float64])
def test_indices_that_are_no_integers_are_value_errors(dtype):
    with pytest.raises(ValueError, match=f"faces: expected .* of integers, got dtype {np.dtype(dtype)}"):
        abut.CollisionMesh(VERTICES, faces=FACES.astype(dtype))


@pytest.mark.parametrize(
    "value",
    [
        None,
        "0 0 0",
        Thing(),
        {"x": 1},
        [[None, 0, 0]],
        [["0", "0", "0"]],
        VERTICES.astype(object),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.zeros(4, dtype=[("x", float), ("y", float)]),
        scipy.sparse.csr_matrix(VERTICES),
        np.ma.masked_greater(VERTICES, 0.5),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_are_no_arrays_of_numbers_are_type_errors(value):
    with pytest.raises(TypeError, match="vertices: expected an array of shape .*, got "):
        abut.CollisionMesh(value)
    if value is not None:
        with pytest.raises(TypeError, match="faces: expected an array of shape .*, got "):
            abut.CollisionMesh(VERTICES, faces=value)


def test_ragged_lists_are_rejected_by_name():
    with pytest.raises((ValueError, TypeError), match="vertices: "):
        abut.CollisionMesh([[0, 0, 0], [1, 0]])


def test_an_exception_in_conversion_is_passed_on():
    class Broken:
        def __array__(self, dtype=None):
            raise ZeroDivisionError("no array today")

    with pytest.raises(ZeroDivisionError, match="no array today"):
        abut.CollisionMesh(Broken())


@pytest.mark.parametrize(
    "dtype, value",
    [
        ("i8", -1),
        ("i8", 4),
        ("i8", 2**31),
        ("i8", 2**32),
        ("i8", -(2**32)),
        ("i8", 2**63 - 1),
        ("u8", 2**32),
        ("u8", 2**63),
        ("u8", 2**64 - 1),
        ("i4", -(2**31)),
    ],
)
def test_indices_out_of_range_are_rejected_with_their_row(dtype, value):
    faces = FACES.astype(dtype)
    faces[2, 1] = value
    with pytest.raises(ValueError, match=r"faces: row 2 has index -?\d+, but the vertices are numbered 0 to 3"):
        abut.CollisionMesh(VERTICES, faces=faces)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e60])
def test_coordinates_that_are_not_finite_are_rejected_with_their_row(value):
    vertices = VERTICES.copy()
    vertices[2, 1] = value
    with pytest.raises(ValueError, match="vertices: row 2 has y = "):
        abut.CollisionMesh(vertices, faces=FACES)


@pytest.mark.parametrize("empty", [None, [], (), np.zeros((0, 3)), np.zeros((0, 3), dtype=int)])
def test_no_faces_can_be_written_in_many_ways(empty):
    mesh = abut.CollisionMesh(VERTICES, faces=empty)
    assert mesh.faces.shape == (0, 3)


@pytest.mark.parametrize("function", [abut.edges, abut.boundary_edges])
def test_free_functions_check_indices(function):
    with pytest.raises(ValueError, match="faces: row 1 has index -1"):
        function([[0, 1, 2], [0, -1, 2]])
    with pytest.raises(ValueError, match="faces: row 0 has index 2147483647"):
        function([[0, 1, 2**31 - 1]])
    with pytest.raises(ValueError, match="faces: row 0 uses vertex 1 twice"):
        function([[0, 1, 1]])
    with pytest.raises(ValueError, match="faces: expected .* of integers"):
        function([[0.0, 1.0, 2.0]])
    assert function([]).shape == (0, 2)


@pytest.mark.parametrize("name", ["body_ids", "material_ids"])
def test_ids_are_one_integer_a_vertex(name):
    assert getattr(abut.CollisionMesh(VERTICES, **{name: [3, 1, 4, -1]}), name).tolist() == [3, 1, 4, -1]
    for value, message in [
        ([1, 2], f"{name}: 2 entries for 4 vertices"),
        ([[1, 2, 3, 4]], rf"{name}: expected a vector of shape \(n,\), got shape \(1, 4\)"),
        ([1.0, 2, 3, 4], f"{name}: expected .* of integers, got dtype float64"),
        ([0, 1, 2**31, 3], f"{name}: row 2 has 2147483648, which does not fit int32"),
        ([True, False, True, True], f"{name}: expected .* of integers, got dtype bool"),
    ]:
        with pytest.raises(ValueError, match=message):
            abut.CollisionMesh(VERTICES, **{name: value})


def test_flags_are_booleans():
    with pytest.raises(ValueError, match="include_vertex: expected a vector of booleans .*, got dtype int64"):
        abut.CollisionMesh.build_from_selection(VERTICES, [1, 1, 1, 0])
    with pytest.raises(ValueError, match="include_vertex: 2 flags for 4 vertices"):
        abut.CollisionMesh.build_from_selection(VERTICES, [True, False])


@pytest.mark.parametrize(
    "value, error, message",
    [
        (np.eye(4), TypeError, "expected a scipy.sparse matrix, got ndarray"),
        (scipy.sparse.eye(3), ValueError, "3 rows for 4 vertices"),
        (scipy.sparse.csr_matrix((4, 0)), ValueError, "it has no columns"),
        (scipy.sparse.csr_matrix((4, 2**30)), abut.LimitReached, "columns exceed the limit"),
        (scipy.sparse.csr_matrix((4, 2**40)), abut.LimitReached, "exceeds the limit"),
        (scipy.sparse.eye(4) * np.nan, ValueError, r"entry \(0, 0\) is nan"),
        (scipy.sparse.eye(4) * 1j, ValueError, "of real numbers, got dtype complex128"),
    ],
)
def test_bad_displacement_maps_are_rejected(value, error, message):
    with pytest.raises(error, match=f"displacement_map: .*{message}"):
        abut.CollisionMesh(VERTICES, displacement_map=value)


def test_a_sparse_matrix_with_indices_out_of_range_is_rejected():
    broken = scipy.sparse.csr_matrix(np.eye(4))
    broken.indices[2] = 7
    with pytest.raises(ValueError, match=r"displacement_map: .*index"):
        abut.CollisionMesh(VERTICES, displacement_map=broken)


def test_duplicate_entries_of_a_sparse_matrix_add_up():
    rows, cols, data = [0, 0, 1, 2, 3], [0, 0, 1, 2, 3], [0.25, 0.75, 1, 1, 1]
    mesh = abut.CollisionMesh(VERTICES, displacement_map=scipy.sparse.coo_matrix((data, (rows, cols))))
    np.testing.assert_array_equal(mesh.map_displacements(VERTICES), VERTICES)


def test_arguments_of_other_types_are_type_errors():
    mesh = abut.CollisionMesh(VERTICES, faces=FACES)
    for call in (
        lambda: mesh.can_collide(0.5, 1),
        lambda: mesh.vertex_edges("0"),
        lambda: abut.CollisionMesh(VERTICES, filter=3),
        lambda: abut.CollisionMesh(VERTICES, face=FACES),
        lambda: abut.CollisionMesh(),
        lambda: abut.write_obj("x.obj", VERTICES),
        lambda: abut.read_obj(3.5),
        lambda: abut.set_num_threads(2.5),
    ):
        with pytest.raises(TypeError):
            call()
