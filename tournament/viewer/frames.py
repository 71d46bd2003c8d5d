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
from tournament.games import parts_of, subtitle_of
from tournament.games.contract import Ending, Game, State
from tournament.games.parts import OffersReading, OffersTelling, Reading
from tournament.languages import gettext, gettext_noop, ngettext, pgettext
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.record import By, Fault, FaultKind
from tournament.replaying.positions import Mark, MarkKind, Replay
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
            return gettext("all cards")
        return gettext("public") if self.seat is None else gettext("seat {seat}", seat=self.seat)

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

    short: str = ""
    """The last action in short, such as `gamma: draws 3H`; empty where the game has nothing shorter."""


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

    subtitle: str
    """What the title of the game means; empty where it needs no translation."""

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
        self.walk = walk
        """The positions that the frames are made of."""

        self.audiences = tuple(audiences)
        """The audiences in every frame; viewers begin with the first."""

        self.header = _header(walk, whole=ALL in self.audiences)
        self._callers = name_seats(self.header.names)
        self._teller = _Teller(walk.game)
        self.turns = walk.turns
        self.rounds = walk.rounds
        self.marks: tuple[Mark, ...] = walk.marks
        self.trouble = walk.trouble
        """What is wrong with the record, or None. Cards are named only to `ALL`."""

        if walk.trouble is not None and ALL not in self.audiences:
            self.trouble = f"{record.id} does not follow its rules after step {walk.last}. Run `tournament audit`."

    def __len__(self) -> int:
        return self.walk.last + 1

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: int | slice) -> Frame | list[Frame]:
        if isinstance(index, slice):
            return [self[step] for step in range(len(self))[index]]
        step = range(len(self))[index]
        return self._frame(step, self.walk.state_at(step))

    def __iter__(self) -> Iterator[Frame]:
        for step, state in enumerate(self.walk.states()):
            yield self._frame(step, state)

    def call(self, audience: Audience) -> str:
        """Returns the name of an audience for people: of a seat, what the seat is called."""
        return audience.name if audience.seat is None else self._callers[audience.seat]

    def explain_mark(self, mark: Mark) -> str:
        """Returns what a mark stands for: `round 2 ends`, `gamma forfeits`."""
        if mark.kind is MarkKind.ROUND_END:
            return gettext("round {round} ends", round=self.walk.round_at(mark.step - 1))
        return ", ".join(
            gettext("{name} forfeits", name=self._who(fault.seat))
            for fault in self.walk.record.faults
            if fault.at == mark.step
        )

    def words(self, audience: Audience) -> list[str]:
        """Returns a sentence a step on its last action, as that audience may know it: the lines of a list of events."""
        return [self._tell(step, audience)[0] for step in range(len(self))]

    def _frame(self, step: int, state: State) -> Frame:
        walk, event = self.walk, self.walk.event_at(step)
        seen = {audience: self._seen(state, step, audience) for audience in self.audiences}
        view = seen[self.audiences[0]].view
        reading = self._teller.read(view)
        to_move: int | None = view.to_move
        here = walk.round_at(step)
        last = step == walk.last
        return Frame(
            step=step,
            round=here,
            where=gettext("step {step} of {last}", step=step, last=walk.last)
            if here is None
            else gettext("step {step} of {last}, round {round}", step=step, last=walk.last, round=here),
            actor=None if event is None else event.seat,
            stand_in=step > 0 and walk.record.moves[step - 1].by is By.STAND_IN,
            to_move=to_move,
            next=gettext("The game is over.") if to_move is None else tell_due(reading, self._who(to_move)),
            reading=reading,
            forfeits=tuple(sorted({fault.seat for fault in walk.record.faults if fault.at <= step})),
            ending=_ending(walk.record, self.header.names) if last and walk.trouble is None else (),
            seen=seen,
        )

    def _seen(self, state: State, step: int, audience: Audience) -> Seen:
        event = self.walk.event_at(step)
        told = event.seat if audience.sees_all and event is not None else audience.seat
        words, short = self._tell(step, audience)
        return Seen(
            words=words,
            short=short,
            news=() if event is None else state.news(event, told),
            view=state.view(audience.seat),
            faults=tuple(
                self._fault(fault, whole=audience.may_see(fault.seat))
                for fault in self.walk.record.faults
                if fault.at == step
            ),
        )

    def _tell(self, step: int, audience: Audience) -> tuple[str, str]:
        """Returns the last action of a step in a sentence and in short."""
        event = self.walk.event_at(step)
        if event is None:
            return gettext("The cards are dealt."), pgettext("what happened, in short", "deal")
        told = event.seat if audience.sees_all else audience.seat
        sentence, short = self._teller.tell(event, who=self._who(event.seat), told=told)
        stand_in = self.walk.record.moves[step - 1].by is By.STAND_IN
        return (gettext("{sentence} (A stand-in chose.)", sentence=sentence) if stand_in else sentence), short

    def _who(self, seat: int) -> str:
        return self._callers[seat] if seat < len(self._callers) else gettext("Seat {seat}", seat=seat)

    def _fault(self, fault: Fault, *, whole: bool) -> str:
        told = {"name": self._who(fault.seat), "reason": gettext(_FAULTS[fault.kind])}
        if not whole:
            story = gettext("{name} forfeits: {reason}.", **told)
        elif fault.answer is None:
            story = gettext("{name} forfeits: {reason} ({detail}).", detail=printable(fault.detail), **told)
        else:
            answer = printable(fault.answer)
            story = gettext(
                "{name} forfeits: {reason} ({detail}), it answered {answer}.",
                detail=printable(fault.detail),
                answer=answer,
                **told,
            )
        aborted = self.walk.record.result.ending is Ending.ABORTED and fault == self.walk.record.faults[-1]
        then = gettext("Nobody is left to play.") if aborted else gettext("A stand-in takes its seat.")
        return f"{story} {then}"


