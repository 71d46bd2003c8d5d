"""The check of a version: unpacked, built, and tried as `bot check` does, step by step, in a process of its own.

What goes wrong in the program is a step that fails, or a defect, with what to do about it. Everything else is the
machine's: no sandbox, a full disk, a worker that was killed, an error of ours. Then the version is put back.
"""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path
from time import monotonic
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tournament.arena.checks.building import build_program
from tournament.arena.checks.check_steps import CheckOutcome, CheckSentences, CheckSteps
from tournament.arena.checks.defects import (
    READING_SECONDS,
    Defect,
    DefectKind,
    SubmissionError,
    format_defect,
    refuse,
    told_seconds,
)
from tournament.arena.checks.programs import (
    entrant_of,
    program_digest,
    read_bot_file,
    spec_of,
    with_python,
    without_place,
)
from tournament.arena.checks.submissions import processor_seconds, unpack
from tournament.arena.files import CompetitionFile, read_json, write_json
from tournament.arena.folder import CheckFile, VersionFolder
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import hosting_of
from tournament.configuration.types import ConfigurationFile
from tournament.entrants.model import Entrant
from tournament.errors import BotError, RunError
from tournament.lab.check.examination import NAMES, examine
from tournament.lab.check.report import LINES_ABOVE, CheckReport, Step, StepVerdict, format_check
from tournament.lab.check.subject import Subject, subject_of
from tournament.lab.check.told import told_step
from tournament.languages import Language, gettext_noop, kept_gettext, kept_ngettext, kept_text, speaking
from tournament.languages.sent import SentText, send_sentences
from tournament.players.linux.files import sweep_scratch
from tournament.players.linux.groups import sweep_groups
from tournament.records.record import Hex256
from tournament.records.settings import TimeControl, with_entry
from tournament.store.files import sync_file, sync_folder
from tournament.text import printable_lines
from tournament.workers import WorkerProcess

GAMES: Final = 20
"""In how many games a version is tried, at least a block at each table: a quick bot then knows in seconds."""

GAME_SECONDS: Final = 60
"""After how long no further games are begun: a slow bot is tried in fewer."""

CHECK_SECONDS: Final = 600
"""The most that a check takes where a move has a second; with longer moves in proportion."""

LOOK_SECONDS: Final = 0.2
UNPACKED: Final = "unpacked"
BUILT: Final = "built"
NO_MORE_TIME: Final = gettext_noop("The referee was stopped. The version is checked again when it runs.")
LINES_IN_STEP: Final = gettext_noop("Fix what the lines in this step say.")
MACHINE: Final = gettext_noop(
    "The machine could not check this version: its host is told why. "
    "It is checked again, and does not count as refused."
)


class CheckResult(Struct, frozen=True, kw_only=True):
    """How a check ended, and what it found out."""

    outcome: CheckOutcome
    digest: Hex256 | None = None
    """Of the program; None where it could not be unpacked."""

    spec: dict[str, Any] | None = None
    """The entry of a configuration that runs it, its paths relative to the folder `program`; None unless accepted."""

    why: str | None = None
    """In a sentence for the owner; None where it is accepted."""

    trouble: str | None = None
    """What went wrong on the machine, for the host: may name places that are no business of the owner."""


class CheckTask(Struct, frozen=True, kw_only=True):
    """What is to be checked, and how."""

    folder: str
    """Of the version, in that of its competition."""

    name: str
    """Of the entrant, such as `keeper.v3`."""

    file_name: str
    """What the upload was called."""

    competition: CompetitionFile
    games: int = GAMES
    game_seconds: float = GAME_SECONDS


def most_seconds(competition: CompetitionFile) -> float:
    """Returns the most that a check takes in a competition."""
    clock = with_entry(TimeControl(), competition.clock)
    return CHECK_SECONDS * max(1.0, clock.move_ms / 1000)


def check_version(
    task: CheckTask, *, seconds: float | None = None, is_stopping: Callable[[], bool] = lambda: False
) -> CheckResult:
    """Checks a version in a process of its own, and returns how that ended.

    The folder `check` of the version begins anew; `program` is there afterwards if it is accepted, and only then. After
    `seconds` (default: `most_seconds`), or soon after `is_stopping` says so, the process is ended with all bots. Never
    raises for what the machine did wrong: then the outcome is `PUT_BACK`. Cost: seconds for a quick bot.
    """
    folder = VersionFolder(Path(task.folder))
    limit = most_seconds(task.competition) if seconds is None else seconds
    try:
        _begin_anew(folder)
        process = WorkerProcess(_check, msgspec.msgpack.encode(task))
    except (OSError, RunError) as error:
        return _put_back(folder, str(error))
    ended: CheckResult | _Cut | Exception = _Cut.STOPPED
    try:
        ended = _ended(process, seconds=limit, is_stopping=is_stopping)
    finally:  # also where Ctrl-C ends this
        if not isinstance(ended, CheckResult):
            _clear(folder)
            sweep_groups()  # what bots left behind that ended with their process
            sweep_scratch()
    match ended:
        case CheckResult():
            return ended
        case _Cut.STOPPED:
            return _put_back(folder, None)
        case _Cut.TOO_LONG:
            return _took_too_long(folder, limit)
        case _:
            return _put_back(folder, f"{type(ended).__name__}: {ended}")


