"""Unpacks what was handed in, whoever wrote it: bounded work, and nothing but plain files and folders comes out.

Nothing is trusted: neither names nor sizes nor counts that an archive states. Files are counted while they are written,
and reading stops at the first that is too much.
"""

from __future__ import annotations

import copy
import gzip
import io
import os
import shutil
import signal
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final

from tournament.arena.checks.defects import (
    MOST_FILES,
    MOST_PATH_BYTES,
    MOST_PYTHON_BYTES,
    MOST_UNPACKED_BYTES,
    DefectKind,
    refuse,
    told_seconds,
)
from tournament.arena.files import MOST_UPLOAD_BYTES
from tournament.languages import gettext_noop
from tournament.store.layout import BOT_FILE, BOT_PYTHON_FILE

UNPACKING_SECONDS: Final = 20
"""Of the processor."""

MOST_MEMBERS: Final = 5_000
"""With those that are passed over."""

MOST_DIRECTORY_BYTES: Final = 1 << 20
"""Of the list of members that a zip has at its end."""

HEADER_BYTES: Final = 8 << 20
"""What a tar may have beside the contents of its files."""

READ_BYTES: Final = 1 << 16

PASSED_OVER: Final = frozenset(
    {"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", "__pycache__", ".git", ".hg", ".svn"}
)
"""What programs put into folders by themselves, and no bot needs."""

