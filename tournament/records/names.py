"""Names of entrants and tournaments: which texts can be one."""

from __future__ import annotations

from typing import Final

NAME_CHARACTERS: Final = 64


def name_problem(name: str) -> str | None:
    """Returns why a text cannot be a name, and what to do; None when it can be one."""
    if not name.strip():
        return "it is empty; write at least one letter"
    if len(name) > NAME_CHARACTERS:
        return f"it has {len(name)} characters; write at most {NAME_CHARACTERS}"
    if "/" in name or "\\" in name:
        return "it has a slash or a backslash; write it without"
    if not name.isprintable():
        return "it has a character that cannot be printed; write it without"
    return None
