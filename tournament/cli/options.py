"""Options that several commands share, the values made of them, and the words that a shell completes for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from tournament.cli.output import say

if TYPE_CHECKING:
    from tournament.configuration.types import Budget
    from tournament.errors import UsageError
    from tournament.languages import Language
    from tournament.run.listeners import Observers
    from tournament.run.run import Run

MOST_GAMES: Final = 200
"""How many games of a run are completed at most."""


def completion(words: Callable[[typer.Context, str], Iterable[str]]) -> Callable[[typer.Context, str], list[str]]:
    """Returns what completes a value: those `words` that begin as the value does; none if something is wrong.

    A shell completes file names where there are none.
    """

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            return [word for word in words(ctx, incomplete) if word.startswith(incomplete)]
        except Exception:  # an error would be printed between what is being typed
            return []

    return complete


def one_of(*words: str) -> Callable[[typer.Context, str], list[str]]:
    """Returns what completes a value that is one of these words."""
    return completion(lambda ctx, incomplete: words)


def _games(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    from tournament.games import game_names

    return game_names()


def _games_with_players(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    from tournament.games import game_names, load_game

    return [f"{name}:{players}" for name in game_names() for players in load_game(name).players]


def _bots(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Returns the examples, the installed bots, and what lies here, after the bots that are named already."""
    from importlib import metadata

    from tournament.entrants.finder import GROUP
    from tournament.paths import data_folder

    named, comma, begun = incomplete.rpartition(",")
    if "/" in begun or begun.startswith("."):
        return []
    examples = sorted(path.stem for path in data_folder("bots").glob("[!_]*.py"))
    installed = sorted({point.name for point in metadata.entry_points(group=GROUP)})
    here = sorted(path.name for path in Path().glob("[!_.]*") if path.suffix == ".py" or path.is_dir())
    return [f"{named}{comma}{name}" for name in (*examples, *installed, *here)]


