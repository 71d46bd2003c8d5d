"""What Crazy Eights offers beyond its rules: each part is optional, and heavy imports stand inside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crazy_eights.rules import Draw, Drew, EightsEvent, EightsView, Play, tell_event
from tournament.games.cards import ORDER, SUIT_NAMES
from tournament.games.parts import Reading, Scene, read_script

if TYPE_CHECKING:
    from rich.text import Text

    from crazy_eights.training import EightsTraining


class EightsParts:
    """What viewers, people at the table and learners ask for."""

    guide = "thrifty"
    text_signs = ()
    page_function = "drawCrazyEights"
    page_signs = ("Beside the pile, in gold: the suit that was named for an eight.",)
    typing_hint = "play CARD, with an eight play CARD SUIT, such as play 8H S; draw; pass."
    usual_players = 3

    def read_view(self, view: EightsView) -> Reading:
        """Returns what is due; points are not known before the hands are."""
        return Reading(due="" if view.to_move is None else "plays or draws" if view.stock else "plays or passes")

    def draw_text(self, scene: Scene) -> list[Text]:
        """Returns pile and stock, then each seat with its hand, or with backs."""
        from rich.text import Text

        from tournament.games.drawing import FAINT, MARKED, POINTED, beside, blank_line, flow, seat_line

        view, last, pointed = scene.view, scene.news[-1] if scene.news else None, scene.pointed
        named = f" ({SUIT_NAMES[view.suit]} named)" if view.suit != view.pile[-1][-1] else ""
        lines = [Text(f"  Pile: {view.pile[-1]}{named}, {len(view.pile)} in all. Stock: {view.stock}.")]
        for seat, size in enumerate(view.hand_sizes):
            units = [Text(" ▒▒", style=FAINT)] * size
            if seat in scene.hands:
                hand = scene.hands[seat].hand
                drew = isinstance(last, Drew) and last.seat == seat
                units = []
                for place in sorted(range(size), key=lambda place: ORDER[hand[place]]):
                    sign = "+" if pointed and seat == scene.seat and place in pointed.hand else " "
                    sign = "*" if drew and place == size - 1 else sign
                    units.append(Text(f"{sign}{hand[place]}", style={"+": POINTED, "*": MARKED}.get(sign, "")))
            name = seat_line(scene, seat, score=f"{size}", width=24)
            lines += [blank_line(), *beside([name], flow([units], width=scene.width - 26), width=26)]
        return lines

    def tell_event(self, event: EightsEvent, seat: int | None) -> str:
        """Returns the sentence without who acted."""
        return tell_event(event, seat)

    def note_event(self, event: EightsEvent, seat: int | None) -> str:
        """Returns an event in short."""
        if isinstance(event.action, Play):
            return f"plays {event.action.card}{f', names {event.action.suit}' if event.action.suit else ''}"
        if isinstance(event.action, Draw):
            return f"draws {event.card}" if seat == event.seat else "draws"
        return "passes"

    def page_script(self) -> str:
        """Returns the script that draws the game in a page."""
        return read_script(__package__)

    def page_style(self) -> str:
        """Returns the styles of that drawing."""
        return read_script(__package__, "page.css")

    def explain_action(self, action: Any, view: EightsView) -> str:
        """Returns what a choice does that its words do not say."""
        return f"names {SUIT_NAMES[action.suit]}" if isinstance(action, Play) and action.suit else ""

    def training(self, players: int) -> EightsTraining:
        """Returns the game as numbers."""
        from crazy_eights.training import EightsTraining

        return EightsTraining(players)
