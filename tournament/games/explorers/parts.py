"""What De store oppdagere offers beyond its rules: see `tournament.games.parts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tournament.games.explorers.numbers import ExplorersNumbering
from tournament.games.explorers.state import points
from tournament.games.explorers.types import ExplorersPhase, ExplorersPublicView
from tournament.games.parts import Reading, Scene, read_script

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.games.explorers.training import ExplorersTraining

_DUE: Final = {ExplorersPhase.LAY: "lays a card", ExplorersPhase.DRAW: "draws a card", ExplorersPhase.OVER: ""}


class ExplorersReading(Reading, frozen=True, kw_only=True, omit_defaults=True):
    """What faces show beside a view of De store oppdagere; its scores are those of expeditions as they lie."""

    expedition_points: tuple[tuple[int, ...], ...] | None = None
    """Points of each expedition, as the view lists them."""


class ExplorersParts:
    """All the parts there are."""

    usual_players: int = 2
    guide: str = "explorers_threshold.py"
    text_signs: tuple[str, ...] = ()
    page_function: str = "drawExplorers"
    page_signs: tuple[str, ...] = ("Beside an expedition: its points. Suits have a colour, a shape and a letter each.",)
    typing_hint: str = "build CARD EXPEDITION; draw stock, or draw the letter of a suit."

    def read_view(self, view: ExplorersPublicView) -> ExplorersReading:
        """Returns the points of all expeditions as they lie."""
        by_expedition = tuple(tuple(points(cards) for cards in own) for own in view.expeditions)
        return ExplorersReading(
            due=_DUE[view.phase], scores=tuple(sum(own) for own in by_expedition), expedition_points=by_expedition
        )

    def draw_text(self, scene: Scene) -> list[Text]:
        """Returns stock and piles, then each seat with its hand and its expeditions."""
        from tournament.games.explorers.drawing import draw_scene

        return draw_scene(scene)

    def explain_action(self, action: Any, view: Any) -> str:
        """Returns nothing: an action says all."""
        return ""

    def number_actions(self, players: int) -> ExplorersNumbering:
        """Returns numbers that count, of the builds with a card, only those that can be legal at once."""
        return ExplorersNumbering(players)

    def training(self, players: int) -> ExplorersTraining:
        """Returns observations, memories and chance as numbers."""
        from tournament.games.explorers.training import ExplorersTraining

        return ExplorersTraining(players)

    def page_script(self) -> str:
        """Returns the script that draws De store oppdagere in a page."""
        return read_script(__package__)
