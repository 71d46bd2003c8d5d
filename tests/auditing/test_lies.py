"""Lies that the records cannot show: in `run.json`, and in results without a record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from make_invalid import resealed
from run_files import BOTS, Values, claim, found_in, results_of, write_results

from tournament import audit, run_tournament
from tournament.auditing import FindingCode

CONFIGURATION = f"""
name: tiny
seed: 7
games:
  - {{game: explorers, players: 2, options: {{stall_limit: 5}}}}
bots:
  - {{name: one, bot: {BOTS / "random_legal.py"}}}
  - {{name: two, bot: {BOTS / "random_legal.py"}}}
  - {{name: late, bot: faulty.py}}
budget: {{deals: 2}}
keep: none
isolation: none
workers: 1
"""
FAULTY = """
from tournament import Bot


class Faulty(Bot):
    def act(self, view):
        raise ValueError("tired")
"""


def _play(folder: Path, *, keep: str) -> Path:
    (folder / "faulty.py").write_text(FAULTY)
    (folder / "tiny.yaml").write_text(CONFIGURATION.replace("keep: none", f"keep: {keep}"))
    return run_tournament(folder / "tiny.yaml", out=folder / "run")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without records, from which a bot that always fails was withdrawn."""
    return _play(tmp_path_factory.mktemp("lies"), keep="none")


def _notes(run: Path) -> list[str]:
    return [note.removeprefix(f"{run}: ") for note in audit(run).notes]


def _block(number: int) -> str:
    return f"explorers-2p.0.{number:06}"


def _leave_out(run: Path, numbers: set[int]) -> None:
    """Drops the results of some blocks."""
    blocks = {_block(number) for number in numbers}
    write_results(run, [one for one in results_of(run) if one["id"].rpartition(".")[0] not in blocks])


# What has to be believed


def test_a_run_without_records_is_clean_and_says_what_is_believed(played: Path) -> None:
    """Whatever was not checked is said."""
    assert found_in(played) == []
    assert json.loads((played / "run.json").read_bytes())["withdrawn"]
    assert _notes(played) == [f"{len(results_of(played))} results have no record: believed, not checked."]


def test_a_void_block_is_noted_because_only_run_json_says_so(run: Path) -> None:
    """Nothing shows whether a machine failed."""
    _leave_out(run, {0})
    claim(run, lambda values: values.update(void=[{"block": _block(0), "why": "machine failure"}]))

    assert f"Block {_block(0)} was not played: machine failure. run.json alone says so." in _notes(run)


def test_a_disqualification_is_noted_because_only_run_json_says_so(run: Path) -> None:
    """Nothing shows why somebody was disqualified."""
    claim(run, lambda values: values.update(disqualified=[{"entrant": "late", "reason": "slow"}]))

    assert "late is disqualified, and no block with it counts: slow. run.json alone says so." in _notes(run)


def test_an_early_end_by_a_replaced_bot_is_noted(run: Path) -> None:
    """Nothing shows that a bot was changed."""

    def change(values: Values) -> None:
        first = values["segments"][0]
        values["segments"].append({**first, "number": 1})
        first["ended_after"] = 2
        values["replaced"] = {"one": "two"}

    claim(run, change)

    assert (
        "Only 2 of the 6 blocks of segment 0 count: the bots of one (now two) were changed. run.json alone says so."
        in _notes(run)
    )


def test_an_early_end_by_a_decision_is_noted(run: Path) -> None:
    """The audit does not decide again."""

    def change(values: Values) -> None:
        values["segments"][0]["ended_after"] = 1
        values["until"] = "decided"
        values["decision"] = {"decided": True, "after": _block(0), "text": "one is first."}

    claim(run, change)

    assert "Only 1 of the 6 blocks of segment 0 count: one is first. run.json alone says so." in _notes(run)


