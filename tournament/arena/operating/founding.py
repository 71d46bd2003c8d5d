"""A new arena: its folder, its secret, its database, and the account of its first host."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import yaml

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.addresses import check_settings
from tournament.arena.operating.settings_file import ArenaFile
from tournament.arena.settings import set_up, write_secret
from tournament.errors import RunError, UsageError
from tournament.paths import real_path
from tournament.text import format_command

PASSWORD_BYTES: Final = 12
"""Of chance in a drawn password."""

DATABASE_SECONDS: Final = 60.0
"""How long the database's server may take to answer when a process of the arena starts: it may be starting, too."""

LOOK_SECONDS: Final = 0.5

HEADER: Final = """\
# What the host of this arena set. The processes read it when they start.
# What can stand here: {names}.
# `tournament validate` checks it, and `tournament schema arena` says what each line means.
"""


class UnreachableError(RunError):
    """A database that cannot be reached."""

    def __init__(self, folder: ArenaFolder, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder, self.reason = folder, reason

    def __str__(self) -> str:
        return (
            f"The database of {self.folder.path} cannot be reached: {self.reason}. "
            f"Look at `database` in {self.folder.settings}, and whether its server runs."
        )


class NewAccount(NamedTuple):
    """An account, and the password that was drawn for it."""

    name: str
    password: str


def found_arena(path: Path, arena: ArenaFile, *, host: str) -> NewAccount:
    """Makes an arena in a new or empty folder, and returns the account of its first host.

    Nothing is left of it where it fails. Raises `RunError` where the folder is in use or the database has accounts
    already, `UsageError` for the name of an account that cannot be, `ConfigurationError` for a wrong database.
    """
    with new_folder(path) as folder:
        check_settings(arena, where=folder.settings)
        write_folder(folder, arena)
        set_up(folder.path)
        check_empty(folder)
        bring_up_to_date()
        return make_account(host, is_host=True)


def check_unused(path: Path) -> None:
    """Raises `RunError` where a path is neither free nor that of an empty folder."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise RunError(f"{path} is there already, and is not an empty folder. Name a folder that is not there yet.")


@contextmanager
def new_folder(path: Path) -> Iterator[ArenaFolder]:
    """Gives a new or empty folder, which only its owner may look into; it is as before if the block fails.

    Raises `RunError` where it is in use or cannot be made.
    """
    folder = ArenaFolder(real_path(path))
    was_there = folder.path.is_dir()
    check_unused(path)
    try:
        folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.path.chmod(0o700)
    except OSError as error:
        raise RunError(f"{path} cannot be made: {error.strerror}. Name another folder.") from None
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)
        if was_there:
            folder.path.mkdir(exist_ok=True)
        raise


def write_folder(folder: ArenaFolder, arena: ArenaFile) -> None:
    """Fills the folder of a new arena: its settings, and a secret of its own."""
    try:
        folder.incoming.mkdir()
        folder.competitions.mkdir()
        folder.settings.write_text(format_arena(arena), encoding="utf-8")
        write_secret(folder)
    except OSError as error:
        raise RunError(f"{error.filename} cannot be made: {error.strerror}. Name another folder.") from None


def format_arena(arena: ArenaFile) -> str:
    """Returns the text of `arena.yaml`."""
    values = msgspec.to_builtins(arena)
    return HEADER.format(names=", ".join(ArenaFile.__struct_fields__)) + (
        yaml.safe_dump(values, sort_keys=False, allow_unicode=True) if values else ""
    )


def check_empty(folder: ArenaFolder) -> None:
    """Raises `RunError` where the database of a new arena cannot be reached, or is that of another arena."""
    from django.contrib.auth import get_user_model
    from django.db import connection

    check_database(folder)
    accounts = get_user_model()
    if accounts._meta.db_table in connection.introspection.table_names() and accounts.objects.exists():
        raise RunError(
            "The database has accounts already: it is that of another arena. "
            "Name a database that is empty, or leave --database out for SQLite."
        )


def make_account(name: str, *, is_host: bool = False) -> NewAccount:
    """Makes an account with a drawn password, one that may create competitions if it is a host's; Django is set up.

    Raises `UsageError` for a name that cannot be one of an account, or is taken.
    """
    from django.contrib.auth import get_user_model
    from django.core.exceptions import ValidationError

    accounts = get_user_model()
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    account = accounts(username=name, is_staff=is_host)
    account.set_password(password)
    try:
        account.full_clean()
    except ValidationError as error:
        raise UsageError(f"The account {name} cannot be made: {' '.join(error.messages)}") from None
    account.save()
    return NewAccount(name, password)


def check_database(folder: ArenaFolder) -> None:
    """Raises `UnreachableError` where the database of an arena cannot be reached; Django is set up."""
    from django.db import connection

    with _reaching(folder):
        connection.ensure_connection()


@contextmanager
def _reaching(folder: ArenaFolder) -> Iterator[None]:
    """Raises `UnreachableError` where the block finds that the database of an arena does not answer."""
    from django.db import Error

    try:
        yield
    except Error as error:
        raise UnreachableError(folder, folder.database_failure(_first_line(error))) from None


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


def bring_up_to_date() -> int:
    """Makes the tables of the database, or changes them to those of this version; returns how many changes it made.

    Django is set up.
    """
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    changes = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    call_command("migrate", verbosity=0, interactive=False)
    return changes


def check_up_to_date(folder: ArenaFolder) -> None:
    """Raises `RunError` where the database has other tables than this version needs; `UnreachableError`."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    with _reaching(folder):
        connection.ensure_connection()
        executor = MigrationExecutor(connection)
        is_older = bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if is_older:
        raise RunError(
            f"The database of {folder.path} is that of an older version. Stop the arena, then bring it up to date: "
            f"{format_command('arena', 'upgrade', folder.path)}"
        )
    newer = set(executor.loader.applied_migrations) - set(executor.loader.graph.nodes)
    if any(app == "arena" for app, _ in newer):
        raise RunError(
            f"The database of {folder.path} is that of a newer version of tournament. Install that version again."
        )


def wait_for_database(folder: ArenaFolder, *, say: Callable[[str], object], seconds: float = DATABASE_SECONDS) -> None:
    """Returns once the database of an arena answers, and has the tables that this version needs; Django is set up.

    A server that does not answer is waited for, which `say` is told once. Raises what `check_up_to_date` raises: where
    the server has not answered for so many seconds, and at once for SQLite, which has no server.
    """
    from django.db import connection

    ends = time.monotonic() + seconds
    has_said = False
    while True:
        try:
            check_up_to_date(folder)
        except UnreachableError as error:
            connection.close()
            if connection.vendor == "sqlite" or time.monotonic() >= ends:
                raise
            if not has_said:
                say(f"{error} It is waited for.")
                has_said = True
            time.sleep(LOOK_SECONDS)
        else:
            return
