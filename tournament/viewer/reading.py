"""What a view of a built-in game says beyond its fields: points by now, what is due, the set on the table.

Everything is worked out from one view with the functions of the rules, so it says nothing that
the one who has the view may not know. A game that is not built in gets what its view offers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from tournament.games.explorers.state import points
from tournament.games.explorers.types import ExplorersPhase, ExplorersPublicView
from tournament.games.scout.types import VALUE, ScoutPhase, ScoutPublicView


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What faces show beside the view itself."""

    due: str = "is next"
    """What the seat to move does next, to stand behind its name."""

    scores: tuple[int, ...] | None = None
    """Points of each seat: of expeditions as they lie, of finished rounds; None when the view has none."""

    round_points: tuple[int, ...] | None = None
    """SCOUT: what each seat would get if the round ended now, nobody exempt; None when the game is over."""

    set_name: str | None = None
    """SCOUT: what lies on the table: `run of 3`; None when it is empty."""

    expedition_points: tuple[tuple[int, ...], ...] | None = None
    """Explorers: points of each expedition, as the view lists them."""


def read_view(view: Any) -> Reading:
    """Returns what a view says beyond its fields."""
    reader = _READERS.get(getattr(view, "game", ""))
    return Reading(scores=getattr(view, "scores", None)) if reader is None else reader(view)


_SCOUT_DUE: Final = {
    ScoutPhase.ORIENT: "keeps or turns its hand",
    ScoutPhase.TURN: "plays or scouts",
    ScoutPhase.PLAY: "must play now",
    ScoutPhase.OVER: "",
}
_EXPLORERS_DUE: Final = {
    ExplorersPhase.LAY: "lays a card",
    ExplorersPhase.DRAW: "draws a card",
    ExplorersPhase.OVER: "",
}


def _read_scout(view: ScoutPublicView) -> Reading:
    # Rule 15, but for the seat that would lose nothing: nobody knows that before the end.
    round_points = tuple(
        captured + tokens - cards
        for captured, tokens, cards in zip(view.captured, view.tokens, view.hand_sizes, strict=True)
    )
    return Reading(
        due=_SCOUT_DUE[view.phase],
        scores=view.scores,
        round_points=None if view.phase is ScoutPhase.OVER else round_points,
        set_name=_name_set([VALUE[card] for card in view.table]),
    )


def _name_set(values: Sequence[int]) -> str | None:
    if len(values) < 2:
        return "single card" if values else None
    return f"{'match' if values[0] == values[1] else 'run'} of {len(values)}"


def _read_explorers(view: ExplorersPublicView) -> Reading:
    by_expedition = tuple(tuple(points(cards) for cards in own) for own in view.expeditions)
    return Reading(
        due=_EXPLORERS_DUE[view.phase],
        scores=tuple(sum(own) for own in by_expedition),
        expedition_points=by_expedition,
    )


_READERS: Final[dict[str, Callable[[Any], Reading]]] = {"scout": _read_scout, "explorers": _read_explorers}
