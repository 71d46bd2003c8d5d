"""The types of `run.json`: what a run plays, with whom, and how far it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from tournament.records.record import Count, GameName, Hex256, Name, Positive
from tournament.records.settings import KEEP_ALL, AnyWithdrawalRule, Isolation, Limits, TimeControl
from tournament.text import format_count

FORMAT: Final = "tournament-run"
VERSION: Final = 1


class RunState(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    """Stopped by an error that was not a bot's."""

    COMPLETE = "complete"


class BotInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot an entrant plays a game with."""

    game: GameName
    spec: str
    """As the configuration names it."""

    version: Annotated[str, Meta(max_length=64)]
    fingerprint: Hex256
    params: dict[str, Any]


class EntrantInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who takes part."""

    name: Name
    bots: tuple[BotInfo, ...]
    """One a game; empty for an entrant that plays none of this run."""


class GroupInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with a number of players and its options, and who plays it."""

    name: str
    game: GameName
    players: Positive
    rules_version: Positive
    options: dict[str, Any]
    entrants: tuple[Name, ...]


class Format(StrEnum):
    """How tables are made up."""

    ROUND_ROBIN = "round-robin"
    """Everybody meets everybody: every table equally often, or a balanced sample of the tables."""

    GAUNTLET = "gauntlet"
    """Each table has one of the focus bots, and the rest of the field in turn."""

    KNOCKOUT = "knockout"
    """Rounds of tables whose best go on."""


class Field(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A group in a segment: who takes part in it, and how much is played."""

    group: str
    players: Positive
    entrants: tuple[Name, ...]
    """In a knockout the best seed comes first."""

    blocks: Count
    """How many blocks are scheduled; for a knockout without extra blocks for ties."""

    focus: tuple[Name, ...] = ()
    """In a gauntlet: the entrants of whom each table has one."""


class GapReason(StrEnum):
    """Why planned games were not played."""

    VOID = "void"
    """They killed the workers that played them."""

    DECIDED = "decided"
    """The run ended early, because its `until` was decided."""

    CHANGED = "bot changed"
    """The segment was closed early, because a bot was changed; the next one has the rest."""

    WITHDRAWN = "withdrawn"
    """An entrant was withdrawn, in a run that replaces no blocks."""

    TOO_FEW_ENTRANTS = "too few entrants"
    """Too few entrants are left for a table."""

    SUITE_TOO_SHORT = "suite too short"
    """The deal suite has no more deals."""

    NO_WHOLE_CHUNK = "no whole chunk"
    """They are fewer than the shortest stretch in which all entrants that are left sit equally often."""


class Gap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Planned games of a group that were not played, and no others in their place."""

    group: str
    games: Positive
    why: GapReason


class Extent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much was planned and played, in games."""

    planned: Count
    """By the schedule; for a knockout without extra games for ties."""

    played: Count
    in_place: Count = 0
    """How many of those played stand in for games with a withdrawn entrant."""

    left_out: tuple[Gap, ...] = ()
    """What was planned and is missing; empty while it may still be played."""


class ClusterPlay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the workers of a cluster did for a segment; a run that went on later has the sums."""

    workers: Count
    """How many played a block or more; one that came again at another address, or after a resumption, counts again."""

    lost_workers: Count
    """How many went while the run played."""

    lost_blocks: Count
    """How often a block went with its worker, so that it was played again or is void."""


def format_cluster_play(play: ClusterPlay) -> str:
    """Returns what a cluster did as words: `3 workers of a cluster; none was lost`."""
    workers = f"{format_count(play.workers, 'worker')} of a cluster"
    if not play.lost_workers and not play.lost_blocks:
        return f"{workers}; none was lost"
    lost, blocks = format_count(play.lost_workers, "worker"), format_count(play.lost_blocks, "block")
    return f"{workers}; lost on the way: {lost}, and {blocks} that had to be played again"


class SegmentInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a run with a master seed of its own, which with these fields gives every block."""

    number: Count
    format: Format
    fields: tuple[Field, ...]
    blocks: Count
    """How many blocks its schedule has."""

    games: Count
    final: bool = False
    """A final among those who may be first: ranked alone, because its entrants met only each other."""

    deals: Count | None = None
    """Blocks a table in each round of a knockout."""

    ended_after: Count | None = None
    """How many blocks of its schedule count, where it was closed early because a bot was changed."""

    commitment: Hex256 | None = None
    """SHA-256 of salt and master, published before the first game; a segment on a deal suite has none."""

    salt: Hex256 | None = None
    """Published on completion."""

    master: str | None = None
    """Published on completion."""

    suite: str | None = None
    """The deal suite that the deals come from, in place of a master."""

    suite_digest: Hex256 | None = None
    """SHA-256 of the seeds of that suite, as `Suite.digest` gives it."""

    suite_deals: Count | None = None
    """How many deals that suite has for each group."""

    extent: Extent | None = None
    """Written on completion of the run."""

    cluster: ClusterPlay | None = None
    """None where no cluster played; written when the run ends, is interrupted or fails."""


