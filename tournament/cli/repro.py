"""`tournament repro`: a fault, or any decision, to be played again by the author of the bot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.building import Build, build_when_asked
from tournament.cli.output import Force, say
from tournament.text import format_place


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
    from tournament.records.layout import parse_reference

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
