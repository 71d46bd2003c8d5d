"""One game as OpenSpiel has it, without OpenSpiel: a state that is first dealt card by card, then played by numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from tournament.adapters.chance import dealing_of
from tournament.adapters.memory import Memory, most_rows
from tournament.adapters.observation import layout_of
from tournament.adapters.rewards import Rewards
from tournament.errors import GameError
from tournament.games import load_game
from tournament.games.cards import PACK
from tournament.games.contract import Rng, State
from tournament.games.explorers.rules import HAND_SIZE, MOST_EXPEDITIONS, pack
from tournament.games.scout.rules import pack_for
from tournament.games.scout.sets import REACHABLE_HAND
from tournament.numbering import numbering_of


class Setting:
    """What all states of one OpenSpiel game share; `lowest` and `highest` bound its scores."""

    def __init__(self, name: str, players: int, options: Any, rewards: Rewards) -> None:
        self.name, self.players, self.options, self.rewards = name, players, options, rewards
        self.rules = load_game(name)
        self.dealing = dealing_of(name, players)
        self.numbering = numbering_of(name, players)
        self.layout = layout_of(name, players)
        self.rounds = players if name == "scout" else 1
        if name == "scout":
            # A seat that scouts and plays decides twice in a turn, once a round; all keep or turn first.
            self.decisions = self.rounds * (options.move_limit + 2 * players)
            self.lowest = -self.rounds * REACHABLE_HAND[players]
            self.highest = self.rounds * (len(pack_for(players)) + options.move_limit + 2 * players)
        else:
            stock = len(pack(players)) - players * HAND_SIZE
            turns = options.move_limit
            if options.stall_limit is not None:
                turns = min(turns, stock * (1 + options.stall_limit))
            self.decisions = 2 * turns
            # At worst as many expeditions as there can be, worth nothing, and every picture on one of them;
            # at best the whole of each suit on one.
            copies = len(pack(players)) // len(PACK)
            self.lowest = -20 * (MOST_EXPEDITIONS[players] + 12 * copies)
            self.highest = 4 * (55 * copies - 20) * (1 + 3 * copies)
        self.rows = most_rows(name, players=players, rounds=self.rounds, decisions=self.decisions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns how a state in another process finds the setting."""
        return setting_of, (self.name, self.players, self.options, self.rewards)


@cache
def setting_of(name: str, players: int, options: Any, rewards: Rewards) -> Setting:
    """Returns the setting of a game, one object each."""
    return Setting(name, players, options, rewards)


class Course:
    """Where one OpenSpiel state stands: the cards dealt so far, then the rules' own state and what seats saw."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.dealt: tuple[int, ...] = ()
        self.state: State | None = None
        self.memories = [Memory() for _ in range(setting.players)]
        self._view: Any = None
        self._choices: dict[int, Any] | None = None

    @classmethod
    def from_views(cls, setting: Setting, seen: Sequence[Any], rng: Rng) -> Course:
        """Returns a course, drawn with `rng`, that gives a seat all its views, the last of them now.

        What the others saw before is not drawn: they know their hands of now and what comes.
        Raises `GameError` when the views are not those of one seat from its first decision on.
        """
        course = cls(setting)
        course.state = setting.rules.redeal(seen, rng)
        memory = Memory()
        for view in seen[:-1]:
            memory = memory.after(view)
        course.memories[seen[-1].seat] = memory
        return course

    def __deepcopy__(self, memo: Any) -> Course:
        """Returns a course that goes its own way: what OpenSpiel clones states with."""
        twin = Course.__new__(Course)
        twin.__dict__.update(self.__dict__)
        twin.state = None if self.state is None else self.state.copy()
        twin.memories = self.memories.copy()
        return twin

    def draw(self, outcome: int) -> None:
        """Deals one more card; with the last one the game begins."""
        self.dealt = (*self.dealt, outcome)
        if len(self.dealt) == self.setting.dealing.length:
            deal = self.setting.dealing.deal_of(self.dealt)
            self.state = self.setting.rules.start(deal, self.setting.options)

    def play(self, number: int) -> None:
        """Carries out the action of that number. Raises `GameError` for one that is not legal."""
        assert self.state is not None
        action = self.choices.get(number)
        if action is None:
            raise GameError(f"Action {number} is not legal here: choose from {list(self.choices)}.")
        seat = self.view.seat
        self.memories[seat] = self.memories[seat].after(self.view)
        self.state.apply(action)
        self._view = self._choices = None

    @property
    def view(self) -> Any:
        """What the seat to move sees."""
        assert self.state is not None
        if self._view is None:
            self._view = self.state.view(self.state.to_move)
        return self._view

    @property
    def choices(self) -> dict[int, Any]:
        """The legal actions by number."""
        if self._choices is None:
            self._choices = self.setting.numbering.choices(self.view)
        return self._choices

    def view_of(self, seat: int) -> Any:
        """Returns what a seat sees now."""
        assert self.state is not None
        return self.view if seat == self.state.to_move else self.state.view(seat)

    def memory_of(self, seat: int) -> Memory:
        """Returns all that a seat saw up to now, its view of now included."""
        return self.memories[seat].after(self.view_of(seat))
