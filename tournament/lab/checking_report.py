"""What came of a check, as values and for people."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from tournament.records.hosting import Isolation

LOG_LINES: Final = 12
LOG_CHARACTERS: Final = 160


class StepVerdict(StrEnum):
    """How a step went."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Step(Struct, frozen=True, kw_only=True):
    """One step of a check."""

    number: int
    name: str
    verdict: StepVerdict
    found: str
    """What was seen or measured."""

    advice: str | None = None
    """What to do; of a step that failed."""

    log: str | None = None
    """The end of the traceback, or of what the bot wrote to stderr."""


class CheckReport(Struct, frozen=True, kw_only=True):
    """What came of a check."""

    bot: str
    isolation: Isolation | None
    """None when it was not found."""

    passed: bool
    """Whether no step failed."""

    steps: tuple[Step, ...]
    figures: dict[str, float]
    """What was measured: milliseconds, mebibytes and numbers, by name."""

    notices: tuple[str, ...] = ()
    """Protections that this machine lacks."""


def format_check(report: CheckReport) -> str:
    """Returns a check for people: a line a step, and under a failed one what to do."""
    level = "" if report.isolation is None else f" at isolation {report.isolation}"
    lines = [f"Checking {report.bot}{level}", *report.notices]
    shown: str | None = None
    for step in report.steps:
        word = step.verdict.upper() if step.verdict is StepVerdict.FAILED else step.verdict
        lines.append(f"{step.number}. {word:8}{step.name}: {step.found}")
        if step.log:
            lines += [f"       | {line}" for line in (_log_lines(step.log) if step.log != shown else ["as above"])]
            shown = step.log
        if step.advice is not None:
            lines.append(f"   What to do: {step.advice}")
    failed = sum(step.verdict is StepVerdict.FAILED for step in report.steps)
    lines.append("No step failed." if not failed else f"{failed} of {len(report.steps)} steps failed.")
    return "\n".join(lines)


def format_checks(reports: Sequence[CheckReport]) -> str:
    """Returns what came of checking several bots: how many passed, and in which steps the others failed."""
    failed = [report for report in reports if not report.passed]
    lines = [f"{len(reports) - len(failed)} of {len(reports)} bots passed."]
    for report in failed:
        numbers = [str(step.number) for step in report.steps if step.verdict is StepVerdict.FAILED]
        lines.append(f"  {report.bot}: step {', '.join(numbers)} failed")
    return "\n".join(lines)


def _log_lines(log: str) -> list[str]:
    """Returns the first and the last lines of a log: some languages say first what others say last."""
    lines = [line for line in log.splitlines() if line.strip()]
    if len(lines) > LOG_LINES:
        lines = [*lines[: LOG_LINES // 2], "...", *lines[-LOG_LINES // 2 :]]
    return [line if len(line) <= LOG_CHARACTERS else f"{line[:LOG_CHARACTERS]}..." for line in lines]
