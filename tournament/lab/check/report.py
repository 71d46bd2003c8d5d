"""The result of a check, as values and for people, and advice to the author of a bot on what to do about it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from tournament.entrants.model import BotKind, BotSource
from tournament.players.base import FaultReason
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation, Limits, TimeControl

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
    """What was found or measured."""

    advice: str | None = None
    """What to do about a step that failed."""

    log: str | None = None
    """The end of the traceback, or of what the bot wrote to stderr."""


class CheckReport(Struct, frozen=True, kw_only=True):
    """The result of a check."""

    bot: str
    isolation: Isolation | None
    """None when the bot was not found."""

    passed: bool
    """Whether no step failed."""

    steps: tuple[Step, ...]
    figures: dict[str, float]
    """Measurements by name: milliseconds (`_ms`), mebibytes (`_mb`) and counts."""

    notices: tuple[str, ...] = ()
    """Protections that this machine lacks."""


def format_check(report: CheckReport) -> str:
    """Returns a check for people: one line for each step, and what to do under one that failed."""
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
    """Returns how many of several bots passed, and in which steps the others failed."""
    failed = [report for report in reports if not report.passed]
    lines = [f"{len(reports) - len(failed)} of {len(reports)} bots passed."]
    for report in failed:
        numbers = [str(step.number) for step in report.steps if step.verdict is StepVerdict.FAILED]
        lines.append(f"  {report.bot}: step {', '.join(numbers)} failed")
    return "\n".join(lines)


def _log_lines(log: str) -> list[str]:
    """Returns the first and the last lines of a log: where the error stands depends on the language."""
    lines = [line for line in log.splitlines() if line.strip()]
    if len(lines) > LOG_LINES:
        lines = [*lines[: LOG_LINES // 2], "...", *lines[-LOG_LINES // 2 :]]
    return [line if len(line) <= LOG_CHARACTERS else f"{line[:LOG_CHARACTERS]}..." for line in lines]


NOT_FOUND: Final = (
    "Fix what the line above says, or name another; `tournament bot list FOLDER` shows which bots are there."
)
TOO_SLOW: Final = "Think less: what a move takes beyond its free time comes from a bank that ends."
STRAY_LINES: Final = "Print to stderr instead: stdout is for one answer a request, and nothing else."
LINES_ABOVE: Final = "Fix what the lines above say."
IN_DEBUGGER: Final = (
    "Nothing was written to stderr. Log there what it does, or play it again in a debugger: make a run with it, then "
    "tournament repro RUN#GAME, and repro.py --wait."
)
NATIVE: Final = (
    "Python itself ended without a message: look for os._exit, for modules written in C, and for too much memory."
)
_FRAME: Final = re.compile(r'^ *File "(?P<path>.+)", line (?P<line>\d+)(?:, in (?P<where>.+))?$', re.MULTILINE)
_NO_MODULE: Final = re.compile(r"No module named '([^']+)'")
_MEMORY: Final = re.compile(r"MemoryError|bad_alloc|out of memory|allocation failed", re.IGNORECASE)


class Advice(Struct, frozen=True, kw_only=True):
    """Advice to the author of one bot, in words that fit Python bots or other programs."""

    source: BotSource
    clock: TimeControl
    limits: Limits

    @property
    def is_python(self) -> bool:
        """Whether it is a Python bot, for which our host speaks the protocol."""
        return self.source.kind is not BotKind.COMMAND

    def on_fault(
        self,
        kind: FaultKind,
        reason: FaultReason | None,
        *,
        log: str | None,
        said_hello: bool = True,
        has_answered: bool = False,
    ) -> str:
        """Returns what to do about a fault; `log` is its traceback, or else the bot's stderr.

        `has_answered`: the bot answered earlier requests of the game, so it does flush its output.
        """
        has_raised = reason in (FaultReason.RAISED, FaultReason.RAISED_IN_START)
        has_ended = reason is FaultReason.ENDED
        if (has_ended or has_raised or reason is FaultReason.NOT_IMPORTED) and _MEMORY.search(log or ""):
            return self.memory()
        if has_raised:
            return self._on_exception(log or "")
        if has_ended:
            return LINES_ABOVE if log else NATIVE if self.is_python else IN_DEBUGGER
        match kind:
            case FaultKind.START:
                return self._on_start(reason, log or "", said_hello=said_hello)
            case FaultKind.CRASH:
                return "Keep stdout open until quit comes."
            case FaultKind.TIMEOUT:
                move_ms, bank_ms = self.clock.move_ms, self.clock.bank_ms
                sooner = f"Answer sooner: a move has {move_ms} ms, and a game {bank_ms} ms more for all its moves"
                return f"{sooner}." if has_answered else self._in_time(reason, sooner)
            case FaultKind.ILLEGAL:
                return self._wording(
                    python="Return one of view.legal_actions().",
                    program="Answer with one of the actions in `legal` of the request.",
                )
            case FaultKind.MALFORMED:
                return self._on_malformed(reason)
            case FaultKind.FLOOD:
                most = self.limits.stderr_bytes
                less = self._wording(python="Print less", program="Write less to stderr")
                return f"{less}: {most} bytes a game, or allow more: limits: {{stderr_bytes: {4 * most}}}."
            case FaultKind.MEMORY:
                return self.memory()

    def chance(self) -> str:
        """Returns what to do when equal seeds gave different moves."""
        where = self._wording(
            python="`info.rng` of `start` (not from the module random)", program="`rng` of the request `start`"
        )
        return f"Draw all chance from {where}, and let no clock, thread, file or order of a set decide."

    def kept(self) -> str:
        """Returns what to do when a game goes another way after other games in the same process."""
        return self._wording(
            python="Keep nothing from one game to the next: a generator such as random.Random(42) on the top level of "
            "a file goes on where the game before left it. Take info.rng of `start`, and set in `start` whatever a "
            "module or a class holds.",
            program="Keep nothing from one game to the next: set everything anew at each request `start`, and draw all "
            "chance from its `rng`.",
        )

    def files(self, names: Sequence[str]) -> str:
        """Returns what to do about files that a bot opens, but its fingerprint does not cover."""
        return (
            f"List them in its entry of the configuration, files: [{', '.join(names)}], or give it a folder of its "
            "own: where no other bot lies all files count that are not hidden."
        )

    def memory(self) -> str:
        """Returns what to do when the bot holds too much memory."""
        more = 2 * self.limits.memory_mb
        return (
            f"Hold less than {self.limits.memory_mb} MiB in memory, or ask for more in a configuration: "
            f"limits: {{memory_mb: {more}}}."
        )

    def _on_start(self, reason: FaultReason | None, log: str, *, said_hello: bool) -> str:
        if reason is FaultReason.NOT_IMPORTED:
            return self._on_import(log)
        if reason is FaultReason.NOT_EXECUTED:
            return "Build it for this machine; a script needs a first line such as #!/usr/bin/env node, and chmod +x."
        if reason is FaultReason.OTHER_GAME:
            return "Name the games it plays in `games` of ready, or leave that out: then it plays all."
        if reason is FaultReason.OTHER_PLAYERS:
            return (
                "Name with how many it plays in its entry, such as players: [2], which leaves it out of other tables; "
                "or in `players` of ready all it plays with."
            )
        if reason in (FaultReason.NO_ANSWER, FaultReason.NO_NEWLINE):
            ms, key = (self.clock.newgame_ms, "newgame_ms") if said_hello else (self.clock.start_ms, "start_ms")
            where = self._wording(
                python="in __init__ and start" if said_hello else "on the top level of the file",
                program="before ok" if said_hello else "before ready",
            )
            return self._in_time(
                reason, f"Do less {where}: there are {ms} ms, or allow more: clock: {{{key}: {3 * ms}}}"
            )
        return (
            "Answer hello with ready and start with ok: a line of JSON that repeats the id; print all else to stderr."
        )

    def _on_import(self, log: str) -> str:
        module = _NO_MODULE.search(log)
        if module is not None:
            return (
                f"If {module[1]} is a file of yours, put it into the folder of the bot; if it is a library, install it "
                "where the bot is played, name an environment that has it (python: in a configuration), or do without "
                "it."
            )
        whole = f"Fix that line; python {os.path.basename(self.source.path)} shows the whole traceback."
        return self._named_like_library(log) or whole

    def _on_exception(self, log: str) -> str:
        """Returns what to mend after an exception: the last line in the bot's own files, and what was raised."""
        last = log.strip().splitlines()[-1] if log.strip() else ""
        if "__init__()" in last and "argument" in last:
            return "Give parameters of __init__ a default, or a value in a configuration: params: {depth: 2}."
        frames = [one for one in _FRAME.finditer(log) if self._is_own(one["path"])]
        if not frames:
            return LINES_ABOVE
        where = "" if frames[-1]["where"] is None else f", in {frames[-1]['where']}"
        mend = f"Fix {os.path.basename(frames[-1]['path'])}, line {frames[-1]['line']}{where}: {last}"
        return f"{mend} {self._named_like_library(last)}".rstrip()

    def _named_like_library(self, log: str) -> str:
        """Returns advice on a module beside the bot that a log names, and that the standard library hides."""
        for path in sorted(Path(self.source.folder).glob("*.py")) if self.source.kind is BotKind.FILE else ():
            name = path.stem
            if name in sys.stdlib_module_names and re.search(rf"\b{name}\b", log):
                return (
                    f"{path.name} beside it is named like a module of the standard library, which comes first: rename "
                    f"it, or write from . import {name}."
                )
        return ""

    def _is_own(self, path: str) -> bool:
        return path.startswith(os.path.join(self.source.folder, ""))

    def _on_malformed(self, reason: FaultReason | None) -> str:
        if self.is_python:
            return "Return an action from act: one of view.legal_actions()."
        if reason is FaultReason.WRONG_ID:
            return "Answer each request once, with the id of that request, and say nothing unasked."
        return (
            'Answer act with one line {"type":"action","id":ID,"action":ACTION}, where ACTION is one of `legal`; '
            "print all else to stderr."
        )

    def _in_time(self, reason: FaultReason | None, sooner: str) -> str:
        """Returns what to do about a missing answer, which a program may have written and not flushed."""
        if self.is_python:
            return f"{sooner}."
        if reason is FaultReason.NO_NEWLINE:
            return f"End each answer with a newline, and flush. If it does: {_small(sooner)}."
        return f"Flush stdout after every line: a pipe holds lines back. If it does: {_small(sooner)}."

    def _wording(self, *, python: str, program: str) -> str:
        return python if self.is_python else program


def _small(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def milliseconds(value: float) -> str:
    """Returns a time, the short ones with two decimals."""
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"
