"""`tournament bot check`: what an author runs before a bot is handed in, step by step, each with what to do."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournament.configuration import Configuration, build, read_configuration, resolve
from tournament.entrants import BotSource, Entrant, entrants_from
from tournament.errors import BotError, UsageError, did_you_mean
from tournament.games import game_names, load_game
from tournament.games.base import Game
from tournament.lab.checking_advice import CANNOT_RUN, ENDED, LINES_ABOVE, NOT_FOUND, STRAY_LINES, TOO_SLOW, Advice
from tournament.lab.checking_games import Trial, play_games, play_same
from tournament.lab.checking_positions import ask_positions, start_bot
from tournament.players.base import PlayerFault
from tournament.players.cast import Cast
from tournament.players.preparing import default_isolation, isolation_of, prepare_hosting
from tournament.records.hosting import Hosting, Isolation, TimeControl, with_entry
from tournament.records.protocol import NOT_IMPORTED

GAMES: Final = 100
LOG_LINES: Final = 12
LOG_CHARACTERS: Final = 160
CONFIGURATIONS: Final = (".yaml", ".yml")

NAMES: Final = (
    "found",
    "loads",
    "starts in time",
    "answers legally in fixed positions",
    "plays games",
    "same seed, same moves",
    "time per move",
    "nothing on stdout",
    "memory",
)
DOES_NOT_PLAY: Final = "ready says that it does not play {}"


class Verdict(StrEnum):
    """How a step went."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Step(Struct, frozen=True, kw_only=True):
    """One step of a check."""

    number: int
    name: str
    verdict: Verdict
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


class Choice(Struct, frozen=True, kw_only=True):
    """A bot to be looked at, and how it is hosted."""

    entrant: Entrant
    hosting: Hosting


def check_bot(
    spec: str,
    *,
    isolation: Isolation | None = None,
    games: int = GAMES,
    is_command: bool = False,
    say: Callable[[str], object] = lambda line: None,
) -> CheckReport:
    """Returns what came of checking one bot: a spec, or `tournament.yaml#NAME` for a bot as configured there.

    `isolation` stands in for what a configuration says; `is_command`: the spec is a command with its arguments.
    A bot of a configuration is built; `say` is given the command first.
    Raises `ConfigurationError` when the level is not there, `UsageError` for a configuration without a name.
    Cost: about `games` games.
    """
    try:
        choice = find_bot(spec, isolation=isolation, is_command=is_command, say=say)
    except BotError as error:
        steps = [Step(number=1, name=NAMES[0], verdict=Verdict.FAILED, found=str(error), advice=NOT_FOUND)]
        steps += list(_skipped(1))
        return CheckReport(bot=spec, isolation=None, passed=False, steps=tuple(steps), figures={})
    notices = prepare_hosting([choice.entrant], choice.hosting, allow_mixed=True)
    return replace(_Examination(choice).report(games), notices=notices)


def find_bot(spec: str, *, isolation: Isolation | None, is_command: bool, say: Callable[[str], object]) -> Choice:
    """Returns the one bot that is named. Raises `BotError` when there is none, or more than one."""
    where, _, name = spec.partition("#")
    if where.endswith(CONFIGURATIONS):
        source = read_configuration(Path(where))
        build(source, say=say, name=name)
        configuration = resolve(source)
        return _configured(configuration, where, name, isolation)
    found = entrants_from([shlex.split(spec) if is_command else spec], base=Path.cwd())
    if len(found) > 1:
        raise BotError(f"{spec} has {len(found)} bots, and one is checked at a time: {_listed(found)}.")
    return Choice(entrant=found[0], hosting=Hosting(isolation=isolation or default_isolation()))


def _configured(configuration: Configuration, where: str, name: str, isolation: Isolation | None) -> Choice:
    hosting = configuration.hosting
    if isolation is not None:
        hosting = replace(hosting, isolation=isolation)
    for entrant in configuration.entrants:
        if entrant.name == name:
            bots = tuple(replace(bot, isolation=isolation or bot.isolation) for bot in entrant.bots)
            return Choice(entrant=replace(entrant, bots=bots), hosting=hosting)
    names = [entrant.name for entrant in configuration.entrants]
    if not name:
        raise UsageError(f"Say which bot of {where}: {where}#{names[0]}. It has: {', '.join(names)}.")
    raise BotError(f'{where} has no bot "{name}".{did_you_mean(name, names)} It has: {", ".join(names)}.')


def _listed(entrants: tuple[Entrant, ...]) -> str:
    return ", ".join(entrant.bots[0].spec for entrant in entrants)


