"""Which files of its folder a bot opens while it plays, in a copy of that folder (Linux)."""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tournament.entrants.folders import files_named, files_of, is_apart
from tournament.entrants.model import BotKind, BotSource, Entrant
from tournament.entrants.reader import Reader
from tournament.errors import BotError
from tournament.lab.check.fixed_games import TriedTable, first_of_each_game, play_fixed
from tournament.lab.check.trial import opponents_at_random
from tournament.languages import kept_gettext
from tournament.players.cast import Cast
from tournament.records.settings import Hosting, Isolation

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
        return kept_gettext("that needs Linux")
    if source.kind is BotKind.MODULE:
        return kept_gettext("it is an installed package")
    if isolation is Isolation.SANDBOX:
        return kept_gettext(
            "at isolation {isolation} it is given copies of its files; check it at isolation process, too",
            isolation=isolation.value,
        )
    return None


def files_opened(
    entrant: Entrant, source: BotSource, hosting: Hosting, tables: Sequence[TriedTable]
) -> set[str] | None:
    """Returns the files that a bot opens while it plays a fixed game of each kind in a copy of its folder.

    None when it does not play there, or when this machine does not tell what is opened.
    """
    with copied_folder(source) as copy:
        return None if copy is None else _opened(replace(entrant, bots=(copy,)), hosting, tables)


def _opened(entrant: Entrant, hosting: Hosting, tables: Sequence[TriedTable]) -> set[str] | None:
    (copy,) = entrant.bots
    opponents = opponents_at_random()
    with OpenedFiles(folder_of(copy)) as opened:
        if not opened.is_watching:
            return None
        try:
            cast = Cast([entrant, *opponents], hosting)
        except BotError:
            return None
        try:
            cast.begin_block()
            order = [entrant.name, *(opponent.name for opponent in opponents)]
            with cast.output.installed():
                played = [
                    play_fixed(cast, order, table)
                    for table in first_of_each_game(tables)
                    if entrant.plays(table.game.name)
                ]
        finally:
            cast.close()
        return None if any(one.fault is not None for one in played) else opened.names()


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
