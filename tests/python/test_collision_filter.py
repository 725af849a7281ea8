"""Which vertices may collide, from tables and from Python callables."""

import gc
import threading
import weakref

import abut
import numpy as np
import pytest
from abut import CollisionFilter

POINTS = np.random.default_rng(0).normal(size=(4, 3))


def table(collision_filter):
    return [[collision_filter(i, j) for j in range(4)] for i in range(4)]


def test_filters_follow_their_tables():
    assert all(map(all, table(CollisionFilter())))
    obstacles = CollisionFilter.static_obstacles([True, True, False, False])
    assert not obstacles(0, 1) and obstacles(0, 2) and obstacles(2, 3)
    bodies = CollisionFilter.different_bodies([0, 0, 1, -1])
    assert not bodies(0, 1) and bodies(0, 2) and bodies(3, 3)
    patches = CollisionFilter.patches([5, 5, 6, 7], [(5, 6), (7, 7)])
    assert patches(0, 2) and patches(2, 1) and patches(3, 3) and not patches(0, 1)
    assert not CollisionFilter.except_pairs([[0, 1]])(1, 0)
    assert CollisionFilter.only_pairs([[0, 1]])(1, 0)
    assert not CollisionFilter.only_pairs([])(1, 0)


def test_filters_combine():
    a = CollisionFilter.static_obstacles([True, True, False, False])
    b = CollisionFilter.different_bodies([0, 1, 1, 2])
    A, B = np.array(table(a)), np.array(table(b))
    np.testing.assert_array_equal(table(a & b), A & B)
    np.testing.assert_array_equal(table(a | b), A | B)
    np.testing.assert_array_equal(table(~a), ~A)
    with pytest.raises(TypeError):
        a & 3


@pytest.mark.parametrize("vertex", [-1, 4, 2**40])
def test_tables_are_not_read_beyond_their_end(vertex):
    flags = CollisionFilter.static_obstacles([True] * 4)
    for collision_filter in (flags, ~flags, flags & CollisionFilter.callable(lambda i, j: True)):
        with pytest.raises(ValueError, match=f"vertex_j: {vertex} is out of range; expected 0 to 3"):
            collision_filter(0, vertex)
    mesh = abut.CollisionMesh(POINTS)
    with pytest.raises(ValueError, match=f"vertex_i: {vertex} is out of range"):
        mesh.can_collide(vertex, 0)
    with pytest.raises(ValueError, match=f"vertex_i: {vertex} is out of range"):
        mesh.filter(vertex, 0)


def test_tables_of_another_size_are_rejected_by_the_mesh():
    with pytest.raises(ValueError, match="is_static: 2 entries for a mesh of 4 vertices"):
        abut.CollisionMesh(POINTS, filter=CollisionFilter.static_obstacles([True, False]))
    with pytest.raises(ValueError, match="vertex_pairs: pair"):
        abut.CollisionMesh(POINTS, filter=CollisionFilter.only_pairs([[0, 9]]))


def test_bad_tables_are_rejected_by_name():
    with pytest.raises(ValueError, match="is_static: expected a vector of booleans"):
        CollisionFilter.static_obstacles([0, 1])
    with pytest.raises(ValueError, match=r"vertex_pairs: expected pairs of shape \(n, 2\), got shape \(1, 3\)"):
        CollisionFilter.only_pairs([[0, 1, 2]])
    with pytest.raises(ValueError, match="vertex_pairs: row 0 has 2147483648"):
        CollisionFilter.except_pairs([[0, 2**31]])
    with pytest.raises(ValueError, match="body_ids: expected .* of integers"):
        CollisionFilter.different_bodies([0.5])


def test_callables_are_asked_with_the_indices_of_the_mesh():
    asked = []

    def can_collide(i, j):
        asked.append((i, j))
        return i != j

    mesh = abut.CollisionMesh(POINTS, filter=can_collide)
    assert mesh.can_collide(0, 3) is True and mesh.can_collide(2, 2) is False
    assert asked == [(0, 3), (2, 2)]
    selected = abut.CollisionMesh.build_from_selection(POINTS, [False, True, False, True], filter=can_collide)
    selected.can_collide(0, 1)
    assert asked[-1] == (1, 3)


def test_what_a_callable_raises_reaches_the_caller():
    class Surprise(Exception):
        pass

    def can_collide(i, j):
        raise Surprise(i, j)

    mesh = abut.CollisionMesh(POINTS, filter=CollisionFilter() & CollisionFilter.callable(can_collide))
    with pytest.raises(Surprise) as raised:
        mesh.can_collide(1, 2)
    assert raised.value.args == (1, 2)
    with pytest.raises(Surprise):
        (~mesh.filter)(1, 2)


@pytest.mark.parametrize("answer", [None, 1, "yes", []])
def test_a_callable_must_answer_true_or_false(answer):
    collision_filter = CollisionFilter.callable(lambda i, j: answer)
    with pytest.raises(TypeError, match=r"can_collide\(0, 1\): expected True or False, got"):
        collision_filter(0, 1)


def test_a_callable_may_answer_with_numpy():
    allowed = np.eye(4, dtype=bool)
    assert CollisionFilter.callable(lambda i, j: allowed[i, j])(2, 2) is True


def test_what_cannot_be_called_is_a_type_error():
    for make in (CollisionFilter.callable, lambda value: abut.CollisionMesh(POINTS, filter=value)):
        with pytest.raises(TypeError, match="expected a callable of two vertices, got 3"):
            make(3)


def test_a_callable_lives_as_long_as_its_mesh():
    class Callable:
        def __call__(self, i, j):
            return False

    can_collide = Callable()
    alive = weakref.ref(can_collide)
    mesh = abut.CollisionMesh(POINTS, filter=~CollisionFilter.callable(can_collide))
    del can_collide
    gc.collect()
    assert alive() is not None and mesh.can_collide(0, 1)
    del mesh
    gc.collect()
    assert alive() is None


def test_several_threads_may_ask_one_callable():
    mesh = abut.CollisionMesh(POINTS, filter=lambda i, j: (i + j) % 2 == 0)
    wrong = []

    def ask():
        for k in range(2000):
            if mesh.can_collide(k % 4, 1) != ((k % 4 + 1) % 2 == 0):
                wrong.append(k)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
