"""The commands of `tournament`, in groups, and why each of them starts quickly."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tournament.cli import audit, bot, export, game, plan, replay, report, run, standings
from tournament.cli.output import hush_stdout, say
from tournament.cli.streams import PatientStream, stopped
from tournament.version import __version__


class LightCommand(TyperCommand):
    """A command that leaves only those options to typer that are given and are not plain text.

    For the others typer would load a library of validators, which takes longer than many a command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments."""
        _lighten(self, ctx)
        return super().parse_args(ctx, args)


class LightGroup(TyperGroup):
    """A group of such commands, with options of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments before the name of a command."""
        _lighten(self, ctx)
        with until_enough():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Runs a command until it is done or nobody reads its output. Raises `Interrupted` on Ctrl-C."""
        try:
            with until_enough():
                return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:  # typer would print "Aborted!" and nothing else
            raise stopped(interrupt) from None


@contextmanager
def until_enough() -> Iterator[None]:
    """Ends the command with exit code 0 when nobody reads its output any more: typer's 1 would mean a failed check."""
    try:
        yield
    except BrokenPipeError:
        if isinstance(sys.stdout, PatientStream):
            raise  # what broke is not the output, which ignores closed pipes
        hush_stdout()
        raise typer.Exit(0) from None


def _lighten(command: TyperCommand | TyperGroup, context: Any) -> None:
    types = {} if command.callback is None else get_type_hints(inspect.unwrap(command.callback))
    for parameter in command.get_params(context):  # with --help
        is_text = types.get(parameter.name or "") is str
        process = partial(_process, parameter, parameter.process_value, is_text=is_text)
        parameter.process_value = process  # type: ignore[method-assign]


def _process(parameter: Any, process: Callable[[Any, Any], Any], context: Any, value: Any, *, is_text: bool) -> Any:
    is_single = parameter.nargs == 1 and not parameter.multiple
    is_left_out = value is None and not parameter.required
    if not is_single or not (is_left_out or (is_text and isinstance(value, str))):
        return process(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


COMMANDS: Final[dict[str, tuple[tuple[str, Callable[..., None], str], ...]]] = {
    "Play": (
        ("run", run.run_command, "Play a tournament."),
        ("plan", plan.plan_command, "Show size, time and precision of a tournament before it runs."),
        ("resume", run.resume_command, "Continue a run that was stopped."),
        ("extend", run.extend_command, "Add deals or bots to a complete run."),
        ("final", run.final_command, "Play fresh deals among the bots that may be first."),
        ("watch", run.watch_command, "Follow a run from another terminal."),
        ("play", replay.play_command, "Play a game yourself against bots."),
    ),
    "Look": (
        ("standings", standings.standings_command, "Rank the bots, and say how certain the ranking is."),
        ("compare", standings.compare_command, "Compare two bots, or two runs."),
        ("replay", replay.replay_command, "Replay a game step by step."),
        ("report", report.report_command, "Write the report of a run as web pages."),
        ("serve", report.serve_command, "Show runs in the browser, live."),
        ("export", export.export_command, "Print records, or tables made of them."),
        ("publish", report.publish_command, "Copy a run without private data, for everybody."),
        ("analyse", replay.analyse_command, "Judge each decision of a game."),
        ("whatif", replay.whatif_command, "Replace a move of a game and play on from there."),
    ),
    "Check": (
        ("audit", audit.audit_command, "Check that records are right."),
        ("validate", audit.validate_command, "Check files against their schemas."),
        ("gate", standings.gate_command, "Decide by its results whether a new bot is accepted."),
        ("schema", audit.schema_command, "Print a JSON Schema."),
        ("disqualify", run.disqualify_command, "Take a bot out of a run, or back in."),
        ("selftest", audit.selftest_command, "Test which protections from bots work here."),
    ),
    "Build": (("repro", bot.repro_command, "Reproduce a fault of a bot."),),
}
"""By group, in the order of `--help`: the name of each command, its function, and its line there."""

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
app.add_typer(bot.app, name="bot", rich_help_panel="Build", short_help="List, check and create bots.")
app.add_typer(game.app, name="game", rich_help_panel="Build", short_help="List games and their options.")
