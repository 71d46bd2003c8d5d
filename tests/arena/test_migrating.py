"""A database that the first migration made is brought up to date by every later version.

`arena-0001.sql` is never made anew: whoever changes a model adds a migration.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

DUMP = Path(__file__).parents[1] / "data" / "arena-0001.sql"


def columns_of(path) -> dict[str, list[tuple]]:
    """Returns the name, type and null-ness of each column, by table."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: sorted(tuple(row[1:4]) for row in database.execute(f"PRAGMA table_info({name})")) for name in names
        }


def test_a_database_of_the_first_migration_is_brought_up_to_date_and_keeps_its_rows(arena, migrated):
    from tournament.arena.models import CompetitionRow, Participant, RoundRow, VersionRow
    from tournament.arena.operating.founding import bring_up_to_date

    arena.database.unlink()
    with closing(sqlite3.connect(arena.database)) as database:
        database.executescript(DUMP.read_text(encoding="utf-8"))
    bring_up_to_date()
    rows = (
        CompetitionRow.objects.values_list("name", "title", "state").get(),
        Participant.objects.values_list("account__username", "public_name").get(),
        VersionRow.objects.values_list("bot__name", "number", "state", "received", "machine_failures").get(),
        list(RoundRow.objects.get().versions.values_list("bot__name", flat=True)),
    )

    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assert (("cup", "Winter Cup", "open"), ("ada", "Ada"), ("keeper", 1, "active", noon, 0), ["keeper"]) == rows
    assert columns_of(migrated) == columns_of(arena.database)
