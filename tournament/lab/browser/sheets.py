"""What a person's page shows at one moment. It is made from the view and the news of their seat and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from tournament.errors import GameError
from tournament.games import parts_of
from tournament.games.buttons import ListedChoice, OffersButtons, OffersChoiceList
from tournament.games.contract import Game
from tournament.games.parts import OffersLabels, OffersPage
from tournament.lab.addressing import tell_person
from tournament.lab.labels import pointed_at
from tournament.languages import gettext
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.viewer.actions import short_text
from tournament.viewer.frames import (
    Audience,
    Frame,
    Seen,
    name_seats,
    read_view,
    summarise,
    tell_due,
    tell_step,
    title_of,
)
from tournament.viewer.page import pack_frame


class SeatHead(Struct, frozen=True, kw_only=True):
    """What holds for a seat as long as its game lasts."""

    game: str
    title: str
    seat: int
    names: tuple[str, ...]
    """What each seat is called."""

    versions: tuple[str, ...]
    people: tuple[int, ...]
    """The seats of people, lowest first."""

    hints: str | None
    """The name of the bot that gives hints; None where there is none."""

    legend: tuple[str, ...]
    """What the signs in the drawing mean."""


class CardChoice(Struct, frozen=True, kw_only=True):
    """A legal action as a person chooses it: by its words, or by the places they touch."""

    words: str
    """Its short text, such as `play 4 3`."""

    meaning: str
    """What it means with the cards of the view; empty where the words say it all."""

    listed: ListedChoice
    """Where it stands in the list of all choices."""

    takes: tuple[str, ...]
    """The places that cards are taken from, by their names in the drawing."""

    to: str | None
    """The place that they go to."""

    gap: int | None
    """The place in the hand before which a card would be put."""


class Moving(Struct, frozen=True, kw_only=True):
    """The step that a sheet shows, as everybody may know it."""

    step: int
    actor: int | None
    """The seat that acted last; None at the deal."""

    stand_in: bool
    forfeits: tuple[int, ...]


class Told(NamedTuple):
    """Something that happened, before it is told."""

    event: Any | None
    """None at the deal."""

    stand_in: bool = False
    """Whether a stand-in chose."""

    forfeits: tuple[int, ...] = ()
    """The seats that forfeited then."""


class TableMoment(Struct, frozen=True, kw_only=True):
    """What a seat is shown at one moment, as values: `Teller` makes a sheet of it, in the language of who reads it."""

    number: int
    view: Any
    news: tuple[Any, ...]
    moving: Moving
    told: tuple[Told, ...]
    """Everything that happened, the deal first."""

    take_back: int | None
    took_back: int | None = None
    """The seat that took a move back since the last sheet."""

    record: AnyRecord | None = None
    """The game, once it is over."""

    @property
    def is_open(self) -> bool:
        """Whether the seat may choose."""
        return self.record is None and bool(self.view.legal_actions())


class Sheet(Struct, frozen=True, kw_only=True):
    """What a person's page shows at one moment."""

    number: int
    """Grows with each sheet of the table."""

    frame: dict[str, Any]
    """The step as drawings take it: a `Frame` for this seat alone."""

    told: tuple[str, ...]
    """Sentences on everything that happened, the deal first, as this seat may know it."""

    choices: tuple[CardChoice, ...]
    """The legal actions in their order; empty while others are to move."""

    take_back: int | None
    """The step to which taking back would return; None while nothing can be taken back."""

    notice: str | None = None
    """A sentence on something that is no step of the game."""

    over: bool = False


