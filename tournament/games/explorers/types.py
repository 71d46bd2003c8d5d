"""The values of De store oppdagere: options, deal, actions, events, news and the detail of a result.

They stand in a file of their own, beside the rules: one definition serves memory, records and
the protocol. Cards are written rank then suit, `10H`. Rule numbers in brackets are those of
the rule card. `gc=False` tells Python's collector not to look at values that are made by the
million: they are frozen and hold only texts, numbers and each other, so no cycle can arise.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from tournament.games.cards import Card
from tournament.games.contract import Action, News, Options

TITLE: Final = "De store oppdagere"

Seat = Annotated[int, Meta(ge=0, le=3)]
Count = Annotated[int, Meta(ge=0)]
Cards = tuple[Card, ...]


class ExplorersOptions(Options, frozen=True):
    """Settings of De store oppdagere."""

    stall_limit: Annotated[int, Meta(ge=0)] | None = 20
    """Draws in a row from piles, by all players, after which only the stock may be drawn; None switches it off (14)."""

    move_limit: Annotated[int, Meta(ge=1)] = 5000
    """Turns after which the game is void (14)."""


class ExplorersDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of a game."""

    hands: Annotated[tuple[Cards, ...], Meta(min_length=2, max_length=4)]
    """A hand a seat."""

    stock: Cards
    """First drawn first."""


class DrawSource(StrEnum):
    """Where a card is drawn from: the stock, or the pile of a suit."""

    STOCK = "stock"
    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"


class StartExpedition(Action, frozen=True, tag="start", gc=False):
    """Start a new expedition with a card (5)."""

    do: ClassVar[Literal["start"]] = "start"

    card: Card


class Build(Action, frozen=True, tag="build", gc=False):
    """Lay a card on one of one's own expeditions (6)."""

    do: ClassVar[Literal["build"]] = "build"

    card: Card
    expedition: Count
    """Its index among the seat's own expeditions, oldest first (13)."""


class Discard(Action, frozen=True, tag="discard", gc=False):
    """Put a card on the pile of its suit (7)."""

    do: ClassVar[Literal["discard"]] = "discard"

    card: Card


class Draw(Action, frozen=True, tag="draw", rename={"source": "from"}, gc=False):
    """Take the top card of the stock or of a pile (8); written `from` in JSON."""

    do: ClassVar[Literal["draw"]] = "draw"

    source: DrawSource


ExplorersLay = StartExpedition | Build | Discard
ExplorersAction = ExplorersLay | Draw


class Expedition(Struct, frozen=True, forbid_unknown_fields=True):
    """One expedition at the end of a game."""

    cards: Cards
    """First laid first."""

    points: int


class ExplorersDetail(Struct, frozen=True, forbid_unknown_fields=True):
    """What the points of a game come from."""

    expeditions: tuple[tuple[Expedition, ...], ...]
    """The expeditions of each seat, oldest first."""

    hands: tuple[Cards, ...]
    """What was left in each hand, in order of arrival."""


class ExplorersEvent(Struct, frozen=True, gc=False):
    """What an action did, hidden parts included."""

    seat: int
    action: ExplorersAction
    card: str
    """The card laid or drawn."""


class StartedExpedition(News, frozen=True, tag="start"):
    """News of a new expedition."""

    do: ClassVar[Literal["start"]] = "start"

    seat: Seat
    card: Card


class Built(News, frozen=True, tag="build"):
    """News of a card laid on an expedition."""

    do: ClassVar[Literal["build"]] = "build"

    seat: Seat
    card: Card
    expedition: Count


class Discarded(News, frozen=True, tag="discard"):
    """News of a card put on a pile."""

    do: ClassVar[Literal["discard"]] = "discard"

    seat: Seat
    card: Card


class Drew(News, frozen=True, tag="draw", rename={"source": "from"}, omit_defaults=True, kw_only=True):
    """News of a draw. A card from the stock is shown only to the seat that drew it (15)."""

    do: ClassVar[Literal["draw"]] = "draw"

    seat: Seat
    source: DrawSource
    card: Card | None = None


ExplorersNews = StartedExpedition | Built | Discarded | Drew


class ExplorersPhase(StrEnum):
    """What kind of decision is due."""

    LAY = "lay"
    """Start, build or discard."""

    DRAW = "draw"
    OVER = "over"


class Piles(Struct, frozen=True, gc=False):
    """The four discard piles, bottom to top; `piles["H"]` or `piles.H`."""

    C: Cards = ()
    D: Cards = ()
    H: Cards = ()
    S: Cards = ()

    def __getitem__(self, suit: str) -> Cards:
        """Returns the pile of a suit. Raises `KeyError` for what is no suit."""
        if suit not in ("C", "D", "H", "S"):
            raise KeyError(suit)
        pile: Cards = getattr(self, suit)
        return pile


class ExplorersPublicView(Struct, frozen=True, kw_only=True, gc=False):
    """What everybody may know: the public view."""

    game: Literal["explorers"] = "explorers"
    options: ExplorersOptions
    players: int
    seat: int | None
    """Whose view this is; None for the public."""

    to_move: int | None
    """The seat that decides next; None when the game is over."""

    phase: ExplorersPhase
    expeditions: tuple[tuple[Cards, ...], ...]
    """The expeditions of each seat, oldest first, first laid first."""

    piles: Piles
    closed: str | None
    """The suit whose pile the seat to move may not draw from this turn (8)."""

    stock: int
    """Cards left in the stock."""

    pile_draws: int
    """Draws in a row from piles, by all players."""

    hand_sizes: tuple[int, ...]
    turns_left: int
    """Turns until the game is void; falls when a turn begins to be used."""

    news: tuple[ExplorersNews, ...]

    def legal_actions(self) -> tuple[ExplorersAction, ...]:
        """Returns nothing: the public decides nothing."""
        return ()
