"""The commands of `tournament`, in groups. Each starts quickly: only the one that is named is imported."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tournament import examples
from tournament.cli.options import speak_language
from tournament.cli.output import hush_stdout, say
from tournament.cli.streams import PatientStream, stopped
from tournament.errors import UsageError
from tournament.languages import OWN_FOLDER, Language, knows_languages, language_of_environment
from tournament.pure import is_compiled
from tournament.text import READS_FLAGS, is_plain_number
from tournament.version import __version__


def placeholder(annotation: Any) -> str:
    """Returns the word that stands for a value of this type in helps and in the reference; empty for a flag."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(form for form in get_args(annotation) if form is not type(None))
    if get_origin(annotation) is list:
        annotation = get_args(annotation)[0]
    return {bool: "", int: "NUMBER", float: "NUMBER", Path: "PATH"}.get(annotation, "TEXT")


class PlainHelp:
    """Shows arguments and options with words for people, where typer shows types of Python and brackets of its own."""

    def collect_usage_pieces(self: Any, ctx: Any) -> list[str]:
        """Returns the parts of the line of usage after the name of the command."""
        pieces = [self.options_metavar]
        for parameter in self.get_params(ctx):
            if parameter.param_type_name == "argument":
                word = parameter.metavar or parameter.name.upper()
                pieces.append(word if parameter.required else f"[{word}]")
        return [*pieces, self.subcommand_metavar] if isinstance(self, TyperGroup) else pieces

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        """Writes the help."""
        types = {} if self.callback is None else get_type_hints(inspect.unwrap(self.callback))
        for parameter in self.get_params(ctx):
            if parameter.metavar is None:  # --help has no type
                parameter.metavar = placeholder(types.get(parameter.name, bool))
            if parameter.param_type_name == "argument":
                parameter.display_type_rich = lambda ctx: ""  # its name says what it is
            parameter._get_number_range_help_str = partial(_range_in_words, parameter)
            own_type: Any = getattr(parameter, "type", None)
            if hasattr(own_type, "_describe_range"):  # older versions of typer ask the type, newer ones have none
                own_type._describe_range = parameter._get_number_range_help_str
        super().format_help(ctx, formatter)  # type: ignore[misc]
        if lines := examples.COMMANDS.get(_words_of(ctx)):
            formatter.write("".join(f"{line}\n" for line in (" Examples:", *(f"   {one}" for one in lines))))


def _range_in_words(parameter: Any) -> str | None:
    """Returns which numbers an option takes, where typer writes `x>=1`; None where it takes any, or no numbers."""
    own_type = getattr(parameter, "type", None)
    low, high = (getattr(parameter, end, getattr(own_type, end, None)) for end in ("min", "max"))
    if low is None:
        return None
    return f"{low} or more" if high is None else f"{low} to {high}"


def _words_of(context: Any) -> str:
    """Returns the words that name a command, without that of the program: `bot check`."""
    words: list[str] = []
    while context.parent is not None:
        words.insert(0, context.info_name)
        context = context.parent
    return " ".join(words)


class LightCommand(PlainHelp, TyperCommand):
    """A command that leaves only those options to typer that are given and are not plain text.

    For the others typer would load a library of validators, which takes longer than many a command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments."""
        _lighten(self, ctx)
        return super().parse_args(ctx, _without_begun_option(self, ctx, args) if ctx.resilient_parsing else args)


class LightGroup(PlainHelp, TyperGroup):
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


def _without_begun_option(command: TyperCommand, context: Any, args: list[str]) -> list[str]:
    """Returns the arguments without a last option that lacks values: the shell asks which words could be its values.

    With it the parser would read nothing, not even the run whose entrants the values are.
    """
    context.resilient_parsing = False  # it hides what is missing
    try:
        for end in range(len(args), max(-1, len(args) - 3), -1):
            try:
                command.make_parser(context).parse_args(args=args[:end])
            except Exception:
                continue
            return args[:end]
    finally:
        context.resilient_parsing = True
    return args


def _lighten(command: TyperCommand | TyperGroup, context: Any) -> None:
    hints = {} if command.callback is None else get_type_hints(inspect.unwrap(command.callback), include_extras=True)
    for parameter in command.get_params(context):  # with --help
        kind, info = (*get_args(hints.get(parameter.name or "")), None, None)[:2]
        is_text = kind is str and getattr(info, "parser", None) is None
        problem = partial(_number_problem, parameter, info, numbers=_numbers_in(kind))
        process = partial(_process, parameter, parameter.process_value, is_text=is_text, problem=problem)
        parameter.process_value = process  # type: ignore[method-assign]


def _numbers_in(kind: Any) -> set[type]:
    """Returns which of the types of numbers an option takes, alone or in a list."""
    parts = {kind, *get_args(kind)}  # of an optional list, too
    return {int, float} & parts.union(*map(get_args, parts))


