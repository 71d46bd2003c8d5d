"""The line of steps in the terminal viewer, and the graph of an analysis above it: both go from the deal to the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.text import Text
from textual.widgets import Static

from tournament.replay import MarkKind
from tournament.viewer.audience import Audience
from tournament.viewer.frames import Frames
from tournament.viewer.judgement import Judgement
from tournament.viewer.text_graph import LABEL_COLUMNS, column_of, draw_graph, step_in

SIGNS: Final = {MarkKind.FAULT: "!", MarkKind.ROUND_END: "|"}


class Timeline(Static):
    """One line from the deal to the end, with faults `!`, ends of rounds `|`, costly moves `▼`; a click goes there."""

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
    """What could be expected at every decision, above the line of steps; a click goes there."""

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
            return Text("\n" * (self.size.height // 2) + "What moves were worth tells of hands: choose a seat, or all.")
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
