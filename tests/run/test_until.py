"""Runs that end when something is decided."""

from __future__ import annotations

import json

import msgspec
import pytest
from small_runs import CRASHER
from test_resume import Stopper
from typer.testing import CliRunner

from tournament import Run, audit, run_tournament
from tournament.cli.app import app
from tournament.configuration.types import Budget, UntilWithBounds
from tournament.errors import ConfigurationError, Interrupted
from tournament.paths import data_folder
from tournament.ranking.sequential import BURN_IN
from tournament.ranking.told.notes import STOPPED_EARLY
from tournament.records.results import RESULTS_FILE
from tournament.records.run import Bounds, Format, RunState, Until
from tournament.report.site import write_report
from tournament.store.folder import read_run
from tournament.store.results import read_results

UNEVEN = tuple(str(data_folder("bots") / f"{name}.py") for name in ("random_legal", "explorers_cautious"))


@pytest.fixture
def uneven(configure, bots):
    """Makes configurations of two bots of which one always wins, until decided."""

    def make(**changes):
        return configure(**{"bots": UNEVEN, "budget": Budget(deals=40), "until": Until.DECIDED, **changes})

    return make


def test_a_run_ends_when_it_is_decided_and_says_so(uneven, tmp_path):
    """The decision goes to `run.json`; the audit knows how many blocks count."""
    folder = run_tournament(uneven(), out=tmp_path / "run")
    info = read_run(folder)
    blocks = sum(1 for _ in read_results(folder)) // 2

    assert info.decision.decided
    assert BURN_IN <= blocks < 40
    assert blocks == info.segments[0].ended_after
    assert info.decision.after == f"explorers-2p.0.{blocks - 1:06}"
    assert "explorers_cautious is first at 95 %" in info.decision.text
    assert () == tuple(audit(str(folder)).findings)


def test_the_end_does_not_depend_on_the_number_of_workers(uneven, tmp_path):
    """Blocks in flight when it is decided do not count."""
    folders = [run_tournament(uneven(workers=workers), out=tmp_path / f"{workers}") for workers in (1, 2)]

    assert (folders[0] / RESULTS_FILE).read_bytes() == (folders[1] / RESULTS_FILE).read_bytes()


def test_a_resumed_run_ends_where_an_undisturbed_one_does(uneven, tmp_path):
    """Resume continues the test exactly."""
    whole = run_tournament(uneven(), out=tmp_path / "whole")
    with pytest.raises(Interrupted):
        run_tournament(uneven(), out=tmp_path / "run", observer=Stopper(11))
    Run.open(tmp_path / "run").play()

    assert (whole / RESULTS_FILE).read_bytes() == (tmp_path / "run" / RESULTS_FILE).read_bytes()
    assert read_run(whole).decision == read_run(tmp_path / "run").decision


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_is_decided_although_a_bot_was_withdrawn(uneven, bots, tmp_path, workers):
    """Blocks that are not played end chunks all the same; a resumed run ends at the same block."""
    crasher = bots / "crasher.py"
    crasher.write_text(CRASHER)
    changes = {"bots": (*UNEVEN, str(crasher)), "workers": workers, "budget": Budget(deals=60)}
    whole = run_tournament(uneven(**changes), out=tmp_path / "whole")
    with pytest.raises(Interrupted):
        run_tournament(uneven(**changes), out=tmp_path / "run", observer=Stopper(11))
    Run.open(tmp_path / "run").play()
    info = read_run(whole)
    blocks = sum(1 for _ in read_results(whole)) // 2

    assert info.decision.decided
    assert "explorers_cautious is first among those left (crasher withdrawn)" in info.decision.text
    assert blocks < info.segments[0].ended_after < 3 * 60
    assert () == tuple(audit(str(whole)).findings)
    assert info.decision == read_run(tmp_path / "run").decision
    assert (whole / RESULTS_FILE).read_bytes() == (tmp_path / "run" / RESULTS_FILE).read_bytes()


def test_the_budget_is_a_ceiling(uneven, tmp_path):
    """A budget as ceiling: then nothing is decided, and that is said."""
    info = read_run(run_tournament(uneven(budget=Budget(deals=5)), out=tmp_path / "run"))

    assert RunState.COMPLETE is info.state
    assert not info.decision.decided
    assert info.segments[0].ended_after is None


def test_two_entrants_can_be_told_apart_by_a_likelihood_ratio(uneven, tmp_path):
    """`until: sprt` for two: random never wins, so its lead is nearer 0 than 0.05."""
    info = read_run(run_tournament(uneven(until=Until.SPRT), out=tmp_path / "run"))

    assert info.decision.decided
    assert "the lead of random_legal over explorers_cautious is nearer 0 than 0.05 points a block" in info.decision.text


