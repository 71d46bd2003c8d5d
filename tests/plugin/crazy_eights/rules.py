"""Crazy Eights: the rules, by the numbers of README.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta, Struct

from tournament.games.cards import ORDER, PACK, SUIT_NAMES, SUITS, Card, name_card
from tournament.games.contract import (
    Action,
    DealError,
    Ending,
    GameError,
    IllegalAction,
    News,
    Options,
    Outcome,
    Rng,
    options_from,
    places_from_scores,
    shuffled,
    wrong_players,
)

Cards = tuple[Card, ...]
Seat = Annotated[int, Meta(ge=0, le=3)]
Suit = Literal["C", "D", "H", "S"]

VALUES: Final = {card: {"8": 50, "A": 1}.get(card[:-1]) or (10 if card[0] in "1JQK" else int(card[0])) for card in PACK}
"""What a card costs whoever is left with it (8)."""


class EightsOptions(Options, frozen=True):
    """Settings of Crazy Eights."""

    hand_size: Annotated[int, Meta(ge=1, le=12)] = 5
    """Cards dealt to each seat (1)."""


class EightsDeal(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of a game."""

    hands: Annotated[tuple[Cards, ...], Meta(min_length=2, max_length=4)]
    starter: Card
    """Begins the pile."""

    stock: Cards
    """First drawn first."""


class Play(Action, frozen=True, tag="play", omit_defaults=True):
    """Play a card (4)."""

    do: ClassVar[Literal["play"]] = "play"

    card: Card
    suit: Suit | None = None
    """What is named with an eight."""