# Translators: each follows "ann forfeits: ".
_FAULTS: Final = {
    FaultKind.START: gettext_noop("its bot could not be started"),
    FaultKind.CRASH: gettext_noop("its bot crashed"),
    FaultKind.TIMEOUT: gettext_noop("its bot took too long"),
    FaultKind.ILLEGAL: gettext_noop("its action was not allowed"),
    FaultKind.MALFORMED: gettext_noop("its answer was no action"),
    FaultKind.FLOOD: gettext_noop("its bot wrote too much"),
    FaultKind.MEMORY: gettext_noop("its bot used too much memory"),
}

_ENDINGS: Final = {
    Ending.COMPLETE: gettext_noop("The game is complete."),
    Ending.MOVE_LIMIT: gettext_noop(
        "The game is void: it reached its limit on moves, and nobody is placed above anybody."
    ),
    Ending.ABORTED: gettext_noop("The game was aborted: every seat had forfeited."),
}


def frames_of(walk: Replay, audience: Audience = ALL) -> Frames:
    """Returns the frames of a record for an audience; those for `ALL` contain every other audience too.

    Raises `UsageError` for a seat that the game does not have.
    """
    known = audiences_of(len(walk.record.seats))
    if audience not in known:
        raise UsageError(
            f"{walk.record.id} has no seat {audience.seat}: its seats are 0 to {len(walk.record.seats) - 1}."
        )
    return Frames(walk, known if audience == ALL else (audience,))


def read_view(view: Any, game: Game | None = None) -> Reading:
    """Returns what the game says of a view beyond its fields; of a game that says nothing, the view's own `scores`."""
    parts = parts_of(view.game if game is None else game)
    return _read(view, parts if isinstance(parts, OffersReading) else None)


def _read(view: Any, reading: OffersReading | None) -> Reading:
    return Reading(scores=getattr(view, "scores", None)) if reading is None else reading.read_view(view)


def tell_due(reading: Reading, name: str) -> str:
    """Returns who is next and what they do, in a sentence."""
    return f"{name} {reading.due}."


