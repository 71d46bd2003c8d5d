"""A game with a person at the table: the referee plays it like any other, and it becomes an ordinary record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final, cast

from tournament.deals import deal_seed, make_deal
from tournament.entrants.model import Entrant
from tournament.errors import Interrupted, UsageError
from tournament.games import parts_of
from tournament.games.contract import Game, State
from tournament.games.parts import OffersLabels
from tournament.ids import GameId, format_group
from tournament.lab.guide import Guide
from tournament.lab.person import Face, LeftTable, Moment, Person
from tournament.players.bot import Clock
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord, seal
from tournament.records.misfits import check_valid
from tournament.records.record import SeatInfo
from tournament.records.schema import record_schema_name
from tournament.records.settings import Hosting
from tournament.referee import Sitting, play_game
from tournament.text import printable
from tournament.viewer.text import draw_scene

NAME: Final = "person"
TOURNAMENT: Final = "play"
HELP: Final = (
    "Answer with a number, or in words as in the list, or in JSON. ? gives a hint, u takes back, l lists the choices "
    "again, q leaves."
)

PERSON: Final = SeatInfo(bot=NAME, version="person", fingerprint=sha256(NAME.encode()).hexdigest())
"""How a record names a person: a fingerprint of the word itself, the same for everybody, for there is no program."""

Watch = Callable[[State, Any | None], object]
"""Takes the state, which it must not change, and the event that led to it, None at the deal."""


def check_seat(seat: int, *, players: int) -> None:
    """Raises `UsageError` for a seat that a table with this number of players does not have."""
    if not 0 <= seat < players:
        raise UsageError(
            f"--seat {seat}: a table of {players} has the seats 0 to {players - 1}. Take one of them, "
            "or name a bot for each other seat: --against ONE,TWO."
        )


def play_with_person(
    game: Game,
    against: Sequence[Entrant],
    face: Face,
    *,
    seat: int,
    master: str,
    guide: Guide | None,
    options: Any,
    hosting: Hosting | None = None,
    asks: bool = True,
) -> AnyRecord:
    """Returns the sealed record of a game of a person in `seat` against bots in the others, lowest seat first.

    `asks`: whether the person is asked before each move that cannot be taken back.

    The deal is that of block 0 of a tournament with this master. Raises `UsageError` for a seat the
    table does not have, `LeftTable` when the person leaves.
    """
    players = len(against) + 1
    check_seat(seat, players=players)
    seed = deal_seed(master, game=game.name, players=players, segment=0, block=0)
    deal = make_deal(game, players=players, seed=seed, options=options)
    seats = [one.seat_info(game.name) for one in against]
    seats.insert(seat, PERSON)
    record_id = str(GameId(format_group(game.name, players), segment=0, block=0, rotation=0))
    names = tuple(printable(one.bot) for one in seats)
    person = Person(face, game, names, guide, asks=asks)
    seated = Cast(against, hosting or Hosting())
    try:
        others = [seated.player(one.name, game.name, 0) for one in against]
        clocks = [seated.clock(one.name, game.name) for one in against]
        sitting = Sitting(
            id=record_id,
            tournament=TOURNAMENT,
            game=cast(Game, _WatchedGame(game, person.watch)),
            options=options,
            deal=deal,
            seed=seed,
            rotation=0,
            seats=tuple(seats),
            clocks=(*clocks[:seat], Clock(), *clocks[seat:]),
        )
        played = play_game(sitting, [*others[:seat], person, *others[seat:]])
    finally:
        seated.close()
    record, values, _ = seal(played.record)
    check_valid(record_schema_name(game.name), values, record.id)
    return record


class _WatchedGame:
    """The same rules with states that call `watch` at the deal and after every event."""

    def __init__(self, game: Game, watch: Watch) -> None:
        self._game = game
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def start(self, deal: Any, options: Any = None) -> State:
        state = self._game.start(deal, options)
        self._watch(state, None)
        return cast(State, _WatchedState(state, self._watch))


class _WatchedState:
    def __init__(self, state: State, watch: Watch) -> None:
        self._state = state
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def apply(self, action: Any) -> Any:
        event = self._state.apply(action)
        self._watch(self._state, event)
        return event


class PlainFace:
    """Asks line by line, for screen readers and pipes: says everything in words, nothing by colour or place alone."""

    def __init__(self, read: Callable[[str], str], write: Callable[[str], Any]) -> None:
        """Takes a function that prompts for a line, empty at the end of the input, and one that prints a line."""
        self._read = read
        self._write = write
        self._shown: Moment | None = None
        self._write(HELP)

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes; first shows the moment if it is a new one. Raises `LeftTable`."""
        if moment is not self._shown:
            self._show(moment)
            self._shown = moment
        while True:
            text = self._line("> ")
            word = text.strip().casefold()
            if word in ("l", "list", "h", "help"):
                self._write(HELP)
                self._list(moment)
            elif word in ("q", "quit"):
                answer = self._line("Leave the table? The game will not be recorded. y or n: ")
                if answer.strip().casefold() in ("y", "yes"):
                    raise LeftTable
            elif word:
                return text
            elif moment.default is not None:
                return moment.default

    def tell(self, text: str) -> None:
        """Prints a line."""
        self._write(text)

    def _show(self, moment: Moment) -> None:
        shown = self._shown
        if shown is None or shown.view != moment.view:
            self._write(f"\n--- {moment.where}")
            for sentence in moment.happened:
                self._write(sentence)
            self._write("\n".join(["", *(line.plain.rstrip() for line in draw_scene(moment.scene)), ""]))
            parts = parts_of(moment.view.game)
            if isinstance(parts, OffersLabels):
                self._write(parts.typing_hint)
        self._write(moment.question)
        self._list(moment)

    def _list(self, moment: Moment) -> None:
        for option in moment.options:
            self._write(f"{option.answer}  {option.text}")

    def _line(self, prompt: str) -> str:
        text = self._read(prompt)
        if not text:
            raise Interrupted("The input ended before the game did: nothing is recorded.")
        return text
