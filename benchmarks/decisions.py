"""Where the microseconds of one decision go, on both sides of the pipe.

    python -m benchmarks.decisions [--games N]

Games of random bots in processes, as the referee plays them, with the clock read between the steps; both sides see the
same clock. What reading it costs is taken off. Medians over all decisions, so that no step holds what else the machine
did. Below stands how much of what a bot is sent it has been sent before.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
from collections.abc import Callable, Iterator
from time import monotonic_ns
from typing import Any

import msgspec
from tabulate import tabulate

from benchmarks.figures import Better, Measured
from tournament.deals import bot_rng, bot_rng_text, deal_seed, make_deal
from tournament.entrants.entries import entrants_from
from tournament.games import load_game
from tournament.games.contract import bare_view_of
from tournament.paths import data_folder
from tournament.players import process, programs, protocol
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.linux import child
from tournament.players.linux.spawner import Spawner
from tournament.players.process import ProcessPlayer
from tournament.records.settings import Isolation, Limits, TimeControl

GAMES = 60
WARM_GAMES = 5
TABLES = (("scout", 4), ("explorers", 2))
BOT = "random_legal.py"

HOST = """
import sys; sys.path += sys.argv[1:]
import json, os
from time import monotonic_ns
from tournament.players import host
stamps = []
class Calls:
    def __getattr__(self, name):
        return getattr(os, name)
    def read(self, *arguments):
        data = os.read(*arguments)
        stamps.append(monotonic_ns())
        return data
    def write(self, *arguments):
        stamps.append(monotonic_ns())
        return os.write(*arguments)
def stamped(function):
    def called(*arguments):
        stamps.append(monotonic_ns())
        result = function(*arguments)
        stamps.append(monotonic_ns())
        return result
    return called
def asked(self, request):
    del stamps[:-1]
    act(self, request)
    decisions.append(stamps[-4:])
def ended(self, request):
    end(self, request)
    sys.stderr.write(json.dumps(decisions) + "\\n")
    decisions.clear()
decisions, act, end = [], host._Host._act, host._Host._end
host.os = Calls()
host._Host._act, host._Host._end = asked, ended
host.InlinePlayer.act = stamped(host.InlinePlayer.act)
host.main()
"""
"""A bot's process that notes when it has read, decoded, chosen and encoded, and writes that to stderr after a game."""

STEPS = (
    ("ours", "the view made"),
    ("ours", "its line made"),
    ("pipe", "written, and the bot woken by it"),
    ("bot's", "the view decoded"),
    ("bot's", "an action chosen"),
    ("bot's", "the answer made"),
    ("pipe", "written, and the referee woken by it"),
    ("ours", "the answer decoded"),
    ("ours", "clocks read, the action checked"),
    ("ours", "the action applied"),
)
"""Whose time each step is."""


class Stamps:
    """Notes when the steps of a decision are over on our side."""

    def __init__(self) -> None:
        """Watches the calls of the players."""
        self.now: list[int] = []
        self._calls = (process.protocol.act_line, process.protocol.parse_answer)

    def __enter__(self) -> Stamps:
        """Begins to watch."""
        stamps = self

        class Calls:
            def __getattr__(self, name: str) -> Any:
                return getattr(os, name)

            def read(self, *arguments: Any) -> bytes:
                data = os.read(*arguments)
                stamps.now.append(monotonic_ns())
                return data

        child.os = Calls()
        protocol.act_line = self._stamped(self._calls[0])
        protocol.parse_answer = self._stamped(self._calls[1])
        return self

    def __exit__(self, *error: object) -> None:
        """Puts everything back."""
        child.os = os
        protocol.act_line, protocol.parse_answer = self._calls

    def _stamped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            self.now.append(monotonic_ns())
            return result

        return called


