"""Decisions per second through a process, against a bare ping-pong of JSON lines of the same size.

The bare ping-pong encodes a request, writes it, polls for the answer, reads and decodes it, with
no deadline, cap, id or pause. In a real-time class it gives way when it has written, as ours does. Its
other sides are loops in Python (with msgspec) or in C, as many in turn as ours has bots. Ours is what
`ProcessPlayer.act` takes in whole games: every check, the bots stopped as where all are processes; the
rules' own work, which every level does, is not in it. A round of each after the other, on one core;
medians of the rounds. Each level is measured with programs at the same addresses, and with the
kernel's shuffling, which a run keeps in which any bot plays in a sandbox.
"""

from __future__ import annotations

import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

import msgspec
from tabulate import tabulate

from benchmarks.figures import Measured, left_out
from tournament.deals import bot_rng, bot_rng_text, deal_seed, make_deal
from tournament.entrants.entries import entrants_from
from tournament.errors import ConfigurationError
from tournament.games import load_game
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.linux.sandbox import check_sandbox
from tournament.players.linux.spawner import Spawner
from tournament.players.linux.supervision import is_real_time
from tournament.players.process import ProcessPlayer
from tournament.records.settings import Isolation, Limits, TimeControl
from tournament.run.crews import same_addresses

ROUNDS = 9
GAMES = 8
DECISIONS = 1500
PLAYERS = 2

