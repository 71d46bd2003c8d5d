"""`Run`, used as in a notebook: begun, played, stopped, played on, extended and ranked by public names alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from small_runs import FAST, write_configuration
from test_resume import Stopper

from tournament import BotError, Budget, Interrupted, Run, RunError, compare, standings, write_report

TIMED = {"clocks.jsonl", "report/data/times.json"}
"""Files about the machine."""

TIME = re.compile(
    rb"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\+00:00| \d\d:\d\d UTC)"
    rb'|<section id="times">.*?</section>|<details class="fold" id="times-fold">.*?</details>|"times":\[.*?\]',
    re.DOTALL,
)


@pytest.fixture
def configuration(tmp_path, bots):
    return write_configuration(tmp_path, "budget: {deals: 3}\n")


def test_nothing_of_a_run_is_written_before_it_is_played(configuration, tmp_path):
    """Its folder is there, so that nobody else takes it; the bots are loaded first, and may not load."""
    run = Run.begin(configuration, tmp_path / "run")

    assert [] == list(run.folder.iterdir())


def test_a_run_whose_bots_do_not_load_is_gone(configuration, bots, tmp_path):
    """What was never begun leaves nothing that had to be deleted."""
    (bots / "dora.py").write_text("import nothing_of_this_name\n" + FAST.format(index=0))
    run = Run.begin(configuration, tmp_path / "run")

    with pytest.raises(BotError):
        run.play()
    assert not (tmp_path / "run").exists()


def test_a_run_that_was_stopped_is_played_on_by_the_same_object(configuration, tmp_path):
    """In a notebook the cell that plays is run again."""
    run = Run.begin(configuration, tmp_path / "run", observer=Stopper(3))
    with pytest.raises(Interrupted):
        run.play()
    Run.open(run.folder).play()

    assert "complete" == run.info.state


def test_a_complete_run_is_extended_and_ranked(configuration, tmp_path):
    """Begin, extend, disqualify, reinstate, standings, compare, report."""
    run = Run.begin(configuration, tmp_path / "run")
    run.play()
    run.extend(budget=Budget(deals=2))
    run.disqualify("dora", reason="on purpose")
    without = {row.entrant for group in run.standings().groups for row in group.rows}
    run.reinstate("dora")

    assert 2 == len(run.info.segments)
    assert "dora" not in without
    assert run.standings() == standings(run.folder)
    assert ("ada", "bea") == compare("ada", "bea", run.folder).entrants
    assert len(list(run.records())) == sum(group.games for group in run.standings().groups)
    assert run.folder / "report" / "index.html" == write_report(run.folder)


def test_the_last_segment_alone_can_be_ranked(configuration, tmp_path):
    """As a final is."""
    run = Run.begin(configuration, tmp_path / "run")
    run.play()
    run.extend(budget=Budget(deals=2))
    whole, alone = (run.standings(segment=segment).groups[0].games for segment in (None, 1))

    assert 0 < alone < whole


def test_there_is_no_run_to_open_in_an_empty_folder(tmp_path):
    """Told at once, not by what is done with it later."""
    with pytest.raises(RunError, match=r"has no run\.json"):
        Run.open(tmp_path)


def contents(folder):
    """Returns the files of a run but those about the machine, without the time of day and what is drawn by lot."""
    segment = json.loads((folder / "run.json").read_bytes())["segments"][0]
    drawn = [segment["salt"].encode(), segment["commitment"].encode()]
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = TIME.sub(b"", path.read_bytes())
        for value in drawn:
            data = data.replace(value, b"")
        files[str(path.relative_to(folder))] = data
    return {name: data for name, data in files.items() if name not in TIMED}


def test_python_writes_what_the_command_writes(configuration, tmp_path, monkeypatch):
    """To the byte, the report included; only the time of day and the time that was taken differ."""
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-m", "tournament", "run", configuration, "--out", "first/run", "--quiet"]
    subprocess.run(command, check=True, capture_output=True)
    run = Run.begin(configuration, "second/run")
    run.play()
    write_report(run.folder)
    first, second = contents(tmp_path / "first" / "run"), contents(tmp_path / "second" / "run")

    assert "report/index.html" in first
    assert first == second
