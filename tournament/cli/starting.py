"""`tournament bot new`: a bot to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from tournament.cli.output import choice, say
from tournament.text import format_command, format_place

LANGUAGES: Final = ("python", "node", "c")
"""The words of `BotLanguage`: importing that takes long, and `--help` answers at once."""


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called: small letters, digits and _.")],
    game: Annotated[str, typer.Option("--game", help="The game it plays.")],
    language: Annotated[str, choice(LANGUAGES, "--language", help="What it is written in.")] = "python",
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Its folder.", show_default="NAME")] = None,
) -> None:
    """Begin a bot: one that plays, a tournament for it, and a test."""
    from tournament.lab import starting

    folder = starting.new_bot(name, game=game, language=starting.BotLanguage(language), folder=out)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {format_place(folder)}. Try it:")
    configuration = folder / "tournament.yaml"
    say(f"  {format_command('bot', 'check', f'{configuration}#{name}')}")
    say(f"  {format_command('run', configuration)}")
    say(f"  python -m pytest {format_place(folder)}")
