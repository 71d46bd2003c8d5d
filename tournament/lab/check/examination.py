"""The steps of `tournament bot check`, in order; each that fails says what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from msgspec.structs import replace

from tournament.configuration.bots import build
from tournament.configuration.flags import parse_isolation
from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.games.contract import Game
from tournament.lab.check.fixed_games import (
    SeenFault,
    are_enough,
    describe_fault,
    describe_kind,
    describe_tables,
    first_of_each_game,
    is_refused,
    play_fixed,
    start_bot,
)
from tournament.lab.check.opening import files_opened, lacking, why_not_seen
from tournament.lab.check.report import (
    LINES_ABOVE,
    NOT_FOUND,
    STRAY_LINES,
    TOO_SLOW,
    Advice,
    CheckReport,
    Step,
    StepVerdict,
)
from tournament.lab.check.subject import Subject, find_bot, read_checked, subject_of, subjects_in
from tournament.lab.check.told import (
    HAVE_FAULTS,
    told_bot,
    told_decisions,
    told_divergence,
    told_faults,
    told_faults_of_fixed,
    told_games,
    told_repeated,
    told_stopped,
    told_stray,
    told_times,
)
from tournament.lab.check.trial import (
    DivergenceCause,
    Trial,
    opponents_at_random,
    play_again,
    play_games,
)
from tournament.languages import KeptNumber, kept_gettext, kept_row
from tournament.players.base import FaultReason, PlayerFault
from tournament.players.cast import Cast
from tournament.players.preparation import isolation_of, prepare_hosting
from tournament.records.settings import Isolation, TimeControl, with_entry

GAMES: Final = 100
FILES_SHOWN: Final = 5

_NEVER_RAN: Final = (FaultReason.NOT_IMPORTED, FaultReason.NOT_EXECUTED, FaultReason.ENDED)
"""Faults that may mean that the bot's program never ran, as long as it has not answered `hello`."""

NAMES: Final = (
    "found",
    "loads",
    "starts in time",
    "answers legally in fixed games",
    "plays games",
    "same seed, same moves",
    "time per move",
    "nothing on stdout",
    "memory",
    "files it opens",
)


def check_bot(
    spec: str,
    *,
    isolation: str | None = None,
    games: int = GAMES,
    is_command: bool = False,
    say: Callable[[str], object] | None = None,
) -> CheckReport:
    """Returns the result of checking one bot: a spec, a folder with a `bot.yaml`, or `tournament.yaml#NAME`.

    `isolation` (`none`, `process` or `sandbox`) replaces what a configuration says. `is_command`: the spec is a command
    with its arguments. A bot of a configuration or a `bot.yaml` is built; `say` takes the command before it runs.
    Raises `ConfigurationError` for a level that this machine lacks and for a `bot.yaml` that an arena would refuse,
    `UsageError` for a configuration without a name. Cost: about `games` games.
    """
    level = None if isolation is None else parse_isolation(isolation)
    try:
        subject = find_bot(spec, isolation=level, is_command=is_command, say=say or (lambda line: None))
    except BotError as error:
        return _not_found(spec, error)
    return examine(subject, games=games)


def check_bots(
    path: Path,
    *,
    isolation: Isolation | None = None,
    games: int = GAMES,
    say: Callable[[str], object] = lambda line: None,
) -> Iterator[CheckReport]:
    """Yields the result of checking each bot of a configuration, as `check_bot` does, in its order.

    Bots that cannot be found come last.
    """
    source = read_checked(path)
    build(source, say=say)
    unread: list[BotError] = []
    for entrant, hosting in subjects_in(source, isolation, unread):
        try:
            yield examine(subject_of(source, entrant, hosting), games=games)
        except BotError as problem:  # its level cannot be had here, or it does not play what it is to play
            yield _not_found(entrant.name, problem)
    for error in unread:
        yield _not_found(str(path), error)


