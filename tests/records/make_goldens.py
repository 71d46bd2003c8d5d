"""Makes the golden records: one a game, number of players and way to end, every seat winning somewhere, every fault.

    PYTHONPATH=. .venv/bin/python tests/records/make_goldens.py

plays from fixed seeds, one attempt after the other, until a game is what its name says. The number
of the attempt is the block in the record's id, so that a golden can be made again without a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tournament.deals import make_deal
from tournament.games import load_game
from tournament.games.contract import Ending, options_from
from tournament.players.base import PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.records.codec import AnyRecord, format_record, seal
from tournament.records.record import FaultKind, SeatInfo
from tournament.referee import Sitting, play_game

FOLDER = Path(__file__).parents[2] / "records" / "golden"
PLAYERS = {"scout": (2, 3, 4, 5), "explorers": (2, 3, 4)}
FAULTS = tuple(FaultKind)


class Breach(NamedTuple):
    """A fault a player commits: at its n-th decision, or at the start."""

    kind: FaultKind
    decision: int | None


class Golden(NamedTuple):
    """A game that is wanted."""

    name: str
    game: str
    players: int
    wanted: Callable[[AnyRecord], bool]
    options: Mapping[str, Any] = {}
    breaches: Mapping[int, Breach] = {}
    scouting: float = 0.0
    """How often a player scouts although it need not."""


class ScriptedPlayer:
    """Plays the longest set it can, or scouts, or anything at all, and breaks the contract when it is told to."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(self, breach: Breach | None, scouting: float) -> None:
        self._breach = breach
        self._scouting = scouting
        self._decisions = 0

    def start(self, info: GameStart) -> None:
        """Takes the generator, or fails to start."""
        self._rng: Random = info.rng
        if self._breach is not None and self._breach.decision is None:
            raise PlayerFault(self._breach.kind, "the bot could not be started")

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns an action, illegal when the breach says so."""
        breach = self._breach
        if breach is not None and breach.decision is not None and self._decisions >= breach.decision:
            if breach.kind is FaultKind.ILLEGAL:
                illegal = _illegal_action(view)
                if illegal is not None:
                    return illegal
            else:
                answer = '{"do":"jump"}' if breach.kind is FaultKind.MALFORMED else None
                raise PlayerFault(breach.kind, f"a scripted fault: {breach.kind}", answer=answer)
        self._decisions += 1
        legal = view.legal_actions()
        longest = max(getattr(action, "count", 0) for action in legal)
        choices = [action for action in legal if getattr(action, "count", 0) == longest]
        scouts = [action for action in legal if action.do == "scout" and not action.then_play]
        if scouts and self._rng.random() < self._scouting:
            choices = scouts
        elif self._rng.random() < 0.2:
            choices = legal
        return choices[int(self._rng.random() * len(choices))]

    def end(self, result: GameEnd) -> None:
        """Takes note of nothing."""

    def dismiss(self) -> str | None:
        """Has nothing to let go of."""
        return None

    def request_quit(self) -> None:
        """Has nothing to ask."""

    def close(self) -> None:
        """Has nothing to let go of."""


def _illegal_action(view: Any) -> Any | None:
    """Returns an action of the phase that the rules refuse now."""
    legal = view.legal_actions()
    kinds = {type(action) for action in legal}
    everything = load_game(view.game).actions(view.players)
    return next((action for action in everything if type(action) in kinds and action not in legal), None)


def play_golden(golden: Golden, attempt: int) -> AnyRecord:
    """Returns the sealed record of one attempt."""
    game = load_game(golden.game)
    options = options_from(game, golden.options)
    seed = sha256(f"golden|{golden.name}|{attempt}".encode()).hexdigest()
    sitting = Sitting(
        id=f"{golden.game}-{golden.players}p.0.{attempt:06d}.0",
        tournament="golden",
        game=game,
        options=options,
        deal=make_deal(game, players=golden.players, seed=seed, options=options),
        seed=seed,
        rotation=0,
        seats=tuple(
            SeatInfo(bot=f"scripted-{seat}", version="1", fingerprint="0" * 64) for seat in range(golden.players)
        ),
    )
    players = [ScriptedPlayer(golden.breaches.get(seat), golden.scouting) for seat in range(golden.players)]
    return seal(play_game(sitting, players).record).record


def golden_bytes(record: AnyRecord) -> bytes:
    """Returns the bytes of a golden file: the canonical record and a newline."""
    return format_record(record) + b"\n"


# What is wanted of a game


def winner(record: AnyRecord) -> int | None:
    """Returns the seat that won alone; None when nobody did."""
    places = record.result.places
    return places.index(1) if record.result.ending is Ending.COMPLETE and places.count(1) == 1 else None


def endings(record: AnyRecord) -> set[str]:
    """Returns every way to end that a record shows: of the game, or of the rounds of SCOUT."""
    if record.result.ending is Ending.ABORTED:
        return {"aborted"}
    if record.game.name != "scout":
        return {str(record.result.ending)}
    return {_round_ending(round_) for round_ in record.result.detail.rounds}


def _round_ending(round_: Any) -> str:
    if round_.why == "all-scouted":
        return "all-scouted-cards-left" if round_.table else "all-scouted-empty-table"
    return str(round_.why)


def required_endings(game: str, players: int) -> tuple[str, ...]:
    """Returns the ways to end that can occur."""
    if game == "explorers":
        return ("complete", "move-limit", "aborted")
    if players == 2:
        return ("emptied", "stuck", "move-limit", "aborted")
    return ("emptied", "all-scouted-cards-left", "all-scouted-empty-table", "move-limit", "aborted")


# Which goldens there are


def goldens() -> Iterator[Golden]:
    """Yields every golden there must be."""
    for game, numbers in PLAYERS.items():
        for players in numbers:
            yield from _goldens_of(game, players)
    yield from _fault_goldens()
    yield Golden(
        "scout-3p-aborted-before-play",
        "scout",
        3,
        lambda record: endings(record) == {"aborted"} and getattr(record.moves[-1], "then_play", False),
        breaches={seat: Breach(FaultKind.CRASH, 6 + seat) for seat in range(3)},
    )


def _goldens_of(game: str, players: int) -> Iterator[Golden]:
    group = f"{game}-{players}p"
    left = list(range(players))
    for ending in required_endings(game, players):
        options: dict[str, Any] = {}
        breaches: dict[int, Breach] = {}
        seat = None
        if ending == "move-limit":
            options = {"move_limit": 8} if game == "scout" else {"stall_limit": None, "move_limit": 30}
        elif ending == "aborted":
            breaches = {seat: Breach(FaultKind.TIMEOUT, 4 + seat) for seat in range(players)}
        if ending != "aborted" and (game, ending) != ("explorers", "move-limit"):
            seat = left.pop(0) if left else None
        scouting = {"all-scouted-cards-left": 0.55, "all-scouted-empty-table": 0.7}.get(ending, 0.0)
        yield Golden(f"{group}-{ending}", game, players, _wants(ending, seat), options, breaches, scouting)
    for seat in left:
        ending = "emptied" if game == "scout" else "complete"
        yield Golden(f"{group}-seat-{seat}-wins", game, players, _wants(ending, seat))


def _wants(ending: str, seat: int | None) -> Callable[[AnyRecord], bool]:
    return lambda record: ending in endings(record) and (seat is None or winner(record) == seat)


def _fault_goldens() -> Iterator[Golden]:
    """Yields one golden a kind of fault, games and numbers of players in turn, and one with several faults."""
    groups = [(game, players) for game, numbers in PLAYERS.items() for players in numbers]
    for number, kind in enumerate(FAULTS):
        game, players = groups[(3 * number) % len(groups)]
        breach = Breach(kind, None if kind is FaultKind.START else 3 + number)
        seat = number % players
        yield Golden(f"{game}-{players}p-fault-{kind}", game, players, _wants_forfeits(seat), breaches={seat: breach})
    for game in PLAYERS:
        yield Golden(
            f"{game}-3p-two-faults",
            game,
            3,
            _wants_forfeits(0, 2),
            breaches={0: Breach(FaultKind.ILLEGAL, 5), 2: Breach(FaultKind.START, None)},
        )


def _wants_forfeits(*seats: int) -> Callable[[AnyRecord], bool]:
    return lambda record: record.result.forfeits == seats and record.result.ending is Ending.COMPLETE


MOST_BYTES = 16_000
"""A golden is read by people too."""


def search(golden: Golden) -> AnyRecord:
    """Returns the first attempt that is what is wanted and not too long."""
    for attempt in count():
        record = play_golden(golden, attempt)
        if golden.wanted(record) and len(golden_bytes(record)) <= MOST_BYTES:
            return record
    raise AssertionError("there is always another attempt")


def main() -> None:
    """Writes all goldens and removes what is none any more."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = set()
    for golden in goldens():
        record = search(golden)
        names.add(golden.name)
        (FOLDER / f"{golden.name}.json").write_bytes(golden_bytes(record))
        print(f"{golden.name}: {record.id}, {len(record.moves)} moves", flush=True)
    for path in FOLDER.glob("*.json"):
        if path.stem not in names:
            path.unlink()


if __name__ == "__main__":
    main()
