"""The words of files that pages and tables show, in the language of their reader."""

from __future__ import annotations

from collections.abc import Mapping

from tournament.languages import format_number, gettext, ngettext, pgettext
from tournament.records.record import FaultKind
from tournament.records.run import Format, RunState
from tournament.records.settings import Isolation
from tournament.records.standings import Reason


def format_state(state: RunState) -> str:
    """Returns how far a run is, in a word."""
    return {
        RunState.RUNNING: pgettext("state of a run", "running"),
        RunState.INTERRUPTED: pgettext("state of a run", "interrupted"),
        RunState.FAILED: pgettext("state of a run", "failed"),
        RunState.COMPLETE: pgettext("state of a run", "complete"),
    }[state]


def format_schedule(schedule: Format) -> str:
    """Returns how the tables of a run are made up, in a word."""
    return {
        Format.ROUND_ROBIN: gettext("round-robin"),
        Format.GAUNTLET: gettext("gauntlet"),
        Format.KNOCKOUT: gettext("knockout"),
    }[schedule]


def format_kind(kind: str) -> str:
    """Returns the kind of a fault, in a word."""
    words: dict[str, str] = {
        FaultKind.START: pgettext("kind of fault", "start"),
        FaultKind.CRASH: pgettext("kind of fault", "crash"),
        FaultKind.TIMEOUT: pgettext("kind of fault", "timeout"),
        FaultKind.ILLEGAL: pgettext("kind of fault", "illegal"),
        FaultKind.MALFORMED: pgettext("kind of fault", "malformed"),
        FaultKind.FLOOD: pgettext("kind of fault", "flood"),
        FaultKind.MEMORY: pgettext("kind of fault", "memory"),
    }
    return words.get(kind, kind)


def format_kinds(counts: Mapping[str, int]) -> str:
    """Returns how many faults of each kind there are: `2 crashes, 1 timeout`."""
    return ", ".join(_count_kind(kind, count) for kind, count in counts.items())


def _count_kind(kind: str, count: int) -> str:
    words: dict[str, str] = {
        FaultKind.START: ngettext("{count} failed start", "{count} failed starts", count),
        FaultKind.CRASH: ngettext("{count} crash", "{count} crashes", count),
        FaultKind.TIMEOUT: ngettext("{count} timeout", "{count} timeouts", count),
        FaultKind.ILLEGAL: ngettext("{count} illegal action", "{count} illegal actions", count),
        FaultKind.MALFORMED: ngettext("{count} malformed answer", "{count} malformed answers", count),
        # Translators: a flood is more output than is taken
        FaultKind.FLOOD: ngettext("{count} flood", "{count} floods", count),
        FaultKind.MEMORY: ngettext("{count} time out of memory", "{count} times out of memory", count),
    }
    return words.get(kind, f"{format_number(count)} {kind}")  # another version may know more kinds


def format_isolation(isolation: Isolation) -> str:
    """Returns what kept the bots of a run apart, in a word."""
    return {
        Isolation.NONE: pgettext("isolation", "none"),
        Isolation.PROCESS: pgettext("isolation", "process"),
        Isolation.SANDBOX: pgettext("isolation", "sandbox"),
    }[isolation]


def format_reason(reason: Reason) -> str:
    """Returns why games were left out, in a few words."""
    return {
        Reason.DUPLICATE: gettext("duplicate"),
        Reason.HALF_BLOCK: gettext("half block"),
        Reason.CLASH: gettext("clash"),
    }[reason]
