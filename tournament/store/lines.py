"""The lines of a file of records, whatever its form: lines, one object, an array, compressed, or through a pipe.

A reader passes over, and counts for its user, a byte order mark, blank lines, line ends missing between records, a torn
end, and bad lines where the user goes on without them.

An index beside the file says where each record begins, so that one is found without reading the others. An entry has
24 bytes: the first 8 of the SHA-256 of the id, the first 8 of the digest, and where the record begins (of a compressed
file: the frame it is in), big endian. The order is that of the records.
"""

from __future__ import annotations

import codecs
import json
import mmap
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import IO, Final, NamedTuple

import msgspec

from tournament.errors import RecordError, RunError
from tournament.store.compression import (
    GZIP_SUFFIX,
    CompressedBlock,
    damage,
    frames,
    is_compressed,
    next_frame,
    open_lines,
)
from tournament.store.files import MOST_FILE_BYTES, MOST_LINE_BYTES, RunLock, bounded_lines, open_regular
from tournament.store.layout import RUN_FILE, SUFFIX, index_path
from tournament.store.leftovers import place_beside

_GLUE: Final = b"}{"
_BLANK: Final = b" \t\r\n"
_SHOWN: Final = 3
"""How many bad lines are named."""


class RecordLine(NamedTuple):
    """One record as it stands in a file."""

    data: bytes
    """Without the newline."""

    path: Path
    number: int
    """The number of the line, from 1; in a file that does not hold lines, of the record."""

    torn: bool = False
    """The last line of a `.jsonl`, without a newline: what a killed writer leaves."""

    is_line: bool = True
    """False: a whole file or an item of an array, whose layout is free."""

    @property
    def where(self) -> str:
        """The file and the line, for messages."""
        if self.is_line:
            return f"{self.path}, line {self.number}"
        return str(self.path) if self.number == 1 else f"{self.path}, record {self.number}"

    @property
    def is_whole(self) -> bool:
        """Whether the record is complete: a last line without a newline is, when another program wrote it so."""
        return not self.torn or self.data.endswith(b"}")


class PassedNote(NamedTuple):
    """What was passed over in a file."""

    path: Path
    text: str
    """A sentence."""

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


class PassedOver:
    """Counts what a reader passes over."""

    def __init__(self, *, skips_bad: bool | None = None) -> None:
        """`skips_bad`: whether bad lines are left out; None where nobody can ask for that."""
        self.skips_bad = skips_bad
        self._marks: Counter[Path] = Counter()
        self._blank: Counter[Path] = Counter()
        self._glued: Counter[Path] = Counter()
        self._torn: Counter[Path] = Counter()
        self._bad: Counter[Path] = Counter()
        self._named: dict[Path, list[str]] = {}
        """The first bad lines of each file."""

    def note_bad(self, line: RecordLine) -> None:
        """Notes a line that is no record."""
        self._bad[line.path] += 1
        self._name(line.path, [f"{'line' if line.is_line else 'record'} {line.number}"])

    def _name(self, path: Path, words: Iterable[str]) -> None:
        named = self._named.setdefault(path, [])
        named.extend(islice(words, _SHOWN - len(named)))

    def add(self, later: PassedOver) -> None:
        """Counts what was passed over in lines that come later."""
        for mine, others in (
            (self._marks, later._marks),
            (self._blank, later._blank),
            (self._glued, later._glued),
            (self._torn, later._torn),
            (self._bad, later._bad),
        ):
            mine.update(others)
        for path, words in later._named.items():
            self._name(path, words)

    def note_torn(self, line: RecordLine) -> None:
        """Notes a last line without its end."""
        self._torn[line.path] += 1

    def notes(self) -> Iterator[PassedNote]:
        """Yields what was passed over, a note each."""
        for path in self._marks:
            yield PassedNote(path, "a byte order mark at its beginning was passed over.")
        for path, count in self._blank.items():
            yield PassedNote(path, f"{count} blank {'line was' if count == 1 else 'lines were'} passed over.")
        for path, count in self._glued.items():
            where = "1 line holds" if count == 1 else f"{count} lines hold"
            yield PassedNote(path, f"{where} several records, which were read one by one.")
        for path in self._torn:
            yield PassedNote(path, "its last line is torn and was passed over.")
        for path, count in self._bad.items():
            more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
            left_out = f"{count} of its records {'was' if count == 1 else 'were'} left out"
            yield PassedNote(path, f"{left_out}, because they cannot be read: {', '.join(self._named[path])}{more}.")

    def lines_of(self, file: IO[bytes], path: Path) -> Iterator[RecordLine]:
        """Yields the lines of a file that is open, from its beginning."""
        for number, line in enumerate(bounded_lines(file, path), start=1):
            data, torn = line.removesuffix(b"\n"), not line.endswith(b"\n")
            if number == 1 and data.startswith(codecs.BOM_UTF8):
                data = data.removeprefix(codecs.BOM_UTF8)
                self._marks[path] += 1
            if number == 1 and _is_whole_file(data, path, torn=torn):
                yield from self._objects_of(data + b"\n" + file.read(MOST_FILE_BYTES), path)
                return
            if not data.strip(_BLANK):
                self._blank[path] += 1
            elif _GLUE in data and len(parts := list(_parts_of(data))) > 1:
                self._glued[path] += 1
                yield from (RecordLine(part, path, number) for part in parts)
            else:
                yield RecordLine(data, path, number, torn=torn)

    def _objects_of(self, data: bytes, path: Path) -> Iterator[RecordLine]:
        """Yields the records of a file that does not hold lines: of an array, or of objects that span lines."""
        if len(data) > MOST_FILE_BYTES:
            raise RecordError(f"{path} has more than {MOST_FILE_BYTES:,} bytes in one piece. Give records as lines.")
        data = data.strip(_BLANK)
        parts = _items_of(data) if data.startswith(b"[") else _parts_of(data)
        for number, part in enumerate(parts, start=1):
            yield RecordLine(part, path, number, is_line=False)


