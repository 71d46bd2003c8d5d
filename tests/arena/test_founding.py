"""`tournament arena init`: what a new arena is made of, and what is left where it cannot be made."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress

import pytest
from arena.commands import arena_command

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.founding import UnreachableError, wait_for_database, write_folder
from tournament.arena.operating.settings_file import ArenaFile, read_arena


@pytest.fixture
def made(founded):
    """Returns the folder of an arena that the command made, and what it printed."""
    return founded


def accounts_of(folder):
    with closing(sqlite3.connect(folder / "arena.sqlite3")) as database:
        return database.execute("select username, password, is_staff, is_superuser from auth_user").fetchall()


def test_a_new_arena_has_settings_a_secret_and_a_database(made):
    folder, _ = made

    assert {"arena.yaml", "secret.key", "arena.sqlite3", "incoming", "competitions"} <= {
        path.name for path in folder.iterdir()
    }


def test_new_settings_name_everything_that_can_stand_there(made):
    folder, _ = made
    told = (folder / "arena.yaml").read_text(encoding="utf-8").splitlines()[1]

    assert f"# What can stand here: {', '.join(ArenaFile.__struct_fields__)}." == told


def test_only_its_owner_may_look_into_the_folder_and_read_the_secret(made):
    folder, _ = made

    assert (0o700, 0o600) == (folder.stat().st_mode & 0o777, (folder / "secret.key").stat().st_mode & 0o777)


def test_its_first_host_gets_a_password_that_is_printed_and_only_kept_hashed(made, migrated):
    from django.contrib.auth.hashers import check_password

    folder, printed = made
    password = next(line.split()[1] for line in printed.splitlines() if line.startswith("  password"))
    [(name, kept, is_staff, is_superuser)] = accounts_of(folder)

    assert ("host", 1, 0) == (name, is_staff, is_superuser)
    assert check_password(password, kept)
    assert password not in kept


def test_two_arenas_have_different_secrets(tmp_path):
    first, second = (ArenaFolder(tmp_path / name) for name in ("first", "second"))
    for folder in (first, second):
        folder.path.mkdir()
        write_folder(folder, ArenaFile())

    assert first.secret.read_text() != second.secret.read_text()


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = arena_command("init", tmp_path)

    assert (7, ["mine.txt"]) == (done.returncode, [path.name for path in tmp_path.iterdir()])
    assert "is there already, and is not an empty folder. Name a folder that is not there yet." in done.stderr


@pytest.mark.parametrize(
    ("words", "exit_code", "sentence"),
    [
        (("--account", "a b"), 2, "The account a b cannot be made"),
        (("--database", "mysql://here/arena"), 3, "expected a URL such as postgres://arena@localhost/arena"),
        (("--database", "postgres://nobody@127.0.0.1:1/arena"), 7, "cannot be reached"),
        (("--listen", "nowhere"), 3, "expected an address and a port, such as 127.0.0.1:8765, found nowhere"),
        (("--address", "arena.example.org"), 3, "expected a URL such as https://arena.example.org"),
        (("--time-zone", "Mars/Base"), 3, "expected a time zone such as Europe/Warsaw"),
        (("--title", ""), 3, "title"),
    ],
)
def test_a_mistake_is_a_sentence_and_leaves_nothing(tmp_path, words, exit_code, sentence):
    done = arena_command("init", tmp_path / "arena", *words)

    assert (exit_code, []) == (done.returncode, list(tmp_path.iterdir()))
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["start", "web", "referee"])
def test_a_folder_that_is_no_arena_is_refused_with_the_command_that_makes_one(tmp_path, command):
    done = arena_command(command, tmp_path)

    assert 7 == done.returncode
    assert f"Make one: tournament arena init {tmp_path}" in done.stderr


@pytest.mark.parametrize("command", ["init", "start", "web", "referee"])
def test_without_the_extra_a_sentence_says_how_to_install_it(tmp_path, command):
    """Where an arena is, too."""
    if command != "init":
        (tmp_path / "arena").mkdir()
        (tmp_path / "arena" / "arena.yaml").touch()
    code = f"import sys; sys.modules['django'] = None; sys.argv[1:] = {['arena', command, 'arena']!r}"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; from tournament.cli.main import run; run()"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 2 == done.returncode
    assert "Install it: pip install 'tournament[arena]'" in done.stderr


def test_settings_that_are_written_are_read_again(made):
    folder, _ = made

    assert ArenaFile(title="Cup of bots", address="https://bots.example.org") == read_arena(ArenaFolder(folder))


def test_the_help_of_arena_imports_no_django(tmp_path):
    code = "import sys; sys.argv[1:] = ['arena', '--help']; from tournament.cli.main import run\n"
    code += "try:\n    run()\nexcept SystemExit:\n    pass\nprint(json.dumps('django' in sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"import json; {code}"], capture_output=True, text=True, check=True)

    assert json.loads(done.stdout.splitlines()[-1]) is False


def test_an_arena_is_made_in_a_database_of_postgres(postgres, tmp_path):
    done = arena_command("init", tmp_path / "arena", "--database", postgres.new_database())

    assert (0, "") == (done.returncode, done.stderr)
    assert not (tmp_path / "arena" / "arena.sqlite3").exists()


def test_the_database_of_another_arena_is_refused(postgres_arena, tmp_path):
    from django.contrib.auth import get_user_model

    get_user_model().objects.create(username="somebody")
    database = read_arena(postgres_arena).database
    done = arena_command("init", tmp_path / "second", "--database", database)

    assert (7, False) == (done.returncode, (tmp_path / "second").exists())
    assert "The database has accounts already: it is that of another arena." in done.stderr


@pytest.fixture
def stopped(postgres):
    """Returns the server of PostgreSQL, which is stopped and started again with the test."""
    postgres.stop()
    yield postgres
    with suppress(subprocess.CalledProcessError):  # it runs already
        postgres.start()


def test_a_database_whose_server_still_starts_is_waited_for(postgres_arena, stopped):
    """Found by killing: as after a loss of power, when all start at once."""
    from django.core.management import call_command

    said = []

    def start(text):
        said.append(text)
        stopped.start()
        call_command("migrate", verbosity=0)

    wait_for_database(postgres_arena, say=start, seconds=60)

    assert [True] == [text.endswith("whether its server runs. It is waited for.") for text in said]


def test_a_database_whose_server_stays_away_is_told(postgres_arena, stopped):
    with pytest.raises(UnreachableError, match="cannot be reached"):
        wait_for_database(postgres_arena, say=lambda text: None, seconds=0)
