"""The page for a projector: what it turns through, as values, and the page itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from tournament.languages import in_present_zone
from tournament.report.live.feeds import Happening
from tournament.report.live.live_pages import WatchedGame, render_live, shown_game

MOST_ROWS: Final = 40
"""So many rows of a board are sent; as many as fit are shown."""

MOST_SLOTS: Final = 4
"""Rounds of a knockout with more tables are too tall for a projector, but for the one that is played."""

MOST_ROUNDS: Final = 3

MOST_LINES: Final = 12
"""So many lines of what happened are sent; as many as fit are shown."""


class ProjectedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a board."""

    place: str
    name: str
    points: str


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """Standings in large type: the best first."""

    title: str
    rows: tuple[ProjectedRow, ...]


class ProjectedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant at a table of a knockout."""

    name: str
    points: str
    through: bool


class ProjectedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a knockout."""

    title: str
    slots: tuple[tuple[ProjectedSeat, ...], ...]
    """Its tables from top to bottom."""


class ProjectedBracket(msgspec.Struct, frozen=True, kw_only=True):
    """The last rounds of a knockout."""

    title: str
    rounds: tuple[ProjectedRound, ...]


class ProjectorPage(msgspec.Struct, frozen=True, kw_only=True):
    """What a projector turns through; addresses are seen from the page."""

    title: str
    boards: tuple[Board, ...]
    brackets: tuple[ProjectedBracket, ...]
    games: tuple[WatchedGame, ...]
    news: tuple[str, ...]
    """What happened last as sentences, the newest first."""

    nothing: str
    """What is said where there is nothing else."""

    events: str
    """The stream that says when there is news."""

    language_page: str | None = None
    """Where a reader chooses a language; None where the page offers each."""


def last_rounds(rounds: tuple[ProjectedRound, ...]) -> tuple[ProjectedRound, ...]:
    """Returns the last rounds, as many as fit beside each other and are low enough; the last in any case."""
    low = [one for one in rounds[:-1] if len(one.slots) <= MOST_SLOTS]
    return (*low[-(MOST_ROUNDS - 1) :], *rounds[-1:])


def last_lines(happenings: Sequence[Happening]) -> tuple[str, ...]:
    """Returns what happened last as lines, each after its time in the present zone; the newest comes first in both."""
    return tuple(f"{in_present_zone(one.at):%H:%M} {one.text}" for one in happenings[:MOST_LINES])


def format_projector_page(page: ProjectorPage) -> str:
    """Returns the page for a projector."""
    games = [shown_game(one) for one in page.games]
    return render_live(
        "projector.html.j2",
        script="projector.js",
        style=("projector.css",),
        language_page=page.language_page,
        page=page,
        games=games,
    )