def _bots_to_check(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Returns the bots as `_bots` does; after `CONFIG.yaml#`, the names in that configuration."""
    path, mark, _ = incomplete.partition("#")
    return [f"{path}#{name}" for name in _configured(Path(path))] if mark else _bots(ctx, incomplete)


def _configured(path: Path | None) -> list[str]:
    from tournament.configuration.file import default_source, read_configuration
    from tournament.configuration.resolving import find_entrants

    source = default_source() if path is None else read_configuration(path)
    return [entrant.name for entrant in find_entrants(source, unread=[])]


def _entrants(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Returns the entrants of the runs that are named before, or of the configuration."""
    from tournament.store.folder import read_run

    given = ctx.params.get("run") or ctx.params.get("runs")
    if given is None:
        path = ctx.params.get("configuration")
        return _configured(None if path is None else Path(path))
    runs = given if isinstance(given, list | tuple) else [given]
    return dict.fromkeys(entrant.name for run in runs for entrant in read_run(Path(run)).entrants)


def _groups(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    from tournament.store.folder import read_run

    return [group.name for group in read_run(Path(ctx.params["source"])).groups]


def _games_of_run(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    """Returns the games of the run before the `#`, at most `MOST_GAMES`; none before there is one."""
    from tournament.store.results import read_results

    folder, mark, begun = incomplete.partition("#")
    ids = (result.id for result in read_results(Path(folder)) if result.id.startswith(begun)) if mark else iter(())
    return [f"{folder}#{one}" for one in islice(ids, MOST_GAMES)]


def _schemas(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    from tournament.records.schema import schema_names

    return schema_names()


complete_game: Final = completion(_games)
complete_game_with_players: Final = completion(_games_with_players)
complete_bot: Final = completion(_bots)
complete_bot_to_check: Final = completion(_bots_to_check)
complete_entrant: Final = completion(_entrants)
complete_group: Final = completion(_groups)
complete_game_of_run: Final = completion(_games_of_run)
complete_schema: Final = completion(_schemas)


def _languages(ctx: typer.Context, incomplete: str) -> Iterable[str]:
    from tournament.languages import Language

    return Language


complete_language: Final = completion(_languages)
complete_isolation: Final = one_of("none", "process", "sandbox")
"""The levels; their type would take long to import for `--help`."""

LEVELS: Final = "none|process|sandbox"


def speak(context: typer.Context, asked: str | None) -> str | None:
    """Speaks the language that `--language` names until the command ends. Raises `UsageError` for one we do not speak.

    JSON, CSV, records and errors stay English.
    """
    if asked is None or context.resilient_parsing:
        return asked
    from tournament.errors import UsageError, install_advice
    from tournament.languages import Language, knows_languages, parse_language

    language = parse_language(asked)
    if language is None:
        raise no_such_language(f"--language {asked}")
    if language is not Language.ENGLISH and not knows_languages():
        raise UsageError(f"--language {asked} needs its extra. {install_advice('languages')}")
    speak_language(context, language)
    return asked


def no_such_language(given: str) -> UsageError:
    """Returns the error for a language that we do not speak."""
    from tournament.errors import UsageError
    from tournament.languages import Language

    known = ", ".join(f"{one} ({one.own_name})" for one in Language)
    return UsageError(f"{given}: there is {known}. Give one of these.")


def speak_language(context: typer.Context, language: Language) -> None:
    """Speaks a language until a command ends. Raises `ConfigurationError` for wrong catalogues of the host's."""
    from tournament.languages import OWN_FOLDER, knows_languages, speaking_everywhere

    own = os.environ.get(OWN_FOLDER)
    if own and knows_languages():
        from tournament.errors import ConfigurationError
        from tournament.languages.corrections import check_corrections, explain_problems

        if problems := check_corrections(Path(own)):
            raise ConfigurationError(f"{OWN_FOLDER}: {explain_problems(problems)} Mend it, or leave the variable out.")
    context.with_resource(speaking_everywhere(language))


def composed_names(given: Any) -> Any:
    """Returns the names of entrants, one or several, as runs have them: composed. A callback of an option."""
    from tournament.text import composed

    if given is None or isinstance(given, str):
        return given and composed(given)
    return type(given)(map(composed, given))


AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A name under which browsers may ask for its pages, such as that of a proxy or tunnel; may be repeated.",
    ),
]

InLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        callback=speak,
        help="The language of what is shown: en, de, pl, es or nb. JSON and CSV stay English.",
        show_default="that of LANG",
        autocompletion=complete_language,
    ),
]

Deals = Annotated[
    int | None, typer.Option("--deals", min=1, help="How many deals each table plays, each deal from every seat.")
]
MoreDeals = Annotated[
    int | None,
    typer.Option("--deals", min=1, help="How many more deals each table plays; with --add, each table with a new bot."),
]
Games = Annotated[int | None, typer.Option("--games", min=1, help="Instead of deals: at most this many games in all.")]
Minutes = Annotated[
    float | None,
    typer.Option("--minutes", min=0.01, help="Instead of deals: as many as fit into about this many minutes."),
]


def budget_from(*, deals: int | None, games: int | None, minutes: float | None) -> Budget | None:
    """Returns the budget that the flags give, or None. Raises `UsageError` if more than one is given."""
    from tournament.configuration.types import Budget
    from tournament.errors import UsageError

    given = [name for name, value in (("--deals", deals), ("--games", games), ("--minutes", minutes)) if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} exclude each other. Give one.")
    return Budget(deals=deals, games=games, minutes=minutes) if given else None


Build = Annotated[
    bool, typer.Option("--build", help="First run the build commands in the run's tournament.yaml. Read them before.")
]


def say_build(line: str) -> None:
    """Prints a build command on stderr before it runs."""
    say(line, err=True)


def build_when_asked(run: Path, asked: bool) -> None:
    """Builds the bots of a run, if `asked`."""
    if asked:
        from tournament.run.resuming import build_again

        build_again(run, say=say_build)


