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
from tournament.languages import (
    KeptNumber,
    KeptWord,
    gettext,
    gettext_noop,
    kept_gettext,
    kept_row,
    ngettext,
    pgettext,
    spoken,
)
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
    if report.isolation is None:
        lines = [gettext("Checking {bot}", bot=report.bot)]
    else:
        lines = [gettext("Checking {bot} at isolation {isolation}", bot=report.bot, isolation=report.isolation)]
    lines += report.notices
    words = _verdict_words()
    width = max(map(len, words.values())) + 1
    shown: str | None = None
    for step in report.steps:
        word = words[step.verdict].ljust(width)
        lines.append(f"{step.number}. {word}{format_step_name(step.name)}: {spoken(step.found)}")
        if step.log:
            above = [gettext("as above")]
            lines += [f"       | {line}" for line in (_log_lines(step.log) if step.log != shown else above)]
            shown = step.log
        if step.advice is not None:
            advice = gettext("What to do: {advice}", advice=spoken(step.advice))
            lines.append(f"   {advice}")
    lines.append(_format_count_failed(report))
    return "\n".join(lines)


def _format_count_failed(report: CheckReport) -> str:
    failed = sum(step.verdict is StepVerdict.FAILED for step in report.steps)
    if not failed:
        return gettext("No step failed.")
    count = len(report.steps)
    return ngettext("{failed} of {count} step failed.", "{failed} of {count} steps failed.", count, failed=failed)


def _verdict_words() -> dict[StepVerdict, str]:
    return {
        StepVerdict.PASSED: gettext("passed"),
        StepVerdict.FAILED: pgettext("step of a check, in capitals", "FAILED"),
        StepVerdict.SKIPPED: gettext("skipped"),
    }


def format_step_name(name: str) -> str:
    """Returns what a step of a check looks at, in the present language; an arena has two steps more."""
    names = {
        "unpacked": gettext("unpacked"),
        "built": gettext("built"),
        "found": gettext("found"),
        "loads": gettext("loads"),
        "starts in time": gettext("starts in time"),
        "answers legally in fixed games": gettext("answers legally in fixed games"),
        "plays games": gettext("plays games"),
        "same seed, same moves": gettext("same seed, same moves"),
        "time per move": gettext("time per move"),
        "nothing on stdout": gettext("nothing on stdout"),
        "memory": pgettext("step of a check", "memory"),
        "files it opens": gettext("files it opens"),
    }
    return names.get(name, name)


def format_checks(reports: Sequence[CheckReport]) -> str:
    """Returns how many of several bots passed, and in which steps the others failed."""
    failed = [report for report in reports if not report.passed]
    passed = len(reports) - len(failed)
    lines = [
        ngettext("{passed} of {count} bot passed.", "{passed} of {count} bots passed.", len(reports), passed=passed)
    ]
    for report in failed:
        numbers = [str(step.number) for step in report.steps if step.verdict is StepVerdict.FAILED]
        told = ngettext(
            "{bot}: step {numbers} failed",
            "{bot}: steps {numbers} failed",
            len(numbers),
            bot=report.bot,
            numbers=", ".join(numbers),
        )
        lines.append(f"  {told}")
    return "\n".join(lines)


