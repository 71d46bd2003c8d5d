"""The states of competitions, versions and rounds, and which of them may follow which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from tournament.languages import gettext, gettext_noop


class CompetitionState(StrEnum):
    """How far a competition is."""

    DRAFT = "draft"
    """Only its host sees it."""

    OPEN = "open"
    """Versions are taken, and rounds are played."""

    PAUSED = "paused"
    """Versions are taken, and nothing is played."""

    FROZEN = "frozen"
    """No versions are taken; what was received before is checked and takes part, and the final is played."""

    CLOSED = "closed"
    """Over: it can be looked at."""


class VersionState(StrEnum):
    """What became of a program that was handed in."""

    RECEIVED = gettext_noop("received")
    """Waits for its check."""

    CHECKING = gettext_noop("checking")
    ACCEPTED = "accepted"
    """Passed its check, and is about to become the active version of its bot."""

    REFUSED = "refused"
    """Could not be unpacked or built, or did not pass its check."""

    ACTIVE = "active"
    """Plays for its bot."""

    RETIRED = "retired"
    """Another version of the bot plays."""

    PARKED = "parked"
    """Withdrawn in two rounds: it plays again when an owner says so."""

    DISQUALIFIED = "disqualified"
    """Taken out by a host: its games count for nothing."""


class RoundState(StrEnum):
    """How far a round is."""

    PLANNED = "planned"
    PLAYING = gettext_noop("playing")
    INTERRUPTED = "interrupted"
    """Stopped on the way: it goes on from there."""

    COMPLETE = "complete"
    ABANDONED = "abandoned"
    """Cannot be played to its end: it stays listed with its commitment, and counts for nothing."""


COMPETITION_TRANSITIONS: Final[Mapping[CompetitionState, frozenset[CompetitionState]]] = {
    CompetitionState.DRAFT: frozenset({CompetitionState.OPEN}),
    CompetitionState.OPEN: frozenset({CompetitionState.PAUSED, CompetitionState.FROZEN, CompetitionState.CLOSED}),
    CompetitionState.PAUSED: frozenset({CompetitionState.OPEN, CompetitionState.FROZEN, CompetitionState.CLOSED}),
    CompetitionState.FROZEN: frozenset({CompetitionState.OPEN, CompetitionState.CLOSED}),
    CompetitionState.CLOSED: frozenset(),
}

VERSION_TRANSITIONS: Final[Mapping[VersionState, frozenset[VersionState]]] = {
    # refused: its owner has left, and the program with them
    VersionState.RECEIVED: frozenset({VersionState.CHECKING, VersionState.REFUSED, VersionState.DISQUALIFIED}),
    # back to received: the machine failed, not the program
    VersionState.CHECKING: frozenset(
        {VersionState.ACCEPTED, VersionState.REFUSED, VersionState.RECEIVED, VersionState.DISQUALIFIED}
    ),
    VersionState.ACCEPTED: frozenset({VersionState.ACTIVE, VersionState.RETIRED, VersionState.DISQUALIFIED}),
    # again: a host lets the program be checked once more
    VersionState.REFUSED: frozenset({VersionState.RECEIVED, VersionState.DISQUALIFIED}),
    VersionState.ACTIVE: frozenset({VersionState.RETIRED, VersionState.PARKED, VersionState.DISQUALIFIED}),
    VersionState.RETIRED: frozenset({VersionState.ACTIVE, VersionState.DISQUALIFIED}),
    VersionState.PARKED: frozenset({VersionState.ACTIVE, VersionState.RETIRED, VersionState.DISQUALIFIED}),
    # back to where it was, which for a version that played is retired
    VersionState.DISQUALIFIED: frozenset({VersionState.RETIRED, VersionState.REFUSED, VersionState.RECEIVED}),
}

ROUND_TRANSITIONS: Final[Mapping[RoundState, frozenset[RoundState]]] = {
    RoundState.PLANNED: frozenset({RoundState.PLAYING, RoundState.ABANDONED}),
    RoundState.PLAYING: frozenset({RoundState.INTERRUPTED, RoundState.COMPLETE, RoundState.ABANDONED}),
    RoundState.INTERRUPTED: frozenset({RoundState.PLAYING, RoundState.ABANDONED}),
    RoundState.COMPLETE: frozenset(),
    RoundState.ABANDONED: frozenset(),
}

PLAYS: Final = frozenset({VersionState.ACTIVE})
"""The states in which a version sits at tables of the ladder."""

HAVE_PLAYED: Final = (VersionState.ACTIVE, VersionState.RETIRED, VersionState.PARKED, VersionState.DISQUALIFIED)
"""The states of versions that everybody may see; the others are for their owners."""

State = TypeVar("State", CompetitionState, VersionState, RoundState)


def may_follow(table: Mapping[State, frozenset[State]], before: State, after: State) -> bool:
    """Returns whether a state may follow another by its table."""
    return after in table[before]


def state_word(state: str) -> str:
    """Returns the state of a competition, a version or a round, or the kind of a round, in the reader's language."""
    words = {
        "draft": gettext("draft"),
        "open": gettext("open"),
        "paused": gettext("paused"),
        "frozen": gettext("frozen"),
        "closed": gettext("closed"),
        "received": gettext("waits for its check"),
        "checking": gettext("is being checked"),
        "accepted": gettext("accepted"),
        "refused": gettext("refused"),
        "active": gettext("active"),
        "retired": gettext("retired"),
        "parked": gettext("parked"),
        "disqualified": gettext("disqualified"),
        "planned": gettext("planned"),
        "playing": gettext("being played"),
        "interrupted": gettext("interrupted"),
        "complete": gettext("complete"),
        "abandoned": gettext("abandoned"),
        "placement": gettext("placement"),
        "ladder": gettext("ladder"),
        "challenge": gettext("challenge"),
        "final": gettext("final"),
    }
    return words.get(state, state)
