"""SCOUT: the types that bots and notebooks name. The rules are in `rules`."""

from tournament.games.scout.types import (
    Keep,
    Kept,
    Play,
    PlayedSet,
    RoundOver,
    Scout,
    ScoutAction,
    Scouted,
    ScoutNews,
    ScoutOptions,
    ScoutPhase,
    SetEnd,
    Turn,
    Turned,
)
from tournament.games.scout.view import ScoutView

__all__ = [
    "Keep",
    "Kept",
    "Play",
    "PlayedSet",
    "RoundOver",
    "Scout",
    "ScoutAction",
    "ScoutNews",
    "ScoutOptions",
    "ScoutPhase",
    "ScoutView",
    "Scouted",
    "SetEnd",
    "Turn",
    "Turned",
]