class _Cut(Enum):
    """Why a check was ended before it had a result."""

    STOPPED = auto()
    TOO_LONG = auto()


def _ended(
    process: WorkerProcess[bytes], *, seconds: float, is_stopping: Callable[[], bool]
) -> CheckResult | _Cut | Exception:
    """Returns the result of a check, or why there is none.

    Its process is gone then: it would else write its next step over how the check ended.
    """
    ends_at = monotonic() + seconds
    try:
        while not process.wait(LOOK_SECONDS):
            if is_stopping():
                return _Cut.STOPPED
            if monotonic() > ends_at:
                return _Cut.TOO_LONG
        return msgspec.msgpack.decode(process.answer(), type=CheckResult)
    except Exception as error:  # its process was killed, or the disk is so full that it could not say how it ended
        return error
    finally:
        process.end()


def _begin_anew(folder: VersionFolder) -> None:
    _clear(folder)
    shutil.rmtree(folder.check, ignore_errors=True)
    folder.check.mkdir()


def _clear(folder: VersionFolder) -> None:
    for path in (folder.program, *_aside(folder)):
        shutil.rmtree(path, ignore_errors=True)


def _aside(folder: VersionFolder) -> tuple[Path, Path, Path]:
    """Returns where a program lies before it is whole: unpacked, about to be lifted, and built."""
    return (
        folder.path / "program.unpacked",
        folder.path / "program.unpacked.top",
        folder.path / "program.built",
    )


def _put_back(folder: VersionFolder, trouble: str | None) -> CheckResult:
    why = NO_MORE_TIME if trouble is None else MACHINE
    _end(folder, CheckOutcome.PUT_BACK, why=why)
    return CheckResult(outcome=CheckOutcome.PUT_BACK, why=why, trouble=trouble)


def _took_too_long(folder: VersionFolder, limit: float) -> CheckResult:
    defect = Defect(kind=DefectKind.CHECK_TOO_LONG, found=told_seconds(limit))
    _end(folder, CheckOutcome.REFUSED, why=format_defect(defect), defect=defect)
    return CheckResult(outcome=CheckOutcome.REFUSED, why=format_defect(defect))


def _end(folder: VersionFolder, outcome: CheckOutcome, *, why: str, defect: Defect | None = None) -> None:
    """Writes how a check ended whose process could not; a full disk is told elsewhere."""
    if defect is not None and defect.found is not None:
        _add_sentences(folder, send_sentences([defect.found], told=str))
    path = folder.check / CheckFile.STEPS
    with suppress(RunError, OSError):
        known = read_json(path, CheckSteps) if path.exists() else CheckSteps(names=())
        write_json(path, replace(known, outcome=outcome, why=why, defect=defect))


def _add_sentences(folder: VersionFolder, sentences: tuple[SentText, ...]) -> None:
    path = folder.check / CheckFile.SENTENCES
    with suppress(RunError, OSError):  # without them the page tells it in English
        known = read_json(path, CheckSentences) if path.exists() else CheckSentences()
        write_json(path, CheckSentences(sentences=(*known.sentences, *sentences)))


# What follows runs in a process of its own.


def _check(encoded: bytes) -> bytes:
    """Checks a version; task and result go between the processes as MessagePack."""
    task = msgspec.msgpack.decode(encoded, type=CheckTask)
    return msgspec.msgpack.encode(_Check(task).result())


