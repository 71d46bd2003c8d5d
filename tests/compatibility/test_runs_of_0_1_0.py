"""Run folders that version 0.1.0 made: they stay readable, valid, auditable, rankable, and go on as they would have.

`tests/data/runs-0.1.0/make_runs.py` says how they were made. The rules that a run was begun with hold to its end: a
change of withdrawals, fingerprints or schedules must leave these runs as they are.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tournament import Run, audit, read_records, replay
from tournament.cli.app import app
from tournament.configuration.types import Budget
from tournament.configuration.validation import validate_files
from tournament.errors import RunError
from tournament.records.results import has_record
from tournament.run.describing import versions
from tournament.store.results import read_results

STORED = Path(__file__).parents[1] / "data" / "runs-0.1.0"
RUNS = sorted(path.parent.name for path in STORED.glob("*/run.json"))
STOPPED = ["interrupted", "killed", "knockout-interrupted"]
LATER = json.loads((STORED / "later.json").read_text())
SEED = "the seed of what is played later, long enough"


def _run_file(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "run.json").read_bytes())


COMPLETE = [name for name in RUNS if _run_file(STORED / name)["state"] == "complete"]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of all runs, with their bots, that may be written to; the current folder."""
    folder = tmp_path / "runs"
    shutil.copytree(STORED, folder)
    monkeypatch.chdir(folder)
    return folder


def _digests(folder: Path, names: dict[str, str]) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names}


def _points(values: dict[str, Any]) -> dict[tuple[str, str], float]:
    """Returns the placement points of standings of any version, by group and entrant."""
    return {
        (group["group"], row["entrant"]): round(row["points"]["value"], 9)
        for group in values["groups"]
        for row in group["rows"]
    }


def _findings(folder: Path) -> list[str]:
    return [str(finding) for finding in audit(folder).findings]


def test_there_is_a_run_of_each_kind() -> None:
    files = {name: _run_file(STORED / name) for name in RUNS}

    assert {file["versions"]["tournament"] for file in files.values()} == {"0.1.0"}
    assert {file["schedule"] for file in files.values()} == {"round-robin", "gauntlet", "knockout"}
    assert {file["state"] for file in files.values()} == {"running", "interrupted", "complete"}
    assert {one["why"].partition(" in ")[0] for file in files.values() for one in file.get("withdrawn", ())} == {
        "failed to start",
        "faults",
    }


@pytest.mark.parametrize("name", RUNS)
def test_its_records_can_be_read(name: str) -> None:
    keep = _run_file(STORED / name).get("keep", "all")

    assert [record.id for record in read_records(STORED / name)] == [
        result.id for result in read_results(STORED / name) if has_record(result, keep=keep)
    ]


@pytest.mark.parametrize("name", RUNS)
def test_its_files_fit_their_schemas(name: str) -> None:
    assert validate_files([STORED / name]) == []


@pytest.mark.parametrize("name", RUNS)
def test_its_audit_finds_nothing(name: str) -> None:
    assert _findings(STORED / name) == []


@pytest.mark.parametrize("name", COMPLETE)
def test_its_standings_are_not_checked_and_the_audit_says_so(name: str) -> None:
    """Standings got version 2 after it, with other fields."""
    assert f"{STORED / name}/standings.json: the standings: made by 0.1.0." in audit(STORED / name).unchecked


@pytest.mark.parametrize("name", RUNS)
def test_each_record_can_be_replayed(name: str) -> None:
    walks = [replay(record) for record in read_records(STORED / name)]

    assert [(walk.last, walk.trouble) for walk in walks] == [(len(walk.record.moves), None) for walk in walks]


@pytest.mark.parametrize("name", COMPLETE)
def test_its_points_are_still_worked_out_as_they_were(name: str) -> None:
    now = json.loads(CliRunner().invoke(app, ["standings", str(STORED / name), "--json"]).stdout)

    assert _points(now) == _points(json.loads((STORED / name / "standings.json").read_bytes()))


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("words", [["standings"], ["standings", "--all"], ["report"], ["export", "--format", "csv"]])
def test_a_command_shows_it(runs: Path, name: str, words: list[str]) -> None:
    done = CliRunner().invoke(app, [words[0], name, *words[1:]])

    assert (done.exit_code, done.exception) == (0, None)


@pytest.mark.parametrize("name", COMPLETE)
def test_a_complete_one_is_not_played_on(runs: Path, name: str) -> None:
    before = {path: path.read_bytes() for path in (runs / name).rglob("*") if path.is_file()}

    Run.open(runs / name).play()

    assert {path: path.read_bytes() for path in (runs / name).rglob("*") if path.is_file()} == before