def _log_lines(log: str) -> list[str]:
    """Returns the first and the last lines of a log: where the error stands depends on the language."""
    lines = [line for line in log.splitlines() if line.strip()]
    if len(lines) > LOG_LINES:
        lines = [*lines[: LOG_LINES // 2], "...", *lines[-LOG_LINES // 2 :]]
    return [line if len(line) <= LOG_CHARACTERS else f"{line[:LOG_CHARACTERS]}..." for line in lines]


NOT_FOUND: Final = gettext_noop(
    "Fix what the line above says, or name another; `tournament bot list FOLDER` shows which bots are there."
)
TOO_SLOW: Final = gettext_noop("Think less: what a move takes beyond its free time comes from a bank that ends.")
STRAY_LINES: Final = gettext_noop("Print to stderr instead: stdout is for one answer a request, and nothing else.")
LINES_ABOVE: Final = gettext_noop("Fix what the lines above say.")
IN_DEBUGGER: Final = gettext_noop(
    "Nothing was written to stderr. Log there what it does, or play it again in a debugger: make a run with it, then "
    "tournament repro RUN#GAME, and repro.py --wait."
)
NATIVE: Final = gettext_noop(
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
    packages: tuple[str, ...] | None = None
    """What bots may import beside the standard library, where a host decides that."""

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
                return kept_gettext("Keep stdout open until quit comes.")
            case FaultKind.TIMEOUT:
                return self._on_timeout(None if has_answered else reason, has_answered=has_answered)
            case FaultKind.ILLEGAL:
                if self.is_python:
                    return kept_gettext("Return one of view.legal_actions().")
                return kept_gettext("Answer with one of the actions in `legal` of the request.")
            case FaultKind.MALFORMED:
                return self._on_malformed(reason)
            case FaultKind.FLOOD:
                return self._on_flood()
            case FaultKind.MEMORY:
                return self.memory()

    def chance(self) -> str:
        """Returns what to do when equal seeds gave different moves."""
        if self.is_python:
            return kept_gettext(
                "Draw all chance from `info.rng` of `start` (not from the module random), and let no clock, thread, "
                "file or order of a set decide."
            )
        return kept_gettext(
            "Draw all chance from `rng` of the request `start`, and let no clock, thread, file or order of a set "
            "decide."
        )

    def kept(self) -> str:
        """Returns what to do when a game goes another way after other games in the same process."""
        if self.is_python:
            return kept_gettext(
                "Keep nothing from one game to the next: a generator such as random.Random(42) on the top level of a "
                "file goes on where the game before left it. Take info.rng of `start`, and set in `start` whatever a "
                "module or a class holds."
            )
        return kept_gettext(
            "Keep nothing from one game to the next: set everything anew at each request `start`, and draw all chance "
            "from its `rng`."
        )

    def files(self, names: Sequence[str]) -> str:
        """Returns what to do about files that a bot opens, but its fingerprint does not cover."""
        setting = f"files: [{', '.join(names)}]"
        return kept_gettext(
            "List them in its entry of the configuration, {setting}, or give it a folder of its own: where no other "
            "bot lies all files count that are not hidden.",
            setting=setting,
        )

    def memory(self) -> str:
        """Returns what to do when the bot holds too much memory."""
        most_mb = self.limits.memory_mb
        setting = f"limits: {{memory_mb: {2 * most_mb}}}"
        return kept_gettext(
            "Hold less than {most_mb} MiB in memory, or ask for more in a configuration: {setting}.",
            most_mb=KeptNumber(most_mb),
            setting=setting,
        )

    def _on_timeout(self, reason: FaultReason | None, *, has_answered: bool) -> str:
        values = {"move_ms": KeptNumber(self.clock.move_ms), "bank_ms": KeptNumber(self.clock.bank_ms)}
        if has_answered or self.is_python:
            return kept_gettext(
                "Answer sooner: a move has {move_ms} ms, and a game {bank_ms} ms more for all its moves.", **values
            )
        return self._flush(
            reason,
            kept_gettext(
                "answer sooner: a move has {move_ms} ms, and a game {bank_ms} ms more for all its moves.", **values
            ),
        )

    def _on_flood(self) -> str:
        most_bytes = self.limits.stderr_bytes
        most, setting = KeptNumber(most_bytes), f"limits: {{stderr_bytes: {4 * most_bytes}}}"
        if self.is_python:
            return kept_gettext(
                "Print less: {most} bytes a game, or allow more: {setting}.", most=most, setting=setting
            )
        return kept_gettext(
            "Write less to stderr: {most} bytes a game, or allow more: {setting}.", most=most, setting=setting
        )

    def _on_start(self, reason: FaultReason | None, log: str, *, said_hello: bool) -> str:
        if reason is FaultReason.NOT_IMPORTED:
            return self._on_import(log)
        if reason is FaultReason.NOT_EXECUTED:
            return kept_gettext(
                "Build it for this machine; a script needs a first line such as #!/usr/bin/env node, and chmod +x."
            )
        if reason is FaultReason.OTHER_GAME:
            return kept_gettext("Name the games it plays in `games` of ready, or leave that out: then it plays all.")
        if reason is FaultReason.OTHER_PLAYERS:
            return kept_gettext(
                "Name with how many it plays in its entry, such as players: [2], which leaves it out of other tables; "
                "or in `players` of ready all it plays with."
            )
        if reason in (FaultReason.NO_ANSWER, FaultReason.NO_NEWLINE):
            return self._on_slow_start(reason, said_hello=said_hello)
        return kept_gettext(
            "Answer hello with ready and start with ok: a line of JSON that repeats the id; print all else to stderr."
        )

    def _on_slow_start(self, reason: FaultReason | None, *, said_hello: bool) -> str:
        ms, key = (self.clock.newgame_ms, "newgame_ms") if said_hello else (self.clock.start_ms, "start_ms")
        values = {"most_ms": KeptNumber(ms), "setting": f"clock: {{{key}: {3 * ms}}}"}
        if self.is_python and said_hello:
            return kept_gettext(
                "Do less in __init__ and start: there are {most_ms} ms, or allow more: {setting}.", **values
            )
        if self.is_python:
            return kept_gettext(
                "Do less on the top level of the file: there are {most_ms} ms, or allow more: {setting}.", **values
            )
        if said_hello:
            less = kept_gettext("do less before ok: there are {most_ms} ms, or allow more: {setting}.", **values)
        else:
            less = kept_gettext("do less before ready: there are {most_ms} ms, or allow more: {setting}.", **values)
        return self._flush(reason, less)

    def _on_import(self, log: str) -> str:
        module = _NO_MODULE.search(log)
        if module is not None:
            return kept_gettext(
                "If {module} is a file of yours, put it into the folder of the bot; {library}",
                module=module[1],
                library=self._on_library(),
            )
        command = f"python {os.path.basename(self.source.path)}"
        whole = kept_gettext("Fix that line; {command} shows the whole traceback.", command=command)
        return self._named_like_library(log) or whole

    def _on_library(self) -> str:
        """Returns what to do about a library that is not there."""
        if self.packages is None:
            return kept_gettext(
                "if it is a library, install it where the bot is played, name an environment that has it (python: in a "
                "configuration), or do without it."
            )
        return kept_gettext(
            "if it is a library, do without it, or ask the host for it. Libraries that bots may import here: {known}.",
            known=", ".join(self.packages) or KeptWord(gettext_noop("none")),
        )

    def _on_exception(self, log: str) -> str:
        """Returns what to mend after an exception: the last line in the bot's own files, and what was raised."""
        last = log.strip().splitlines()[-1] if log.strip() else ""
        if "__init__()" in last and "argument" in last:
            return kept_gettext(
                "Give parameters of __init__ a default, or a value in a configuration: {setting}.",
                setting="params: {depth: 2}",
            )
        frames = [one for one in _FRAME.finditer(log) if self._is_own(one["path"])]
        if not frames:
            return LINES_ABOVE
        frame = frames[-1]
        values = {"file": os.path.basename(frame["path"]), "line": frame["line"], "problem": last}
        if frame["where"] is None:
            mend = kept_gettext("Fix {file}, line {line}: {problem}", **values)
        else:
            mend = kept_gettext("Fix {file}, line {line}, in {where}: {problem}", where=frame["where"], **values)
        library = self._named_like_library(last)
        return kept_row([mend, library], " ") if library else mend

    def _named_like_library(self, log: str) -> str:
        """Returns advice on a module beside the bot that a log names, and that the standard library hides."""
        for path in sorted(Path(self.source.folder).glob("*.py")) if self.source.kind is BotKind.FILE else ():
            name = path.stem
            if name in sys.stdlib_module_names and re.search(rf"\b{name}\b", log):
                line = f"from . import {name}"
                return kept_gettext(
                    "{file} beside it is named like a module of the standard library, which comes first: rename it, or "
                    "write {line}.",
                    file=path.name,
                    line=line,
                )
        return ""

    def _is_own(self, path: str) -> bool:
        return path.startswith(os.path.join(self.source.folder, ""))

    def _on_malformed(self, reason: FaultReason | None) -> str:
        if self.is_python:
            return kept_gettext("Return an action from act: one of view.legal_actions().")
        if reason is FaultReason.WRONG_ID:
            return kept_gettext("Answer each request once, with the id of that request, and say nothing unasked.")
        return kept_gettext(
            "Answer act with one line {line}, where ACTION is one of `legal`; print all else to stderr.",
            line='{"type":"action","id":ID,"action":ACTION}',
        )

    def _flush(self, reason: FaultReason | None, sooner: str) -> str:
        """Returns what to do about a missing answer, which a program may have written and not flushed."""
        if reason is FaultReason.NO_NEWLINE:
            return kept_gettext("End each answer with a newline, and flush. If it does: {sooner}", sooner=sooner)
        return kept_gettext(
            "Flush stdout after every line: a pipe holds lines back. If it does: {sooner}", sooner=sooner
        )
