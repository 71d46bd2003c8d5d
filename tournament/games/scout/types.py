"""SCOUT's values: options, deal, actions, events, news and the detail of a result.

They stand in a file of their own, beside the rules: one definition serves memory, records and the protocol. Cards are
written `7/3`: 7 in play, 3 on the other half. Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Literal

from msgspec import Meta, Struct

from tournament.games.contract import Action, News, Options

Seat = Annotated[int, Meta(ge=0, le=4)]
Count = Annotated[int, Meta(ge=0)]
VALUE: Final[dict[str, int]] = {f"{up}/{down}": up for up in range(1, 11) for down in range(1, 11) if up != down}
"""The value in play of every card, both ways up."""

TURNED: Final[dict[str, str]] = {card: "/".join(reversed(card.split("/"))) for card in VALUE}
"""Every card the other way up."""

if TYPE_CHECKING:
    Card = str
else:
    Card = Literal[tuple(VALUE)]
"""The type of a card in structs: read and written as one of the 90 texts, and nothing else."""

Cards = tuple[Card, ...]

PACK: Final[tuple[str, ...]] = tuple(f"{low}/{high}" for low in range(1, 11) for high in range(low + 1, 11))
"""The 45 cards (1), lower value in play: (1,2), (1,3) ... (9,10)."""

HAND_SIZE: Final = {2: 11, 3: 12, 4: 11, 5: 9}
"""Cards of a hand as dealt, by number of players (3)."""


def pack_for(players: int) -> tuple[str, ...]:
    """Returns the cards in play (2): without the nine tens for 3 players, without 9/10 for 2 and 4."""
    if players == 3:
        return tuple(card for card in PACK if not card.endswith("/10"))
    return PACK if players == 5 else tuple(card for card in PACK if card != "9/10")


class ScoutOptions(Options, frozen=True):
    """Settings of SCOUT."""

    move_limit: Annotated[int, Meta(ge=1)] = 1000
    """Turns after which a round is scored as it stands (19)."""


class ScoutRound(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of one round, before anybody turned a hand."""

    hands: Annotated[tuple[Cards, ...], Meta(min_length=2, max_length=5)]
    """A hand a seat, left to right, as dealt."""


class ScoutDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """All rounds of a game; round r is started by seat r mod players (5)."""

    rounds: Annotated[tuple[ScoutRound, ...], Meta(min_length=1, max_length=5)]


class SetEnd(StrEnum):
    """An end of the set on the table."""

    LEFT = "left"
    RIGHT = "right"


class Keep(Action, frozen=True, gc=False, tag="keep"):
    """Keep the hand as it was dealt (6)."""

    do: ClassVar[Literal["keep"]] = "keep"


class Turn(Action, frozen=True, gc=False, tag="turn"):
    """Turn the whole hand: the two numbers of each card swap, the order stays (6)."""

    do: ClassVar[Literal["turn"]] = "turn"


class Play(Action, frozen=True, gc=False, tag="play"):
    """Lay neighbouring cards of the hand as the new set on the table (7 to 9)."""

    do: ClassVar[Literal["play"]] = "play"

    at: Count
    """Where in the hand the set begins; 0 is the left end."""

    count: Annotated[int, Meta(ge=1)]
    """How many cards."""


class Scout(Action, frozen=True, gc=False, tag="scout", omit_defaults=True):
    """Take a card from an end of the set on the table into the hand (10), perhaps to play at once (12)."""

    do: ClassVar[Literal["scout"]] = "scout"

    end: SetEnd
    """With one card on the table only `left`."""

    flip: bool
    """Whether the card goes in the other way up."""

    at: Count
    """Its place in the hand after insertion."""

    then_play: bool = False
    """Scout and play: the same seat must play next."""


ScoutAction = Keep | Turn | Play | Scout


class RoundEnding(StrEnum):
    """Why a round was over."""

    EMPTIED = "emptied"
    """A hand was empty after a play (14a)."""

    ALL_SCOUTED = "all-scouted"
    """Everybody else has only scouted since the last play (14b)."""

    STUCK = "stuck"
    """Two players: the other could neither play nor scout (18)."""

    MOVE_LIMIT = "move-limit"
    """The limit on turns was reached (19)."""