class _Check:
    """One check, in the process that was started for it."""

    def __init__(self, task: CheckTask) -> None:
        self._task = task
        self._folder = VersionFolder(Path(task.folder))
        self._file = CheckSteps(names=(UNPACKED, *NAMES))
        self._sentences: tuple[SentText, ...] = ()
        self._digest: str | None = None

    def result(self) -> CheckResult:
        try:
            spec = self._program()
            report = examine(
                self._subject(spec), games=self._task.games, seconds=self._task.game_seconds, note=self._note
            )
            self._log(report)
            if not report.passed:
                advice = _first_advice(report)
                self._tell(advice)
                raise refuse(DefectKind.CHECK_FAILED, found=self._told(advice))
            self._write(outcome=CheckOutcome.ACCEPTED, figures=report.figures)
            return CheckResult(outcome=CheckOutcome.ACCEPTED, digest=self._digest, spec=spec)
        except BotError as error:
            return self._refused(error)
        except Exception as error:  # whatever it is, it is not the program's
            return self._put_back(error)

    def _program(self) -> dict[str, Any]:
        """Returns the entry that runs the program, which lies in its place from then on, built."""
        unpacked, _, built = _aside(self._folder)
        self._write()
        unpack(self._folder.upload, self._task.file_name, unpacked)
        self._digest = program_digest(unpacked)
        bot_file = read_bot_file(unpacked)
        spec = spec_of(unpacked, bot_file)
        build: Sequence[str] = () if bot_file is None or bot_file.build is None else bot_file.build
        if build:
            self._write(names=(UNPACKED, BUILT, *NAMES))
        else:
            self._entrant(unpacked, spec)
        count = sum(len(files) for _, _, files in os.walk(unpacked))
        values = {"digest": self._digest[:12]}
        told = kept_ngettext("{count} file, digest {digest}", "{count} files, digest {digest}", count, **values)
        self._passed(UNPACKED, told)
        whole = unpacked
        if build:
            build_program(unpacked, build, target=built, log=self._folder.check / CheckFile.BUILD)
            whole = built
            count = sum(len(files) for _, _, files in os.walk(built))
            self._passed(BUILT, kept_ngettext("{count} file afterwards", "{count} files afterwards", count))
        _sync(whole)
        whole.rename(self._folder.program)
        sync_folder(self._folder.path)
        return spec

    def _subject(self, spec: dict[str, Any]) -> Subject:
        competition = self._task.competition
        entry = with_python(
            {**spec, "name": self._task.name}, competition, folder=self._folder.competition, base=self._folder.program
        )
        file = ConfigurationFile(
            games=competition.games,
            bots=(entry,),
            isolation=competition.isolation,
            clock=competition.clock,
            limits=competition.limits,
        )
        source = ConfigurationSource(file=file, base=self._folder.program, path=None, lines={})
        entrant = self._entrant(self._folder.program, entry)
        return replace(subject_of(source, entrant, hosting_of(file, [entrant])), packages=competition.packages)

    def _entrant(self, folder: Path, entry: dict[str, Any]) -> Entrant:
        with processor_seconds(READING_SECONDS, DefectKind.LONG_PYTHON):
            return entrant_of(folder, entry, self._task.name)

    def _passed(self, name: str, found: str) -> None:
        self._note(Step(number=0, name=name, verdict=StepVerdict.PASSED, found=found))

    def _note(self, step: Step) -> None:
        """Writes a step where the owner sees it; its places begin in the folder of the bot."""
        told = replace(
            step,
            number=len(self._file.steps) + 1,
            found=self._told(step.found),
            advice=None if step.advice is None else self._told(step.advice),
            log=None if step.log is None else self._told(step.log),
        )
        self._tell(step.found, *(() if step.advice is None else (step.advice,)))
        self._write(steps=(*self._file.steps, told))

    def _tell(self, *texts: str) -> None:
        """Keeps how sentences were made where the page of the version finds it."""
        self._sentences += send_sentences(texts, told=self._told)
        write_json(self._folder.check / CheckFile.SENTENCES, CheckSentences(sentences=self._sentences))

    def _told(self, text: str) -> str:
        for folder in (*_aside(self._folder), self._folder.program):
            text = without_place(text, folder)
        return printable_lines(text)

    def _write(self, **changes: Any) -> None:
        self._file = replace(self._file, **changes)
        write_json(self._folder.check / CheckFile.STEPS, self._file)

    def _log(self, report: CheckReport | None = None) -> None:
        """Writes all steps as `bot check` prints them."""
        shown = CheckReport(
            bot=self._task.name,
            isolation=self._task.competition.isolation,
            passed=False,
            steps=self._file.steps,
            figures={},
            notices=() if report is None else report.notices,
        )
        with speaking(Language.ENGLISH):  # logs are in English
            text = printable_lines(format_check(shown))
        (self._folder.check / CheckFile.LOG).write_text(f"{text}\n", encoding="utf-8", errors="backslashreplace")

    def _refused(self, error: BotError) -> CheckResult:
        defect = error.defect if isinstance(error, SubmissionError) else None
        why = self._told(str(error))
        if defect is None or defect.kind is not DefectKind.CHECK_FAILED:
            name = self._file.names[len(self._file.steps)]  # the one that was to come next
            if defect is not None and defect.found is not None:
                self._tell(defect.found)
                defect = replace(defect, found=self._told(defect.found))  # as the page is told
            self._note(Step(number=0, name=name, verdict=StepVerdict.FAILED, found=why))
            self._log()
        _clear(self._folder)
        self._write(outcome=CheckOutcome.REFUSED, defect=defect, why=why)
        return CheckResult(outcome=CheckOutcome.REFUSED, digest=self._digest, why=why)

    def _put_back(self, error: Exception) -> CheckResult:
        _clear(self._folder)
        trouble = "".join(traceback.format_exception_only(error)).strip()
        return _put_back(self._folder, trouble)


def _first_advice(report: CheckReport) -> str:
    """Returns what failed first, and what to do about it."""
    step = next(one for one in report.steps if one.verdict is StepVerdict.FAILED)
    name, found, advice = told_step(step.name), kept_text(step.found), step.advice
    if advice == LINES_ABOVE:  # they stand in the step, and this sentence elsewhere
        advice = None if step.log is None else LINES_IN_STEP
    if advice is None:
        return kept_gettext("{step}: {found}", step=name, found=found)
    return kept_gettext("{step}: {found}. What to do: {advice}", step=name, found=found, advice=kept_text(advice))


def _sync(folder: Path) -> None:
    """Writes the files of a program through to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            sync_file(Path(place, name))
        sync_folder(Path(place))
