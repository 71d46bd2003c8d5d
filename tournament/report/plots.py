"""Standings drawn as SVG, the same bytes for the same standings.

Nothing is shown by colour alone: intervals are lines, claims are signs, and every field of a map has its number.
matplotlib takes long to load, so it is imported only to draw.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tournament.errors import UsageError, install_advice
from tournament.languages import Language, gettext, present_language
from tournament.ranking.compact.collecting import CountedGames, counted_games
from tournament.ranking.group_games import Integers
from tournament.records.figures import Figure, GroupHistory, format_short
from tournament.records.results import GameResult
from tournament.records.standings import ChampionshipStandings, GroupStandings, Standings, meetings_by_pair
from tournament.report.ratings import meeting_cell, names_at_end
from tournament.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

_INK = "#1f3b5c"
_STYLES = ("-", "--", "-.", ":")
"""Styles of lines, which differ in markers too, not only in colour."""

_MARKERS = "os^vDPX*<>"

_WIDTH = 7.0
_ROW = 0.34
"""Inches for each row."""


def check_plots() -> None:
    """Raises `UsageError` where the library that draws is not installed."""
    if find_spec("matplotlib") is None:
        raise UsageError(f"Plots need a library that is not installed. {install_advice('plots')}")


def write_plots(file: Standings, results: Iterable[GameResult] | CountedGames, folder: Path) -> tuple[Path, ...]:
    """Writes the plots of the standings of these results and returns their files.

    Raises `UsageError` when the folder cannot be written, or nothing here can draw.
    """
    check_plots()
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, svg in draw_plots(file, results):
            path = folder / f"{re.sub(r'[^A-Za-z0-9_-]', '_', name)}.svg"
            path.write_text(svg, encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}. Give another folder.") from None
    return tuple(written)


def draw_plots(file: Standings, results: Iterable[GameResult] | CountedGames) -> Iterator[tuple[str, str]]:
    """Yields the name and the SVG of each plot: four for each group, the championship, and ratings over the run."""
    scores = scores_by_entrant(results)
    for group in file.groups:
        if group.bracket is None:  # intervals of points say nothing in a knockout
            yield f"{group.group}-points", draw_points(group, interim=file.interim)
        yield f"{group.group}-head-to-head", draw_head_to_head(group)
        yield f"{group.group}-scores", draw_scores(group, scores[group.group])
        yield f"{group.group}-seats", draw_seats(group)
    if file.championship is not None and file.championship.rows:
        yield "championship-points", draw_points(file.championship, interim=file.interim)
    for course in file.history:
        yield f"{course.group}-history", draw_history(course)


def scores_by_entrant(results: Iterable[GameResult] | CountedGames) -> dict[str, dict[str, Integers]]:
    """Returns the scores in complete blocks, by group and entrant."""
    return {
        own.games.group: {
            entrant: own.games.scores[own.games.seats == number] for number, entrant in enumerate(own.games.entrants)
        }
        for own in counted_games(results).groups
    }


def draw_points(standings: GroupStandings | ChampionshipStandings, *, interim: bool) -> str:
    """Returns the points of each entrant with intervals as SVG, best entrant first, with letters after the names."""
    name = standings.group if isinstance(standings, GroupStandings) else gettext("championship")
    rows = standings.rows

    def draw(axes: Axes) -> None:
        _draw_figures(axes, [row.points for row in rows])
        _name_rows(axes, [f"{printable(row.entrant)}  {row.rank.letters}" for row in rows])
        axes.set_xlim(-0.03, 1.03)
        axes.set_xlabel(gettext("points, with 95 % intervals; bots sharing a letter are statistically tied"))
        interim_name = gettext("{name}: interim, not a test: not everything has been played.", name=name)
        axes.set_title(interim_name if interim else name)
        _write_numbers(axes.xaxis)

    return _svg(draw, height=_height(len(rows)))


def draw_seats(group: GroupStandings) -> str:
    """Returns how much each seat is worth, compared with the mean of all seats, as SVG."""

    def draw(axes: Axes) -> None:
        axes.axvline(0, color="0.6", linewidth=1)
        _draw_figures(axes, [seat.effect for seat in group.seats])
        names = [gettext("seat {seat}", seat=seat.seat) for seat in group.seats]
        _name_rows(axes, [f"{name} *" if seat.claimed else name for name, seat in zip(names, group.seats, strict=True)])
        axes.set_xlabel(gettext("points more than the mean of all seats, with 95 % intervals; * claimed"))
        axes.set_title(gettext("{group}: seats", group=group.group))
        _write_numbers(axes.xaxis)

    return _svg(draw, height=_height(len(group.seats)))


def draw_scores(group: GroupStandings, scores: dict[str, Integers]) -> str:
    """Returns how the scores of each entrant are spread, best entrant first, as SVG."""
    names = [row.entrant for row in group.rows]

    def draw(axes: Axes) -> None:
        axes.boxplot(
            [scores[name] for name in names],
            positions=range(len(names)),
            orientation="horizontal",
            whis=(5, 95),
            widths=0.6,
            showfliers=False,
            medianprops={"color": _INK, "linewidth": 2},
        )
        _name_rows(axes, [printable(name) for name in names])
        axes.set_xlabel(gettext("score: median, middle half, middle 90 %"))
        axes.set_title(gettext("{group}: scores", group=group.group))
        _write_numbers(axes.xaxis)

    return _svg(draw, height=_height(len(names)))


def draw_head_to_head(group: GroupStandings) -> str:
    """Returns the score of each entrant against each other in per cent as SVG; claims are marked with signs."""
    names = [row.entrant for row in group.rows]
    meetings = meetings_by_pair(group.meetings)
    values = [
        [meetings[row, column].score.value if (row, column) in meetings else 0.5 for column in names] for row in names
    ]

    def draw(axes: Axes) -> None:
        axes.pcolormesh(values, cmap="PuOr", vmin=0, vmax=1, edgecolors="white")
        axes.invert_yaxis()
        for row, name in enumerate(names):
            for column, other in enumerate(names):
                text = "" if row == column else meeting_cell(meetings.get((name, other)))
                dark = abs(values[row][column] - 0.5) > 0.3
                axes.text(column + 0.5, row + 0.5, text, ha="center", va="center", color="white" if dark else "black")
        middles = [number + 0.5 for number in range(len(names))]
        axes.set_xticks(middles, [printable(name) for name in names], rotation=35, ha="right")
        axes.set_yticks(middles, [printable(name) for name in names])
        axes.tick_params(length=0)
        axes.set_xlabel(gettext("score of the row against the column in %; > claimed better, < claimed worse"))
        axes.set_title(gettext("{group}: head to head", group=group.group))

    return _svg(draw, height=_height(len(names)) + 1.2)


def draw_history(group: GroupHistory) -> str:
    """Returns the ratings of a group over the course of the run as SVG; each line has its own style and marker."""

    def draw(axes: Axes) -> None:
        for number, name in enumerate(names_at_end(group)):
            course = [
                (point.blocks, row.rating.value)
                for point in group.points
                for row in point.rows
                if row.entrant == name and row.rating is not None
            ]
            axes.plot(
                [blocks for blocks, _ in course],
                [rating for _, rating in course],
                label=printable(name),
                linestyle=_STYLES[number % len(_STYLES)],
                marker=_MARKERS[number % len(_MARKERS)],
                markersize=4,
            )
        axes.set_xlabel(gettext("blocks played; a course proves nothing"))
        axes.set_ylabel(gettext("rating"))
        axes.set_title(gettext("{group}: ratings over the course of play", group=group.group))
        _write_numbers(axes.xaxis)
        _write_numbers(axes.yaxis)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))

    return _svg(draw, height=4.5)


def _height(rows: int) -> float:
    return 1.4 + _ROW * rows


def _draw_figures(axes: Axes, figures: Sequence[Figure]) -> None:
    axes.errorbar(
        [figure.value for figure in figures],
        range(len(figures)),
        xerr=[
            [0.0 if figure.low is None else max(figure.value - figure.low, 0.0) for figure in figures],
            [0.0 if figure.high is None else max(figure.high - figure.value, 0.0) for figure in figures],
        ],
        fmt="o",
        color=_INK,
        capsize=3,
    )


def _write_numbers(axis: Axis) -> None:
    """Writes the numbers of an axis as the language does; in English matplotlib writes them."""
    if present_language() is not Language.ENGLISH:
        axis.set_major_formatter(lambda value, _: format_short(value, most_digits=4))


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _svg(draw: Callable[[Axes], None], *, height: float) -> str:
    with _drawing():
        from matplotlib.figure import Figure as Drawing

        drawing = Drawing(figsize=(_WIDTH, height), layout="constrained")
        draw(drawing.add_subplot())
        text = io.StringIO()
        drawing.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


@contextmanager
def _drawing() -> Iterator[None]:
    """Makes drawings independent of the style of the user, and of fonts that lack a character."""
    from matplotlib import rc_context, style

    own = rc_context(
        {
            "svg.hashsalt": "tournament",  # ids in the file come from this and not from chance
            "svg.fonttype": "none",  # text stays text: it can be searched, and read aloud
            "text.parse_math": False,  # a bot may be called $x$
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    with style.context("default"), own, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield
