"""The types of `standings.json`: everything a ranking says.

No number is nan or infinite: None stands for what cannot be told from so few games. The ranking makes these structs;
what each number means is in `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct, structs

from tournament.languages import gettext, gettext_noop, pgettext, spoken
from tournament.records.figures import (
    Basis,
    Figure,
    GroupHistory,
    GroupRatings,
    Place,
    RatioTest,
    format_points,
    format_range,
    format_rating,
)
from tournament.records.record import Count
from tournament.records.run import Disqualification, Extent
from tournament.text import html_lines, html_table

FORMAT: Final = "tournament-standings"
VERSION: Final = 2


INTERIM: Final = gettext_noop("Interim, not a test: not everything has been played.")


class Rank(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where an entrant stands, and how sure that is."""

    place: Place
    """1 + entrants with more points."""

    best_rank: Place
    worst_rank: Place
    """The ranks that the claims leave open."""

    letters: str
    """Entrants sharing a letter are statistically tied; empty for all where 26 letters are not enough."""


def format_rank(rank: Rank) -> str:
    """Returns a place, and the range of ranks where more than this one is open."""
    if rank.best_rank == rank.worst_rank == rank.place:
        return str(rank.place)
    return f"{rank.place} ({format_range(rank.best_rank, rank.worst_rank)})"


class BracketSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entrant at a table of a knockout."""

    entrant: str
    points: float
    """Placement points in all games of this table together."""

    through: bool
    """Whether it went on to the next round; of the final: whether it won."""


class BracketRound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round of a knockout, over or under way."""

    tables: tuple[tuple[BracketSeat, ...], ...]
    """Each with its best seed first."""

    byes: tuple[str, ...]
    """Who goes on without playing."""

    is_over: bool


