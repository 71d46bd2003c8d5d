"""The public copies of rounds, packed by the process that also makes pages: web processes never read records."""

from __future__ import annotations

from pathlib import Path

from tournament.arena.models import CompetitionRow, RoundRow
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.web.makers import MAKER, BusyError
from tournament.store.files import FileStamp


def cached_round(competition: CompetitionRow, row: RoundRow, stamp: FileStamp | None) -> Path:
    """Returns the folder of the cache for a round: one for good once it is complete, before that one for each stamp."""
    stage = "complete" if stamp is None else "-".join(map(str, stamp))
    return arena_folder().cache / "rounds" / f"{competition.name}-{row.number:06d}" / stage


def zip_name(competition: CompetitionRow, row: RoundRow) -> str:
    """Returns what the zip of a round and the folder in it are called."""
    return f"{competition.name}-round-{row.number:06d}"


def round_zip(competition: CompetitionRow, row: RoundRow) -> Path:
    """Returns the zip of the public copy of a complete round, made where there is none yet.

    Raises `BusyError` when others are waited for too long, and what `write_public_copy` raises.
    """
    run = competition_folder(competition).round(row.number)
    return Path(MAKER.make("make_zip", run, cached_round(competition, row, None), zip_name(competition, row)))


def public_zip(competition: CompetitionRow, row: RoundRow) -> Path:
    """Returns what `round_zip` does. Raises `RefusedError` when others are waited for too long."""
    try:
        return round_zip(competition, row)
    except BusyError as error:
        raise RefusedError(RefusalKind.STATE, f"{error}") from None
