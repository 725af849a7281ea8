"""Friction: against numpy and finite differences; coefficients of every kind; what is rejected; threads."""

import gc

import abut
import numpy as np
import pytest
from abut import (
    BarrierPotential,
    BlendRule,
    DiffWRT,
    FrictionPotential,
    HessianCache,
    PairKind,
    PSDProjectionMethod,
    TangentialCollisions,
)
from contact_scenes import DHAT, KINDS, SCENES, STENCIL_SIZES, built, large, plane, space
from finite_differences import jacobian
from other_threads import assert_others_run_during

BARRIER = BarrierPotential(DHAT, 1e4)
EPS_V = 0.05
scenes = pytest.mark.parametrize("make", SCENES.values(), ids=SCENES)


def lagged(mesh, mu=None, X=None, **options):
    X = mesh.rest_positions if X is None else X
    contacts = TangentialCollisions()
    contacts.build(mesh, X, built(mesh, X), BARRIER, mu, **options)
    return contacts


def velocities(mesh, scale=0.05):
    """Some slide, some stick."""
    return np.random.default_rng(3).normal(scale=scale, size=mesh.rest_positions.shape)


def sliding(contact, V):
    """Relative velocity in the tangent basis."""
    return contact.basis.T @ (contact.coefficients @ V[contact.vertices])


# --- Collisions ---


@scenes
def test_a_set_is_a_sequence_in_the_order_of_its_lists(make):
    mesh = make()
    contacts = lagged(mesh, mu_s=0.5, mu_k=0.3)
    kinds = [kind for kind in KINDS for _ in range(len(getattr(contacts, kind)))]
    rows = [row for kind in KINDS for row in range(len(getattr(contacts, kind)))]
    names = dict(zip(KINDS, list(PairKind)[1:]))
    assert len(contacts) == len(kinds) == len(list(contacts)) > 0 and not contacts.empty()
    assert set(kinds) == ({"vv", "ev", "pv"} if mesh.dim == 2 else set(KINDS))
    offsets = contacts.stencil_offsets
    for k, contact in enumerate(contacts):
        terms, row = getattr(contacts, kinds[k]), rows[k]
        assert contact.kind is names[kinds[k]] and contact.elements == tuple(terms.elements[row])
        assert contact.vertices.tolist() == terms.vertices[row].tolist()
        assert contact.vertices.tolist() == contacts.stencil_vertices[offsets[k] : offsets[k + 1]].tolist()
        assert contact.coefficients.tolist() == terms.coefficients[row].tolist()
        assert contact.weight == terms.weights[row] and contact.normal_force == terms.normal_forces[row] > 0
        assert (contact.mu_s, contact.mu_k) == (terms.mu_s[row], terms.mu_k[row]) == (0.5, 0.3)
        np.testing.assert_array_equal(contact.basis, terms.bases[row])
        assert contact.basis.shape == (mesh.dim, mesh.dim - 1)
        assert contact.kind.name in repr(contact) and "mu_s = 0.5" in repr(contact)
    with pytest.raises(IndexError, match="out of range"):
        contacts[len(contacts)]


@scenes
def test_what_is_lagged_is_that_of_the_normal_collisions(make):
    mesh = make()
    X = mesh.rest_positions
    collisions, contacts = built(mesh), lagged(mesh, 0.3)
    magnitudes = BARRIER.force_magnitudes(collisions, mesh, X)
    normal = {(c.kind, c.elements): (k, c) for k, c in enumerate(collisions)}
    assert 0 < len(contacts) <= len(collisions)
    for contact in contacts:
        k, collision = normal[contact.kind, contact.elements]
        geometry = collisions.geometry(k, mesh, X)
        assert contact.vertices.tolist() == collision.vertices.tolist() and contact.weight == collision.weight
        assert contact.normal_force == magnitudes[k]
        np.testing.assert_allclose(contact.coefficients, geometry.coefficients, atol=1e-12)
        np.testing.assert_allclose(contact.basis.T @ geometry.normal, 0, atol=1e-10)
        np.testing.assert_allclose(contact.basis.T @ contact.basis, np.eye(mesh.dim - 1), atol=1e-12)


