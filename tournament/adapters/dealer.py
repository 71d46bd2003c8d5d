"""Which deal an environment plays next: those of a seed one after the other, or those of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tournament.deals import deal_seed, draw_master, load_suite, make_deal
from tournament.errors import UsageError
from tournament.games.contract import Game, State


class Dealer:
    """Deals one game after the other. The same seed gives the same deals again."""

    def __init__(self, game: Game, *, players: int, options: Any, suite: str | Path | None = None) -> None:
        """Takes the file of a suite to deal from; left out, every seed has deals without end."""
        self._game, self._players, self._options = game, players, options
        if not isinstance(suite, str | Path | None):
            raise UsageError(f"suite={suite!r} is no file: give the path of a suite, or leave it out.")
        self._suite = None if suite is None else load_suite(Path(suite))
        if self._suite is not None and not self._suite.seeds:
            raise UsageError(f"{suite} has no seeds, so no deals. Give it some, or leave out the suite.")
        self._master: str | None = None
        self._block = 0
        self.seed = ""
        """The seed of the deal that `start` dealt last, 64 hex digits: bots' chance is made from it."""

    def start(self, seed: int | None, deal: Any = None) -> State:
        """Returns a new game: that of a `deal`, else block 0 of a `seed`, else the block after the last one.

        With a suite, the seed is the number of the deal to begin with, and the first follows the last.
        Raises `UsageError` for what is no deal of the game, or one for another number of players.
        """
        if seed is not None:
            self._master, self._block = str(seed), seed if self._suite else 0
        elif self._master is None:
            self._master, self._block = draw_master(), 0
        else:
            self._block += 1
        name, players = self._game.name, self._players
        if self._suite is None:
            self.seed = deal_seed(self._master, game=name, players=players, segment=0, block=self._block)
        else:
            block = self._block % len(self._suite.seeds)
            self.seed = self._suite.deal_seed(game=name, players=players, block=block)
        if deal is None:
            deal = make_deal(self._game, players=players, seed=self.seed, options=self._options)
            return self._game.start(deal, self._options)
        if not isinstance(deal, self._game.Deal):
            raise UsageError(f"{deal!r} is no deal of {name}: give the deal of a record, or one of `make_deal`.")
        state = self._game.start(deal, self._options)
        if state.view(None).players != players:
            raise UsageError(f"The deal is for {state.view(None).players} players, the environment for {players}.")
        return state
