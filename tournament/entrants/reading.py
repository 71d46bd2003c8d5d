"""Reading Python files without running them: which bots a file has, and what it imports from beside it.

A name of a module is written as `import` has it, `pkg.mod`; with a dot in front, `.pkg.mod`,
when it came from a relative import and so can only mean a module beside.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import all_suffixes
from pathlib import Path
from typing import Final, TypeGuard

from tournament.entrants.fingerprint import bytes_of

_BOT: Final = frozenset({"tournament.Bot", "tournament.players.bot.Bot"})

_WITHOUT_ACT: Final = frozenset({"ABC", "Generic", "Protocol", "object"})
"""Bases from outside that surely bring no `act`."""


def is_beside(name: str) -> bool:
    """Returns whether a top-level module of that name, when it lies beside a bot, is what `import name` means.

    Beside comes before installed, as for any script; built-in modules and this package come first.
    """
    return name != "tournament" and name not in sys.builtin_module_names


def parse(data: bytes) -> ast.Module:
    """Returns the syntax tree of a Python file. Raises `SyntaxError` or `ValueError` when it is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a doubtful escape is for the author of the bot, when it is run
        try:
            return ast.parse(data)
        except (RecursionError, MemoryError):
            raise ValueError("it is nested too deeply") from None


@dataclass(frozen=True, eq=False)
class Module:
    """One file that `import` can reach."""

    path: Path
    package: tuple[str, ...]
    """What its relative imports start from, as parts of a name below the root."""

    data: bytes

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree; empty when the file is not Python that can be parsed."""
        if self.path.suffix == ".py":
            try:
                return parse(self.data)
            except (SyntaxError, ValueError):
                pass
        return ast.Module(body=[], type_ignores=[])

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes on the top level of the file, in its order."""
        return {node.name: node for node in _statements(self.tree.body) if isinstance(node, ast.ClassDef)}

    def has_act(self, name: str) -> bool:
        """Returns whether a class of this file has an `act` of its own."""
        return _body_of(self.classes[name])[1]

    @cached_property
    def imported(self) -> dict[str, str]:
        """The names that imports on the top level bind, and the full names they stand for."""
        names: dict[str, str] = {}
        for node in _statements(self.tree.body):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.partition(".")[0]
                    names[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and (start := self.start_of(node)) is not None:
                for alias in node.names:
                    names[alias.asname or alias.name] = _join(start, alias.name)
        return names

    @cached_property
    def starred(self) -> list[str]:
        """The modules of which the file imports everything."""
        return [name.removesuffix(".*") for name in self.imports if name.endswith(".*")]

    def start_of(self, node: ast.ImportFrom) -> str | None:
        """Returns the module that `from ... import` names; None when it lies above the root."""
        if not node.level:
            return node.module
        kept = len(self.package) - node.level + 1
        if kept < 0:
            return None
        return "." + ".".join([*self.package[:kept], *([node.module] if node.module else [])])

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Every name the file may import as a module, wherever in the file it does."""
        return tuple(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and (start := self.start_of(node)) is not None:
                yield from (_join(start, alias.name) for alias in node.names)
            elif isinstance(node, ast.Call) and _last_name(node.func) in ("import_module", "__import__"):
                yield from (one.value for one in node.args[:1] if isinstance(one, ast.Constant) and _is_name(one.value))


@dataclass(frozen=True)
class BotClass:
    """A class that derives from `Bot`, or one of its bases, as far as reading can tell."""

    name: str
    has_act: bool
    values: dict[str, ast.expr] = field(default_factory=dict)
    """What it or its bases set on the level of the class."""


class Reader:
    """Reads the files below one folder, each once, as the imports of a bot would find them."""

    def __init__(self, root: Path, *, top: str | None = None) -> None:
        """Looks for modules in `root`; with `top`, for an installed package, only in that package."""
        self._root = root
        self._top = top
        self._modules: dict[Path, Module] = {}

    def read(self, path: Path, package: tuple[str, ...] = ()) -> Module:
        """Returns one file. Raises `BotError` when it cannot be read."""
        if path not in self._modules:
            self._modules[path] = Module(path=path, package=package, data=bytes_of(path, path.name))
        return self._modules[path]

    def find(self, name: str) -> Module | None:
        """Returns the module of that name, or None when there is none here."""
        parts = name.removeprefix(".").split(".")
        here = is_beside(parts[0]) if self._top is None else parts[0] == self._top
        if not (here or name.startswith(".")) or parts == [""]:
            return None
        place = self._root.joinpath(*parts)
        if (place / "__init__.py").is_file():
            return self.read(place / "__init__.py", tuple(parts))
        for suffix in all_suffixes():
            path = place.with_name(place.name + suffix)
            if path.is_file():
                return self.read(path, tuple(parts[:-1]))
        return None

    def reach(self, start: Module, name: str | None = None) -> dict[str, bytes]:
        """Returns the bytes of a file, and of all it imports from here, by their paths below the root.

        `name` is that of the file itself when importing it imports its packages, too.
        """
        found: dict[Path, Module] = {start.path: start}
        names = list(_prefixes(name)) if name else []
        names += [prefix for one in start.imports for prefix in _prefixes(one)]
        while names:
            module = self.find(names.pop())
            if module is not None and module.path not in found:
                found[module.path] = module
                names += [prefix for one in module.imports for prefix in _prefixes(one)]
        return {path.relative_to(self._root).as_posix(): module.data for path, module in found.items()}

    def bots(self, module: Module) -> list[BotClass]:
        """Returns the bots of a file, in its order: classes from which no other class of the file derives."""
        bots = {name: self.bot(module, name) for name in module.classes}
        parents = {
            base
            for name, bot in bots.items()
            if bot is not None
            for base in map(ast.unparse, map(_unsubscripted, module.classes[name].bases))
        }
        return [
            bot
            for name, bot in bots.items()
            if bot is not None and bot.has_act and name not in parents and not name.startswith("_")
        ]

    def bot(self, module: Module, name: str) -> BotClass | None:
        """Returns a class on the top level of a file, or None when it does not derive from `Bot`."""
        return self._bot(module, name, seen=frozenset())

    def _bot(self, module: Module, name: str, *, seen: frozenset[tuple[Path, str]]) -> BotClass | None:
        node = module.classes.get(name)
        if node is None:
            return None
        values, has_act = _body_of(node)
        is_bot = False
        for written in map(ast.unparse, map(_unsubscripted, node.bases)):
            base = self._base(module, written, seen=seen)
            if base is None:
                has_act = has_act or written.rpartition(".")[2] not in _WITHOUT_ACT
            else:
                is_bot = True
                has_act = has_act or base.has_act
                values = {**base.values, **values}
        return BotClass(name=name, has_act=has_act, values=values) if is_bot else None

    def _base(self, module: Module, written: str, *, seen: frozenset[tuple[Path, str]]) -> BotClass | None:
        """Returns what a file means by a name such as `Bot` or `helpers.Base`, when that is a bot."""
        if (module.path, written) in seen:  # files that import from each other, a class that is its own base
            return None
        seen |= {(module.path, written)}
        if written in module.classes:
            return self._bot(module, written, seen=seen)
        head, dot, rest = written.partition(".")
        if head in module.imported:
            return self._named(module.imported[head] + dot + rest, seen=seen)
        for star in module.starred:
            found = self._named(_join(star, written), seen=seen)
            if found is not None:
                return found
        return None

    def _named(self, name: str, *, seen: frozenset[tuple[Path, str]]) -> BotClass | None:
        """Returns the bot of a full name, `pkg.mod.Class`: of its longest part that is a module here."""
        if name in _BOT:
            return BotClass(name="Bot", has_act=False)
        start, _, rest = name.rpartition(".")
        while start:
            module = self.find(start)
            if module is not None:
                return self._base(module, rest, seen=seen)
            start, _, more = start.rpartition(".")
            rest = f"{more}.{rest}"
        return None


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a file that stand in no function or class."""
    for node in body:
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from _statements(handler.body)


def _body_of(node: ast.ClassDef) -> tuple[dict[str, ast.expr], bool]:
    """Returns the values a class sets, and whether it has an `act` that is not abstract."""
    values: dict[str, ast.expr] = {}
    has_act = False
    for item in node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name == "act":
            has_act = not any(ast.unparse(one).endswith("abstractmethod") for one in item.decorator_list)
        elif isinstance(item, ast.Assign):
            values |= {one.id: item.value for one in item.targets if isinstance(one, ast.Name)}
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is not None:
            values[item.target.id] = item.value
    return values, has_act or "act" in values


def _unsubscripted(node: ast.expr) -> ast.expr:
    """Returns `Base` for `Base[int]`."""
    return node.value if isinstance(node, ast.Subscript) else node


def _last_name(node: ast.expr) -> str | None:
    """Returns `c` for `a.b.c`; None for what is no name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and all(part.isidentifier() for part in value.removeprefix(".").split("."))


def _join(start: str, name: str) -> str:
    return start + name if start.endswith(".") else f"{start}.{name}"


def _prefixes(name: str) -> Iterator[str]:
    """Yields `.a`, `.a.b`, `.a.b.c` for `.a.b.c`: importing a module imports its packages."""
    dot = "." if name.startswith(".") else ""
    parts = name.removeprefix(".").split(".")
    for count in range(1, len(parts) + 1):
        yield dot + ".".join(parts[:count])