class Spread(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The least and the most of some counts."""

    least: Count
    most: Count


class Balance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How evenly a group was played; all counts are of blocks."""

    group: str
    blocks: Count
    appearances: dict[Name, Count]
    pairs: Spread
    """How often two entrants met."""

    seats: Spread
    """How often an entrant sat in a seat; in a gauntlet, in the field."""

    successors: Spread
    """How often one entrant played right after another."""


class Withdrawal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entrant that was taken out: no later block with it is played."""

    entrant: Name
    after: str
    """The block at whose end that was decided."""

    why: str


class Until(StrEnum):
    """What ends a run before its budget does; it is checked after every chunk of the schedule."""

    DECIDED = "decided"
    """Somebody is first beyond doubt."""

    ALL_PAIRS = "all pairs"
    """The order of every pair is beyond doubt."""

    SPRT = "sprt"
    """Whether the first of the run's two entrants leads by the lower or by the higher of two bounds."""


Lead = Annotated[float, Meta(ge=-1, le=1)]


class Bounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `until: sprt` tells apart: leads of the first entrant, in placement points a block."""

    low: Lead = 0.0
    """The lead of a bot that is no better."""

    high: Lead = 0.05
    """More than `low`; the nearer the two, the more blocks it takes."""


class Continuation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Versions with which a run was continued that differ from those before."""

    versions: dict[str, str]
    """The versions of tournament and python."""

    games: Count
    """How many games had been played before."""


def format_versions(versions: dict[str, str]) -> str:
    """Returns versions as words: `tournament 0.1.0 and python 3.11.2`."""
    return " and ".join(f"{name} {version}" for name, version in versions.items())


class DecisionInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a run with `until` ended."""

    decided: bool
    """False: the budget was spent before."""

    after: str
    """The last block that counted."""

    text: str


class Disqualification(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entrant that was taken out afterwards: no block with it counts."""

    entrant: Name
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class VoidBlock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block that could not be played and is left out."""

    block: str
    why: str


class RunInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `run.json`."""

    format: Literal["tournament-run"]
    version: Literal[1]
    name: Name
    state: RunState
    schedule: Format
    budget: dict[str, int | float]
    """As the configuration has it: deals, games or minutes."""

    isolation: Isolation
    clock: TimeControl | None = None
    limits: Limits | None = None
    workers: Count
    keep: str = KEEP_ALL
    """Which records are kept; every game has a result."""

    compress: bool = False
    base: str | None = None
    """Where the relative paths of the configuration start, seen from this folder; None: with the package."""

    groups: tuple[GroupInfo, ...]
    entrants: tuple[EntrantInfo, ...]
    segments: Annotated[tuple[SegmentInfo, ...], Meta(min_length=1)]
    weights: dict[GameName, float]
    """The share of each game in the championship."""

    versions: dict[str, str]
    """The versions of tournament and python that played, up to the first of `continued`."""

    continued: tuple[Continuation, ...] = ()
    """Where it was continued with other versions, in order."""

    until: Until | None = None
    bounds: Bounds | None = None
    """Of `until: sprt`."""

    finding_version: Annotated[int, Meta(ge=1, le=2)] = 1
    """The version of the rules by which bots are found, named and fingerprinted; 1: those of tournament 0.1.0."""

    decision: DecisionInfo | None = None
    withdraw: AnyWithdrawalRule | None = None
    """Who is withdrawn. None in runs of 0.1.0: there the default rule holds, and no blocks are replaced."""

    replaced: dict[Name, Name] = {}
    """Entrants of the configuration whose bot was changed during the run, and the entrant it plays as now."""

    withdrawn: tuple[Withdrawal, ...] = ()
    disqualified: tuple[Disqualification, ...] = ()
    void: tuple[VoidBlock, ...] = ()
    balance: tuple[Balance, ...] = ()
    """Of the blocks that were played; written on completion."""

    started: str
    """UTC, ISO 8601."""

    finished: str | None = None
    public: bool = False
    """A public copy, without times, tracebacks and what bots printed."""