ECHO_IN_PYTHON = """
import os, msgspec
answer = msgspec.json.decode(b'%s')
decode, encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
buffer = b""
while data := os.read(0, 65536):
    buffer += data
    while (end := buffer.find(b"\\n")) >= 0:
        answer["id"] = decode(buffer[:end])["id"]
        buffer = buffer[end + 1:]
        os.write(1, encode(answer) + b"\\n")
"""
ECHO_IN_C = """
#include <stdio.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) { puts("%s"); fflush(stdout); }
    return 0;
}
"""
BOT_IN_PYTHON = """
from tournament import Bot
from tournament.games.explorers.types import Discard, Draw
class Discards(Bot):
    def act(self, view):
        return Draw("stock") if view.phase == "draw" else Discard(view.hand[0])
"""
BOT_IN_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    static char line[65536];
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\\"id\\":"), *hand = strstr(line, "\\"hand\\":[\\"");
        if (strstr(line, "\\"type\\":\\"hello\\""))
            printf("{\\"type\\":\\"ready\\",\\"id\\":%lld,\\"legal\\":false}\\n", atoll(id + 5));
        else if (strstr(line, "\\"type\\":\\"start\\""))
            printf("{\\"type\\":\\"ok\\",\\"id\\":%lld}\\n", atoll(id + 5));
        else if (strstr(line, "\\"type\\":\\"act\\"") && strstr(line, "\\"phase\\":\\"draw\\""))
            printf("{\\"type\\":\\"action\\",\\"id\\":%lld,\\"action\\":{\\"do\\":\\"draw\\","
                   "\\"from\\":\\"stock\\"}}\\n", atoll(id + 5));
        else if (hand)
            printf("{\\"type\\":\\"action\\",\\"id\\":%lld,\\"action\\":{\\"do\\":\\"discard\\","
                   "\\"card\\":\\"%.*s\\"}}\\n", atoll(id + 5), (int)strcspn(hand + 9, "\\""), hand + 9);
        fflush(stdout);
    }
    return 0;
}
"""

Round = Callable[[], tuple[int, float]]
"""Returns decisions and seconds."""


class Bare:
    """The bare ping-pong, with as many programs in turn as ours has bots."""

    def __init__(self, command: list[str], request: bytes):
        with same_addresses():  # as bots are started, which is faster
            self._processes = [
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
                for _ in range(PLAYERS)
            ]
        self._polls = [select.poll() for _ in self._processes]
        for poll, process in zip(self._polls, self._processes, strict=True):
            poll.register(process.stdout, select.POLLIN)
        self._request = msgspec.json.decode(request)
        self._gives_way = is_real_time()
        self._encode, self._decode = msgspec.json.Encoder().encode, msgspec.json.Decoder().decode

    def round(self):
        """Returns decisions and seconds."""
        begun = perf_counter()
        for number in range(DECISIONS):
            process = self._processes[number % PLAYERS]
            self._request["id"] = number
            process.stdin.write(self._encode(self._request) + b"\n")
            if self._gives_way:
                os.sched_yield()
            self._polls[number % PLAYERS].poll(1000)
            line = process.stdout.read(65536)
            while not line.endswith(b"\n"):
                line += process.stdout.read(65536)
            self._decode(line)
        return DECISIONS, perf_counter() - begun

    def close(self):
        """Ends the programs."""
        for process in self._processes:
            process.stdin.close()
            process.wait()
            process.stdout.close()


class Ours:
    """Games of De store oppdagere through processes that are kept."""

    def __init__(self, entry, isolation: Isolation, base: Path, *, shuffled=False, trace=None):
        source = entrants_from([entry], base=base)[0].bots[0]
        self._spawner = Spawner(stop_at_once=False, same_addresses=not shuffled)
        self.players = [
            ProcessPlayer(source, self._spawner, isolation=isolation, clock=TimeControl(), limits=Limits(), trace=trace)
            for _ in range(PLAYERS)
        ]
        self.starts: list[float] = []
        self._number = 0

    def round(self):
        """Returns decisions and seconds."""
        decisions, seconds = 0, 0.0
        for _ in range(GAMES):
            done, spent = self._game()
            decisions += done
            seconds += spent
        return decisions, seconds

    def _game(self):
        self._number += 1
        game, clock = load_game("explorers"), Clock(move_ms=1000, bank_ms=10_000)
        seed = deal_seed("bench", game="explorers", players=PLAYERS, segment=0, block=self._number)
        state = game.start(make_deal(game, players=PLAYERS, seed=seed))
        for seat, player in enumerate(self.players):
            info = GameStart(
                game="explorers",
                players=PLAYERS,
                seat=seat,
                options=game.Options(),
                rng=bot_rng(seed, rotation=0, seat=seat),
                clock=clock,
                seed=bot_rng_text(seed, rotation=0, seat=seat),
            )
            begun = perf_counter()
            player.start(info)
            if self._number > 1:
                self.starts.append(perf_counter() - begun)
        decisions, spent = 0, 0.0
        while (seat := state.to_move) is not None:
            view = state.view(seat)
            begun = perf_counter()
            action = self.players[seat].act(view, clock)
            spent += perf_counter() - begun
            state.check(action)
            state.apply(action)
            decisions += 1
        outcome = state.outcome()
        for seat, player in enumerate(self.players):
            news = state.view(seat).news
            player.end(GameEnd(scores=outcome.scores, places=outcome.places, ending=outcome.ending, news=news))
        return decisions, spent

    def close(self):
        """Ends the processes."""
        for player in self.players:
            player.close()
        self._spawner.close()


GOALS = {"Python": 0.65, "C": 0.75}
"""At `process`, at the same addresses."""


def figures(games: int) -> Iterator[Measured]:
    """Yields the decisions a second through a process, in those of the bare ping-pong."""
    del games  # so many decisions in each round
    rates, _ = measure()
    for language, goal in GOALS.items():
        bare = rates.get((language, "bare"))
        if bare is None:
            yield left_out(
                f"decisions, {language} bot, process", "cc is missing", unit="of a bare ping-pong", goal=goal
            )
            continue
        for (_, level), own in ((key, own) for key, own in rates.items() if key[0] == language and key[1] != "bare"):
            yield Measured(
                name=f"decisions, {language} bot, {level}",
                value=statistics.median(own) / statistics.median(bare),
                unit="of a bare ping-pong",
                goal=goal if level == "process" else None,
            )


def main() -> None:
    """Prints decisions per second, their ratios, and how long a game takes to start."""
    rates, starts = measure()
    median = {key: statistics.median(values) for key, values in rates.items()}
    rows = []
    for (language, kind), rate in median.items():
        own = starts[language, kind]
        rows.append(
            (
                language,
                kind,
                f"{rate:,.0f}",
                f"{rate / median[language, 'bare']:.2f}",
                f"{rate / median[language, 'process']:.2f}",
                f"{statistics.median(own) * 1000:.2f}" if own else "",
            )
        )
    headers = ("bot in", "through", "decisions/s", "to bare", "to process", "start of a game, ms")
    print(tabulate(rows, headers=headers, disable_numparse=True))


def measure() -> tuple[dict[tuple[str, str], list[float]], dict[tuple[str, str], list[float]]]:
    """Returns by language and level the decisions a second of each round, and the seconds that games took to start."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "discards.py").write_text(BOT_IN_PYTHON)
        entries = {"Python": {"bot": "discards.py"}}
        if shutil.which("cc"):
            _compile(BOT_IN_C, folder / "discards")
            entries["C"] = {"command": ["./discards"]}
        levels = [Isolation.PROCESS]
        try:
            check_sandbox()
            levels.append(Isolation.SANDBOX)
        except ConfigurationError as error:
            print(f"{error}\n", file=sys.stderr)
        sides = {}
        for language, entry in entries.items():
            request, answer = _typical(entry, folder)
            sides[language, "bare"] = Bare(_echo(language, answer, folder), request)
            for level in levels:
                sides[language, str(level)] = Ours(entry, level, folder)
                sides[language, f"{level}, shuffled"] = Ours(entry, level, folder, shuffled=True)
        rates: dict[tuple[str, str], list[float]] = {key: [] for key in sides}
        for _ in range(ROUNDS):
            for key, side in sides.items():
                decisions, seconds = side.round()
                rates[key].append(decisions / seconds)
        for side in sides.values():
            side.close()
    return rates, {key: getattr(side, "starts", []) for key, side in sides.items()}


def _typical(entry, folder):
    """Returns a request and an answer of median length from a few games."""
    lines: dict[str, list[bytes]] = {"->": [], "<-": []}

    def note(direction, line, at_ns):
        if b'"type":"act' in line:
            lines[direction].append(line)

    side = Ours(entry, Isolation.PROCESS, folder, trace=note)
    side.round()
    side.close()
    return tuple(sorted(found, key=len)[len(found) // 2] for found in lines.values())


def _echo(language, answer, folder):
    if language == "Python":
        return [sys.executable, "-c", ECHO_IN_PYTHON % answer.decode()]
    _compile(ECHO_IN_C % answer.decode().replace('"', '\\"'), folder / "echo")
    return [str(folder / "echo")]


def _compile(text, program):
    source = program.with_suffix(".c")
    source.write_text(text)
    subprocess.run(["cc", "-O2", "-o", program, source], check=True)


if __name__ == "__main__":
    main()