def test_arrays_are_read_only_and_stay():
    mesh = space()
    contacts = lagged(mesh, 0.3)
    arrays = []
    for kind, size in zip(KINDS, STENCIL_SIZES):
        terms = getattr(contacts, kind)
        assert isinstance(terms, abut.TangentialTerms) and isinstance(terms, abut.CollisionTerms)
        assert terms.coefficients.shape == terms.vertices.shape == (len(terms), size)
        assert terms.bases.shape == (len(terms), 3, 2)
        names = ("vertices", "elements", "weights", "normal_forces", "coefficients", "bases", "mu_s", "mu_k")
        arrays += [getattr(terms, name) for name in names]
    copies = [array.copy() for array in arrays]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    contacts.build(mesh, mesh.rest_positions, abut.NormalCollisions(), BARRIER, 0.3)
    assert len(contacts) == 0
    del contacts, terms
    gc.collect()
    for array, copied in zip(arrays, copies):
        np.testing.assert_array_equal(array, copied)
    assert TangentialCollisions().fv.bases.shape == (0, 3, 2) and lagged(plane(), 0.1).ev.bases.shape[1:] == (2, 1)


def test_sets_compare_and_describe_themselves():
    mesh = space()
    contacts, empty = lagged(mesh, 0.3), TangentialCollisions()
    assert contacts == lagged(mesh, 0.3) and contacts != lagged(mesh, 0.4) and contacts != empty and empty != 3
    counts = ", ".join(f"{len(getattr(contacts, kind))} {kind}" for kind in KINDS)
    assert repr(contacts) == f"<abut.TangentialCollisions: {counts}>"
    assert empty.empty() and not empty and list(empty) == [] and empty == TangentialCollisions()
    with pytest.raises(TypeError, match="unhashable"):
        hash(contacts)
    for name in ("TangentialTerms", "TangentialCollision", "TangentialPotential"):
        with pytest.raises(TypeError, match="No constructor"):
            getattr(abut, name)()


# --- Coefficients ---


@scenes
def test_every_way_to_give_one_coefficient_is_the_same(make):
    mesh = make()
    expected = lagged(mesh, 0.3)
    n = mesh.num_vertices
    table = np.full((1, 1), 0.3)
    for options in (
        {"mu": np.float32(0.3).item()},
        {"mu_s": 0.3, "mu_k": 0.3},
        {"mu": np.full(n, 0.3)},
        {"mu_s": [0.3] * n, "mu_k": 0.3},
        {"material_mu_s": table, "material_mu_k": table.tolist()},
    ):
        contacts = lagged(mesh, **options)
        for kind in KINDS:
            np.testing.assert_allclose(getattr(contacts, kind).mu_s, 0.3, rtol=1e-6)
            np.testing.assert_allclose(getattr(contacts, kind).mu_k, 0.3, rtol=1e-6)
            np.testing.assert_array_equal(getattr(contacts, kind).bases, getattr(expected, kind).bases)


RULES = {
    BlendRule.MEAN: lambda a, b: (a + b) / 2,
    BlendRule.MINIMUM: min,
    BlendRule.MAXIMUM: max,
    BlendRule.PRODUCT: lambda a, b: a * b,
    BlendRule.GEOMETRIC_MEAN: lambda a, b: np.sqrt(a * b),
}


@scenes
@pytest.mark.parametrize("blend", BlendRule)
def test_coefficients_of_vertices_are_interpolated_and_blended(make, blend):
    mesh = make()
    rng = np.random.default_rng(1)
    mu_s, mu_k = rng.uniform(0, 1, size=(2, mesh.num_vertices))
    for contact in lagged(mesh, mu_s=mu_s, mu_k=mu_k, blend=blend):
        c, v = contact.coefficients, contact.vertices
        first = 2 if contact.kind == PairKind.edge_edge else 1
        for mu, actual in ((mu_s, contact.mu_s), (mu_k, contact.mu_k)):
            one = c[:first] @ mu[v[:first]]
            other = -c[first:] @ mu[v[first:]]
            expected = one if contact.kind == PairKind.plane_vertex else RULES[blend](one, other)
            assert actual == pytest.approx(expected, rel=1e-12)


def test_coefficients_of_materials_come_from_tables():
    n = space().num_vertices
    materials = np.where(np.arange(n) < 16, 0, 1)
    mesh = space(material_ids=materials)
    mu_s, mu_k = np.array([[0.1, 0.2], [0.2, 0.3]]), np.array([[0.05, 0.15], [0.15, 0.25]])
    contacts = lagged(mesh, material_mu_s=mu_s, material_mu_k=np.asfortranarray(mu_k))
    seen = set()
    for contact in contacts:
        first = 2 if contact.kind == PairKind.edge_edge else 1
        i = materials[contact.vertices[0]]
        j = i if contact.kind == PairKind.plane_vertex else materials[contact.vertices[first]]
        assert contact.mu_s == pytest.approx(mu_s[i, j]) and contact.mu_k == pytest.approx(mu_k[i, j])
        seen.add((min(i, j), max(i, j)))
    assert len(seen) >= 2