ARCHIVE_SUFFIXES: Final = frozenset(
    {".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".7z", ".rar", ".whl", ".egg"}
)
ARCHIVE_MARKS: Final = (b"PK\3\4", b"PK\5\6", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd", b"7z\xbc\xaf", b"Rar!")
TAR_MARK: Final = (257, b"ustar")
READ_AS_THEY_ARE: Final = frozenset({".npz", ".pt", ".jar"})
"""Data and programs that happen to be zips: whoever reads them does not unpack them."""


PROGRAM_MARKS: Final = (b"#!", b"\x7fELF")
"""How files begin that can be executed."""

HAS_NO_END: Final = gettext_noop("it has no end, as when an upload was cut off")
IS_NO_TAR: Final = gettext_noop("something in it is no tar")

_END_MARK: Final = b"PK\5\6"
_END_BYTES: Final = 22
_LONG_MARK: Final = b"PK\6\7"
_LONG_BYTES: Final = 20
_MOST_COMMENT_BYTES: Final = 65_535


class UploadForm(StrEnum):
    """What an upload is."""

    ZIP = "zip"
    TAR = "tar.gz"
    PYTHON = "Python"


def form_of(start: bytes, file_name: str) -> UploadForm:
    """Returns what an upload is, as its first bytes and its name tell. Raises `SubmissionError` where it is nothing."""
    if start[:4] in (b"PK\3\4", _END_MARK):
        return UploadForm.ZIP
    if start[:2] == b"\x1f\x8b":
        return UploadForm.TAR
    if PurePosixPath(file_name).suffix.lower() == ".py":
        return UploadForm.PYTHON
    raise refuse(DefectKind.UNKNOWN_FORM, file_name)


def unpack(upload: Path, file_name: str, target: Path) -> None:
    """Unpacks an upload into the folder `target`, which is not there yet. Raises `SubmissionError`, or `OSError`.

    `file_name` is what it was called. After an error `target` may be there, with a part of the files. Call it in the
    main thread of a process: a timer ends what takes too long.
    """
    with upload.open("rb") as file:
        data = file.read(MOST_UPLOAD_BYTES + 1)
    if not data:
        raise refuse(DefectKind.EMPTY)
    if len(data) > MOST_UPLOAD_BYTES:
        raise refuse(DefectKind.TOO_LARGE)
    target.mkdir()
    with processor_seconds(UNPACKING_SECONDS):
        match form_of(data, file_name):
            case UploadForm.ZIP:
                _unpack_zip(data, _Folder(target))
            case UploadForm.TAR:
                _unpack_tar(_inflated(data), _Folder(target))
            case UploadForm.PYTHON:
                _take_python(data, file_name, target)
    _lift(target)


def unpack_tar(data: bytes, target: Path) -> None:
    """Unpacks a tar into the folder `target`, which is not there yet, as `unpack` does."""
    target.mkdir()
    with processor_seconds(UNPACKING_SECONDS):
        _unpack_tar(data, _Folder(target))


@contextmanager
def processor_seconds(seconds: int, kind: DefectKind = DefectKind.UNPACKING_TOO_LONG) -> Iterator[None]:
    """Ends a block with a refusal once it has used so much of the processor; a busy machine changes nothing.

    It works in the main thread of a process. A single call into a library is not interrupted.
    """

    def end(number: int, frame: object) -> None:
        raise refuse(kind, found=told_seconds(seconds))

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _Folder:
    """A folder that is filled, with all its limits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, str] = {}
        """By the form in which names alike are equal: each name so far, that of folders too."""

        self._files: set[str] = set()
        self._folders: set[str] = set()
        self._members = 0
        self._bytes = 0
        self._python_bytes = 0

    def name(self, written: str) -> str | None:
        """Returns the name of a member below the folder; None where it is passed over. Raises `SubmissionError`."""
        self._members += 1
        if self._members > MOST_MEMBERS:
            raise refuse(DefectKind.TOO_MANY_FILES)
        if not written.isprintable():
            raise refuse(DefectKind.UNPRINTABLE_NAME, written)
        if "\\" in written:
            raise refuse(DefectKind.BACKSLASH, written)
        if PurePosixPath(written).is_absolute() or PureWindowsPath(written).drive:
            raise refuse(DefectKind.ABSOLUTE_NAME, written)
        path = PurePosixPath(written)  # without "." and doubled slashes
        if ".." in path.parts:
            raise refuse(DefectKind.CLIMBING_NAME, written)
        if len(str(path).encode()) > MOST_PATH_BYTES:
            raise refuse(DefectKind.LONG_NAME, written)
        return None if not path.parts or PASSED_OVER.intersection(path.parts) else str(path)

    def add_folder(self, name: str) -> None:
        """Makes a folder, and those above it. Raises `SubmissionError`."""
        for part in (*reversed(PurePosixPath(name).parents), PurePosixPath(name)):
            if str(part) == "." or str(part) in self._folders:
                continue
            self._note(str(part))
            self._folders.add(str(part))
            if len(self._folders) > MOST_FILES:
                raise refuse(DefectKind.TOO_MANY_FILES)
            (self._path / part).mkdir()

    def add_file(self, name: str, stream: IO[bytes], *, size: int, is_program: bool) -> None:
        """Writes a file of the stated size. Raises `SubmissionError`."""
        self.add_folder(str(PurePosixPath(name).parent))
        self._note(name)
        self._files.add(name)
        if len(self._files) > MOST_FILES:
            raise refuse(DefectKind.TOO_MANY_FILES)
        written = 0
        is_python = PurePosixPath(name).suffix == ".py"
        with (self._path / name).open("xb") as file:
            while data := stream.read(READ_BYTES):
                if not written:
                    _check_no_archive(name, data)
                    # Where it was packed files may have no modes, or somebody forgot them.
                    is_program = is_program or any(data[: len(mark)] == mark for mark in PROGRAM_MARKS)
                written += len(data)
                self._bytes += len(data)
                if self._bytes > MOST_UNPACKED_BYTES:
                    raise refuse(DefectKind.TOO_LARGE_UNPACKED)
                self._python_bytes += len(data) if is_python else 0
                if self._python_bytes > MOST_PYTHON_BYTES:
                    raise refuse(DefectKind.LONG_PYTHON)
                if written > size:
                    raise refuse(DefectKind.LYING_SIZE, name)
                file.write(data)
            os.fchmod(file.fileno(), 0o755 if is_program else 0o644)
        if written != size:
            raise refuse(DefectKind.LYING_SIZE, name)

    def left_bytes(self) -> int:
        """Returns how much may still be written."""
        return MOST_UNPACKED_BYTES - self._bytes

    def _note(self, name: str) -> None:
        known = self._known.setdefault(unicodedata.normalize("NFKC", name.casefold()), name)
        if known != name:
            raise refuse(DefectKind.ALIKE_NAMES, name, found=known)
        if name in self._files or name in self._folders:
            raise refuse(DefectKind.NAME_TWICE, name)


def _check_no_archive(name: str, start: bytes) -> None:
    suffix = PurePosixPath(name).suffix.lower()
    at, mark = TAR_MARK
    is_marked = any(start[: len(one)] == one for one in ARCHIVE_MARKS) or start[at : at + len(mark)] == mark
    if suffix in ARCHIVE_SUFFIXES or (is_marked and suffix not in READ_AS_THEY_ARE):
        raise refuse(DefectKind.ARCHIVE_INSIDE, name)


def _take_python(data: bytes, file_name: str, target: Path) -> None:
    if len(data) > MOST_PYTHON_BYTES:
        raise refuse(DefectKind.LONG_PYTHON)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise refuse(DefectKind.NOT_TEXT, file_name) from None
    if "\0" in text:
        raise refuse(DefectKind.NOT_TEXT, file_name)
    (target / BOT_PYTHON_FILE).write_bytes(data)
    (target / BOT_PYTHON_FILE).chmod(0o644)


def _unpack_zip(data: bytes, folder: _Folder) -> None:
    _check_directory(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                _add_zipped(archive, info, folder)
    except _UNREADABLE as error:
        raise refuse(DefectKind.BROKEN, found=str(error) or type(error).__name__) from None


def _add_zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, folder: _Folder) -> None:
    name = folder.name(info.orig_filename)  # the other one ends at a zero byte
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        raise refuse(DefectKind.LINK, info.orig_filename)
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise refuse(DefectKind.DEVICE, info.orig_filename)
    if name is None:
        return
    if info.is_dir():
        folder.add_folder(name)
        return
    if info.flag_bits & 0x41:
        raise refuse(DefectKind.ENCRYPTED, name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refuse(DefectKind.UNKNOWN_METHOD, name)
    if info.file_size > folder.left_bytes():
        raise refuse(DefectKind.TOO_LARGE_UNPACKED)
    # Opened with a larger size than stated, it is read to its real end; else it would be cut where the archive says.
    real = copy.copy(info)
    real.file_size = folder.left_bytes() + 1
    with archive.open(real) as stream:
        folder.add_file(name, stream, size=info.file_size, is_program=bool(mode & 0o111))


def _check_directory(data: bytes) -> None:
    """Refuses a zip whose list of members is too long to be read as a whole, as `zipfile` does."""
    tail = data[-_END_BYTES - _MOST_COMMENT_BYTES :]
    at = tail.rfind(_END_MARK)
    if at < 0 or len(tail) - at < _END_BYTES:
        raise refuse(DefectKind.BROKEN, found=HAS_NO_END)
    if tail[max(0, at - _LONG_BYTES) :][: len(_LONG_MARK)] == _LONG_MARK:
        raise refuse(DefectKind.TOO_MANY_FILES)  # a small one never needs the form for huge ones
    members = int.from_bytes(tail[at + 10 : at + 12], "little")
    if members > MOST_MEMBERS or int.from_bytes(tail[at + 12 : at + 16], "little") > MOST_DIRECTORY_BYTES:
        raise refuse(DefectKind.TOO_MANY_FILES)


def _inflated(packed: bytes) -> bytes:
    """Returns the tar in a gzip, which is never longer than what it may hold."""
    most = MOST_UNPACKED_BYTES + HEADER_BYTES
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
            data = stream.read(most + 1)
    except _UNREADABLE as error:
        raise refuse(DefectKind.BROKEN, found=str(error) or type(error).__name__) from None
    if len(data) > most:
        raise refuse(DefectKind.TOO_LARGE_UNPACKED)
    return data


def _unpack_tar(data: bytes, folder: _Folder) -> None:
    try:
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
            for info in archive:
                _add_tarred(archive, info, folder)
            if data[archive.offset :].strip(b"\0"):
                raise refuse(DefectKind.BROKEN, found=IS_NO_TAR)
    except _UNREADABLE as error:
        raise refuse(DefectKind.BROKEN, found=str(error) or type(error).__name__) from None


def _add_tarred(archive: tarfile.TarFile, info: tarfile.TarInfo, folder: _Folder) -> None:
    name = folder.name(info.name)
    if info.issym() or info.islnk():
        raise refuse(DefectKind.LINK, info.name)
    if not info.isreg() and not info.isdir():
        raise refuse(DefectKind.DEVICE, info.name)
    if info.size < 0:
        raise refuse(DefectKind.LYING_SIZE, info.name)
    if name is None:
        return
    if info.isdir():
        folder.add_folder(name)
        return
    if info.issparse():
        raise refuse(DefectKind.UNKNOWN_METHOD, name)
    if info.size > folder.left_bytes():
        raise refuse(DefectKind.TOO_LARGE_UNPACKED)
    stream = archive.extractfile(info)
    assert stream is not None, "it is a file"
    try:
        folder.add_file(name, stream, size=info.size, is_program=bool(info.mode & 0o111))
    except tarfile.ReadError:  # it ends before its size
        raise refuse(DefectKind.LYING_SIZE, name) from None


_UNREADABLE: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    ArithmeticError,
    LookupError,
    MemoryError,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
"""What the readers of archives raise on what is none; other errors, such as of a full disk, are the machine's."""


def _lift(target: Path) -> None:
    """Makes a folder that is all there is, and has the bot, the top: many programs pack the folder itself."""
    entries = list(target.iterdir())
    if len(entries) != 1 or not entries[0].is_dir():
        return
    (inner,) = entries
    if (inner / BOT_FILE).is_file() or (inner / BOT_PYTHON_FILE).is_file():
        aside = target.with_name(f"{target.name}.top")
        shutil.rmtree(aside, ignore_errors=True)
        inner.rename(aside)
        target.rmdir()
        aside.rename(target)
