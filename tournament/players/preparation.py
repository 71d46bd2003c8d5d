"""Before bots are started: builds them, says at which level each plays, and checks that this machine has it."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tournament.entrants.entries import build_of
from tournament.entrants.model import BotKind, BotSource, Entrant
from tournament.errors import BotError, ConfigurationError
from tournament.paths import data_folder
from tournament.players.linux.group_places import find_places
from tournament.records.settings import Hosting, Isolation
from tournament.text import option

BUILD_SECONDS: Final = 600
BUILD_LINES: Final = 20

NOT_WINDOWS: Final = (
    "isolation: {} does not exist on Windows. Choose isolation: none for bots you trust, or run in WSL, "
    "where everything is there."
)
NOT_LINUX: Final = (
    "This is not Linux: the memory of bots is looked at only now and then, the limit `processes` is not kept, and a "
    "process whose parent has ended is not found outside its group. Run bots of strangers on Linux."
)
NEEDS_LINUX: Final = "{} needs Linux: what it tries keeps bots apart only there. On Windows use WSL."
NO_USER: Final = (
    "isolation: sandbox cannot give bots a user of their own here, and no bot may run as root: {}. Run the tournament "
    "as an ordinary user, such as with `runuser -u NAME -- tournament ...`."
)
TOO_MUCH: Final = (
    '"{}": in a sandbox each process of a bot gets a copy of its folder, and that of this bot {}: {}. '
    "Put the bot into a folder with only what it needs, or choose isolation: process."
)
OURS_AS_ROOT: Final = (
    "The bots of this package run as root here, without root's rights, and other bots may not play: bots cannot be "
    "given users of their own, because {}"
)


def default_isolation() -> Isolation:
    """Returns `process`, or `none` where the platform has no such level."""
    return Isolation.PROCESS if os.name == "posix" else Isolation.NONE


def isolation_of(source: BotSource, hosting: Hosting) -> Isolation:
    """Returns the level at which a bot plays: its own, or that of the run."""
    return hosting.isolation if source.isolation is None else source.isolation


def is_shipped(source: BotSource) -> bool:
    """Returns whether a bot came with this package, and so is trusted."""
    path = Path(os.path.realpath(source.path))
    return not source.files and source.python is None and path.is_relative_to(os.path.realpath(data_folder("bots")))


def has_sandbox(entrants: Iterable[Entrant], hosting: Hosting) -> bool:
    """Returns whether any bot plays in a sandbox: then not all bots are trusted."""
    return any(isolation_of(source, hosting) is Isolation.SANDBOX for one in entrants for source in one.bots)


def prepare_hosting(entrants: Sequence[Entrant], hosting: Hosting, *, allow_mixed: bool) -> tuple[str, ...]:
    """Returns sentences on the protections that this machine lacks, for the user.

    Raises `BotError` for a bot that cannot play at its level, `ConfigurationError` for levels that
    this machine does not have, or that must not be mixed.
    """
    levels = check_levels(entrants, hosting, allow_mixed=True)
    notices = dict.fromkeys(text for level in levels if level is not Isolation.NONE for text in _notices(level))
    for entrant in entrants:
        for source in entrant.bots:
            level = isolation_of(source, hosting)
            if level is not Isolation.NONE:
                notices |= dict.fromkeys(_notices_of(source, entrant.name, level))
    check_levels(entrants, hosting, allow_mixed=allow_mixed)
    if levels.keys() - {Isolation.NONE}:
        find_places()  # this process may have to move to another group, before it has workers
    return tuple(notices)


def check_levels(entrants: Sequence[Entrant], hosting: Hosting, *, allow_mixed: bool) -> dict[Isolation, str]:
    """Returns the levels of some entrants, each with the first entrant that plays there.

    Raises `BotError` for a bot that cannot play at level none on any machine, `ConfigurationError` for levels that must
    not be mixed.
    """
    levels: dict[Isolation, str] = {}
    for entrant in entrants:
        for source in entrant.bots:
            level = isolation_of(source, hosting)
            if level is Isolation.NONE:
                _check_inline(source, entrant.name)
            levels.setdefault(level, entrant.name)
    if Isolation.NONE in levels and len(levels) > 1 and not allow_mixed:
        others = next(name for level, name in levels.items() if level is not Isolation.NONE)
        raise ConfigurationError(
            f'"{levels[Isolation.NONE]}" would play at isolation none, "{others}" in a process: a bot in the '
            "tournament's own process can reach everything there. Give all the same isolation, or say "
            f"{option('--allow-mixed')}."
        )
    return levels


def _notices_of(source: BotSource, name: str, level: Isolation) -> Iterator[str]:
    """Yields the protections that a bot in a process lacks. Raises `BotError` when it cannot play there."""
    from tournament.players.linux.files import copy_problem
    from tournament.players.linux.users import as_root, own_user_problem
    from tournament.players.programs import program_of

    program = program_of(source)
    if level is Isolation.SANDBOX:
        much = copy_problem(program.own)
        if much is not None:
            raise BotError(TOO_MUCH.format(name, much, ", ".join(program.own)))
        return
    problem = own_user_problem(program)
    if problem is not None and not is_shipped(source):
        raise BotError(as_root(f'"{name}"', problem))
    if problem is not None:
        yield OURS_AS_ROOT.format(problem)


def _check_inline(source: BotSource, name: str) -> None:
    if source.kind is BotKind.COMMAND:
        raise BotError(f'"{name}" is a command, and isolation none plays Python bots only. Choose isolation: process.')
    for key, value in (("python", source.python), ("env", source.env), ("limits", source.limits)):
        if value:
            raise BotError(
                f'"{name}" has {key}, which means nothing at isolation none. Choose isolation: process, or take it out.'
            )


def _notices(level: Isolation) -> tuple[str, ...]:
    """Returns the protections that a level lacks here. Raises `ConfigurationError` when the whole level is missing."""
    if os.name != "posix":
        raise ConfigurationError(NOT_WINDOWS.format(level))
    if level is Isolation.SANDBOX:
        from tournament.players.linux.sandbox import check_sandbox
        from tournament.players.linux.users import sandbox_user_problem

        check_sandbox()
        problem = sandbox_user_problem()
        if problem is not None:
            raise ConfigurationError(NO_USER.format(problem))
    return () if sys.platform == "linux" else (NOT_LINUX,)


def check_linux(what: str) -> None:
    """Raises `ConfigurationError` on other systems than Linux, which `what` needs; is called before anything starts."""
    if sys.platform != "linux":
        raise ConfigurationError(NEEDS_LINUX.format(what))


def build_bots(entries: Iterable[object], *, base: Path, say: Callable[[str], object]) -> None:
    """Runs the `build` of each entry that has one, with our own rights, in the folder of the configuration.

    `say` takes each command before it runs. Raises `BotError` with the last lines of a command that fails.
    """
    for entry in entries:
        if isinstance(entry, Mapping) and entry.get("build") is not None:
            shown = _shown(entry)
            _build(build_of(entry, shown), base, shown, say)


def missing_builder(entry: Mapping[Any, Any], base: Path, *, is_first: bool) -> str | None:
    """Returns a sentence when the program that builds an entry cannot be run; None when it can, or may be made before.

    What is built before the entry, if it is not the first, may make a program that is given by its path.
    """
    shown = _shown(entry)
    program, *_ = command = build_of(entry, shown)
    if os.path.dirname(program) == "":
        reason = errno.ENOENT if shutil.which(program) is None else None
    elif not os.path.exists(base / program):
        reason = errno.ENOENT if is_first else None
    else:
        is_program = os.path.isfile(base / program) and os.access(base / program, os.X_OK)
        reason = None if is_program else errno.EACCES
    return None if reason is None else _cannot_be_run(shown, command, os.strerror(reason))


def _shown(entry: Mapping[Any, Any]) -> str:
    return str(entry.get("name") or entry.get("bot") or entry.get("command"))


def _cannot_be_run(shown: str, command: Sequence[str], reason: str | None) -> str:
    return f"build of {shown} ({shlex.join(command)}) cannot be run: {reason}. Fix the command."


def _build(command: Sequence[str], base: Path, shown: str, say: Callable[[str], object]) -> None:
    written = shlex.join(command)
    say(f"Building {shown} in {base}: {written}")
    try:
        done = subprocess.run(
            command,
            cwd=base,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except OSError as error:
        raise BotError(_cannot_be_run(shown, command, error.strerror)) from None
    except subprocess.TimeoutExpired:
        raise BotError(f"build of {shown} ({written}) took over {BUILD_SECONDS} seconds. Make it faster.") from None
    if done.returncode != 0:
        last = "\n".join(done.stdout.decode(errors="backslashreplace").splitlines()[-BUILD_LINES:])
        raise BotError(f"build of {shown} ({written}) failed with exit code {done.returncode}. Fix it:\n{last}")
