"""JSON texts in which a name may stand twice: what one reader takes for the truth another passes over."""

from __future__ import annotations

import json
from typing import Any


def loads(data: bytes) -> tuple[Any, str | None]:
    """Returns the value of a JSON text, and a name that stands twice in one of its objects."""
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.append(next(name for name in names if names.count(name) > 1))
        return values

    value = json.loads(data, object_pairs_hook=collect)
    return value, repeated[0] if repeated else None


def repeated_name(data: bytes) -> str | None:
    """Returns a name that stands twice in an object of a JSON text; None when none does, or it is no JSON."""
    try:
        return loads(data)[1]
    except (ValueError, RecursionError):
        return None