Configuration = Annotated[
    Path | None,
    typer.Argument(metavar="CONFIG.yaml", help="A configuration.", show_default="four example bots, both games"),
]
Workers = Annotated[
    str | None,
    typer.Option(
        "--workers",
        metavar="NUMBER|auto",
        help="How many blocks are played at once: a number, or auto for one per core.",
        autocompletion=one_of("auto"),
    ),
]
Readers = Annotated[
    str,
    typer.Option(
        "--workers",
        metavar="NUMBER|auto",
        help="How many processes share the work: a number, or auto for one per core if it pays.",
        autocompletion=one_of("auto"),
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Play on the Dask scheduler at this address; local starts one here.",
        autocompletion=one_of("local"),
    ),
]
SchedulerFile = Annotated[
    Path | None,
    typer.Option(
        "--scheduler-file",
        metavar="FILE",
        help="Play on the Dask scheduler that writes this file; the run waits half a minute for it.",
    ),
]


def cluster_from(address: str | None, file: Path | None) -> str | None:
    """Returns the address of a scheduler, which may be in a file that it writes. Raises `UsageError` or `RunError`."""
    if file is None:
        return address
    if address is not None:
        from tournament.errors import UsageError

        raise UsageError("--cluster and --scheduler-file exclude each other. Give one.")
    from tournament.run.cluster_sides import read_scheduler_file

    return read_scheduler_file(file)


Events = Annotated[
    Path | None, typer.Option("--events", metavar="FILE", help="Append the events of the run to a file, as JSON Lines.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but the folder of the run.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print every block.")]


def observers(*, events: Path | None, quiet: bool, verbose: bool) -> Observers:
    """Returns what follows a run as it is played. Raises `UsageError` for both quiet and verbose."""
    from tournament.cli.progress import Follower
    from tournament.errors import UsageError
    from tournament.run.following import EventWriter
    from tournament.run.listeners import Observers

    if quiet and verbose:
        raise UsageError("--quiet and --verbose exclude each other. Give one.")
    chosen = [] if quiet else [Follower(verbose=verbose)]
    return Observers(*chosen, *([] if events is None else [EventWriter(events)]))


def say_too_many(workers: int, *, cluster: str | None = None, quiet: bool = False) -> None:
    """Prints a warning if this machine cannot run so many workers at the same time."""
    from tournament.run.crews import too_many_workers

    if cluster is None and not quiet and (text := too_many_workers(workers)) is not None:
        say(text)


def open_run(
    folder: Path,
    *,
    build: bool,
    workers: str | None,
    cluster: str | None,
    events: Path | None,
    quiet: bool,
    verbose: bool,
) -> Run:
    """Returns a run to play on, its bots built if asked. Warns if the workers are too many for this machine.

    Raises `ConfigurationError` for workers that are neither a number nor auto.
    """
    from tournament.configuration.flags import parse_workers
    from tournament.run.run import Run
    from tournament.workers import usable_cores

    build_when_asked(folder, build)
    asked = None if workers is None else parse_workers(workers)
    count = usable_cores() if asked == "auto" else asked
    if count is not None:
        say_too_many(count, cluster=cluster, quiet=quiet)
    follower = observers(events=events, quiet=quiet, verbose=verbose)
    return Run.open(folder, workers=count, cluster=cluster, observer=follower)


def readers(asked: str) -> int | Literal["auto"]:
    """Returns how many processes are asked for. Raises `ConfigurationError` for neither a number nor auto."""
    from tournament.configuration.flags import parse_workers

    return parse_workers(asked)


def check_seed(text: str | None) -> str | None:
    """Returns the text of `--seed`. Raises `ConfigurationError` if it cannot be a master seed."""
    from tournament.configuration.rules import seed_problem
    from tournament.errors import ConfigurationError

    if text is not None and (problem := seed_problem(text)) is not None:
        raise ConfigurationError(f"--seed: {problem}")
    return text


Seed = Annotated[
    str | None, typer.Option("--seed", metavar="SEED", callback=check_seed, help="The master seed; random if left out.")
]


def warn_of_short(master: str | None) -> None:
    """Prints a warning on stderr, even when quiet, if others could guess the master seed that is given."""
    from tournament.deals import is_predictable

    if master is not None and is_predictable(master):
        text = "The seed is short: others can guess it and predict the deals. Leave it out in a real event."
        say(text, err=True)
