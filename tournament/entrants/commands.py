"""Commands of bots: which file is the bot's own program, and how a program is written as a command."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

INTERPRETERS: Final[dict[str, tuple[str, ...]]] = {
    ".cjs": ("node",),
    ".jar": ("java", "-jar"),
    ".jl": ("julia",),
    ".js": ("node",),
    ".lua": ("lua",),
    ".mjs": ("node",),
    ".php": ("php",),
    ".pl": ("perl",),
    ".py": ("python3",),
    ".R": ("Rscript",),
    ".rb": ("ruby",),
    ".sh": ("sh",),
}
"""The command that runs a file, by the end of the file's name."""


def command_for(name: str, path: Path) -> list[str]:
    """Returns the command that runs a file: the file itself when it is executable, else its interpreter."""
    if os.access(path, os.X_OK) or path.suffix not in INTERPRETERS:
        return [name if "/" in name else f"./{name}"]
    return [*INTERPRETERS[path.suffix], name]


def as_entry(name: str, path: Path) -> str:
    """Returns a sentence that says how a configuration names a program in another language."""
    words = json.dumps(command_for(name, path))
    return f"A program in another language is an entry of its own: {{name: {path.stem}, command: {words}}}."


def script_of(command: Sequence[str], base: Path) -> str | None:
    """Returns the word of a command that names the bot's own file; None when no word does.

    That is the program itself when it is written as a path, else the first argument that is a file or has the name of
    one, by its ending.
    """
    if _is_path(command[0]):
        return command[0]
    for word in command[1:]:
        if not word.startswith("-") and (os.path.isfile(base / word) or Path(word).suffix in INTERPRETERS):
            return word
    return None


def files_named(command: Sequence[str], base: Path) -> dict[str, Path]:
    """Returns the files that words of a command name, by these words."""
    words = command if _is_path(command[0]) else command[1:]
    return {word: base / word for word in words if os.path.isfile(base / word)}


def missing_files(command: Sequence[str], base: Path) -> list[str]:
    """Returns the arguments that have the name of a file of a known language, and do not exist."""
    return [
        word
        for word in command[1:]
        if not word.startswith("-") and Path(word).suffix in INTERPRETERS and not os.path.exists(base / word)
    ]


def _is_path(word: str) -> bool:
    return "/" in word or "\\" in word
