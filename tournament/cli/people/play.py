"""`tournament play`: people at a table with bots, in the terminal or in the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament import examples
from tournament.cli.options import AllowHost, InLanguage, check_seed, complete_bot, complete_game
from tournament.cli.output import in_a_terminal, say
from tournament.errors import Interrupted, UsageError
from tournament.languages import gettext
from tournament.text import format_command, format_place

if TYPE_CHECKING:
    from tournament.lab.browser.shared_table import SharedTable
    from tournament.records.codec import AnyRecord


def play_command(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help=f"The game: {' or '.join(examples.GAMES)}.", autocompletion=complete_game),
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="SPEC,SPEC",
            help="The bots in the other seats, in the order of the seats.",
            autocompletion=complete_bot,
        ),
    ] = "",
    seat: Annotated[int, typer.Option("--seat", help="Your seat; 0 is the first.")] = 0,
    web: Annotated[
        bool, typer.Option("--web", help="Play in the browser: print a secret link for each person, and serve it.")
    ] = False,
    humans: Annotated[
        int,
        typer.Option(
            "--humans", metavar="N", min=1, help="With --web: how many people play, side by side from --seat on."
        ),
    ] = 1,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help='What you are called, in place of "person"; repeat it for each person, lowest seat first.',
        ),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="With --web: the address to listen on; another one lets others join.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="With --web: the port; 0 chooses a free one.")
    ] = 0,
    allow_host: AllowHost = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="SEED", callback=check_seed, help="The master seed of the deal; random if left out."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write the record.", show_default="play-DIGEST.json"),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask/--no-ask", help="Ask for confirmation of moves that cannot be taken back.")
    ] = True,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Print lines instead of using the whole screen, for screen readers and pipes."),
    ] = False,
    language: InLanguage = None,
) -> None:
    """Play a game yourself against bots, in the terminal or in the browser, there also with other people."""
    from tournament.deals import draw_master
    from tournament.games import load_game, parts_of
    from tournament.games.parts import OffersGuide
    from tournament.lab.guide import Guide, Seating, entrants_for
    from tournament.lab.person import Face, LeftTable
    from tournament.lab.table import PlainFace, check_seat, play_with_person
    from tournament.records.codec import format_record
    from tournament.store.files import check_makeable, write_output
    from tournament.viewer.frames import summarise

    rules = load_game(game)
    specs = [spec.strip() for spec in against.split(",") if spec.strip()]
    if not web and (humans, host, port, allow_host or []) != (1, "127.0.0.1", 0, []):
        raise UsageError("--humans, --host, --port and --allow-host are for tables in the browser: add --web.")
    if not specs and humans == 1:
        raise UsageError("--against names no bot. Give one for each other seat, separated by commas.")
    players = len(specs) + humans
    check_seat(seat, players=players)
    if out is not None and out.exists():
        raise UsageError(f"{out} exists already. Name another file: --out FILE.")
    check_makeable(Path("play.json") if out is None else out)  # before a game is played that could not be kept
    if web:
        from tournament.lab.browser.playing import check_people, open_table, play_by_browser, seats_of_people

        check_people(rules, humans, bots=len(specs))
    entrants = entrants_for(game, specs, players=players)
    options = rules.Options()
    seating = Seating(game=game, players=players, options=options)
    guide = Guide(seating) if isinstance(parts_of(game), OffersGuide) else None
    master = seed if seed is not None else draw_master()

    def keep(record: AnyRecord) -> None:
        path = out if out is not None else Path(f"play-{(record.digest or '')[:12]}.json")
        data = format_record(record) + b"\n"
        try:
            write_output(path, data)
        except UsageError as error:  # the disk may have become full while people played
            raise UsageError(f"{error} {_kept_elsewhere(data)}") from None
        say("\n".join(summarise(record)))
        say(
            gettext(
                "Recorded: {place}. Look at it with `{replay}`, or `{analyse}`.",
                place=format_place(path),
                replay=format_command("replay", path),
                analyse=format_command("analyse", path),
            )
        )

    if web:
        people = seats_of_people(humans, first=seat, players=players)
        table = open_table(
            rules, entrants, people=people, names=name or (), master=master, guide=guide, options=options
        )
        serve = partial(play_by_browser, table, host=host, port=port, allowed=allow_host or ())
        _play_web(table, serve, host=host, keep=keep)
        return

    def play(face: Face) -> AnyRecord:
        return play_with_person(
            rules, entrants, face, seat=seat, names=name or (), master=master, guide=guide, options=options, asks=ask
        )

    try:
        if plain or not in_a_terminal():
            record = play(PlainFace(_read_line, say))
        else:
            from tournament.lab.screen import play_on_screen

            record = play_on_screen(play)
    except LeftTable:
        say(gettext("You left the table: the game is not recorded."))
        return
    keep(record)


def _play_web(table: SharedTable, serve: Callable[..., None], *, host: str, keep: Callable[[AnyRecord], None]) -> None:
    def started(links: Mapping[int, str]) -> None:
        if len(links) == 1:
            say(gettext("Open the link in a browser to play."))
        else:
            say(gettext("Give each person the link of one seat."))
        for seat, link in links.items():
            say("  " + gettext("seat {seat}: {link}", seat=seat, link=link))
        say(gettext("Whoever has a link plays that seat and sees its cards. No other address shows any."))
        if host != "127.0.0.1":
            say(gettext("The links go over the network unencrypted: use them in a network that you trust."))
        say(gettext("Ctrl+C ends the table; a game that is not over by then is not recorded."))

    def ended(record: AnyRecord) -> None:
        keep(record)
        say(gettext("The pages still show the game: Ctrl+C ends the table."))

    try:
        serve(started=started, ended=ended)
    except KeyboardInterrupt:
        if table.record is None:
            raise Interrupted("You ended the table before the game was over: nothing is recorded.") from None


def _kept_elsewhere(data: bytes) -> str:
    """Keeps a game that cannot be written at its place, and returns where it is."""
    import tempfile

    try:
        with tempfile.NamedTemporaryFile(prefix="play-", suffix=".json", delete=False) as file:
            file.write(data)
    except OSError:
        say(f"\n{data.decode()}", nl=False)  # below a prompt that nobody has answered
        return "The game is printed, as nothing can be written elsewhere either: copy it into a file."
    return f"The game is kept: {format_place(file.name)}."


def _read_line(prompt: str) -> str:
    say(prompt, nl=False)
    return sys.stdin.readline()
