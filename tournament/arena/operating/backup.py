"""Backups of an arena, taken while it runs, and the arena that is made of one.

The database is copied first, the folders after it. A folder is on the disk before its row changes, so that folders of a
later moment hold all that the rows speak of; what they have beyond them gets its rows when the referee starts. Within a
round files are copied against the order in which they are written: what one of them speaks of is in the others.
"""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from tournament.arena.files import ACTS_FILE, ROUND_FILE, VERSION_FILE, Moment, format_moment
from tournament.arena.folder import ArenaFolder, CompetitionFolder
from tournament.arena.operating.databases import DatabaseKind, copy_database, database_kind, load_database
from tournament.arena.operating.founding import UnreachableError, check_unused, format_arena
from tournament.arena.operating.settings_file import read_arena
from tournament.arena.settings import set_up
from tournament.errors import RunError, UsageError, writing_advice
from tournament.paths import real_path
from tournament.records.results import RESULTS_FILE
from tournament.store.files import check_free, sync_folder
from tournament.store.layout import COMPRESSED_FILE, RECORDS_FILE, RUN_FILE, SYNCED_FILE
from tournament.store.leftovers import place_beside, remove_leftovers_of_dead
from tournament.text import option
from tournament.version import __version__

MANIFEST: Final = "backup.json"
DATABASE: Final = "database"
FOLDER: Final = "arena"
"""In a backup: the folder of the arena."""

END: Final = "end"
"""The last member: where it is missing, so is something before it."""

COMPRESSED: Final = (".gz", ".tgz")
ONLY_MINE: Final = 0o600
UNFINISHED: Final = "unfinished-backup"
"""How all is called that is written beside a backup, whatever that will be called: whoever finds it after a process was
killed knows what it is, and the next backup or arena that is restored in that folder removes it."""

AT_ONCE_BYTES: Final = 16_000_000
"""Files up to this size are read at once, so that one that is cut meanwhile is copied as it was or as it is."""

FIRST: Final = (ROUND_FILE, VERSION_FILE, SYNCED_FILE, RUN_FILE, RESULTS_FILE)
"""What is copied before the other files of its folder: what it speaks of was written before it."""

RECORDS: Final = (RECORDS_FILE, COMPRESSED_FILE)


