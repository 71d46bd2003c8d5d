"""Random: any legal action, each as likely as the others.

The simplest bot there is, and the yardstick for all others: whoever does not beat it has a
mistake somewhere. It draws its chance from `info.rng`, so that a game can be played again.
"""

from __future__ import annotations

from typing import Any

from tournament import Bot


class RandomLegal(Bot):
    """Plays any legal action of any game."""

    version = "1"

    def start(self, info: Any) -> None:
        """Keeps the bot's own source of chance for the game that begins."""
        self.rng = info.rng

    def act(self, view: Any) -> Any:
        """Returns a legal action, drawn evenly."""
        legal = view.legal_actions()
        return legal[int(self.rng.random() * len(legal))]
