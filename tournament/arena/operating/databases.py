"""The whole of an arena's database in a file, at one moment, and back; while others write it.

SQLite is copied by its own backup. Of PostgreSQL a line of JSON a row is written, which needs none of its programs and
fits every later version of it. Django is set up.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Final

from tournament.arena.folder import ArenaFolder, with_full_disk
from tournament.arena.operating.founding import bring_up_to_date, check_database, check_empty
from tournament.errors import RunError


class DatabaseKind(StrEnum):
    """Which of the databases an arena has."""

    SQLITE = "sqlite"
    POSTGRES = "postgres"


MADE_ANEW: Final = frozenset({"contenttypes.contenttype", "auth.permission", "sessions.session"})
"""What the tables of a new database bring along, and the logins that last until the next one."""


def database_kind() -> DatabaseKind:
    """Returns which database the arena has."""
    from django.db import connection

    return DatabaseKind.SQLITE if connection.vendor == "sqlite" else DatabaseKind.POSTGRES


def copy_database(folder: ArenaFolder, out: Path) -> None:
    """Writes the database as it is at one moment into a file; who writes it meanwhile does not wait.

    Raises `RunError` where it cannot be reached.
    """
    check_database(folder)
    if database_kind() is DatabaseKind.POSTGRES:
        with out.open("w", encoding="utf-8") as file:
            _dump(file)
        return
    try:
        with closing(sqlite3.connect(folder.database)) as source, closing(sqlite3.connect(out)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        why = with_full_disk(str(error), out.parent, folder.path)
        raise RunError(f"{folder.database} cannot be copied: {why}. Look after the disk.") from None


def load_database(folder: ArenaFolder, source: Path) -> None:
    """Puts what `copy_database` wrote into the database of an arena, in tables of this version.

    Nothing is connected to it then. Raises `RunError` where the database has accounts already, or is that of a newer
    version.
    """
    from django.db import connection

    _fill(folder, source)
    connection.close()  # what SQLite keeps beside its file goes into it


def _fill(folder: ArenaFolder, source: Path) -> None:
    if database_kind() is DatabaseKind.SQLITE:
        shutil.copyfile(source, folder.database)
        bring_up_to_date()
        return
    check_empty(folder)
    bring_up_to_date()
    with source.open("rb") as file:
        _load(file)


def _dump(file: IO[str]) -> None:
    from django.core import serializers
    from django.db import connection, transaction

    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        serializers.serialize("jsonl", _rows(), stream=file)


def _rows() -> Iterator[Any]:
    """Yields every row, after those it refers to."""
    for model in _models():
        yield from model._base_manager.order_by("pk").iterator()


def _models() -> list[Any]:
    from django.apps import apps
    from django.core.serializers import sort_dependencies

    found = sort_dependencies([(app, None) for app in apps.get_app_configs()])
    return [model for model in found if model._meta.label_lower not in MADE_ANEW and model._meta.managed]


def _load(file: IO[bytes]) -> None:
    from django.core import serializers
    from django.core.management.color import no_style
    from django.core.serializers.base import DeserializationError
    from django.db import connection, transaction

    try:
        with transaction.atomic():
            for row in serializers.deserialize("jsonl", file):
                row.save()
            with connection.cursor() as cursor:
                for line in connection.ops.sequence_reset_sql(no_style(), _models()):
                    cursor.execute(line)
    except DeserializationError as error:
        raise RunError(f"The backup has rows that this version does not know: {error}. Install a newer one.") from None
