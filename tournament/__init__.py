"""Tournaments for card-game bots: play, record, replay, audit and rank.

Everything in `__all__` is public; a name is imported when it is first asked for, so that the
command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tournament.version import __version__ as __version__

if TYPE_CHECKING:
    from tournament.auditing import audit as audit
    from tournament.games import load_game as load_game
    from tournament.players.bot import Bot as Bot
    from tournament.ranking.sources import standings as standings
    from tournament.replaying.positions import replay as replay
    from tournament.run.listeners import Observer as Observer
    from tournament.run.run import Run as Run
    from tournament.run.run import run_tournament as run_tournament
    from tournament.store.reader import read_records as read_records

_HOME = {
    "Bot": "tournament.players.bot",
    "audit": "tournament.auditing",
    "load_game": "tournament.games",
    "read_records": "tournament.store.reader",
    "replay": "tournament.replaying.positions",
    "Observer": "tournament.run.listeners",
    "Run": "tournament.run.run",
    "run_tournament": "tournament.run.run",
    "standings": "tournament.ranking.sources",
}

__all__ = ["Bot", "Observer", "Run", "audit", "load_game", "read_records", "replay", "run_tournament", "standings"]


def __getattr__(name: str) -> Any:
    """Returns a public name, imported now."""
    if name not in _HOME:
        raise AttributeError(f"module 'tournament' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted([*globals(), *__all__])
