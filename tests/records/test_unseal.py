"""Lines that are as `seal` wrote them are read so by `unseal`; any other line, however little differs, is left."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from make_goldens import FOLDER
from msgspec.structs import replace

from tournament.errors import RecordError
from tournament.records.codec import codec_for, parse_record, seal

GOLDENS = sorted(FOLDER.glob("*.json"))


def line_of(path: Path) -> bytes:
    return seal(parse_record(path.read_bytes())).line


def game_of(line: bytes) -> str:
    return str(json.loads(line)["game"]["name"])


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_sealed_line_gives_what_it_was_made_of(path: Path):
    line = line_of(path)

    assert seal(parse_record(line)) == codec_for(game_of(line)).unseal(line)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_line_with_any_byte_changed_is_left(path: Path):
    line, rng = line_of(path), Random(path.stem)
    codec = codec_for(game_of(line))
    changed = []
    for _ in range(100):
        at = rng.randrange(len(line))
        byte = rng.choice([byte for byte in b'{}[]",:09ae \\' if byte != line[at]])
        changed.append(line[:at] + bytes([byte]) + line[at + 1 :])

    assert [None] * len(changed) == [codec.unseal(one) for one in changed]


@pytest.mark.parametrize("cut", [b"", b"null", b"[]", b'"moves":[{}]', b'{"moves":[{"seat":0}]}', b'{"moves":[{'])
def test_what_is_no_record_is_left(cut: bytes):
    assert codec_for("scout").unseal(cut) is None


@pytest.mark.parametrize("end", [b"\n", b" ", b"}", b',"moves":[]}'])
def test_a_line_with_something_behind_it_is_left(end: bytes):
    assert codec_for("scout").unseal(line_of(FOLDER / "scout-4p-emptied.json") + end) is None


def test_a_name_that_looks_like_the_beginning_of_the_moves_does_no_harm():
    record = parse_record((FOLDER / "scout-4p-emptied.json").read_bytes())
    sealed = seal(replace(record, tournament='"moves":[{"do":"show"}]'))

    assert sealed == codec_for("scout").unseal(sealed.line)


def test_moves_that_stand_in_another_place_are_left():
    """With a second list of moves before its own a line would be read wrongly, were it not written again."""
    line = line_of(FOLDER / "scout-4p-emptied.json")
    begin = line.index(b'"moves":')
    twice = line[:begin] + b'"moves":[{"do":"show"}],' + line[begin:]

    assert codec_for("scout").unseal(twice) is None


def test_a_record_of_another_game_is_left():
    assert codec_for("explorers").unseal(line_of(FOLDER / "scout-4p-emptied.json")) is None


def test_a_record_without_its_digest_is_left():
    record = parse_record((FOLDER / "scout-4p-emptied.json").read_bytes())
    values = json.loads(seal(record).line)
    del values["digest"]
    line = json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
    with pytest.raises(RecordError, match="the digest is missing"):
        parse_record(line)

    assert codec_for("scout").unseal(line) is None


def test_a_line_of_an_unknown_game_is_left():
    line = (FOLDER / "scout-4p-emptied.json").read_bytes().replace(b'"scout"', b'"unknown"')

    assert codec_for("unknown").unseal(seal(parse_record(line)).line) is None
