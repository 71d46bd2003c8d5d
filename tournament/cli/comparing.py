"""`tournament compare` and `tournament gate`: whether one is better than the other."""

from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.output import choice, say, terminal_width
from tournament.cli.standings import Merge, Runs
from tournament.report.columns import TableFormat


def compare_command(
    runs: Runs,
    bots: Annotated[
        tuple[str, str] | None,
        typer.Option("--bots", metavar="A B", help="Two entrants; without, the rankings of two runs."),
    ] = None,
    form: Annotated[TableFormat, choice(TableFormat, "--format", help="How to print.")] = TableFormat.TABLE,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    merge: Merge = None,
) -> None:
    """Compare two bots, or two runs: who is better, how sure is that."""
    from tournament.errors import UsageError
    from tournament.ranking.deal_seeds import Suites
    from tournament.ranking.sources import read_sources
    from tournament.report.changes import format_rankings
    from tournament.report.comparison import format_pair

    chosen = TableFormat.JSON if json else form
    if bots is not None:
        sources = read_sources(runs, merge=merge or ())
        sources.check_qualified(bots)
        sources.check_comparable()
        text = format_pair(sources, bots, form=chosen, width=terminal_width())
    elif len(runs) == 2:
        suites = Suites(runs)
        before, after = (read_sources([run], merge=merge or (), name_deals=True, suites=suites) for run in runs)
        before.check_comparable()
        after.check_comparable()
        text = format_rankings(before, after, form=chosen, width=terminal_width())
    else:
        raise UsageError("Compare two bots (RUN --bots A B) or two runs (RUN RUN2).")
    say(text)


def gate_command(
    runs: Runs,
    new: Annotated[str, typer.Option("--new", metavar="BOT", help="The bot that wants in.")],
    old: Annotated[str, typer.Option("--old", metavar="BOT", help="The bot it has to beat.")],
    superior: Annotated[
        str, typer.Option("--superior", metavar="SHARE", help="How probable it must be that it is better.")
    ] = "95%",
    max_faults: Annotated[
        str, typer.Option("--max-faults", metavar="SHARE", help="Faults allowed, as a share of its games.")
    ] = "0.1%",
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of Markdown.")] = False,
    merge: Merge = None,
) -> None:
    """Judge a new bot by its results; exit code 1 when it is not let in."""
    from tournament.ranking.pairs import judge
    from tournament.ranking.sources import read_sources
    from tournament.report.figures import parse_share
    from tournament.report.gate import format_gate
    from tournament.report.tables import format_json

    wanted, allowed = parse_share(superior, "--superior"), parse_share(max_faults, "--max-faults")
    sources = read_sources(runs, merge=merge or ())
    sources.check_qualified((new, old))
    sources.check_comparable()
    gate = judge(
        sources.results,
        runs=sources.runs,
        new=new,
        old=old,
        superior=wanted,
        max_faults=allowed,
        interim=sources.interim,
        notes=sources.notes,
        weights=sources.weights,
    )
    say(format_json(gate) if json else format_gate(gate))
    if not gate.passed:
        raise typer.Exit(1)
