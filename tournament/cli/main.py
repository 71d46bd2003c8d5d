"""The command `tournament`: its groups, and what becomes of an error."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from tournament import __version__
from tournament.cli import (
    analysing,
    bots,
    comparing,
    disqualifying,
    exporting,
    finishing,
    games,
    planning,
    playing,
    records,
    replaying,
    reporting,
    repro,
    resuming,
    schemas,
    selftest,
    standings,
    table,
    watching,
    whatif,
)
from tournament.errors import TournamentError

PLAY = "Play"
LOOK = "Look"
CHECK = "Check"
BUILD = "Build"

app = typer.Typer(
    name="tournament",
    help="Tournaments for card-game bots: play, record, replay, audit and rank.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"tournament {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tournaments for card-game bots: play, record, replay, audit and rank."""


app.command("run", rich_help_panel=PLAY)(playing.run_command)
app.command("plan", rich_help_panel=PLAY)(planning.plan_command)
app.command("resume", rich_help_panel=PLAY)(resuming.resume_command)
app.command("extend", rich_help_panel=PLAY)(resuming.extend_command)
app.command("final", rich_help_panel=PLAY)(finishing.final_command)
app.command("watch", rich_help_panel=PLAY)(watching.watch_command)
app.command("play", rich_help_panel=PLAY)(table.play_command)
app.command("standings", rich_help_panel=LOOK)(standings.standings_command)
app.command("compare", rich_help_panel=LOOK)(comparing.compare_command)
app.command("replay", rich_help_panel=LOOK)(replaying.replay_command)
app.command("report", rich_help_panel=LOOK)(reporting.report_command)
app.command("serve", rich_help_panel=LOOK)(reporting.serve_command)
app.command("export", rich_help_panel=LOOK)(exporting.export_command)
app.command("analyse", rich_help_panel=LOOK)(analysing.analyse_command)
app.command("whatif", rich_help_panel=LOOK)(whatif.whatif_command)
app.command("audit", rich_help_panel=CHECK)(records.audit_command)
app.command("validate", rich_help_panel=CHECK)(records.validate_command)
app.command("gate", rich_help_panel=CHECK)(comparing.gate_command)
app.command("schema", rich_help_panel=CHECK)(schemas.schema_command)
app.command("disqualify", rich_help_panel=CHECK)(disqualifying.disqualify_command)
app.command("selftest", rich_help_panel=CHECK)(selftest.selftest_command)
app.command("repro", rich_help_panel=BUILD)(repro.repro_command)
app.add_typer(bots.app, name="bot", rich_help_panel=BUILD)
app.add_typer(games.app, name="game", rich_help_panel=BUILD)


def run() -> None:
    """Runs the command line and ends the process: 0, or the exit code of the error (see `errors.py`)."""
    try:
        app()
    except TournamentError as error:
        typer.secho(f"Error: {error}", err=True, fg=typer.colors.RED)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Whoever read the output has enough, as in `tournament replay ... | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
