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
    describe_tables,
    first_of_each_game,
    is_refused,
    play_fixed,
    start_bot,
)
from tournament.lab.check.report import (
    LINES_ABOVE,
    NOT_FOUND,
    STRAY_LINES,
    TOO_SLOW,
    Advice,
    CheckReport,
    Step,
    StepVerdict,
    milliseconds,
)
from tournament.lab.check.subject import (
    OpenedFiles,
    Subject,
    copied_folder,
    find_bot,
    folder_of,
    lacking,
    read_checked,
    subject_of,
    subjects_in,
    why_not_seen,
)
from tournament.lab.check.trial import (
    SPARE,
    DivergenceCause,
    Trial,
    opponents_at_random,
    play_again,
    play_games,
)
from tournament.players.base import FaultReason, PlayerFault
from tournament.players.cast import Cast
from tournament.players.preparation import isolation_of, prepare_hosting
from tournament.records.settings import Isolation, TimeControl, with_entry
from tournament.text import format_count

GAMES: Final = 100
FILES_SHOWN: Final = 5

_NEVER_RAN: Final = (FaultReason.NOT_IMPORTED, FaultReason.NOT_EXECUTED, FaultReason.ENDED)
"""Before it answers `hello`, these leave open whether the bot's program runs."""

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
    """Returns the result of checking one bot, given by a spec, or as `tournament.yaml#NAME`.

    `isolation` (`none`, `process` or `sandbox`) replaces what a configuration says. `is_command`: the spec is a command
    with its arguments. A bot of a configuration is built; `say` takes the command before it runs. Raises
    `ConfigurationError` for a level that this machine lacks, `UsageError` for a configuration without a name. Cost:
    about `games` games.
    """
    level = None if isolation is None else parse_isolation(isolation)
    try:
        subject = find_bot(spec, isolation=level, is_command=is_command, say=say or (lambda line: None))
    except BotError as error:
        return _not_found(spec, error)
    return _examined(subject, games)


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
            yield _examined(subject_of(source, entrant, hosting), games)
        except BotError as problem:  # its level cannot be had here, or it does not play what it is to play
            yield _not_found(entrant.name, problem)
    for error in unread:
        yield _not_found(str(path), error)


def _examined(subject: Subject, games: int) -> CheckReport:
    notices = prepare_hosting([subject.entrant], subject.hosting, allow_mixed=True)
    return replace(_Examination(subject).report(games), notices=notices)


def _not_found(name: str, error: BotError) -> CheckReport:
    steps = [Step(number=1, name=NAMES[0], verdict=StepVerdict.FAILED, found=str(error), advice=NOT_FOUND)]
    return CheckReport(bot=name, isolation=None, passed=False, steps=(*steps, *_skipped(1)), figures={})


