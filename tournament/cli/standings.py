"""`tournament standings`: who is how good, and how sure that is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import SkipBad, choice, say, terminal_width
from tournament.report.columns import Section, TableFormat
from tournament.text import format_place

Runs = Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs or files of records; several are pooled.")]
Merge = Annotated[
    list[str] | None,
    typer.Option("--merge", metavar="NAME", help="Count all bots of this name as one, though they differ; repeat it."),
]


def standings_command(
    runs: Runs,
    form: Annotated[TableFormat, choice(TableFormat, "--format", help="How to print.")] = TableFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    show: Annotated[list[Section] | None, choice(Section, "--show", help="What to print; repeat it.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every section.")] = False,
    merge: Merge = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="BOT", help="Leave out its tables; repeat it.")
    ] = None,
    segment: Annotated[
        int | None, typer.Option("--segment", min=0, help="One segment alone, such as a final; from 0.")
    ] = None,
    skip_bad: SkipBad = False,
    anchor: Annotated[
        str | None,
        typer.Option("--anchor", metavar="NAME=1500", help="Show ratings, and hold that of this entrant fast."),
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Show ratings over the course of play; with --plots, drawn too.")
    ] = False,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Also draw the standings there, as SVG.")
    ] = None,
) -> None:
    """Print the standings, worked out from the records alone."""
    from tournament.ranking.sources import read_sources
    from tournament.report.standings import format_standings, with_sections
    from tournament.report.times import times_of_runs

    sources = read_sources(runs, merge=merge or (), without=without or (), segment=segment, skip_bad=skip_bad)
    asked = [
        *(show or ()),
        *((Section.RATINGS,) if anchor is not None else ()),
        *((Section.HISTORY,) if history else ()),
    ]
    chosen = list(Section) if everything else list(dict.fromkeys(asked)) or [Section.STANDINGS]
    figures = with_sections(sources, chosen, anchor=anchor)
    times = times_of_runs(runs, without=without or (), segment=segment) if Section.TIMES in chosen else ()
    say(
        format_standings(
            figures,
            form=TableFormat.JSON if json else form,
            sections=chosen,
            notes=sources.notes,
            times=times,
            width=terminal_width(),
        )
    )
    if plots is not None:
        from tournament.report.plots import write_plots

        written = write_plots(figures, sources.results, plots)
        say(f"{len(written)} plots are in {format_place(plots)}.", err=True)
