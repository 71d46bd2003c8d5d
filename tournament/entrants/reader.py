"""Reads Python files without running them: which bots a file has, and what it imports from beside it.

A name of a module is written as `import` has it, `pkg.mod`. With a dot in front, `.pkg.mod`, it came from a relative
import, and so can only mean a module beside the file.
"""

from __future__ import annotations

import ast
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import ModuleSpec, PathFinder, all_suffixes
from pathlib import Path
from typing import Final, NamedTuple, TypeGuard

from tournament.entrants.files import bytes_of
from tournament.entrants.model import is_beside
from tournament.errors import BotError

_BOT: Final = frozenset({"tournament.Bot", "tournament.players.bot.Bot"})

_WITHOUT_ACT: Final = frozenset({"ABC", "Generic", "Protocol", "object"})
"""Base classes from elsewhere that certainly have no `act`."""

SOURCE_BYTES: Final = 4_194_304
"""A longer file is not parsed: its syntax tree would take hundreds of times as much memory."""

MOST_STEPS: Final = 100_000
"""How often names are looked up in files, for all classes of a bot together."""

_VALUES: Final = frozenset({"games", "players", "version"})
"""The attributes of a class that are read, beside whether it has an `act`."""


def parse(data: bytes) -> ast.Module:
    """Returns the syntax tree of a Python file. Raises `SyntaxError` or `ValueError` when it is none."""
    if len(data) > SOURCE_BYTES:
        raise ValueError(f"it has {len(data):,} bytes, and at most {SOURCE_BYTES:,} are read")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a doubtful escape is shown to the author when the bot is run
        try:
            return ast.parse(data)
        except (RecursionError, MemoryError):
            raise ValueError("it is nested too deeply") from None


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
        return {node.name: node for node in _statements(self.tree.body) if isinstance(node, ast.ClassDef)}

    def has_act(self, name: str) -> bool:
        """Returns whether a class of this file has an `act` of its own."""
        return _body_of(self.classes[name])[1]

    @cached_property
    def imported(self) -> dict[str, str]:
        """The names that imports on the top level bind, with the full names that they stand for."""
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
        """The modules from which the file imports `*`."""
        return [name.removesuffix(".*") for name in self.imports if name.endswith(".*")]

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
                yield from (_join(start, alias.name) for alias in node.names)
            elif isinstance(node, ast.Call) and _last_name(node.func) in ("import_module", "__import__"):
                yield from (one.value for one in node.args[:1] if isinstance(one, ast.Constant) and _is_name(one.value))


@dataclass(frozen=True)
class BotClass:
    """A class that derives from `Bot`, as far as reading can tell."""

    name: str
    has_act: bool
    values: dict[str, ast.expr] = field(default_factory=dict)
    """The expressions that it or its bases assign to `games`, `players` and `version` in the class body."""


