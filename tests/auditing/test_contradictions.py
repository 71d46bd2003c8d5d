"""Facts of `run.json` that follow from others in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_files import BOTS, Values, claim, found_in

from tournament import audit, run_tournament
from tournament.auditing import FindingCode, schedule

CONFIGURATION = f"""
name: facts
seed: 7
games:
  - {{game: explorers, players: 2, options: {{stall_limit: 5}}}}
bots:
  - {{name: one, bot: {BOTS / "random_legal.py"}}}
  - {{name: two, bot: {BOTS / "random_legal.py"}}}
  - {{name: three, bot: {BOTS / "random_legal.py"}}}
budget: {{deals: 2}}
isolation: none
"""


def _play(folder: Path, configuration: str) -> Path:
    (folder / "facts.yaml").write_text(configuration)
    return run_tournament(folder / "facts.yaml", out=folder / "run")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two deals a table."""
    return _play(tmp_path_factory.mktemp("facts"), CONFIGURATION)


@pytest.mark.parametrize(
    "lines",
    [
        "budget: {games: 13}",
        "budget: {minutes: 0.01}",
        "budget: {deals: 1}\nschedule: gauntlet\nfocus: [one]",
        "budget: {deals: 1}\nuntil: decided",
        "budget: {deals: 1}\nweights: {explorers: 3}",
    ],
)
def test_nothing_is_wrong_with_other_budgets_and_schedules(tmp_path: Path, lines: str) -> None:
    """Each says its facts in its own way."""
    report = audit(_play(tmp_path, CONFIGURATION.replace("budget: {deals: 2}", lines)))

    assert report.clean, report.findings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values.update(budget={"deals": 3}), "Segment 0 is not what the budget gives."),
        (lambda values: values.update(budget={"games": 11}), "Segment 0 is not what the budget gives."),
        (lambda values: values.update(budget={"games": 0}), "The budget is none."),
        (lambda values: values.update(budget={"hours": 3}), "The budget is none."),
        (lambda values: values.update(budget={}), "The budget is not one of three."),
        (lambda values: values.update(budget={"deals": 2, "games": 12}), "The budget is not one of three."),
        (lambda values: values.update(schedule="gauntlet"), "Segment 0 is not of the schedule of the run."),
        (
            lambda values: values["segments"][0]["fields"][0].update(focus=["one"], blocks=4),
            "Segment 0 is not as long as its fields.",
        ),
        (lambda values: values["segments"][0].update(final=True), "The first segment is a final of nothing."),
        (
            lambda values: values["groups"][0]["entrants"].remove("three"),
            "Somebody plays in segment 0 who is not in the group explorers-2p.",
        ),
        (lambda values: values.pop("finished"), "The run is complete."),
        (lambda values: values.update(state="running"), "The run is running."),
        (lambda values: values.update(started="yesterday"), "`started` is no time."),
        (lambda values: values.update(finished="2026-11-30T20:00:00"), "`finished` is no time."),
        (lambda values: values.update(finished="2001-01-01T00:00:00+00:00"), "It finished before it started."),
        (lambda values: values.pop("limits"), "It does not say what every run but one of 0.1 says."),
        (lambda values: values.pop("withdraw"), "It does not say what every run but one of 0.1 says."),
        (lambda values: values.update(workers=0), "Nobody played it."),
        (lambda values: values.update(weights={"explorers": 2}), "The weights are not the shares of its games."),
        (lambda values: values.update(weights={"scout": 1}), "The weights are not the shares of its games."),
        (
            lambda values: values.update(until="decided"),
            "A complete run that plays until something is decided says what became of that.",
        ),
    ],
)
def test_facts_that_contradict_each_other_are_found(run: Path, change: Callable[[Values], Any], message: str) -> None:
    """`run.json` is of one piece."""
    claim(run, change)

    assert (FindingCode.RUN_FILE, message) in found_in(run)


def test_a_focus_belongs_to_a_gauntlet(run: Path) -> None:
    """In a round robin everybody meets everybody."""

    def change(values: Values) -> None:
        values["segments"][0] |= {"blocks": 4, "games": 8}
        values["segments"][0]["fields"][0] |= {"focus": ["one"], "blocks": 4}

    claim(run, change)

    assert (
        FindingCode.RUN_FILE,
        "A focus is what a gauntlet has, and segment 0 is a round-robin.",
    ) in found_in(run)


def test_a_schedule_far_longer_than_its_results_is_refused_at_once(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of millions of blocks that `run.json` claims no more is worked out than results can be of, and 10,000."""
    monkeypatch.setattr(schedule, "MOST_MISSING", 100)

    def change(values: Values) -> None:
        values["budget"] = {"deals": 1_000_000}
        values["segments"][0] |= {"blocks": 3_000_000, "games": 6_000_000}
        values["segments"][0]["fields"][0]["blocks"] = 3_000_000

    claim(run, change)

    assert [
        (FindingCode.RUN_FILE, "The run is complete, and its schedule goes on."),
        (FindingCode.CONFIGURATION, "It has another budget."),
    ] == found_in(run)


def test_results_by_other_rules_are_not_checked(tmp_path: Path) -> None:
    """Without records nothing but the group says by which rules its games were played."""
    run = _play(tmp_path, f"{CONFIGURATION}keep: none\n")
    claim(run, lambda values: values["groups"][0].update(rules_version=7))
    report = audit(run)

    assert [True] == ["version 7 of the rules" in sentence for sentence in report.unchecked]
