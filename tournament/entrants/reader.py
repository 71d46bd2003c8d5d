"""Reads Python files without running them: which bots a file has, and what it imports from beside it."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec, PathFinder, all_suffixes
from pathlib import Path
from typing import Final, NamedTuple

from tournament.entrants.files import bytes_of
from tournament.entrants.model import is_beside
from tournament.entrants.module import Module, body_of, dotted_name, join_names
from tournament.entrants.parameters import Parameters, parameters_of
from tournament.errors import BotError

_BOT: Final = frozenset({"tournament.Bot", "tournament.players.bot.Bot"})

_WITHOUT_ACT: Final = frozenset({"ABC", "Generic", "Protocol", "object"})
"""Base classes from elsewhere that certainly have no `act`."""

MOST_STEPS: Final = 100_000
"""How often names are looked up in files, for all classes of a bot together."""


@dataclass(frozen=True)
class BotClass:
    """A class that derives from `Bot`, as far as reading can tell."""

    name: str
    has_act: bool
    values: dict[str, ast.expr] = field(default_factory=dict)
    """The expressions that it or its bases assign to `games`, `players` and `version` in the class body."""

    parameters: Parameters | None = None
    """What its `__init__` takes; None where reading cannot tell."""


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
        derived = [name for name, bot in bots.items() if bot is not None]
        parents = {base for name in derived for base in map(dotted_name, module.classes[name].bases)}
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
        for written in map(dotted_name, module.classes[name].bases):
            if (path, written) not in self._meant:
                self._meant[path, written] = self._base(module, written)
            bases.append(self._meant[path, written])
        return bases

    def _read_bot(self, path: Path, name: str) -> BotClass | None:
        node = self._modules[path].classes[name]
        values, has_act = body_of(node)
        inherited: list[Parameters | None] = []
        is_bot = False
        for written, base in zip(map(dotted_name, node.bases), self._bases(path, name), strict=True):
            bot = _BASE if base == _ROOT else None if base is None else self._bots.get(base)
            if bot is None:
                if written.rpartition(".")[2] not in _WITHOUT_ACT:
                    has_act = True
                    inherited.append(None)
            else:
                inherited.append(bot.parameters)
                is_bot = True
                has_act = has_act or bot.has_act
                values = {**bot.values, **values}
        if not is_bot:
            return None
        return BotClass(name=name, has_act=has_act, values=values, parameters=parameters_of(node, inherited))

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
            names = [join_names(star, written) for star in module.starred]
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

_BASE: Final = BotClass(name="Bot", has_act=False, parameters=Parameters())


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
