"""The commands of `tournament`, in groups, and what makes them start soon."""

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
from tournament.cli import standings as comparing
from tournament.cli.output import hush_stdout, say
from tournament.cli.streams import PatientStream, stopped
from tournament.version import __version__


class LightCommand(TyperCommand):
    """Takes texts as they are, and leaves to typer only what is given and is something else."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments."""
        _lighten(self, ctx)
        return super().parse_args(ctx, args)


class LightGroup(TyperGroup):
    """The same of a group, which has options of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments before the name of a command."""
        _lighten(self, ctx)
        with until_enough():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Carries out a command, for as long as somebody reads what it prints. Raises `Interrupted` on Ctrl-C."""
        try:
            with until_enough():
                return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:  # typer would end without a word
            raise stopped(interrupt) from None


@contextmanager
def until_enough() -> Iterator[None]:
    """Ends with 0 when whoever reads the output stops; typer would end with 1, which is what a check that failed is."""
    try:
        yield
    except BrokenPipeError:
        if isinstance(sys.stdout, PatientStream):
            raise  # it was not the output that broke
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


# By group, in the order of the help: the name of a command, what carries it out, and its line in the help of all.
COMMANDS: Final[dict[str, tuple[tuple[str, Callable[..., None], str], ...]]] = {
    "Play": (
        ("run", run.run_command, "Play a tournament."),
        ("plan", plan.plan_command, "Say what a tournament will be, before it runs."),
        ("resume", run.resume_command, "Go on with a run that was stopped."),
        ("extend", run.extend_command, "Let a run grow: more deals, or more bots."),
        ("final", run.final_command, "Play fresh deals among those who may be first."),
        ("watch", run.watch_command, "Follow a run from another terminal."),
        ("play", replay.play_command, "Sit down at a table with bots."),
    ),
    "Look": (
        ("standings", standings.standings_command, "Print who is how good, and how sure that is."),
        ("compare", comparing.compare_command, "Compare two bots, or two runs."),
        ("replay", replay.replay_command, "Go through a game step by step."),
        ("report", report.report_command, "Write a run as pages."),
        ("serve", report.serve_command, "Show runs in a browser, live."),
        ("export", export.export_command, "Print records, or rows of them."),
        ("publish", report.publish_command, "Copy a run without what is about the machine."),
        ("analyse", replay.analyse_command, "Say what each decision of a game cost."),
        ("whatif", replay.whatif_command, "Play a game on from a move, another way."),
    ),
    "Check": (
        ("audit", audit.audit_command, "Check that nothing in records is wrong."),
        ("validate", audit.validate_command, "Check files against their schemas."),
        ("gate", comparing.gate_command, "Judge a new bot by its results."),
        ("schema", audit.schema_command, "Print a JSON Schema."),
        ("disqualify", run.disqualify_command, "Take a bot out of a run afterwards."),
        ("selftest", audit.selftest_command, "Say what keeps bots apart on this machine."),
    ),
    "Build": (("repro", bot.repro_command, "Make a fault of a bot happen again."),),
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
app.add_typer(bot.app, name="bot", rich_help_panel="Build", short_help="List bots, check them, begin one.")
app.add_typer(game.app, name="game", rich_help_panel="Build", short_help="List games, show their options.")