class Reader:
    """Reads the files below one folder, each once, and finds modules there as the imports of a bot would."""

    def __init__(self, root: Path, *, top: str | None = None, hides_library: bool = False) -> None:
        """Looks for modules in `root`; with `top`, which is for an installed package, only in that package.

        `hides_library`: modules in `root` come before the standard library, as they did in tournament 0.1.0.
        """
        self._root = root
        self._top = top
        self._hides_library = hides_library
        self._modules: dict[Path, Module] = {}
        self._found: dict[str, Module | None] = {}
        self._bots: dict[tuple[Path, str], BotClass | None] = {}
        self._meant: dict[tuple[Path, str], tuple[Path, str] | None] = {}
        self._steps = 0

    def read(self, path: Path, package: tuple[str, ...] = ()) -> Module:
        """Returns one file. Raises `BotError` when it cannot be read."""
        if path not in self._modules:
            self._modules[path] = Module(path=path, package=package, data=bytes_of(path, path.name))
        return self._modules[path]

    def find(self, name: str) -> Module | None:
        """Returns the module of that name, or None when there is none here."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Module | None:
        parts = name.removeprefix(".").split(".")
        if parts == [""] or not (name.startswith(".") or self._is_here(parts[0])):
            return None
        place = self._root.joinpath(*parts)
        if (place / "__init__.py").is_file():
            return self.read(place / "__init__.py", tuple(parts))
        for suffix in all_suffixes():
            path = place.with_name(place.name + suffix)
            if path.is_file():
                return self.read(path, tuple(parts[:-1]))
        return None

    def _is_here(self, top: str) -> bool:
        if self._top is not None:
            return top == self._top
        return is_beside(top, hides_library=self._hides_library)

    def reach(self, start: Module, name: str | None = None) -> dict[str, bytes]:
        """Returns the bytes of a file, and of all that it imports below the root, by their paths below the root.

        `name` is the name of the file as an installed module, whose packages are imported with it.
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
        """Returns the bots of a file, in its order: public classes with an `act` that are no base of another there."""
        bots = {name: self.bot(module, name) for name in module.classes}
        parents = {
            base for name, bot in bots.items() if bot is not None for base in map(_dotted, module.classes[name].bases)
        }
        return [
            bot
            for name, bot in bots.items()
            if bot is not None and bot.has_act and name not in parents and not name.startswith("_")
        ]

    def bot(self, module: Module, name: str) -> BotClass | None:
        """Returns a class on the top level of a file, or None when it does not derive from `Bot`.

        Each class is read once, however many others derive from it.
        """
        for node in self._ancestors(module, name):
            self._bots[node] = self._read_bot(*node)
        return self._bots.get((module.path, name))

    def _ancestors(self, module: Module, name: str) -> list[tuple[Path, str]]:
        """Returns a class and all its bases that were not read yet, bases first."""
        ended: list[tuple[Path, str]] = []
        begun: set[tuple[Path, str]] = set()
        waiting = [((module.path, name), False)]
        while waiting:
            node, is_done = waiting.pop()
            if is_done:
                ended.append(node)
            elif node not in begun and node not in self._bots and node[1] in self._modules[node[0]].classes:
                begun.add(node)
                waiting.append((node, True))
                waiting += [(base, False) for base in self._bases(*node) if base is not None and base != _ROOT]
        return ended

    def _bases(self, path: Path, name: str) -> list[tuple[Path, str] | None]:
        """Returns where each base of a class is defined; None for a base from elsewhere."""
        module = self._modules[path]
        bases: list[tuple[Path, str] | None] = []
        for written in map(_dotted, module.classes[name].bases):
            if (path, written) not in self._meant:
                self._meant[path, written] = self._base(module, written)
            bases.append(self._meant[path, written])
        return bases

    def _read_bot(self, path: Path, name: str) -> BotClass | None:
        node = self._modules[path].classes[name]
        values, has_act = _body_of(node)
        is_bot = False
        for written, base in zip(map(_dotted, node.bases), self._bases(path, name), strict=True):
            bot = _BASE if base == _ROOT else None if base is None else self._bots.get(base)
            if bot is None:
                has_act = has_act or written.rpartition(".")[2] not in _WITHOUT_ACT
            else:
                is_bot = True
                has_act = has_act or bot.has_act
                values = {**bot.values, **values}
        return BotClass(name=name, has_act=has_act, values=values) if is_bot else None

    def _base(self, module: Module, written: str) -> tuple[Path, str] | None:
        """Returns the file and the class that a file means by a name such as `Bot` or `helpers.Base`.

        `_ROOT` stands for `Bot` itself, None for a class from elsewhere. Files that import each other are read once.
        Raises `BotError` after `MOST_STEPS`.
        """
        start = module
        seen: set[tuple[Path, str]] = set()
        waiting = [(module, written)]
        while waiting:
            module, written = waiting.pop()
            if (module.path, written) in seen:
                continue
            seen.add((module.path, written))
            self._steps += 1 + len(module.starred)
            if self._steps > MOST_STEPS:
                raise BotError(
                    f"{start.path.name} derives from too many classes in too many files to be read. Write fewer."
                )
            if written in module.classes:
                return module.path, written
            head, dot, rest = written.partition(".")
            names = [_join(star, written) for star in module.starred]
            if head in module.imported:
                names = [module.imported[head] + dot + rest]
            if any(name in _BOT for name in names):
                return _ROOT
            waiting += [found for name in reversed(names) if (found := self._named(name)) is not None]
        return None

    def _named(self, name: str) -> tuple[Module, str] | None:
        """Returns the module with which a full name, `pkg.mod.Class`, begins, the longest there is, and the rest."""
        start, _, rest = name.rpartition(".")
        while start:
            module = self.find(start)
            if module is not None:
                return module, rest
            start, _, more = start.rpartition(".")
            rest = f"{more}.{rest}"
        return None


class Code(NamedTuple):
    """A Python file that has bots."""

    spec: str
    reader: Reader
    module: Module
    dotted: str | None
    """Its name as a module, when it is an installed one."""


_ROOT: Final = (Path(), "Bot")
"""Stands for `tournament.Bot`, whose own file is not read."""

_BASE: Final = BotClass(name="Bot", has_act=False)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yields the statements of a file that are in no function or class, in its order."""
    waiting = body[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [one for part in ("body", "orelse", "finalbody") for one in getattr(node, part, [])]
            inner += [one for handler in getattr(node, "handlers", []) for one in handler.body]
            waiting += inner[::-1]


def _body_of(node: ast.ClassDef) -> tuple[dict[str, ast.expr], bool]:
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


def _dotted(node: ast.expr) -> str:
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


def _join(start: str, name: str) -> str:
    return start + name if start.endswith(".") else f"{start}.{name}"


def _prefixes(name: str) -> Iterator[str]:
    """Yields `.a`, `.a.b`, `.a.b.c` for `.a.b.c`: importing a module imports its packages."""
    dot = "." if name.startswith(".") else ""
    parts = name.removeprefix(".").split(".")
    for count in range(1, len(parts) + 1):
        yield dot + ".".join(parts[:count])


def module_path(dotted: str, spec: str) -> Path:
    """Returns the file of an installed module. Found part by part: `find_spec` of a whole name runs its packages."""
    top, *rest = dotted.split(".")
    found = _top_level(top)
    name = top
    for part in rest:
        if found is None or found.submodule_search_locations is None:
            break
        # By its last part alone: for a full name the package would be looked up in sys.modules.
        found = PathFinder.find_spec(part, list(found.submodule_search_locations))
        name = f"{name}.{part}"
    if found is None or name != dotted:
        raise BotError(
            f'There is no module "{name if found is None else dotted}", wanted for "{spec}". '
            "Install the package that has it into this Python, or write the path of the file."
        )
    if found.origin is None or not found.origin.endswith(".py") or not Path(found.origin).is_file():
        raise BotError(
            f'"{dotted}" is not a module written in Python as a file, so its bots cannot be read. Name another.'
        )
    return Path(os.path.abspath(found.origin))


def _top_level(name: str) -> ModuleSpec | None:
    for finder in sys.meta_path:
        found = finder.find_spec(name, None)
        if found is not None:
            return found
    return None
