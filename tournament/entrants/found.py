"""What is said of a bot, what is read of its file, and what was found."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from tournament.entrants.model import BotSource
from tournament.entrants.reading import Module, Reader
from tournament.records.hosting import ClockEntry, Isolation, LimitsEntry


class Settings(Struct, frozen=True, kw_only=True):
    """What a configuration says about a bot beside where it is."""

    params: dict[str, Any] = {}
    version: str | None = None
    games: tuple[str, ...] = ()
    """The games it is to play; empty: all the bot plays."""

    files: tuple[str, ...] = ()
    """Further files that belong to the bot, as written."""

    isolation: Isolation | None = None
    python: str | None = None
    """The Python of an environment, or its folder, as written."""

    env: dict[str, str] = {}
    limits: LimitsEntry | None = None
    clock: ClockEntry | None = None


class Found(NamedTuple):
    """One bot, and the name it gets when nobody gives it one."""

    name: str
    source: BotSource


class Code(NamedTuple):
    """A Python file that has bots."""

    spec: str
    reader: Reader
    module: Module
    dotted: str | None
    """Its name as a module, when it is an installed one."""
