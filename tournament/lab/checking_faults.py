"""Faults as a check saw them: where, of what kind, and how much time there was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tournament.players.base import FaultReason
from tournament.records.hosting import TimeControl
from tournament.records.model import FaultKind

ENOUGH: Final = 2
"""So many faults alike are enough: the next would say the same, and may take as long."""


class SeenFault(NamedTuple):
    """One fault of the bot."""

    id: str
    """Of the game."""

    game: str
    at: int
    """How many moves were made before."""

    kind: FaultKind
    detail: str
    reason: FaultReason | None
    answer: str | None
    log: str | None
    """Its traceback, or else the end of its stderr."""

    answers: int
    """How many decisions it had answered in this game before."""

    left_ms: int | None
    """What was left of its bank at this decision; None where nobody limits it, or before the first."""


_CAME: Final[dict[FaultReason | None, str]] = {
    FaultReason.NO_ANSWER: "no output",
    FaultReason.NO_NEWLINE: "output, but no newline",
}


def are_enough(faults: Iterable[SeenFault]) -> bool:
    """Returns whether two of some faults are alike."""
    seen: dict[tuple[FaultKind, str], int] = {}
    for fault in faults:
        key = fault.kind, fault.detail
        seen[key] = seen.get(key, 0) + 1
    return any(count >= ENOUGH for count in seen.values())


def describe_fault(fault: SeenFault, clock: TimeControl) -> str:
    """Returns what happened, at which decision; of a timeout, what the time was and what was left of it."""
    where = f"{fault.id}, step {fault.at}"
    if fault.answers or fault.kind is not FaultKind.START:
        where += f", its decision {fault.answers + 1}"
    detail = fault.detail
    if fault.kind is FaultKind.TIMEOUT and fault.left_ms is not None:
        came = _CAME.get(fault.reason, detail)
        detail = (
            f"{came} within {clock.move_ms + fault.left_ms} ms: {clock.move_ms} ms that a move is free, and "
            f"{fault.left_ms} ms left of the {clock.bank_ms} ms of its bank"
        )
        if fault.answers:
            detail += f", after {fault.answers} answers in time"
    answer = f"; it answered {fault.answer}" if fault.answer else ""
    return f"{where}: {fault.kind}: {detail}{answer}"