def _is_whole_file(first: bytes, path: Path, *, torn: bool) -> bool:
    """Returns whether a file holds one value in place of lines, judging by its first line and its name."""
    names = path.suffixes
    while names and names[-1] in (SUFFIX, GZIP_SUFFIX):
        names.pop()
    if first.lstrip(_BLANK)[:1] == b"[":
        return True
    if names[-1:] == [".json"]:
        return True
    return names[-1:] != [".jsonl"] and not torn and first.strip(_BLANK) in (b"{", b"")


def _items_of(data: bytes) -> Iterator[bytes]:
    """Yields the items of a JSON array; all data at once where it is no valid one."""
    try:
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        yield data
        return
    yield from map(bytes, items)


def _parts_of(data: bytes) -> Iterator[bytes]:
    """Yields JSON objects that follow one another; all data at once where they are not valid."""
    try:
        text = data.decode()
        decoder, begin, ends = json.JSONDecoder(), 0, []
        while begin < len(text):
            _, end = decoder.raw_decode(text, begin)
            ends.append((begin, end))
            begin = end + len(text[end:]) - len(text[end:].lstrip())
    except (ValueError, RecursionError):
        yield data
        return
    for begin, end in ends:
        yield text[begin:end].encode()


def read_lines(path: Path, passed: PassedOver | None = None) -> Iterator[RecordLine]:
    """Yields the lines of a file of records, or the records of one without lines; `passed` counts what is left out.

    Raises `RecordError` when it cannot be read.
    """
    try:
        with open_lines(path) as file, damage(path):
            yield from (passed or PassedOver()).lines_of(file, path)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}. Check the path and its permissions.") from None


MOST_BYTES: Final = 1_000_000
"""Of a batch, which is sent to a worker; a longer line comes alone."""


def batches(lines: Iterable[RecordLine], *, most: int) -> Iterator[list[RecordLine]]:
    """Yields lines in lists of at most so many; those before an error are yielded before it is raised."""
    batch: list[RecordLine] = []
    size = 0
    try:
        for line in lines:
            batch.append(line)
            size += len(line.data)
            if len(batch) >= most or size >= MOST_BYTES:
                yield batch
                batch, size = [], 0
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


class PlacedLine(NamedTuple):
    """A whole line of a run's own file, and where it lies."""

    data: bytes
    begin: int
    end: int
    """Bytes of the file; of a compressed one those of its frame."""


def placed_lines(path: Path) -> Iterator[PlacedLine]:
    """Yields the whole lines of a file; a torn end is passed over."""
    if is_compressed(path):
        for frame in frames(path):
            yield from _lines_of_frame(frame)
        return
    yield from _plain_lines(path, 0)


def _lines_of_frame(frame: CompressedBlock) -> Iterator[PlacedLine]:
    for data in frame.text.splitlines():
        yield PlacedLine(data, frame.begin, frame.end)


