"""Imports a bot into this process, so that it shares no module with other bots.

A bot and the modules beside it live in a package of their own, under a name that nobody else uses: `import helpers` in
a bot looks beside it first, and gives `<that package>.helpers`. So two bots may each have a `helpers.py`, `sys.path`
stays as it is, and classes of a bot can be pickled and looked up like any other. The standard library comes before
modules beside the bot: one bot of a folder may be named `random.py`, and the others still import Python's.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import itertools
import os
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final, cast

from tournament.entrants.model import BotKind, BotSource, is_beside
from tournament.errors import BotError
from tournament.players.base import is_users
from tournament.players.bot import Bot
from tournament.players.output import Output, Write

BOT_FOLDER: Final = "TOURNAMENT_BOT_DIR"
"""The environment variable that names a bot's own folder while it is loaded and started."""

_PREFIX: Final = "tournament_bot_"
_numbers = itertools.count(1)


def load_bot_class(source: BotSource, *, output: Output | None = None, write: Write | None = None) -> type[Bot]:
    """Returns the class of a Python bot; each call imports its file anew, and the modules beside it.

    What it prints meanwhile goes to `write`. Raises `BotError`, with the last line of the bot's own
    traceback, when the file cannot be imported, and when the class is no `Bot`.
    """
    if source.kind is BotKind.COMMAND:
        raise BotError(f"{source.spec} is a command, which cannot run inside this process. Choose isolation: process.")
    output = output or Output()
    try:
        with bot_folder(source.folder):
            output.write = write
            module = _import(source)
    except BaseException as error:
        if is_users(error, None):
            raise KeyboardInterrupt from None
        line = traceback.format_exception_only(error)[-1].strip()
        problem = f"{source.spec} cannot be imported: {readable(line)}{_line_of(error, source.folder)}. Fix the bot."
    else:
        found = vars(module).get(source.class_name or "")
        if isinstance(found, type) and issubclass(found, Bot):
            return found
        problem = f"{source.class_name} in {source.spec} is not a class that derives from tournament.Bot. Fix the bot."
    finally:
        output.write = None
    raise BotError(problem)


@contextmanager
def bot_folder(folder: str) -> Iterator[None]:
    """Sets `TOURNAMENT_BOT_DIR` to a bot's own folder until the block ends."""
    before = os.environ.get(BOT_FOLDER)
    os.environ[BOT_FOLDER] = folder
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(BOT_FOLDER, None)
        else:
            os.environ[BOT_FOLDER] = before


def readable(text: str) -> str:
    """Returns a message of Python in which modules have the names that their author knows.

    A lone surrogate, which UTF-8 does not have, becomes a backslash and its number.
    """
    parts = text.split(_PREFIX)
    known = parts[0] + "".join(part.lstrip("0123456789").removeprefix(".") for part in parts[1:])
    return known.encode(errors="backslashreplace").decode()


def _import(source: BotSource) -> ModuleType:
    importlib.invalidate_caches()
    if source.module is not None:
        return importlib.import_module(source.module)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    package = ModuleType(f"{_PREFIX}{next(_numbers)}")
    package.__path__ = [source.folder]
    package.__spec__ = ModuleSpec(package.__name__, None, is_package=True)
    package.__spec__.submodule_search_locations = package.__path__
    package.__dict__["__builtins__"] = vars(builtins) | {"__import__": _Import(package.__name__, source)}
    sys.modules[package.__name__] = package
    name = f"{package.__name__}.{_stem(source.path).replace('.', '_')}"
    try:
        loader = _Loader(name, source.path)
        spec = importlib.util.spec_from_file_location(name, source.path, loader=loader)
        module = importlib.util.module_from_spec(cast(ModuleSpec, spec))
        sys.modules[name] = module
        loader.exec_module(module)
    except BaseException:
        for loaded in [one for one in sys.modules if one == package.__name__ or one.startswith(f"{package.__name__}.")]:
            del sys.modules[loaded]
        raise
    return module


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _line_of(error: BaseException, folder: str) -> str:
    """Returns the last file and line in the bot's folder that an exception passed, or nothing."""
    lines = [
        f" ({os.path.basename(frame.filename)}, line {frame.lineno})"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(os.path.join(folder, ""))
    ]
    return lines[-1] if lines else ""


class _Import:
    """The `__import__` of one bot, which looks beside the bot first."""

    def __init__(self, package: str, source: BotSource) -> None:
        self._package = package
        self._folder = source.folder
        self._hides_library = source.hides_library
        self._beside: dict[str, bool] = {}

    def __call__(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 (the names that `__import__` has)
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or not self._is_beside(top):
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        module = builtins.__import__(f"{self._package}.{name}", globals, locals, fromlist or (), 0)
        return module if fromlist else sys.modules[f"{self._package}.{top}"]

    def _is_beside(self, top: str) -> bool:
        if top not in self._beside:
            self._beside[top] = is_beside(top, hides_library=self._hides_library) and self._lies_beside(top)
        return self._beside[top]

    def _lies_beside(self, top: str) -> bool:
        found = PathFinder.find_spec(top, [self._folder])
        if found is not None and found.origin is None:  # a folder without `__init__.py` gives way to a real package
            other = importlib.util.find_spec(top)
            return other is None or other.origin is None
        return found is not None


class _Finder:
    """Finds the modules of bots, and gives each the `__import__` of its bot."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(_PREFIX):
            return None
        found = PathFinder.find_spec(name, path, target)
        if found is not None and type(found.loader) is SourceFileLoader:
            found.loader = _Loader(name, found.loader.path)
        return found


_FINDER: Final = _Finder()


class _Loader(SourceFileLoader):
    """Runs a module of a bot with the `__import__` of its bot; leaves no bytecode in the bot's folder."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)

    def exec_module(self, module: ModuleType) -> None:
        package = sys.modules[module.__name__.partition(".")[0]]
        module.__dict__["__builtins__"] = package.__dict__["__builtins__"]
        super().exec_module(module)