class Bracket(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What happened in a knockout, which claims nothing about strength."""

    rounds: tuple[BracketRound, ...]
    """The last one is the final, or the one under way."""

    winner: str | None
    """Also when it was disqualified afterwards; None before the end."""


class Row(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant in the standings of a group."""

    entrant: str
    rank: Rank
    points: Figure
    rating: Figure | None
    strength: Figure | None
    """The rating without a prior that ranks it; None where points do, or no chain of wins and ties connects it."""

    opposition: float | None
    """The mean rating of its opponents, each counted once a game; None without any."""

    win_share: Figure
    margin: Figure
    mean_score: float
    games: Count
    forfeits: Count
    faults: dict[str, Count]
    """By kind, over all its games."""

    withdrawn: bool = False
    """Taken out because its bot kept failing: it comes after all others, and ranks and claims are without it."""

    reached: Place | None = None
    """In a knockout: the last round it played in, or is to play in, from 1; its place follows from that."""


class Method(StrEnum):
    """How the claims allow for many comparisons at once."""

    MAX_T = "max-t"
    BONFERRONI = "Bonferroni"


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every claim that holds at 95 % for all pairs together."""

    method: Method
    critical: float
    pairs: tuple[tuple[str, str], ...]
    """Pairs (better, worse), in the order of the entrants of the estimate."""

    def holds(self, better: str, worse: str) -> bool:
        """Returns whether the first is claimed to be better than the second."""
        return (better, worse) in self.pairs


class Meeting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two entrants over the games both sat in, seen from the first; each pair of entrants once, by name."""

    entrant: str
    opponent: str
    games: Count
    wins: Count
    draws: Count
    losses: Count
    score: Figure
    """Mean of 1 for a better place, 1/2 for the same, 0 for a worse one."""

    claimed: bool
    """Whether the score differs from 1/2 at 95 % for all pairs together."""

    def flipped(self) -> Meeting:
        """Returns the meeting seen from the opponent."""
        low, high = (None if end is None else 1.0 - end for end in (self.score.high, self.score.low))
        score = structs.replace(self.score, value=1.0 - self.score.value, low=low, high=high)
        return structs.replace(
            self, entrant=self.opponent, opponent=self.entrant, wins=self.losses, losses=self.wins, score=score
        )


def meetings_by_pair(meetings: Iterable[Meeting]) -> dict[tuple[str, str], Meeting]:
    """Returns each meeting from both sides, by entrant and opponent."""
    pairs = {}
    for meeting in meetings:
        pairs[meeting.entrant, meeting.opponent] = meeting
        pairs[meeting.opponent, meeting.entrant] = meeting.flipped()
    return pairs


class SeatFigure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one seat brought, whoever sat there."""

    seat: Count
    points: Figure
    effect: Figure
    """Points minus the mean over all seats."""

    claimed: bool
    """Whether the effect differs from 0 at 95 % for all seats together."""


class EntrantSeat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant in one seat."""

    entrant: str
    seat: Count
    games: Count
    points: float | None
    """None without games."""


class Evenness(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How evenly a group was played: fewest and most games of an entrant, and of a pair of entrants."""

    fewest_games: Count
    most_games: Count
    fewest_meetings: Count | None
    most_meetings: Count | None
    """In games; None with a single entrant."""

    seats_even: bool
    """Whether every entrant sat in each seat equally often."""


class CaveatKind(StrEnum):
    """What a reader has to bear in mind."""

    TOO_FEW_DEALS = "too few deals"
    UNBALANCED_SEATS = "unbalanced seats"
    REPEATED_GAMES = "repeated games"
    ONE_OPPONENT = "one opponent"
    UNEQUAL_OPPOSITION = "unequal opposition"
    NOT_COMPARABLE = "not comparable"
    TWO_ORDERS = "two orders"
    CYCLE = "cycle"
    FORFEITS = "forfeits"


class Caveat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One caveat in a sentence, and the entrants it is about."""

    kind: CaveatKind
    text: str
    entrants: tuple[str, ...] = ()


class CleanRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant over the blocks in which nobody forfeited."""

    entrant: str
    place: Place
    points: Figure


class GroupStandings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about one group; rows come best first."""

    group: str
    game: str
    players: Place
    games: Count
    deals: Count
    basis: Basis
    """What ranks, letters and claims go by."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that are ranked together: no game joins those of one part with those of another."""

    rows: tuple[Row, ...]
    """Part by part."""

    claims: Claims | None
    """None under 10 deals: then every rank is open."""

    meetings: tuple[Meeting, ...]
    seats: tuple[SeatFigure, ...]
    entrants_by_seat: tuple[EntrantSeat, ...]
    variance_removed: float | None
    """The share of variance that the rotations removed."""

    balance: Evenness
    without_forfeits: tuple[CleanRow, ...] | None
    """None when nobody forfeited: then it would say the same."""

    caveats: tuple[Caveat, ...]
    bracket: Bracket | None = None
    """Of a knockout: then places are rounds reached, and neither ratings nor intervals nor claims are given."""


class ChampionshipRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entrant in the championship."""

    entrant: str
    rank: Rank
    points: Figure
    strength: Figure | None
    """The weighted rating that ranks it; None where points do."""

    groups: dict[str, float]
    """Points by group."""

    withdrawn: bool = False
    """As in a group."""


class ChampionshipStandings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The championship over all groups; rows come best first."""

    basis: Basis
    """What ranks, letters and claims go by: ratings as soon as one group needs them."""

    parts: tuple[tuple[str, ...], ...]
    """Entrants that are ranked together, as in groups."""

    weights: dict[str, float]
    """By game, with sum 1, of the games with a counted result."""

    uncounted: dict[str, float]
    """By game without a counted result: the share it should have had, which went to the others."""

    rows: tuple[ChampionshipRow, ...]
    claims: Claims | None
    absent: dict[str, tuple[str, ...]]
    """By entrant that is listed but not ranked: the groups in which it is missing."""


class Reason(StrEnum):
    """Why a game was left out."""

    DUPLICATE = "duplicate"
    """A game with the same digest was there already."""

    HALF_BLOCK = "half block"
    """A rotation of its block is missing, so its bots did not all hold every hand."""

    CLASH = "clash"
    """Two different games claim one rotation, or the seats are no rotation of each other."""


class LeftOut(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Games of one block that do not count, and why."""

    group: str
    block: str
    games: Count
    reason: Reason


class Standings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `standings.json`, and what `tournament standings --format json` prints."""

    format: Literal["tournament-standings"]
    version: Literal[2]
    runs: tuple[str, ...]
    interim: bool
    """A run is not complete: interim, not a test."""

    told_apart: dict[str, tuple[str, ...]]
    """By name: what its bots are called here, where one name stands for several fingerprints in a game."""

    merged: tuple[str, ...]
    """Names whose bots count as one, whatever their fingerprints."""

    without: tuple[str, ...]
    """Entrants whose tables were left out on request."""

    disqualified: tuple[Disqualification, ...] = ()
    """Entrants whose tables were left out because they were disqualified in their run."""

    extent: Extent | None = None
    """How much of the runs was planned and played; None for files of records, and a run that does not say."""

    groups: tuple[GroupStandings, ...]
    championship: ChampionshipStandings | None
    """None with one group only, where it would say the same."""

    test: RatioTest | None = None
    """Of a run with `until: sprt`."""

    ratings: tuple[GroupRatings, ...] = ()
    """Where they were asked for: the ratings of each group, and the differences of all pairs."""

    history: tuple[GroupHistory, ...] = ()
    """Where it was asked for: the course of each group."""

    left_out: tuple[LeftOut, ...]

    def _repr_html_(self) -> str:
        """Returns the tables of all groups, and of the championship, as a notebook shows them."""
        tables = [
            html_table(
                group.group,
                (*_headers(), gettext("rating"), gettext("games")),
                [
                    (*_cells(row), "" if row.rating is None else format_rating(row.rating), str(row.games))
                    for row in group.rows
                ],
                notes=[spoken(caveat.text) for caveat in group.caveats],
            )
            for group in self.groups
        ]
        if self.championship is not None:
            rows = [_cells(row) for row in self.championship.rows]
            tables.append(html_table(gettext("championship"), _headers(), rows))
        legend = gettext("Bots sharing a letter are statistically tied; brackets show the possible ranks.")
        return "".join((*tables, html_lines((gettext(INTERIM), legend) if self.interim else (legend,))))


def _headers() -> tuple[str, ...]:
    return gettext("place"), pgettext("letters", "tied"), gettext("bot"), gettext("points")


def _cells(row: Row | ChampionshipRow) -> tuple[str, ...]:
    return format_rank(row.rank), row.rank.letters, row.entrant, format_points(row.points)
