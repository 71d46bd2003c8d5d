"""An arena of its own for each test: a folder with a secret and a migrated SQLite database, which Django is set to."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from arena.commands import arena_command
from arena.postgres import database_name, postgres_server
from django.test.utils import override_settings

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.settings_file import read_arena
from tournament.arena.settings import django_settings, set_up, write_secret

sys.path.insert(0, str(Path(__file__).parents[1] / "run"))


def make_arena(path: Path, text: str = "") -> ArenaFolder:
    """Returns a new arena without a database."""
    folder = ArenaFolder(path)
    folder.path.mkdir()
    folder.incoming.mkdir()
    folder.competitions.mkdir()
    folder.settings.write_text(text, encoding="utf-8")
    write_secret(folder)
    return folder


QUICK_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""Tests make many accounts, and a hash that takes long by intention would be most of their time."""

_FIRST = tempfile.TemporaryDirectory()
"""The arena that Django is set up for, once in a process and before test modules are read: they import models."""

set_up(make_arena(Path(_FIRST.name) / "first").path, is_site=True)


@pytest.fixture(scope="session")
def migrated() -> Path:
    """Returns an empty database of the newest form, to be copied."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0)
    connections.close_all()
    return Path(settings.DATABASES["default"]["NAME"])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Marks tests as long that start a PostgreSQL, or check what was handed in with real processes."""
    for item in items:
        words = item.name + " ".join(item.fixturenames)
        if Path(__file__).parent in item.path.parents and ("postgres" in words or "checked" in item.fixturenames):
            item.add_marker(pytest.mark.long)


class Founded(NamedTuple):
    """An arena that `tournament arena init` made: copy its folder before you change it."""

    path: Path
    printed: str


@pytest.fixture(scope="session")
def founded(tmp_path_factory) -> Founded:
    """Returns an arena that the command made: on SQLite, with a title and an address of its own."""
    folder = tmp_path_factory.mktemp("founded") / "arena"
    done = arena_command("init", folder, "--title", "Cup of bots", "--address", "https://bots.example.org")
    assert (0, "") == (done.returncode, done.stderr)
    return Founded(folder, done.stdout)


def _forget_connections() -> None:
    from django.db import connections

    connections.close_all()
    for alias in list(connections):
        if hasattr(connections._connections, alias):
            del connections[alias]


@pytest.fixture
def set_django_to():
    """Returns a context manager that sets Django to an arena, such as one that a command has made."""
    return django_set_to


@contextmanager
def django_set_to(folder: ArenaFolder) -> Iterator[None]:
    """Has Django's settings and connections be those of an arena."""
    from django.core.cache import cache
    from django.db import connections

    wanted = django_settings(folder, read_arena(folder))
    database = {"OPTIONS": {}} | wanted["DATABASES"]["default"]
    if "init_command" in database["OPTIONS"]:  # no test ends the machine
        database["OPTIONS"]["init_command"] += " PRAGMA synchronous=OFF;"
    before = connections.settings["default"]
    _forget_connections()
    connections.settings["default"] = before | database
    kept = ("ARENA_FOLDER", "ARENA", "ALLOWED_HOSTS", "FILE_UPLOAD_TEMP_DIR", "SECRET_KEY")
    try:
        with override_settings(**{name: wanted[name] for name in kept}):
            cache.clear()
            yield
    finally:
        _forget_connections()
        connections.settings["default"] = before


@pytest.fixture
def arena(tmp_path, migrated):
    """Returns the folder of an arena whose database is empty; Django's settings and connections are for it."""
    folder = make_arena(tmp_path / "arena")
    shutil.copyfile(migrated, folder.database)
    with django_set_to(folder), override_settings(PASSWORD_HASHERS=QUICK_HASHERS):
        yield folder


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> Iterator[Path]:
    """Returns a round of two bots that was played, to be copied."""
    from arena.made_site import play_round

    from tournament.arena.web.makers import MAKER

    yield play_round(tmp_path_factory.mktemp("played"))
    MAKER.close()  # what it showed of copies


@pytest.fixture
def site(arena, run):
    """Returns a competition with a ladder and a round, and who is in it."""
    from arena.made_site import make_site

    return make_site(run)


@pytest.fixture
def cup(arena):
    """Returns a competition."""
    from arena.making import make_competition

    return make_competition(arena)


@pytest.fixture
def keeper(cup):
    """Returns the bot of a participant of `cup`."""
    from arena.making import make_bot, make_participant

    return make_bot(make_participant(cup, "ada"), "keeper")


@pytest.fixture(scope="session")
def postgres():
    """Returns a PostgreSQL server of the tests of this process; skips where it is not installed."""
    with postgres_server() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_on_postgres(postgres, tmp_path_factory) -> str:
    """Returns the name of an empty database of the newest form, to be copied."""
    from django.core.management import call_command

    url = postgres.new_database()
    folder = make_arena(tmp_path_factory.mktemp("postgres") / "arena", f"database: {url}\n")
    with django_set_to(folder):
        call_command("migrate", verbosity=0)
    return database_name(url)


@pytest.fixture
def postgres_arena(tmp_path, postgres, migrated_on_postgres):
    """Returns the folder of an arena whose database is an empty one of PostgreSQL, as `arena` has one of SQLite."""
    url = postgres.new_database(template=migrated_on_postgres)
    folder = make_arena(tmp_path / "arena", f"database: {url}\n")
    with django_set_to(folder):
        yield folder


@pytest.fixture(params=["arena", "postgres_arena"], ids=["sqlite", "postgres"])
def either_arena(request):
    """Returns the folder of an arena, once with each database."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def referee(arena):
    """Returns what makes a referee of the arena; each is ended with the test."""
    from tournament.arena.play.desk import Desk
    from tournament.arena.play.refereeing import Refereeing

    made = []

    def make(**settings):
        said = []
        settings = {"patience_seconds": 0.01, "free_share": lambda: 1.0} | settings
        refereeing = Refereeing(Desk(folder=arena, say=said.append, **settings), cores=(None, None))
        refereeing.said = said
        made.append(refereeing)
        return refereeing

    yield make
    for one in made:
        one.end()