class Teller(Struct, frozen=True, kw_only=True):
    """Says in the present language what happens at a table."""

    game: Game
    bots: tuple[str, ...]
    """How the record names who sits where."""

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called."""
        return name_seats(self.bots)

    def head_of(self, seat: int, *, versions: Sequence[str], people: Sequence[int], hints: str | None) -> SeatHead:
        """Returns what holds for a seat as long as its game lasts."""
        parts = parts_of(self.game)
        return SeatHead(
            game=self.game.name,
            title=title_of(self.game, len(self.bots)),
            seat=seat,
            names=self.names,
            versions=tuple(versions),
            people=tuple(people),
            hints=hints,
            legend=tuple(parts.page_signs) if isinstance(parts, OffersPage) else (),
        )

    def sheet_of(self, moment: TableMoment) -> Sheet:
        """Returns what the page of the seat of a view shows."""
        view, record = moment.view, moment.record
        told = tuple(self._tell(one, view.seat) for one in moment.told)
        frame = self._frame(moment, words=told[-1])
        return Sheet(
            number=moment.number,
            frame=pack_frame(frame, Audience(seat=view.seat)),
            told=told,
            choices=choices_on_cards(view) if record is None else (),
            take_back=moment.take_back if record is None else None,
            notice=None if moment.took_back is None else self._tell_of_move_back(moment.took_back, view.seat),
            over=record is not None,
        )

    def _frame(self, moment: TableMoment, *, words: str) -> Frame:
        view, moving = moment.view, moment.moving
        reading = read_view(view)
        to_move: int | None = view.to_move
        return Frame(
            step=moving.step,
            round=getattr(view, "round", None),
            where=tell_step(view, moving.step),
            actor=moving.actor,
            stand_in=moving.stand_in,
            to_move=to_move,
            next=gettext("The game is over.") if to_move is None else tell_due(reading, self.names[to_move]),
            reading=reading,
            forfeits=moving.forfeits,
            ending=() if moment.record is None else summarise(moment.record, you=view.seat)[1:],
            seen={Audience(seat=view.seat): Seen(words=words, news=moment.news, view=view, faults=())},
        )

    def _tell(self, told: Told, seat: int) -> str:
        """Returns in words what happened, as a seat may know it."""
        event = told.event
        if event is None:
            sentence = gettext("The cards are dealt.")
        else:
            sentence = tell_person(event, self.game, seat=seat, names=self.names)
            if told.stand_in:
                sentence = gettext("{sentence} (A stand-in chose.)", sentence=sentence)
        lost = [
            gettext("{name} forfeits: its bot failed. A stand-in plays on.", name=self.names[one])
            for one in told.forfeits
        ]
        return " ".join([sentence, *lost])

    def _tell_of_move_back(self, took_back: int, seat: int) -> str:
        if took_back == seat:
            return gettext("You took a move back.")
        return gettext("{name} took a move back.", name=self.names[took_back])


def choices_on_cards(view: Any) -> tuple[CardChoice, ...]:
    """Returns what the seat of a view may do now, in the order of its legal actions."""
    parts = parts_of(view.game)
    choices = []
    for action in view.legal_actions():
        pointed = pointed_at(action, view)
        choices.append(
            CardChoice(
                words=short_text(action),
                meaning=_meaning(parts, action, view),
                listed=parts.list_choice(action, view) if isinstance(parts, OffersChoiceList) else ListedChoice(),
                takes=(
                    *(f"hand {place}" for place in pointed.hand),
                    *(f"table {place}" for place in pointed.table),
                    *pointed.spots,
                ),
                to=pointed.to,
                gap=pointed.gap,
            )
        )
    return tuple(choices)


def _meaning(parts: object, action: Any, view: Any) -> str:
    if isinstance(parts, OffersButtons):
        return parts.word_button(action, view)
    return parts.explain_action(action, view) if isinstance(parts, OffersLabels) else ""


def pack_sheet(sheet: Sheet) -> bytes:
    """Returns a sheet as one line of JSON, ASCII only."""
    return canonical_bytes(sheet)


def action_at(view: Any, place: int) -> Any:
    """Returns the legal action in a place of the list. Raises `GameError` beyond its end."""
    legal = view.legal_actions()
    if not 0 <= place < len(legal):
        raise GameError(
            gettext(
                "There is no choice {place}: there are {number}. Load the page again.", place=place, number=len(legal)
            )
        )
    return legal[place]
