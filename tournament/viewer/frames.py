"""A record as frames: what each audience sees at every step, in values and in words.

Only this module asks the rules. Text, terminal and page draw frames, and know no rules. A frame for the
public or for one seat is made from the views, the news and the sentences of that audience and nothing
else, so it does not contain what it must not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, overload

from msgspec import Struct, to_builtins

from tournament.errors import UsageError
from tournament.games import parts_of
from tournament.games.contract import Ending, Game, State
from tournament.games.parts import OffersReading, Reading
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.record import By, Fault, FaultKind
from tournament.replaying.positions import Mark, Replay
from tournament.text import printable


class Audience(Struct, frozen=True, kw_only=True):
    """Who looks at a game: `ALL`, from whom nothing is hidden, the `PUBLIC`, or one seat."""

    seat: int | None = None
    """The seat that looks; None for `ALL` and `PUBLIC`."""

    sees_all: bool = False
    """Whether nothing is hidden."""

    @property
    def id(self) -> str:
        """Its name in pages and links: `all`, `public`, `seat0`."""
        if self.sees_all:
            return "all"
        return "public" if self.seat is None else f"seat{self.seat}"

    @property
    def name(self) -> str:
        """Its name for people: `all cards`, `public`, `seat 0`."""
        if self.sees_all:
            return "all cards"
        return "public" if self.seat is None else f"seat {self.seat}"

    def may_see(self, seat: int) -> bool:
        """Returns whether this audience may be shown what only that seat knows."""
        return self.sees_all or self.seat == seat


ALL: Final = Audience(sees_all=True)
PUBLIC: Final = Audience()


def audiences_of(players: int) -> tuple[Audience, ...]:
    """Returns every audience of a game: all, the public, each seat."""
    return (ALL, PUBLIC, *(Audience(seat=seat) for seat in range(players)))


class Seen(Struct, frozen=True, kw_only=True):
    """What one audience sees at one step."""

    words: str
    """The last action in a sentence."""

    news: tuple[Any, ...]
    """The last action as news of the game. `ALL` gets the news of the seat that acted."""

    view: Any
    """The view of this audience. `ALL` gets the public view; the hands are in the views of the seats."""

    faults: tuple[str, ...]
    """Faults at this step, in sentences; with details for the seat itself and for `ALL`."""


class Frame(Struct, frozen=True, kw_only=True):
    """One step, ready to be drawn."""

    step: int
    round: int | None
    where: str
    """`step 12 of 48, round 2`."""

    actor: int | None
    """The seat that acted last; None at the deal."""

    stand_in: bool
    """Whether a stand-in chose the last action."""

    to_move: int | None
    next: str
    """Who is next, in a sentence."""

    reading: Reading
    forfeits: tuple[int, ...]
    """Seats that have forfeited up to this step, lowest first."""

    ending: tuple[str, ...]
    """How the game ended, in sentences, at the last step; empty before."""

    seen: dict[Audience, Seen]


class Header(Struct, frozen=True, kw_only=True):
    """What holds for every frame of a game."""

    id: str
    tournament: str
    game: str
    title: str
    """The title of the game and the number of players."""

    options: str
    """Options that differ from their defaults, such as `move_limit 50`; empty when none does."""

    names: tuple[str, ...]
    """The entrant at each seat."""

    versions: tuple[str, ...]
    seed: str | None
    """The deal seed, where the record has one and the frames are for `ALL`."""


class Frames(Sequence[Frame]):
    """The frames of one game, each made when it is asked for: `frames[step]`, or one after the other by iterating."""

    def __init__(self, walk: Replay, audiences: Sequence[Audience]) -> None:
        record = walk.record
        self._walk = walk
        self.audiences = tuple(audiences)
        """The audiences in every frame; viewers begin with the first."""

        self.header = _header(walk, whole=ALL in self.audiences)
        self.turns = walk.turns
        self.rounds = walk.rounds
        self.marks: tuple[Mark, ...] = walk.marks
        self.trouble = walk.trouble
        """What is wrong with the record, or None. Cards are named only to `ALL`."""

        if walk.trouble is not None and ALL not in self.audiences:
            self.trouble = f"{record.id} does not follow its rules after step {walk.last}. Run `tournament audit`."

    def __len__(self) -> int:
        return self._walk.last + 1

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self[step] for step in range(len(self))[index]]
        step = range(len(self))[index]
        return self._frame(step, self._walk.state_at(step))

    def __iter__(self) -> Iterator[Frame]:
        for step, state in enumerate(self._walk.states()):
            yield self._frame(step, state)

    def words(self, audience: Audience) -> list[str]:
        """Returns a sentence a step on its last action, as that audience may know it: the lines of a list of events."""
        return [self._words(step, audience) for step in range(len(self))]

    def _frame(self, step: int, state: State) -> Frame:
        walk, event = self._walk, self._walk.event_at(step)
        seen = {audience: self._seen(state, step, audience) for audience in self.audiences}
        view = seen[self.audiences[0]].view
        reading = read_view(view, walk.game)
        to_move: int | None = view.to_move
        here = walk.round_at(step)
        last = step == walk.last
        return Frame(
            step=step,
            round=here,
            where=f"step {step} of {walk.last}" + ("" if here is None else f", round {here}"),
            actor=None if event is None else event.seat,
            stand_in=step > 0 and walk.record.moves[step - 1].by is By.STAND_IN,
            to_move=to_move,
            next="The game is over." if to_move is None else f"{self._who(to_move)} {reading.due}.",
            reading=reading,
            forfeits=tuple(sorted({fault.seat for fault in walk.record.faults if fault.at <= step})),
            ending=_ending(walk.record, self.header.names) if last and walk.trouble is None else (),
            seen=seen,
        )

    def _seen(self, state: State, step: int, audience: Audience) -> Seen:
        event = self._walk.event_at(step)
        told = event.seat if audience.sees_all and event is not None else audience.seat
        return Seen(
            words=self._words(step, audience),
            news=() if event is None else state.news(event, told),
            view=state.view(audience.seat),
            faults=tuple(
                self._fault(fault, whole=audience.may_see(fault.seat))
                for fault in self._walk.record.faults
                if fault.at == step
            ),
        )

    def _words(self, step: int, audience: Audience) -> str:
        event = self._walk.event_at(step)
        if event is None:
            return "The cards are dealt."
        told = event.seat if audience.sees_all else audience.seat
        sentence = self._walk.game.describe(event, told)
        stand_in = self._walk.record.moves[step - 1].by is By.STAND_IN
        return f"{sentence} (A stand-in chose.)" if stand_in else sentence

    def _who(self, seat: int) -> str:
        names = self.header.names
        return f"Seat {seat} ({names[seat]})" if seat < len(names) else f"Seat {seat}"

    def _fault(self, fault: Fault, *, whole: bool) -> str:
        story = f"{self._who(fault.seat)} forfeits: {_FAULTS[fault.kind]}"
        if whole:
            story += f" ({printable(fault.detail)})"
            if fault.answer is not None:
                story += f", it answered {printable(fault.answer)}"
        aborted = self._walk.record.result.ending is Ending.ABORTED and fault == self._walk.record.faults[-1]
        return f"{story}. {'Nobody is left to play' if aborted else 'A stand-in takes its seat'}."


_FAULTS: Final = {
    FaultKind.START: "its bot could not be started",
    FaultKind.CRASH: "its bot crashed",
    FaultKind.TIMEOUT: "its bot took too long",
    FaultKind.ILLEGAL: "its action was not allowed",
    FaultKind.MALFORMED: "its answer was no action",
    FaultKind.FLOOD: "its bot wrote too much",
    FaultKind.MEMORY: "its bot used too much memory",
}

_ENDINGS: Final = {
    Ending.COMPLETE: "The game is complete.",
    Ending.MOVE_LIMIT: "The game is void: it reached its limit on moves, and nobody is placed above anybody.",
    Ending.ABORTED: "The game was aborted: every seat had forfeited.",
}


def frames_of(walk: Replay, audience: Audience = ALL) -> Frames:
    """Returns the frames of a record for an audience; those for `ALL` contain every other audience too.

    Raises `UsageError` for a seat that the game does not have.
    """
    known = audiences_of(len(walk.record.seats))
    if audience not in known:
        raise UsageError(f"{walk.record.id} has no {audience.name}: its seats are 0 to {len(walk.record.seats) - 1}.")
    return Frames(walk, known if audience == ALL else (audience,))


def read_view(view: Any, game: Game | None = None) -> Reading:
    """Returns what the game says of a view beyond its fields; of a game that says nothing, the view's own `scores`."""
    parts = parts_of(view.game if game is None else game)
    return parts.read_view(view) if isinstance(parts, OffersReading) else Reading(scores=getattr(view, "scores", None))