def _process(
    parameter: Any,
    process: Callable[[Any, Any], Any],
    context: Any,
    value: Any,
    *,
    is_text: bool,
    problem: Callable[..., UsageError | None],
) -> Any:
    is_single = parameter.nargs == 1 and not parameter.multiple
    is_left_out = value is None and not parameter.required
    if not is_single or not (is_left_out or (is_text and isinstance(value, str))):
        if (unread := problem(value)) is not None:
            raise unread
        try:
            return process(context, value)
        except typer.BadParameter:
            if (refused := problem(value, is_refused=True)) is not None:
                raise refused from None
            raise
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


def _number_problem(
    parameter: Any, info: Any, value: Any, *, numbers: set[type], is_refused: bool = False
) -> UsageError | None:
    """Returns the error for an option that takes numbers and was given something else; None for other options.

    `is_refused`: it was read, and is out of the bounds.
    """
    if not numbers or value is None:
        return None
    given = [value] if isinstance(value, str) else list(map(str, value)) if isinstance(value, list | tuple) else []
    is_whole = float not in numbers
    if not is_refused and all(is_plain_number(text, whole=is_whole) for text in given):
        return None
    bounds = (
        "" if info.min is None else f", at least {info.min}" if info.max is None else f" from {info.min} to {info.max}"
    )
    asked = f"{'a whole number' if is_whole else 'a number'}{'' if is_refused else ' in plain digits'}{bounds}"
    return UsageError(f'{parameter.opts[0]} "{" ".join(given)}": give {asked}.')


COMMANDS: Final[dict[str, tuple[tuple[str, str, str], ...]]] = {
    "Play": (
        ("run", "tournament.cli.run:run_command", "Play a tournament."),
        ("plan", "tournament.cli.plan:plan_command", "Show size, time and precision of a tournament before it runs."),
        ("resume", "tournament.cli.run:resume_command", "Continue a run that was stopped."),
        ("extend", "tournament.cli.run:extend_command", "Add deals or bots to a complete run."),
        ("final", "tournament.cli.run:final_command", "Play fresh deals among the bots that may be first."),
        ("watch", "tournament.cli.run:watch_command", "Follow a run from another terminal."),
        ("play", "tournament.cli.people.play:play_command", "Play a game yourself against bots."),
    ),
    "Look": (
        (
            "standings",
            "tournament.cli.standings:standings_command",
            "Rank the bots, and say how certain the ranking is.",
        ),
        ("compare", "tournament.cli.standings:compare_command", "Compare two bots, or two runs."),
        ("replay", "tournament.cli.replay:replay_command", "Replay a game step by step."),
        ("report", "tournament.cli.report:report_command", "Write the report of a run as web pages."),
        ("serve", "tournament.cli.report:serve_command", "Show runs in the browser, live."),
        ("export", "tournament.cli.export:export_command", "Print records, or tables made of them."),
        ("publish", "tournament.cli.report:publish_command", "Copy a run without private data, for everybody."),
        ("analyse", "tournament.cli.replay:analyse_command", "Judge each decision of a game."),
        ("whatif", "tournament.cli.replay:whatif_command", "Replace a move of a game and play on from there."),
    ),
    "Check": (
        ("audit", "tournament.cli.audit:audit_command", "Check that records are right."),
        ("validate", "tournament.cli.audit:validate_command", "Check files against their schemas."),
        ("gate", "tournament.cli.standings:gate_command", "Decide by its results whether a new bot is accepted."),
        ("schema", "tournament.cli.audit:schema_command", "Print a JSON Schema."),
        ("disqualify", "tournament.cli.run:disqualify_command", "Take a bot out of a run, or back in."),
        ("selftest", "tournament.cli.audit:selftest_command", "Test which protections from bots work here."),
    ),
    "Build": (
        ("repro", "tournament.cli.bot:repro_command", "Reproduce a fault of a bot."),
        ("submit", "tournament.cli.arena.submit:submit_command", "Hand a bot in at an arena, and follow its check."),
    ),
}
"""By group, in the order of `--help`: the name of each command, where its function is, and its line there."""

