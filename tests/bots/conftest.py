"""How the tests of the example bots load them and let them play."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tournament import Bot
from tournament.games.contract import Game
from tournament.players.bot import Clock, GameStart

FOLDER = Path(__file__).parents[2] / "bots"


class Bots:
    """The modules of the folder `bots`."""

    folder = FOLDER

    def module(self, name: str) -> ModuleType:
        """Returns a module of the folder."""
        return importlib.import_module(name)

    def bot(self, name: str) -> type[Bot]:
        """Returns the one bot of a module."""
        (found,) = (
            value
            for value in vars(self.module(name)).values()
            if isinstance(value, type) and issubclass(value, Bot) and value is not Bot
        )
        return found

    def act(self, name: str, state: Any) -> Any:
        """Returns what a fresh bot does for the seat to move."""
        return self.bot(name)().act(state.view(state.to_move))

    def play(self, game: Game, names: Sequence[str], *, seed: int, deal: Any = None) -> tuple[list[Any], Any]:
        """Returns the actions and the outcome of one game, every action checked."""
        state = game.start(deal or game.deal(len(names), Random(seed)))
        bots = [self.bot(name)() for name in names]
        for seat, bot in enumerate(bots):
            bot.start(
                GameStart(
                    game=game.name,
                    players=len(names),
                    seat=seat,
                    options=state.view(None).options,
                    rng=Random(f"{seed} {seat}"),
                    clock=Clock(),
                )
            )
        actions = []
        while state.to_move is not None:
            action = bots[state.to_move].act(state.view(state.to_move))
            state.check(action)
            state.apply(action)
            actions.append(action)
        return actions, state.outcome()


@pytest.fixture(scope="session")
def bots() -> Iterator[Bots]:
    """The example bots; what they brought into `sys` is gone afterwards."""
    names = {path.stem for path in FOLDER.glob("*.py")}
    sys.path.insert(0, str(FOLDER))
    yield Bots()
    sys.path.remove(str(FOLDER))
    for name in names & sys.modules.keys():
        del sys.modules[name]
