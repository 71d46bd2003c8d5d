"""For authors of bots: `bot list`, `bot check`, `bot new` and `repro`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tournament.cli.options import Build, build_when_asked, say_build
from tournament.cli.output import Force, Json, choice, print_json, print_table, say
from tournament.text import format_command, format_place


def check_command(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A bot, CONFIG.yaml#NAME for one as it is configured there, or CONFIG.yaml for all."
        ),
    ],
    isolation: Annotated[
        str | None, typer.Option("--isolation", help="none, process or sandbox.", show_default="process")
    ] = None,
    is_command: Annotated[
        bool, typer.Option("--command", help="BOT is a command with its arguments, in quotes.")
    ] = False,
    games: Annotated[
        int, typer.Option("--games", min=1, help="At least so many games are played, and of each kind some.")
    ] = 100,
    json: Json = False,
) -> None:
    """Check a bot before it is handed in, step by step; exit code 1 when a step fails."""
    import msgspec

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
            print_json({"passed": passed, "bots": msgspec.to_builtins(reports)})
        else:
            say(format_checks(reports))
    else:
        report = check_bot(bot, isolation=level, games=games, is_command=is_command, say=say_build)
        passed = report.passed
        if json:
            print_json(msgspec.to_builtins(report))
        else:
            say(format_check(report))
    if not passed:
        raise typer.Exit(1)


LANGUAGES: Final = ("python", "node", "c")
"""The words of `BotLanguage`: importing that takes long, and `--help` answers at once."""


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called: small letters, digits and _.")],
    game: Annotated[str, typer.Option("--game", help="The game it plays.")],
    language: Annotated[str, choice(LANGUAGES, "--language", help="What it is written in.")] = "python",
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Its folder.", show_default="NAME")] = None,
) -> None:
    """Begin a bot: one that plays, a tournament for it, and a test."""
    from tournament.lab import new_bot

    folder = new_bot.new_bot(name, game=game, language=new_bot.BotLanguage(language), folder=out)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {format_place(folder)}. Try it:")
    configuration = folder / "tournament.yaml"
    say(f"  {format_command('bot', 'check', f'{configuration}#{name}')}")
    say(f"  {format_command('run', configuration)}")
    say(f"  python -m pytest {format_place(folder)}")


app = typer.Typer(no_args_is_help=True, help="Bots: list them, check one, begin one.")


@app.callback()
def _bots() -> None:
    """Bots: list them, check one, begin one."""


app.command("check")(check_command)
app.command("new")(new_command)


@app.command("list")
def list_command(
    spec: Annotated[
        str | None,
        typer.Argument(help="A folder, a file, a pattern, a module or an installed name.", show_default="the examples"),
    ] = None,
    json: Json = False,
) -> None:
    """List the bots that a spec names, without running any of them; exit code 4 when a file of a folder is broken."""
    from tournament.configuration.resolving import passed_over_notices
    from tournament.entrants import entrants_from
    from tournament.errors import BotError
    from tournament.paths import data_folder

    unread: list[BotError] = []
    passed_over: list[str] = []
    entrants = entrants_from(
        [spec if spec is not None else str(data_folder("bots"))],
        base=Path.cwd(),
        unread=unread,
        passed_over=passed_over,
    )
    rows = [
        (entrant.name, ", ".join(bot.games) or "every game", bot.version, bot.fingerprint[:12], bot.path)
        for entrant in entrants
        for bot in entrant.bots
    ]
    if json:
        names = ("name", "games", "version", "fingerprint", "path")
        print_json(
            [
                dict(zip(names, (entrant.name, bot.games, bot.version, bot.fingerprint, bot.path), strict=True))
                for entrant in entrants
                for bot in entrant.bots
            ]
        )
    elif rows:
        print_table(rows, ("name", "plays", "version", "fingerprint", "file"))
    for notice in () if spec is None else passed_over_notices(passed_over):
        say(notice, err=True)
    if unread:
        raise BotError("\n".join(map(str, unread)))


def repro_command(
    reference: Annotated[str, typer.Argument(metavar="RUN#ID", help="A game of a run.")],
    seat: Annotated[
        int | None, typer.Option("--seat", help="Whose decision.", show_default="the first that has a fault")
    ] = None,
    move: Annotated[
        int | None, typer.Option("--move", metavar="N", help="After how many moves.", show_default="at its fault")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write it.", show_default="repro-ID-seatS")
    ] = None,
    force: Force = False,
    build: Build = False,
) -> None:
    """Write a folder in which a bot plays up to its fault again, with a debugger if wanted."""
    from tournament.lab.repro import SCRIPT_FILE, make_repro
    from tournament.store.layout import parse_reference

    path = parse_reference(reference).path
    build_when_asked(path if path.is_dir() else path.parent, build)
    folder = make_repro(reference, seat=seat, move=move, out=out, force=force)
    script = format_place(folder / SCRIPT_FILE)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {format_place(folder)}.")
    say("Send the folder to the author: it has nothing of this machine in it. Theirs is the bot:")
    say(f"  python {script} --bot my_bot.py           plays up to there, and tells what the bot does")
    say(f"  python {script} --bot my_bot.py --pdb     in the debugger at its last decision")
    say(f"  python {script} --bot my_bot.py --wait    waits, so that a debugger can be attached to the bot")
    say(f'  python {script} --command "./my_bot"      a program in any language')
