"""Compressed files of records: Zstandard, one frame a block, so that a block is read without those before it."""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from tournament.errors import RecordError

if TYPE_CHECKING:
    import zstandard

SUFFIX: Final = ".zst"
CHUNK_BYTES: Final = 1 << 16
FRAME_MAGIC: Final = b"\x28\xb5\x2f\xfd"
"""How every frame begins."""


class Frame(NamedTuple):
    """A compressed block."""

    begin: int
    end: int
    """Where it lies in the file."""

    text: bytes


def is_compressed(path: Path) -> bool:
    """Returns whether a file is compressed, by its name."""
    return path.suffix == SUFFIX


@cache
def _compressor() -> zstandard.ZstdCompressor:
    import zstandard  # lazy: most runs are not compressed

    return zstandard.ZstdCompressor(level=6, write_checksum=True)


def compress(data: bytes) -> bytes:
    """Returns a frame."""
    return _compressor().compress(data)


def open_lines(path: Path, offset: int = 0) -> IO[bytes]:
    """Returns a file open for reading lines, from the byte `offset` on, where a record or its frame begins.

    Raises `OSError`; reading a damaged compressed file raises what `damage` turns into a `RecordError`.
    """
    file = path.open("rb")
    file.seek(offset)
    if not is_compressed(path):
        return file
    import zstandard

    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True)
    return cast("IO[bytes]", io.BufferedReader(cast("io.RawIOBase", reader)))


@contextmanager
def damage(path: Path) -> Iterator[None]:
    """Turns what reading a damaged compressed file raises into a `RecordError`."""
    if not is_compressed(path):
        yield
        return
    import zstandard

    try:
        yield
    except zstandard.ZstdError as error:
        raise RecordError(f"{path} is damaged: {error}. Take the file from a copy.") from None


def frames(path: Path, begin: int = 0) -> Iterator[Frame]:
    """Yields the whole frames of a compressed file from a byte on; a torn one at the end is passed over.

    Raises `RecordError` for a damaged one. Memory: one frame.
    """
    import zstandard

    end = begin
    parts: list[bytes] = []
    with path.open("rb") as file:
        file.seek(begin)
        waiting = file.read(CHUNK_BYTES)
        decoder = zstandard.ZstdDecompressor().decompressobj()
        while waiting:
            try:
                parts.append(decoder.decompress(waiting))
            except zstandard.ZstdError as error:
                raise RecordError(f"{path}, byte {begin}: {error}. Take the file from a copy.") from None
            end += len(waiting) - len(decoder.unused_data)
            waiting = decoder.unused_data
            if decoder.eof:
                yield Frame(begin, end, b"".join(parts))
                begin, parts = end, []
                decoder = zstandard.ZstdDecompressor().decompressobj()
            waiting = waiting or file.read(CHUNK_BYTES)


def next_frame(path: Path, begin: int) -> int | None:
    """Returns where a frame may begin, from a byte on; None when there is none any more."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size <= begin:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            found = data.find(FRAME_MAGIC, begin)
    return found if found >= 0 else None