def test_the_state_of_the_test_stands_in_standings_watch_and_report(uneven, tmp_path):
    """Log-likelihood ratio and bounds, lead and blocks; the audit works them out again."""
    folder = run_tournament(uneven(until=Until.SPRT), out=tmp_path / "run")
    standings = json.loads((folder / "standings.json").read_text())
    texts = [CliRunner().invoke(app, words).stdout for words in (["standings", str(folder)], ["watch", str(folder)])]
    texts.append(write_report(folder).read_text(encoding="utf-8"))

    assert ("lower", 0) == (standings["test"]["verdict"], standings["test"]["won"])
    assert standings["test"]["log_ratio"] <= standings["test"]["lower_bound"]
    assert all("it says 0" in " ".join(text.split()) and "Elo" in text for text in texts)
    assert () == tuple(audit(str(folder)).findings)


def test_a_gate_says_that_a_run_was_stopped_early_and_only_then(uneven, tmp_path):
    """Statistics, Stopping early: an ordinary probability takes no account of when a run was stopped."""
    stopped = run_tournament(uneven(until=Until.SPRT), out=tmp_path / "stopped")
    whole = run_tournament(uneven(until=Until.SPRT, budget=Budget(deals=12)), out=tmp_path / "whole")
    shown = [
        CliRunner().invoke(app, ["gate", str(run), "--new", "explorers_cautious", "--old", "random_legal"]).stdout
        for run in (stopped, whole)
    ]

    assert [True, False] == [
        f"points a block. {STOPPED_EARLY}\n" in text and "- Played until decided: After" in text for text in shown
    ]
    assert "- Played until decided: Not decided within the budget.\n" in shown[1]


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "{run}", "--bots", "explorers_cautious", "random_legal"],
        ["compare", "{run}", "{run}"],
        ["gate", "{run}", "--new", "explorers_cautious", "--old", "random_legal"],
    ],
    ids=["bots", "runs", "gate"],
)
def test_whatever_compares_says_that_a_run_was_stopped_early(uneven, tmp_path, words):
    """In text and in JSON: what is claimed of a run that was looked at on the way says too much."""
    run = run_tournament(uneven(until=Until.SPRT), out=tmp_path / "run")
    words = [word.format(run=run) for word in words]
    text, json = (CliRunner().invoke(app, [*words, *more], env={"COLUMNS": "400"}).stdout for more in ([], ["--json"]))

    assert STOPPED_EARLY in text
    assert any(STOPPED_EARLY in note for note in msgspec.json.decode(json)["notes"])


def test_the_bounds_of_the_likelihood_ratio_are_those_of_the_configuration(uneven, tmp_path):
    """`until: {sprt: {low, high}}`: they are kept in `run.json`, and the verdict names one of them."""
    until = UntilWithBounds(sprt=Bounds(low=-0.1, high=0.1))
    info = read_run(run_tournament(uneven(until=until), out=tmp_path / "run"))

    assert (Until.SPRT, Bounds(low=-0.1, high=0.1)) == (info.until, info.bounds)
    assert "is nearer -0.1 than 0.1 points a block" in info.decision.text


def test_bounds_left_out_are_written_down_too(uneven, tmp_path):
    """Frozen in `run.json`: 0 and 0.05, whatever a later version takes when nothing is said."""
    info = read_run(run_tournament(uneven(until=Until.SPRT, budget=Budget(deals=1)), out=tmp_path / "run"))

    assert Bounds(low=0.0, high=0.05) == info.bounds


def test_bounds_the_wrong_way_round_are_refused(uneven):
    """Expected, found, what to do."""
    with pytest.raises(ConfigurationError, match=r"expected low under high, found low 0.1 and high 0.05"):
        uneven(until=UntilWithBounds(sprt=Bounds(low=0.1)))


def test_sprt_of_more_than_two_is_refused(configure):
    """Expected, found, what to do."""
    with pytest.raises(ConfigurationError, match="sprt is for two"):
        configure(until=Until.SPRT)


def test_a_knockout_has_no_until(configure):
    """Its end is its own."""
    with pytest.raises(ConfigurationError, match="is for a round robin"):
        configure(until=Until.DECIDED, schedule="knockout")


def test_the_focus_bots_of_a_gauntlet_are_decided_among_themselves(uneven, tmp_path):
    """They meet the same opponents, so points compare them; a single one has nobody to be decided from."""
    planner = str(data_folder("bots") / "explorers_planner.py")
    gauntlet = {"bots": (*UNEVEN, planner), "schedule": Format.GAUNTLET}
    folder = run_tournament(uneven(**gauntlet, focus=("random_legal", "explorers_planner")), out=tmp_path / "run")
    info = read_run(folder)

    assert "explorers_planner is first at 95 % after 20 chunks." == info.decision.text
    with pytest.raises(ConfigurationError, match=r"until: it tells apart who met the same .* fewer than two"):
        uneven(**gauntlet, focus=("explorers_planner",))