def _extend(deals: int = 1) -> Callable[[Path], object]:
    return lambda folder: Run.open(folder).extend(budget=Budget(deals=deals), seed=SEED)


PLAYED_ON: dict[str, Callable[[Path], object]] = {
    **dict.fromkeys(STOPPED, lambda folder: Run.open(folder).play()),
    **dict.fromkeys(["round-robin", "gauntlet", "compressed", "championship", "replaced"], _extend()),
    "withdrawals": _extend(2),
    "extended": lambda folder: Run.open(folder).final(budget=Budget(deals=1), seed=SEED),
}


@pytest.fixture(scope="module")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Returns what gives a run by its name, played on once; with its bots, and only to look at."""
    played: dict[str, Path] = {}

    def play(name: str) -> Path:
        if name not in played:
            folder = tmp_path_factory.mktemp("played") / "runs"
            shutil.copytree(STORED, folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                PLAYED_ON[name](folder / name)
            played[name] = folder / name
        return played[name]

    return play


@pytest.mark.parametrize("name", PLAYED_ON)
def test_it_is_played_on_to_the_same_bytes_as_by_0_1_0(played_on: Callable[[str], Path], name: str) -> None:
    """The bots are known by the fingerprints of 0.1.0, and withdrawn by its rule."""
    folder = played_on(name)

    assert _run_file(folder)["state"] == "complete"
    assert _digests(folder, LATER[name]) == LATER[name]


@pytest.mark.parametrize("name", PLAYED_ON)
def test_its_audit_finds_nothing_once_it_is_played_on(played_on: Callable[[str], Path], name: str) -> None:
    folder = played_on(name)

    assert _findings(folder) == []
    assert validate_files([folder]) == []


def test_an_interrupted_test_of_two_bots_comes_to_an_end(runs: Path) -> None:
    Run.open(runs / "until-interrupted").play()

    assert _run_file(runs / "until-interrupted")["state"] == "complete"
    assert _findings(runs / "until-interrupted") == []


def test_a_bot_is_added_to_it(runs: Path) -> None:
    Run.open(runs / "round-robin").extend(add=["bots/changing.py"], seed=SEED)

    assert [len(one["fields"][0]["entrants"]) for one in _run_file(runs / "round-robin")["segments"]] == [4, 5]
    assert _findings(runs / "round-robin") == []


def test_it_keeps_the_fingerprint_of_a_bot_whose_other_files_nobody_listed(runs: Path) -> None:
    """By the rule of 0.1.0 only the bot's file and what it imports beside it are in its fingerprint."""
    (runs / "bots" / "alone" / "weights.json").write_text('{"place": 3}\n')

    Run.open(runs / "round-robin").extend(budget=Budget(deals=1), seed=SEED)

    assert _run_file(runs / "round-robin")["state"] == "complete"


def test_a_changed_bot_is_still_refused(runs: Path) -> None:
    with (runs / "bots" / "_taking.py").open("a") as file:
        file.write("# changed\n")

    with pytest.raises(RunError, match=r"because bots changed: last: the fingerprint for scout was"):
        Run.open(runs / "compressed").extend(budget=Budget(deals=1), seed=SEED)


def test_a_bot_is_disqualified_and_taken_back_in(runs: Path) -> None:
    Run.open(runs / "round-robin").disqualify("last", reason="late")
    Run.open(runs / "disqualified").reinstate("last")

    assert ["last"] == [one["entrant"] for one in _run_file(runs / "round-robin")["disqualified"]]
    assert "disqualified" not in _run_file(runs / "disqualified")
    assert _findings(runs / "round-robin") == _findings(runs / "disqualified") == []


def test_a_run_that_another_version_plays_on_says_so(runs: Path) -> None:
    """In `run.json`, on the screen, and in the audit."""
    begun = _run_file(runs / "interrupted")["versions"]
    done = CliRunner().invoke(app, ["resume", "interrupted"])
    continued = _run_file(runs / "interrupted")["continued"]

    assert "interrupted was played with tournament 0.1.0 and python" in " ".join(done.output.split())
    assert continued == [{"versions": versions(), "games": 8}]
    assert _run_file(runs / "interrupted")["versions"] == begun
    assert any("From game 9 on it was played with tournament" in note for note in audit(runs / "interrupted").notes)