class _Examination:
    """The steps after the first, in order; what follows a step without which it cannot be tried is skipped."""

    def __init__(self, choice: Choice) -> None:
        self._entrant = choice.entrant
        self._name = choice.entrant.name
        self._hosting = replace(choice.hosting, trace=(self._name,))
        self._level = isolation_of(choice.entrant.bots[0], choice.hosting)
        self._games = [load_game(game) for game in game_names() if choice.entrant.plays(game)]
        self._steps: list[Step] = []
        self._figures: dict[str, float] = {}

    def report(self, games: int) -> CheckReport:
        self._pass(f"{', '.join(map(_described, self._entrant.bots))}; plays {' and '.join(self._game_names())}")
        if self._start():
            self._play(games)
        self._steps += _skipped(len(self._steps))
        return CheckReport(
            bot=self._name,
            isolation=self._level,
            passed=all(step.verdict is not Verdict.FAILED for step in self._steps),
            steps=tuple(self._steps),
            figures=self._figures,
        )

    def _game_names(self) -> list[str]:
        return [game.name for game in self._games]

    def _start(self) -> bool:
        """Checks that it loads and starts, and what it answers in fixed positions; returns whether it can play."""
        try:
            cast = Cast([self._entrant], self._hosting)
        except BotError as error:
            self._fail(str(error), LINES_ABOVE)
            return False
        try:
            cast.begin_block()
            with cast.output.installed():
                return self._started(cast) and self._answers(cast)
        finally:
            cast.close()

    def _started(self, cast: Cast) -> bool:
        slowest = 0.0
        refused: list[Game] = []
        for game in self._games:
            player = cast.player(self._name, game.name, 0)
            player.dismiss()  # each game begins in a new process, which says what it plays
            try:
                start_bot(player, game, clock=cast.time_control(self._name, game.name))
            except PlayerFault as fault:
                if fault.detail == DOES_NOT_PLAY.format(game.name) and len(refused) + 1 < len(self._games):
                    refused.append(game)
                    continue
                said_hello = player.start_ms > 0
                loads = fault.detail not in (NOT_IMPORTED, CANNOT_RUN) and not fault.detail.startswith(ENDED)
                if said_hello or loads:
                    self._pass("its program runs")
                self._fail_by(fault, game, said_hello=said_hello)
                return False
            slowest = max(slowest, player.start_ms)
        self._games = [game for game in self._games if game not in refused]
        self._pass("its program runs" + "".join(f"; it does not play {game.name}" for game in refused))
        self._figures["start_ms"] = round(slowest, 1)
        limit = self._clock().start_ms
        self._pass(f"{slowest:.0f} of {limit} ms" if slowest else "in this process, at once")
        return True

    def _answers(self, cast: Cast) -> bool:
        count = 0
        for game in self._games:
            for players in game.players:
                player = cast.player(self._name, game.name, 0)
                clock = cast.time_control(self._name, game.name)
                problem, asked = ask_positions(player, game, players=players, clock=clock)
                count += asked
                if problem is not None:
                    self._fail_by(problem, game, where=f"{_table(game, players)}, position {asked}: ")
                    return True  # the games may still go well, and say more
        self._figures["positions"] = count
        tables = sum(len(game.players) for game in self._games)
        self._pass(f"{count} positions, {tables} games and numbers of players")
        return True

    def _play(self, games: int) -> None:
        trial = play_games(self._entrant, self._hosting, self._games, wanted=games)
        self._figures["games"] = trial.games
        if trial.faults:
            first = trial.faults[0]
            count = len({fault.id for fault in trial.faults})
            stopped = ", then stopped" if trial.games < games else ""
            self._note(
                Verdict.FAILED,
                f"faults in {count} of {trial.games} games{stopped}; "
                f"{first.id}, move {first.at}: {first.kind}: {first.detail}",
                advice=self._advice(first.game).on_fault(first.kind, first.detail, first.log),
                log=first.log,
            )
            self._skip("not tried: its games have faults")
        else:
            self._pass(f"{trial.games} games without a fault, against others that play at random")
            difference = play_same(self._entrant, self._hosting, self._games, trial)
            if difference is None:
                self._pass(f"{trial.repeated} games played twice were the same")
            else:
                self._fail(difference, self._advice().chance())
        self._judge_times(trial)
        self._judge_output(trial)
        self._judge_memory(trial)

    def _judge_times(self, trial: Trial) -> None:
        clock = self._clock()
        if not trial.moves_ms:
            self._skip("no move was made")
            return
        middle, worst = median(trial.moves_ms), max(trial.moves_ms)
        self._figures |= {"median_ms": round(middle, 2), "worst_ms": round(worst, 2)}
        figures = f"median {_milliseconds(middle)}, worst {_milliseconds(worst)}"
        found = f"{figures}; {clock.move_ms} ms are free, then {clock.bank_ms} ms a game"
        if middle > clock.move_ms or worst > clock.move_ms + clock.bank_ms:
            self._fail(found, TOO_SLOW)
        else:
            self._pass(found)

    def _judge_output(self, trial: Trial) -> None:
        if trial.stray:
            self._fail(f"{len(trial.stray)} lines that answer nothing, the first: {trial.stray[0]}", STRAY_LINES)
        else:
            prints = "; its prints go to stderr" if self._advice().is_python else ""
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

    def _why_not_measured(self) -> str:
        if self._level is Isolation.NONE:
            return f"at isolation {self._level} a bot has no process of its own"
        if sys.platform != "linux":
            return "that needs Linux"
        return "its process was gone before it could be looked at, as after every fault"

    def _advice(self, game: str | None = None) -> Advice:
        source = self._entrant.bots[0] if game is None else self._entrant.bot_for(game)
        return Advice(
            source=source,
            clock=with_entry(self._hosting.clock, source.clock),
            limits=with_entry(self._hosting.limits, source.limits),
        )

    def _clock(self) -> TimeControl:
        return with_entry(self._hosting.clock, self._entrant.bots[0].clock)

    def _pass(self, found: str) -> None:
        self._note(Verdict.PASSED, found)

    def _skip(self, found: str) -> None:
        self._note(Verdict.SKIPPED, found)

    def _fail(self, found: str, advice: str) -> None:
        self._note(Verdict.FAILED, found, advice=advice)

    def _fail_by(self, fault: PlayerFault, game: Game, *, where: str = "", said_hello: bool = True) -> None:
        answer = f"; it answered {fault.answer}" if fault.answer else ""
        log = fault.traceback or fault.stderr
        advice = self._advice(game.name).on_fault(fault.kind, fault.detail, log, said_hello=said_hello)
        self._note(Verdict.FAILED, f"{where}{fault.kind}: {fault.detail}{answer}", advice=advice, log=log)

    def _note(self, verdict: Verdict, found: str, *, advice: str | None = None, log: str | None = None) -> None:
        number = len(self._steps)
        self._steps.append(
            Step(number=number + 1, name=NAMES[number], verdict=verdict, found=found, advice=advice, log=log)
        )


