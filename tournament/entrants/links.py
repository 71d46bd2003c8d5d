"""Links in what somebody handed in: they must not lead a bot to what is not its own."""

from __future__ import annotations

import os
from pathlib import Path

from tournament.errors import BotError


def check_listed(path: Path, name: str, *, own: Path) -> None:
    """Raises `BotError` for a listed file that is a link out of the bot's folder, or out of its own where it is named.

    Who hands in a link to a key is not shown the key; a host who wants it so names the file itself.
    """
    real = Path(os.path.realpath(path))
    home = own if path.is_relative_to(own) else path.parent
    if not real.is_relative_to(os.path.realpath(home)):
        raise BotError(
            f'files: "{name}" is a link that leads out of {home}, to {real}. '
            "Put the file itself there, or list the path that it leads to."
        )


def check_named(path: Path, name: str) -> None:
    """Raises `BotError` for a file on a command that is a link elsewhere, to what others may not read."""
    real = Path(os.path.realpath(path))
    if real.is_relative_to(os.path.realpath(path.parent)) or not real.exists():
        return
    needed = 0o005 if real.is_dir() else 0o004
    if real.stat().st_mode & needed != needed:
        raise BotError(
            f'"{name}" is a link that leads to {real}, which others may not read. '
            "Put the file itself there, or write the path that it leads to."
        )
