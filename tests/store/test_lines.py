"""Records from wherever they come: other programs, pipes, compressed, as an array; what is left out is said."""

from __future__ import annotations

import codecs
import gzip
import json
import os
import threading
from pathlib import Path

import pytest
import zstandard
from forked_commands import run_command

from tournament.errors import RecordError
from tournament.ranking.sources import read_sources
from tournament.store.files import MOST_LINE_BYTES
from tournament.store.layout import parse_reference
from tournament.store.lines import PassedOver, read_lines
from tournament.store.reader import find_record, read_records, read_short_records

FOLDER = Path(__file__).parents[2] / "records" / "golden"
GOLDEN = [FOLDER / f"{name}.json" for name in ("explorers-2p-complete", "scout-2p-stuck", "scout-3p-two-faults")]
LINES = [json.dumps(json.loads(path.read_text()), sort_keys=True, separators=(",", ":")).encode() for path in GOLDEN]
WHOLE = b"\n".join([*LINES, b""])
IDS = [json.loads(line)["id"] for line in LINES]
ARRAY = b"[" + b",".join(LINES) + b"]"
PRETTY = json.dumps([json.loads(line) for line in LINES], indent=2).encode()
TORN = "its last line is torn and was passed over."
GLUED = "1 line holds several records, which were read one by one."

FORMS = {
    "lines": ("games.jsonl", WHOLE, []),
    "without a newline at the end": ("games.jsonl", WHOLE[:-1], []),
    "a byte order mark": (
        "games.jsonl",
        codecs.BOM_UTF8 + WHOLE,
        ["a byte order mark at its beginning was passed over."],
    ),
    "a blank line at the end": ("games.jsonl", WHOLE + b"\n", ["1 blank line was passed over."]),
    "blank lines between": ("games.jsonl", WHOLE.replace(b"\n", b"\r\n \n"), ["3 blank lines were passed over."]),
    "a glued line": ("games.jsonl", WHOLE.replace(b"\n", b"", 1), [GLUED]),
    "a torn end": ("games.jsonl", WHOLE + LINES[0][:50], [TORN]),
    "an array": ("games.json", ARRAY, []),
    "an array as lines": ("games.jsonl", ARRAY, []),
    "what export prints": ("games.json", PRETTY, []),
    "what export prints, nameless": ("games", PRETTY, []),
    "one behind another": ("games.json", b"\n\n".join(LINES), []),
    "lines in a .json": ("games.json", WHOLE, []),
    "gzip": ("games.jsonl.gz", gzip.compress(WHOLE), []),
    "gzip of an array": ("games.json.gz", gzip.compress(PRETTY), []),
    "gzip in pieces": ("games.jsonl.gz", b"".join(gzip.compress(line + b"\n") for line in LINES), []),
    "gzip by another name": ("games.jsonl", gzip.compress(WHOLE), []),
    "Zstandard": ("games.jsonl.zst", zstandard.compress(WHOLE), []),
    "Zstandard by another name": ("games", zstandard.compress(WHOLE), []),
}


@pytest.mark.parametrize("form", FORMS)
def test_records_are_read_however_they_come(tmp_path, form):
    """The same records, and what was passed over is said."""
    name, data, notes = FORMS[form]
    path = tmp_path / name
    path.write_bytes(data)
    passed = PassedOver()

    assert IDS == [record.id for record in read_records(path, passed=passed)]
    assert [f"{path}: {note}" for note in notes] == list(map(str, passed.notes()))
    assert IDS == [record.id for record in read_short_records(path)]
    assert IDS[1] == find_record(parse_reference(f"{path}#{IDS[1]}")).id


