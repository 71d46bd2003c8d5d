"""Bots at a table where moves are taken back: the game is played again, and each bot answers as it did before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tournament.lab.players import PlayerBefore
from tournament.players.base import Player, PlayerFault
from tournament.players.bot import Clock, GameEnd, GameStart

AT_START: Final = -1
"""The step of a fault at the start of a game."""


class Answered(NamedTuple):
    """What a player answered, and at which step it was asked."""

    step: int
    answer: Any
    """An action, or the `PlayerFault` with which it forfeited."""


class RetoldPlayer(PlayerBefore):
    """A bot that is asked as always; as long as there are answers from before, those are given in place of its own."""

    def __init__(
        self, player: Player, answers: list[Answered], *, step: Callable[[], int], failed: Callable[[], object]
    ) -> None:
        """Takes the bot, its answers from before, to which new ones are added, and where the game is now.

        `failed` is called when the bot forfeits.
        """
        super().__init__(player)
        self._answers = answers
        self._given = 0
        self._step = step
        self._failed = failed
        self._late: PlayerFault | None = None
        """A fault that the bot committed only when it was asked again: it counts from its next own answer on."""

        self.lists = player.lists

    def start(self, info: GameStart) -> None:
        """Begins a game. Raises `PlayerFault`."""
        first = self._answers[0] if self._answers else None
        if first is not None and first.step == AT_START:
            self._failed()
            raise first.answer
        try:
            self._player.start(info)
        except PlayerFault as fault:
            if first is None:
                self._answers.append(Answered(AT_START, fault))
                self._failed()
                raise
            self._late = fault
        self.lists, self.start_ms = self._player.lists, self._player.start_ms

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns the answer from before, or the bot's own. Raises `PlayerFault`."""
        if self._given < len(self._answers):
            answer = self._answers[self._given].answer
            if self._late is None and not isinstance(answer, PlayerFault):
                self._show(view, clock)
        else:
            answer = self._ask(view, clock)
            self._answers.append(Answered(self._step(), answer))
        self._given += 1
        self.taken_ns = self._player.taken_ns
        if isinstance(answer, PlayerFault):
            self._failed()
            raise answer
        return answer

    def _show(self, view: Any, clock: Clock | None) -> None:
        """Shows the bot a view, and ignores what it answers."""
        try:
            self._player.act(view, clock)
        except PlayerFault as fault:
            self._late = fault

    def _ask(self, view: Any, clock: Clock | None) -> Any:
        if self._late is not None:
            return self._late
        try:
            return self._player.act(view, clock)
        except PlayerFault as fault:
            return fault

    def end(self, result: GameEnd) -> None:
        """Tells the bot how the game ended."""
        if self._late is None:
            self._player.end(result)

    def dismiss(self) -> str | None:
        """Discards the bot as it is now: what it answered was not allowed."""
        self._failed()
        return super().dismiss()
