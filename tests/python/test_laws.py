"""Laws of contact as functions of arrays: formulas, derivatives, shapes, and what they reject."""

import abut
import numpy as np
import pytest
from abut import laws

BARRIERS = {
    "clamped_log": lambda x, h: -((x - h) ** 2) * np.log(x / h),
    "normalized_clamped_log": lambda x, h: -((x / h - 1) ** 2) * np.log(x / h),
    "clamped_log_squared": lambda x, h: (x - h) ** 2 * np.log(x / h) ** 2,
    "cubic": lambda x, h: -2 / (3 * h) * (x - h) ** 3,
    "two_stage": lambda x, h: np.where(2 * x < h, h**2 / 4 * (0.5 - np.log(2 * x / h)), (h - x) ** 2 / 2),
}
CALLS = {
    **{name: lambda x, name=name: getattr(laws, name)(x, 0.3) for name in BARRIERS},
    "normal_adhesion": lambda x: laws.normal_adhesion(x, 0.1, 0.3, -2.5),
    "friction": lambda y: laws.friction(y, 0.5, 0.2, 0.3),
    "tangential_adhesion": lambda y: laws.tangential_adhesion(y, 0.15),
}
X_HAT = 0.3
# Away from the ends of the pieces, where second derivatives jump.
INSIDE = np.array([0.01, 0.04, 0.08, 0.12, 0.14, 0.17, 0.22, 0.28])
BEYOND = np.array([0.32, 0.5, 3.0])
all_laws = pytest.mark.parametrize("name", CALLS)


def test_every_law_is_tested():
    assert set(CALLS) == {name for name in dir(laws) if not name.startswith("_")}


@pytest.mark.parametrize("name", BARRIERS)
def test_barriers_are_their_formulas(name):
    value, _, _ = CALLS[name](INSIDE)
    np.testing.assert_allclose(value, BARRIERS[name](INSIDE, X_HAT), rtol=1e-13)
    for part in CALLS[name](np.append(BEYOND, X_HAT)):
        assert (part == 0).all()


@all_laws
def test_derivatives_are_those_of_finite_differences(name):
    step = 1e-6
    for x in (INSIDE, BEYOND):
        _, first, second, *rest = CALLS[name](x)
        ahead, behind = CALLS[name](x + step), CALLS[name](x - step)
        np.testing.assert_allclose(first, (ahead[0] - behind[0]) / (2 * step), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(second, (ahead[1] - behind[1]) / (2 * step), rtol=1e-6, atol=1e-8)
        for over in rest:
            np.testing.assert_allclose(over, first / x, rtol=1e-13)


@pytest.mark.parametrize("name", sorted(set(BARRIERS) - {"cubic"}))
def test_barriers_are_infinite_at_contact(name):
    value, first, second = CALLS[name]([0.0, -1.0])
    assert (value == np.inf).all() and (first == -np.inf).all() and (second == np.inf).all()


def test_adhesion_pulls_most_at_x_p():
    x = np.linspace(0, 0.4, 401)
    value, first, _ = laws.normal_adhesion(x, 0.1, 0.3, -2.5)
    assert x[first.argmax()] == pytest.approx(0.1) and first.max() == pytest.approx(2 * 2.5 * 0.2)
    assert (value <= 0).all() and (value[x >= 0.3] == 0).all() and first[0] == 0


def test_friction_goes_from_static_to_kinetic():
    y = np.array([0, 0.3, 1.0])
    value, force, slope, over = laws.friction(y, 0.5, 0.2, 0.3)
    assert force[0] == 0 and over[0] == pytest.approx(2 * 0.5 / 0.3) == slope[0]
    np.testing.assert_allclose(force[1:], 0.2)
    np.testing.assert_allclose(value[1:], 0.2 * y[1:])


@all_laws
def test_the_shape_is_that_of_the_argument(name):
    x = np.linspace(0.01, 0.4, 24)
    flat = CALLS[name](x)
    assert isinstance(flat, tuple)
    grid = x.reshape(2, 3, 4)
    for same in (grid, np.asfortranarray(grid), grid.tolist()):
        for part, expected in zip(CALLS[name](same), flat):
            assert part.dtype == np.float64
            np.testing.assert_array_equal(part, expected.reshape(2, 3, 4))
    for part, expected in zip(CALLS[name](x.astype(np.float32)), CALLS[name](x.astype(np.float32).astype(float))):
        assert part.dtype == np.float64
        np.testing.assert_array_equal(part, expected)
    for number in (x[3], float(x[3]), np.array(x[3])):
        parts = CALLS[name](number)
        assert all(isinstance(part, float) for part in parts)
        assert parts == tuple(expected[3] for expected in flat)
    assert all(part.shape == (0,) for part in CALLS[name]([]))


@all_laws
def test_arguments_that_are_no_numbers_are_rejected_by_name(name):
    argument = "y" if name in ("friction", "tangential_adhesion") else "x"
    for value, error, message in [
        ([0.1, np.nan], ValueError, "entry 1 is nan"),
        (np.inf, ValueError, "entry 0 is inf"),
        ([1j], ValueError, "real numbers"),
        ("0.1", TypeError, "expected a number or an array"),
        (None, TypeError, "expected a number or an array, got None"),
    ]:
        with pytest.raises(error, match=f"^{argument}: .*{message}"):
            CALLS[name](value)


@pytest.mark.parametrize(
    "call, message",
    [
        *[(lambda v=v: laws.cubic(1, v), f"x_hat: {v} is not a positive number") for v in (0, -1, np.nan, np.inf)],
        (lambda: laws.normal_adhesion(1, 0, 1, -1), "x_p: 0 is not between 0 and x_a = 1"),
        (lambda: laws.normal_adhesion(1, 1, 1, -1), "x_p: 1 is not between 0 and x_a = 1"),
        (lambda: laws.normal_adhesion(1, 0.5, np.inf, -1), "x_a: inf is not a positive number"),
        (lambda: laws.normal_adhesion(1, 0.5, 1, 0), "a2: 0 is not a negative number"),
        (lambda: laws.friction(-1, 0.1, 0.1, 1), "y: entry 0 is -1, which is not a number >= 0"),
        (lambda: laws.friction(1, -0.1, 0.1, 1), "mu_s: -0.1 is not a coefficient of friction"),
        (lambda: laws.friction(1, 0.1, np.nan, 1), "mu_k: nan is not a coefficient of friction"),
        (lambda: laws.friction(1, 0.1, 0.1, 0), "eps_v: 0 is not a positive number"),
        (lambda: laws.tangential_adhesion([0, -1e-9], 1), "y: entry 1 is -1e-09"),
        (lambda: laws.tangential_adhesion(1, -1), "eps_a: -1 is not a positive number"),
    ],
)
def test_bad_parameters_are_rejected_by_name(call, message):
    with pytest.raises(abut.InvalidInput, match=f"^{message}"):
        call()


def test_parameters_of_other_types_are_type_errors():
    for call in (lambda: laws.cubic(1, "1"), lambda: laws.cubic(1, [1, 2]), lambda: laws.cubic(1)):
        with pytest.raises(TypeError):
            call()
