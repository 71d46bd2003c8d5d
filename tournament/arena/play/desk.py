"""What all parts of the referee share: its folder, its clocks, what it says, and the trouble that hosts are told of."""

from __future__ import annotations

import shutil
import time
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import IntegrityError

from tournament.arena.folder import LEAST_FREE_SHARE, ArenaFolder
from tournament.arena.models import CompetitionRow, Trouble
from tournament.errors import TournamentError

TROUBLE_CHARACTERS: Final = 2000
SAID_AGAIN_AFTER: Final = 3600.0
"""Seconds after which the same trouble is told again."""

KEPT_DAYS: Final = 60
"""So long are troubles kept."""


def told_of(error: Exception) -> str:
    """Returns what a host is told of an error: its text, and of a mistake of this program where that is."""
    if isinstance(error, TournamentError | OSError):
        return str(error)
    return f"a mistake of this program; report it. {''.join(traceback.format_exception(error))}"


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass
class Desk:
    """What all parts of the referee share."""

    folder: ArenaFolder
    say: Callable[[str], object]
    """Is told what a host at a terminal should know."""

    cluster: str | None = None
    """The address of a Dask scheduler that plays ladder and final in place of this machine."""

    now: Callable[[], datetime] = _utc_now
    steady: Callable[[], float] = time.monotonic
    """Seconds that only go on, whatever happens to the clock."""

    free_share: Callable[[], float] | None = None
    """The share of the disk that is free; None: as the disk says."""

    kept: tuple[int, ...] = ()
    """Descriptors that every process of the referee holds: the lock."""

    patience_seconds: float = 5.0
    """How long the first wait after a failure is; each further one is twice as long."""

    _said: dict[tuple[int | None, str], float] = field(default_factory=dict)
    _untold: deque[Trouble] = field(default_factory=deque)
    """What the database has not taken yet, the oldest first."""

    def trouble(self, text: str, *, competition: CompetitionRow | None = None) -> None:
        """Tells hosts and terminal of something that went wrong on the machine, at most once an hour.

        Raises `DatabaseError` where the database cannot take it, as when the disk is full: `tell_hosts` does it later.
        """
        text = text[:TROUBLE_CHARACTERS]
        key = (None if competition is None else competition.pk, text)
        last = self._said.get(key)
        if last is not None and self.steady() < last + SAID_AGAIN_AFTER:
            return
        self._said[key] = self.steady()
        self.say(text if competition is None else f"{competition.name}: {text}")
        self._untold.append(Trouble(competition=competition, at=self.now(), text=text))
        self.tell_hosts()

    def tell_hosts(self) -> None:
        """Writes the troubles that the database has not taken yet. Raises `DatabaseError`."""
        if not self._untold:
            return
        while self._untold:
            with suppress(IntegrityError):  # of a competition that is no more
                self._untold[0].save(force_insert=True)
            self._untold.popleft()
        Trouble.objects.filter(at__lt=self.now() - timedelta(days=KEPT_DAYS)).delete()

    def has_room(self) -> bool:
        """Returns whether enough of the disk is free to play; trouble is told where it is not."""
        if self.free_share is None:
            usage = shutil.disk_usage(self.folder.path)
            share = usage.free / usage.total
        else:
            share = self.free_share()
        if share >= LEAST_FREE_SHARE:
            return True
        self.trouble(
            f"Less than {100 * LEAST_FREE_SHARE:.0f} % of the disk is free, so nothing is checked or played until "
            "there is more: delete what is not needed, or move the arena to a larger disk."
        )
        return False

    def wait_after(self, failures: int) -> float:
        """Returns how many seconds to wait after so many failures in a row: at most ten minutes."""
        seconds: float = self.patience_seconds * 2 ** min(failures - 1, 10)
        return min(600.0, seconds)
