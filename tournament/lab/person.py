"""A person at the table: what they are shown, what they may answer, and the game as an ordinary record."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, Protocol

from msgspec import Struct

from tournament.deals import deal_seed, make_deal
from tournament.entrants import Entrant
from tournament.errors import IllegalAction, TournamentError, UsageError
from tournament.games.base import Game, State
from tournament.lab.guides import Guide
from tournament.lab.labels import label, parse_answer
from tournament.lab.watching import watched
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.players.cast import Cast
from tournament.records.codec import AnyRecord, seal
from tournament.records.hosting import Hosting
from tournament.records.model import SeatInfo
from tournament.records.schema import check_valid, record_schema_name
from tournament.referee import Sitting, play_game
from tournament.viewer.frames import Frame, Header, Seen, printable, seat_audience
from tournament.viewer.reading import read_view

NAME: Final = "person"
TOURNAMENT: Final = "play"

PERSON: Final = SeatInfo(bot=NAME, version="person", fingerprint=sha256(NAME.encode()).hexdigest())
"""How a record names a person: a fingerprint of the word itself, the same for everybody, for there is no program."""

NO_UNDO: Final = (
    "There is no undo: the others have seen what you did, and you have seen what came of it. "
    "After the game `tournament whatif` plays on from any move another way."
)


class LeftTable(Exception):  # noqa: N818 (says what happened)
    """The person left: the game ends without a record."""


class Moment(Struct, frozen=True, kw_only=True):
    """What a person is shown when it is their turn: their view, and nothing else."""

    frame: Frame
    header: Header
    audience: str
    happened: tuple[str, ...]
    """Sentences on everything since their last decision, as their seat may know it."""

    @property
    def view(self) -> Any:
        """The view of the person's seat."""
        return self.frame.seen[self.audience].view


class Face(Protocol):
    """How a person is asked and told."""

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes. Raises `LeftTable`."""
        ...

    def tell(self, text: str) -> None:
        """Shows an answer to what they wrote: a hint, or why something is refused."""
        ...


class Person:
    """A person as a player of the referee. Only legal actions are handed on, so there are no faults."""

    taken_ns = 0
    start_ms = 0.0

    def __init__(self, face: Face, game: Game, header: Header, guide: Guide | None) -> None:
        self._face = face
        self._game = game
        self._header = header
        self._guide = guide
        self._seat = 0
        self._seed = ""
        self._seen: list[Any] = []
        self._happened: list[str] = ["The cards are dealt."]
        self._steps = 0
        self._actor: int | None = None
        self._state: State | None = None

    def watch(self, state: State, event: Any | None) -> None:
        """Takes note of the deal, and of every event as the person's seat may know it."""
        self._state = state
        if event is None:
            return
        self._steps += 1
        self._actor = event.seat
        self._happened.append(printable(self._game.describe(event, self._seat)))

    def start(self, info: GameStart) -> None:
        """Takes the seat."""
        self._seat, self._seed = info.seat, info.seed

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns the legal action the person chose. Raises `LeftTable` when they leave."""
        self._seen.append(view)
        moment = self._moment(view)
        self._happened.clear()
        while True:
            text = self._face.ask(moment)
            word = text.strip().casefold()
            try:
                if word in ("?", "hint"):
                    self._face.tell(self._hint(view))
                elif word in ("u", "undo", "back"):
                    self._face.tell(NO_UNDO)
                else:
                    return self._legal(parse_answer(text, view, self._game.Action), view)
            except TournamentError as error:
                self._face.tell(str(error))

    def _legal(self, action: Any, view: Any) -> Any:
        """Returns the action when it is legal; says by which rule it is not."""
        if action in view.legal_actions():
            return action
        if self._state is not None:
            self._state.check(action)
        raise IllegalAction("This is not allowed now.")

    def _hint(self, view: Any) -> str:
        if self._guide is None:
            return "There is no example bot for this game, and so no hint."
        return f"{self._guide.name} would: {label(self._guide.advise(self._seen, seed=self._seed), view)}"

    def _moment(self, view: Any) -> Moment:
        reading = read_view(view)
        here = getattr(view, "round", None)
        audience = seat_audience(self._seat)
        seen = Seen(words=self._happened[-1], news=view.news, view=view, faults=())
        frame = Frame(
            step=self._steps,
            round=here,
            where=f"step {self._steps}" + ("" if here is None else f", round {here}"),
            actor=self._actor,
            stand_in=False,
            to_move=view.to_move,
            next=f"Your turn: seat {self._seat} {reading.due}.",
            reading=reading,
            forfeits=(),
            ending=(),
            seen={audience: seen},
        )
        return Moment(frame=frame, header=self._header, audience=audience, happened=tuple(self._happened))

    def end(self, result: GameEnd) -> None:
        """Takes note of nothing: the face shows the record."""

    def dismiss(self) -> str | None:
        """Has nothing to let go of."""
        return None

    def request_quit(self) -> None:
        """Has nothing to ask."""

    def close(self) -> None:
        """Has nothing to let go of."""


def check_seat(seat: int, *, players: int) -> None:
    """Raises `UsageError` for a seat that a table of so many players does not have."""
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
) -> AnyRecord:
    """Returns the sealed record of a game of a person in `seat` against bots in the others, lowest seat first.

    The deal is that of block 0 of a tournament with this master. Raises `UsageError` for a seat the
    table does not have, `LeftTable` when the person leaves.
    """
    players = len(against) + 1
    check_seat(seat, players=players)
    seed = deal_seed(master, game=game.name, players=players, segment=0, block=0)
    deal = make_deal(game, players=players, seed=seed, options=options)
    seats = [
        SeatInfo(bot=one.name, version=one.version(game.name), fingerprint=one.fingerprint(game.name))
        for one in against
    ]
    seats.insert(seat, PERSON)
    record_id = f"{game.name}-{players}p.0.000000.0"
    header = Header(
        id=record_id,
        tournament=TOURNAMENT,
        game=game.name,
        title=f"{game.title}, {players} players",
        options="",
        names=tuple(printable(one.bot) for one in seats),
        versions=tuple(printable(one.version) for one in seats),
        seed=None,
    )
    person = Person(face, game, header, guide)
    cast = Cast(against, hosting or Hosting())
    try:
        others = [cast.player(one.name, game.name, 0) for one in against]
        clocks = []
        for one in against:
            control = cast.time_control(one.name, game.name)
            clocks.append(Clock(move_ms=control.move_ms, bank_ms=control.bank_ms))
        sitting = Sitting(
            id=record_id,
            tournament=TOURNAMENT,
            game=watched(game, person.watch),
            options=options,
            deal=deal,
            seed=seed,
            rotation=0,
            seats=tuple(seats),
            clocks=(*clocks[:seat], Clock(), *clocks[seat:]),
        )
        played = play_game(sitting, [*others[:seat], person, *others[seat:]])
    finally:
        cast.close()
    record, values, _ = seal(played.record)
    check_valid(record_schema_name(game.name), values, record.id)
    return record
