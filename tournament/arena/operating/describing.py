"""What the types say about the files that a host writes, put into their schemas: editors show it meanwhile."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from tournament.arena.files import DATES, CompetitionFile, FinalRules, Joining
from tournament.arena.operating.settings_file import ArenaFile, MailSettings, SignIn
from tournament.configuration.describing import described_fields, described_type
from tournament.configuration.types import GameEntry
from tournament.records.settings import ClockEntry, Isolation, LimitsEntry

_TYPES: Final = {kind.__name__: kind for kind in (FinalRules, Joining, GameEntry, ClockEntry, LimitsEntry, Isolation)}

_DATE: Final = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$",
    "description": "a date such as 2026-12-01, or with a time: 2026-12-01 08:00",
}
"""A date as a host may write it; the arena reads it as a moment in UTC."""


def described_competition(schema: dict[str, Any], games: Collection[str]) -> dict[str, Any]:
    """Returns the schema of `competition.yaml` with descriptions, dates as hosts write them, and the names of games."""
    properties = {
        name: {"anyOf": [_DATE, {"type": "null"}], "default": None} if name in DATES else form
        for name, form in schema["properties"].items()
    }
    definitions = {name: described_type(_TYPES[name], form) for name, form in schema["$defs"].items()}
    named = definitions["GameEntry"]["properties"]
    definitions["GameEntry"]["properties"] = {**named, "game": {**named["game"], "examples": list(games)}}
    return {**schema, "properties": described_fields(CompetitionFile, properties), "$defs": definitions}


def described_arena(schema: dict[str, Any], games: Collection[str]) -> dict[str, Any]:
    """Returns the schema of `arena.yaml` with descriptions; no game is named in it."""
    kinds = {kind.__name__: kind for kind in (MailSettings, SignIn)}
    definitions = {name: described_type(kinds[name], form) for name, form in schema["$defs"].items()}
    return {**schema, "properties": described_fields(ArenaFile, schema["properties"]), "$defs": definitions}
