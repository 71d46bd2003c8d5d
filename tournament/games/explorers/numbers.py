"""Actions of De store oppdagere as numbers: 433 with two players, 809 with more.

By card (clubs, diamonds, hearts, spades; ace to king): start, builds, discard; then the draws from the stock and from
the piles C, D, H, S. A seat may have 73 expeditions, but a card fits only those of its suit whose top is not higher: so
a build is numbered by n, the card going on the n-th expedition it fits, the one with the highest top first, of equal
ones the oldest. `build 6H fit 0` is the build that leaves the least gap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tournament.errors import GameError, IllegalAction
from tournament.games.cards import PACK, SUITS
from tournament.games.explorers.lays import VALUES
from tournament.games.explorers.types import Build, Cards, Discard, Draw, DrawSource, ExplorersAction, StartExpedition
from tournament.games.explorers.view import ExplorersView
from tournament.games.parts import Numbering, name_action, no_number


class ExplorersNumbering(Numbering):
    """Numbers in which builds with a card count only as often as they can be legal at once."""

    def __init__(self, players: int) -> None:
        copies = 1 if players == 2 else 2
        self._draws = tuple(Draw(source) for source in DrawSource)
        self._first: dict[str, int] = {}
        """The number of the start with each card."""

        self._fits: dict[str, int] = {}
        """The most expeditions each card can fit at once: each has a different card of the suit, not higher, on top."""

        meanings: list[tuple[Any, str, int]] = []
        for card in PACK:
            lower = sum(VALUES[other] <= VALUES[card] for other in PACK if other[-1] == card[-1])
            self._first[card] = len(meanings)
            self._fits[card] = copies * lower - 1
            meanings.append((StartExpedition, card, 0))
            meanings += [(Build, card, fit) for fit in range(self._fits[card])]
            meanings.append((Discard, card, 0))
        self._meanings = tuple(meanings)
        self._fixed: dict[Any, int] = {draw: len(meanings) + place for place, draw in enumerate(self._draws)}
        """The numbers of all actions but builds: these depend on the view."""

        self._fixed |= {kind(card): number for number, (kind, card, _) in enumerate(meanings) if kind is not Build}
        self.names = (
            *(
                f"{kind.__struct_config__.tag} {card}{f' fit {fit}' if kind is Build else ''}"
                for kind, card, fit in meanings
            ),
            *map(name_action, self._draws),
        )

    def number_of(self, view: ExplorersView, action: ExplorersAction) -> int:
        """Returns the number of an action in a view. Raises `GameError` for a build that does not fit there."""
        if isinstance(action, Draw):
            return len(self._meanings) + self._draws.index(action)
        first = self._first[action.card]
        if isinstance(action, StartExpedition):
            return first
        if isinstance(action, Discard):
            return first + 1 + self._fits[action.card]
        fitting = fitting_expeditions(view, action.card)
        if action.expedition not in fitting[: self._fits[action.card]]:
            raise GameError(
                f"{name_action(action)} has no number in this view: the card fits the expeditions "
                f"{fitting}, of which the first {self._fits[action.card]} have one."
            )
        return first + 1 + fitting.index(action.expedition)

    def numbers_of(self, view: ExplorersView, actions: Sequence[ExplorersAction]) -> list[int]:
        """Returns the numbers of several actions in a view, as `number_of` gives each."""
        fixed, first, most = self._fixed, self._first, self._fits
        ranked = None if view.seat is None else _ranked(view.expeditions[view.seat])
        numbers: list[int] = []
        for action in actions:
            number = fixed.get(action)
            if number is None:
                assert isinstance(action, Build)
                card, expedition = action.card, action.expedition
                fit = -1
                if ranked is not None:
                    lowered, places = ranked[card[-1]]
                    fit = places.get(expedition, -1) - bisect_left(lowered, -VALUES[card])
                # What does not fit has no number, and `number_of` says why.
                number = first[card] + 1 + fit if 0 <= fit < most[card] else self.number_of(view, action)
            numbers.append(number)
        return numbers

    def action_of(self, view: ExplorersView, number: int) -> ExplorersAction:
        """Returns the action a number means in a view. Raises `IllegalAction` for a fit that is not there."""
        if not 0 <= number < self.size:
            raise no_number(number, self.size)
        if number >= len(self._meanings):
            return self._draws[number - len(self._meanings)]
        kind, card, fit = self._meanings[number]
        if kind is not Build:
            action: ExplorersAction = kind(card)
            return action
        fitting = fitting_expeditions(view, card)
        if fit >= len(fitting):
            raise IllegalAction(f"build: {card} fits {len(fitting)} expeditions, so there is no fit {fit}")
        return Build(card, fitting[fit])


def fitting_expeditions(view: ExplorersView, card: str) -> list[int]:
    """Returns the viewer's own expeditions a card fits, by index: the highest top first, then the oldest."""
    if view.seat is None:
        return []
    value, suit = VALUES[card], card[-1]
    tops = [(cards[-1], index) for index, cards in enumerate(view.expeditions[view.seat])]
    fitting = [(-VALUES[top], index) for top, index in tops if top[-1] == suit and VALUES[top] <= value]
    return [index for _, index in sorted(fitting)]


@lru_cache(maxsize=4096)
def _ranked(own: tuple[Cards, ...]) -> dict[str, tuple[list[int], dict[int, int]]]:
    """Returns for each suit the tops of its expeditions, lowered below 0 and sorted, and the place of each there.

    The highest top comes first, of equal ones the oldest. So a card fits all from some place on.
    """
    tops: dict[str, list[tuple[int, int]]] = {suit: [] for suit in SUITS}
    for index, cards in enumerate(own):
        top = cards[-1]
        tops[top[-1]].append((-VALUES[top], index))
    ranked: dict[str, tuple[list[int], dict[int, int]]] = {}
    for suit, of_suit in tops.items():
        of_suit.sort()
        ranked[suit] = [top for top, _ in of_suit], {index: place for place, (_, index) in enumerate(of_suit)}
    return ranked