class ScoutRoundDetail(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How one round ended; cards in the order they lie."""

    why: RoundEnding
    captured: tuple[Cards, ...]
    """The cards each seat captured, in that order."""

    table: Cards
    """The set left on the table: it counts for nobody (15)."""

    tokens: tuple[Count, ...]
    """Tokens got from others' scouting; with two players, tokens not spent (17)."""

    hands: tuple[Cards, ...]
    exempt: Seat | None
    """The seat that loses nothing for its hand (15, 18)."""

    points: tuple[int, ...]


class ScoutUnfinishedRound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round as it stood when every seat had forfeited; cards in the order they lie."""

    captured: tuple[Cards, ...]
    """The cards each seat captured, in that order."""

    table: Cards
    """The set on the table."""

    owner: Seat | None
    """Whose set that is; None for an empty table."""

    tokens: tuple[Count, ...]
    hands: tuple[Cards, ...]
    may_scout_and_play: tuple[bool, ...]
    """Which seats could still scout and play (12)."""


class ScoutDetail(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The finished rounds of a game, in order."""

    rounds: tuple[ScoutRoundDetail, ...]
    unfinished: ScoutUnfinishedRound | None = None
    """The round in which an aborted game stopped; records made by 0.1.0 lack it."""


class RoundOver(News, frozen=True, tag="round", kw_only=True):
    """News of the end of a round."""

    do: ClassVar[Literal["round"]] = "round"

    round: Count
    why: RoundEnding
    points: tuple[int, ...]


class ScoutEvent(Struct, frozen=True, gc=False):
    """What an action did, hidden parts included."""

    seat: int
    action: ScoutAction
    cards: Cards = ()
    """Played cards left to right; a scouted card as it lay on the table; none for keep and turn."""

    captured: int = 0
    """How many cards a play captured."""

    round_over: RoundOver | None = None
    """Set when this action ended a round."""


class Oriented(News, frozen=True):
    """News of one's own keeping or turning; nobody else is told."""

    seat: Seat


class Kept(Oriented, frozen=True, tag="keep"):
    """One's own hand was kept."""

    do: ClassVar[Literal["keep"]] = "keep"


class Turned(Oriented, frozen=True, tag="turn"):
    """One's own hand was turned."""

    do: ClassVar[Literal["turn"]] = "turn"


class PlayedSet(News, frozen=True, tag="play", omit_defaults=True, kw_only=True):
    """News of a play. `at` and `count` come back only to the seat that played."""

    do: ClassVar[Literal["play"]] = "play"

    seat: Seat
    cards: Cards
    captured: Count
    at: Count | None = None
    count: Count | None = None


class Scouted(News, frozen=True, tag="scout", omit_defaults=True, kw_only=True):
    """News of a scout (20). `flip` and `at` come back only to the seat that scouted."""

    do: ClassVar[Literal["scout"]] = "scout"

    seat: Seat
    end: SetEnd
    card: Card
    """As it lay on the table."""

    then_play: bool
    flip: bool | None = None
    at: Count | None = None


ScoutNews = Kept | Turned | PlayedSet | Scouted | RoundOver


class ScoutPhase(StrEnum):
    """What kind of decision is due."""

    ORIENT = "orient"
    """Keep or turn."""

    TURN = "turn"
    """Play, scout, or scout and play."""

    PLAY = "play"
    """The second half of a scout and play."""

    OVER = "over"


class ScoutPublicView(Struct, frozen=True, kw_only=True):
    """What everybody may know: the public view."""

    game: Literal["scout"] = "scout"
    options: ScoutOptions
    players: int
    seat: int | None
    """Whose view this is; None for the public."""

    to_move: int | None
    """The seat that decides next; None when the game is over."""

    phase: ScoutPhase
    round: int
    table: Cards
    """The set on the table, left to right."""

    owner: int | None
    """Whose set it is; None exactly when the table is empty."""

    hand_sizes: tuple[int, ...]
    captured: tuple[int, ...]
    tokens: tuple[int, ...]
    may_scout_and_play: tuple[bool, ...]
    scouts: int
    """Plain scouts since the last play."""

    scores: tuple[int, ...]
    """Points of finished rounds."""

    turns_left: int
    """Turns until the limit of this round; falls when a turn begins to be used."""

    news: tuple[ScoutNews, ...]

    def legal_actions(self) -> Sequence[ScoutAction]:
        """Returns nothing: the public decides nothing."""
        return ()
