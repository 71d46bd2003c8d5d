"""The types of what `tournament compare` and `tournament gate` print as JSON.

None stands for what cannot be told from so few games. What each number means is in `docs/statistics.md`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from tournament.languages import gettext, pgettext, spoken
from tournament.records.figures import Basis, Figure, Place, format_difference, format_points, format_probability
from tournament.records.record import Count
from tournament.records.standings import Meeting
from tournament.text import html_table

BOTS_FORMAT: Final = "tournament-comparison-bots"
RUNS_FORMAT: Final = "tournament-comparison-runs"
GATE_FORMAT: Final = "tournament-gate"
VERSION: Final = 2

Share = Annotated[float, Meta(ge=0, le=1)]


class Difference(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant minus another."""

    entrant: str
    opponent: str
    """Whose number is subtracted."""

    figure: Figure
    """The difference."""

    probability_better: Share | None
    """The probability that the first is the better one, for a pair that was named before anybody saw results.

    For a pair picked because of its difference it is too high. None under 10 deals.
    """


class ScopeComparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants of one ranking."""

    difference: Difference
    """The first minus the second."""

    claimed: bool
    """Whether the ranking claims the difference, in either direction, among all its pairs."""

    probability_among_all: Share | None
    """The probability that the one ahead is the better one, for a pair picked out of all after looking at results.

    None under 10 deals.
    """

    more_deals: Count | None
    """About how many more deals of the whole group would decide; 0 when claimed; None when that cannot be told."""


class Scope(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants compared over one group, or over several."""

    name: str
    """The group, or `championship`."""

    basis: Basis
    """What the difference is in: points, points at the tables at which both sat, or ratings."""

    points: tuple[Figure, Figure]
    """The points of the first and of the second; with shared tables as basis, those at these tables."""

    shared_deals: Count
    """How many deals both played at one table; over several groups the fewest."""

    comparison: ScopeComparison | None
    """What can be said of the two; None when they are not comparable."""

    entrants: Count
    """How many entrants a claim has to hold among."""


def format_scope(scope: Scope, *, basis: bool) -> tuple[str, ...]:
    """Returns the cells of a scope in a table: its name, both points, their difference, and how sure that is.

    `basis`: also what the difference is one of.
    """
    named = (_format_basis(scope.basis),) if basis else ()
    if scope.comparison is None:
        return format_ranking(scope.name), *map(format_points, scope.points), "", *named, "", "", "", ""
    difference = scope.comparison.difference
    return (
        format_ranking(scope.name),
        *map(format_points, scope.points),
        format_difference(difference.figure, scope.basis),
        *named,
        format_probability(difference.probability_better),
        format_probability(scope.comparison.probability_among_all),
        format_truth(scope.comparison.claimed),
        str(difference.figure.deals),
    )


def format_ranking(name: str) -> str:
    """Returns the name of a group as it is, and `championship` in the present language."""
    return gettext("championship") if name == "championship" else name


def format_truth(is_so: bool) -> str:
    """Returns `yes` or `no`."""
    return gettext("yes") if is_so else gettext("no")


def _format_basis(basis: Basis) -> str:
    return {
        Basis.POINTS: gettext("points"),
        Basis.RATINGS: gettext("ratings"),
        Basis.ROUNDS: gettext("rounds"),
        Basis.SHARED_TABLES: gettext("shared tables"),
        Basis.NONE: gettext("not comparable"),
    }[basis]


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


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """That of each group, and where there are several that of all together."""
        return (*(group.scope for group in self.groups), *((self.overall,) if len(self.groups) > 1 else ()))

    def _repr_html_(self) -> str:
        """Returns the comparison as a notebook shows it."""
        first, second = self.entrants
        headers = (
            *(gettext("group"), first, second, gettext("difference"), pgettext("heading of a table", "basis")),
            *(gettext("{bot} better, this pair", bot=first), gettext("all pairs")),
            *(pgettext("heading of a table", "claimed"), gettext("deals")),
        )
        return html_table(
            gettext("{first} and {second}", first=first, second=second),
            headers,
            [format_scope(scope, basis=True) for scope in self.scopes],
            notes=[spoken(note) for note in self.notes],
        )


class PlaceRange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where an entrant stands among those that are in both rankings, and which ranks the claims leave open."""

    place: Place
    best_rank: Place
    worst_rank: Place
    withdrawn: bool = False
    """Taken out because its bot kept failing: it comes after all others, and takes no place from them."""


class ChangeVerdict(StrEnum):
    """What a change of points is."""

    LUCK = "luck"
    """No more than luck explains, at 95 % for all entrants together."""

    BETTER = "better"
    """The bot changed, and it has more points."""

    WORSE = "worse"
    """The bot changed, and it has fewer points."""

    OTHERS = "others"
    """The bot is the same, and others changed: they moved its points."""

    OPPOSITION = "opposition"
    """It met other opponents, or the same in other shares: that alone moves points and says nothing of the bot."""

    UNEXPLAINED = "unexplained"
    """No bot changed, and yet the change is more than luck explains."""


class Change(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant in two rankings."""

    entrant: str
    before: PlaceRange
    """In the ranking before."""

    after: PlaceRange
    """In the ranking after."""

    difference: Figure
    """Points after minus points before."""

    same_bot: bool
    """Whether its fingerprints are the same in both."""

    verdict: ChangeVerdict
    """What explains the difference."""


class RankingChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two rankings side by side."""

    changes: tuple[Change, ...]
    """Best first, as in the ranking after."""

    changed: tuple[str, ...]
    """The entrants whose bot changed."""

    only_before: tuple[str, ...]
    """The entrants in the first ranking only; then a change may come from meeting another field."""

    only_after: tuple[str, ...]
    """The entrants in the second ranking only; the same holds."""


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
    """By group, and for the championship where all its groups can be compared."""

    not_compared: dict[str, str]
    """By group, or for the championship: why it is not compared."""


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
    """Whether the new bot may take the place of the old one."""

    new: str
    """The bot that wants in."""

    old: str
    """The bot it has to beat."""

    overall: Scope
    """The two over all groups that both played."""

    superior: Share
    """The probability of being better that the gate requires."""

    games: Count
    """Of the new bot."""

    faults: Count
    """Of the new bot."""

    max_faults: Share
    """The share of its games that may have faults."""

    failures: tuple[str, ...]
    """Why it did not pass, a sentence each; empty when it did."""