class _Examination:
    """The steps after the first, in order; a step that needs one that failed is skipped."""

    def __init__(self, subject: Subject) -> None:
        self._entrant = subject.entrant
        self._name = subject.entrant.name
        self._hosting = replace(subject.hosting, trace=(self._name,))
        self._level = isolation_of(subject.entrant.bots[0], subject.hosting)
        self._tables = list(subject.tables)
        self._is_configured = subject.is_configured
        self._steps: list[Step] = []
        self._figures: dict[str, float] = {}
        self._seen: list[SeenFault] = []
        """Faults in the fixed games."""

        self._moves_ms: list[float] = []
        """Times of moves in the fixed games."""

    def report(self, games: int) -> CheckReport:
        self._pass(f"{', '.join(map(_described, self._entrant.bots))}; plays {describe_tables(self._tables)}")
        if self._start():
            self._play(games)
            self._judge_files()
        self._steps += _skipped(len(self._steps))
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
                    refused.append(game.name if whole else f"{game.name} with {table.players} players")
                    left = others
                    continue
                said_hello = player.start_ms > 0
                if said_hello or fault.reason not in _NEVER_RAN:
                    self._pass("its program runs")
                self._fail_by(fault, game, said_hello=said_hello)
                return False
            slowest = max(slowest, player.start_ms)
        self._tables = left
        self._pass("its program runs" + "".join(f"; it does not play {what}" for what in refused))
        self._figures["start_ms"] = round(slowest, 1)
        limit = self._clock().start_ms
        self._pass(f"{slowest:.0f} of {limit} ms" if slowest else "in this process, at once")
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
        tried = format_count(count, "game")
        if self._seen:
            stopped = ", then stopped" if count < len(self._tables) else ""
            self._fail_at(self._seen[0], f"faults in {len(self._seen)} of {tried}{stopped}; ")
        else:
            self._pass(f"{decisions} decisions in {tried}, one of each kind and number of players")

    def _play(self, games: int) -> None:
        if are_enough(self._seen):
            self._skip("not tried: two games had the same fault")
            self._skip("not tried: its games have faults")
            trial = Trial()
        else:
            trial = play_games(self._entrant, self._hosting, self._tables, wanted=games, seen=self._seen)
            self._judge_games(trial, games)
        self._judge_times(trial)
        self._judge_output(trial)
        self._judge_memory(trial)

    def _judge_games(self, trial: Trial, games: int) -> None:
        self._figures["games"] = trial.games
        if trial.faults:
            count = len({fault.id for fault in trial.faults})
            stopped = ", then stopped" if trial.games < games or trial.unplayed else ""
            unplayed = f"; not played: {', '.join(trial.unplayed)}" if trial.unplayed else ""
            self._fail_at(trial.faults[0], f"faults in {count} of {trial.games} games{stopped}{unplayed}; ")
            self._skip("not tried: its games have faults")
            return
        self._pass(f"{trial.games} games without a fault, against others that play at random")
        difference = play_again(self._entrant, self._hosting, self._tables, trial)
        if difference is None:
            self._pass(f"{trial.repeated} games gave the same moves again, after other games and in another order")
        elif difference.cause is DivergenceCause.KEPT:
            self._fail(f"{difference.text}, after other games in the same process", self._advice().kept())
        elif difference.cause is DivergenceCause.CHANCE:
            self._fail(f"{difference.text}, in a new process", self._advice().chance())
        elif difference.cause is DivergenceCause.LONGER:
            self._skip(
                f"cannot be told: with {SPARE} times its time it thinks longer, so the clock decides: {difference.text}"
            )
        else:
            self._pass(
                f"with {SPARE} times its time. With its own the clock decides, as when a machine is busy: "
                f"{difference.text}"
            )

    def _fail_at(self, fault: SeenFault, where: str) -> None:
        advice = self._advice(fault.game)
        self._note(
            StepVerdict.FAILED,
            f"{where}{describe_fault(fault, advice.clock)}",
            advice=advice.on_fault(fault.kind, fault.reason, log=fault.log, has_answered=fault.answers > 0),
            log=fault.log,
        )

    def _judge_times(self, trial: Trial) -> None:
        clock = self._clock()
        moves_ms = [*self._moves_ms, *trial.moves_ms]
        if not moves_ms:
            self._skip("no move was made")
            return
        middle, worst = median(moves_ms), max(moves_ms)
        self._figures |= {"median_ms": round(middle, 2), "worst_ms": round(worst, 2)}
        figures = f"median {milliseconds(middle)}, worst {milliseconds(worst)}"
        found = f"{figures}; {clock.move_ms} ms of a move are free, the rest comes from {clock.bank_ms} ms a game"
        if middle > clock.move_ms or worst > clock.move_ms + clock.bank_ms:
            self._fail(found, TOO_SLOW)
        else:
            self._pass(found)

    def _judge_output(self, trial: Trial) -> None:
        if not trial.games:
            self._skip("not tried: it was not played with")
        elif trial.stray:
            self._fail(f"{len(trial.stray)} lines that answer nothing, the first: {trial.stray[0]}", STRAY_LINES)
        else:
            prints = "; what it prints goes to stderr" if self._advice().is_python else ""
            self._pass(f"answers only{prints}")

    def _judge_memory(self, trial: Trial) -> None:
        limit = with_entry(self._hosting.limits, self._entrant.bots[0].limits).memory_mb
        if trial.memory_mb is None:
            self._skip(f"not measured: {self._why_not_measured()}")
            return
        self._figures["memory_mb"] = round(trial.memory_mb, 1)
        found = f"{trial.memory_mb:.0f} of {limit} MiB at most"
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
                self._skip(f"not seen: {problem}")
                return
            seen += len(opened)
            missing += lacking(source, opened)
        if missing:
            listed = ", ".join(missing[:FILES_SHOWN]) + (" ..." if len(missing) > FILES_SHOWN else "")
            self._fail(
                f"{listed}: opened, and not in its fingerprint, so a change of it would not be noticed",
                self._advice().files(missing[:FILES_SHOWN]),
            )
        else:
            self._pass(f"{seen} opened in its folder, all in its fingerprint")

    def _files_opened(self, source: BotSource) -> tuple[set[str] | None, str]:
        """Returns the files that a bot opens in its folder; None, and why, where that cannot be seen."""
        problem = "its games have faults" if self._seen else why_not_seen(source, self._level)
        if problem is not None:
            return None, problem
        with copied_folder(source) as copy:
            opened = None if copy is None else self._opened(copy)
        return opened, "it does not play in a copy of its folder"

    def _opened(self, copy: BotSource) -> set[str] | None:
        """Returns the files that a bot opens while it plays a fixed game of each kind in a copy of its folder.

        None when it does not play there, or when this machine does not tell what is opened.
        """
        entrant = replace(self._entrant, bots=(copy,))
        opponents = opponents_at_random()
        with OpenedFiles(folder_of(copy)) as opened:
            if not opened.is_watching:
                return None
            try:
                cast = Cast([entrant, *opponents], self._hosting)
            except BotError:
                return None
            try:
                cast.begin_block()
                order = [entrant.name, *(opponent.name for opponent in opponents)]
                with cast.output.installed():
                    tables = [table for table in first_of_each_game(self._tables) if entrant.plays(table.game.name)]
                    played = [play_fixed(cast, order, table) for table in tables]
            finally:
                cast.close()
            return None if any(one.fault is not None for one in played) else opened.names()

    def _why_not_measured(self) -> str:
        if self._level is Isolation.NONE:
            return f"at isolation {self._level} a bot has no process of its own"
        if sys.platform != "linux":
            return "that needs Linux"
        return "its process was gone before it could be looked at, as after every fault"

    def _advice(self, game: str | None = None) -> Advice:
        source = self._entrant.bots[0] if game is None else self._entrant.bot_for(game)
        limits = with_entry(self._hosting.limits, source.limits)
        return Advice(source=source, clock=with_entry(self._hosting.clock, source.clock), limits=limits)

    def _clock(self) -> TimeControl:
        return with_entry(self._hosting.clock, self._entrant.bots[0].clock)

    def _pass(self, found: str) -> None:
        self._note(StepVerdict.PASSED, found)

    def _skip(self, found: str) -> None:
        self._note(StepVerdict.SKIPPED, found)

    def _fail(self, found: str, advice: str) -> None:
        self._note(StepVerdict.FAILED, found, advice=advice)

    def _fail_by(self, fault: PlayerFault, game: Game, *, said_hello: bool) -> None:
        answer = f"; it answered {fault.answer}" if fault.answer else ""
        log = fault.traceback or fault.stderr
        advice = self._advice(game.name).on_fault(fault.kind, fault.reason, log=log, said_hello=said_hello)
        self._note(StepVerdict.FAILED, f"{fault.kind}: {fault.detail}{answer}", advice=advice, log=log)

    def _note(self, verdict: StepVerdict, found: str, *, advice: str | None = None, log: str | None = None) -> None:
        number = len(self._steps)
        self._steps.append(
            Step(number=number + 1, name=NAMES[number], verdict=verdict, found=found, advice=advice, log=log)
        )


def _skipped(done: int) -> Iterator[Step]:
    for number, name in enumerate(NAMES[done:], start=done + 1):
        yield Step(number=number, name=name, verdict=StepVerdict.SKIPPED, found=f"not tried: step {done} failed")


def _described(source: BotSource) -> str:
    return f"{source.spec} (version {source.version}, fingerprint {source.fingerprint[:12]})"