N = space().num_vertices


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({}, ValueError, "mu: give one of mu, mu_s with mu_k, and material_mu_s with material_mu_k"),
        ({"mu": 0.1, "mu_s": 0.1, "mu_k": 0.1}, ValueError, "mu: give one of"),
        ({"mu": 0.1, "material_mu_s": [[1]], "material_mu_k": [[1]]}, ValueError, "mu: give one of"),
        ({"mu_s": 0.1}, ValueError, "mu_k: give both mu_s and mu_k"),
        ({"mu_k": 0.1}, ValueError, "mu_s: give both mu_s and mu_k"),
        ({"material_mu_s": [[0.1]]}, ValueError, "material_mu_k: give both"),
        *[({"mu": value}, ValueError, f"mu: {value} is not a coefficient") for value in (-0.1, np.nan, np.inf)],
        ({"mu_s": 0.1, "mu_k": -0.1}, ValueError, "mu_k: -0.1 is not a coefficient of friction"),
        ({"mu": [0.1, -0.2] + [0.1] * (N - 2)}, ValueError, r"mu\[1\]: -0.2 is not a coefficient"),
        ({"mu": [0.1] * (N - 1)}, ValueError, rf"mu: expected a number or one per vertex, of shape \({N},\), got shape"),
        ({"mu_s": np.full((N, 1), 0.1), "mu_k": 0.1}, ValueError, "mu_s: expected a number or one per vertex"),
        ({"mu": "0.1"}, TypeError, "mu: expected a number or an array"),
        ({"mu": 0.1j}, ValueError, "mu: expected a number or an array of real numbers"),
        ({"mu": 0.1, "blend": "mean"}, TypeError, "blend: expected a member of abut.BlendRule, got 'mean'"),
        ({"mu": 0.1, "mu_aniso": [1, 0]}, ValueError, r"mu_aniso\[1\]: 0 is not a positive number"),
        ({"mu": 0.1, "mu_aniso": [1, 1, 1]}, ValueError, "mu_aniso: expected 2 numbers, got 3"),
        ({"mu": 0.1, "mu_aniso": 1}, ValueError, "mu_aniso: expected a vector"),
        ({"material_mu_s": [[0.1, 0.2]], "material_mu_k": [[0.1]]}, ValueError, "material_mu_s: .*square"),
        ({"material_mu_s": [[-1]], "material_mu_k": [[0.1]]}, ValueError, "material_mu_s.*: -1 is not a coefficient"),
        ({"material_mu_s": [[0.1]], "material_mu_k": [[np.nan]]}, ValueError, "material_mu_k.*: nan is not"),
        ({"material_mu_s": 0.1, "material_mu_k": 0.1}, ValueError, "material_mu_s: expected a matrix"),
        ({"material_mu_s": np.zeros((0, 0)), "material_mu_k": [[1]]}, ValueError, "material_mu_s: the table is empty"),
        (
            {"material_mu_s": [[0.1, 0.2], [0.3, 0.1]], "material_mu_k": np.eye(2)},
            ValueError,
            "material_mu_s: .*symmetric",
        ),
    ],
)
def test_bad_coefficients_are_rejected_by_name(options, error, message):
    mesh = space()
    contacts = lagged(mesh, 0.5)
    with pytest.raises(error, match=f"^{message}"):
        contacts.build(mesh, mesh.rest_positions, built(mesh), BARRIER, **options)
    assert contacts == lagged(mesh, 0.5)


@pytest.mark.parametrize("material", [-1, 1, 2**31 - 1])
def test_materials_without_a_row_are_rejected(material):
    mesh = space(material_ids=[0] * (N - 1) + [material])
    with pytest.raises(ValueError, match="^material_mu_s: "):
        lagged(mesh, material_mu_s=[[0.1]], material_mu_k=[[0.1]])
    tables = {"material_mu_s": np.full((1, 1), 0.1), "material_mu_k": np.full((1, 1), 0.1)}
    contacts, X = lagged(space(), **tables), mesh.rest_positions
    with pytest.raises(ValueError, match="^material_mu_s: "):
        FrictionPotential(EPS_V).force_jacobian(contacts, mesh, X, X, BARRIER, DiffWRT.LAGGED_POSITIONS)


