"""What SCOUT offers beyond its rules: see `tournament.games.parts`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tournament.games.buttons import ListedChoice
from tournament.games.parts import ListNumbering, Pointed, Reading, Scene, read_script
from tournament.games.scout.events import note_event, tell_event, tell_own_event
from tournament.games.scout.sets import LONGEST_SET, all_actions
from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Keep,
    Play,
    Scout,
    ScoutEvent,
    ScoutPhase,
    ScoutPublicView,
    SetEnd,
    Turn,
)
from tournament.languages import gettext, gettext_noop, ngettext

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.games.scout.training import ScoutTraining

# Translators: the name of who is next stands before each of these.
_DUE: Final = {
    ScoutPhase.ORIENT: gettext_noop("keeps or turns its hand"),
    ScoutPhase.TURN: gettext_noop("plays or scouts"),
    ScoutPhase.PLAY: gettext_noop("must play now"),
    ScoutPhase.OVER: "",
}

_ASKED: Final = {
    ScoutPhase.ORIENT: gettext_noop("Your turn: keep or turn your hand."),
    ScoutPhase.TURN: gettext_noop("Your turn: play or scout."),
    ScoutPhase.PLAY: gettext_noop("Your turn: you must play now."),
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
    page_function: str = "drawScout"

    @property
    def text_signs(self) -> tuple[str, ...]:
        """What the signs in the drawing of a terminal mean."""
        return (gettext("In brackets: points of this round so far. S+P: may still scout and play."),)

    @property
    def page_signs(self) -> tuple[str, ...]:
        """What the signs in the drawing of a page mean."""
        return (
            gettext(
                "A card is held with its upper number in play; the other stands below, and upside down in its corner."
            ),
            gettext("The small number beside the points: this round so far. S+P: may still scout and play."),
        )

    @property
    def typing_hint(self) -> str:
        """How actions are typed."""
        # Translators: play, scout, flip and then-play are typed as they are.
        return gettext("play PLACE COUNT; scout END [flip] PLACE [then-play]. Place 0 is the left end of the hand.")

    def read_view(self, view: ScoutPublicView) -> ScoutReading:
        """Returns the points of finished rounds, those of this one so far, and what lies on the table."""
        # Rule 15, but for the seat that would lose nothing: nobody knows that before the end.
        round_points = tuple(
            captured + tokens - cards
            for captured, tokens, cards in zip(view.captured, view.tokens, view.hand_sizes, strict=True)
        )
        return ScoutReading(
            due=gettext(_DUE[view.phase]),
            scores=view.scores,
            round_points=None if view.phase is ScoutPhase.OVER else round_points,
            set_name=_name_set([VALUE[card] for card in view.table]),
        )

    def tell_event(self, event: ScoutEvent, seat: int | None) -> str:
        """Returns what `describe` says, but for who acted."""
        return tell_event(event, seat)

    def note_event(self, event: ScoutEvent, seat: int | None) -> str:
        """Returns the event in short: `plays 3 4 5`, `scouts 9`."""
        return note_event(event, seat)

    def tell_own_event(self, event: ScoutEvent) -> str:
        """Returns what `describe` says to the seat that acted, as `You play` and the cards."""
        return tell_own_event(event)

    def ask_for_move(self, view: Any) -> str:
        """Returns what the seat of a view does next, as one asks it to."""
        return gettext(_ASKED[view.phase])

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

    def page_style(self) -> str:
        """Returns the styles of its cards and of their places."""
        return read_script(__package__, "page.css")

    def explain_action(self, action: Any, view: Any) -> str:
        """Returns the cards a play lays, or the card a scout takes, as it will be held."""
        if isinstance(action, Play):
            return gettext("lays {cards}", cards=_values(action, view))
        if isinstance(action, Scout):
            if action.then_play:
                return gettext("takes {card}, then plays", card=_held(action, view))
            return gettext("takes {card}", card=_held(action, view))
        return ""

    def word_button(self, action: Any, view: Any) -> str:
        """Returns the cards a play has, the card a scout takes as it will be held, or what happens to the hand."""
        if isinstance(action, Keep):
            return gettext("Keep my hand")
        if isinstance(action, Turn):
            return gettext("Turn my hand round")
        if isinstance(action, Play):
            return gettext("Play {cards}", cards=_values(action, view))
        if action.then_play:
            return gettext("Take {card}, then play", card=_held(action, view))
        return gettext("Take {card}", card=_held(action, view))

    def list_choice(self, action: Any, view: Any) -> ListedChoice:
        """Returns a play among the plays, and a scout by its end of the set, then by how the card is held."""
        if isinstance(action, Play):
            return ListedChoice(headings=(gettext("Play a set"),), words=_values(action, view))
        if not isinstance(action, Scout):
            return ListedChoice()
        card, held = _scouted(action, view), _held(action, view)
        if len(view.table) == 1:
            end = gettext("Scout {card}", card=card)
        elif action.end == SetEnd.LEFT:
            end = gettext("Scout {card} from the left end", card=card)
        else:
            end = gettext("Scout {card} from the right end", card=card)
        if action.then_play:
            return ListedChoice(headings=(end, gettext("Hold it as {card}, then play", card=held)))
        return ListedChoice(headings=(end, gettext("Hold it as {card}", card=held)))

    def point_at(self, action: Any, view: Any) -> Pointed:
        """Returns the cards a play lays, or the card a scout takes and where it goes."""
        if isinstance(action, Play):
            return Pointed(hand=tuple(range(action.at, action.at + action.count)), to="table")
        if isinstance(action, Scout):
            return Pointed(table=(0 if action.end == SetEnd.LEFT else len(view.table) - 1,), gap=action.at)
        return Pointed()


def _values(action: Play, view: Any) -> str:
    """Returns the values of the cards that a play lays."""
    return " ".join(str(VALUE[card]) for card in view.hand[action.at : action.at + action.count])


def _scouted(action: Scout, view: Any) -> str:
    """Returns the card that a scout takes, as it lies on the table."""
    card: str = view.table[0 if action.end == SetEnd.LEFT else -1]
    return card


def _held(action: Scout, view: Any) -> str:
    """Returns the card that a scout takes, as it will be held."""
    card = _scouted(action, view)
    return TURNED[card] if action.flip else card


def _name_set(values: Sequence[int]) -> str | None:
    if len(values) < 2:
        return gettext("single card") if values else None
    if values[0] == values[1]:
        # Translators: cards of equal numbers, 2 or more. English has one form for all numbers, here and in the next.
        return ngettext("match of {count}", "match of {count}", len(values))
    return ngettext("run of {count}", "run of {count}", len(values))
