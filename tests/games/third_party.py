"""A small game as somebody else would write it, with nothing but the contract in hand.

Highest: every seat holds three of the cards 1 to 12, the rest is the stock. In turn each lays a
card and draws one, unseen by the others, while there is a stock. The highest card of a trick
takes it, and its seat leads the next. A trick is a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from tournament.games.contract import (
    Action,
    DealError,
    Ending,
    GameError,
    IllegalAction,
    Options,
    Outcome,
    Rng,
    options_from,
    places_from_scores,
    shuffled,
    wrong_players,
)

PACK = tuple(range(1, 13))
HAND = 3
Card = Annotated[int, Meta(ge=1, le=12)]
Cards = tuple[Card, ...]


class HighestOptions(Options, frozen=True):
    """None are needed."""


class HighestDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand a seat, and the stock, first drawn first."""

    hands: tuple[Cards, ...]
    stock: Cards


class Lay(Action, frozen=True, tag="lay"):
    """Lay a card."""

    card: Card


class Trick(Struct, frozen=True):
    """A finished trick: cards in turn order from the leader, and who took it."""

    leader: int
    cards: Cards
    taker: int


class HighestDetail(Struct, frozen=True):
    """The finished tricks."""

    tricks: tuple[Trick, ...]


class HighestEvent(Struct, frozen=True):
    """What an action did, the card drawn included."""

    seat: int
    action: Lay
    drawn: int | None = None
    taker: int | None = None


class Laid(Struct, frozen=True, tag_field="do", tag="lay", omit_defaults=True, kw_only=True):
    """News of an event; `drawn` comes back only to the seat that drew."""

    seat: int
    card: Card
    drawn: Card | None = None
    taker: int | None = None


class HighestView(Struct, frozen=True, kw_only=True):
    """What a seat may know; the public has no hand."""

    game: Literal["highest"] = "highest"
    players: int
    seat: int | None
    to_move: int | None
    hand: Cards
    table: Cards
    leader: int
    stock: int
    hand_sizes: tuple[int, ...]
    won: tuple[int, ...]
    news: tuple[Laid, ...]

    def legal_actions(self) -> tuple[Lay, ...]:
        """Returns a lay for each card of the hand, lowest first."""
        return tuple(map(Lay, sorted(self.hand))) if self.seat is not None and self.seat == self.to_move else ()


class HighestState:
    """One game being played."""

    def __init__(self, deal: HighestDeal) -> None:
        self.hands = [list(hand) for hand in deal.hands]
        self.stock = list(deal.stock)
        self.to_move: int | None = 0
        self.leader = 0
        self.table: list[int] = []
        self.tricks: list[Trick] = []
        self.events: list[HighestEvent] = []
        self.since = [0] * len(self.hands)

    def legal_actions(self) -> Sequence[Lay]:
        """Returns a lay for each card of the hand, lowest first."""
        return () if self.to_move is None else tuple(map(Lay, sorted(self.hands[self.to_move])))

    def check(self, action: Any) -> None:
        """Raises `IllegalAction` for a card that is not in the hand."""
        if self.to_move is None:
            raise IllegalAction("the game is over")
        if not isinstance(action, Lay) or action.card not in self.hands[self.to_move]:
            raise IllegalAction("lay: only a card of one's own hand may be laid")

    def apply(self, action: Lay) -> HighestEvent:
        """Lays a card, draws one, and ends the trick with its last card."""
        seat, players = self.to_move, len(self.hands)
        assert seat is not None
        self.since[seat] = len(self.events)
        self.hands[seat].remove(action.card)
        self.table.append(action.card)
        drawn = self.stock.pop(0) if self.stock else None
        if drawn is not None:
            self.hands[seat].append(drawn)
        taker = None
        self.to_move = (seat + 1) % players
        if len(self.table) == players:
            taker = (self.leader + self.table.index(max(self.table))) % players
            self.tricks.append(Trick(self.leader, tuple(self.table), taker))
            self.table = []
            self.leader = taker

            self.to_move = taker if self.hands[taker] else None
        self.events.append(HighestEvent(seat, action, drawn, taker))
        return self.events[-1]

    def news(self, event: HighestEvent, seat: int | None) -> tuple[Laid, ...]:
        """Returns one item; the card drawn only for the seat that drew it."""
        drawn = event.drawn if seat == event.seat else None
        return (Laid(seat=event.seat, card=event.action.card, drawn=drawn, taker=event.taker),)

    def view(self, seat: int | None) -> HighestView:
        """Returns what that seat may know now."""
        events = self.events[-1:] if seat is None else self.events[self.since[seat] :]
        return HighestView(
            players=len(self.hands),
            seat=seat,
            to_move=self.to_move,
            hand=() if seat is None else tuple(self.hands[seat]),
            table=tuple(self.table),
            leader=self.leader,
            stock=len(self.stock),
            hand_sizes=tuple(map(len, self.hands)),
            won=self._scores(),
            news=tuple(news for event in events for news in self.news(event, seat)),
        )

    def copy(self) -> HighestState:
        """Returns a state that goes its own way from here."""
        twin = object.__new__(type(self))
        twin.__dict__ |= self.__dict__
        for name in ("stock", "table", "tricks", "events", "since"):
            setattr(twin, name, getattr(self, name).copy())
        twin.hands = [hand.copy() for hand in self.hands]
        return twin

    def outcome(self) -> Outcome | None:
        """Returns how the game ended."""
        if self.to_move is not None:
            return None
        places = places_from_scores(self._scores())
        return Outcome(ending=Ending.COMPLETE, scores=self._scores(), places=places, detail=self._detail())

    def standing(self) -> Outcome:
        """Returns the tricks so far."""
        places = (1,) * len(self.hands)
        return Outcome(ending=Ending.ABORTED, scores=self._scores(), places=places, detail=self._detail())

    def _scores(self) -> tuple[int, ...]:
        takers = [trick.taker for trick in self.tricks]
        return tuple(takers.count(seat) for seat in range(len(self.hands)))

    def _detail(self) -> HighestDetail:
        return HighestDetail(tuple(self.tricks))


