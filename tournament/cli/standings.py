"""The commands that rank and compare bots: `standings`, `compare` and `gate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.options import InLanguage, complete_entrant, composed_names
from tournament.cli.output import SkipBad, choice, say, terminal_width
from tournament.languages import ngettext
from tournament.report.choices import Section, TableFormat
from tournament.text import format_place

Runs = Annotated[
    list[Path], typer.Argument(metavar="RUN...", help="Runs or files of records; several are counted together.")
]
Merge = Annotated[
    list[str] | None,
    typer.Option(
        "--merge",
        metavar="NAME",
        help="Count all bots of this name as one, even if their code differs; may be repeated.",
        autocompletion=complete_entrant,
        callback=composed_names,
    ),
]


def standings_command(
    runs: Runs,
    form: Annotated[TableFormat, choice(TableFormat, "--format", help="The form of the output.")] = TableFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    show: Annotated[list[Section] | None, choice(Section, "--show", help="What to print; may be repeated.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every section.")] = False,
    merge: Merge = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="BOT",
            help="Leave out all tables with this bot; may be repeated.",
            autocompletion=complete_entrant,
            callback=composed_names,
        ),
    ] = None,
    segment: Annotated[
        int | None,
        typer.Option("--segment", min=0, help="Only this segment of the run, such as a final; the first is 0."),
    ] = None,
    skip_bad: SkipBad = False,
    anchor: Annotated[
        str | None, typer.Option("--anchor", metavar="NAME=1500", help="Show ratings, with that of this entrant fixed.")
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="Show ratings over the course of the run; with --plots, also draw them.")
    ] = False,
    plots: Annotated[
        Path | None, typer.Option("--plots", metavar="DIR", help="Also draw the standings as SVG, into this folder.")
    ] = None,
    language: InLanguage = None,
) -> None:
    """Print the standings, computed from the records alone."""
    from tournament.ranking.sources import read_sources
    from tournament.report.facts import times_of_runs
    from tournament.report.standings import format_standings, with_sections

    if plots is not None:
        from tournament.report.plots import check_plots

        check_plots()
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

        written = write_plots(figures, sources.counted, plots)
        count = len(written)
        say(
            ngettext("{count} plot is in {place}.", "{count} plots are in {place}.", count, place=format_place(plots)),
            err=True,
        )


def compare_command(
    runs: Runs,
    bots: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--bots",
            metavar="A B",
            help="Two entrants; without it, two runs are compared.",
            autocompletion=complete_entrant,
            callback=composed_names,
        ),
    ] = None,
    form: Annotated[TableFormat, choice(TableFormat, "--format", help="The form of the output.")] = TableFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    merge: Merge = None,
    language: InLanguage = None,
) -> None:
    """Compare two bots or two runs: which is better, and how certain that is."""
    from tournament.errors import UsageError
    from tournament.ranking.changes import read_pair
    from tournament.ranking.sources import read_sources
    from tournament.report.comparison import format_pair, format_rankings

    chosen = TableFormat.JSON if json else form
    if bots is not None:
        sources = read_sources(runs, merge=merge or ())
        text = format_pair(sources, bots, form=chosen, width=terminal_width())
    elif len(runs) == 2:
        before, after = read_pair(runs, merge=merge or ())
        text = format_rankings(before, after, form=chosen, width=terminal_width())
    else:
        raise UsageError("Nothing to compare. Give two bots (RUN --bots A B) or two runs (RUN RUN2).")
    say(text)


def gate_command(
    runs: Runs,
    new: Annotated[
        str,
        typer.Option(
            "--new", metavar="BOT", help="The new bot.", autocompletion=complete_entrant, callback=composed_names
        ),
    ],
    old: Annotated[
        str,
        typer.Option(
            "--old",
            metavar="BOT",
            help="The bot that it has to beat.",
            autocompletion=complete_entrant,
            callback=composed_names,
        ),
    ],
    superior: Annotated[
        str, typer.Option("--superior", metavar="SHARE", help="The least probability that the new bot is better.")
    ] = "95%",
    max_faults: Annotated[
        str, typer.Option("--max-faults", metavar="SHARE", help="The most faults, as a share of its games.")
    ] = "0.1%",
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of Markdown.")] = False,
    merge: Merge = None,
) -> None:
    """Decide by its results whether a new bot is accepted; exit code 1 if it is not."""
    from tournament.ranking.comparison import gate
    from tournament.report.comparing.gates import format_gate
    from tournament.report.tables import format_json, parse_share

    wanted, allowed = parse_share(superior, "--superior"), parse_share(max_faults, "--max-faults")
    decided = gate(new, old, runs, superior=wanted, max_faults=allowed, merge=merge or ())
    say(format_json(decided) if json else format_gate(decided))
    if not decided.passed:
        raise typer.Exit(1)