def examine(
    subject: Subject, *, games: int, seconds: float | None = None, note: Callable[[Step], object] = lambda step: None
) -> CheckReport:
    """Returns the result of checking a bot that was found; `note` takes each step as soon as it has ended.

    After `seconds` of games no more are begun, so a slow bot is tried in fewer. Raises `BotError` or
    `ConfigurationError` where it cannot be played at its level here.
    """
    notices = prepare_hosting([subject.entrant], subject.hosting, allow_mixed=True)
    return replace(_Examination(subject, note).report(games, seconds), notices=notices)


def _not_found(name: str, error: BotError) -> CheckReport:
    steps = [Step(number=1, name=NAMES[0], verdict=StepVerdict.FAILED, found=str(error), advice=NOT_FOUND)]
    return CheckReport(bot=name, isolation=None, passed=False, steps=(*steps, *_skipped(1)), figures={})


class _Examination:
    """The steps after the first, in order; a step that needs one that failed is skipped."""

    def __init__(self, subject: Subject, note: Callable[[Step], object]) -> None:
        self._tell = note
        self._entrant = subject.entrant
        self._name = subject.entrant.name
        self._hosting = replace(subject.hosting, trace=(self._name,))
        self._level = isolation_of(subject.entrant.bots[0], subject.hosting)
        self._tables = list(subject.tables)
        self._is_configured = subject.is_configured
        self._packages = subject.packages
        self._steps: list[Step] = []
        self._figures: dict[str, float] = {}
        self._seen: list[SeenFault] = []
        """Faults in the fixed games."""

        self._moves_ms: list[float] = []
        """Times of moves in the fixed games."""

    def report(self, games: int, seconds: float | None) -> CheckReport:
        bots = kept_row([told_bot(bot) for bot in self._entrant.bots])
        self._pass(kept_gettext("{bots}; plays {games}", bots=bots, games=describe_tables(self._tables)))
        if self._start():
            self._play(games, seconds)
            self._judge_files()
        for step in _skipped(len(self._steps)):
            self._add(step)
        return CheckReport(
            bot=self._name,
            isolation=self._level,
            passed=all(step.verdict is not StepVerdict.FAILED for step in self._steps),
            steps=tuple(self._steps),
            figures=self._figures,
        )

    def _start(self) -> bool:
        """Checks that the bot loads, starts, and answers in fixed games; returns whether it can play."""
        opponents = opponents_at_random()
        try:
            cast = Cast([self._entrant, *opponents], self._hosting)
        except BotError as error:
            self._fail(str(error), LINES_ABOVE)
            return False
        try:
            cast.begin_block()
            with cast.output.installed():
                if not self._started(cast):
                    return False
                self._answers(cast, [self._name, *(opponent.name for opponent in opponents)])
                return True
        finally:
            cast.close()

    def _started(self, cast: Cast) -> bool:
        slowest = 0.0
        refused: list[str] = []
        left = self._tables
        for table in (one for one in self._tables if one in left):
            game = table.game
            player = cast.player(self._name, game.name, 0)
            if table in first_of_each_game(self._tables):
                player.dismiss()  # each game begins in a new process, whose `ready` says what it plays
            try:
                start_bot(player, table, clock=cast.clock(self._name, game.name))
            except PlayerFault as fault:
                others = [one for one in left if not is_refused(one, table, fault.reason)]
                whole = fault.reason is FaultReason.OTHER_GAME
                if others and others != left and (whole or not self._is_configured):
                    refused.append(game.name if whole else describe_tables([table]))
                    left = others
                    continue
                said_hello = player.start_ms > 0
                if said_hello or fault.reason not in _NEVER_RAN:
                    self._pass(kept_gettext("its program runs"))
                self._fail_by(fault, game, said_hello=said_hello)
                return False
            slowest = max(slowest, player.start_ms)
        self._tables = left
        refusals = [kept_gettext("it does not play {game}", game=what) for what in refused]
        self._pass(kept_row([kept_gettext("its program runs"), *refusals], "; "))
        self._figures["start_ms"] = round(slowest, 1)
        limit = self._clock().start_ms
        if slowest:
            self._pass(kept_gettext("{slowest} of {most} ms", slowest=KeptNumber(slowest), most=KeptNumber(limit)))
        else:
            self._pass(kept_gettext("in this process, at once"))
        return True

    def _answers(self, cast: Cast, order: Sequence[str]) -> None:
        decisions = count = 0
        for table in self._tables:
            played = play_fixed(cast, order, table)
            decisions += played.decisions
            count += 1
            self._moves_ms += played.moves_ms
            if played.fault is not None:
                self._seen.append(played.fault)
                if are_enough(self._seen):
                    break
        self._figures["decisions"] = decisions
        if self._seen:
            faults = told_faults_of_fixed(len(self._seen), count)
            self._fail_at(self._seen[0], [told_stopped(faults) if count < len(self._tables) else faults])
        else:
            self._pass(told_decisions(decisions, count))

    def _play(self, games: int, seconds: float | None) -> None:
        if are_enough(self._seen):
            self._skip(kept_gettext("not tried: two games had the same fault"))
            self._skip(kept_gettext(HAVE_FAULTS))
            trial = Trial()
        else:
            trial = play_games(
                self._entrant, self._hosting, self._tables, wanted=games, seen=self._seen, seconds=seconds
            )
            self._judge_games(trial, games)
        self._judge_times(trial)
        self._judge_output(trial)
        self._judge_memory(trial)

    def _judge_games(self, trial: Trial, games: int) -> None:
        self._figures["games"] = trial.games
        if trial.faults:
            self._fail_at(trial.faults[0], told_faults(trial, games))
            self._skip(kept_gettext(HAVE_FAULTS))
            return
        self._pass(told_games(trial))
        difference = play_again(self._entrant, self._hosting, self._tables, trial)
        if difference is None:
            self._pass(told_repeated(trial.repeated))
            return
        found = told_divergence(difference)
        match difference.cause:
            case DivergenceCause.KEPT:
                self._fail(found, self._advice().kept())
            case DivergenceCause.CHANCE:
                self._fail(found, self._advice().chance())
            case DivergenceCause.LONGER:
                self._skip(found)
            case DivergenceCause.CLOCK:
                self._pass(found)

    def _fail_at(self, fault: SeenFault, before: Sequence[str]) -> None:
        advice = self._advice(fault.game)
        self._note(
            StepVerdict.FAILED,
            kept_row([*before, describe_fault(fault, advice.clock)], "; "),
            advice=advice.on_fault(fault.kind, fault.reason, log=fault.log, has_answered=fault.answers > 0),
            log=fault.log,
        )

    def _judge_times(self, trial: Trial) -> None:
        clock = self._clock()
        moves_ms = [*self._moves_ms, *trial.moves_ms]
        if not moves_ms:
            self._skip(kept_gettext("no move was made"))
            return
        middle, worst = median(moves_ms), max(moves_ms)
        self._figures |= {"median_ms": round(middle, 2), "worst_ms": round(worst, 2)}
        found = told_times(middle, worst, clock)
        if middle > clock.move_ms or worst > clock.move_ms + clock.bank_ms:
            self._fail(found, TOO_SLOW)
        else:
            self._pass(found)

    def _judge_output(self, trial: Trial) -> None:
        if not trial.games:
            self._skip(kept_gettext("not tried: it was not played with"))
        elif trial.stray:
            self._fail(told_stray(trial.stray), STRAY_LINES)
        elif self._advice().is_python:
            self._pass(kept_gettext("answers only; what it prints goes to stderr"))
        else:
            self._pass(kept_gettext("answers only"))

    def _judge_memory(self, trial: Trial) -> None:
        limit = with_entry(self._hosting.limits, self._entrant.bots[0].limits).memory_mb
        if trial.memory_mb is None:
            self._skip(kept_gettext("not measured: {why}", why=self._why_not_measured()))
            return
        self._figures["memory_mb"] = round(trial.memory_mb, 1)
        found = kept_gettext("{held} of {most} MiB at most", held=KeptNumber(trial.memory_mb), most=KeptNumber(limit))
        if trial.memory_mb > limit:
            self._fail(found, self._advice().memory())
        else:
            self._pass(found)

    def _judge_files(self) -> None:
        seen = 0
        missing: list[str] = []
        for source in self._entrant.bots:
            opened, problem = self._files_opened(source)
            if opened is None:
                self._skip(kept_gettext("not seen: {why}", why=problem))
                return
            seen += len(opened)
            missing += lacking(source, opened)
        if missing:
            listed = ", ".join(missing[:FILES_SHOWN]) + (" ..." if len(missing) > FILES_SHOWN else "")
            found = kept_gettext(
                "{files}: opened, and not in its fingerprint, so a change of it would not be noticed", files=listed
            )
            self._fail(found, self._advice().files(missing[:FILES_SHOWN]))
        else:
            self._pass(kept_gettext("{files} opened in its folder, all in its fingerprint", files=KeptNumber(seen)))

    def _files_opened(self, source: BotSource) -> tuple[set[str] | None, str]:
        """Returns the files that a bot opens in its folder; None, and why, where that cannot be seen."""
        problem = kept_gettext("its games have faults") if self._seen else why_not_seen(source, self._level)
        if problem is not None:
            return None, problem
        opened = files_opened(self._entrant, source, self._hosting, self._tables)
        return opened, kept_gettext("it does not play in a copy of its folder")

    def _why_not_measured(self) -> str:
        if self._level is Isolation.NONE:
            return kept_gettext("at isolation {isolation} a bot has no process of its own", isolation=self._level.value)
        if sys.platform != "linux":
            return kept_gettext("that needs Linux")
        return kept_gettext("its process was gone before it could be looked at, as after every fault")

    def _advice(self, game: str | None = None) -> Advice:
        source = self._entrant.bots[0] if game is None else self._entrant.bot_for(game)
        limits = with_entry(self._hosting.limits, source.limits)
        clock = with_entry(self._hosting.clock, source.clock)
        return Advice(source=source, clock=clock, limits=limits, packages=self._packages)

    def _clock(self) -> TimeControl:
        return with_entry(self._hosting.clock, self._entrant.bots[0].clock)

    def _pass(self, found: str) -> None:
        self._note(StepVerdict.PASSED, found)

    def _skip(self, found: str) -> None:
        self._note(StepVerdict.SKIPPED, found)

    def _fail(self, found: str, advice: str) -> None:
        self._note(StepVerdict.FAILED, found, advice=advice)

    def _fail_by(self, fault: PlayerFault, game: Game, *, said_hello: bool) -> None:
        found = describe_kind(fault.kind, fault.detail, fault.answer)
        log = fault.traceback or fault.stderr
        advice = self._advice(game.name).on_fault(fault.kind, fault.reason, log=log, said_hello=said_hello)
        self._note(StepVerdict.FAILED, found, advice=advice, log=log)

    def _note(self, verdict: StepVerdict, found: str, *, advice: str | None = None, log: str | None = None) -> None:
        number = len(self._steps)
        self._add(Step(number=number + 1, name=NAMES[number], verdict=verdict, found=found, advice=advice, log=log))

    def _add(self, step: Step) -> None:
        self._steps.append(step)
        self._tell(step)


def _skipped(done: int) -> Iterator[Step]:
    for number, name in enumerate(NAMES[done:], start=done + 1):
        found = kept_gettext("not tried: step {step} failed", step=done)
        yield Step(number=number, name=name, verdict=StepVerdict.SKIPPED, found=found)
