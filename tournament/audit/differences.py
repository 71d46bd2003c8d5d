"""Where two values differ, in words."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import msgspec


class Difference(NamedTuple):
    """A place where two JSON values differ, and what stands there; a value that is not there is `nothing`."""

    path: str
    expected: str
    found: str


def first_difference(expected: Any, found: Any) -> Difference | None:
    """Returns the first place where two values differ as JSON, or None. Floats may differ in their last digits.

    `expected` has no floats that are not finite, so that one of those in `found` always differs.
    """
    return _differ(msgspec.to_builtins(expected), msgspec.to_builtins(found), "$")


def _differ(expected: Any, found: Any, path: str) -> Difference | None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            inner = f"{path}.{key}"
            if key not in found:
                return Difference(inner, _text(expected[key]), "nothing")
            if key not in expected:
                return Difference(inner, "nothing", _text(found[key]))
            if difference := _differ(expected[key], found[key], inner):
                return difference
        return None
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            if difference := _differ(one, other, f"{path}[{index}]"):
                return difference
        if len(expected) != len(found):
            return Difference(path, f"{len(expected)} items", f"{len(found)} items")
        return None
    if isinstance(expected, float) and isinstance(found, float) and math.isclose(expected, found, abs_tol=1e-9):
        return None
    if type(expected) is type(found) and expected == found:
        return None
    return Difference(path, _text(expected), _text(found))


def _text(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return repr(value)
