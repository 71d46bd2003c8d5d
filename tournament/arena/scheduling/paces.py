"""What slow versions are told: how many deals a day the machine has time for, in `paces.json` beside the ladder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from msgspec import Struct

from tournament.arena.files import CompetitionName, Moment, format_moment, read_json, write_json
from tournament.arena.folder import CompetitionFolder
from tournament.arena.scheduling.known import KnownCompetition
from tournament.arena.scheduling.pacing import Allowance
from tournament.errors import RunError
from tournament.records.record import Positive
from tournament.store import layout

PACES_FILE: Final = layout.PACES_FILE
NEWS: Final = 0.1
"""A pace that has changed by less is not written anew."""


class SlowVersion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A version that plays fewer deals than others, because its moves take longer than its share of the machine."""

    name: str
    """As an entrant: `keeper.v3`."""

    deals_today: Positive
    """In each group."""

    game_ms: float
    """The mean time of its own moves in a game, in the group where it is longest."""


class PacesFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `paces.json`."""

    competition: CompetitionName
    made: Moment
    """When it was worked out."""

    deals_a_day: Positive
    """Of all others, in each group."""

    slow: tuple[SlowVersion, ...] = ()
    """In the order of their names; all others play every deal of a day."""

    def pace_of(self, name: str) -> SlowVersion | None:
        """Returns the pace of a version; None where the machine has time for all its deals."""
        return next((one for one in self.slow if one.name == name), None)


def paces_file(competition: KnownCompetition, allowed: Mapping[str, Allowance], *, made: datetime) -> PacesFile:
    """Returns what to tell the slow versions of a competition; `allowed` is what `paces` says of it."""
    slow = [
        SlowVersion(name=version.name, deals_today=allowed[version.name].today, game_ms=max(version.game_ms.values()))
        for version in competition.versions
        if version.game_ms and allowed[version.name].today < competition.deals_a_day
    ]
    return PacesFile(
        competition=competition.name,
        made=format_moment(made),
        deals_a_day=competition.deals_a_day,
        slow=tuple(sorted(slow, key=lambda one: one.name)),
    )


def tell_paces(folder: CompetitionFolder, paces: PacesFile) -> None:
    """Writes `paces.json` where it says something new, or cannot be read. Raises `RunError`."""
    try:
        before = read_paces(folder)
    except RunError:  # no round waits for it
        before = None
    else:
        if before is None and not paces.slow:
            return
    if before is None or before.deals_a_day != paces.deals_a_day or _has_news(before, paces):
        write_json(folder.path / PACES_FILE, paces)


def read_paces(folder: CompetitionFolder) -> PacesFile | None:
    """Returns what slow versions were told last; None where no version was ever slow. Raises `RunError`."""
    path = folder.path / PACES_FILE
    return read_json(path, PacesFile) if path.exists() else None


def _has_news(before: PacesFile, after: PacesFile) -> bool:
    known = {one.name: one.deals_today for one in before.slow}
    told = {one.name: one.deals_today for one in after.slow}
    return known.keys() != told.keys() or any(abs(told[name] - known[name]) > NEWS * known[name] for name in told)
