"""How bots are hosted, which records are kept, and who is withdrawn: as a person writes it, and as a run has it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from tournament.games.contract import END_OF_TEXT
from tournament.records.record import Count, Positive


class Isolation(StrEnum):
    """What keeps bots apart from the tournament and from each other."""

    NONE = "none"
    """Objects in the process of the tournament: nothing is enforced."""

    PROCESS = "process"
    """A child process a bot, with limits: stops accidents."""

    SANDBOX = "sandbox"
    """The same inside bubblewrap: stops malice."""


class TimeControl(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The time bots have, in milliseconds."""

    move_ms: Positive = 1000
    """Free for each move."""

    bank_ms: Count = 10_000
    """For each game: what moves take beyond `move_ms`."""

    start_ms: Positive = 10_000
    """From the start of a process to its `ready`."""

    newgame_ms: Positive = 3000
    """For the beginning of each game."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the process of a bot may use."""

    memory_mb: Annotated[int, Meta(ge=16)] = 512
    stderr_bytes: Positive = 1_048_576
    """In one game."""

    open_files: Annotated[int, Meta(ge=16)] = 64
    file_mb: Positive = 8
    """The longest file it may write; in a sandbox all its files together get four times that."""

    processes: Positive = 48
    """Processes and threads."""


class ClockEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """`clock:` of a configuration or of one bot; what is left out stays as it is."""

    move_ms: Positive | None = None
    """Milliseconds free for each move; default: 1000."""

    bank_ms: Count | None = None
    """Milliseconds for each game: what moves take beyond `move_ms`; default: 10000."""

    start_ms: Positive | None = None
    """Milliseconds from the start of a process to its `ready`; default: 10000."""

    newgame_ms: Positive | None = None
    """Milliseconds for the beginning of each game; default: 3000."""


class LimitsEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """`limits:` of a configuration or of one bot; what is left out stays as it is."""

    memory_mb: Annotated[int, Meta(ge=16)] | None = None
    """The memory of its process; more is the fault `memory`; default: 512."""

    stderr_bytes: Positive | None = None
    """What it may write to stderr in one game; more is the fault `flood`; default: 1048576."""

    open_files: Annotated[int, Meta(ge=16)] | None = None
    """Files open at once; default: 64."""

    file_mb: Positive | None = None
    """The longest file it may write; default: 8."""

    processes: Positive | None = None
    """Processes and threads; default: 48."""


class Hosting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the bots of a run are hosted, unless the entry of a bot says otherwise."""

    isolation: Isolation = Isolation.PROCESS
    clock: TimeControl = TimeControl()
    limits: Limits = Limits()
    trace: tuple[str, ...] = ()
    """The entrants of whom every line sent and received is kept."""


Setting = TypeVar("Setting", TimeControl, Limits)


def with_entry(setting: Setting, entry: ClockEntry | LimitsEntry | None) -> Setting:
    """Returns a setting with what an entry says in place of its own values."""
    if entry is None:
        return setting
    given = {name: value for name in entry.__struct_fields__ if (value := getattr(entry, name)) is not None}
    return msgspec.structs.replace(setting, **given)


KEEP_ALL: Final = "all"
KEEP_NONE: Final = "none"
_SAMPLE: Final = "sample:"
KEEP_PATTERN: Final = r"^(all|faults|none|sample:[0-9]{1,2}(\.[0-9]{1,4})?%)" + END_OF_TEXT


def is_kept(keep: str, *, record_id: str, has_faults: bool) -> bool:
    """Returns whether the record of a game is kept; which are sampled depends on their ids alone.

    `keep` is `all`, `faults`, `sample:1%` (that share of all) or `none`.
    """
    if keep in (KEEP_ALL, KEEP_NONE):
        return keep == KEEP_ALL
    if keep == "faults":
        return has_faults
    percent = sampled_percent(keep)
    assert percent is not None, "a sample is what is left"
    from hashlib import sha256  # every process of a bot imports this module, and needs no digests

    return int.from_bytes(sha256(record_id.encode()).digest()[:8]) % 1_000_000 < round(percent * 10_000)


def sampled_percent(keep: str) -> float | None:
    """Returns the percentage of the games whose records are kept; None where `keep` asks for no sample."""
    return float(keep.removeprefix(_SAMPLE).removesuffix("%")) if keep.startswith(_SAMPLE) else None


def is_keep(text: str) -> bool:
    """Returns whether a text says which records to keep."""
    return re.match(KEEP_PATTERN, text) is not None


NEVER: Final = "never"

_PER_CENT: Final = r"^(100|[0-9]{1,2}(\.[0-9]{1,4})?) ?%" + END_OF_TEXT

Starts = Annotated[int, Meta(ge=1)]
Games = Annotated[int, Meta(ge=0)]


class WithdrawalRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is withdrawn: by starts, or by games and share together."""

    starts: Starts = 2
    """An entrant that fails to start in this many games in a row."""

    games: Games = 3
    """An entrant with faults in more games than this, and in a larger share of its games than `share`."""

    share: Annotated[float, Meta(ge=0, le=1)] = 0.01
    """A share of all games of the entrant."""


class WithdrawalEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who is withdrawn because its bot keeps failing; what is left out takes its default."""

    starts: Starts | None = None
    """An entrant that fails to start in this many games in a row; default: 2."""

    games: Games | None = None
    """An entrant with faults in more games than this, and in a larger share of its games than `share`; default: 3."""

    share: (
        Annotated[str, Meta(pattern=_PER_CENT, description="a share such as 1 %")]
        | Annotated[float, Meta(ge=0, le=1)]
        | None
    ) = None
    """A share of all games of the entrant; default: 1 %."""


AnyWithdrawalRule = WithdrawalRule | Literal["never"]
"""`never`: nobody is withdrawn, however often it fails."""

AnyWithdrawalEntry = WithdrawalEntry | Literal["never"]


def rule_from_entry(entry: AnyWithdrawalEntry | None) -> AnyWithdrawalRule:
    """Returns the rule that an entry of a configuration asks for."""
    if entry is None:
        return WithdrawalRule()
    if isinstance(entry, str):
        return NEVER
    given = msgspec.to_builtins(entry)
    if isinstance(entry.share, str):
        given["share"] = float(entry.share.removesuffix("%")) / 100
    return WithdrawalRule(**given)


def format_withdrawal_rule(rule: AnyWithdrawalRule) -> str:
    """Returns a rule as a sentence."""
    if isinstance(rule, str):
        return "Nobody is withdrawn, however often it fails."
    return (
        f"A bot is withdrawn if it fails to start in {rule.starts} games in a row, or has faults in more than "
        f"{rule.games} games and {100 * rule.share:g} % of its games."
    )
