"""What was lost when a run was mended, and what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple, TypeAlias

from tournament.records.results import RESULTS_FILE


class Dropped(NamedTuple):
    """What was cut off at the end of a file: it is played again."""

    path: Path
    lines: int
    bytes: int

    def __str__(self) -> str:
        """Returns it as a sentence."""
        what = "results" if self.path.name == RESULTS_FILE else "records"
        return (
            f"Dropped the end of the {what}, behind the last block that is whole in every file ({self.lines} whole "
            f"{what}, {self.bytes:,} bytes): it is played again."
        )


class LostRecords(NamedTuple):
    """Games whose results were there without their records: the results are dropped, the games played again."""

    games: int
    first: str

    def __str__(self) -> str:
        """Returns it as a sentence."""
        return (
            f"Of {self.games} games, from {self.first} on, the results were there and not the whole records: "
            "their results are dropped, too, and they are played again on the same deals."
        )


class LostLines(NamedTuple):
    """Lines that a file beside the records should have and has not: nothing can bring them back."""

    path: Path
    what: str
    lines: int

    def __str__(self) -> str:
        """Returns it as a sentence."""
        return f"{self.path} has lost {self.what} ({self.lines} lines); no game and no standing depends on them."


Mended: TypeAlias = Dropped | LostRecords | LostLines
