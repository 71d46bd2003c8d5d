"""Which files are a bot's parts, by default and as a configuration lists them: what its fingerprint covers."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from tournament.entrants.contents import Contents, contents_of, files_of
from tournament.entrants.fingerprint import bytes_of, relative_name
from tournament.entrants.folders import path_of
from tournament.entrants.links import check_listed
from tournament.entrants.scripts import files_named, script_of


class Parts:
    """The parts of the bots of one configuration; a folder is looked at once."""

    def __init__(self, base: Path, *, programs: Collection[Path]) -> None:
        """Takes the folder that paths start at, and the files that commands of the configuration name."""
        self._base = base
        self._programs = programs
        self._contents: dict[Path, Contents] = {}

    def own(self, folder: Path, reached: Collection[str]) -> dict[str, Path] | None:
        """Returns every file of a folder, when it is the own one of a bot that imports what is `reached` in it.

        None for a folder in which another bot lies: one bot's files must not change another's fingerprint.
        """
        contents = self._contents_of(folder)
        if contents.with_bots - set(reached) or self._has_program(folder):
            return None
        return contents.files

    def own_of_command(self, command: Sequence[str]) -> dict[str, Path] | None:
        """Returns every file of the folder in which a command's own file lies; None where another bot lies there."""
        named = {word: Path(os.path.abspath(path)) for word, path in files_named(command, self._base).items()}
        script = script_of(command, self._base)
        if script is None or script not in named:
            return None
        folder = named[script].parent
        contents = self._contents_of(folder)
        if contents.with_bots or self._has_program(folder, but=named.values()):
            return None
        return contents.files

    def named(self, command: Sequence[str], *, listed: Collection[str]) -> dict[str, bytes | Path]:
        """Returns the files that the arguments of a command name; those that are `listed` come no second time."""
        return {
            f"named:{relative_name(word)}": Path(os.path.abspath(path))
            for word, path in files_named(command, self._base).items()
            if word != command[0] and word not in listed
        }

    def listed(self, names: Sequence[str], *, own: Path) -> dict[str, bytes | Path]:
        """Returns the files that a configuration lists, by the names it gives them; of a folder all in it.

        `own` is the bot's folder. Raises `BotError` for one that is not there, and for a link that leads elsewhere.
        """
        files: dict[str, bytes | Path] = {}
        for name in names:
            path = path_of(name, base=self._base)
            check_listed(path, name, own=own)
            inside = files_of(path) if path.is_dir() else None
            if inside is None:
                files[f"listed:{relative_name(name)}"] = bytes_of(path, name)
            else:
                files |= {f"listed:{relative_name(name)}/{inner}": found for inner, found in inside.items()}
        return files

    def _contents_of(self, folder: Path) -> Contents:
        if folder not in self._contents:
            self._contents[folder] = contents_of(folder)
        return self._contents[folder]

    def _has_program(self, folder: Path, *, but: Collection[Path] = ()) -> bool:
        """Returns whether a command of the configuration has a file in a folder, beside those that are left out."""
        return any(path not in but and path.is_relative_to(folder) for path in self._programs)
