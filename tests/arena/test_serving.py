"""`tournament arena web`: a real process that serves an arena made by `tournament arena init`."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing

import httpx
import pytest
from arena.commands import PROGRAM, arena_command, free_port


@pytest.fixture
def made(founded, tmp_path):
    """Returns the folder of a new arena of its own, and its address."""
    folder = shutil.copytree(founded.path, tmp_path / "arena")
    listen = f"127.0.0.1:{free_port()}"
    (folder / "arena.yaml").write_text(f"listen: {listen}\naddress: http://{listen}\n")
    return folder, f"http://{listen}"


@pytest.fixture
def web(made):
    """Returns a web process that listens, and its address."""
    folder, address = made
    words = [*PROGRAM, "web", folder]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert f"Serving {address} (stop with Ctrl+C)\n" == process.stdout.readline()
            yield process, address
        finally:
            process.kill()


def test_it_shows_the_page_on_which_people_log_in(web):
    _, address = web
    answer = httpx.get(f"{address}/accounts/login/")

    assert (200, True) == (answer.status_code, "password" in answer.text)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_in_peace_when_told_to(web, stop):
    process, _ = web
    process.send_signal(stop)
    _, errors = process.communicate()

    assert ("", True) == (errors, process.returncode in (0, 130, -signal.SIGTERM))


def test_an_address_in_use_is_a_sentence(web, made):
    folder, _ = made
    done = subprocess.run([*PROGRAM, "web", folder], capture_output=True, text=True, check=False)

    assert 2 == done.returncode
    assert "cannot be listened on: Address already in use" in done.stderr


def test_a_database_of_an_older_version_is_not_served(made):
    folder, _ = made
    with closing(sqlite3.connect(folder / "arena.sqlite3")) as database, database:
        database.execute("delete from django_migrations where app = 'arena'")
    done = subprocess.run([*PROGRAM, "web", folder], capture_output=True, text=True, check=False)

    assert 7 == done.returncode
    assert f"bring it up to date: tournament arena upgrade {folder}" in done.stderr


def test_a_database_of_a_newer_version_is_not_served(made):
    folder, _ = made
    with closing(sqlite3.connect(folder / "arena.sqlite3")) as database, database:
        database.execute(
            "insert into django_migrations (app, name, applied) values ('arena', '9999_new', '2030-01-01')"
        )
    done = subprocess.run([*PROGRAM, "web", folder], capture_output=True, text=True, check=False)

    assert 7 == done.returncode
    assert "that of a newer version of tournament" in done.stderr


def test_upgrade_says_that_there_is_nothing_to_do(made):
    folder, _ = made
    done = arena_command("upgrade", folder)

    assert (0, "It is up to date.\n", "") == (done.returncode, done.stdout, done.stderr)
