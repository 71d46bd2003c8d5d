"""A full state of SCOUT drawn to fit all that one seat saw.

What a seat knows of the others' cards: those they scouted openly and have not played since; of
finished rounds also everything captured. All other cards it has not seen are shuffled into the
unknown places of hands, either way up. Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_

from tournament.errors import GameError
from tournament.games.contract import Rng, shuffled
from tournament.games.scout.dealing import Hands, deal_hands
from tournament.games.scout.events import events_from_news
from tournament.games.scout.sets import has_play, table_strength
from tournament.games.scout.state import ScoutState
from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Kept,
    PlayedSet,
    RoundEnding,
    RoundOver,
    ScoutDeal,
    Scouted,
    ScoutNews,
    ScoutPhase,
    ScoutRound,
    ScoutRoundDetail,
    SetEnd,
    pack_for,
)
from tournament.games.scout.view import ScoutView

_MOST_DRAWS = 1000
"""The most draws for a hand that cannot play. After them any hand is taken: better than no state at all."""


def redeal_state(seen: Sequence[ScoutView], rng: Rng) -> ScoutState:
    """Returns what `ScoutGame.redeal` promises."""
    rounds = _known_rounds(seen)
    view = seen[-1]
    now = rounds[-1]
    pack = pack_for(view.players)
    later: Hands = []
    hands_of: list[Hands] = []
    if view.players == 2:
        # One pack serves both rounds (3): what is in neither hand of one round is in the other.
        unseen = shuffled(_without(pack, *(known.seen() for known in rounds)), rng)
        hands_of = [known.fill_as_seen(unseen, rng) for known in rounds]
        if len(rounds) == 1:
            half = len(unseen) // 2
            turned = [_either_way(card, rng) for card in unseen]
            later = [tuple(turned[:half]), tuple(turned[half:])]
        later_rounds = [ScoutRound(tuple(later))] if later else []
    else:
        for known in rounds:
            hands_of.append(known.fill(shuffled(_without(pack, known.seen()), rng), rng))
        later_rounds = [ScoutRound(tuple(deal_hands(view.players, rng))) for _ in range(len(rounds), view.players)]
    return state_of_view(
        view,
        deal=ScoutDeal((ScoutRound(tuple(hands_of[-1])), *later_rounds)),
        captured=now.captured,
        last_player=now.last_player,
        finished=[known.detail(hands) for known, hands in zip(rounds[:-1], hands_of, strict=False)],
    )


def state_of_view(
    view: ScoutView,
    *,
    deal: ScoutDeal,
    captured: Sequence[Sequence[str]],
    last_player: int | None,
    finished: Sequence[ScoutRoundDetail],
) -> ScoutState:
    """Returns a state in which the seat of a view sees exactly this view.

    `deal` has the hands as they are now and the hands of later rounds; the rest is what no view
    tells: which cards each seat captured, who played last, and how the finished rounds ended.
    """
    state = ScoutState.begin(deal, view.options)
    state._round = view.round
    state._table = view.table
    state._table_values = [VALUE[card] for card in view.table]
    state._owner = view.owner
    state._last_player = last_player
    state._captured = [list(cards) for cards in captured]
    state._tokens = list(view.tokens)
    state._may_then_play = view.may_scout_and_play
    state._scouts = view.scouts
    state._turns_left = view.turns_left
    state._phase = view.phase
    state.to_move = view.to_move
    if view.phase is ScoutPhase.ORIENT and view.to_move is not None:
        state._oriented = (view.to_move - view.round) % state._players
    else:
        state._oriented = state._players
    state._finished = list(finished)
    state._scores = view.scores
    state._events = events_from_news(view.news)
    for index, event in enumerate(state._events):
        if event.seat != view.seat:
            state._since[event.seat] = index
    return state


class _Round:
    """What one seat knows of one round."""

    def __init__(self, view: ScoutView, seat: int) -> None:
        self.seat = seat
        self.hand = list(view.hand)
        self.sizes = list(view.hand_sizes)
        self.table: list[str] = []
        self.owner: int | None = None
        self.last_player: int | None = None
        self.captured: list[list[str]] = [[] for _ in range(view.players)]
        self.tokens = list(view.tokens)
        self.scouted: list[list[str]] = [[] for _ in range(view.players)]
        """Cards each other seat scouted and still holds, lower value first."""

        self.over: RoundOver | None = None

    def follow(self, item: ScoutNews) -> None:
        if isinstance(item, RoundOver):
            self.over = item
        elif isinstance(item, PlayedSet):
            self._play(item)
        elif isinstance(item, Scouted):
            self._scout(item)
        elif not isinstance(item, Kept):
            self.hand = [TURNED[card] for card in self.hand]

    def _play(self, item: PlayedSet) -> None:
        seat = item.seat
        self.captured[seat] += self.table
        self.table = list(item.cards)
        self.owner = self.last_player = seat
        self.sizes[seat] -= len(item.cards)
        if item.at is not None:
            del self.hand[item.at : item.at + len(item.cards)]
        for card in map(_lower_first, item.cards):
            if card in self.scouted[seat]:
                self.scouted[seat].remove(card)

    def _scout(self, item: Scouted) -> None:
        seat = item.seat
        card = self.table.pop(0 if item.end is SetEnd.LEFT else -1)
        self.sizes[seat] += 1
        if len(self.sizes) == 2:
            self.tokens[seat] -= 1
        elif self.owner is not None:
            self.tokens[self.owner] += 1
        if not self.table:
            self.owner = None
        if item.at is None:
            self.scouted[seat].append(_lower_first(card))
        else:
            self.hand.insert(item.at, TURNED[card] if item.flip else card)

    def seen(self) -> list[str]:
        """Returns the cards whose place is known, lower value first."""
        open_cards = [*self.hand, *self.table, *(card for cards in self.captured for card in cards)]
        return [*map(_lower_first, open_cards), *(card for cards in self.scouted for card in cards)]

    def fill(self, unseen: list[str], rng: Rng) -> Hands:
        """Returns all hands. Unknown cards are taken from the end of `unseen`, which gets shorter."""
        hands: Hands = []
        for seat, size in enumerate(self.sizes):
            if seat == self.seat:
                hands.append(tuple(self.hand))
                continue
            cards = [*self.scouted[seat]]
            while len(cards) < size:
                if not unseen:
                    raise _not_one_game()
                cards.append(unseen.pop())
            hands.append(tuple(_either_way(card, rng) for card in shuffled(cards, rng)))
        return hands

    def fill_as_seen(self, unseen: list[str], rng: Rng) -> Hands:
        """Returns hands as `fill` does, drawn again until a seat that was stuck cannot play (18)."""
        before = [*unseen]
        hands = self.fill(unseen, rng)
        for _ in range(_MOST_DRAWS):
            if not self._contradicts(hands):
                break
            unseen[:] = shuffled(before, rng)
            hands = self.fill(unseen, rng)
        return hands

    def _contradicts(self, hands: Hands) -> bool:
        """Returns whether a seat that was stuck when the round ended could play with these hands (two players)."""
        if self.over is None or self.over.why is not RoundEnding.STUCK or self.last_player is None:
            return False
        stuck = [VALUE[card] for card in hands[1 - self.last_player]]
        return has_play(stuck, table_strength([VALUE[card] for card in self.table]))

    def detail(self, hands: Hands) -> ScoutRoundDetail:
        if self.over is None:
            raise _not_one_game()
        return ScoutRoundDetail(
            why=self.over.why,
            captured=tuple(map(tuple, self.captured)),
            table=tuple(self.table),
            tokens=tuple(self.tokens),
            hands=tuple(hands),
            exempt=self.last_player if self.over.why in (RoundEnding.ALL_SCOUTED, RoundEnding.STUCK) else None,
            points=self.over.points,
        )


_last_seen: tuple[tuple[ScoutView, ...], list[_Round]] = ((), [])
"""The views of the last redeal, and what they tell: a search redeals the same position a hundred times."""


def _known_rounds(seen: Sequence[ScoutView]) -> list[_Round]:
    """Returns what the seat knows of each round. Raises `GameError` when the views do not fit together."""
    global _last_seen  # noqa: PLW0603 (one position is kept, whatever was redealt)
    before, rounds = _last_seen
    if seen and len(before) == len(seen) and all(map(is_, before, seen)):  # views never change
        return rounds
    rounds = _follow(seen)
    now, view = rounds[-1], seen[-1]
    if now.hand != list(view.hand) or now.sizes != list(view.hand_sizes) or now.table != list(view.table):
        raise _not_one_game()
    _last_seen = (tuple(seen), rounds)
    return rounds


def _follow(seen: Sequence[ScoutView]) -> list[_Round]:
    """Returns what the seat knows of each round so far; the last is still being played."""
    rounds: list[_Round] = []
    try:
        for view in seen:
            if view.seat is None or view.seat != seen[0].seat or view.players != seen[0].players:
                raise _not_one_game()
            for item in view.news:
                rounds[-1].follow(item)
            if view.round == len(rounds):
                rounds.append(_Round(view, view.seat))
    except (IndexError, ValueError):
        raise _not_one_game() from None
    if not rounds or seen[-1].round != len(rounds) - 1:
        raise _not_one_game()
    return rounds


def _lower_first(card: str) -> str:
    turned = TURNED[card]
    return card if VALUE[card] < VALUE[turned] else turned


def _either_way(card: str, rng: Rng) -> str:
    return TURNED[card] if rng.random() < 0.5 else card


def _without(pack: Iterable[str], *taken: Iterable[str]) -> list[str]:
    gone = {card for cards in taken for card in cards}
    return [card for card in pack if card not in gone]


def _not_one_game() -> GameError:
    return GameError(
        "These views are not those of one seat at every decision of one game of SCOUT, from the first on: "
        "keep each view the bot is given, in order, and hand over all of them."
    )
