"""De store oppdagere: the types that bots and notebooks name. The rules are in `rules`."""

from tournament.games.explorers.types import (
    Build,
    Built,
    Discard,
    Discarded,
    Draw,
    DrawSource,
    Drew,
    ExplorersAction,
    ExplorersNews,
    ExplorersOptions,
    ExplorersPhase,
    Piles,
    StartedExpedition,
    StartExpedition,
)
from tournament.games.explorers.view import ExplorersView

__all__ = [
    "Build",
    "Built",
    "Discard",
    "Discarded",
    "Draw",
    "DrawSource",
    "Drew",
    "ExplorersAction",
    "ExplorersNews",
    "ExplorersOptions",
    "ExplorersPhase",
    "ExplorersView",
    "Piles",
    "StartExpedition",
    "StartedExpedition",
]
