"""`tournament selftest`: what it tries, and what it says."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import ConfigurationError
from tournament.lab.hostile import selftest
from tournament.lab.hostile.kit import Attack, AttackOutcome, Expectation, problems, try_attack
from tournament.lab.hostile.selftest import NOT_STOPPED, SAFE, TRIED, format_selftest
from tournament.records.settings import Isolation

FEW = SAFE[:2]


def good_outcome(expected):
    """Returns the outcome of a bot that ended as it should."""
    return AttackOutcome(
        kinds=(expected.kind,) * 2,
        at=expected.at,
        detail=expected.detail,
        answer=expected.answer,
        log=expected.log or "",
        endings=("complete",) * 2,
        left=(),
    )


def test_each_level_is_tried_and_what_works_is_said(monkeypatch):
    """Says which protections work on this machine."""
    monkeypatch.setattr(selftest, "TRIED", FEW)
    done = CliRunner().invoke(app, ["selftest"])
    values = json.loads(CliRunner().invoke(app, ["selftest", "--json"]).stdout)

    assert 0 == done.exit_code
    assert "isolation process: there" in done.stdout
    assert "a bot that never answers: ok" in done.stdout
    assert ["process", "sandbox"] == [report["isolation"] for report in values]


@pytest.mark.parametrize("level", selftest.LEVELS)
def test_every_misbehaving_bot_is_tried_where_the_level_stops_it(level, monkeypatch):
    """The bots themselves are played in `tests/hostile`, as root and as another user."""
    tried = []

    def note(attack, level):
        tried.append((attack.name, level))
        return good_outcome(attack.at_level(level))

    monkeypatch.setattr(selftest, "try_attack", note)
    (report,) = [one for one in selftest.selftest() if one.isolation is level]
    stopped = [one.attack for one in report.protections if one.stopped]
    passed_over = {one.attack for one in report.protections if not one.stopped}
    unconfined = {attack.name for attack in TRIED if attack.is_unconfined(level)}

    assert [attack.name for attack in TRIED] == [one.attack for one in report.protections]
    assert [(name, level) for name in stopped] == [one for one in tried if one[1] is level]
    assert passed_over == {*NOT_STOPPED.get(level, ()), *unconfined}
    assert report.works


def test_a_level_that_is_missing_is_named_with_its_reason(monkeypatch):
    """Missing or not working, a clear refusal."""

    def refuse(entrants, hosting, *, allow_mixed):
        if hosting.isolation is Isolation.SANDBOX:
            raise ConfigurationError("install bubblewrap")
        return ()

    monkeypatch.setattr(selftest, "prepare_hosting", refuse)
    monkeypatch.setattr(selftest, "TRIED", FEW)
    text = format_selftest(selftest.selftest())

    assert "isolation sandbox: missing\n  install bubblewrap" in text


@pytest.mark.parametrize(
    "expected",
    [
        Expectation(kind="timeout"),
        Expectation(kind="crash", at=0),
        Expectation(kind="crash", detail="x"),
        Expectation(kind="ok"),
    ],
)
def test_an_outcome_that_is_not_the_expected_one_is_a_failed_protection(expected, monkeypatch):
    """The selftest can fail."""
    attack = Attack(name="exits", trouble="if moves == 2: os._exit(3)", expected=expected)
    monkeypatch.setattr(selftest, "TRIED", (attack,))
    monkeypatch.setattr(selftest, "LEVELS", (Isolation.PROCESS,))
    done = CliRunner().invoke(app, ["selftest"])

    assert 1 == done.exit_code
    assert "a bot that exits: FAILED" in done.stdout


def test_what_is_left_behind_is_found():
    """The kit can see files that are left."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        os.chmod(place, 0o777)
        attack = Attack(
            name="leaves a file",
            trouble=f"if kind == 'start': attempt(open, '{place}/left', 'w')",
            expected=Expectation(),
        )
        outcome = try_attack(attack, Isolation.PROCESS, place=Path(place))

    assert ["left behind: file left"] == list(problems(outcome, attack.expected))
