"""The programs of bots: their commands, and the paths that they need."""

from __future__ import annotations

import contextlib
import marshal
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.machinery import SourceFileLoader
from importlib.metadata import Distribution, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tournament.entrants.model import BotKind, BotSource
from tournament.games import GROUP
from tournament.paths import PACKAGE, real_path
from tournament.players.linux import launcher
from tournament.players.linux.sandbox import SYSTEM, SYSTEM_FILES, held_in_memory, is_below

HOST: Final = (
    "import gc, sys; gc.disable(); sys.path += sys.argv[1:]; sys.modules['typing_extensions'] = None; import msgspec; "
    "del sys.modules['typing_extensions']; from tournament.players.host import main; gc.enable(); main()"
)
"""What a Python bot's process runs.

msgspec imports `typing_extensions` where it is installed, for what `typing` has, too; without it a bot is ready sooner,
and without garbage collections while modules are imported, which leave none.
"""

HOST_FLAGS: Final = ("-P", "-s", "-B")

LAUNCHER: Final = "import sys; sys.path.append(sys.argv.pop(1)); from launcher import main; main()"
"""What starts any bot's program: imported, because Python keeps the bytecode of a module, and not of a script."""

STAYING_LAUNCHER: Final = (
    "import sys; sys.path.append(sys.argv.pop(1)); from launcher import become; del sys.path[-1]; "
    "become(int(sys.argv.pop(1))); del become; "
)
"""What goes before `HOST` where the launcher and the host are one process: a Python bot then waits for one start."""


class Program(NamedTuple):
    """A bot's own program."""

    command: list[str]
    first: bytes
    """What it is sent ahead of the protocol: others could read it if it were an argument."""

    shared: list[str]
    """The absolute paths it needs that are not its own: Python, this package, installed packages."""

    own: list[str]
    """The absolute paths of the bot's own files and folders."""

    folders: tuple[str, ...] | None = None
    """The folders that `HOST` imports from, where it is what our own Python runs."""


@cache
def _keep_bytecode() -> None:
    """Writes the bytecode of what only bots' processes import, where it is missing: they may write none themselves."""
    spec = find_spec("tournament.players.host")
    if spec is not None and isinstance(spec.loader, SourceFileLoader):
        spec.loader.get_code(spec.name)


def program_of(source: BotSource) -> Program:
    """Returns the program of a bot, and the paths that it needs."""
    package = str(PACKAGE)
    ours = [package, *folders_of(sys.executable)]
    if source.kind is not BotKind.COMMAND:
        python = python_of(source)
        library = str(Path(str(resources.files("msgspec"))).parent)
        root = None if source.module is None else _module_root(source.module, source.path)
        games = _games_elsewhere(tuple(sys.path))
        _keep_bytecode()
        folders = [str(Path(package).parent), library]
        if root is not None:
            folders.append(root)
        folders += dict.fromkeys(map(os.path.dirname, games))
        return Program(
            command=[python, *HOST_FLAGS, "-c", HOST, *folders],
            first=msgspec.json.encode(source) + b"\n",
            shared=[*ours, library, *games, *folders_of(python), *([root] if root is not None else [])],
            own=_outermost([source.folder if root is None else _top_of(source.path, root), *source.files]),
            folders=tuple(folders) if python == sys.executable else None,
        )
    words = []
    for word in source.command[1:]:
        path = os.path.join(source.folder, word)
        words.append(path if not os.path.isabs(word) and os.path.exists(path) else word)
    paths = [word for word in words if os.path.isabs(word) and os.path.exists(word)]
    own = [path for path in (source.path, *paths) if not is_below(path, (*SYSTEM, *ours))]
    if os.sep not in source.command[0] and source.path in own:  # an installed program, which is not the bot's own
        own.remove(source.path)
        ours.append(source.path)
    return Program([source.path, *words], b"", ours, _outermost([*own, *source.files]))


def shown_places() -> tuple[str, ...]:
    """Returns the files and folders of this machine that every bot in a sandbox sees, with all that lies below them."""
    library = str(Path(str(resources.files("msgspec"))).parent)
    ours = (str(PACKAGE), library, *folders_of(sys.executable), *_games_elsewhere(tuple(sys.path)))
    return tuple(dict.fromkeys((*SYSTEM, *SYSTEM_FILES, *ours)))


@cache
def _games_elsewhere(path: tuple[str, ...]) -> tuple[str, ...]:
    """Returns what installed games consist of that do not lie in our Python: their packages, and the metadata beside.

    So games are found that `PYTHONPATH` names, and those that are installed to be edited. `path` is `sys.path`,
    on which the answer depends.
    """
    found = []
    for point in entry_points(group=GROUP):
        with contextlib.suppress(ImportError, ValueError):
            spec = find_spec(point.module)
            if spec is not None and spec.origin is not None:
                found.append(_top_of(spec.origin, _module_root(point.module, spec.origin)))
        if point.dist is not None:
            beside = Path(str(point.dist.locate_file(""))).glob("*-info")
            found += [str(one) for one in beside if Distribution.at(one).name == point.dist.name]
    return tuple(_outermost([one for one in found if not is_below(one, folders_of(sys.executable))]))


def _top_of(path: str, root: str) -> str:
    """Returns the top package, or the file, of a module that is imported from the folder `root`."""
    return os.path.join(root, Path(path).relative_to(root).parts[0])


def _outermost(paths: Sequence[str]) -> list[str]:
    found: list[str] = []
    for path in sorted(set(paths), key=len):
        if not is_below(path, found):
            found.append(path)
    return found


def python_of(source: BotSource) -> str:
    """Returns the Python that runs a bot: that of its own environment, or ours."""
    return sys.executable if source.python is None else source.python


def _module_root(module: str, path: str) -> str:
    """Returns the folder from which a module is imported that lies in the file `path`."""
    file = Path(path)
    depth = len(module.split(".")) - (0 if file.name == "__init__.py" else 1)
    return str(file.parents[depth])


@cache
def folders_of(python: str) -> tuple[str, ...]:
    """Returns the folders in which a Python is installed."""
    if python == sys.executable:
        return tuple(dict.fromkeys((sys.base_prefix, sys.prefix, str(real_path(Path(python)).parent.parent))))
    asked = "import sys; print(sys.base_prefix, sys.prefix, sep='\\n')"
    try:
        done = subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(dict.fromkeys(path for path in done.stdout.splitlines() if os.path.isdir(path)))


def launcher_command(settings: Mapping[str, Any]) -> list[str]:
    """Returns the command that starts `launcher` with its settings, to which the program is added."""
    written = marshal.dumps(dict(settings)).hex()  # read without a library, by the same Python
    return [sys.executable, "-I", "-S", "-B", "-c", LAUNCHER, _launcher_folder(), written]


def staying_command(settings: Mapping[str, Any], folders: Sequence[str]) -> tuple[list[str], int]:
    """Returns the command of a launcher that goes on as the host of a bot, and the descriptor of its settings."""
    held = held_in_memory("settings", marshal.dumps({**settings, "stays": True}))
    words = [_launcher_folder(), str(held), *folders]
    return [sys.executable, *HOST_FLAGS, "-c", f"{STAYING_LAUNCHER}{HOST}", *words], held


def _launcher_folder() -> str:
    return str(Path(launcher.__file__).resolve().parent)
