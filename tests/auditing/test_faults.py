"""What the audit says of faults and stand-ins that cannot have been as they are recorded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from make_invalid import canonical, golden, resealed

from tournament import audit
from tournament.auditing import Finding, FindingCode

Values = dict[str, Any]


def _findings(tmp_path: Path, name: str, change: Callable[[Values], object]) -> tuple[Finding, ...]:
    values = golden(name)
    change(values)
    path = tmp_path / "game.json"
    path.write_bytes(resealed(values))
    return audit(path).findings


def _fault(values: Values) -> Values:
    fault: Values = values["faults"][0]
    return fault


def _append_second_fault(values: Values) -> None:
    values["faults"].append(_fault(values) | {"at": _fault(values)["at"] + 4})


def _legal_answer(values: Values) -> None:
    move = values["moves"][_fault(values)["at"]]
    action = {key: value for key, value in move.items() if key not in ("seat", "by")}
    _fault(values)["answer"] = canonical(action).decode()


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(at=9999), "later than the last move"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(seat=4), "no such seat"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(at=_fault(v)["at"] + 1), "could not happen"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(kind="start"), "could not happen"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(kind="malformed"), "how the rules refuse"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(kind="crash"), "has no answer"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).pop("answer"), "keeps the answer"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(answer="{}"), "no action of the game"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(answer=" " + _fault(v)["answer"]), "no action of the"),
        ("scout-4p-fault-illegal", _legal_answer, "a legal action"),
        ("scout-4p-fault-illegal", lambda v: _fault(v).update(detail="no"), "another sentence"),
        ("explorers-3p-fault-malformed", lambda v: _fault(v).pop("answer"), "keeps the answer"),
        ("explorers-3p-fault-malformed", lambda v: _fault(v).update(kind="illegal"), "no action of the game"),
        ("scout-5p-fault-crash", _append_second_fault, "had forfeited already"),
        ("scout-4p-aborted", lambda v: v["faults"].reverse(), "out of order"),
    ],
)
def test_a_fault_that_cannot_have_been_is_found(
    tmp_path: Path, name: str, change: Callable[[Values], object], message: str
) -> None:
    """Protocol, Faults."""
    findings = _findings(tmp_path, name, change)

    assert any(message in finding.message.lower() for finding in findings if finding.code is FindingCode.FAULT)


def test_seats_may_fail_at_the_start_in_their_order_and_in_no_other(tmp_path: Path) -> None:
    """The referee starts seat after seat."""
    start = {"at": 0, "kind": "start", "detail": "the bot could not be started"}

    def fail(*seats: int) -> Callable[[Values], None]:
        return lambda values: values.update(faults=[{**start, "seat": seat} for seat in seats])

    in_order = _findings(tmp_path, "scout-3p-two-faults", fail(0, 1))
    out_of_order = _findings(tmp_path, "scout-3p-two-faults", fail(1, 0))

    assert FindingCode.FAULT not in {finding.code for finding in in_order}
    assert FindingCode.FAULT in {finding.code for finding in out_of_order}


def test_a_stand_in_for_a_seat_that_plays_is_found_with_its_step(tmp_path: Path) -> None:
    """`by` marks a stand-in's move."""
    findings = _findings(tmp_path, "scout-2p-stuck", lambda values: values["moves"][5].update(by="stand-in"))

    assert [(finding.code, finding.step) for finding in findings] == [(FindingCode.STAND_IN, 5)]


def test_a_stand_in_that_moves_otherwise_than_its_seed_says_is_found(tmp_path: Path) -> None:
    """The rotation in the id is part of the stand-in's seed."""
    findings = _findings(tmp_path, "scout-4p-fault-illegal", lambda values: values.update(id=values["id"][:-1] + "1"))

    assert {finding.code for finding in findings} == {FindingCode.STAND_IN}
    assert all(finding.expected != finding.found for finding in findings)


def test_a_game_that_goes_on_after_everybody_forfeited_is_found(tmp_path: Path) -> None:
    """Aborted, the game stops at once."""
    findings = _findings(tmp_path, "explorers-2p-aborted", lambda values: values["moves"].append(values["moves"][-1]))

    assert FindingCode.ABORTED in {finding.code for finding in findings}


def test_an_aborted_game_in_which_a_seat_still_played_is_found(tmp_path: Path) -> None:
    """Aborted is when every seat forfeited."""
    findings = _findings(
        tmp_path,
        "scout-2p-stuck",
        lambda values: (values["moves"].pop(), values["result"].update(ending="aborted", places=[1, 1])),
    )

    assert FindingCode.ABORTED in {finding.code for finding in findings}
    assert FindingCode.UNFINISHED not in {finding.code for finding in findings}
