"""What a JSON Schema leaves without words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def fields_without_description(schema: Mapping[str, Any]) -> list[str]:
    """Returns the fields of a schema and of its definitions that nothing describes, as `TYPE.FIELD`."""
    types = {"the file": schema, **schema["$defs"]}
    return [
        f"{name}.{field}"
        for name, kind in types.items()
        for field, form in kind.get("properties", {}).items()
        if "description" not in form
    ]
