"""The bytes of a line read as a typed record, and everything that is wrong with them."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from tournament.auditing.findings import FindingCode, Findings, first_byte_difference, shown_bytes
from tournament.errors import RecordError
from tournament.games import game_names
from tournament.records.codec import AnyRecord, Codec, Sealed, codec_for, codec_named_in, seal
from tournament.records.misfits import first_misfit
from tournament.records.record import FORMAT, VERSION
from tournament.records.schema import record_schema_name, sealed_validator_for
from tournament.store.lines import RecordLine
from tournament.text import shortened


def loads(data: bytes) -> tuple[Any, str | None]:
    """Returns the value of a JSON text, and the first name that an object of it has twice."""
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.append(next(name for name in names if names.count(name) > 1))
        return values

    value = json.loads(data, object_pairs_hook=collect)
    return value, repeated[0] if repeated else None


def repeated_name(data: bytes) -> str | None:
    """Returns the first name that an object of a JSON text has twice; None when there is none, or this is no JSON."""
    try:
        return loads(data)[1]
    except (ValueError, RecursionError):
        return None


_DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, RecursionError)


class LineReader:
    """Reads lines as records. It remembers the game of the last one: the next line is mostly of the same game."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._codec: Codec | None = None

    def read(self, line: RecordLine) -> AnyRecord | None:
        """Returns the record in a line and notes what is wrong; None when it is no record, or its game is unknown."""
        sealed = None if line.torn else self._unsealed(line.data)
        if sealed is not None and _fits(sealed):
            self._findings.record = sealed.record.id
            return sealed.record
        return self._read_whole(line)

    def _unsealed(self, data: bytes) -> Sealed | None:
        """Returns the record in a line of which nothing is wrong; None for any other line, or an unknown game."""
        sealed = None if self._codec is None else self._codec.unseal(data)
        if sealed is None and (codec := codec_named_in(data)) is not self._codec and codec is not None:
            sealed = codec.unseal(data)
            if sealed is not None:
                self._codec = codec
        return sealed

    def _read_whole(self, line: RecordLine) -> AnyRecord | None:
        """Reads a line of which something is wrong."""
        record = self._decoded(line.data)
        if record is None:
            record = self._explained(line)
            if record is None:
                return None
        findings = self._findings
        findings.record = record.id
        if line.torn:
            self._note_torn()
        sealed = seal(record)
        canonical, digest = sealed.line, sealed.record.digest
        if canonical != line.data:
            if record.digest != digest:
                message = "The digest is not that of the record."
                findings.add(FindingCode.DIGEST, message, digest, record.digest or "none")
                canonical = _with_digest(canonical, str(digest), record.digest)
            self._check_canonical(line, canonical)
        if not _fits(sealed):
            self._note_schema(record_schema_name(record.game.name), msgspec.json.decode(sealed.line))
            return None
        assert self._codec is not None
        return record if self._codec.game is not None else None

    def _decoded(self, data: bytes) -> AnyRecord | None:
        """Returns a record of the same game as the last one; None for anything else, whatever the reason."""
        if self._codec is None or self._codec.game is None:
            return None
        try:
            record = self._codec.decode(data)
        except _DECODE_ERRORS:
            return None
        return record if record.game.name == self._codec.game.name and record.digest is not None else None

    def _explained(self, line: RecordLine) -> AnyRecord | None:
        """Returns the record in a line, or notes why there is none."""
        findings = self._findings
        try:
            value = msgspec.json.decode(line.data)
        except _DECODE_ERRORS as error:
            if line.torn:
                self._note_torn()
            else:
                found = f"{shown_bytes(line.data)} ({error})" if line.data else "nothing"
                findings.add(FindingCode.BROKEN_JSON, "This is no JSON.", "a record as one JSON object", found)
            return None
        head = _Head(value)
        findings.record = head.id
        if head.format == FORMAT and type(head.version) is int and head.version > VERSION:
            advice = "Install a newer tournament to audit this record."
            known = f"version {VERSION} of the record format"
            findings.add(FindingCode.NEWER_VERSION, advice, known, f"version {head.version}")
            return None
        codec = codec_for(head.game if isinstance(head.game, str) else "")
        if codec.game is None and isinstance(head.game, str):
            message = "The rules of this game are not installed, so it cannot be replayed."
            findings.add(FindingCode.UNKNOWN_GAME, message, f"one of {', '.join(game_names())}", head.game)
        try:
            record = codec.decode(line.data)
        except _DECODE_ERRORS as error:
            self._note_schema(record_schema_name(str(head.game)), value, str(error))
            return None
        if record.digest is None:
            self._note_schema(record_schema_name(str(head.game)), value, "the digest is missing")
            return None
        self._codec = codec
        return record

    def _note_torn(self) -> None:
        message = "The last line is torn: what a killed writer leaves."
        self._findings.add(FindingCode.TORN_LINE, message, "a newline at the end", "the end of the file")

    def _note_schema(self, name: str, value: Any, error: str = "it does not fit") -> None:
        try:
            misfit = first_misfit(name, value)
        except (RecursionError, RecordError, ValueError):  # nested so deep that even the explanation gives up
            misfit = None
        if misfit is None:
            expected, found = f"what {name} describes", error
        else:
            expected, found = f"{misfit.json_path}: {misfit.expected}", misfit.found
        self._findings.add(FindingCode.SCHEMA, f"This does not fit the schema {name}.", expected, found)

    def _check_canonical(self, line: RecordLine, canonical: bytes) -> None:
        """Notes where a line differs from the canonical form; a `.json` may have any layout."""
        found = line.data
        if not line.is_line:
            value, repeated = loads(line.data)
            if repeated is not None:
                self._findings.add(FindingCode.NOT_CANONICAL, "A name stands twice.", "each name once", repeated)
                return
            found = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        if found == canonical:
            return
        difference = first_byte_difference(canonical, found)
        message = f"The bytes are not the canonical form of the record, from byte {difference.at} on."
        self._findings.add(FindingCode.NOT_CANONICAL, message, difference.expected, difference.found)


class _Head:
    """The parts of a JSON value that say how to read the rest; None for a part that is missing."""

    def __init__(self, value: Any) -> None:
        fields = value if isinstance(value, dict) else {}
        game = fields.get("game")
        record_id = fields.get("id")
        self.format = fields.get("format")
        self.version = fields.get("version")
        self.id = shortened(record_id, 80) if isinstance(record_id, str) else None
        self.game = game.get("name") if isinstance(game, dict) else None


def _with_digest(canonical: bytes, digest: str, other: str | None) -> bytes:
    return canonical.replace(b'"digest":"%b"' % digest.encode(), b'"digest":"%b"' % (other or "").encode(), 1)


def _fits(sealed: Sealed) -> bool:
    try:
        return sealed_validator_for(sealed.record.game.name).is_valid(sealed)
    except ValueError:  # deeper than the validator goes
        return False
