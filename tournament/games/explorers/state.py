"""One game of De store oppdagere being played.

A turn is two decisions: lay a card (start, build, discard), then draw one. The state keeps, for
every seat and suit, the lays it has already listed, and lists again only a suit that changed.
Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any, Final

from mypy_extensions import mypyc_attr

from tournament.games.cards import SUIT_NAMES, SUITS
from tournament.games.contract import LISTED, Ending, IllegalAction, Outcome, places_from_scores
from tournament.games.explorers.lays import PLACES, VALUES, draws, held_by_suit, lays_of_suit
from tournament.games.explorers.types import (
    Build,
    Built,
    Cards,
    Discard,
    Discarded,
    Draw,
    DrawSource,
    Drew,
    Expedition,
    ExplorersAction,
    ExplorersDeal,
    ExplorersDetail,
    ExplorersEvent,
    ExplorersLay,
    ExplorersNews,
    ExplorersOptions,
    ExplorersPhase,
    ExplorersPublicView,
    Piles,
    StartedExpedition,
    StartExpedition,
)
from tournament.games.explorers.view import ExplorersView

_SUIT_OF: Final[dict[DrawSource, int | None]] = {
    source: None if source == DrawSource.STOCK else SUITS.index(source) for source in DrawSource
}
"""The place in `SUITS` of the pile drawn from; None for the stock."""

_SOURCES: Final = tuple(DrawSource)
_LAY, _DRAW, _OVER = ExplorersPhase.LAY, ExplorersPhase.DRAW, ExplorersPhase.OVER


def points(cards: Sequence[str]) -> int:
    """Returns what an expedition scores: (sum of its values - 20) x (1 + its picture cards) (10)."""
    values = [VALUES[card] for card in cards]
    return (sum(values) - 20) * (1 + values.count(0))


def news_of(event: ExplorersEvent, *, whole: bool) -> ExplorersNews:
    """Returns the news of an event; the card of a draw from the stock only when `whole` (15)."""
    seat, action = event.seat, event.action
    if isinstance(action, Draw):
        hidden = action.source == DrawSource.STOCK and not whole
        return Drew(seat=seat, source=action.source, card=None if hidden else event.card)
    if isinstance(action, StartExpedition):
        return StartedExpedition(seat, action.card)
    if isinstance(action, Build):
        return Built(seat, action.card, action.expedition)
    return Discarded(seat, action.card)


@mypyc_attr(serializable=True)
class _Seat:
    """What one seat holds and has laid, also sorted by suit."""

    __slots__ = ("cards", "expeditions", "held", "lays", "since", "tops")

    cards: list[str]
    """In order of arrival."""

    expeditions: list[Cards]
    held: list[list[int]]
    """Of each suit: the cards in hand as places in `PACK`, sorted."""

    tops: list[dict[int, int]]
    """Of each suit: the value laid last on each expedition, by index."""

    lays: list[tuple[ExplorersLay, ...] | None]
    """Of each suit: the legal lays; None when they must be listed again."""

    since: int
    """The number of the event of its last decision; 0 before the first."""

    @classmethod
    def with_hand(cls, cards: Cards) -> _Seat:
        """Returns a seat that has laid nothing."""
        seat = _Seat()
        seat.cards = list(cards)
        seat.expeditions = []
        seat.held = held_by_suit(cards)
        seat.tops = [{} for _ in SUITS]
        seat.lays = [None] * len(SUITS)
        seat.since = 0
        return seat

    def copy(self) -> _Seat:
        twin = _Seat()
        twin.cards = self.cards[:]
        twin.expeditions = self.expeditions[:]
        twin.held = [held[:] for held in self.held]
        twin.tops = [tops.copy() for tops in self.tops]
        twin.lays = self.lays[:]
        twin.since = self.since
        return twin


@mypyc_attr(serializable=True)
class ExplorersState:
    """One game being played."""

    __slots__ = (
        "_closed",
        "_drawing",
        "_drawn",
        "_ending",
        "_events",
        "_open",
        "_pile_draws",
        "_piles",
        "_seats",
        "_stock",
        "_told",
        "_turns_left",
        "options",
        "players",
        "to_move",
    )

    to_move: int | None
    options: ExplorersOptions
    players: int
    _seats: list[_Seat]
    _stock: Cards
    _drawn: int
    """How many cards of the stock are gone."""

    _piles: list[Cards]
    _open: int
    """The piles that hold cards, as a sum of `1 << suit`."""

    _closed: int | None
    _drawing: bool
    _pile_draws: int
    _turns_left: int
    _ending: Ending | None
    _events: list[ExplorersEvent]
    _told: list[ExplorersNews]
    """The news of each event as the public has it, made when they are first asked for."""

    @classmethod
    def begin(cls, deal: ExplorersDeal, options: ExplorersOptions) -> ExplorersState:
        """Returns the state before the first action."""
        state = ExplorersState()
        state.options = options
        state.players = len(deal.hands)
        state.to_move = 0
        state._seats = [_Seat.with_hand(hand) for hand in deal.hands]
        state._stock = deal.stock
        state._drawn = 0
        state._piles = [()] * len(SUITS)
        state._open = 0
        state._closed = None
        state._drawing = False
        state._pile_draws = 0
        state._turns_left = options.move_limit
        state._ending = None
        state._events = []
        state._told = []
        return state

    def legal_actions(self) -> tuple[ExplorersAction, ...]:
        """Returns every legal action: by card start, builds, discard; or the draws. Empty only when it is over."""
        if self.to_move is None:
            return ()
        if self._drawing:
            return draws(self.options, piles=self._open, closed=self._closed, pile_draws=self._pile_draws)
        seat = self._seats[self.to_move]
        listed: tuple[ExplorersLay, ...] = ()
        for suit, lays in enumerate(seat.lays):
            if lays is None:
                lays = seat.lays[suit] = lays_of_suit(seat.held[suit], seat.tops[suit])
            listed += lays
        return listed

    def check(self, action: Any) -> None:
        """Raises `IllegalAction` naming the broken rule unless the action is legal."""
        kind = type(action)
        if kind not in (StartExpedition, Build, Discard, Draw):
            word = getattr(action, "do", kind.__name__.lower())
            raise IllegalAction(f"{word}: no action of explorers, which has start, build, discard, draw")
        if self.to_move is None:
            raise IllegalAction(f"{action.do}: the game is over")
        if kind is Draw:
            self._check_draw(action.source)
            return
        card, seat = action.card, self._seats[self.to_move]
        if self._drawing:
            raise IllegalAction(f"{action.do}: a card was laid in this turn already, now draw one")
        if card not in seat.cards:
            raise IllegalAction(f"{action.do}: {card} is not in the hand of seat {self.to_move}")
        if kind is Build:
            self._check_build(action, seat.expeditions)

    def _check_build(self, action: Any, expeditions: list[Cards]) -> None:
        card, index = action.card, action.expedition
        if type(index) is not int or not 0 <= index < len(expeditions):
            raise IllegalAction(f"build: seat {self.to_move} has no expedition {index}, it has {len(expeditions)}")
        top = expeditions[index][-1]
        if card[-1] != top[-1]:
            raise IllegalAction(f"build: {card} does not follow suit, expedition {index} is of {SUIT_NAMES[top[-1]]}")
        if VALUES[card] < VALUES[top]:
            raise IllegalAction(f"build: {card} is lower than {top}")

    def _check_draw(self, source: Any) -> None:
        if not self._drawing:
            raise IllegalAction("draw: a card must be laid first")
        if source not in _SOURCES:
            raise IllegalAction(f"draw: there is no {source} to draw from")
        suit, limit = _SUIT_OF[source], self.options.stall_limit
        if suit is None:
            return
        if limit is not None and self._pile_draws >= limit:
            raise IllegalAction(f"draw: after {limit} draws in a row from piles only the stock may be drawn")
        if suit == self._closed:
            raise IllegalAction(f"draw: the pile of {SUIT_NAMES[source]} is closed, its top was discarded in this turn")
        if not self._piles[suit]:
            raise IllegalAction(f"draw: the pile of {SUIT_NAMES[source]} is empty")

    def apply(self, action: Any) -> ExplorersEvent:
        """Carries out a legal action and returns the event.

        An illegal one spoils the state: it is not checked.
        """
        mover = self.to_move
        assert mover is not None
        seat = self._seats[mover]
        if self._drawing:
            card = self._draw(action, seat)
            if self._drawn == len(self._stock):
                self._ending = Ending.COMPLETE
                self.to_move = None
            elif self._turns_left == 0:
                self._ending = Ending.MOVE_LIMIT
                self.to_move = None
            else:
                self.to_move = (mover + 1) % self.players
        else:
            card = self._lay(action, seat)
        seat.since = len(self._events)
        event = ExplorersEvent(mover, action, card)
        self._events.append(event)
        return event

    def _lay(self, action: ExplorersLay, seat: _Seat) -> str:
        card = action.card
        suit, place = PLACES[card]
        seat.cards.remove(card)
        seat.held[suit].remove(place)
        seat.lays[suit] = None
        self._turns_left -= 1
        self._drawing = True
        if type(action) is Discard:
            self._piles[suit] += (card,)
            self._open |= 1 << suit
            self._closed = suit
        elif type(action) is Build:
            seat.expeditions[action.expedition] += (card,)
            seat.tops[suit][action.expedition] = VALUES[card]
        else:
            seat.tops[suit][len(seat.expeditions)] = VALUES[card]
            seat.expeditions.append((card,))
        return card

    def _draw(self, action: Draw, seat: _Seat) -> str:
        pile_suit = _SUIT_OF[action.source]
        if pile_suit is None:
            card = self._stock[self._drawn]
            self._drawn += 1
            self._pile_draws = 0
        else:
            pile = self._piles[pile_suit]
            card = pile[-1]
            self._piles[pile_suit] = pile[:-1]
            if len(pile) == 1:
                self._open ^= 1 << pile_suit
            self._pile_draws += 1
        suit, place = PLACES[card]
        seat.cards.append(card)
        insort(seat.held[suit], place)
        seat.lays[suit] = None
        self._drawing = False
        self._closed = None
        return card

    def news(self, event: ExplorersEvent, seat: int | None) -> tuple[ExplorersNews, ...]:
        """Returns what that seat (None: the public) sees of an event: always one item."""
        return (news_of(event, whole=event.seat == seat),)

    def view(self, seat: int | None) -> ExplorersPublicView:
        """Returns what that seat (None: the public) may know now: an `ExplorersView` for a seat.

        News of the public are those of the last event; of a seat before its first decision, of all events.
        """
        if seat is None:
            whole = self._view(None, (), max(len(self._events) - 1, 0))
            return ExplorersPublicView(**{name: getattr(whole, name) for name in ExplorersPublicView.__struct_fields__})
        view = self.bare_view(seat)
        if seat == self.to_move:
            view.__dict__[LISTED] = self.legal_actions()
        return view

    def bare_view(self, seat: int) -> ExplorersView:
        """Returns what that seat may know now, without its legal actions listed ahead."""
        viewer = self._seats[seat]
        return self._view(seat, tuple(viewer.cards), viewer.since)

    def _view(self, seat: int | None, hand: Cards, since: int) -> ExplorersView:
        told, events = self._told, self._events
        if len(told) < len(events):
            told += [news_of(event, whole=False) for event in events[len(told) :]]
        news = told[since:]
        if news and events[since].seat == seat:
            news[0] = news_of(events[since], whole=True)
        return ExplorersView(
            options=self.options,
            players=self.players,
            seat=seat,
            to_move=self.to_move,
            phase=_OVER if self.to_move is None else _DRAW if self._drawing else _LAY,
            hand=hand,
            expeditions=tuple([tuple(seat.expeditions) for seat in self._seats]),
            piles=Piles(*self._piles),
            closed=None if self._closed is None else SUITS[self._closed],
            stock=len(self._stock) - self._drawn,
            pile_draws=self._pile_draws,
            hand_sizes=tuple([len(seat.cards) for seat in self._seats]),
            turns_left=self._turns_left,
            news=tuple(news),
        )

    def copy(self) -> ExplorersState:
        """Returns an equal state; from here on neither changes the other."""
        twin = ExplorersState()
        twin.options = self.options
        twin.players = self.players
        twin.to_move = self.to_move
        twin._stock = self._stock
        twin._drawn = self._drawn
        twin._open = self._open
        twin._closed = self._closed
        twin._drawing = self._drawing
        twin._pile_draws = self._pile_draws
        twin._turns_left = self._turns_left
        twin._ending = self._ending
        twin._seats = [seat.copy() for seat in self._seats]
        twin._piles = self._piles[:]
        twin._events = self._events[:]
        twin._told = self._told[:]
        return twin

    def outcome(self) -> Outcome | None:
        """Returns how the game ended; None while it goes on. Without a stall guard it may be void (14)."""
        return None if self._ending is None else self._settled(self._ending)

    def standing(self) -> Outcome:
        """Returns the outcome of a game stopped here: expeditions count as they lie, ending `aborted`, all places 1."""
        return self._settled(Ending.ABORTED)

    def _settled(self, ending: Ending) -> Outcome:
        expeditions = tuple(
            [tuple([Expedition(cards, points(cards)) for cards in seat.expeditions]) for seat in self._seats]
        )
        scores = tuple([sum([expedition.points for expedition in own]) for own in expeditions])
        return Outcome(
            ending=ending,
            scores=scores,
            places=places_from_scores(scores) if ending is Ending.COMPLETE else (1,) * self.players,
            detail=ExplorersDetail(expeditions, tuple(tuple(seat.cards) for seat in self._seats)),
        )