def test_calls_of_build_that_fit_no_signature_are_type_errors():
    mesh = space()
    X, collisions = mesh.rest_positions, built(mesh)
    for arguments in (
        (mesh, X, collisions, 0.5),
        (mesh, X, BARRIER, collisions, 0.5),
        (mesh, X, collisions, FrictionPotential(1), 0.5),
        (mesh, X, collisions, BARRIER, 0.5, 0.5),
        (X, mesh, collisions, BARRIER, 0.5),
    ):
        with pytest.raises(TypeError):
            TangentialCollisions().build(*arguments)
    with pytest.raises(ValueError, match=r"^X: expected shape"):
        TangentialCollisions().build(mesh, X[1:], collisions, BARRIER, 0.5)


# --- Potential ---


@scenes
@pytest.mark.parametrize("aniso", [(1, 1), (2, 0.5)])
def test_energies_and_forces_are_those_of_the_law(make, aniso):
    mesh = make()
    V = velocities(mesh)
    contacts, friction = lagged(mesh, mu_s=0.6, mu_k=0.4, mu_aniso=aniso), FrictionPotential(EPS_V)
    scale = np.array(aniso[: mesh.dim - 1])
    energies, total, speeds = [], np.zeros_like(V), []
    for contact in contacts:
        u = scale * sliding(contact, V)
        value, _, _, over = abut.laws.friction(np.linalg.norm(u), contact.mu_s, contact.mu_k, EPS_V)
        force = contact.weight * contact.normal_force
        energies.append(force * value)
        total[contact.vertices] -= np.outer(contact.coefficients, contact.basis @ (scale * u)) * force * over
        speeds.append(np.linalg.norm(u))
    assert min(speeds) < EPS_V < max(speeds)
    np.testing.assert_allclose(friction.energies(contacts, mesh, V), energies, rtol=1e-12)
    assert friction(contacts, mesh, V) == pytest.approx(sum(energies), rel=1e-12)
    force = friction.force(contacts, mesh, V)
    np.testing.assert_allclose(force, total.ravel(), atol=1e-12 * np.abs(total).max())
    np.testing.assert_array_equal(force, -friction.gradient(contacts, mesh, V))
    assert force @ V.ravel() < 0


@scenes
@pytest.mark.parametrize("aniso", [(1, 1), (2, 0.5)])
def test_derivatives_are_those_of_finite_differences(make, aniso):
    mesh = make()
    V = velocities(mesh)
    contacts, friction = lagged(mesh, mu_s=0.6, mu_k=0.4, mu_aniso=aniso), FrictionPotential(EPS_V)
    gradient = friction.gradient(contacts, mesh, V)
    expected = jacobian(lambda *v: [friction(contacts, mesh, np.array(v))], V, step=1e-6)[0]
    np.testing.assert_allclose(gradient, expected, atol=1e-6 * np.abs(gradient).max())
    hessian = friction.hessian(contacts, mesh, V)
    assert hessian.format == "csc" and hessian.shape == (mesh.ndof, mesh.ndof)
    expected = jacobian(lambda *v: friction.gradient(contacts, mesh, np.array(v)), V, step=1e-7)
    np.testing.assert_allclose(hessian.toarray(), expected, atol=1e-5 * np.abs(expected).max())


@scenes
def test_force_jacobians_are_those_of_finite_differences(make):
    mesh = make()
    X, V = mesh.rest_positions, velocities(mesh)
    rng = np.random.default_rng(4)
    options = {"mu_s": rng.uniform(0.3, 0.6, size=len(X)), "mu_k": rng.uniform(0.2, 0.4, size=len(X))}
    friction, collisions = FrictionPotential(EPS_V), built(mesh)

    def contacts_at(x):
        contacts = TangentialCollisions()
        contacts.build(mesh, x, collisions, BARRIER, **options)
        return contacts

    contacts = contacts_at(X)
    by_velocities = friction.force_jacobian(contacts, mesh, X, V, BARRIER, DiffWRT.VELOCITIES)
    np.testing.assert_array_equal(by_velocities.toarray(), -friction.hessian(contacts, mesh, V).toarray())
    by_positions = friction.force_jacobian(contacts, mesh, X, V, BARRIER, DiffWRT.LAGGED_POSITIONS).toarray()
    expected = jacobian(lambda *x: friction.force(contacts_at(np.array(x)), mesh, V), X, step=1e-7)
    np.testing.assert_allclose(by_positions, expected, atol=1e-5 * np.abs(expected).max())


