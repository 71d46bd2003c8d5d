"""`tournament play`: a person at the table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say
from tournament.cli.seeds import check_seed
from tournament.errors import UsageError
from tournament.text import format_command, format_place


def play_command(
    game: Annotated[str, typer.Argument(help="The game: scout or explorers.")],
    against: Annotated[
        str, typer.Option("--against", metavar="SPEC,SPEC", help="The bots in the other seats, in order.")
    ],
    seat: Annotated[int, typer.Option("--seat", help="Your seat; 0 is the first.")] = 0,
    seed: Annotated[
        str | None,
        typer.Option("--seed", callback=check_seed, help="The master seed of the deal; drawn when left out."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where the record goes.", show_default="play-DIGEST.json"),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask/--no-ask", help="Ask before each move that cannot be taken back.")] = True,
    plain: Annotated[
        bool, typer.Option("--plain", help="Lines instead of a screen, for screen readers and pipes.")
    ] = False,
) -> None:
    """Play a game yourself against bots."""
    from tournament.cli.replaying import in_a_terminal
    from tournament.deals import draw_master
    from tournament.games import load_game, parts_of
    from tournament.games.parts import OffersGuide
    from tournament.lab.guides import Guide, Seating, entrants_for
    from tournament.lab.person import Face, LeftTable
    from tournament.lab.table import check_seat, play_with_person
    from tournament.records.codec import AnyRecord, format_record
    from tournament.viewer.frames import summarise

    rules = load_game(game)
    specs = [spec.strip() for spec in against.split(",") if spec.strip()]
    if not specs:
        raise UsageError("--against names nobody: give one bot for each other seat, separated by commas.")
    check_seat(seat, players=len(specs) + 1)
    if out is not None and out.exists():
        raise UsageError(f"{out} exists already. Name another file: --out FILE.")
    entrants = entrants_for(game, specs)
    options = rules.Options()
    guide = (
        Guide(Seating(game=game, players=len(specs) + 1, options=options))
        if isinstance(parts_of(game), OffersGuide)
        else None
    )
    master = seed if seed is not None else draw_master()

    def play(face: Face) -> AnyRecord:
        return play_with_person(rules, entrants, face, seat=seat, master=master, guide=guide, options=options, asks=ask)

    try:
        if plain or not in_a_terminal():
            from tournament.lab.plain import PlainFace

            record = play(PlainFace(_read_line, say))
        else:
            from tournament.lab.screen import play_on_screen

            record = play_on_screen(play)
    except LeftTable:
        say("You left the table: the game is not recorded.")
        return
    path = out if out is not None else Path(f"play-{(record.digest or '')[:12]}.json")
    path.write_bytes(format_record(record) + b"\n")
    for line in summarise(record):
        say(line)
    say(
        f"Recorded: {format_place(path)}. Look at it with `{format_command('replay', path)}`, "
        f"or `{format_command('analyse', path)}`."
    )


def _read_line(prompt: str) -> str:
    say(prompt, nl=False)
    return sys.stdin.readline()
