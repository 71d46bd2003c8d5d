"""The commands that run an arena: `arena demo`, `arena start`, `arena web` and `arena referee`; and `arena upgrade`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.arena.founding import Arena
from tournament.cli.output import say
from tournament.text import format_command, format_count

if TYPE_CHECKING:
    from tournament.arena.folder import ArenaFolder


def demo_command(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 chooses a free one.")] = 0,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FOLDER", help="A new folder that stays.", show_default="one that is removed"),
    ] = None,
) -> None:
    """Show an arena on this machine until Ctrl+C, with the example bots as participants; then it is removed."""
    from tournament.arena.operating.demonstration import NAME, make_demonstration, place_of

    say("Making an arena...")
    with place_of(keep) as place:
        made = make_demonstration(place, port=port)
        say(f"Look at it:  {made.address}/")
        say(f"Its competition is called {NAME}; the bots in it wait for their checks.")
        say("Log in as one of these, or sign up:")
        for account in made.accounts:
            say(f"  {account.name:<6} {account.password}")
        if made.isolation != "sandbox":
            say("This machine has no sandbox for bots: hand in only what you trust.", err=True)
        say("Stop with Ctrl+C.")
        _run(made.folder)
    say(f"Stopped. {format_command('arena', 'start', keep)} goes on with it." if keep else "Stopped, and removed.")


def start_command(folder: Arena) -> None:
    """Run the site and the referee of an arena on this machine until Ctrl+C. One that dies is started again."""
    from tournament.arena.operating.founding import wait_for_database
    from tournament.arena.operating.settings_file import read_arena
    from tournament.arena.settings import set_up

    place = set_up(folder)
    wait_for_database(place, say=_warn)
    say(f"The arena is at {read_arena(place).address} (stop with Ctrl+C)")
    _run(place)
    say("Stopped.")


def _run(place: ArenaFolder) -> None:
    """Runs the site and the referee of an arena until Ctrl-C."""
    import sys

    from tournament.arena.operating.supervision import keep_running

    program = (sys.executable, "-m", "tournament", "arena")
    keep_running({name: (*program, name, str(place.path)) for name in ("web", "referee")}, say=_warn)


def web_command(folder: Arena) -> None:
    """Serve the site of an arena until Ctrl+C, without its referee."""
    from tournament.arena.operating.serving import run_web
    from tournament.arena.operating.settings_file import read_arena
    from tournament.arena.operating.supervision import end_with_keeper

    is_kept = end_with_keeper()

    def started(place: ArenaFolder) -> None:
        if not is_kept:
            say(f"Serving {read_arena(place).address} (stop with Ctrl+C)")

    run_web(folder, started=started, say=_warn)


def referee_command(folder: Arena) -> None:
    """Check what is handed in and play the rounds of an arena until Ctrl+C, without its site."""
    from tournament.arena.operating.founding import wait_for_database
    from tournament.arena.operating.supervision import end_with_keeper
    from tournament.arena.settings import set_up

    end_with_keeper()
    place = set_up(folder)
    wait_for_database(place, say=_warn)

    from tournament.arena.referee import run_referee  # needs Django set up

    run_referee(place, say=say)


def upgrade_command(folder: Arena) -> None:
    """Bring the database of an arena up to date with this version. Stop the arena and make a backup first."""
    from tournament.arena.operating.founding import bring_up_to_date, check_database
    from tournament.arena.settings import set_up

    place = set_up(folder)
    check_database(place)
    changed = bring_up_to_date()
    say(f"{format_count(changed, 'change')} made." if changed else "It is up to date.")


def _warn(text: str) -> None:
    say(text, err=True)
