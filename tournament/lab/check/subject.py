"""Which bot is checked, how it is hosted, and which files of its folder it opens meanwhile (Linux)."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import struct
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournament.configuration.bots import build
from tournament.configuration.file import ConfigurationSource, read_configuration
from tournament.configuration.resolving import find_entrants, hosting_of
from tournament.configuration.rules import clashes, group_games
from tournament.configuration.types import DEFAULT_GAMES
from tournament.entrants.entries import entrants_from
from tournament.entrants.folders import files_named, files_of, is_apart
from tournament.entrants.model import BotKind, BotSource, Entrant
from tournament.entrants.reader import Reader
from tournament.errors import BotError, ConfigurationError, UsageError, did_you_mean
from tournament.games import game_names, load_game
from tournament.ids import format_group
from tournament.lab.check.fixed_games import TriedTable
from tournament.players.preparation import default_isolation
from tournament.records.settings import Hosting, Isolation
from tournament.store.layout import YAML_SUFFIXES


class Subject(Struct, frozen=True, kw_only=True):
    """A bot to be checked, and how it is hosted."""

    entrant: Entrant
    hosting: Hosting
    tables: tuple[TriedTable, ...]
    """What it is to play."""

    is_configured: bool = False
    """Whether a configuration says what it is to play: then it must play all of that."""


def find_bot(spec: str, *, isolation: Isolation | None, is_command: bool, say: Callable[[str], object]) -> Subject:
    """Returns the one bot that a spec names. Raises `BotError` when there is none, or more than one."""
    where, _, name = spec.partition("#")
    if Path(where).suffix in YAML_SUFFIXES and not is_command:
        return _named(where, name, isolation, say)
    found = entrants_from([shlex.split(spec) if is_command else spec], base=Path.cwd())
    if len(found) > 1:
        listed = ", ".join(entrant.bots[0].spec for entrant in found)
        raise BotError(f"{spec} has {len(found)} bots. Check one at a time: {listed}.")
    return Subject(
        entrant=found[0],
        hosting=Hosting(isolation=isolation or default_isolation()),
        tables=tuple(_tables_of(found[0])),
    )


def _tables_of(entrant: Entrant) -> Iterator[TriedTable]:
    """Yields every table that a bot says it plays, with the usual options."""
    for game in map(load_game, game_names()):
        if entrant.plays(game.name):
            known = entrant.bot_for(game.name).players
            for players in game.players:
                if entrant.plays(game.name, players) and (not known or players in known):
                    yield TriedTable(format_group(game.name, players), game, players, game.Options())


def _tables_in(source: ConfigurationSource, entrant: Entrant) -> Iterator[TriedTable]:
    """Yields the tables of a configuration that a bot is to play. Raises `BotError` when it does not play one."""
    seen: Counter[tuple[str, int]] = Counter()
    for game, players, options in group_games(source.file.games or DEFAULT_GAMES):
        seen[game.name, players] += 1
        if entrant.plays(game.name, players):
            entrant.check_players(game.name, players)
            yield TriedTable(format_group(game.name, players, number=seen[game.name, players]), game, players, options)


def read_checked(path: Path) -> ConfigurationSource:
    """Returns a configuration. Raises `ConfigurationError` when its fields contradict each other."""
    source = read_configuration(path)
    for clash in clashes(source.file):
        raise ConfigurationError(str(clash))
    return source


def _named(where: str, name: str, isolation: Isolation | None, say: Callable[[str], object]) -> Subject:
    """Returns a bot of a configuration, whose other bots may be missing."""
    source = read_checked(Path(where))
    if name:
        build(source, say=say, name=name)
    unread: list[BotError] = []
    subjects = subjects_in(source, isolation, unread)
    for entrant, own in subjects:
        if entrant.name == name:
            return subject_of(source, entrant, own)
    names = [entrant.name for entrant, _ in subjects]
    if not name:
        raise UsageError(f"Say which bot of {where}: {where}#{names[0]}. It has: {', '.join(names)}.")
    broken = "".join(f"\n{error}" for error in unread)
    raise BotError(f'{where} has no bot "{name}".{did_you_mean(name, names)} It has: {", ".join(names)}.{broken}')


def subject_of(source: ConfigurationSource, entrant: Entrant, hosting: Hosting) -> Subject:
    """Returns a bot of a configuration with the tables that it is to play there. Raises `BotError` without any."""
    tables = tuple(_tables_in(source, entrant))
    if not tables:
        raise BotError(
            f"{entrant.name} plays at no table of this configuration. Add a game that it plays, or a number of players."
        )
    return Subject(entrant=entrant, hosting=hosting, tables=tables, is_configured=True)


def subjects_in(
    source: ConfigurationSource, isolation: Isolation | None, unread: list[BotError]
) -> list[tuple[Entrant, Hosting]]:
    """Returns the bots of a configuration and how each is hosted; errors of others are added to `unread`."""
    entrants = find_entrants(source, unread=unread)
    hosting = hosting_of(source.file, entrants)
    if isolation is not None:
        hosting = replace(hosting, isolation=isolation)
        bots = [tuple(replace(bot, isolation=isolation) for bot in entrant.bots) for entrant in entrants]
        entrants = tuple(replace(entrant, bots=own) for entrant, own in zip(entrants, bots, strict=True))
    return [(entrant, hosting) for entrant in entrants]


def is_whole_configuration(spec: str) -> bool:
    """Returns whether a spec names a whole configuration, and not a bot of it."""
    return Path(spec).suffix in YAML_SUFFIXES


IN_OPEN: Final = 0x20
IN_ISDIR: Final = 0x40000000
MOST_FOLDERS: Final = 1_000
EVENT: Final = struct.Struct("iIII")
READ_BYTES: Final = 1 << 20


class OpenedFiles:
    """Notes which files in a folder are opened, by anybody, inside a `with` block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watched: dict[int, Path] = {}
        self._descriptor = -1
        self._seen: set[str] = set()

    def __enter__(self) -> OpenedFiles:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor >= 0:
            for folder in _folders(self._folder):
                watched = libc.inotify_add_watch(self._descriptor, os.fsencode(folder), IN_OPEN)
                if watched >= 0:
                    self._watched[watched] = folder
        return self

    def __exit__(self, *problem: object) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)

    @property
    def is_watching(self) -> bool:
        """Whether this machine tells what is opened."""
        return bool(self._watched)

    def names(self) -> set[str]:
        """Returns the names, below the folder, of the files that were opened so far."""
        while self._watched:
            try:
                data = os.read(self._descriptor, READ_BYTES)
            except BlockingIOError:
                break
            at = 0
            while at < len(data):
                watched, mask, _, length = EVENT.unpack_from(data, at)
                name = os.fsdecode(data[at + EVENT.size : at + EVENT.size + length].rstrip(b"\0"))
                at += EVENT.size + length
                if name and mask & IN_OPEN and not mask & IN_ISDIR and watched in self._watched:
                    self._seen.add((self._watched[watched] / name).relative_to(self._folder).as_posix())
        return set(self._seen)