def _plain_lines(path: Path, begin: int) -> Iterator[PlacedLine]:
    with open_regular(path) as file:
        file.seek(begin)
        end = begin
        while data := file.readline(MOST_LINE_BYTES):
            end += len(data)
            rest = data
            while not rest.endswith(b"\n"):  # longer than any line of ours: whatever it is, more may stand behind it
                rest = file.readline(MOST_LINE_BYTES)
                if not rest:
                    return  # torn; what follows, if it is being written, is the rest of this line
                end += len(rest)
            yield PlacedLine(data.removesuffix(b"\n"), begin, end)
            begin = end


def lines_behind(path: Path, begin: int) -> Iterator[PlacedLine]:
    """Yields the whole lines of a file from a byte on, those after damage, too."""
    if not is_compressed(path):
        yield from _plain_lines(path, begin)
        return
    at: int | None = begin
    while at is not None:
        try:
            for frame in frames(path, at):
                yield from _lines_of_frame(frame)
            return
        except RecordError:
            at = next_frame(path, at + 1)


def id_in(data: bytes) -> str | None:
    """Returns the id in a line without parsing it; None when there is no such field."""
    return _text_in(data, b"id")


def digest_in(data: bytes) -> str | None:
    """Returns the digest in a line without parsing it; None when there is no such field."""
    return _text_in(data, b"digest")


def _text_in(data: bytes, name: bytes) -> str | None:
    """Returns the first text of that name in a line; None when there is no such field."""
    _, found, rest = data.partition(b'"%b":"' % name)
    return rest.partition(b'"')[0].decode(errors="replace") if found else None


ENTRY_BYTES: Final = 24
KEY_BYTES: Final = 8


def format_entry(*, record_id: str, digest: str, offset: int) -> bytes:
    """Returns the entry of a record."""
    return _id_key(record_id) + bytes.fromhex(digest)[:KEY_BYTES] + offset.to_bytes(8)


def _id_key(record_id: str) -> bytes:
    return sha256(record_id.encode()).digest()[:KEY_BYTES]


def offsets_of(records: Path, wanted: str) -> Iterator[int]:
    """Yields where a record may begin, found by its id or the first 6 or more digits of its digest.

    The caller checks what is there: keys are cut. Yields nothing without an index. Cost: a search through the
    index, about a millisecond for 100,000 records.
    """
    try:
        with open_regular(index_path(records)) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield from _matches(data, _id_key(wanted), 0)
            if len(wanted) >= 6 and all(character in "0123456789abcdef" for character in wanted):
                whole = wanted[: len(wanted) // 2 * 2]
                yield from _matches(data, bytes.fromhex(whole)[:KEY_BYTES], KEY_BYTES)
    except (OSError, ValueError):
        return  # none, or an empty one: the file itself is read


def _matches(data: mmap.mmap, key: bytes, column: int) -> Iterator[int]:
    at = data.find(key)
    while at >= 0:
        if at % ENTRY_BYTES == column and at - column + ENTRY_BYTES <= len(data):
            yield int.from_bytes(data[at - column + 2 * KEY_BYTES : at - column + ENTRY_BYTES])
        at = data.find(key, at + 1)


def is_index_current(records: Path) -> bool:
    """Returns whether an index is there and was written after the records."""
    try:
        return index_path(records).stat().st_mtime_ns >= records.stat().st_mtime_ns
    except OSError:
        return False


def write_index(records: Path, entries: Iterable[bytes]) -> None:
    """Writes a whole index, or none where the folder cannot be written.

    The caller holds the lock of the run, whose runner appends to its index.
    """
    beside = place_beside(index_path(records))
    try:
        with beside.open("wb") as file:
            file.writelines(entries)
        beside.replace(index_path(records))
    except OSError:
        with suppress(OSError):  # where nothing can be written nothing can be taken away
            beside.unlink(missing_ok=True)


def mend_index(records: Path) -> bool:
    """Writes the index of a run again where it is missing or older than its records; returns whether it did."""
    if is_index_current(records) or not (records.parent / RUN_FILE).is_file():
        return False
    with suppress(RunError), RunLock(records.parent):  # whoever plays the run appends to its index
        write_index(records, entries_of(placed_lines(records)))
        return True
    return False


def entries_of(lines: Iterable[PlacedLine]) -> Iterator[bytes]:
    """Yields the entries of the records in some lines."""
    for line in lines:
        record_id, digest = id_in(line.data), digest_in(line.data)
        if record_id is not None and digest is not None:
            yield format_entry(record_id=record_id, digest=digest, offset=line.begin)
