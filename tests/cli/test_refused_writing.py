"""What commands say where the system refuses to write: which file, why, and what helps; never a traceback."""

from __future__ import annotations

import errno
import re
import shutil
from functools import cache
from pathlib import Path

import needs
import pytest
from forked_commands import run_command
from refusing_systems import FULL, READ_ONLY, SMALL_FILES, can_mount
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.records.codec import parse_record

STORED = Path(__file__).parents[1] / "data" / "runs-0.1.0"
BOT = Path(__file__).parents[2] / "bots" / "random_legal.py"
GAME = "run#scout-2p.0.000000.0"

REASONS = {READ_ONLY: "Read-only file system", FULL: "No space left on device", SMALL_FILES: "File too large"}

COMMANDS = {
    "run": ["run", "--game", "explorers:2", "--deals", "1", "--isolation", "none", "--out", "new", "-q"],
    "events": ["resume", "run", "--events", "events.jsonl", "-q"],
    "extend": ["extend", "run", "--deals", "40", "-q"],
    "disqualify": ["disqualify", "run", "first", "--reason", "because"],
    "report": ["report", "run"],
    "report --out": ["report", "run", "--out", "pages"],
    "publish": ["publish", "run", "--out", "public"],
    "plots": ["standings", "run", "--plots", "plots"],
    "csv": ["export", "run", "--format", "csv", "--out", "table.csv"],
    "parquet": ["export", "run", "--format", "parquet", "--out", "table.parquet"],
    "pgn": ["export", "run", "--format", "pgn", "--group", "scout-2p", "--out", "games.pgn"],
    "html": ["replay", GAME, "--html", "game.html"],
    "analyse": ["analyse", GAME, "--worlds", "2", "--seat", "0", "--out", "analysis.json"],
    "whatif": ["whatif", GAME, "--move", "3", "--bot", str(BOT), "--out", "other.jsonl"],
    "repro": ["repro", GAME, "--seat", "0", "--move", "0", "--out", "again"],
    "bot new": ["bot", "new", "mine", "--game", "scout", "--language", "c"],
    "language write": ["language", "write", "de", "--out", "words"],
}


@cache
def _may_mount() -> bool:
    return can_mount()


@pytest.mark.parametrize("how", [READ_ONLY, FULL, SMALL_FILES])
@pytest.mark.parametrize("name", COMMANDS)
def test_what_cannot_be_written_is_told_with_what_helps(name: str, how: str, tmp_path: Path) -> None:
    if how != SMALL_FILES and not _may_mount():
        needs.missing("a mount namespace", "Run the tests as root.")
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copytree(STORED / "gauntlet", folder / "run")
    shutil.copytree(STORED / "bots", folder / "bots")
    done = run_command(*COMMANDS[name], folder=folder, refusal=how)

    assert f" cannot be written: {REASONS[how]}. " in " ".join(done.err.split())
    assert done.code in (2, 7)
    assert "Traceback" not in done.err


PLAY = ["play", "explorers", "--against", str(BOT), "--seed", "7", "--plain", "--no-ask", "--out", "mine.json"]


def test_a_game_that_a_full_disk_has_no_room_for_is_kept_elsewhere(tmp_path: Path) -> None:
    """Nobody would play it once more."""
    if not _may_mount():
        needs.missing("a mount namespace", "Run the tests as root.")
    done = run_command(*PLAY, folder=tmp_path, piped=b"1\n" * 400, refusal=FULL)
    told = " ".join(done.err.split())
    kept = Path(re.search(r"The game is kept: (\S+)\.$", told)[1])

    assert (2, 1) == (done.code, told.count("mine.json cannot be written: No space left on device."))
    assert "explorers" == parse_record(kept.read_bytes()).game.name
    kept.unlink()


def test_a_game_for_which_there_is_no_room_at_all_is_printed(tmp_path: Path, monkeypatch) -> None:
    def refuse(*words, **named):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    monkeypatch.setattr("tempfile.NamedTemporaryFile", refuse)
    done = CliRunner().invoke(app, PLAY, input="1\n" * 400)

    assert "The game is printed, as nothing can be written elsewhere either: copy it into a file." in str(
        done.exception
    )
    assert "explorers" == parse_record(done.stdout[done.stdout.index("\n{") :].encode()).game.name
