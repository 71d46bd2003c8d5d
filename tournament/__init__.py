"""Tournaments for card-game bots: play, record, replay, audit and rank.

Everything in `__all__` is public; a name is imported when it is first asked for, so that the
command line answers at once.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tournament.version import __version__ as __version__

if TYPE_CHECKING:
    from tournament.audit import audit as audit
    from tournament.games import load_game as load_game
    from tournament.players.bot import Bot as Bot
    from tournament.ranking.sources import standings as standings
    from tournament.records.read import read_records as read_records
    from tournament.replay import replay as replay
    from tournament.runner import run_tournament as run_tournament

_HOME = {
    "Bot": "tournament.players.bot",
    "audit": "tournament.audit",
    "load_game": "tournament.games",
    "read_records": "tournament.records.read",
    "replay": "tournament.replay",
    "run_tournament": "tournament.runner",
    "standings": "tournament.ranking.sources",
}

__all__ = ["Bot", "audit", "load_game", "read_records", "replay", "run_tournament", "standings"]


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


class _Package(ModuleType):
    """Keeps `tournament.replay` the function: importing the module of that name would put the module there."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and _HOME.get(name) == value.__name__:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
