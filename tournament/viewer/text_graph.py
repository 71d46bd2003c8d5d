"""What could be expected at each decision, as a graph of letters: for the terminal viewer.

A seat's line is drawn with its number, so that no line depends on colour. Textual's sparkline knows
neither values below zero nor several lines, and a library for plots would be one more to install.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from rich.text import Text

from tournament.games.drawing import FAINT
from tournament.viewer.audience import Audience
from tournament.viewer.judgement import Judgement

LABEL_COLUMNS: Final = 6
"""What stands to the left of the graph: values, right-aligned."""

_SEAT_STYLES: Final = ("yellow", "cyan", "green", "magenta", "blue")


def column_of(step: int, *, last: int, columns: int) -> int:
    """Returns the column in which a step stands, on a line of so many."""
    return round(step * (columns - 1) / max(1, last))


def step_in(column: int, *, last: int, columns: int) -> int:
    """Returns the step that a column stands for."""
    return round(column * last / max(1, columns - 1))


def draw_graph(
    judgement: Judgement, audience: Audience, *, step: int, last: int, columns: int, rows: int
) -> list[Text]:
    """Returns the graph in so many rows, `LABEL_COLUMNS` wider than `columns`; the current step is a vertical line."""
    lines = {
        seat: [(one.step, one.played.expected.points) for one in judgement.decisions(audience) if one.seat == seat]
        for seat in judgement.seats(audience)
    }
    values = [0.0, *(value for line in lines.values() for _, value in line)]
    low, high = min(values), max(values)

    def row_of(value: float) -> int:
        return round((high - value) * (rows - 1) / (high - low)) if high > low else rows // 2

    cells = [[(" ", "")] * columns for _ in range(rows)]
    cells[row_of(0.0)] = [("┄", FAINT)] * columns
    here = column_of(step, last=last, columns=columns)
    for line_of_cells in cells:
        line_of_cells[here] = ("│", FAINT)
    for seat, line in lines.items():
        style = _SEAT_STYLES[seat % len(_SEAT_STYLES)]
        places = [(column_of(at, last=last, columns=columns), row_of(value)) for at, value in line]
        decided = [column for column, _ in places]
        for column in range(decided[0], columns):
            index = bisect_right(decided, column) - 1
            row = places[index][1]
            if column == decided[index]:
                cells[row][column] = (str(seat), f"bold {style}")
            elif cells[row][column][0] in " ┄│":
                cells[row][column] = ("─", style)
    labels = {0: f"{high:+.0f}", rows - 1: f"{low:+.0f}", row_of(0.0): "0"}
    return [
        Text.assemble((f"{labels.get(number, ''):>{LABEL_COLUMNS - 1}} ", FAINT), *line_of_cells)
        for number, line_of_cells in enumerate(cells)
    ]