def test_a_law_in_python_makes_the_same_friction():
    mesh = space()
    X, V, collisions = mesh.rest_positions, velocities(mesh), built(mesh)
    friction = FrictionPotential(EPS_V)
    results = []
    for law in ("clamped_log", abut.laws.clamped_log):
        barrier = BarrierPotential(DHAT, 1e4, law=law)
        contacts = TangentialCollisions()
        contacts.build(mesh, X, collisions, barrier, 0.4)
        jacobian = friction.force_jacobian(contacts, mesh, X, V, barrier, DiffWRT.LAGGED_POSITIONS)
        results.append((contacts, jacobian.toarray()))
    (contacts, jacobian), (own_contacts, own_jacobian) = results
    for kind in ("vv", "ev", "ee", "fv", "pv"):
        terms, own = getattr(contacts, kind), getattr(own_contacts, kind)
        for name in ("vertices", "elements", "weights", "coefficients", "bases", "mu_s", "mu_k"):
            np.testing.assert_array_equal(getattr(own, name), getattr(terms, name))
        # Laws of Abut have a logarithm of their own, two ulps off at most.
        np.testing.assert_allclose(own.normal_forces, terms.normal_forces, rtol=1e-13)
    np.testing.assert_allclose(own_jacobian, jacobian, rtol=1e-13, atol=1e-13 * np.abs(jacobian).max())


@scenes
def test_projected_hessians_have_no_negative_eigenvalues(make):
    mesh = make()
    V = velocities(mesh)
    # A kinetic coefficient below the static one makes force fall with speed.
    contacts, friction = lagged(mesh, mu_s=0.9, mu_k=0.1), FrictionPotential(EPS_V)
    spectra = {
        method: np.linalg.eigvalsh(friction.hessian(contacts, mesh, V, method).toarray())
        for method in PSDProjectionMethod
    }
    largest = spectra[PSDProjectionMethod.NONE].max()
    assert spectra[PSDProjectionMethod.NONE].min() < -1e-6 * largest
    for method in (PSDProjectionMethod.CLAMP, PSDProjectionMethod.ABS):
        assert spectra[method].min() > -1e-12 * largest


def test_a_cache_serves_friction_too():
    mesh = space()
    X = mesh.rest_positions
    contacts, friction, cache = lagged(mesh, 0.4), FrictionPotential(EPS_V), HessianCache()
    for k in range(3):
        V = velocities(mesh, 0.02 * (k + 1))
        matrix = friction.hessian(contacts, mesh, V, PSDProjectionMethod.CLAMP, cache=cache)
        expected = friction.hessian(contacts, mesh, V, PSDProjectionMethod.CLAMP)
        np.testing.assert_array_equal(matrix.data, expected.data)
        np.testing.assert_array_equal(matrix.indices, expected.indices)
    assert cache.num_analyses == 1
    candidates = abut.Candidates()
    candidates.build(mesh, X, DHAT)
    cache = HessianCache(abut.candidate_pattern(candidates, mesh))
    both = BARRIER.hessian(built(mesh), mesh, X, cache=cache), friction.hessian(contacts, mesh, V, cache=cache)
    np.testing.assert_array_equal(both[0].indices, both[1].indices)


def test_without_contacts_everything_is_zero():
    mesh = space()
    V, friction, contacts = velocities(mesh), FrictionPotential(EPS_V), TangentialCollisions()
    assert friction(contacts, mesh, V) == 0 and friction.energies(contacts, mesh, V).shape == (0,)
    np.testing.assert_array_equal(friction.force(contacts, mesh, V), np.zeros(mesh.ndof))
    assert friction.hessian(contacts, mesh, V).nnz == 0
    for wrt in DiffWRT:
        jacobian = friction.force_jacobian(contacts, mesh, V, V, BARRIER, wrt)
        assert jacobian.nnz == 0 and jacobian.shape == (mesh.ndof, mesh.ndof)


def test_a_friction_potential_has_a_parameter():
    friction = FrictionPotential(0.25)
    assert friction.eps_v == 0.25 and repr(friction) == "<abut.FrictionPotential: eps_v = 0.25 m/s>"
    assert isinstance(friction, abut.TangentialPotential)
    for value in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match=f"^eps_v: {value} is not a positive speed"):
            FrictionPotential(value)
    with pytest.raises(TypeError):
        FrictionPotential("1")


