"""The commands for authors of bots: `bot list`, `bot check`, `bot new` and `repro`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tournament.cli.options import (
    LEVELS,
    Build,
    InLanguage,
    build_when_asked,
    complete_bot,
    complete_bot_to_check,
    complete_game,
    complete_game_of_run,
    complete_isolation,
    say_build,
)
from tournament.cli.output import Force, Json, choice, print_json, print_table, say
from tournament.text import format_command, format_place


def check_command(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="A bot, a folder with a bot.yaml, CONFIG.yaml#NAME for one as it is configured there, or CONFIG.yaml "
            "for all of them.",
            autocompletion=complete_bot_to_check,
        ),
    ],
    isolation: Annotated[
        str | None,
        typer.Option(
            "--isolation",
            metavar=LEVELS,
            help="How the bot is kept apart.",
            show_default="process",
            autocompletion=complete_isolation,
        ),
    ] = None,
    is_command: Annotated[
        bool, typer.Option("--command", help="BOT is a command with its arguments, in quotes.")
    ] = False,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games are played at least.")] = 100,
    json: Json = False,
    language: InLanguage = None,
) -> None:
    """Check step by step whether a bot is ready to be handed in; exit code 1 if it is not."""
    from tournament.configuration.flags import parse_isolation
    from tournament.lab.check.examination import check_bot, check_bots
    from tournament.lab.check.report import format_check, format_checks
    from tournament.lab.check.subject import is_whole_configuration

    level = None if isolation is None else parse_isolation(isolation)
    if is_whole_configuration(bot) and not is_command:
        reports = []
        for one in check_bots(Path(bot), isolation=level, games=games, say=say_build):
            reports.append(one)
            if not json:
                say(f"{format_check(one)}\n")
        passed = all(one.passed for one in reports)
        if json:
            print_json({"passed": passed, "bots": reports})
        else:
            say(format_checks(reports))
    else:
        report = check_bot(bot, isolation=level, games=games, is_command=is_command, say=say_build)
        passed = report.passed
        if json:
            print_json(report)
        else:
            say(format_check(report))
    if not passed:
        raise typer.Exit(1)


LANGUAGES: Final = ("python", "node", "c")
"""The words of `BotLanguage`, which would take long to import for `--help`."""


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the bot: small letters, digits and _.")],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="The game it plays.", autocompletion=complete_game)
    ],
    language: Annotated[str, choice(LANGUAGES, "--language", help="The language it is written in.")] = "python",
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Its folder.", show_default="NAME")] = None,
) -> None:
    """Create a bot to start from, with a tournament for it and a test."""
    from tournament.lab import new_bot

    folder = new_bot.new_bot(name, game=game, language=new_bot.BotLanguage(language), folder=out)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {format_place(folder)}. Try it:")
    configuration = folder / "tournament.yaml"
    say(f"  {format_command('bot', 'check', f'{configuration}#{name}')}")
    say(f"  {format_command('run', configuration)}")
    say(f"  python -m pytest {format_place(folder)}")


def list_command(
    spec: Annotated[
        str | None,
        typer.Argument(
            metavar="SPEC",
            autocompletion=complete_bot,
            help="A folder, a file, a pattern, a module, or the name of an example or an installed bot.",
            show_default="the examples",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the bots that a spec names, without running any of them; exit code 4 if a file of a folder is broken."""
    from tournament.configuration.resolving import passed_over_notices
    from tournament.entrants.entries import entrants_from
    from tournament.entrants.model import format_plays
    from tournament.errors import BotError
    from tournament.paths import data_folder

    unread: list[BotError] = []
    passed_over: list[str] = []
    named = spec if spec is not None else str(data_folder("bots"))
    entrants = entrants_from([named], base=Path.cwd(), unread=unread, passed_over=passed_over)
    bots = [(entrant.name, bot) for entrant in entrants for bot in entrant.bots]
    if json:
        facts = ("games", "players", "version", "fingerprint", "path")
        print_json([{"name": name} | {fact: getattr(bot, fact) for fact in facts} for name, bot in bots])
    elif bots:
        rows = [(name, format_plays(bot), bot.version, bot.fingerprint[:12], bot.path) for name, bot in bots]
        print_table(rows, ("name", "plays", "version", "fingerprint", "file"))
    for notice in () if spec is None else passed_over_notices(passed_over):
        say(notice, err=True)
    if unread:
        raise BotError("\n".join(map(str, unread)))


def repro_command(
    reference: Annotated[
        str, typer.Argument(metavar="RUN#ID", help="A game of a run.", autocompletion=complete_game_of_run)
    ],
    seat: Annotated[
        int | None,
        typer.Option("--seat", help="The seat whose decision is reproduced.", show_default="the first with a fault"),
    ] = None,
    move: Annotated[
        int | None,
        typer.Option(
            "--move", metavar="N", help="The decision after this many moves.", show_default="the one with the fault"
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write it.", show_default="repro-ID-seatS")
    ] = None,
    force: Force = False,
    build: Build = False,
) -> None:
    """Write a folder with which the author of a bot can reproduce its fault, also in a debugger."""
    from tournament.lab.repro import SCRIPT_FILE, write_repro
    from tournament.store.layout import parse_reference

    path = parse_reference(reference).path
    build_when_asked(path if path.is_dir() else path.parent, build)
    folder = write_repro(reference, seat=seat, move=move, out=out, force=force)
    script = format_place(folder / SCRIPT_FILE)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {format_place(folder)}.")
    say("Send the folder to the author of the bot: it has nothing about this machine in it. The author runs:")
    say(f"  python {script} --bot my_bot.py           replays the game up to the decision, and says what the bot does")
    say(f"  python {script} --bot my_bot.py --pdb     the same, stopped in the debugger at that decision")
    say(f"  python {script} --bot my_bot.py --wait    the same, but waits until a debugger is attached")
    say(f'  python {script} --command "./my_bot"      the same for a program in any language')
