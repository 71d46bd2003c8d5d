"""A game in the form OpenSpiel wants, without OpenSpiel: dealt card by card, played by numbers, and drawn as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from tournament.adapters.observation import Rewards, layout_of, training_of
from tournament.errors import GameError
from tournament.games import load_game
from tournament.games.contract import Game, Rng, State
from tournament.games.parts import Row, Scene, Training
from tournament.numbering import numbering_of
from tournament.viewer.frames import read_view
from tournament.viewer.text import draw_scene

_encode = msgspec.json.Encoder(order="deterministic").encode


class Memory:
    """An information state: all that one seat saw up to its last decision, as text and as rows of numbers.

    It follows from the seat's views at all its decisions and from its view now: every hand it was dealt,
    then all news, in order. Two positions that a seat cannot tell apart give it the same memory.
    """

    __slots__ = ("_round", "_training", "rows", "text", "views")

    def __init__(self, training: Training) -> None:
        self._training = training
        self.views: tuple[Any, ...] = ()
        """The seat's views at its decisions, oldest first: what `redeal` asks for."""

        self.text = ""
        self.rows: tuple[Row, ...] = ()
        self._round = -1

    def after(self, view: Any) -> Memory:
        """Returns the memory of the seat once it has seen this view; this memory does not change."""
        training = self._training
        grown = Memory(training)
        grown.views = (*self.views, view)
        grown._round = getattr(view, "round", 0)
        news = [_encode(item).decode() for item in view.news]
        rows = [training.news_row(item, view.seat) for item in view.news]
        # A hand is seen before anything else of its round; a round ends before the next is dealt.
        if grown._round != self._round:
            at = 0 if self._round < 0 else len(news)
            news.insert(at, f"hand {' '.join(map(str, getattr(view, 'hand', ())))}")
            rows[at:at] = training.hand_rows(view)
        grown.text = "\n".join([*([self.text] if self.text else []), *news])
        grown.rows = (*self.rows, *rows)
        return grown


class Setting:
    """What all states of one OpenSpiel game share."""

    def __init__(self, name: str, players: int, options: Any, rewards: Rewards) -> None:
        self.name, self.players, self.options, self.rewards = name, players, options, rewards
        self.rules = load_game(name)
        self.training = training_of(name, players)
        self.dealing = self.training.dealing(options)
        self.bounds = self.training.bounds(options)
        self.numbering = numbering_of(name, players)
        self.layout = layout_of(name, players)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles as a call of `setting_of`, so that all states of a process share one setting."""
        return setting_of, (self.name, self.players, self.options, self.rewards)


@cache
def setting_of(name: str, players: int, options: Any, rewards: Rewards) -> Setting:
    """Returns the setting of a game, the same object every time."""
    return Setting(name, players, options, rewards)


class Course:
    """What one OpenSpiel state holds: the cards dealt so far; then the state of the rules, and what the seats saw."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.dealt: tuple[int, ...] = ()
        self.state: State | None = None
        self.memories = [Memory(setting.training) for _ in range(setting.players)]
        self._view: Any = None
        self._choices: dict[int, Any] | None = None

    @classmethod
    def from_views(cls, setting: Setting, seen: Sequence[Any], rng: Rng) -> Course:
        """Returns a course, redealt with `rng`, in which a seat has had these views and sees the last of them now.

        What the others saw before is not drawn: they know their hands of now and what comes.
        Raises `GameError` when the views are not those of one seat from its first decision on.
        """
        course = cls(setting)
        course.state = setting.rules.redeal(seen, rng)
        memory = Memory(setting.training)
        for view in seen[:-1]:
            memory = memory.after(view)
        course.memories[seen[-1].seat] = memory
        return course

    def __deepcopy__(self, memo: Any) -> Course:
        """Returns an equal course; from here on neither changes the other. OpenSpiel clones states with it."""
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
        """Returns all that a seat saw, including what it sees now."""
        return self.memories[seat].after(self.view_of(seat))


def draw_state(game: Game, state: State, *, event: Any = None) -> str:
    """Returns the last event in words, the table and every hand, and who is next; nothing is hidden."""
    view = state.view(None)
    seats = range(view.players)
    reading = read_view(view, game)
    scene = Scene(
        view=view,
        news=() if event is None else state.news(event, event.seat),
        hands={seat: state.view(seat) for seat in seats},
        seat=None,
        reading=reading,
        names=tuple(f"player_{seat}" for seat in seats),
        actor=None if event is None else event.seat,
        to_move=view.to_move,
    )
    words = "The cards are dealt." if event is None else game.describe(event, event.seat)
    upcoming = "The game is over." if view.to_move is None else f"Seat {view.to_move} {reading.due}."
    table = (line.plain.rstrip() for line in draw_scene(scene))
    return "\n".join([words, "", *table, "", upcoming])