@pytest.mark.parametrize("form", ["lines", "what export prints", "gzip", "Zstandard", "a byte order mark"])
def test_records_come_through_a_pipe(tmp_path, form):
    """`zcat games.jsonl.gz | tournament standings /dev/stdin`, or `<(...)`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(FORMS[form][1],))
    writer.start()

    assert IDS == [record.id for record in read_records(pipe)]
    writer.join()


@pytest.mark.parametrize("words", [["standings"], ["audit"], ["validate"], ["export"], ["export", "--rows", "games"]])
@pytest.mark.parametrize("form", ["lines", "gzip", "an array"])
def test_commands_read_what_is_piped_into_them(words, form):
    """Standard input is a file like any other."""
    done = run_command(words[0], "/dev/stdin", *words[1:], piped=FORMS[form][1])

    assert 0 == done.code, done.err
    assert "Traceback" not in done.err


def test_a_piped_game_is_replayed():
    """One record needs no name."""
    done = run_command("replay", "/dev/stdin", "--plain", "--to", "1", piped=LINES[0] + b"\n\n")

    assert 0 == done.code, done.err
    assert IDS[0] in done.out
    assert "/dev/stdin: 1 blank line was passed over." in done.err


BAD = {
    "no JSON": b"garbage",
    "a torn line with another behind": LINES[0][:40] + LINES[1],
    "another format": b'{"format":"tournament-event"}',
    "half a record": LINES[0][:300],
}


@pytest.mark.parametrize("bad", BAD)
def test_one_can_go_on_without_bad_lines_and_is_told_how(tmp_path, bad):
    """They are counted, and named."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([LINES[0], BAD[bad], LINES[1], b"more garbage", b""]))
    passed = PassedOver(skips_bad=True)

    with pytest.raises(RecordError, match=r"line 2.* To go on without such records: --skip-bad"):
        list(read_records(path, passed=PassedOver(skips_bad=False)))
    assert IDS[:2] == [record.id for record in read_records(path, passed=passed)]
    assert [f"{path}: 2 of its records were left out, because they cannot be read: line 2, line 4."] == list(
        map(str, passed.notes())
    )


def test_standings_and_exports_go_on_without_bad_lines(tmp_path):
    """With the option that their error names."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join([LINES[0], b"garbage", b""]))
    refused = [run_command("standings", path), run_command("export", path)]
    taken = [run_command("standings", path, "--skip-bad"), run_command("export", path, "--skip-bad")]

    assert [6, 6, 0, 0] == [done.code for done in (*refused, *taken)]
    assert all("--skip-bad" in done.err for done in refused)
    assert all("1 of its records was left out" in " ".join(f"{done.out}{done.err}".split()) for done in taken)
    assert any("line 2" in note for note in read_sources([path], skip_bad=True).notes)


@pytest.mark.parametrize("cut", [-1, -20])
@pytest.mark.parametrize("form", ["gzip", "Zstandard"])
def test_a_damaged_compressed_file_is_told(tmp_path, form, cut):
    """A clear sentence, no traceback; what a torn one has to its end is read."""
    name, data, _ = FORMS[form]
    path = tmp_path / name
    path.write_bytes(data[:cut] if form == "gzip" else data[: len(data) // 2] + bytes(30) + data[len(data) // 2 : cut])

    with pytest.raises(RecordError, match="is damaged"):
        list(read_records(path))


def test_nothing_is_read_behind_a_torn_line(tmp_path):
    """Who writes it goes on meanwhile: what comes then is its rest, and no line."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(LINES[0] + b"\n" + LINES[1][:40])
    lines = read_lines(path)
    read = [next(lines), next(lines)]
    with path.open("ab") as file:
        file.write(LINES[1][40:] + b"\n" + LINES[2] + b"\n")

    assert [False, True] == [line.torn for line in read]
    assert [] == list(lines)


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz", "games.jsonl.zst"])
def test_a_few_bytes_do_not_become_gigabytes(tmp_path, name):
    """A line of ours has a limit, however small the file is that it comes from."""
    path = tmp_path / name
    if name == "games.jsonl":
        with path.open("wb") as file:
            file.truncate(3 * 2**30)
    else:
        pieces = (bytes(2**20) for _ in range(2 * MOST_LINE_BYTES // 2**20))
        compressor = zstandard.ZstdCompressor().compressobj() if name.endswith("zst") else None
        data = gzip.compress(bytes(2 * MOST_LINE_BYTES)) if compressor is None else b""
        if compressor is not None:
            data = b"".join([*map(compressor.compress, pieces), compressor.flush()])
        path.write_bytes(data)

    with pytest.raises(RecordError, match=r"expected at most 67,108,864 bytes, found more"):
        list(read_records(path))
