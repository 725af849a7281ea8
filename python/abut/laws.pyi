from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import TypeAlias

_Floats: TypeAlias = NDArray[np.float64]
_Numbers: TypeAlias = tuple[float, float, float]
_Arrays: TypeAlias = tuple[_Floats, _Floats, _Floats]
_TangentialNumbers: TypeAlias = tuple[float, float, float, float]
_TangentialArrays: TypeAlias = tuple[_Floats, _Floats, _Floats, _Floats]

@overload
def clamped_log(x: float, x_hat: float) -> _Numbers: ...  # type: ignore[misc]
@overload
def clamped_log(x: ArrayLike, x_hat: float) -> _Arrays: ...
@overload
def normalized_clamped_log(x: float, x_hat: float) -> _Numbers: ...  # type: ignore[misc]
@overload
def normalized_clamped_log(x: ArrayLike, x_hat: float) -> _Arrays: ...
@overload
def clamped_log_squared(x: float, x_hat: float) -> _Numbers: ...  # type: ignore[misc]
@overload
def clamped_log_squared(x: ArrayLike, x_hat: float) -> _Arrays: ...
@overload
def cubic(x: float, x_hat: float) -> _Numbers: ...  # type: ignore[misc]
@overload
def cubic(x: ArrayLike, x_hat: float) -> _Arrays: ...
@overload
def two_stage(x: float, x_hat: float) -> _Numbers: ...  # type: ignore[misc]
@overload
def two_stage(x: ArrayLike, x_hat: float) -> _Arrays: ...
@overload
def normal_adhesion(  # type: ignore[misc]
    x: float, x_p: float, x_a: float, a2: float
) -> _Numbers: ...
@overload
def normal_adhesion(x: ArrayLike, x_p: float, x_a: float, a2: float) -> _Arrays: ...
@overload
def friction(  # type: ignore[misc]
    y: float, mu_s: float, mu_k: float, eps_v: float
) -> _TangentialNumbers: ...
@overload
def friction(
    y: ArrayLike, mu_s: float, mu_k: float, eps_v: float
) -> _TangentialArrays: ...
@overload
def tangential_adhesion(y: float, eps_a: float) -> _TangentialNumbers: ...  # type: ignore[misc]
@overload
def tangential_adhesion(y: ArrayLike, eps_a: float) -> _TangentialArrays: ...
