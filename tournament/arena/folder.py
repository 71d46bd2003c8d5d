"""Where the files of an arena lie.

arena.yaml                  what its host set: address, database, proxies, mail; no secrets
secret.key                  signs sessions; readable for the owner only
referee.lock                held by the referee while it lives
arena.sqlite3               the database, unless a URL names another
incoming/                   uploads that are still being received
cache/                      pages that were made when somebody asked
languages/                  texts that its host corrected, a folder a language
competitions/NAME/
    competition.yaml        its rules
    acts.jsonl              every act of its hosts
    environment/            the Python of its bots, which imports the packages that they may import
    ladder.json             the standings as they are shown
    paces.json              what slow versions are told
    leads.jsonl             who led the ladder, a line for each change
    outcomes/               results in short; made anew by `rebuild`
    bots/BOT/NUMBER/        one version
        version.json        what is known of it
        upload              the file as it was handed in
        program/            the same unpacked and built
        check/              steps.json, log.txt, build.txt
    rounds/000001/          a run folder with a round.json
"""

from __future__ import annotations

import shutil
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from tournament.store import layout

SECRET_FILE: Final = "secret.key"
LOCK_FILE: Final = "referee.lock"
DATABASE_FILE: Final = "arena.sqlite3"
LEAST_FREE_SHARE: Final = 0.1
"""With less of the disk free nothing is checked or played."""

FULL_BELOW_BYTES: Final = 1 << 20
"""A database that fails while its disk has less than this free has run out of room."""

LADDER_FILE: Final = "ladder.json"

UNFINISHED: Final = ".new-"
"""How the name of the folder of a version or a round begins until all of it is there."""


def with_full_disk(said: str, *places: Path) -> str:
    """Returns what SQLite said when it failed; where one of these places lies on a full disk, that place is named.

    SQLite may only say "disk I/O error" when the disk is full: it says so clearly when its own file cannot grow, but
    not when a file that it keeps beside that one cannot.
    """
    full = [place for place in places if shutil.disk_usage(place).free < FULL_BELOW_BYTES]
    return f"{said} (the disk of {full[0]} is full: make room on it)" if full else said


class CheckFile(StrEnum):
    """A file in the folder `check` of a version."""

    STEPS = "steps.json"
    SENTENCES = "sentences.json"
    """How the sentences of the steps were made, for readers in other languages."""

    LOG = "log.txt"
    BUILD = "build.txt"


class VersionFolder(NamedTuple):
    """The folder of one version."""

    path: Path

    @property
    def upload(self) -> Path:
        """The file as it was handed in."""
        return self.path / "upload"

    @property
    def program(self) -> Path:
        """The program, unpacked and built."""
        return self.path / "program"

    @property
    def check(self) -> Path:
        """What its check found and logged."""
        return self.path / "check"

    @property
    def competition(self) -> CompetitionFolder:
        """The folder of its competition."""
        return CompetitionFolder(self.path.parents[2])


class CompetitionFolder(NamedTuple):
    """The folder of one competition."""

    path: Path

    @property
    def bots(self) -> Path:
        """All that was handed in."""
        return self.path / "bots"

    @property
    def rounds(self) -> Path:
        """All that is or was played."""
        return self.path / "rounds"

    @property
    def ladder(self) -> Path:
        """The standings as they are shown."""
        return self.path / LADDER_FILE

    @property
    def environment(self) -> Path:
        """The Python of its bots; it can be made anew."""
        return self.path / "environment"

    @property
    def outcomes(self) -> Path:
        """The results of its rounds in short."""
        return self.path / "outcomes"

    def version(self, bot: str, number: int) -> VersionFolder:
        """Returns the folder of a version."""
        return VersionFolder(self.bots / bot / str(number))

    def round(self, number: int) -> Path:
        """Returns the run folder of a round."""
        return self.rounds / f"{number:06d}"


class ArenaFolder(NamedTuple):
    """The folder of an arena."""

    path: Path

    @property
    def settings(self) -> Path:
        """What its host set."""
        return self.path / layout.ARENA_FILE

    @property
    def secret(self) -> Path:
        """What signs sessions."""
        return self.path / SECRET_FILE

    @property
    def lock(self) -> Path:
        """Held by the referee while it lives."""
        return self.path / LOCK_FILE

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.path / DATABASE_FILE

    def database_failure(self, said: str) -> str:
        """Returns what the database said when it failed, and that its disk is full where it is.

        A server has a disk of its own, and says itself when that is full.
        """
        return with_full_disk(said, self.path) if self.database.exists() else said

    @property
    def incoming(self) -> Path:
        """Uploads that are still being received."""
        return self.path / "incoming"

    @property
    def cache(self) -> Path:
        """Pages that were made when somebody asked."""
        return self.path / "cache"

    @property
    def languages(self) -> Path:
        """Catalogues of texts that the host corrected; they need not be there."""
        return self.path / "languages"

    @property
    def competitions(self) -> Path:
        """The folders of all competitions."""
        return self.path / "competitions"

    def competition(self, name: str) -> CompetitionFolder:
        """Returns the folder of a competition."""
        return CompetitionFolder(self.competitions / name)
