"""What the arena refuses to do for somebody: a sentence for the person, a kind for programs."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from tournament.errors import RunError, TournamentError


class RefusalKind(StrEnum):
    """Why the arena refuses; programs read it, and pages choose by it how they answer."""

    UNKNOWN = "unknown"
    """There is no such thing, or not for whoever asks."""

    NOT_LOGGED_IN = "not logged in"
    """Nobody asks, or with a token that does not hold."""

    NOT_ALLOWED = "not allowed"
    WRONG = "wrong"
    """Something given is not as it has to be."""

    TAKEN = "taken"
    """A name that somebody has."""

    STATE = "state"
    """Not now: the competition, the version or the round is in no state for it."""

    QUOTA = "quota"
    """Used up, or asked too often; often with the time from which on it is possible again."""

    TOO_LARGE = "too large"


STATUS: Final[dict[RefusalKind, int]] = {
    RefusalKind.UNKNOWN: 404,
    RefusalKind.NOT_LOGGED_IN: 401,
    RefusalKind.NOT_ALLOWED: 403,
    RefusalKind.WRONG: 422,
    RefusalKind.TAKEN: 409,
    RefusalKind.STATE: 409,
    RefusalKind.QUOTA: 429,
    RefusalKind.TOO_LARGE: 413,
}
"""How HTTP says the same."""


class RefusedError(TournamentError):
    """The arena does not do what somebody asked for; its text is for that person, and ends in what to do."""

    exit_code = RunError.exit_code

    def __init__(self, kind: RefusalKind, text: str, *, free_at: datetime | None = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.free_at = free_at
        """From when on it is possible, where that is known."""

    @property
    def status(self) -> int:
        """The status of the answer in HTTP."""
        return STATUS[self.kind]
