"""Which parameters the class of a bot takes, as far as reading its source can tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_PLAIN: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass)
"""What may stand in the body of a class that is read; behind an `if`, say, nobody knows which method is there."""


class Parameters(NamedTuple):
    """What the `__init__` of a class takes by name."""

    names: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    """Those of `names` that have no default."""

    takes_others: bool = False
    """Whether it takes any other name, too, as `**others`."""


def parameters_of(node: ast.ClassDef, inherited: Sequence[Parameters | None]) -> Parameters | None:
    """Returns what a class takes when it is called; None where a decorator, say, may change that.

    `inherited`: those of its bases. Of several that differ reading does not say which comes first.
    """
    if node.decorator_list or node.keywords or not all(isinstance(item, _PLAIN) for item in node.body):
        return None
    if {"__new__", "__init_subclass__"} & set(_names_bound(node)):
        return None
    if "__init__" not in _names_bound(node):
        return inherited[0] if len(set(inherited)) == 1 else None
    init = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
    if len(init) != 1 or init[0].decorator_list:
        return None
    taken = init[0].args
    places = [*taken.posonlyargs, *taken.args]
    defaults = [*([None] * (len(places) - len(taken.defaults))), *taken.defaults]
    by_name = [
        *list(zip(places, defaults, strict=True))[max(1, len(taken.posonlyargs)) :],  # the first is the bot itself
        *zip(taken.kwonlyargs, taken.kw_defaults, strict=True),
    ]
    return Parameters(
        names=tuple(one.arg for one, _ in by_name),
        required=tuple(one.arg for one, default in by_name if default is None),
        takes_others=taken.kwarg is not None,
    )


def _names_bound(node: ast.ClassDef) -> Iterator[str]:
    """Yields the names of methods and of what is assigned in the body of a class."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield item.name
        elif isinstance(item, ast.Assign | ast.AnnAssign):
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
