"""How bots are hosted: isolation, time and limits, as a configuration writes them and as a run holds them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

Positive = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]


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
    bank_ms: Count | None = None
    start_ms: Positive | None = None
    newgame_ms: Positive | None = None


class LimitsEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """`limits:` of a configuration or of one bot; what is left out stays as it is."""

    memory_mb: Annotated[int, Meta(ge=16)] | None = None
    stderr_bytes: Positive | None = None
    open_files: Annotated[int, Meta(ge=16)] | None = None
    file_mb: Positive | None = None
    processes: Positive | None = None


class Hosting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the bots of a run are hosted where they do not say otherwise themselves."""

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
