"""What the players of the lab have in common: people at the table, and players that pass requests on to a bot."""

from __future__ import annotations

from tournament.players.base import Player
from tournament.players.bot import GameEnd


class PersonPlayer:
    """What all people at a table share, without `start` and `act`. Nothing is timed, and there is no process to end."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def end(self, result: GameEnd) -> None:
        """Does nothing: what the person looks at shows the end."""

    def dismiss(self) -> str | None:
        """Does nothing: a person is not replaced."""
        return None

    def request_quit(self) -> None:
        """Does nothing: a person has no process."""

    def close(self) -> None:
        """Does nothing: a person has no process."""


class PlayerBefore:
    """What players share that pass requests on to a bot, without `start` and `act`; whoever made the bot ends it."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.taken_ns = 0
        self.lists = False
        self.start_ms = 0.0

    def end(self, result: GameEnd) -> None:
        """Tells the bot how the game ended."""
        self._player.end(result)

    def dismiss(self) -> str | None:
        """Discards the bot as it is now."""
        return self._player.dismiss()

    def request_quit(self) -> None:
        """Does nothing: whoever made the bot ends it."""

    def close(self) -> None:
        """Does nothing: whoever made the bot ends it."""