CALLS = {
    "call": lambda P, C, mesh, V: P(C, mesh, V),
    "gradient": lambda P, C, mesh, V: P.gradient(C, mesh, V),
    "energies": lambda P, C, mesh, V: P.energies(C, mesh, V),
    "force": lambda P, C, mesh, V: P.force(C, mesh, V),
    "hessian": lambda P, C, mesh, V: P.hessian(C, mesh, V).toarray(),
    "force_jacobian": lambda P, C, mesh, V: P.force_jacobian(
        C, mesh, mesh.rest_positions, V, BARRIER, DiffWRT.LAGGED_POSITIONS
    ).toarray(),
}
calls = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@calls
def test_velocities_of_any_layout_and_type_are_read(call):
    mesh = space()
    V = velocities(mesh).astype(np.float32).astype(float)
    contacts, friction = lagged(mesh, 0.4), FrictionPotential(EPS_V)
    expected = call(friction, contacts, mesh, V)
    for same in (np.asfortranarray(V), V.astype(np.float32), V.tolist(), np.repeat(V, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(call(friction, contacts, mesh, same), expected)


@calls
def test_bad_velocities_are_rejected_by_name(call):
    mesh = space()
    V = velocities(mesh)
    contacts, friction = lagged(mesh, 0.4), FrictionPotential(EPS_V)
    for value, message in [
        (V[:-1], r"expected shape \(35, 3\)"),
        (V[:, :2], r"expected shape \(35, 3\)"),
        (V.ravel(), "expected an array of shape"),
        (V * np.nan, "row 0 has x = nan"),
    ]:
        with pytest.raises(ValueError, match=f"^velocities: {message}"):
            call(friction, contacts, mesh, value)
    with pytest.raises(TypeError, match="^velocities: expected an array"):
        call(friction, contacts, mesh, None)
    other = abut.CollisionMesh(mesh.rest_positions, mesh.edges, mesh.faces)
    with pytest.raises(ValueError, match="^collisions: built for a mesh of 35 vertices in 3D, .* 1 planes, but"):
        call(friction, contacts, other, V)
    with pytest.raises(TypeError):
        call(friction, built(mesh), mesh, V)


def test_bad_arguments_of_a_force_jacobian_are_rejected_by_name():
    mesh = space()
    X, contacts, friction = mesh.rest_positions, lagged(mesh, 0.4), FrictionPotential(EPS_V)
    with pytest.raises(ValueError, match="^lagged_positions: expected shape"):
        friction.force_jacobian(contacts, mesh, X[1:], X, BARRIER, DiffWRT.LAGGED_POSITIONS)
    with pytest.raises(TypeError, match="^wrt: expected a member of abut.DiffWRT, got 1"):
        friction.force_jacobian(contacts, mesh, X, X, BARRIER, 1)
    with pytest.raises(TypeError, match="^project_hessian_to_psd: expected a member of abut.PSDProjectionMethod"):
        friction.hessian(contacts, mesh, X, True)
    with pytest.raises(TypeError):
        friction.force_jacobian(contacts, mesh, X, X, friction, DiffWRT.VELOCITIES)


# --- Threads ---


def test_the_number_of_threads_does_not_change_a_bit():
    mesh = large(cells=40, gap=0.01)
    X, V = mesh.rest_positions, velocities(mesh)
    collisions, barrier, friction = built(mesh, dhat=0.013), BarrierPotential(0.013), FrictionPotential(EPS_V)
    results = []
    for count in (1, 2, 4):
        abut.set_num_threads(count)
        contacts = TangentialCollisions()
        contacts.build(mesh, X, collisions, barrier, 0.3)
        hessian = friction.hessian(contacts, mesh, V, PSDProjectionMethod.CLAMP)
        force = friction.force(contacts, mesh, V)
        results.append((contacts, friction(contacts, mesh, V), force.tobytes(), hessian.data.tobytes()))
    assert results[0] == results[1] == results[2] and len(results[0][0]) > 2000


@pytest.mark.parametrize("name", ["build", "hessian"])
def test_other_threads_run_during_a_call(name):
    abut.set_num_threads(1)
    mesh = large()
    X, V = mesh.rest_positions, velocities(mesh)
    collisions, barrier, friction = built(mesh, dhat=0.008), BarrierPotential(0.008), FrictionPotential(EPS_V)
    contacts = TangentialCollisions()
    contacts.build(mesh, X, collisions, barrier, 0.3)
    call = {
        "build": lambda: contacts.build(mesh, X, collisions, barrier, 0.3),
        "hessian": lambda: friction.hessian(contacts, mesh, V, PSDProjectionMethod.CLAMP),
    }[name]
    assert_others_run_during(call)
