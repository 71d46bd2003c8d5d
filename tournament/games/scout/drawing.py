"""SCOUT as text: the set on the table and the hands, each card with its two numbers one above the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.text import Text

from tournament.games.drawing import FAINT, MARKED, POINTED, beside, blank_line, seat_line
from tournament.games.parts import Scene
from tournament.games.scout.types import PlayedSet, RoundOver, Scouted
from tournament.languages import gettext, ngettext

LEFT: Final = 30
CELL: Final = 3
"""A card is a mark and two digits wide."""


def draw_scene(scene: Scene) -> list[Text]:
    """Returns the set on the table, then each seat with its hand, or with backs where it is hidden."""
    lines = _draw_set(scene)
    for seat in range(scene.view.players):
        left = [_first_line(scene, seat), _second_line(scene.view, seat)]
        lines += [blank_line(), *beside(left, _draw_hand(scene, seat), width=LEFT)]
    return lines


def _first_line(scene: Scene, seat: int) -> Text:
    reading: Any = scene.reading
    score = str(reading.scores[seat]) if reading.scores else ""
    if reading.round_points is not None:
        score += f" ({reading.round_points[seat]:+})"
    return seat_line(scene, seat, score=score, width=LEFT - 2)


def _second_line(view: Any, seat: int) -> Text:
    # Translators: two numbers under the name of a seat, in a column of 26 letters.
    words = gettext("captured {captured} tokens {tokens}", captured=view.captured[seat], tokens=view.tokens[seat])
    line = Text(f"    {words}")
    if view.may_scout_and_play[seat]:
        line.append(" S+P", style="green")
    return line


def _draw_set(scene: Scene) -> list[Text]:
    view: Any = scene.view
    reading: Any = scene.reading
    if not view.table:
        return [Text("  " + gettext("Table: empty")), blank_line()]
    # Translators: what lies on the table, such as: run of 3. This and the next stand in a column of 28 letters.
    left = [Text("  " + gettext("Table: {set}", set=reading.set_name))]
    if view.owner is not None:
        left.append(Text(f"    {_of_whom(view.owner, view.scouts)}"))
    played = any(isinstance(item, PlayedSet) for item in scene.news)
    marked = range(len(view.table)) if played else ()
    taken = scene.pointed.table if scene.pointed is not None else ()
    return beside(left, _draw_cards(view.table, marked, scene.width - LEFT, pointed=taken), width=LEFT)


def _of_whom(owner: int, scouts: int) -> str:
    """Returns whose set lies on the table, and how often it was scouted from."""
    if not scouts:
        return gettext("of seat {seat}", seat=owner)
    return ngettext("of seat {seat}, {count} scout since", "of seat {seat}, {count} scouts since", scouts, seat=owner)


def _draw_hand(scene: Scene, seat: int) -> list[Text]:
    width = scene.width - LEFT
    if seat not in scene.hands:
        return _draw_backs(scene.view.hand_sizes[seat], width)
    hand, pointed = scene.hands[seat].hand, scene.pointed
    marked = [_scouted_to(scene.news, seat)]
    if pointed is None or seat != scene.seat:
        return _draw_cards(hand, marked, width)
    return _draw_cards(hand, marked, width, pointed=pointed.hand, gap=pointed.gap, is_numbered=True)


def _scouted_to(news: Sequence[Any], seat: int) -> int | None:
    """Returns the place in the hand of the card just scouted; None when there is none, or the round is over."""
    if any(isinstance(item, RoundOver) for item in news):
        return None
    return next((item.at for item in news if isinstance(item, Scouted) and item.seat == seat), None)


def _draw_cards(
    cards: Sequence[str],
    marked: Sequence[int | None],
    width: int,
    *,
    pointed: Sequence[int] = (),
    gap: int | None = None,
    is_numbered: bool = False,
) -> list[Text]:
    """Returns two lines for as many cards as fit, and two more for the rest: in play above, the other half below.

    A third line numbers the places, with `^` where a card would go.
    """
    if not cards:
        return [Text(" " + gettext("no cards"))]
    lines = []
    room = width // CELL
    for begin in range(0, len(cards), room):
        above, below, places = Text(), Text(), Text()
        shown = cards[begin : begin + room]
        for index, card in enumerate(shown, start=begin):
            up, _, down = card.partition("/")
            mark = "+" if index in pointed else "*" if index in marked else " "
            above.append(f"{mark}{up:>2}", style={"+": POINTED, "*": MARKED}.get(mark, "bold"))
            below.append(f" {down:>2}", style=FAINT)
            places.append("^" if index == gap else " ", style=POINTED)
            places.append(f"{index:>2}", style=FAINT)
        if gap == len(cards) == begin + len(shown):
            places.append("^", style=POINTED)
        lines += [above, below, places] if is_numbered else [above, below]
    return lines


def _draw_backs(cards: int, width: int) -> list[Text]:
    backs = " ▒▒" * min(cards, width // CELL)
    words = ngettext("{count} card face down", "{count} cards face down", cards)
    return [Text(backs, style=FAINT), Text(f" {words}", style=FAINT)]
