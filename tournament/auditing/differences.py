"""Where two values differ, in words."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec

from tournament.text import shortened

_CONTEXT_BYTES: Final = 30
"""How many bytes are shown on either side of the first difference."""


class ValueDifference(NamedTuple):
    """A place where two JSON values differ, and what is there; a missing value is `nothing`."""

    path: str
    expected: str
    found: str


class ByteDifference(NamedTuple):
    """Where two texts begin to differ, with some bytes of both around that place, ready to be shown."""

    at: int
    expected: str
    found: str


def first_difference(expected: Any, found: Any) -> ValueDifference | None:
    """Returns the first place where two values differ as JSON, or None; floats may differ in their last digits.

    `expected` has finite floats only, so any other float in `found` differs.
    """
    return _differ(msgspec.to_builtins(expected), msgspec.to_builtins(found), "$")


def _differ(expected: Any, found: Any, path: str) -> ValueDifference | None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*expected, *found)):
            inner = f"{path}.{key}"
            if key not in found:
                return ValueDifference(inner, _text(expected[key]), "nothing")
            if key not in expected:
                return ValueDifference(inner, "nothing", _text(found[key]))
            if difference := _differ(expected[key], found[key], inner):
                return difference
        return None
    if isinstance(expected, list | tuple) and isinstance(found, list | tuple):
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            if difference := _differ(one, other, f"{path}[{index}]"):
                return difference
        if len(expected) != len(found):
            return ValueDifference(path, f"{len(expected)} items", f"{len(found)} items")
        return None
    if isinstance(expected, float) and isinstance(found, float) and math.isclose(expected, found, abs_tol=1e-9):
        return None
    if type(expected) is type(found) and expected == found:
        return None
    return ValueDifference(path, _text(expected), _text(found))


def first_byte_difference(expected: bytes, found: bytes) -> ByteDifference:
    """Returns where two different texts begin to differ, with what is around that place."""
    at = next(place for place, (one, other) in enumerate(zip_longest(expected, found)) if one != other)
    around = slice(max(at - _CONTEXT_BYTES, 0), at + _CONTEXT_BYTES)
    return ByteDifference(at, shown_bytes(expected[around]), shown_bytes(found[around]))


def shown_bytes(data: bytes) -> str:
    """Returns bytes ready to be shown: quoted, in ASCII, cut."""
    return shortened(ascii(data.decode("utf-8", "backslashreplace")), 120)


def _text(value: Any) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, ValueError, OverflowError):
        return repr(value)
