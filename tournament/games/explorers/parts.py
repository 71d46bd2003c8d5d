"""What De store oppdagere offers beyond its rules: see `tournament.games.parts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tournament.games.buttons import ListedChoice
from tournament.games.cards import name_card
from tournament.games.explorers.events import note_event, tell_event, tell_own_event
from tournament.games.explorers.numbers import ExplorersNumbering
from tournament.games.explorers.state import points
from tournament.games.explorers.types import (
    TITLE,
    Build,
    Draw,
    DrawSource,
    ExplorersEvent,
    ExplorersPhase,
    ExplorersPublicView,
    StartExpedition,
)
from tournament.games.parts import Pointed, Reading, Scene, read_script
from tournament.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.games.explorers.training import ExplorersTraining

# Translators: the name of who is next stands before each of these.
_DUE: Final = {
    ExplorersPhase.LAY: gettext_noop("lays a card"),
    ExplorersPhase.DRAW: gettext_noop("draws a card"),
    ExplorersPhase.OVER: "",
}

_ASKED: Final = {
    ExplorersPhase.LAY: gettext_noop("Your turn: lay a card."),
    ExplorersPhase.DRAW: gettext_noop("Your turn: draw a card."),
}


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

    @property
    def subtitle(self) -> str:
        """What the title means; nothing where it is in the reader's own language."""
        # Translators: what the name of the game, De store oppdagere, means. In Norwegian that name again.
        meaning = gettext("The Great Explorers")
        return "" if meaning == TITLE else meaning

    @property
    def page_signs(self) -> tuple[str, ...]:
        """What the signs in the drawing of a page mean."""
        return (gettext("Beside an expedition: its points. Suits have a colour, a shape and a letter each."),)

    @property
    def typing_hint(self) -> str:
        """How actions are typed."""
        # Translators: build, draw and stock are typed as they are.
        return gettext("build CARD EXPEDITION; draw stock, or draw the letter of a suit.")

    def read_view(self, view: ExplorersPublicView) -> ExplorersReading:
        """Returns the points of all expeditions as they lie."""
        by_expedition = tuple(tuple(points(cards) for cards in own) for own in view.expeditions)
        return ExplorersReading(
            due=gettext(_DUE[view.phase]),
            scores=tuple(sum(own) for own in by_expedition),
            expedition_points=by_expedition,
        )

    def tell_event(self, event: ExplorersEvent, seat: int | None) -> str:
        """Returns what `describe` says, but for who acted."""
        return tell_event(event, seat)

    def note_event(self, event: ExplorersEvent, seat: int | None) -> str:
        """Returns the event in short: `starts 3H`, `takes 9S`, `draws`."""
        return note_event(event, seat)

    def tell_own_event(self, event: ExplorersEvent) -> str:
        """Returns what `describe` says to the seat that acted, as `You discard` and the card."""
        return tell_own_event(event)

    def ask_for_move(self, view: Any) -> str:
        """Returns what the seat of a view does next, as one asks it to."""
        return gettext(_ASKED[view.phase])

    def draw_text(self, scene: Scene) -> list[Text]:
        """Returns stock and piles, then each seat with its hand and its expeditions."""
        from tournament.games.explorers.drawing import draw_scene

        return draw_scene(scene)

    def explain_action(self, action: Any, view: Any) -> str:
        """Returns nothing: an action says all."""
        return ""

    def word_button(self, action: Any, view: Any) -> str:
        """Returns the card by its name, and where it goes or comes from."""
        if isinstance(action, Draw):
            if action.source is DrawSource.STOCK:
                return gettext("Draw from the stock")
            return gettext("Take the {card} from the pile", card=name_card(view.piles[action.source][-1]))
        card = name_card(action.card)
        if isinstance(action, StartExpedition):
            return gettext("Start an expedition with the {card}", card=card)
        if isinstance(action, Build):
            # Translators: {expedition} is a number, {cards} are such as: 3H 5H.
            return gettext(
                "Build the {card} on expedition {expedition}: {cards}",
                card=card,
                expedition=action.expedition,
                cards=_laid(action, view),
            )
        return gettext("Discard the {card}", card=card)

    def list_choice(self, action: Any, view: Any) -> ListedChoice:
        """Returns what is done with a card, and below it the card; what is drawn from stands by itself."""
        if isinstance(action, Draw):
            return ListedChoice()
        if isinstance(action, StartExpedition):
            heading = gettext("Start an expedition")
        elif isinstance(action, Build):
            # Translators: {expedition} is a number, {cards} are such as: 3H 5H.
            heading = gettext(
                "Build on expedition {expedition}: {cards}", expedition=action.expedition, cards=_laid(action, view)
            )
        else:
            heading = gettext("Discard a card")
        return ListedChoice(headings=(heading,), words=name_card(action.card))

    def point_at(self, action: Any, view: Any) -> Pointed:
        """Returns the card that is laid, of equal ones the first, and where; or what is drawn from."""
        if isinstance(action, Draw):
            source = action.source
            return Pointed(spots=("stock" if source is DrawSource.STOCK else f"pile {source}",), to="hand")
        to = f"pile {action.card[-1]}"
        if isinstance(action, StartExpedition):
            to = "new expedition"
        elif isinstance(action, Build):
            to = f"expedition {action.expedition}"
        return Pointed(hand=(view.hand.index(action.card),), to=to)

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

    def page_style(self) -> str:
        """Returns the styles of its cards and of their places."""
        return read_script(__package__, "page.css")


def _laid(action: Build, view: Any) -> str:
    """Returns the cards of the expedition on which a card is built."""
    return " ".join(view.expeditions[view.seat][action.expedition])