def _skipped(done: int) -> Iterator[Step]:
    for number, name in enumerate(NAMES[done:], start=done + 1):
        yield Step(number=number, name=name, verdict=Verdict.SKIPPED, found=f"not tried: step {done} failed")


def _described(source: BotSource) -> str:
    return f"{source.spec} (version {source.version}, fingerprint {source.fingerprint[:12]})"


def _table(game: Game, players: int) -> str:
    return f"{game.name} with {players} players"


def _milliseconds(value: float) -> str:
    return f"{value:.2f} ms" if value < 10 else f"{value:.0f} ms"


def format_check(report: CheckReport) -> str:
    """Returns a check for people: a line a step, and under a failed one what to do."""
    level = "" if report.isolation is None else f" at isolation {report.isolation}"
    lines = [f"Checking {report.bot}{level}", *report.notices]
    shown: str | None = None
    for step in report.steps:
        word = step.verdict.upper() if step.verdict is Verdict.FAILED else step.verdict
        lines.append(f"{step.number}. {word:8}{step.name}: {step.found}")
        if step.log:
            lines += [f"       | {line}" for line in (_log_lines(step.log) if step.log != shown else ["as above"])]
            shown = step.log
        if step.advice is not None:
            lines.append(f"   What to do: {step.advice}")
    failed = sum(step.verdict is Verdict.FAILED for step in report.steps)
    lines.append("No step failed." if not failed else f"{failed} of {len(report.steps)} steps failed.")
    return "\n".join(lines)


def _log_lines(log: str) -> list[str]:
    """Returns the first and the last lines of a log: some languages say first what others say last."""
    lines = [line for line in log.splitlines() if line.strip()]
    if len(lines) > LOG_LINES:
        lines = [*lines[: LOG_LINES // 2], "...", *lines[-LOG_LINES // 2 :]]
    return [line if len(line) <= LOG_CHARACTERS else f"{line[:LOG_CHARACTERS]}..." for line in lines]