GROUPS: Final[dict[str, tuple[str, str, tuple[tuple[str, str], ...]]]] = {
    "bot": (
        "Build",
        "List, check and create bots.",
        (
            ("check", "tournament.cli.bot:check_command"),
            ("new", "tournament.cli.bot:new_command"),
            ("list", "tournament.cli.bot:list_command"),
        ),
    ),
    "game": (
        "Build",
        "List games and their options.",
        (("list", "tournament.cli.game:list_command"), ("show", "tournament.cli.game:show_command")),
    ),
    "language": (
        "Look",
        "List languages, and correct their words.",
        (
            ("list", "tournament.cli.languages.commands:list_command"),
            ("glossary", "tournament.cli.languages.commands:glossary_command"),
            ("write", "tournament.cli.languages.commands:write_command"),
        ),
    ),
    "arena": (
        "Host",
        "Host a competition that goes on for weeks.",
        (
            ("demo", "tournament.cli.arena.processes:demo_command"),
            ("init", "tournament.cli.arena.founding:init_command"),
            ("start", "tournament.cli.arena.processes:start_command"),
            ("web", "tournament.cli.arena.processes:web_command"),
            ("referee", "tournament.cli.arena.processes:referee_command"),
            ("check", "tournament.cli.arena.copies:check_command"),
            ("backup", "tournament.cli.arena.copies:backup_command"),
            ("restore", "tournament.cli.arena.copies:restore_command"),
            ("upgrade", "tournament.cli.arena.processes:upgrade_command"),
            ("host", "tournament.cli.arena.hosts:host_command"),
            ("competition", "tournament.cli.arena.hosts:competition_command"),
            ("import", "tournament.cli.arena.hosts:import_command"),
            ("export", "tournament.cli.arena.hosts:export_command"),
            ("rebuild", "tournament.cli.arena.hosts:rebuild_command"),
            ("systemd", "tournament.cli.arena.hosts:systemd_command"),
        ),
    ),
}
"""Commands of two words: the group of the first word in `--help`, its line there, and its commands."""


class ListedCommand(TyperCommand):
    """A command as `--help` and completion list it, without what runs it."""

    def __init__(self, name: str, *, line: str, panel: str, load: Callable[[], Any]) -> None:
        """Takes what makes the command itself, or the group of commands: then its module is imported."""
        super().__init__(name, short_help=line, rich_help_panel=panel)
        self.load = load


class AllCommands(LightGroup):
    """All commands, of which only the one that is named is imported."""

    def __init__(self, **settings: Any) -> None:
        """Lists the commands."""
        super().__init__(**settings)
        for panel, commands in COMMANDS.items():
            for name, place, line in commands:
                load = partial(_load_command, name, place)
                self.add_command(ListedCommand(name, line=line, panel=panel, load=load))
        for name, (panel, line, _) in GROUPS.items():
            load = partial(_load_group, name)
            self.add_command(ListedCommand(name, line=line, panel=panel, load=load))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Writes the help on one screen: boxes, such as other helps have, would make it half as long again."""
        panels: dict[str, list[tuple[str | None, str | None]]] = {}
        for command in self.commands.values():
            assert isinstance(command, ListedCommand), "all are listed in `__init__`"
            panels.setdefault(str(command.rich_help_panel), []).append((command.name, command.short_help))
        formatter.write(f"Usage: {ctx.command_path} COMMAND [OPTIONS]\n{self.help}\n")
        for panel, rows in panels.items():
            _write_rows(formatter, panel, rows)
        _write_rows(formatter, "Options", _OPTIONS)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Returns the name of a command, the command itself, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, ListedCommand) else command, rest


_OPTIONS: Final = (
    ("--help, -h", "Show this help; after a command, what it takes and examples."),
    ("--version", "Print the version."),
    ("--install-completion", "Complete words with Tab; --show-completion prints how."),
)


def _write_rows(formatter: Any, title: str, rows: Iterable[tuple[str | None, str | None]]) -> None:
    """Writes a title and rows of two columns below it."""
    formatter.write(f"{typer.style(title, bold=True)}\n")
    for name, text in rows:
        formatter.write(f"  {typer.style(f'{name:<11}', fg=typer.colors.CYAN)} {text}\n")


def _load_command(name: str, place: str) -> Any:
    alone = typer.Typer(add_completion=False)
    alone.command(name, cls=LightCommand)(resolve_name(place))
    return typer.main.get_command(alone)


def _load_group(name: str) -> Any:
    _, line, commands = GROUPS[name]
    group = typer.Typer(name=name, cls=LightGroup, no_args_is_help=True, help=line, add_completion=False)
    for inner, place in commands:
        group.command(inner, cls=LightCommand)(resolve_name(place))
    return typer.main.get_command(group)


def every_command() -> Iterator[tuple[str, str, Callable[..., None]]]:
    """Yields of each command its group in `--help`, its words, and its function."""
    for panel, commands in COMMANDS.items():
        for name, place, _ in commands:
            yield panel, name, resolve_name(place)
    for name, (panel, _, inner_commands) in GROUPS.items():
        for inner, place in inner_commands:
            yield panel, f"{name} {inner}", resolve_name(place)


app = typer.Typer(
    name="tournament",
    cls=AllCommands,
    help="Tournaments for card-game bots: play, record, replay, audit and rank.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        say(f"tournament {__version__} ({'compiled' if is_compiled() else 'pure Python'})")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tournaments for card-game bots: play, record, replay, audit and rank."""
    before = READS_FLAGS.set(True)
    context.call_on_close(lambda: READS_FLAGS.reset(before))
    language = language_of_environment(os.environ)
    if OWN_FOLDER in os.environ or (language is not Language.ENGLISH and knows_languages()):
        speak_language(context, language)
