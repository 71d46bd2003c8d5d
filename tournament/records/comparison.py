"""The types of what `tournament compare` and `tournament gate` print as JSON.

What cannot be told from so few games is None. What each number means is in `docs/statistics.md`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from tournament.records.standings import Count, Figure, Meeting, Place

BOTS_FORMAT: Final = "tournament-comparison-bots"
RUNS_FORMAT: Final = "tournament-comparison-runs"
GATE_FORMAT: Final = "tournament-gate"
VERSION: Final = 2

Share = Annotated[float, Meta(ge=0, le=1)]
Tau = Annotated[float, Meta(ge=-1, le=1)]


class Difference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant minus another."""

    entrant: str
    opponent: str
    """Whose number is taken away."""

    figure: Figure
    """The difference."""

    probability_better: Share | None
    """That the first is the better one; None under 10 deals."""


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants of one ranking."""

    difference: Difference
    """The first minus the second."""

    claimed: bool
    """Whether the ranking claims it, either way, among all its pairs."""

    more_deals: Count | None
    """About how many more deals of the whole group would decide; 0 when claimed; None when that cannot be told."""


class Scope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants compared over one group, or over several."""

    name: str
    """The group, or `championship`."""

    points: tuple[Figure, Figure]
    """Of the first and of the second."""

    comparison: Comparison
    """What can be said of the two."""

    entrants: Count
    """Among so many entrants a claim has to hold."""


class SeatPair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What two entrants got in one seat; None without games there."""

    seat: Count
    points: tuple[Share | None, Share | None]
    """Of the first and of the second."""


class OpponentPair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How two entrants did against one opponent; None where they did not meet it."""

    opponent: str
    """Whom they met."""

    scores: tuple[Figure | None, Figure | None]
    """Of the first and of the second, head to head."""


class GroupPair(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants in one group."""

    scope: Scope
    """Over all games of the group."""

    meeting: Meeting | None
    """None when they never sat at one table."""

    seats: tuple[SeatPair, ...]
    """Seat by seat."""

    opponents: tuple[OpponentPair, ...]
    """Against everybody else."""


class BotComparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of what `tournament compare RUN --bots A B --json` prints."""

    format: Literal["tournament-comparison-bots"]
    version: Literal[2]
    runs: tuple[str, ...]
    """The names of the runs that are pooled."""

    interim: bool
    """A run is not complete: interim, not a test."""

    notes: tuple[str, ...]
    """What the runs say of themselves: stopped early, entrants withdrawn, blocks that could not be played."""

    entrants: tuple[str, str]
    """Who is compared."""

    overall: Scope
    """Over all groups that both played, weighted as in the championship."""

    groups: tuple[GroupPair, ...]
    """Group by group."""


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant in two rankings; places count only the entrants that are in both."""

    entrant: str
    place_before: Place
    """In the ranking before."""

    place_after: Place
    """In the ranking after."""

    difference: Figure
    """After minus before."""

    real: bool
    """Whether the number changed at 95 % for all entrants together; otherwise it is noise."""


class Agreement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kendall's tau of two orders: 1 the same, -1 reversed; equal numbers agree with neither."""

    tau: Tau
    """Of the two orders as they are."""

    low: Tau | None
    """The least of the middle 95 % of tau given the errors of both rankings; None under 10 deals."""

    high: Tau | None
    """The most of them."""


class RankingChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two rankings side by side."""

    changes: tuple[Change, ...]
    """Best first, as in the ranking after."""

    only_before: tuple[str, ...]
    """Who is in the ranking before only; then a change may come from meeting another field."""

    only_after: tuple[str, ...]
    """Who is in the ranking after only; the same holds."""

    agreement: Agreement | None
    """None with fewer than two entrants in both."""


class RunComparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of what `tournament compare RUN RUN2 --json` prints."""

    format: Literal["tournament-comparison-runs"]
    version: Literal[2]
    before: tuple[str, ...]
    """The name of the first run."""

    after: tuple[str, ...]
    """The name of the second run."""

    interim: bool
    """A run is not complete: interim, not a test."""

    notes: tuple[str, ...]
    """What the runs say of themselves: stopped early, entrants withdrawn, blocks that could not be played."""

    changes: dict[str, RankingChange]
    """By group, and of the championship where both have the same groups."""


class Gate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of what `tournament gate --json` prints: whether a new bot may take the place of an old one."""

    format: Literal["tournament-gate"]
    version: Literal[2]
    runs: tuple[str, ...]
    """The names of the runs that are pooled."""

    interim: bool
    """A run is not complete; then the gate is not passed."""

    notes: tuple[str, ...]
    """What the runs say of themselves: stopped early, entrants withdrawn, blocks that could not be played."""

    passed: bool
    """Whether the new bot may pass."""

    new: str
    """The bot that wants in."""

    old: str
    """The bot it has to beat."""

    overall: Scope
    """The two over all groups that both played."""

    superior: Share
    """The probability of being better that is asked for."""

    games: Count
    """Of the new bot."""

    faults: Count
    """Of the new bot."""

    max_faults: Share
    """Share of its games that is allowed."""

    failures: tuple[str, ...]
    """Why not, as sentences; none when the gate is passed."""
