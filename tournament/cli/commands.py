"""The commands of `tournament`, in groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final

import typer

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
    publishing,
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
from tournament.cli.light import LightCommand, LightGroup
from tournament.cli.output import say
from tournament.version import __version__

# By group, in the order of the help: the name of a command, what carries it out, and its line in the help of all.
COMMANDS: Final[dict[str, tuple[tuple[str, Callable[..., None], str], ...]]] = {
    "Play": (
        ("run", playing.run_command, "Play a tournament."),
        ("plan", planning.plan_command, "Say what a tournament will be, before it runs."),
        ("resume", resuming.resume_command, "Go on with a run that was stopped."),
        ("extend", resuming.extend_command, "Let a run grow: more deals, or more bots."),
        ("final", finishing.final_command, "Play fresh deals among those who may be first."),
        ("watch", watching.watch_command, "Follow a run from another terminal."),
        ("play", table.play_command, "Sit down at a table with bots."),
    ),
    "Look": (
        ("standings", standings.standings_command, "Print who is how good, and how sure that is."),
        ("compare", comparing.compare_command, "Compare two bots, or two runs."),
        ("replay", replaying.replay_command, "Go through a game step by step."),
        ("report", reporting.report_command, "Write a run as pages."),
        ("serve", reporting.serve_command, "Show runs in a browser, live."),
        ("export", exporting.export_command, "Print records, or rows of them."),
        ("publish", publishing.publish_command, "Copy a run without what is about the machine."),
        ("analyse", analysing.analyse_command, "Say what each decision of a game cost."),
        ("whatif", whatif.whatif_command, "Play a game on from a move, another way."),
    ),
    "Check": (
        ("audit", records.audit_command, "Check that nothing in records is wrong."),
        ("validate", records.validate_command, "Check files against their schemas."),
        ("gate", comparing.gate_command, "Judge a new bot by its results."),
        ("schema", schemas.schema_command, "Print a JSON Schema."),
        ("disqualify", disqualifying.disqualify_command, "Take a bot out of a run afterwards."),
        ("selftest", selftest.selftest_command, "Say what keeps bots apart on this machine."),
    ),
    "Build": (("repro", repro.repro_command, "Make a fault of a bot happen again."),),
}

app = typer.Typer(
    name="tournament",
    cls=LightGroup,
    help="Tournaments for card-game bots: play, record, replay, audit and rank.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        say(f"tournament {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tournaments for card-game bots: play, record, replay, audit and rank."""


for group, commands in COMMANDS.items():
    for name, command, line in commands:
        app.command(name, cls=LightCommand, rich_help_panel=group, short_help=line)(command)
app.add_typer(bots.app, name="bot", rich_help_panel="Build", short_help="List bots, check them, begin one.")
app.add_typer(games.app, name="game", rich_help_panel="Build", short_help="List games, show their options.")