class Highest:
    """The rules."""

    name = "highest"
    title = "Highest"
    rules_version = 1
    players = range(2, 4)
    Options = HighestOptions
    Deal = HighestDeal
    Action = Lay
    View = HighestView
    News = Laid
    Detail = HighestDetail
    State = HighestState

    def deal(self, players: int, rng: Rng, options: Any = None) -> HighestDeal:
        """Returns three cards a seat and the stock."""
        if players not in self.players:
            raise wrong_players(self, players)
        cards = tuple(shuffled(PACK, rng))
        hands = tuple(cards[HAND * seat : HAND * (seat + 1)] for seat in range(players))
        return HighestDeal(hands, cards[HAND * players :])

    def start(self, deal: HighestDeal, options: Any = None) -> HighestState:
        """Returns the state before the first action."""
        options_from(self, options)
        if not all(deal.hands):
            raise DealError("Every seat of highest holds a card at the start; one of these holds none.")
        return self.State(deal)

    def check_deal(self, deal: HighestDeal, options: Any = None) -> None:
        """Raises `DealError` when the cards are not those of the pack, in hands of three."""
        if sorted([*deal.stock, *(card for hand in deal.hands for card in hand)]) != list(PACK):
            raise DealError("A deal of highest has the cards 1 to 12, each once.")
        if any(len(hand) != HAND for hand in deal.hands):
            raise DealError(f"A hand of highest has {HAND} cards.")

    def actions(self, players: int) -> Sequence[Lay]:
        """Returns a lay for each card."""
        if players not in self.players:
            raise wrong_players(self, players)
        return tuple(map(Lay, PACK))

    def redeal(self, seen: Sequence[HighestView], rng: Rng) -> HighestState:
        """Returns a state in which the cards that nobody has laid, and this seat does not hold, lie anyhow."""
        if not seen or any(view.seat != seen[0].seat for view in seen):
            raise GameError("redeal of highest needs all views of one seat, oldest first.")
        view = seen[-1]
        told = [item for view in seen for item in view.news]
        gone = {*view.hand, *(item.card for item in told)}
        rest = shuffled((card for card in PACK if card not in gone), rng)
        hands = [
            view.hand if seat == view.seat else tuple(rest.pop() for _ in range(size))
            for seat, size in enumerate(view.hand_sizes)
        ]
        state = self.State(HighestDeal(tuple(hands), tuple(rest)))
        state.to_move, state.leader, state.table = view.to_move, view.leader, list(view.table)
        laid = [item.card for item in told]
        leader = 0
        for number, taker in enumerate(item.taker for item in told if item.taker is not None):
            cards = laid[number * view.players : (number + 1) * view.players]
            state.tricks.append(Trick(leader, tuple(cards), taker))
            leader = taker
        state.events = [HighestEvent(item.seat, Lay(item.card), item.drawn, item.taker) for item in view.news]
        return state

    def describe(self, event: HighestEvent, seat: int | None = None) -> str:
        """Returns one sentence; the card drawn is named only to its seat."""
        drawn = f" and draws {event.drawn if seat == event.seat else 'a card'}" if event.drawn else ""
        taker = "" if event.taker is None else f"; seat {event.taker} takes the trick"
        return f"Seat {event.seat} lays {event.action.card}{drawn}{taker}."
