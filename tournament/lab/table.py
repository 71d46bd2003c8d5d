"""A game with a person at the table: the referee plays it like any other, and it becomes an ordinary record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import structs

from tournament.deals import deal_seed, make_deal
from tournament.entrants.model import Entrant
from tournament.errors import Interrupted, UsageError
from tournament.games import parts_of
from tournament.games.contract import Game
from tournament.games.parts import OffersLabels
from tournament.ids import GameId, format_group
from tournament.lab.guide import Guide
from tournament.lab.person import Face, LeftTable, Moment, Person
from tournament.lab.watching import watched
from tournament.languages import gettext, gettext_noop
from tournament.players.bot import Clock
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord, seal
from tournament.records.misfits import check_sealed
from tournament.records.record import SeatInfo, name_problem
from tournament.records.settings import Hosting
from tournament.referee import PlayedGame, Sitting, play_game
from tournament.text import composed, printable
from tournament.viewer.text import draw_scene

NAME: Final = "person"
TOURNAMENT: Final = "play"
HELP: Final = gettext_noop(
    "Answer with a number, or in words as in the list, or in JSON. ? gives a hint, u takes back, l lists the choices "
    "again, q leaves."
)

PERSON: Final = SeatInfo(bot=NAME, version="person", fingerprint=sha256(NAME.encode()).hexdigest())
"""How a record names a person: a fingerprint of the word itself, the same for everybody, for there is no program."""


def check_seat(seat: int, *, players: int) -> None:
    """Raises `UsageError` for a seat that a table with this number of players does not have."""
    if not 0 <= seat < players:
        raise UsageError(
            f"--seat {seat}: a table of {players} has the seats 0 to {players - 1}. Take one of them, "
            "or name a bot for each other seat: --against ONE,TWO."
        )


def sitting_with(
    game: Game, seats: Sequence[Entrant | None], *, names: Sequence[str] = (), master: str, options: Any
) -> Sitting:
    """Returns what a game starts from, without clocks. In `seats` a person is None.

    The deal is that of block 0 of a tournament with this master. Raises `UsageError` for names of people that do not
    fit: too many, too long, empty, or that of another seat.
    """
    players = len(seats)
    called = _names_of_people(names, seats)
    seed = deal_seed(master, game=game.name, players=players, segment=0, block=0)
    infos = [structs.replace(PERSON, bot=called.pop(0)) if one is None else one.seat_info(game.name) for one in seats]
    return Sitting(
        id=str(GameId(format_group(game.name, players), segment=0, block=0, rotation=0)),
        tournament=TOURNAMENT,
        game=game,
        options=options,
        deal=make_deal(game, players=players, seed=seed, options=options),
        seed=seed,
        rotation=0,
        seats=tuple(infos),
    )


def _names_of_people(names: Sequence[str], seats: Sequence[Entrant | None]) -> list[str]:
    """Returns what the people at a table are called, lowest seat first; whoever has given no name is a person."""
    people = seats.count(None)
    if len(names) > people:
        raise UsageError(
            f"--name is given {len(names)} times, and {people} play: give it at most once for each person."
        )
    given = [composed(name.strip()) for name in names]
    unnamed = [NAME if number == 1 else f"{NAME}-{number}" for number in range(1, people + 1)]
    called = [*given, *unnamed[len(given) :]]
    others = [one.name for one in seats if one is not None]
    for name in called:
        if (problem := name_problem(name)) is not None:
            raise UsageError(f'--name "{name}": {problem}.')
        if [*called, *others].count(name) > 1:
            raise UsageError(f'--name "{name}" is the name of another seat, too: give each seat one of its own.')
    return called


def sealed_record(played: PlayedGame) -> AnyRecord:
    """Returns the sealed and checked record of a game."""
    sealed = seal(played.record)
    check_sealed(sealed)
    return sealed.record


def play_with_person(
    game: Game,
    against: Sequence[Entrant],
    face: Face,
    *,
    seat: int,
    names: Sequence[str] = (),
    master: str,
    guide: Guide | None,
    options: Any,
    hosting: Hosting | None = None,
    asks: bool = True,
) -> AnyRecord:
    """Returns the sealed record of a game of a person in `seat` against bots in the others, lowest seat first.

    `names`: what the person is called, if at all; `asks`: whether they are asked before each move that cannot be taken
    back. The deal is that of block 0 of a tournament with this master. Raises `UsageError` for a seat the table does
    not have and for a name that does not fit, `LeftTable` when the person leaves.
    """
    check_seat(seat, players=len(against) + 1)
    seats = [*against[:seat], None, *against[seat:]]
    sitting = sitting_with(game, seats, names=names, master=master, options=options)
    person = Person(face, game, tuple(printable(one.bot) for one in sitting.seats), guide, asks=asks)
    seated = Cast(against, hosting or Hosting())
    try:
        others = [seated.player(one.name, game.name, 0) for one in against]
        clocks = [seated.clock(one.name, game.name) for one in against]
        sitting = structs.replace(
            sitting, game=watched(game, person.watch), clocks=(*clocks[:seat], Clock(), *clocks[seat:])
        )
        played = play_game(sitting, [*others[:seat], person, *others[seat:]])
    finally:
        seated.close()
    return sealed_record(played)


class PlainFace:
    """Asks line by line, for screen readers and pipes: says everything in words, nothing by colour or place alone."""

    def __init__(self, read: Callable[[str], str], write: Callable[[str], Any]) -> None:
        """Takes a function that prompts for a line, empty at the end of the input, and one that prints a line."""
        self._read = read
        self._write = write
        self._shown: Moment | None = None
        self._write(gettext(HELP))

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes; first shows the moment if it is a new one. Raises `LeftTable`."""
        if moment is not self._shown:
            self._show(moment)
            self._shown = moment
        while True:
            text = self._line("> ")
            word = text.strip().casefold()
            if word in ("l", "list", "h", "help"):
                self._write(gettext(HELP))
                self._list(moment)
            elif word in ("q", "quit"):
                answer = self._line(gettext("Leave the table? The game will not be recorded. y or n:") + " ")
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
            raise Interrupted(gettext("The input ended before the game did: nothing is recorded."))
        return text