class Table:
    """Random bots in processes at one game."""

    def __init__(self, game: str, players: int) -> None:
        """Starts nothing yet."""
        self._game = load_game(game)
        self._seats = range(players)
        source = entrants_from([{"bot": BOT}], base=data_folder("bots"))[0].bots[0]
        self._spawner = Spawner(stop_at_once=False)
        self._printed: list[list[str]] = [[] for _ in self._seats]
        self._ours: list[list[list[int]]] = [[] for _ in self._seats]
        self._players = [
            ProcessPlayer(
                source,
                self._spawner,
                isolation=Isolation.PROCESS,
                clock=TimeControl(),
                limits=Limits(),
                write=self._printed[seat].append,
            )
            for seat in self._seats
        ]

    def play(self, number: int, stamps: Stamps) -> None:
        """Plays a game."""
        game, clock = self._game, Clock(move_ms=1000, bank_ms=10_000)
        seed = deal_seed("decisions", game=game.name, players=len(self._seats), segment=0, block=number)
        state = game.start(make_deal(game, players=len(self._seats), seed=seed))
        for seat in self._seats:
            self._players[seat].start(
                GameStart(
                    game=game.name,
                    players=len(self._seats),
                    seat=seat,
                    options=game.Options(),
                    rng=bot_rng(seed, rotation=0, seat=seat),
                    clock=clock,
                    seed=bot_rng_text(seed, rotation=0, seat=seat),
                )
            )
        view_of = bare_view_of(state)
        while (mover := state.to_move) is not None:
            stamps.now = now = [monotonic_ns()]
            view = view_of(mover)
            now.append(monotonic_ns())
            action = self._players[mover].act(view, clock)
            state.check(action)
            now.append(monotonic_ns())
            state.apply(action)
            now.append(monotonic_ns())
            self._ours[mover].append(now)
        outcome = state.outcome()
        assert outcome is not None
        for seat in self._seats:
            news = state.view(seat).news
            end = GameEnd(scores=outcome.scores, places=outcome.places, ending=outcome.ending, news=news)
            self._players[seat].end(end)

    def decisions(self) -> list[list[int]]:
        """Returns when each decision began and when each of its steps was over, without those of the last game.

        A bot tells of a game when the next begins. A decision for which a side had to look twice is left out.
        """
        found = []
        for ours, printed in zip(self._ours, self._printed, strict=True):
            theirs = [one for line in "".join(printed).splitlines() for one in json.loads(line)]
            for here, there in zip(ours, theirs, strict=False):
                if len(here) == 7 and len(there) == 4:
                    found.append([*here[:3], *there, *here[3:]])
        return found

    def close(self) -> None:
        """Ends the processes."""
        for player in self._players:
            player.close()
        self._spawner.close()


def steps_of(game: str, players: int, games: int) -> list[float]:
    """Returns the microseconds of each step: medians of all decisions but those of the first games."""
    before, programs.HOST = programs.HOST, HOST
    table = Table(game, players)
    try:
        with Stamps() as stamps:
            for number in range(games + 1):
                table.play(number, stamps)
    finally:
        table.close()
        programs.HOST = before
    found = table.decisions()
    found = found[len(found) * WARM_GAMES // (games + WARM_GAMES) :]
    reading = cost_of_reading()
    return [
        max(0.0, statistics.median(one[step + 1] - one[step] for one in found) - reading) / 1000
        for step in range(len(STEPS))
    ]


def cost_of_reading() -> float:
    """Returns the nanoseconds that one look at the clock takes, with what keeps it."""
    kept: list[int] = []
    rounds = []
    for _ in range(50):
        begun = monotonic_ns()
        for _ in range(1000):
            kept.append(monotonic_ns())
        rounds.append((monotonic_ns() - begun) / 1000)
        kept.clear()
    return statistics.median(rounds)


def sent_before(game: str, players: int, games: int) -> tuple[float, float]:
    """Returns the bytes of a view, and the share of them in fields that are as in the seat's view before."""
    rules, total, same, views = load_game(game), 0, 0, 0
    for number in range(games):
        seed = deal_seed("sent", game=game, players=players, segment=0, block=number)
        state = rules.start(make_deal(rules, players=players, seed=seed))
        chance = bot_rng(seed, rotation=0, seat=0)
        before: dict[int, dict[str, bytes]] = {}
        while (mover := state.to_move) is not None:
            view = state.view(mover)
            fields = {name: msgspec.json.encode(getattr(view, name)) for name in view.__struct_fields__}
            sizes = {name: len(name) + len(value) + len('"":,') for name, value in fields.items()}
            known = before.get(mover, {})
            total += sum(sizes.values())
            same += sum(size for name, size in sizes.items() if known.get(name) == fields[name])
            views += 1
            before[mover] = fields
            legal = state.legal_actions()
            state.apply(legal[int(chance.random() * len(legal))])
    return total / views, same / total


def figures(games: int) -> Iterator[Measured]:
    """Yields what a decision takes, and how much of that is not ours."""
    del games  # medians of so many decisions as one needs
    for game, players in TABLES:
        steps = steps_of(game, players, GAMES)
        ours = sum(us for (whose, _), us in zip(STEPS, steps, strict=True) if whose == "ours")
        yield Measured(
            name=f"a random bot's decision, {game}, {players} players",
            value=sum(steps),
            unit="µs",
            better=Better.LESS,
            note=f"{ours:.1f} of them in the referee",
        )


def main() -> None:
    """Prints a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    arguments, _ = parser.parse_known_args()
    for game, players in TABLES:
        steps = steps_of(game, players, arguments.games)
        rows = [
            (whose, what, f"{us:.1f}", f"{us / sum(steps):.0%}") for (whose, what), us in zip(STEPS, steps, strict=True)
        ]
        rows.append(("", f"a decision of {game} for {players}", f"{sum(steps):.1f}", ""))
        print(tabulate(rows, headers=("whose", "step", "µs", "share"), disable_numparse=True))
        view_bytes, share = sent_before(game, players, 5)
        print(f"A view has {view_bytes:.0f} bytes, {share:.0%} of them in fields that its seat was sent before.\n")


if __name__ == "__main__":
    main()
