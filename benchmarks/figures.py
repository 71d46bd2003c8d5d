"""What a benchmark measures, as figures with goals: `make bench` gathers them into one table.

A benchmark is a module of this folder that has

    def figures(games: int) -> Iterator[Measured]

It yields each figure as soon as it is measured. `games` is how many games it may go to: 10,000 in `make bench`,
1,000,000 in `make bench-scale` (`records_of` says how many of them have records). It takes a minute or two for
10,000 games, ends every process that it starts, and yields `left_out(...)` where something that it needs is missing.
`__main__.py` lists the benchmarks.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import msgspec
from tabulate import tabulate

GAMES: Final = 10_000
"""How many games `make bench` goes to."""

SCALE_GAMES: Final = 1_000_000
"""How many results `make bench-scale` goes to."""

MOST_RECORDS: Final = 100_000
"""How many games have records in `make bench-scale`: whole records of more would take hours to make."""


def records_of(games: int) -> int:
    """Returns how many records a benchmark makes that may go to so many games."""
    return min(games, MOST_RECORDS)


class Better(StrEnum):
    """Which way a figure gets better."""

    MORE = "more"
    LESS = "less"


class Measured(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One figure, and the goal that it should reach."""

    name: str
    """What was measured, such as `SCOUT, 4 players, compiled`."""

    value: float | None
    """None where it could not be measured; the note says why."""

    unit: str
    """What one of it is, such as `s`, `MB`, `games/s` or `times hearts`."""

    goal: float | None = None
    """None where the figure is only told."""

    better: Better = Better.MORE

    note: str = ""
    """What a reader must know beside the name, in a few words."""

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is reached; None without a goal or a value."""
        if self.value is None or self.goal is None:
            return None
        return self.value >= self.goal if self.better is Better.MORE else self.value <= self.goal


def left_out(name: str, why: str, *, unit: str = "", goal: float | None = None) -> Measured:
    """Returns the figure of something that could not be measured here."""
    return Measured(name=name, value=None, unit=unit, goal=goal, note=f"not measured: {why}")


def number_text(value: float | None) -> str:
    """Returns a number with three digits that count, and all digits before the point."""
    if value is None:
        return "-"
    size = abs(value)
    return (
        f"{value:,.0f}"
        if size >= 100
        else f"{value:.1f}"
        if size >= 10
        else f"{value:.2f}"
        if size >= 0.1
        else f"{value:.3g}"
    )


def goal_text(figure: Measured) -> str:
    """Returns a goal in words: `at least 2.00`."""
    if figure.goal is None:
        return ""
    return f"at {'least' if figure.better is Better.MORE else 'most'} {number_text(figure.goal)}"


def show(figures: Iterable[Measured]) -> None:
    """Prints figures as a table: what a benchmark does that is run by its name and has no more to tell."""
    rows = [(one.name, number_text(one.value), one.unit, goal_text(one), one.note) for one in figures]
    print(tabulate(rows, headers=("figure", "measured", "unit", "goal", "note"), disable_numparse=True))
