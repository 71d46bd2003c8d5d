"""Who is at a table: whether somebody has the link of a seat open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from threading import Condition


class Presence(StrEnum):
    """Whether somebody has the link of a seat open."""

    HERE = "here"
    AWAY = "away"
    """It was open before."""

    NOT_YET = "not yet"


class Attendance:
    """Counts the pages that are open at each seat of a person."""

    def __init__(self, people: Sequence[int], changed: Condition) -> None:
        """Takes the seats of people, and a condition that guards the counts and is notified of every change."""
        self._people = tuple(people)
        self._changed = changed
        self._pages: Counter[int] = Counter()
        """By seat; a seat whose link was never opened is missing."""

    @contextmanager
    def opened_page(self, seat: int) -> Iterator[None]:
        """Counts a page of a seat as open for as long as this lasts."""
        self._count(seat, 1)
        try:
            yield
        finally:
            self._count(seat, -1)

    def _count(self, seat: int, change: int) -> None:
        with self._changed:
            self._pages[seat] += change
            self._changed.notify_all()

    def now(self) -> dict[int, Presence]:
        """Returns who is at the table, by seat of a person."""
        with self._changed:
            return {seat: self._presence_of(seat) for seat in self._people}

    def _presence_of(self, seat: int) -> Presence:
        if seat not in self._pages:
            return Presence.NOT_YET
        return Presence.HERE if self._pages[seat] else Presence.AWAY
