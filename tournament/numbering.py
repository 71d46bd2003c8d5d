"""Actions as numbers, the same in PettingZoo, in OpenSpiel and in exported views.

The numbers of a game for a number of players are fixed: 0 to `size` - 1, each with a name. In one
view no two actions have the same number, so that a view and a number are an action, and a view
and an action are a number.

SCOUT, 695 numbers with four or five players: the actions of `Scout().actions(players)` in their
order (keep; turn; plays by place and count; scouts by end, way up and place; the same with
then_play), without plays of more than ten cards, which no set has.

Explorers, 433 numbers with two players, 809 with more: by card (clubs, diamonds, hearts, spades;
ace to king): start, builds, discard; then the draws from the stock and from the piles C, D, H, S. A
seat may have 73 expeditions, but a card fits only those of its suit whose top is not higher: so a
build is numbered by n, the card going on the n-th expedition it fits, the one with the highest
top first, of equal ones the oldest. `build 6H fit 0` is the build that leaves the least gap.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Protocol

import msgspec

from tournament.errors import GameError, IllegalAction
from tournament.games import load_game
from tournament.games.cards import PACK
from tournament.games.contract import Game, wrong_players
from tournament.games.explorers.types import Build, Discard, Draw, DrawSource, ExplorersAction, StartExpedition
from tournament.games.explorers.view import VALUES, ExplorersView
from tournament.games.scout.types import Play

LONGEST_SET: Final = 10
"""Cards of the longest set of SCOUT, a run from 1 to 10 (7)."""


class Numbering(Protocol):
    """The numbers of one game for one number of players."""

    names: tuple[str, ...]
    """What each number means, in a few words; no two are the same."""

    @property
    def size(self) -> int:
        """How many numbers there are; the first is 0."""
        ...

    def number_of(self, view: Any, action: Any) -> int:
        """Returns the number of an action in a view. Raises `GameError` for what has none there."""
        ...

    def action_of(self, view: Any, number: int) -> Any:
        """Returns the action a number means in a view, legal or not. Raises `IllegalAction` if it means none there."""
        ...

    def choices(self, view: Any) -> dict[int, Any]:
        """Returns the legal actions of a view by number, lowest number first; empty when it is not to move."""
        ...


@cache
def numbering_of(game: str, players: int) -> Numbering:
    """Returns the numbering of a game, by its name, for a number of players.

    Raises `GameError` when there is no such game, or it is not for so many players.
    """
    rules = load_game(game)
    if players not in rules.players:
        raise wrong_players(rules, players)
    return ExplorersNumbering(rules, players) if game == "explorers" else ListNumbering(rules, players)


class ListNumbering:
    """Numbers that are the places of actions in the list of all that can occur."""

    def __init__(self, game: Game, players: int) -> None:
        self._actions = tuple(
            action for action in game.actions(players) if not (type(action) is Play and action.count > LONGEST_SET)
        )
        self._numbers = {action: number for number, action in enumerate(self._actions)}
        self.names = tuple(map(name_action, self._actions))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self._actions)

    def number_of(self, view: Any, action: Any) -> int:
        """Returns the place of the action. Raises `GameError` for one that cannot occur."""
        number = self._numbers.get(action)
        if number is None:
            raise GameError(
                f"{name_action(action)} has no number: it cannot occur in a game of {view.game} dealt by the rules."
            )
        return number

    def action_of(self, view: Any, number: int) -> Any:
        """Returns the action in that place. Raises `IllegalAction` beyond the last."""
        if not 0 <= number < len(self._actions):
            raise _beyond(number, self.size)
        return self._actions[number]

    def choices(self, view: Any) -> dict[int, Any]:
        """Returns the legal actions by number, lowest first."""
        legal = {self.number_of(view, action): action for action in view.legal_actions()}
        return dict(sorted(legal.items()))


class ExplorersNumbering:
    """Numbers that count, of the builds with a card, only those that can be legal at once."""

    def __init__(self, game: Game, players: int) -> None:
        copies = 1 if players == 2 else 2
        self._draws = tuple(Draw(source) for source in DrawSource)
        self._first: dict[str, int] = {}
        """The number of the start with each card."""

        self._fits: dict[str, int] = {}
        """How many expeditions each card can fit at once: every one has another card of the suit on top, not higher."""

        meanings: list[tuple[Any, str, int]] = []
        for card in PACK:
            lower = sum(VALUES[other] <= VALUES[card] for other in PACK if other[-1] == card[-1])
            self._first[card] = len(meanings)
            self._fits[card] = copies * lower - 1
            meanings.append((StartExpedition, card, 0))
            meanings += [(Build, card, fit) for fit in range(self._fits[card])]
            meanings.append((Discard, card, 0))
        self._meanings = tuple(meanings)
        self.names = (
            *(
                f"{kind.__struct_config__.tag} {card}{f' fit {fit}' if kind is Build else ''}"
                for kind, card, fit in meanings
            ),
            *map(name_action, self._draws),
        )

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.names)

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

    def action_of(self, view: ExplorersView, number: int) -> ExplorersAction:
        """Returns the action a number means in a view. Raises `IllegalAction` for a fit the view has not."""
        if not 0 <= number < self.size:
            raise _beyond(number, self.size)
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

    def choices(self, view: ExplorersView) -> dict[int, ExplorersAction]:
        """Returns the legal actions by number, lowest first."""
        legal = {self.number_of(view, action): action for action in view.legal_actions()}
        return dict(sorted(legal.items()))


def fitting_expeditions(view: ExplorersView, card: str) -> list[int]:
    """Returns the viewer's own expeditions a card fits, by index: the highest top first, then the oldest."""
    if view.seat is None:
        return []
    value, suit = VALUES[card], card[-1]
    tops = [(cards[-1], index) for index, cards in enumerate(view.expeditions[view.seat])]
    fitting = [(-VALUES[top], index) for top, index in tops if top[-1] == suit and VALUES[top] <= value]
    return [index for _, index in sorted(fitting)]


def name_action(action: Any) -> str:
    """Returns an action in a few words, as its JSON has them: `play at 4 count 3`, `draw stock`."""
    fields: dict[str, Any] = msgspec.to_builtins(action)
    return " ".join([fields.pop("do"), *(_name_field(name, value) for name, value in fields.items())])


def _name_field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}"


def _beyond(number: int, size: int) -> IllegalAction:
    return IllegalAction(f"There is no action number {number}: numbers go from 0 to {size - 1}")