class BackupManifest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a backup begins with."""

    format: Literal["tournament-backup"] = "tournament-backup"
    version: Literal[1] = 1
    tournament: str = __version__
    taken: Moment
    database: DatabaseKind


class BackedUp(NamedTuple):
    """What is in a backup."""

    versions: int
    rounds: int
    size_bytes: int


def back_up(folder: ArenaFolder, out: Path, *, force: bool = False) -> BackedUp:
    """Writes a backup of an arena, which may go on meanwhile; Django is set up.

    The file is readable for its owner only: accounts and the secret are in it. Raises `UsageError` for a file that is
    there, and `RunError` where something cannot be read or written.
    """
    check_free(out, force=force)
    _remove_unfinished(out.parent)
    beside = place_beside(out.with_name(UNFINISHED))
    manifest = BackupManifest(taken=format_moment(datetime.now(UTC)), database=database_kind())
    try:
        with _folder_beside(out) as name:
            database = Path(name) / DATABASE
            copy_database(folder, database)
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_MINE)
            with os.fdopen(descriptor, "wb") as file:
                with tarfile.open(fileobj=file, mode="w:gz" if out.suffix in COMPRESSED else "w") as archive:
                    _add_data(archive, MANIFEST, msgspec.json.encode(manifest))
                    archive.add(database, DATABASE)
                    counts = _add_folders(archive, folder)
                    _add_data(archive, END, b"")
                file.flush()
                os.fsync(file.fileno())
        beside.replace(out)
        sync_folder(out.parent)
    except OSError as error:
        raise RunError(
            f"{error.filename or out} cannot be copied: {error.strerror}. {writing_advice(error)}."
        ) from None
    finally:
        with suppress(OSError):  # where nothing can be written nothing can be taken away
            beside.unlink(missing_ok=True)
    return BackedUp(*counts, out.stat().st_size)


def _remove_unfinished(folder: Path) -> None:
    """Removes what killed processes were writing in a folder: accounts and the secret are in it."""
    remove_leftovers_of_dead(folder, f"{UNFINISHED}.")


def _folder_beside(place: Path) -> tempfile.TemporaryDirectory[str]:
    """Returns a folder for the block, which only its owner may look into."""
    return tempfile.TemporaryDirectory(dir=place.parent, prefix=f"{UNFINISHED}.", suffix=f".{os.getpid()}.new")


def _add_data(archive: tarfile.TarFile, name: str, data: bytes, mode: int = ONLY_MINE) -> None:
    told = tarfile.TarInfo(name)
    told.size, told.mode = len(data), mode
    archive.addfile(told, io.BytesIO(data))


def _add_folders(archive: tarfile.TarFile, folder: ArenaFolder) -> tuple[int, int]:
    """Adds what is in the folder but what is made anew; returns how many versions and rounds there are."""
    versions = rounds = 0
    for path in (folder.settings, folder.secret):
        _add_files(archive, folder, [path])
    _add_tree(archive, folder, folder.languages)
    _add_folder(archive, folder, folder.competitions)
    for place in _folders_in(folder.competitions):
        competition = CompetitionFolder(place)
        _add_folder(archive, folder, place)
        # Who plays in a round was handed in before it, and acts come before what they change.
        _add_tree(archive, folder, competition.rounds)
        _add_tree(archive, folder, competition.bots)
        rounds += sum(1 for _ in competition.rounds.glob("[0-9]*"))
        versions += sum(1 for _ in competition.bots.glob("*/[0-9]*"))
        files = [path for path in _files_in(place) if path.name != ACTS_FILE]
        _add_files(archive, folder, [*files, place / ACTS_FILE])
    return versions, rounds


def _folders_in(path: Path) -> list[Path]:
    return sorted(child for child in path.iterdir() if child.is_dir() and not child.is_symlink())


def _files_in(path: Path) -> list[Path]:
    return sorted(child for child in path.iterdir() if not child.is_dir() or child.is_symlink())


def _add_tree(archive: tarfile.TarFile, folder: ArenaFolder, path: Path) -> None:
    """Adds a folder with all that is in it; what vanishes meanwhile is left out."""
    try:
        _add_folder(archive, folder, path)
        files, folders = _files_in(path), _folders_in(path)
    except FileNotFoundError:
        return
    _add_files(archive, folder, sorted(files, key=_turn))
    for child in folders:
        _add_tree(archive, folder, child)


def _turn(path: Path) -> int:
    """Returns when a file is copied among those of its folder: records after all that speaks of them."""
    if path.name in FIRST:
        return FIRST.index(path.name)
    return len(FIRST) + (path.name in RECORDS)


def _add_folder(archive: tarfile.TarFile, folder: ArenaFolder, path: Path) -> None:
    told = tarfile.TarInfo(_name_of(folder, path))
    told.type, told.mode = tarfile.DIRTYPE, stat.S_IMODE(path.stat().st_mode)
    archive.addfile(told)


def _name_of(folder: ArenaFolder, path: Path) -> str:
    return str(PurePosixPath(FOLDER) / path.relative_to(folder.path))


def _add_files(archive: tarfile.TarFile, folder: ArenaFolder, paths: Sequence[Path]) -> None:
    """Adds files, each up to where it ended when all were opened, in their order."""
    with ExitStack() as stack:
        opened = []
        for path in paths:
            if path.is_symlink():
                told = tarfile.TarInfo(_name_of(folder, path))
                told.type, told.linkname = tarfile.SYMTYPE, os.readlink(path)
                archive.addfile(told)
                continue
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            except FileNotFoundError:
                continue
            file = stack.enter_context(os.fdopen(descriptor, "rb"))
            known = os.fstat(descriptor)
            if stat.S_ISREG(known.st_mode):
                opened.append((path, file, known))
        for path, file, known in opened:
            name, mode = _name_of(folder, path), stat.S_IMODE(known.st_mode)
            if known.st_size <= AT_ONCE_BYTES:
                _add_data(archive, name, file.read(known.st_size), mode)
                continue
            told = tarfile.TarInfo(name)
            told.size, told.mode = known.st_size, mode
            archive.addfile(told, file)


def restore(source: Path, path: Path, *, database: str | None = None) -> BackupManifest:
    """Makes an arena of a backup in a new or empty folder, and returns what the backup begins with.

    `database` is the URL of the empty database of PostgreSQL that it gets; left out, that of the settings in the
    backup. It is made beside its place, and stands there once it is whole: nothing is left of it where it fails, and of
    a process that is killed only what the next one removes. Raises `UsageError` for a file that is no backup, or a
    database that does not go with it, `RunError` where the folder or the database is in use.
    """
    target = real_path(path)
    is_mounted = target.is_mount()  # nothing can be moved to the place of a disk, only onto it
    near = target if is_mounted else target.parent
    _remove_unfinished(near)
    check_unused(path)
    try:
        near.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path} cannot be made: {error.strerror}. Name another folder.") from None
    with _folder_beside(near / target.name) as name, _opened(source) as archive:
        folder = ArenaFolder(Path(name, FOLDER))
        folder.path.mkdir(mode=0o700)
        manifest = _read_manifest(source, archive)
        if database is not None and manifest.database is DatabaseKind.SQLITE:
            raise UsageError(
                f"The database in {source} is one of SQLite, and stays one. Leave {option('--database')} out."
            )
        kept = Path(name) / DATABASE
        _extract_all(archive, folder, kept, source=source)
        folder.incoming.mkdir(exist_ok=True)
        if database is not None:
            arena = msgspec.structs.replace(read_arena(folder), database=database)
            folder.settings.write_text(format_arena(arena), encoding="utf-8")
        set_up(folder.path)
        try:
            load_database(folder, kept)
        except UnreachableError as error:
            raise RunError(
                f"The database of the backup cannot be reached: {error.reason}. See whether its server runs, "
                f"or name an empty database with {option('--database')}."
            ) from None
        os.sync()
        _move_arena(folder, target, is_mounted=is_mounted)
    return manifest


def _move_arena(folder: ArenaFolder, target: Path, *, is_mounted: bool) -> None:
    """Moves a whole arena to its place, which is free or an empty folder."""
    try:
        if is_mounted:
            target.chmod(0o700)
            # By its settings a folder is known as an arena: they come last.
            for child in sorted(folder.path.iterdir(), key=lambda child: child == folder.settings):
                child.replace(target / child.name)
        else:
            folder.path.replace(target)
    except OSError as error:
        raise RunError(f"{target} cannot be made: {error.strerror}. {writing_advice(error)}.") from None
    sync_folder(target)
    sync_folder(target.parent)


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source) as archive:
            yield archive
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise UsageError(_no_backup(source, getattr(error, "strerror", None) or str(error))) from None


def _no_backup(source: Path, reason: str) -> str:
    return f"{source} is no whole backup: {reason}. Give a file that `tournament arena backup` wrote."


def _read_manifest(source: Path, archive: tarfile.TarFile) -> BackupManifest:
    first = archive.next()
    file = None if first is None or first.name != MANIFEST else archive.extractfile(first)
    if file is None:
        raise UsageError(_no_backup(source, f"it does not begin with {MANIFEST}"))
    try:
        return msgspec.json.decode(file.read(), type=BackupManifest)
    except msgspec.DecodeError as error:
        raise UsageError(_no_backup(source, str(error))) from None


def _place(folder: ArenaFolder, name: str) -> Path | None:
    """Returns where a member of a backup goes; None for the manifest and for names that lead elsewhere."""
    parts = PurePosixPath(name).parts
    if len(parts) < 2 or parts[0] != FOLDER or ".." in parts:
        return None
    place = folder.path.joinpath(*parts[1:])
    return place if real_path(place.parent).is_relative_to(folder.path) else None


def _extract_all(archive: tarfile.TarFile, folder: ArenaFolder, database: Path, *, source: Path) -> None:
    last = ""
    for member in archive:
        last = member.name
        place = database if last == DATABASE else _place(folder, last)
        try:
            if place is not None:
                _extract(archive, member, place)
        except gzip.BadGzipFile:
            raise
        except OSError as error:
            raise RunError(f"{place} cannot be written: {error.strerror}. {writing_advice(error)}.") from None
    if last != END:
        raise UsageError(_no_backup(source, "its end is missing"))
    while archive.fileobj is not None and archive.fileobj.read(1 << 20):
        pass  # gzip checks its sum behind the last byte, which nobody has read yet


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> None:
    if member.isdir():
        place.mkdir(exist_ok=True)
        place.chmod(member.mode & 0o777)
    elif member.issym():
        place.symlink_to(member.linkname)
    elif member.isreg():
        file = archive.extractfile(member)
        assert file is not None, "of a regular file"
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, member.mode & 0o777)
        with os.fdopen(descriptor, "wb") as out:
            shutil.copyfileobj(file, out)
        place.chmod(member.mode & 0o777)
