"""Pieces from which games are drawn as text: seats, cards beside them, lines that wrap.

Colour is only a hint: whatever it says is also said by a letter or a sign. `▶` stands at the seat
that is next, `*` at the seat that acted last and at every card it moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from tournament.games.parts import Scene
from tournament.languages import gettext

MARKED: Final = "bold yellow"
POINTED: Final = "bold green"
FAINT: Final = "dim"

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_STYLES: Final = {"C": "green", "D": "blue", "H": "red", "S": "bold"}

Unit = Text
"""A piece of text that is never broken over two lines."""


def blank_line() -> Text:
    """Returns an empty line."""
    return Text("")


def seat_label(scene: Scene, seat: int, *, score: str, width: int) -> Text:
    """Returns the marks, number, name and points of a seat, at most `width` wide."""
    line, name = _seat_and_name(scene, seat)
    name.truncate(max(1, width - line.cell_len - len(score) - 1), overflow="ellipsis")
    return line + name + Text(f" {score}", style="bold")


def seat_line(scene: Scene, seat: int, *, score: str, width: int) -> Text:
    """Returns the same as `seat_label`, exactly `width` wide, with the points at the end and a word on a forfeit."""
    line, name = _seat_and_name(scene, seat)
    tail = Text(f" {score}", style="bold")
    if seat in scene.forfeits:
        tail = Text(" " + gettext("forfeited"), style="red") + tail
    name.truncate(max(1, width - line.cell_len - tail.cell_len), overflow="ellipsis", pad=True)
    return line + name + tail


def _seat_and_name(scene: Scene, seat: int) -> tuple[Text, Text]:
    next_one = scene.to_move == seat
    line = Text()
    line.append("▶" if next_one else " ", style="bold")
    line.append("*" if scene.actor == seat else " ", style=MARKED)
    line.append(f"{seat} ", style="bold")
    return line, Text(scene.names[seat], style="bold" if next_one else "")


def beside(left: Sequence[Text], right: Sequence[Text], *, width: int) -> list[Text]:
    """Returns lines with `left` in a column of a width and `right` behind it."""
    lines = []
    for index in range(max(len(left), len(right))):
        line = Text()  # of no style of its own, so that each side keeps its own
        if index < len(left):
            line.append_text(left[index])
        if index < len(right):
            line.truncate(width, overflow="ellipsis", pad=True)
            line.append_text(right[index])
        lines.append(line)
    return lines


def flow(groups: Iterable[Sequence[Unit]], *, width: int) -> list[Text]:
    """Returns groups of units one after the other, wrapped: a group that does not fit begins a new line.

    A group longer than a line is broken between its units and goes on indented.
    """
    lines: list[Text] = []
    for group in groups:
        whole = sum(unit.cell_len for unit in group)
        if lines and lines[-1].cell_len + 2 + whole <= width:
            lines[-1].append("  ")
        else:
            lines.append(blank_line())
        for unit in group:
            if lines[-1].cell_len + unit.cell_len > width and lines[-1].cell_len > 0:
                lines.append(Text("    "))
            lines[-1].append_text(unit)
    return lines


def draw_suit(suit: str) -> Unit:
    """Returns the sign of a suit of French cards."""
    return Text(f" {SUIT_SIGNS[suit]}", style=SUIT_STYLES[suit])


def draw_card(card: str, *, marked: bool = False, pointed: bool = False) -> Unit:
    """Returns a French card, behind `*` when it was moved last, behind `+` when it is pointed at."""
    if pointed:
        return Text(f"+{card}", style=POINTED)
    return Text(f"{'*' if marked else ' '}{card}", style=MARKED if marked else SUIT_STYLES[card[-1]])
