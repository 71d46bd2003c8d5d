"""`tournament bot new`: a bot to begin with."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import choice, say


class Language(StrEnum):
    """As `tournament.lab.starting.BotLanguage`, which costs imports."""

    PYTHON = "python"
    NODE = "node"
    C = "c"


def new_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is called: small letters, digits and _.")],
    game: Annotated[str, typer.Option("--game", help="The game it plays.")],
    language: Annotated[Language, choice(Language, "--language", help="What it is written in.")] = Language.PYTHON,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Its folder.", show_default="NAME")] = None,
) -> None:
    """Begin a bot: one that plays, a tournament for it, and a test."""
    from tournament.lab import starting

    folder = starting.new_bot(name, game=game, language=starting.BotLanguage(language), folder=out)
    say(f"Written: {', '.join(sorted(path.name for path in folder.iterdir()))} in {folder}. Try it:")
    say(f"  tournament bot check {folder}/tournament.yaml#{name}")
    say(f"  tournament run {folder}/tournament.yaml")
    say(f"  python -m pytest {folder}")
