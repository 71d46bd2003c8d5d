"""What a command writes: never over what is there, unless it is told to, and never over a run."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import UsageError
from tournament.store.files import check_free

STORED = Path(__file__).parents[1] / "data" / "runs-0.1.0"
GAME = f"{STORED / 'gauntlet'}#scout-2p.0.000000.0"
COMMANDS = {
    "export": ["export", str(STORED / "gauntlet"), "--format", "csv", "--out", "old"],
    "replay": ["replay", GAME, "--html", "old"],
    "whatif": ["whatif", GAME, "--move", "3", "--bot", "bots/random_legal.py", "--out", "old"],
    "analyse": ["analyse", GAME, "--worlds", "1", "--out", "old"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_file_that_is_there_is_kept(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").write_text("mine")
    done = CliRunner().invoke(app, COMMANDS[name])

    assert str(done.exception) == "old exists already. Give another name, or --force to write over it."
    assert (tmp_path / "old").read_text() == "mine"


@pytest.mark.parametrize("name", ["export", "replay", "whatif"])
def test_with_force_it_is_written_over(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").write_text("mine")
    done = CliRunner().invoke(app, [*COMMANDS[name], "--force"])

    assert done.exit_code == 0, done.output
    assert (tmp_path / "old").read_text() != "mine"


def test_a_folder_of_repro_is_written_over_with_force_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["repro", GAME, "--seat", "0", "--move", "0", "--out", "again"]
    codes = [CliRunner().invoke(app, words).exit_code for _ in range(2)]
    other = tmp_path / "other"
    other.mkdir()

    assert codes[0] == 0
    assert codes[1] != 0
    assert CliRunner().invoke(app, [*words, "--force"]).exit_code == 0
    assert CliRunner().invoke(app, [*words[:-1], "other", "--force"]).exit_code != 0
    assert list(other.iterdir()) == []


def test_a_part_of_a_run_is_never_written_over() -> None:
    with pytest.raises(UsageError, match="is part of a run"):
        check_free(STORED / "gauntlet" / "games.jsonl", force=True)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exists already, and is a folder"):
        check_free(tmp_path, force=True)


def test_a_device_is_written_to(tmp_path: Path) -> None:
    check_free(Path("/dev/null"), force=False)