# What contradicts itself


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"void": [{"block": _block(99), "why": "fire"}]}, "A block is void that the run has not."),
        ({"void": [{"block": "here", "why": "fire"}]}, "A block is void that the run has not."),
        ({"void": [{"block": _block(0), "why": "fire"}] * 2}, "A block is void twice."),
        ({"void": [{"block": _block(0), "why": "fire"}]}, "A void block has results."),
        (
            {"withdrawn": [{"entrant": "ghost", "after": _block(0), "why": "fire"}]},
            "Somebody is withdrawn who takes no part.",
        ),
        (
            {"withdrawn": [{"entrant": "late", "after": _block(99), "why": "fire"}]},
            "A block is the last of somebody withdrawn that the run has not.",
        ),
        ({"replaced": {"one": "ghost"}}, "Somebody is replaced who takes no part."),
        ({"replaced": {"ghost": "one"}}, "Somebody is replaced who takes no part."),
        ({"disqualified": [{"entrant": "ghost", "reason": "fire"}]}, "Somebody is disqualified who takes no part."),
        (
            {"until": "decided", "decision": {"decided": True, "after": _block(99), "text": "one"}},
            "A block decided the run that the run has not.",
        ),
        (
            {"until": "decided", "decision": {"decided": True, "after": _block(0), "text": "one"}},
            "Somebody decided the run, and yet nothing ended.",
        ),
        (
            {"until": "decided", "decision": {"decided": True, "after": _block(0), "text": "one"}, "ended_after": 2},
            "Segment 0 does not end with the block that decided the run.",
        ),
        (
            {"decision": {"decided": False, "after": _block(0), "text": "one"}},
            "A decision is told of a run that was not to be decided.",
        ),
    ],
)
def test_a_claim_that_contradicts_the_run_is_found(run: Path, changes: Values, message: str) -> None:
    """`run.json` is of one piece."""

    def change(values: Values) -> None:
        values.update(changes)
        if "ended_after" in changes:
            values["segments"][0]["ended_after"] = values.pop("ended_after")

    claim(run, change)

    assert (FindingCode.RUN_FILE, message) in found_in(run)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [(2, "Segment 0 ended early, and nothing says why."), (70, "Segment 0 ended after its end.")],
)
def test_an_early_end_without_a_reason_is_found(run: Path, blocks: int, message: str) -> None:
    """A segment ends early by a decision or when a bot is replaced."""
    claim(run, lambda values: values["segments"][0].update(ended_after=blocks))

    assert (FindingCode.RUN_FILE, message) in found_in(run)


@pytest.mark.parametrize("change", [list.clear, lambda withdrawn: withdrawn[0].update(entrant="one")])
def test_a_withdrawal_that_the_faults_do_not_give_is_found(run: Path, change: Callable[[list[Values]], Any]) -> None:
    """Protocol, Faults: who fails too often is withdrawn, and nobody else."""
    claim(run, lambda values: change(values["withdrawn"]))

    assert any("The withdrawals are not what the results give" in message for _, message in found_in(run))


def test_a_balance_that_is_not_that_of_the_blocks_is_found(run: Path) -> None:
    """Balance is counted again."""
    claim(run, lambda values: values["balance"][0]["appearances"].update(one=99))

    assert found_in(run) == [
        (FindingCode.RUN_FILE, "The balance is not that of the schedule, in $[0].appearances.one.")
    ]


# Results without a record


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": [1]}, "Seats, scores and places are not those of so many players."),
        ({"scores": [5, 4], "places": [2, 1]}, "The places are not what the scores give."),
        ({"ending": "move-limit", "scores": [5, 4], "places": [1, 2]}, "The places are not what the scores give."),
        ({"ending": "aborted"}, "Aborted is a game in which every seat forfeited, and no other."),
        ({"ending": "bored"}, "A game does not end so."),
        ({"forfeits": [0]}, "The forfeits are not the seats with a fault."),
        ({"faults": [[0, "crash"]]}, "The forfeits are not the seats with a fault."),
        ({"faults": [[7, "crash"]], "forfeits": [7]}, "The forfeits are not the seats with a fault."),
        ({"seats": ["one", "one"]}, "These cannot have sat at one table."),
        ({"seats": ["one", "ghost"]}, "These cannot have sat at one table."),
    ],
)
def test_a_result_that_contradicts_itself_is_found(run: Path, changes: Values, message: str) -> None:
    """Without its record a result has to be possible at least."""
    results = results_of(run)
    next(one for one in results if not one.get("faults")).update(changes)
    write_results(run, results)

    assert (FindingCode.RESULTS, message) in found_in(run)


def test_a_digest_that_two_games_have_is_found(run: Path) -> None:
    """Two games are never the same record: their ids differ."""
    results = results_of(run)
    results[1]["digest"] = results[0]["digest"]
    write_results(run, results)

    assert (FindingCode.RESULTS, "Another game has this digest.") in found_in(run)


def test_a_what_if_in_a_run_is_found(tmp_path: Path) -> None:
    """A what-if stands in a file of its own."""
    run = _play(tmp_path, keep="all")
    lines = (run / "games.jsonl").read_bytes().splitlines()
    values = json.loads(lines[0])
    values["parent"] = {"digest": "0" * 64, "move": 0}
    (run / "games.jsonl").write_bytes(b"".join(line + b"\n" for line in (resealed(values), *lines[1:])))

    assert (FindingCode.PARENT, "A what-if is no game of a run.") in found_in(run)
