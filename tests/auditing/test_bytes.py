"""Whatever the bytes of a file are, the audit answers with findings."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from make_goldens import FOLDER
from make_invalid import canonical, golden, resealed

from tournament import audit
from tournament.auditing import FindingCode, format_findings

GOOD = resealed(golden("scout-2p-stuck"))
DIGITS = b"1" * 5000

LINES = {
    "truncated": (GOOD[:-1], FindingCode.BROKEN_JSON),
    "binary": (bytes(byte for byte in range(256) if byte != 10), FindingCode.BROKEN_JSON),
    "no UTF-8": (GOOD.replace(b"golden", b"\xff\xfe"), FindingCode.BROKEN_JSON),
    "byte-order mark": (b"\xef\xbb\xbf" + GOOD, FindingCode.BROKEN_JSON),
    "UTF-16": (GOOD.decode().encode("utf-16"), FindingCode.BROKEN_JSON),
    "lone surrogate": (GOOD.replace(b"golden", b"\\ud800"), FindingCode.BROKEN_JSON),
    "NaN": (GOOD.replace(b'"rules_version":1', b'"rules_version":NaN'), FindingCode.BROKEN_JSON),
    "infinity": (GOOD.replace(b'"version":1}', b'"version":1e999}'), FindingCode.BROKEN_JSON),
    "deep lists": (b"[" * 100_000, FindingCode.BROKEN_JSON),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, FindingCode.BROKEN_JSON),
    "too many digits": (GOOD.replace(b'"scores":[', b'"scores":[' + DIGITS + b","), FindingCode.BROKEN_JSON),
    "null": (b"null", FindingCode.SCHEMA),
    "a number": (b"7", FindingCode.SCHEMA),
    "a list": (b"[" + GOOD + b"]", FindingCode.SCHEMA),
    "a nested list": (b"[" * 300 + b"]" * 300, FindingCode.SCHEMA),
    "an empty object": (b"{}", FindingCode.SCHEMA),
    "another format": (GOOD.replace(b"tournament-record", b"tournament-run"), FindingCode.SCHEMA),
    "version 0": (GOOD.replace(b'"version":1}', b'"version":0}'), FindingCode.SCHEMA),
    "version true": (GOOD.replace(b'"version":1}', b'"version":true}'), FindingCode.SCHEMA),
    "version 2": (b'{"format":"tournament-record","version":2}', FindingCode.NEWER_VERSION),
    "large number": (GOOD.replace(b'"players":2', b'"players":%b' % DIGITS[:400]), FindingCode.PLAYERS),
    "a game that is no text": (GOOD.replace(b'"name":"scout"', b'"name":["scout"]'), FindingCode.SCHEMA),
    "a surrogate of a game": (GOOD.replace(b'"name":"scout"', b'"name":"\\u00e9"'), FindingCode.UNKNOWN_GAME),
    "no digest": (GOOD.replace(b'"digest":"', b'"digest":null,"x":"'), FindingCode.SCHEMA),
    "an id without end": (GOOD.replace(b"scout-2p.0.", b"scout-2p.%b." % DIGITS), FindingCode.ID),
    "a rotation without end": (GOOD.replace(b'.0","moves', b'.%b","moves' % DIGITS), FindingCode.ID),
    "CRLF": (GOOD + b"\r", FindingCode.NOT_CANONICAL),
    "a blank too many": (GOOD.replace(b":", b": ", 1), FindingCode.NOT_CANONICAL),
    "a name twice": (GOOD.replace(b'"faults":[]', b'"faults":[],"faults":[]'), FindingCode.NOT_CANONICAL),
    "a default": (GOOD.replace(b'"do":"keep"', b'"by":null,"do":"keep"', 1), FindingCode.NOT_CANONICAL),
    "an escape": (GOOD.replace(b"golden", b"\\u0067olden"), FindingCode.NOT_CANONICAL),
    "another order": (
        json.dumps(dict(reversed(json.loads(GOOD).items())), separators=(",", ":")).encode(),
        FindingCode.NOT_CANONICAL,
    ),
    "a whole float": (GOOD.replace(b'"rules_version":1', b'"rules_version":1.0'), FindingCode.SCHEMA),
    "an unknown game": (
        resealed({**golden("scout-2p-stuck"), "game": {**golden("scout-2p-stuck")["game"], "name": "skat"}}),
        FindingCode.UNKNOWN_GAME,
    ),
    "an unknown game without a deal": (
        resealed({"deal": None, "game": {"name": "skat", "options": {}, "players": 1, "rules_version": 1}}),
        FindingCode.UNKNOWN_GAME,
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_whatever_bytes_becomes_its_finding(tmp_path: Path, name: str) -> None:
    """Never a traceback; the good lines around it are audited as ever."""
    line, code = LINES[name]
    path = tmp_path / "games.jsonl"
    other = resealed(golden("explorers-2p-complete"))
    path.write_bytes(b"\n".join([resealed(golden("scout-3p-two-faults")), line, other, b""]))

    report = audit(path)

    assert report.records == 3
    assert {finding.line for finding in report.findings} == {2}
    assert code in {finding.code for finding in report.findings}, format_findings(report)


def test_a_file_without_bytes_has_no_records(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"")

    assert [finding.code for finding in audit(path).findings] == [FindingCode.NO_RECORDS]


def test_a_json_without_bytes_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"")

    assert [finding.code for finding in audit(path).findings] == [FindingCode.NO_RECORDS]


@pytest.mark.parametrize(
    ("before", "note"),
    [
        (b"\xef\xbb\xbf", "a byte order mark at its beginning was passed over."),
        (b"\n", "1 blank line was passed over."),
        (b" \r\n\n", "2 blank lines were passed over."),
        (GOOD, "1 line holds several records, which were read one by one."),
    ],
)
def test_what_another_hand_put_into_a_file_is_passed_over_and_said(tmp_path: Path, before: bytes, note: str) -> None:
    """Records are audited all the same; in the folder of a run, which only a runner writes, it is a finding."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(before + resealed(golden("explorers-2p-complete")) + b"\n")
    report = audit(path)

    assert [] == list(report.findings)
    assert (f"{path}: {note}",) == report.notes
    assert 1 + (before == GOOD) == report.records
    (tmp_path / "run.json").write_text("{}")
    assert FindingCode.NOT_CANONICAL in {finding.code for finding in audit(tmp_path).findings}


