"""The line of steps in the terminal viewer, and the graph of an analysis above it: both go from the deal to the end.

A seat's line in the graph is drawn with its number, so that no line depends on colour. Textual's
sparkline knows neither values below zero nor several lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from rich.text import Text
from textual.widgets import Static

from tournament.games.drawing import FAINT
from tournament.languages import gettext
from tournament.replaying.positions import MarkKind
from tournament.viewer.frames import Audience, Frames
from tournament.viewer.judgement import Judgement

LABEL_COLUMNS: Final = 6
"""The width of the values to the left of the graph."""

_SEAT_STYLES: Final = ("yellow", "cyan", "green", "magenta", "blue")


def column_of(step: int, *, last: int, columns: int) -> int:
    """Returns the column of a step on a line of so many columns."""
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


SIGNS: Final = {MarkKind.FAULT: "!", MarkKind.ROUND_END: "|"}


class Timeline(Static):
    """One line from the deal to the end: faults `!`, ends of rounds `|`, costly moves `▼`. A click goes to a step."""

    def __init__(self, frames: Frames, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._last = len(frames) - 1
        self._marks = frames.marks
        self._costly: Mapping[int, str] = {}
        self._step = 0

    def stand_at(self, step: int) -> None:
        """Shows where the replay stands now."""
        self._step = step
        self.refresh()

    def mark_costly(self, signs: Mapping[int, str]) -> None:
        """Shows these costly moves: a sign by step."""
        self._costly = signs
        self.refresh()

    def render(self) -> Text:
        """Returns the line, as wide as there is room."""
        columns = max(2, self.size.width)
        here = self._column(self._step, columns)
        cells = ["━" if column < here else "─" for column in range(columns)]
        for mark in self._marks:
            cells[self._column(mark.step, columns)] = SIGNS[mark.kind]
        for step, sign in self._costly.items():
            cells[self._column(step, columns)] = sign
        cells[here] = "●"
        return Text("".join(cells))

    def step_at(self, column: int) -> int:
        """Returns the step that a column stands for."""
        return step_in(column, last=self._last, columns=self.size.width)

    def _column(self, step: int, columns: int) -> int:
        return column_of(step, last=self._last, columns=columns)


class Graph(Static):
    """The margin that could be expected at every decision, above the line of steps; a click goes to a step."""

    def __init__(self, judgement: Judgement, frames: Frames) -> None:
        super().__init__()
        self._judgement = judgement
        self._last = len(frames) - 1
        self._step = 0
        self._audience = frames.audiences[0]

    def stand_at(self, step: int, audience: Audience) -> None:
        """Shows where the replay stands now, and whose lines may be seen."""
        self._step, self._audience = step, audience
        self.refresh()

    def render(self) -> Text:
        """Returns the graph, as large as there is room."""
        if not self._judgement.seats(self._audience):
            why = gettext("What moves were worth tells of hands: choose a seat, or all.")
            return Text("\n" * (self.size.height // 2) + why)
        return Text("\n").join(
            draw_graph(
                self._judgement,
                self._audience,
                step=self._step,
                last=self._last,
                columns=max(2, self.size.width - LABEL_COLUMNS),
                rows=max(2, self.size.height),
            )
        )

    def step_at(self, column: int) -> int:
        """Returns the step that a column stands for."""
        return step_in(max(0, column - LABEL_COLUMNS), last=self._last, columns=self.size.width - LABEL_COLUMNS)