def tell_step(view: Any, step: int) -> str:
    """Returns at which step a view is, and in which round where there are rounds."""
    here = getattr(view, "round", None)
    if here is None:
        return gettext("step {step}", step=step)
    return gettext("step {step}, round {round}", step=step, round=here)


def title_of(game: Game, players: int) -> str:
    """Returns the title of a game and the number of players."""
    return ngettext("{title}, {count} player", "{title}, {count} players", players, title=game.title)


def tell(event: Any, game: Game, *, who: str, told: int | None) -> tuple[str, str]:
    """Returns an event in a sentence about who acted, and in short, as the seat `told` (None: the public) may know it.

    A game that cannot be told so has a sentence of its own, and nothing in short.
    """
    return _Teller(game).tell(event, who=who, told=told)


class _Teller:
    """What a game says of its views and events. What it offers is asked once: Python is slow to answer that."""

    def __init__(self, game: Game) -> None:
        self._game = game
        parts = parts_of(game)
        self._reading = parts if isinstance(parts, OffersReading) else None
        self._telling = parts if isinstance(parts, OffersTelling) else None

    def read(self, view: Any) -> Reading:
        """Returns what `read_view` does."""
        return _read(view, self._reading)

    def tell(self, event: Any, *, who: str, told: int | None) -> tuple[str, str]:
        """Returns what the function `tell` does."""
        if self._telling is None:
            return self._game.describe(event, told), ""
        return f"{who} {self._telling.tell_event(event, told)}", f"{who}: {self._telling.note_event(event, told)}"


def name_seats(names: Sequence[str]) -> tuple[str, ...]:
    """Returns what each seat is called: its name, with the seat where several have that name."""
    return tuple(
        name if names.count(name) == 1 else gettext("{name} (seat {seat})", name=name, seat=seat)
        for seat, name in enumerate(names)
    )


def summarise(record: AnyRecord, *, you: int | None = None) -> tuple[str, ...]:
    """Returns the game, its ending and the place of each seat, as lines: what a record tells without its rules.

    `you`: the seat of the person who reads it.
    """
    names = tuple(gettext("you") if place == you else printable(seat.bot) for place, seat in enumerate(record.seats))
    first = ngettext(
        "{game}, {count} player: game {id}",
        "{game}, {count} players: game {id}",
        record.game.players,
        game=record.game.name,
        id=record.id,
    )
    return (first, *_ending(record, names))


def _header(walk: Replay, *, whole: bool) -> Header:
    record, game = walk.record, walk.game
    given, usual = to_builtins(record.game.options), to_builtins(game.Options())
    changed = [f"{name} {canonical_bytes(value).decode()}" for name, value in given.items() if value != usual.get(name)]
    return Header(
        id=record.id,
        tournament=printable(record.tournament),
        game=game.name,
        title=title_of(game, record.game.players),
        subtitle=subtitle_of(game),
        options=", ".join(changed),
        names=tuple(printable(seat.bot) for seat in record.seats),
        versions=tuple(printable(seat.version) for seat in record.seats),
        seed=record.seed if whole else None,
    )


def _ending(record: AnyRecord, names: Sequence[str]) -> tuple[str, ...]:
    result, callers = record.result, name_seats(names)
    order = sorted(zip(result.places, range(len(names)), result.scores, strict=False))
    lines = [
        _tell_place(place, name=callers[seat], score=score, forfeited=seat in result.forfeits)
        for place, seat, score in order
    ]
    return (gettext(_ENDINGS[result.ending]), *lines)


def _tell_place(place: int, *, name: str, score: int, forfeited: bool) -> str:
    told = {"place": place, "name": name, "score": score}
    if forfeited:
        return ngettext(
            "Place {place}: {name}, {score} point, forfeited.",
            "Place {place}: {name}, {score} points, forfeited.",
            abs(score),
            **told,
        )
    return ngettext(
        "Place {place}: {name}, {score} point.", "Place {place}: {name}, {score} points.", abs(score), **told
    )