def summarise(record: AnyRecord) -> tuple[str, ...]:
    """Returns the game, its ending and the place of each seat, as lines: what a record tells without its rules."""
    names = tuple(printable(seat.bot) for seat in record.seats)
    return (f"{record.game.name}, {record.game.players} players: game {record.id}", *_ending(record, names))


def _header(walk: Replay, *, whole: bool) -> Header:
    record, game = walk.record, walk.game
    given, usual = to_builtins(record.game.options), to_builtins(game.Options())
    changed = [f"{name} {canonical_bytes(value).decode()}" for name, value in given.items() if value != usual.get(name)]
    return Header(
        id=record.id,
        tournament=printable(record.tournament),
        game=game.name,
        title=f"{game.title}, {record.game.players} players",
        options=", ".join(changed),
        names=tuple(printable(seat.bot) for seat in record.seats),
        versions=tuple(printable(seat.version) for seat in record.seats),
        seed=record.seed if whole else None,
    )


def _ending(record: AnyRecord, names: Sequence[str]) -> tuple[str, ...]:
    result = record.result
    order = sorted(zip(result.places, range(len(names)), result.scores, strict=False))
    lines = [
        f"Place {place}: {names[seat]} (seat {seat}), {score} {'point' if abs(score) == 1 else 'points'}"
        f"{', forfeited' if seat in result.forfeits else ''}."
        for place, seat, score in order
    ]
    return (_ENDINGS[result.ending], *lines)