def test_a_torn_last_line_that_is_whole_is_audited_all_the_same(tmp_path: Path) -> None:
    """The newline alone is missing."""
    path = tmp_path / "games.jsonl"
    values = golden("scout-2p-stuck")
    values["result"]["scores"][1] += 1
    path.write_bytes(resealed(values))

    codes = [finding.code for finding in audit(path).findings]

    assert codes == [FindingCode.TORN_LINE, FindingCode.SCORES]


def test_the_layout_of_a_json_file_is_free(tmp_path: Path) -> None:
    """`tournament export --format json` is for people: blanks and the order of names are not part of the record."""
    path = tmp_path / "game.json"
    path.write_text(json.dumps(dict(reversed(json.loads(GOOD).items())), indent=2))

    assert audit(path).clean


def test_what_is_not_ascii_is_canonical_when_it_is_escaped(tmp_path: Path) -> None:
    """Canonical bytes are those of `json.dumps`."""
    path = tmp_path / "games.jsonl"
    values = {**golden("scout-2p-stuck"), "tournament": "Åbne \x7f 2026"}
    path.write_bytes(resealed(values) + b"\n")

    assert audit(path).clean


def test_bytes_changed_at_random_are_found_without_a_traceback(tmp_path: Path) -> None:
    """Fuzzing; a changed byte leaves the digest or the JSON wrong."""
    rng = Random("bytes")
    lines = []
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    for number in range(400):
        line = bytearray(canonical(golden(names[number % len(names)])))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(line))
            match rng.randrange(3):
                case 0:
                    line[at] = rng.choice([0, 34, 44, 48, 57, 91, 92, 93, 123, 125, 127, 128, 255])
                case 1:
                    del line[at : at + rng.randrange(1, 200)]
                case _:
                    line[at:at] = line[rng.randrange(len(line)) :][: rng.randrange(1, 200)]
        lines.append(bytes(line).replace(b"\n", b" "))
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines))

    report = audit(path)

    unchanged = [n for n, line in enumerate(lines, start=1) if line == canonical(golden(names[(n - 1) % len(names)]))]
    wrong = {finding.line for finding in report.findings if finding.code is not FindingCode.DUPLICATE_ID}
    assert wrong >= set(range(1, 401)) - set(unchanged)
    assert FindingCode.RULES_FAILED not in {finding.code for finding in report.findings}