class Draw(Action, frozen=True, tag="draw"):
    """Draw a card from the stock (5)."""

    do: ClassVar[Literal["draw"]] = "draw"


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing (6)."""

    do: ClassVar[Literal["pass"]] = "pass"


EightsAction = Play | Draw | Pass
PLAYS: Final = {card: tuple(Play(card, suit) for suit in (SUITS if card[0] == "8" else (None,))) for card in PACK}
ALL_ACTIONS: Final[tuple[EightsAction, ...]] = (*(action for card in PACK for action in PLAYS[card]), Draw(), Pass())


class Played(News, frozen=True, tag="play", omit_defaults=True):
    """News of a card that was played, and of the suit that was named for an eight."""

    do: ClassVar[Literal["play"]] = "play"

    seat: Seat
    card: Card
    suit: Suit | None = None


class Drew(News, frozen=True, tag="draw", omit_defaults=True):
    """News of a card that was drawn; only its own seat is told which."""

    do: ClassVar[Literal["draw"]] = "draw"

    seat: Seat
    card: Card | None = None


class Passed(News, frozen=True, tag="pass"):
    """News of a seat that did nothing."""

    do: ClassVar[Literal["pass"]] = "pass"

    seat: Seat


EightsNews = Played | Drew | Passed


class EightsEvent(Struct, frozen=True):
    """What an action did."""

    seat: int
    action: EightsAction
    card: str | None
    """The card played or drawn."""


class EightsDetail(Struct, frozen=True, forbid_unknown_fields=True):
    """What the points come from."""

    pile: Cards
    hands: tuple[Cards, ...]


class EightsView(Struct, frozen=True, kw_only=True):
    """What a seat, or the public, may know."""

    game: Literal["crazy_eights"] = "crazy_eights"
    options: EightsOptions
    players: int
    seat: int | None
    to_move: int | None
    hand: Cards
    """In order of arrival; the public has none."""

    pile: Cards
    """The top card last."""

    suit: Suit
    """To be followed: that of the top card, or the one named for an eight."""

    stock: int
    """Cards left."""

    hand_sizes: tuple[int, ...]
    news: tuple[EightsNews, ...]

    def legal_actions(self) -> tuple[EightsAction, ...]:
        """Returns what this seat may do now; empty when it is not to move."""
        if self.seat is None or self.seat != self.to_move:
            return ()
        return legal_actions(self.hand, self.pile[-1], self.suit, stock=self.stock)


def fits(card: str, top: str, suit: str) -> bool:
    """Returns whether a card may be played (4)."""
    return card[0] == "8" or card[-1] == suit or card[:-1] == top[:-1]


def legal_actions(hand: Sequence[str], top: str, suit: str, *, stock: int) -> tuple[EightsAction, ...]:
    """Returns the cards that may be played, in the order of the pack, then draw or pass (4 to 6)."""
    plays = [play for card in sorted(hand, key=ORDER.__getitem__) if fits(card, top, suit) for play in PLAYS[card]]
    return (*plays, Draw() if stock else Pass())


class EightsState:
    """One game being played."""

    def __init__(self, options: EightsOptions, deal: EightsDeal) -> None:
        self.options = options
        self.to_move: int | None = 0
        self._hands = [tuple(hand) for hand in deal.hands]
        self._stock = deal.stock
        self._pile: tuple[str, ...] = (deal.starter,)
        self._suit = deal.starter[-1]
        self._passes = 0
        self._events: tuple[EightsEvent, ...] = ()
        self._since = [0] * len(deal.hands)
        """How many events each seat had seen at its last decision."""

    def legal_actions(self) -> tuple[EightsAction, ...]:
        """Returns every legal action; none when the game is over."""
        if self.to_move is None:
            return ()
        return legal_actions(self._hands[self.to_move], self._pile[-1], self._suit, stock=len(self._stock))

    def check(self, action: Any) -> None:
        """Raises `IllegalAction` saying which rule an action breaks."""
        if self.to_move is None:
            raise IllegalAction(f"{action.do}: the game is over")
        if action in self.legal_actions():
            return
        if not isinstance(action, Play):
            raise IllegalAction(f"{action.do}: one draws while there is a stock, and passes when there is none")
        if action.card not in self._hands[self.to_move]:
            raise IllegalAction(f"play: {action.card} is not in the hand of seat {self.to_move}")
        if action not in PLAYS[action.card]:
            raise IllegalAction(f"play: an eight is played with a suit, another card without, not {action.card} so")
        raise IllegalAction(f"play: {action.card} has neither the suit {self._suit} nor the rank on the pile")

    def apply(self, action: EightsAction) -> EightsEvent:
        """Carries out a legal action."""
        seat, card = self.to_move, None
        assert seat is not None
        if isinstance(action, Draw):
            card, *rest = self._stock
            self._stock = tuple(rest)
            self._hands[seat] += (card,)
        elif isinstance(action, Play):
            card = action.card
            self._hands[seat] = tuple(held for held in self._hands[seat] if held != card)
            self._pile += (card,)
            self._suit = action.suit or card[-1]
        self._passes = self._passes + 1 if isinstance(action, Pass) else 0
        is_over = not self._hands[seat] or self._passes == len(self._hands)
        self.to_move = None if is_over else (seat + 1) % len(self._hands)
        self._since[seat] = len(self._events)
        event = EightsEvent(seat, action, card)
        self._events += (event,)
        return event

    def news(self, event: EightsEvent, seat: int | None) -> tuple[EightsNews, ...]:
        """Returns what that seat (None: the public) sees of an event."""
        action = event.action
        if isinstance(action, Draw):
            return (Drew(event.seat, event.card if seat == event.seat else None),)
        return (Played(event.seat, action.card, action.suit) if isinstance(action, Play) else Passed(event.seat),)

    def view(self, seat: int | None) -> EightsView:
        """Returns what that seat (None: the public) may know now."""
        seen = self._events[-1:] if seat is None else self._events[self._since[seat] :]
        return EightsView(
            options=self.options,
            players=len(self._hands),
            seat=seat,
            to_move=self.to_move,
            hand=() if seat is None else self._hands[seat],
            pile=self._pile,
            suit=self._suit,  # type: ignore[arg-type]
            stock=len(self._stock),
            hand_sizes=tuple(map(len, self._hands)),
            news=tuple(item for event in seen for item in self.news(event, seat)),
        )

    def copy(self) -> EightsState:
        """Returns a state that goes its own way from here."""
        twin = object.__new__(EightsState)
        twin.__dict__ |= self.__dict__ | {"_hands": self._hands[:], "_since": self._since[:]}
        return twin

    def outcome(self) -> Outcome | None:
        """Returns how the game ended (7, 8); None while it goes on."""
        return None if self.to_move is not None else self._settle(Ending.COMPLETE)

    def standing(self) -> Outcome:
        """Returns the points as they stand."""
        return self._settle(Ending.ABORTED)

    def _settle(self, ending: Ending) -> Outcome:
        scores = tuple(-sum(VALUES[card] for card in hand) for hand in self._hands)
        places = places_from_scores(scores) if ending is Ending.COMPLETE else (1,) * len(scores)
        detail = EightsDetail(self._pile, tuple(self._hands))
        return Outcome(ending=ending, scores=scores, places=places, detail=detail)


class CrazyEights:
    """The game, as the entry point names it."""

    name: str = "crazy_eights"
    title: str = "Crazy Eights"
    rules_version: int = 1
    players: range = range(2, 5)
    Options: type = EightsOptions
    Deal: type = EightsDeal
    Action: Any = EightsAction
    View: type = EightsView
    News: Any = EightsNews
    Detail: type = EightsDetail

    def deal(self, players: int, rng: Rng, options: Any = None) -> EightsDeal:
        """Returns shuffled hands, starter and stock (1)."""
        if players not in self.players:
            raise wrong_players(self, players)
        return self.lay_out(shuffled(PACK, rng), players, options)

    def lay_out(self, cards: Sequence[str], players: int, options: Any) -> EightsDeal:
        """Returns the deal of a pack in this order: hand by hand, the starter, the stock."""
        size = options_from(self, options).hand_size
        hands = [tuple(cards[size * seat : size * (seat + 1)]) for seat in range(players)]
        return EightsDeal(tuple(hands), cards[size * players], tuple(cards[size * players + 1 :]))

    def start(self, deal: EightsDeal, options: Any = None) -> EightsState:
        """Returns the state before the first action."""
        if not all(deal.hands):
            raise DealError("A hand of crazy_eights has at least one card at the start.")
        return EightsState(options_from(self, options), deal)

    def check_deal(self, deal: EightsDeal, options: Any = None) -> None:
        """Raises `DealError` when the cards are not the whole pack in hands of the right size (1)."""
        size = options_from(self, options).hand_size
        if sorted([*deal.stock, deal.starter, *sum(deal.hands, ())]) != sorted(PACK):
            raise DealError("A deal of crazy_eights has the 52 cards of a pack, each once.")
        if any(len(hand) != size for hand in deal.hands):
            raise DealError(f"A hand of crazy_eights has {size} cards.")

    def actions(self, players: int) -> tuple[EightsAction, ...]:
        """Returns every action there is."""
        if players not in self.players:
            raise wrong_players(self, players)
        return ALL_ACTIONS

    def redeal(self, seen: Sequence[EightsView], rng: Rng) -> EightsState:
        """Returns a state that fits what a seat saw: a deal is drawn that does, and played up to here."""
        seats = {(view.seat, view.players, view.options) for view in seen}
        if len(seats) != 1 or (own := seen[0].seat) is None or len(seen[0].hand) != seen[0].options.hand_size:
            raise GameError("redeal of crazy_eights needs all views of one seat, from its first decision on.")
        first, history = seen[0], [item for view in seen for item in view.news]
        size = first.options.hand_size
        cards: list[str | None] = [None] * len(PACK)
        cards[size * own : size * (own + 1)] = first.hand[:size]
        cards[size * first.players] = first.pile[0]
        held = [[*range(size * seat, size * (seat + 1))] for seat in range(first.players)]
        drawn = size * first.players + 1
        for item in history:
            if isinstance(item, Drew):
                cards[drawn] = item.card
                held[item.seat].append(drawn)
                drawn += 1
            elif isinstance(item, Played) and item.seat != own:
                places = held[item.seat]
                cards[places.pop(int(rng.random() * len(places)))] = item.card
        unseen = iter(shuffled([card for card in PACK if card not in cards], rng))
        pack = [next(unseen) if card is None else card for card in cards]
        state = self.start(self.lay_out(pack, first.players, first.options), first.options)
        for item in history:
            state.apply(action_of(item))
        return state

    def describe(self, event: EightsEvent, seat: int | None = None) -> str:
        """Returns one sentence; the card drawn is named to its seat alone."""
        return f"Seat {event.seat} {tell_event(event, seat)}"

    def parts(self) -> Any:
        """Returns what the game offers beyond its rules; imported here, for bots need nothing of it."""
        from crazy_eights.parts import EightsParts

        return EightsParts()


def tell_event(event: EightsEvent, seat: int | None) -> str:
    """Returns the sentence without who acted."""
    action = event.action
    if isinstance(action, Play):
        named = f" and names {SUIT_NAMES[action.suit]}" if action.suit else ""
        return f"plays the {name_card(action.card)}{named}."
    if isinstance(action, Draw):
        return f"draws {f'the {name_card(str(event.card))}' if seat == event.seat else 'a card'}."
    return "passes."


def action_of(item: EightsNews) -> EightsAction:
    """Returns the action that was told of."""
    return Play(item.card, item.suit) if isinstance(item, Played) else Draw() if isinstance(item, Drew) else Pass()
