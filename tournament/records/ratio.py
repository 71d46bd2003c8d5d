"""How far the test of a run with `until: sprt` has come, as standings have it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from tournament.records.figure import Count


class Verdict(StrEnum):
    """What a likelihood ratio test says."""

    GO_ON = "go on"
    HIGHER = "higher"
    """The lead is nearer the higher of the two."""

    LOWER = "lower"
    """The lead is nearer the lower of the two."""


class RatioTest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far `until: sprt` has come; leads are of the first entrant, in placement points a block."""

    entrant: str
    opponent: str
    low: float
    high: float
    """The two leads between which it decides."""

    blocks: Count
    won: Count
    level: Count
    lost: Count
    lead: float | None
    """None before the first block."""

    elo: float | None
    """The lead in rating points, as in chess; None before the first block, and when all points went one way."""

    log_ratio: float | None
    """Of the likelihoods of the higher and of the lower lead; None before the first block."""

    lower_bound: float
    upper_bound: float
    """Where the test ends."""

    verdict: Verdict
