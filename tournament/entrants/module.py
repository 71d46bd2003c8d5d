"""One Python file as reading sees it, without running it: its classes, and what it imports.

A name of a module is written as `import` has it, `pkg.mod`. With a dot in front, `.pkg.mod`, it came from a relative
import, and so can only mean a module beside the file.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeGuard

SOURCE_BYTES: Final = 4_194_304
"""A longer file is not parsed: its syntax tree would take hundreds of times as much memory."""

_VALUES: Final = frozenset({"games", "players", "version"})
"""The attributes of a class that are read, beside whether it has an `act`."""


def parse(data: bytes, *, tries: int = 20) -> ast.Module:
    """Returns the syntax tree of a Python file. Raises `SyntaxError` or `ValueError` when it is none."""
    if len(data) > SOURCE_BYTES:
        raise ValueError(f"it has {len(data):,} bytes, and at most {SOURCE_BYTES:,} are read")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a doubtful escape is shown to the author when the bot is run
        try:
            return ast.parse(data)
        except (RecursionError, MemoryError):
            raise ValueError("it is nested too deeply") from None
        except SystemError:  # another thread parsed meanwhile: Python 3.11 counts the depths of both together
            return parse(data, tries=tries - 1) if tries else ast.parse(data)


@dataclass(frozen=True, eq=False)
class Module:
    """One file that can be imported."""

    path: Path
    package: tuple[str, ...]
    """The package from which its relative imports start, as parts of a name below the root."""

    data: bytes

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree; empty when the file cannot be parsed as Python."""
        if self.path.suffix == ".py":
            try:
                return parse(self.data)
            except (SyntaxError, ValueError):
                pass
        return ast.Module(body=[], type_ignores=[])

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes on the top level of the file, in its order."""
        return {node.name: node for node in statements(self.tree.body) if isinstance(node, ast.ClassDef)}

    def has_act(self, name: str) -> bool:
        """Returns whether a class of this file has an `act` of its own."""
        return body_of(self.classes[name])[1]

    @cached_property
    def imported(self) -> dict[str, str]:
        """The names that imports on the top level bind, with the full names that they stand for."""
        names: dict[str, str] = {}
        for node in statements(self.tree.body):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    names[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and (start := self.start_of(node)) is not None:
                for alias in node.names:
                    names[alias.asname or alias.name] = join_names(start, alias.name)
        return names

    @cached_property
    def starred(self) -> list[str]:
        """The modules from which the file imports `*`."""
        return [
            join_names(start, "*").removesuffix(".*")
            for node in statements(self.tree.body)  # nowhere else is such an import allowed
            if isinstance(node, ast.ImportFrom)
            and any(alias.name == "*" for alias in node.names)
            and (start := self.start_of(node)) is not None
        ]

    def start_of(self, node: ast.ImportFrom) -> str | None:
        """Returns the module that `from ... import` names; None when it would lie above the root."""
        if not node.level:
            return node.module
        kept = len(self.package) - node.level + 1
        if kept < 0:
            return None
        return "." + ".".join([*self.package[:kept], *([node.module] if node.module else [])])

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Every name that the file may import as a module, anywhere in the file."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and (start := self.start_of(node)) is not None:
                yield from (join_names(start, alias.name) for alias in node.names)
            elif isinstance(node, ast.Call) and _last_name(node.func) in ("import_module", "__import__"):
                yield from (one.value for one in node.args[:1] if isinstance(one, ast.Constant) and _is_name(one.value))


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a file that are in no function or class, in its order."""
    waiting = body[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [one for part in ("body", "orelse", "finalbody") for one in getattr(node, part, [])]
            inner += [one for handler in getattr(node, "handlers", []) for one in handler.body]
            waiting += inner[::-1]


def body_of(node: ast.ClassDef) -> tuple[dict[str, ast.expr], bool]:
    """Returns what a class assigns to the names of `_VALUES`, and whether it has an `act` that is not abstract."""
    values: dict[str, ast.expr] = {}
    has_act = False
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name == "act":
            has_act = not any(_last_name(one) == "abstractmethod" for one in item.decorator_list)
        elif isinstance(item, ast.Assign):
            values |= {one.id: item.value for one in item.targets if isinstance(one, ast.Name)}
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is not None:
            values[item.target.id] = item.value
    return {name: value for name, value in values.items() if name in _VALUES}, has_act or "act" in values


def dotted_name(node: ast.expr) -> str:
    """Returns `helpers.Base` for `helpers.Base` and for `helpers.Base[int]`; an empty text for other expressions."""
    if isinstance(node, ast.Subscript):
        node = node.value
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _last_name(node: ast.expr) -> str | None:
    """Returns `c` for `a.b.c`; None for other expressions."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and all(part.isidentifier() for part in value.removeprefix(".").split("."))


def join_names(start: str, name: str) -> str:
    """Returns the name of a module in a package, `pkg.mod`; of a relative import, `.mod`."""
    return start + name if start.endswith(".") else f"{start}.{name}"
