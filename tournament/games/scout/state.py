"""One game of SCOUT being played: legal actions, their effect, views and news, the outcome.

Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy_extensions import mypyc_attr

from tournament.errors import IllegalAction
from tournament.games.contract import LISTED, Ending, Outcome, places_from_scores
from tournament.games.scout.events import own_news, public_news
from tournament.games.scout.sets import (
    ORIENTATIONS,
    check_play,
    check_scout,
    has_play,
    list_plays,
    list_turn,
    table_strength,
)
from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Keep,
    Play,
    RoundEnding,
    RoundOver,
    Scout,
    ScoutAction,
    ScoutDeal,
    ScoutDetail,
    ScoutEvent,
    ScoutNews,
    ScoutOptions,
    ScoutPhase,
    ScoutPublicView,
    ScoutRound,
    ScoutRoundDetail,
    ScoutUnfinishedRound,
    SetEnd,
    Turn,
)
from tournament.games.scout.view import ScoutView

START_TOKENS: Final = 3

# Looked up once: a member of an enumeration costs more than the test it is for, and compiled code finds its own sooner.
_ORIENT: Final = ScoutPhase.ORIENT
_TURN: Final = ScoutPhase.TURN
_PLAY: Final = ScoutPhase.PLAY
_LEFT: Final = SetEnd.LEFT
_VALUE: Final = VALUE
_TURNED: Final = TURNED


@mypyc_attr(serializable=True)
class ScoutState:
    """One game of SCOUT being played."""

    __slots__ = (
        "_captured",
        "_events",
        "_finished",
        "_hands",
        "_last_player",
        "_later",
        "_may_then_play",
        "_options",
        "_oriented",
        "_owner",
        "_phase",
        "_players",
        "_round",
        "_scores",
        "_scouts",
        "_shared_news",
        "_since",
        "_table",
        "_table_values",
        "_tokens",
        "_turns_left",
        "_values",
        "to_move",
    )

    to_move: int | None
    _options: ScoutOptions
    _players: int
    _round: int
    _later: tuple[ScoutRound, ...]  # the rounds that follow this one, as dealt
    _finished: list[ScoutRoundDetail]
    _scores: tuple[int, ...]
    _phase: ScoutPhase
    _oriented: int  # how many seats have kept or turned their hand
    _hands: list[list[str]]
    _values: list[list[int]]  # the values in play of these cards
    _table: tuple[str, ...]
    _table_values: list[int]
    _owner: int | None
    _last_player: int | None
    _captured: list[list[str]]
    _tokens: list[int]
    _may_then_play: tuple[bool, ...]
    _scouts: int
    _turns_left: int
    _events: list[ScoutEvent]
    _shared_news: list[tuple[ScoutNews, ...]]
    """The news of each event for everybody but the seat that acted, made when they are first asked for."""

    _since: list[int]
    """Of each seat, the number of the event of its last decision; 0 before the first."""

    @classmethod
    def begin(cls, deal: ScoutDeal, options: ScoutOptions) -> ScoutState:
        """Returns the state before the first action."""
        state = ScoutState()
        players = len(deal.rounds[0].hands)
        state._options = options
        state._players = players
        state._later = deal.rounds
        state._finished = []
        state._scores = (0,) * players
        state._events = []
        state._shared_news = []
        state._since = [0] * players
        state._begin_round(0)
        return state

    def _begin_round(self, number: int) -> None:
        players = self._players
        self._round = number
        self._hands = [list(hand) for hand in self._later[0].hands]
        self._later = self._later[1:]
        self._values = [[_VALUE[card] for card in hand] for hand in self._hands]
        self._table = ()
        self._table_values = []
        self._owner = None
        self._last_player = None
        self._captured = [[] for _ in range(players)]
        self._tokens = [START_TOKENS if players == 2 else 0] * players
        self._may_then_play = (players > 2,) * players
        self._scouts = 0
        self._turns_left = self._options.move_limit
        self._oriented = 0
        self._phase = _ORIENT
        self.to_move = number % players

    def copy(self) -> ScoutState:
        """Returns an equal state; from here on neither changes the other."""
        twin = ScoutState()
        twin._options = self._options
        twin._later = self._later
        twin._players = self._players
        twin._finished = self._finished.copy()
        twin._scores = self._scores
        twin._events = self._events.copy()
        twin._shared_news = self._shared_news.copy()
        twin._since = self._since.copy()
        twin._round = self._round
        twin._hands = [hand.copy() for hand in self._hands]
        twin._values = [values.copy() for values in self._values]
        twin._table = self._table
        twin._table_values = self._table_values
        twin._owner = self._owner
        twin._last_player = self._last_player
        twin._captured = [cards.copy() for cards in self._captured]
        twin._tokens = self._tokens.copy()
        twin._may_then_play = self._may_then_play
        twin._scouts = self._scouts
        twin._turns_left = self._turns_left
        twin._oriented = self._oriented
        twin._phase = self._phase
        twin.to_move = self.to_move
        return twin

    def legal_actions(self) -> Sequence[ScoutAction]:
        """Returns every legal action: keep, turn; plays by (at, count); scouts; scouts with then_play."""
        seat = self.to_move
        if seat is None:
            return ()
        if self._phase is _ORIENT:
            return ORIENTATIONS
        values = self._values[seat]
        if self._phase is _PLAY:
            return list_plays(values, table_strength(self._table_values))
        may_then_play = self._may_then_play[seat]
        table = self._table
        has_ends = may_then_play and len(table) > 1
        return list_turn(
            values,
            self._table_values,
            _VALUE[_TURNED[table[0]]] if has_ends else 0,
            _VALUE[_TURNED[table[-1]]] if has_ends else 0,
            may_scout=self._players > 2 or self._tokens[seat] > 0,
            may_then_play=may_then_play,
        )

    def check(self, action: Any) -> None:
        """Raises `IllegalAction` naming the broken rule unless the action is legal."""
        seat = self.to_move
        kind = type(action)
        if seat is None:
            raise IllegalAction("the game is over: nothing more may be done")
        if kind is Keep or kind is Turn:
            if self._phase is not _ORIENT:
                raise IllegalAction(
                    f"{action.do}: a hand is kept or turned once, before the first turn of the round (6)"
                )
        elif self._phase is _ORIENT:
            raise IllegalAction("first every seat decides to keep or to turn its hand (6)")
        elif kind is Play:
            check_play(action, self._values[seat], self._table_values)
        elif kind is Scout:
            check_scout(
                action,
                hand=self._values[seat],
                table=self._table,
                must_play=self._phase is _PLAY,
                tokens=self._tokens[seat] if self._players == 2 else None,
                may_then_play=self._may_then_play[seat],
            )
        else:
            raise IllegalAction(f"{kind.__name__} is no action of SCOUT: keep, turn, play or scout")

    def apply(self, action: ScoutAction) -> ScoutEvent:
        """Carries out a legal action and returns the event. An illegal one spoils the state: it is not checked."""
        seat = self.to_move
        assert seat is not None, "the game is over"
        self._since[seat] = len(self._events)
        if type(action) is Play:
            event = self._play(seat, action)
        elif type(action) is Scout:
            event = self._scout(seat, action)
        else:
            event = self._orient(seat, action)
        self._events.append(event)
        return event

    def _orient(self, seat: int, action: ScoutAction) -> ScoutEvent:
        if type(action) is Turn:
            hand = [_TURNED[card] for card in self._hands[seat]]
            self._hands[seat] = hand
            self._values[seat] = [_VALUE[card] for card in hand]
        self._oriented += 1
        if self._oriented == self._players:
            self._phase = _TURN
        self.to_move = (seat + 1) % self._players
        return ScoutEvent(seat, action)

    def _play(self, seat: int, action: Play) -> ScoutEvent:
        hand, values = self._hands[seat], self._values[seat]
        begin, end = action.at, action.at + action.count
        taken = len(self._table)
        if taken:
            self._captured[seat] += self._table
        self._table = cards = tuple(hand[begin:end])
        self._table_values = values[begin:end]
        del hand[begin:end]
        del values[begin:end]
        self._owner = self._last_player = seat
        self._scouts = 0
        if self._phase is _TURN:
            self._turns_left -= 1
        else:
            self._phase = _TURN
        self.to_move = (seat + 1) % self._players
        if not hand:
            over: RoundOver | None = self._end_round(RoundEnding.EMPTIED, exempt=None)
        elif self._players == 2 and self._is_stuck(1 - seat):
            over = self._end_round(RoundEnding.STUCK, exempt=seat)
        else:
            over = self._end_at_limit()
        return ScoutEvent(seat, action, cards, taken, over)

    def _scout(self, seat: int, action: Scout) -> ScoutEvent:
        at = action.at
        if action.end == _LEFT:
            card, self._table, self._table_values = self._table[0], self._table[1:], self._table_values[1:]
        else:
            card, self._table, self._table_values = self._table[-1], self._table[:-1], self._table_values[:-1]
        taken = _TURNED[card] if action.flip else card
        self._hands[seat].insert(at, taken)
        self._values[seat].insert(at, _VALUE[taken])
        owner = self._owner
        assert owner is not None, "a set on the table has an owner"
        if not self._table:
            self._owner = None
        self._turns_left -= 1
        if self._players == 2:
            self._tokens[seat] -= 1
            self._scouts += 1
            stuck = self._is_stuck(seat)
            over: RoundOver | None = self._end_round(RoundEnding.STUCK, exempt=owner) if stuck else self._end_at_limit()
            return ScoutEvent(seat, action, (card,), 0, over)
        self._tokens[owner] += 1
        if action.then_play:
            may = self._may_then_play
            self._may_then_play = (*may[:seat], False, *may[seat + 1 :])
            self._phase = _PLAY
            return ScoutEvent(seat, action, (card,))
        self._scouts += 1
        self.to_move = (seat + 1) % self._players
        if self._scouts == self._players - 1:
            over = self._end_round(RoundEnding.ALL_SCOUTED, exempt=self._last_player)
        else:
            over = self._end_at_limit()
        return ScoutEvent(seat, action, (card,), 0, over)

    def _is_stuck(self, seat: int) -> bool:
        """Returns whether this seat can neither play nor scout (18); of two players only."""
        return not self._tokens[seat] and not has_play(self._values[seat], table_strength(self._table_values))

    def _end_at_limit(self) -> RoundOver | None:
        return self._end_round(RoundEnding.MOVE_LIMIT, exempt=None) if self._turns_left <= 0 else None

    def _end_round(self, why: RoundEnding, *, exempt: int | None) -> RoundOver:
        points = tuple(
            len(captured) + tokens - (0 if seat == exempt else len(hand))
            for seat, (captured, tokens, hand) in enumerate(zip(self._captured, self._tokens, self._hands, strict=True))
        )
        self._finished.append(
            ScoutRoundDetail(
                why=why,
                captured=tuple(map(tuple, self._captured)),
                table=self._table,
                tokens=tuple(self._tokens),
                hands=tuple(map(tuple, self._hands)),
                exempt=exempt,
                points=points,
            )
        )
        over = RoundOver(round=self._round, why=why, points=points)
        self._scores = tuple(score + more for score, more in zip(self._scores, points, strict=True))
        if self._later:
            self._begin_round(self._round + 1)
        else:
            self._phase = ScoutPhase.OVER
            self.to_move = None
        return over

    # What seats see

    def news(self, event: ScoutEvent, seat: int | None) -> tuple[ScoutNews, ...]:
        """Returns what that seat (None: the public) sees of an event (20)."""
        return own_news(event) if event.seat == seat else public_news(event)

    def _news_since(self, seat: int | None) -> tuple[ScoutNews, ...]:
        events, shared = self._events, self._shared_news
        for event in events[len(shared) :]:
            shared.append(public_news(event))
        if seat is None:
            return shared[-1] if shared else ()
        since = self._since[seat]
        if since == len(events):
            return ()
        # Only the oldest can be the seat's own: its next own action moves the beginning.
        first = events[since]
        news = own_news(first) if first.seat == seat else shared[since]
        for seen in shared[since + 1 :]:
            news += seen
        return news

    def view(self, seat: int | None) -> ScoutPublicView:
        """Returns what that seat (None: the public) may know now; the news of the public are the last event's."""
        if seat is None:
            whole = self.bare_view(None)
            return ScoutPublicView(**{name: getattr(whole, name) for name in ScoutPublicView.__struct_fields__})
        view = self.bare_view(seat)
        if seat == self.to_move:
            view.__dict__[LISTED] = tuple(self.legal_actions())
        return view

    def bare_view(self, seat: int | None) -> ScoutView:
        """Returns what that seat (None: nobody, with an empty hand) may know now, without its legal actions listed."""
        return ScoutView(
            options=self._options,
            players=self._players,
            seat=seat,
            to_move=self.to_move,
            phase=self._phase,
            round=self._round,
            hand=() if seat is None else tuple(self._hands[seat]),
            table=self._table,
            owner=self._owner,
            hand_sizes=tuple([len(cards) for cards in self._hands]),
            captured=tuple([len(cards) for cards in self._captured]),
            tokens=tuple(self._tokens),
            may_scout_and_play=self._may_then_play,
            scouts=self._scouts,
            scores=self._scores,
            turns_left=self._turns_left,
            news=self._news_since(seat),
        )

    def outcome(self) -> Outcome | None:
        """Returns how the game ended; None while it goes on."""
        if self.to_move is not None:
            return None
        detail = ScoutDetail(tuple(self._finished))
        return Outcome(
            ending=Ending.COMPLETE, scores=self._scores, places=places_from_scores(self._scores), detail=detail
        )

    def standing(self) -> Outcome:
        """Returns the outcome of a game stopped here: finished rounds count, ending `aborted`, all places 1."""
        unfinished = ScoutUnfinishedRound(
            captured=tuple(map(tuple, self._captured)),
            table=self._table,
            owner=self._owner,
            tokens=tuple(self._tokens),
            hands=tuple(map(tuple, self._hands)),
            may_scout_and_play=self._may_then_play,
        )
        detail = ScoutDetail(tuple(self._finished), None if self.to_move is None else unfinished)
        return Outcome(ending=Ending.ABORTED, scores=self._scores, places=(1,) * self._players, detail=detail)
