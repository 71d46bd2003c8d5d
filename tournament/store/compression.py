"""Compressed files of records: Zstandard, one frame a block, so that a block is read without those before it."""

from __future__ import annotations

import gzip
import io
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

from tournament.errors import RecordError, UsageError, install_advice
from tournament.store.files import open_regular
from tournament.store.layout import SUFFIX

if TYPE_CHECKING:
    from types import ModuleType

CHUNK_BYTES: Final = 1 << 11
"""How much compressed data is read at once: 2 kB become at most some 100 MB."""

MOST_FRAME_BYTES: Final = 1 << 28
"""The longest block that is read; a run's own blocks are shorter."""

COMPRESSION: Final = 7
"""About how many bytes of records are in one compressed byte."""

GZIP_SUFFIX: Final = ".gz"
GZIP_MAGIC: Final = b"\x1f\x8b"
FRAME_MAGIC: Final = b"\x28\xb5\x2f\xfd"
"""How every frame begins."""


class CompressedBlock(NamedTuple):
    """A compressed block."""

    begin: int
    end: int
    """Its first byte in the file, and the first one after it."""

    text: bytes


def is_compressed(path: Path) -> bool:
    """Returns whether a file is compressed, judging by its name."""
    return path.suffix == SUFFIX


LEVEL: Final = 6


@cache
def _zstandard() -> ModuleType:
    """Returns the library `zstandard`, or `compression.zstd` of Python 3.14 where it is not installed.

    Raises `UsageError` where there is neither. Most runs are not compressed: it is imported for those that are.
    """
    for name in ("zstandard", "compression.zstd"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise UsageError(f"Compressed records need a library that is not installed. {install_advice('compress')}")


def check_compression() -> None:
    """Raises `UsageError` where compressed records can be neither read nor written."""
    _zstandard()


def _is_own(library: ModuleType) -> bool:
    """Returns whether the library is the one of Python 3.14, which names its parts as `bz2` does."""
    return hasattr(library, "ZstdFile")


def compress(data: bytes) -> bytes:
    """Returns data as one frame."""
    library = _zstandard()
    if _is_own(library):
        parameter = library.CompressionParameter
        options = {parameter.compression_level: LEVEL, parameter.checksum_flag: 1}
        return cast("bytes", library.compress(data, options=options))
    return cast("bytes", library.ZstdCompressor(level=LEVEL, write_checksum=True).compress(data))


def _decoder(library: ModuleType) -> Any:
    """Returns what decompresses one frame: it has `decompress`, `eof` and `unused_data` in both libraries."""
    return library.ZstdDecompressor() if _is_own(library) else library.ZstdDecompressor().decompressobj()


def open_lines(path: Path, offset: int = 0) -> IO[bytes]:
    """Returns a file open for reading lines, from the byte `offset` on, where a record or its frame begins.

    Zstandard and gzip are known by a file's first bytes or its name; a pipe is read, too. Raises `OSError`;
    reading a damaged compressed file raises what `damage` turns into a `RecordError`.
    """
    file = path.open("rb")
    if offset:
        file.seek(offset)
    begin = file.peek(len(FRAME_MAGIC))[: len(FRAME_MAGIC)]
    if begin.startswith(GZIP_MAGIC) or path.suffix == GZIP_SUFFIX:
        unzipped: Any = gzip.GzipFile(fileobj=file)
        unzipped.myfileobj = file  # it is closed with it
        return cast("IO[bytes]", unzipped)
    if begin != FRAME_MAGIC and not is_compressed(path):
        return file
    library = _zstandard()
    if _is_own(library):
        opened = library.ZstdFile(file)
        opened._close_fp = True  # it is closed with it
        return cast("IO[bytes]", opened)
    reader = library.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return cast("IO[bytes]", io.BufferedReader(cast("io.RawIOBase", reader)))


@contextmanager
def damage(path: Path) -> Iterator[None]:
    """Turns what reading a damaged compressed file raises into a `RecordError`."""
    try:
        yield
    except Exception as error:
        is_zstd = type(error).__name__ == "ZstdError"  # its module is loaded where it is needed
        if not is_zstd and not isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
            raise
        raise RecordError(f"{path} is damaged: {error}. Take the file from a copy.") from None


def frames(path: Path, begin: int = 0) -> Iterator[CompressedBlock]:
    """Yields the whole frames of a compressed file from a byte on; a torn one at the end is passed over.

    Raises `RecordError` for a damaged one. Memory: one frame.
    """
    library = _zstandard()
    end = begin
    parts: list[bytes] = []
    size = 0
    with open_regular(path) as file:
        file.seek(begin)
        waiting = file.read(CHUNK_BYTES)
        decoder = _decoder(library)
        while waiting:
            try:
                parts.append(decoder.decompress(waiting))
                size += len(parts[-1])
            except library.ZstdError as error:
                raise RecordError(f"{path}, byte {begin}: {error}. Take the file from a copy.") from None
            if size > MOST_FRAME_BYTES:
                raise RecordError(
                    f"{path}, byte {begin}: expected at most {MOST_FRAME_BYTES:,} bytes a block, found more. This is "
                    "no file of records."
                )
            end += len(waiting) - len(decoder.unused_data)
            waiting = decoder.unused_data
            if decoder.eof:
                yield CompressedBlock(begin, end, b"".join(parts))
                begin, parts, size = end, [], 0
                decoder = _decoder(library)
            waiting = waiting or file.read(CHUNK_BYTES)


def next_frame(path: Path, begin: int) -> int | None:
    """Returns where the next frame may begin, from a byte on; None when no other follows."""
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size <= begin:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = data.find(FRAME_MAGIC, begin)
    return found if found >= 0 else None
