"""The commands that look after an arena: `arena check`, `arena backup` and `arena restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.arena.founding import Arena, NewArena
from tournament.cli.output import Force, Json, print_json, say
from tournament.text import format_command, format_count, format_place


def check_command(folder: Arena, json: Json = False) -> None:
    """Check whether this machine is fit for an arena, and whether strangers may sign up; exit code 1 if it is not."""
    from tournament.arena.operating.fitness import examine
    from tournament.arena.operating.fitness_file import format_fitness, registration_problem
    from tournament.arena.operating.settings_file import read_arena
    from tournament.arena.settings import set_up

    place = set_up(folder)
    found = examine(place)
    problem = registration_problem(place, read_arena(place))
    if json:
        print_json({"passed": found.passed, "strangers": problem is None, "steps": found.steps})
    else:
        say(format_fitness(found))
        say("Strangers may sign up." if problem is None else "Strangers cannot sign up. " + problem)
    if not found.passed:
        raise typer.Exit(1)


def backup_command(
    folder: Arena,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Where to write it: a .tar, or a .tar.gz, which is smaller.")
    ],
    force: Force = False,
) -> None:
    """Write a backup of an arena, also while it runs. Keep it safe: the secret and all accounts are in it."""
    from tournament.arena.operating.backup import back_up
    from tournament.arena.settings import set_up

    done = back_up(set_up(folder), file, force=force)
    say(
        f"Written: {format_place(file)}, {done.size_bytes / 1e6:.1f} MB, with {format_count(done.versions, 'version')} "
        f"and {format_count(done.rounds, 'round')}."
    )


def restore_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `arena backup` wrote.")],
    folder: NewArena,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="The empty PostgreSQL database for it.",
            show_default="that of the settings in the backup",
        ),
    ] = None,
) -> None:
    """Make an arena from a backup, on this machine or another one."""
    from tournament.arena.operating.backup import restore

    manifest = restore(file, folder, database=database)
    say(f"Restored {format_place(folder)} as it was at {manifest.taken}. Look at its address in arena.yaml, then:")
    say(f"  {format_command('arena', 'check', folder)}")
    say(f"  {format_command('arena', 'start', folder)}")