def why_not_seen(source: BotSource, isolation: Isolation) -> str | None:
    """Returns why the files that a bot opens cannot be seen; None when they can."""
    if sys.platform != "linux":
        return "that needs Linux"
    if source.kind is BotKind.MODULE:
        return "it is an installed package"
    if isolation is Isolation.SANDBOX:
        return f"at isolation {isolation} it is given copies of its files; check it at isolation process, too"
    return None


@contextmanager
def copied_folder(source: BotSource) -> Iterator[BotSource | None]:
    """Gives a bot in a copy of its folder, which nobody else opens, until the block ends.

    Gives None when the folder has too many files to be copied.
    """
    folder, base = folder_of(source), Path(source.folder)
    if files_of(folder) is None or not folder.is_relative_to(base):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="tournament-check-", dir="/tmp" if os.geteuid() == 0 else None) as place:
        top = Path(os.path.realpath(place))
        top.chmod(0o711)
        target = top / "bot" / folder.relative_to(base)
        shutil.copytree(folder, target, ignore=_apart, ignore_dangling_symlinks=True)
        # A bot may have a user of its own, who gets copies of what is closed.
        for path in (top / "bot", *(top / "bot").rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o111 else 0o644)

        def moved(path: str) -> str:
            own = Path(path).is_relative_to(folder)
            return str(target / Path(path).relative_to(folder)) if own else path

        yield replace(source, path=moved(source.path), folder=str(top / "bot"), files=tuple(map(moved, source.files)))


def _apart(folder: str, names: list[str]) -> list[str]:
    """Returns the names in a folder that are not copied: folders that are part of no bot, and what is no file."""
    paths = [Path(folder, name) for name in names]
    return [path.name for path in paths if (path.is_dir() and is_apart(path)) or not (path.is_dir() or path.is_file())]


def folder_of(source: BotSource) -> Path:
    """Returns the folder of a bot's own files."""
    if source.kind is not BotKind.COMMAND:
        return Path(source.folder)
    named = list(files_named(source.command, Path(source.folder)).values())
    return named[0].parent if named else Path(source.folder)


def lacking(source: BotSource, opened: set[str]) -> list[str]:
    """Returns which of some files in a bot's folder its fingerprint does not cover, sorted."""
    folder = folder_of(source)
    covered = {os.path.realpath(path) for path in _parts(source, folder)}
    own = [name for name in opened if Path(name).suffix != ".pyc"]
    return sorted(name for name in own if os.path.realpath(folder / name) not in covered)


def _parts(source: BotSource, folder: Path) -> Iterator[Path]:
    for listed in map(Path, source.files):
        yield from (files_of(listed) or {}).values() if listed.is_dir() else (listed,)
    if source.owns_folder:
        yield from (files_of(folder) or {}).values()
    if source.kind is BotKind.COMMAND:
        yield from files_named(source.command, Path(source.folder)).values()
        return
    reader = Reader(folder, hides_library=source.hides_library)
    try:
        module = reader.read(Path(source.path))
    except BotError:
        return
    yield from (folder / name for name in reader.reach(module))


def _folders(folder: Path) -> list[Path]:
    """Returns a folder and the folders in it that may have parts of a bot, at most `MOST_FOLDERS`."""
    found = [folder]
    for place in found:
        try:
            inner = [path for path in sorted(place.iterdir()) if path.is_dir() and not path.is_symlink()]
        except OSError:
            continue
        found += [path for path in inner if not is_apart(path)][: MOST_FOLDERS - len(found)]
    return found
