"""What is written under the fields of a class, which Python itself does not keep."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from typing import Any


@cache
def docstrings_of(kind: Any) -> dict[str, str]:
    """Returns the text under each field or member of a class and of those it derives from, by name."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _own(base)
    return found


def _own(kind: Any) -> dict[str, str]:
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):  # a class of C, or one that was made while the program ran
        return {}
    definition = ast.parse(textwrap.dedent(source)).body[0]
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for statement, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            target = (
                statement.target if isinstance(statement, ast.AnnAssign) else getattr(statement, "targets", [None])[0]
            )
            if isinstance(target, ast.Name):
                found[target.id] = str(below.value.value)
    return found
