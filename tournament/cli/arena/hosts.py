"""What hosts do at the shell: `arena host`, `arena competition`, `arena import`, `arena export`, `arena rebuild`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tournament.cli.arena.founding import Arena
from tournament.cli.output import choice, say
from tournament.paths import real_path
from tournament.text import format_command, format_count, format_place

if TYPE_CHECKING:
    from tournament.arena.folder import ArenaFolder

STATES: Final = ("open", "paused", "frozen", "closed")
"""The words of `CompetitionState` that a host can ask for."""


def complete_competition(context: typer.Context, incomplete: str) -> list[str]:
    """Returns the names of competitions of the arena that was named, for the shell."""
    folder = Path(context.params.get("folder") or ".") / "competitions"
    return sorted(path.name for path in folder.glob(f"{incomplete}*") if (path / "competition.yaml").is_file())


def set_up_for(folder: Path) -> ArenaFolder:
    """Sets Django up for an arena whose database is of this version: only then can its models be imported."""
    from tournament.arena.operating.founding import check_up_to_date
    from tournament.arena.settings import set_up

    place = set_up(folder)
    check_up_to_date(place)
    return place


Competition = Annotated[
    str,
    typer.Argument(
        metavar="COMPETITION", help="The name of a competition, such as cup.", autocompletion=complete_competition
    ),
]


def host_command(
    folder: Arena,
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="The name of the account; made if it is new.")],
    competition: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="COMPETITION",
            help="The competition that it hosts.",
            show_default="it may create competitions",
            autocompletion=complete_competition,
        ),
    ] = None,
    link: Annotated[
        bool, typer.Option("--link", help="Print a one-time link with which it chooses a new password.")
    ] = False,
) -> None:
    """Make an account a host, and print a one-time link for its password if it is new."""
    set_up_for(folder)
    from tournament.arena.operating.shell import name_host

    done = name_host(account, competition, with_link=link)
    say(f"{done.name} {'may create competitions' if competition is None else f'is a host of {competition}'}.")
    if done.link is not None:
        say(f"Its password is chosen here, once, within three days: {done.link}")


def competition_command(
    folder: Arena,
    name: Competition,
    rules: Annotated[
        Path | None, typer.Option("--from", metavar="FILE.yaml", help="Its rules; a new competition needs them.")
    ] = None,
    state: Annotated[str | None, choice(STATES, "--state", help="What it is from now on.")] = None,
    season: Annotated[
        bool,
        typer.Option(
            "--new-season", help="Begin a new season if the rules need one: what was played before counts no more."
        ),
    ] = False,
) -> None:
    """Create a competition or change it: its rules, and whether it is open. Without options print its state."""
    set_up_for(folder)
    from datetime import UTC, datetime

    from tournament.arena.operating.shell import set_competition
    from tournament.arena.transitions import CompetitionState

    wanted = None if state is None else CompetitionState(state)
    done = set_competition(name, rules, wanted, begins_season=season, now=datetime.now(UTC))
    if done.is_new:
        say(f"Created {name}.")
    elif rules is not None:
        say(f"Changed: {', '.join(done.changed)}." if done.changed else "Its rules are the same.")
    say(f"{done.row.title}: {done.row.state}, season {done.row.season}.")
    if done.row.state == CompetitionState.DRAFT:
        say(
            f"Only its hosts see it. Open it: {format_command('arena', 'competition', folder, name, '--state', 'open')}"
        )


def import_command(
    folder: Arena,
    competition: Competition,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH",
            help="A bot: a .py file, an archive or a folder with a bot.py; or a folder of bots. May be repeated.",
        ),
    ],
    consented: Annotated[
        bool, typer.Option("--consented", help="Their owners have agreed to what the competition asks.")
    ] = False,
) -> None:
    """Hand in bots for others: each gets an account and a bot with the name of its file or folder."""
    set_up_for(folder)
    from datetime import UTC, datetime

    from tournament.arena.operating.shell import import_bots

    for done in import_bots(competition, paths, consented=consented, now=datetime.now(UTC)):
        told = "" if done.link is None else f"; its owner chooses a password here, once: {done.link}"
        say(f"{done.bot}: version {done.number} waits for its check{told}")


def export_command(
    folder: Arena,
    competition: Competition,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write it: a new folder.")],
) -> None:
    """Write what everybody may see of a competition: rules, ladder, and complete rounds as public copies."""
    set_up_for(folder)
    from tournament.arena.operating.shell import export_competition

    done = export_competition(competition, out, say=lambda text: say(text, err=True))
    left = f"; {format_count(done.left_out, 'round')} left out that cannot be published" if done.left_out else ""
    say(f"Written: {format_place(out)}, with {format_count(done.rounds, 'round')}{left}.")


def rebuild_command(folder: Arena) -> None:
    """Make the index and the ladders anew from the folders alone. Stop the referee first."""
    place = set_up_for(folder)
    from datetime import UTC, datetime

    from tournament.arena.play.rebuilding import rebuild

    done = rebuild(place, now=datetime.now(UTC), say=say)
    say(f"Made anew: {format_count(len(done), 'competition')}.")


def systemd_command(
    folder: Arena,
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="The user who runs it; not root.")] = "arena",
    backup: Annotated[
        Path | None,
        typer.Option("--backup", metavar="FILE", help="Where the nightly backup goes.", show_default="FOLDER.tar.gz"),
    ] = None,
) -> None:
    """Print units of systemd that run an arena: its site, its referee, and a backup every night."""
    from tournament.arena.folder import ArenaFolder
    from tournament.arena.operating.settings_file import read_arena
    from tournament.arena.operating.units import format_units

    place = real_path(folder)
    read_arena(ArenaFolder(place))
    say(format_units(place, user=user, backup=backup or place.with_name(f"{place.name}.tar.gz")), nl=False)
