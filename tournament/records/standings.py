"""The types of `standings.json`."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

FORMAT: Final = "tournament-standings"
VERSION: Final = 1


class StandingsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `standings.json`."""

    format: Literal["tournament-standings"]
    version: Literal[1]
    runs: tuple[str, ...]
    interim: bool
    """The runs were not complete: interim, not a test."""

    groups: tuple[dict[str, Any], ...]
    championship: dict[str, Any] | None
    left_out: tuple[dict[str, Any], ...]
