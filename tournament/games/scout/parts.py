"""What SCOUT offers beyond its rules: see `tournament.games.parts`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tournament.games.parts import ListNumbering, Pointed, Reading, Scene, read_script
from tournament.games.scout.sets import LONGEST_SET, all_actions
from tournament.games.scout.types import TURNED, VALUE, Play, Scout, ScoutPhase, ScoutPublicView, SetEnd

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.games.scout.training import ScoutTraining

_DUE: Final = {
    ScoutPhase.ORIENT: "keeps or turns its hand",
    ScoutPhase.TURN: "plays or scouts",
    ScoutPhase.PLAY: "must play now",
    ScoutPhase.OVER: "",
}


class ScoutReading(Reading, frozen=True, kw_only=True, omit_defaults=True):
    """What faces show beside a view of SCOUT."""

    round_points: tuple[int, ...] | None = None
    """What each seat would get if the round ended now, nobody exempt; None when the game is over."""

    set_name: str | None = None
    """What lies on the table: `run of 3`; None when it is empty."""


class ScoutParts:
    """All the parts there are."""

    usual_players: int = 3
    guide: str = "scout_swift.py"
    text_signs: tuple[str, ...] = ("In brackets: points of this round so far. S+P: may still scout and play.",)
    page_function: str = "drawScout"
    page_signs: tuple[str, ...] = (
        "A card is held with its upper number in play; the other stands below, and upside down in its corner.",
        "The small number beside the points: this round so far. S+P: may still scout and play.",
    )
    typing_hint: str = "play PLACE COUNT; scout END [flip] PLACE [then-play]. Place 0 is the left end of the hand."

    def read_view(self, view: ScoutPublicView) -> ScoutReading:
        """Returns the points of finished rounds, those of this one so far, and what lies on the table."""
        # Rule 15, but for the seat that would lose nothing: nobody knows that before the end.
        round_points = tuple(
            captured + tokens - cards
            for captured, tokens, cards in zip(view.captured, view.tokens, view.hand_sizes, strict=True)
        )
        return ScoutReading(
            due=_DUE[view.phase],
            scores=view.scores,
            round_points=None if view.phase is ScoutPhase.OVER else round_points,
            set_name=_name_set([VALUE[card] for card in view.table]),
        )

    def draw_text(self, scene: Scene) -> list[Text]:
        """Returns the set on the table, then each seat with its hand."""
        from tournament.games.scout.drawing import draw_scene

        return draw_scene(scene)

    def number_actions(self, players: int) -> ListNumbering:
        """Returns the places of all actions in their order, without plays of more cards than a set has.

        With four or five players there are 695: keep; turn; plays by place and count; scouts by end, way
        up and place; the same with then_play.
        """
        actions = all_actions(players)
        return ListNumbering(one for one in actions if not (isinstance(one, Play) and one.count > LONGEST_SET))

    def training(self, players: int) -> ScoutTraining:
        """Returns observations, memories and chance as numbers."""
        from tournament.games.scout.training import ScoutTraining

        return ScoutTraining(players)

    def page_script(self) -> str:
        """Returns the script that draws SCOUT in a page."""
        return read_script(__package__)

    def explain_action(self, action: Any, view: Any) -> str:
        """Returns the cards a play lays, or the card a scout takes, as it will be held."""
        if isinstance(action, Play):
            cards = view.hand[action.at : action.at + action.count]
            return f"lays {' '.join(str(VALUE[card]) for card in cards)}"
        if isinstance(action, Scout):
            card = view.table[0 if action.end == SetEnd.LEFT else -1]
            taken = TURNED[card] if action.flip else card
            return f"takes {taken}{', then plays' if action.then_play else ''}"
        return ""

    def point_at(self, action: Any, view: Any) -> Pointed:
        """Returns the cards a play lays, or the card a scout takes and where it goes."""
        if isinstance(action, Play):
            return Pointed(hand=tuple(range(action.at, action.at + action.count)))
        if isinstance(action, Scout):
            return Pointed(table=(0 if action.end == SetEnd.LEFT else len(view.table) - 1,), gap=action.at)
        return Pointed()


def _name_set(values: Sequence[int]) -> str | None:
    if len(values) < 2:
        return "single card" if values else None
    return f"{'match' if values[0] == values[1] else 'run'} of {len(values)}"
