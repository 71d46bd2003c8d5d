"""Nothing of an arena is in a bot's sandbox but its own program: hostile bots look for the rest, and try to change it.

What they find they print, into the log of their check and the output of their build, which their owner reads.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sqlite3
import threading
from pathlib import Path

import msgspec
import pytest
import yaml
from arena.uploads import zipped
from needs import need_sandbox

from tournament.arena.checks.check_steps import CheckOutcome
from tournament.arena.checks.checking import CheckTask, check_version
from tournament.arena.checks.environment import environment_with, python_for
from tournament.arena.checks.showing import shown_problems
from tournament.arena.files import CompetitionFile
from tournament.arena.folder import ArenaFolder
from tournament.paths import PACKAGE
from tournament.players.programs import shown_places

RULES = msgspec.convert(yaml.safe_load("title: Cup\ngames: [{game: scout, players: [2]}]\n"), CompetitionFile)
SECRET = "MARK-of-the-secret-key"
DATABASE = "MARK-of-the-database"
BACKUP = "MARK-of-a-backup"
OTHER = "MARK-of-another-version"
VARIABLE = "MARK-of-the-environment"
SIGN_IN = "MARK-of-a-server-to-sign-in"
SOCKET = "MARK-of-a-socket"
OWN = "MARK of its own"
MARKS = (SECRET, DATABASE, BACKUP, OTHER, VARIABLE, SIGN_IN, SOCKET)

pytestmark = pytest.mark.long

LOOKING = '''
import glob, os, socket, sqlite3, sys

ARENA, PORT, ABSTRACT = @ARENA@, @PORT@, @ABSTRACT@


def attempt(what, *words):
    try:
        return what(*words)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


def read(path):
    with open(path, "rb") as file:
        return file.read(100_000)


def overwrite(path):
    with open(path, "r+b") as file:
        return file.write(b"gone")


def database(path):
    return sqlite3.connect(path).execute("select * from secrets").fetchall()


def asked(kind, address):
    with socket.socket(kind) as line:
        line.settimeout(2)
        line.connect(address)
        return line.recv(100)


def look():
    """Returns what can be found, by names that everybody knows and by whatever lies around.

    Only what bears a mark is kept: all that a sandbox shows would not fit into a bot's memory.
    """
    found = []
    known = ["secret.key", "arena.sqlite3", "arena.sqlite3-wal", "arena.yaml", "backups/arena.tar", "database.socket"]
    known += ["competitions/cup/bots/other/1/program/bot.py", "competitions/cup/bots/other/1/upload", "left-behind"]
    paths = [os.path.join(ARENA, name) for name in known]
    for place, folders, names in os.walk("/"):
        if place in ("/proc", "/sys", "/usr", "/dev", "/opt", sys.prefix, sys.base_prefix) or "pyvenv.cfg" in names:
            folders.clear()  # of the system and of Python
        elif ARENA in place or "/tmp" in place or place.count("/") < 3:
            paths += [os.path.join(place, name) for name in names]
    paths += glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline") + glob.glob("/proc/*/fd/*")
    looks = [(read, path) for path in paths if "/fd/" not in path or os.path.isfile(path)]
    looks += [
        (database, paths[1]),
        (asked, socket.AF_UNIX, os.path.join(ARENA, "database.socket")),
        (asked, socket.AF_UNIX, ABSTRACT),
        (asked, socket.AF_INET, ("127.0.0.1", PORT)),
        (os.listdir, ARENA),
        (dict, os.environ),
    ]
    for what, *words in looks:
        seen = attempt(what, *words)
        if "MARK-of" in repr(seen) or "MARK of" in repr(seen):
            found.append((words, seen))
    return f"looked at {len(looks)} places, found {found}"


def change():
    """Tries to overwrite, to remove, to move and to add."""
    for name in ("secret.key", "arena.sqlite3", "competitions/cup/bots/other/1/program/bot.py"):
        path = os.path.join(ARENA, name)
        attempt(overwrite, path)
        attempt(os.rename, path, path + "2")
        attempt(os.chmod, path, 0o700)
        attempt(os.unlink, path)
    attempt(lambda: open(os.path.join(ARENA, "left-behind"), "w").close())
    attempt(os.symlink, "/etc/passwd", os.path.join(ARENA, "link"))
    attempt(os.mkdir, os.path.join(ARENA, "competitions/cup/bots/other/2"))
'''

BOT = (
    LOOKING
    + """
from tournament import Bot


class Looking(Bot):
    def act(self, view):
        change()
        raise RuntimeError(look())
"""
)
PRINTING = LOOKING + "\nchange()\nprint(look(), flush=True)\n"


@pytest.fixture
def arena(tmp_path, monkeypatch):
    """Returns an arena with a secret in each place that has some, and somebody who answers at its sockets."""
    need_sandbox()
    folder = ArenaFolder(tmp_path / "arena")
    other = folder.competition("cup").version("other", 1)
    other.program.mkdir(parents=True)
    (folder.path / "backups").mkdir()
    folder.secret.write_text(SECRET)
    folder.settings.write_text(f"title: {SECRET}")
    (folder.path / "backups" / "arena.tar").write_text(BACKUP)
    (other.program / "bot.py").write_text(OTHER)
    other.upload.write_text(OTHER)
    for path in folder.path.rglob("*"):
        path.chmod(0o777)  # so that nothing but the sandbox is in their way
    with sqlite3.connect(folder.database) as connection:
        connection.execute("create table secrets (text)")
        connection.execute("insert into secrets values (?)", (DATABASE,))
    connection.close()
    folder.database.chmod(0o666)
    folder.path.chmod(0o777)
    monkeypatch.setenv("TOURNAMENT_MAIL_PASSWORD", VARIABLE)
    monkeypatch.setenv("TOURNAMENT_SIGN_IN_UNIVERSITY", SIGN_IN)
    return folder


@pytest.fixture
def sockets(arena):
    """Answers whoever connects, by a path, an abstract name and a port; gives the last two."""
    os.chdir(arena.path)
    abstract = f"\0arena-{os.getpid()}"
    servers = [socket.socket(kind) for kind in (socket.AF_UNIX, socket.AF_UNIX, socket.AF_INET)]
    for server, address in zip(servers, ("database.socket", abstract, ("127.0.0.1", 0)), strict=True):
        server.bind(address)
        server.listen()
        threading.Thread(target=_answer, args=(server,), daemon=True).start()
    (arena.path / "database.socket").chmod(0o777)
    yield abstract, servers[2].getsockname()[1]
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def _answer(server):
    while True:
        try:
            line, _ = server.accept()
        except OSError:
            return
        with line:
            line.sendall(SOCKET.encode())


def state(arena, *, without):
    """Returns everything that lies in an arena, but in the folder of a version."""
    found = {}
    for path in sorted(arena.path.rglob("*")):
        if not path.is_relative_to(without):
            contents = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
            found[path.relative_to(arena.path).as_posix()] = (path.lstat().st_mode, contents)
    return found


def checked(arena, members, sockets):
    """Checks a hostile bot, and returns how that ended and all that its owner can read of it."""
    folder = arena.competition("cup").version("keeper", 1)
    folder.path.mkdir(parents=True)
    abstract, port = sockets
    filled = {
        name: text.replace("@ARENA@", repr(str(arena.path)))
        .replace("@PORT@", str(port))
        .replace("@ABSTRACT@", repr(abstract))
        .encode()
        for name, text in members.items()
    }
    folder.upload.write_bytes(zipped(filled))
    python_for(environment_with(RULES.packages), arena.competition("cup").environment)
    before = state(arena, without=folder.path)
    task = CheckTask(
        folder=str(folder.path),
        name="keeper.v1",
        file_name="bot.zip",
        competition=RULES,
        games=2,
    )
    result = check_version(task)

    assert before == state(arena, without=folder.path)
    return result, {path.name: path.read_text(errors="replace") for path in folder.check.iterdir()} | {
        "why": result.why or ""
    }


def test_a_bot_that_plays_finds_nothing_and_changes_nothing(arena, sockets):
    result, told = checked(arena, {"bot.py": BOT, "own.txt": OWN}, sockets)

    assert CheckOutcome.REFUSED == result.outcome
    assert "looked at " in told["steps.json"]
    assert OWN in told["steps.json"]  # so what can be read is printed, and its owner sees it
    assert [] == [(mark, name) for mark in MARKS for name, text in told.items() if mark in text]


def test_a_build_finds_nothing_and_changes_nothing(arena, sockets):
    members = {
        "bot.yaml": "command: [./none]\nbuild: [python3, look.py]\n",
        "look.py": PRINTING + "raise SystemExit(3)\n",
        "own.txt": OWN,
    }
    result, told = checked(arena, members, sockets)

    assert CheckOutcome.REFUSED == result.outcome
    assert "looked at " in told["build.txt"]
    assert OWN in told["build.txt"]
    assert [] == [(mark, name) for mark in MARKS for name, text in told.items() if mark in text]


def test_outside_of_the_sandbox_the_same_bot_finds_it_all(arena, sockets):
    """Else the tests above would show nothing."""
    abstract, port = sockets
    names = {"ARENA": str(arena.path), "PORT": port, "ABSTRACT": abstract}
    code = LOOKING
    for name, value in names.items():
        code = code.replace(f"@{name}@", repr(value))
    space = {}
    exec(compile(code.replace('os.walk("/")', "os.walk(ARENA)"), "looking", "exec"), space)
    found = space["look"]()

    assert [] == [mark for mark in MARKS if mark not in found]


def test_an_arena_below_what_every_bot_sees_is_told():
    (problem,) = shown_problems(ArenaFolder(Path("/opt/arena")))

    assert "/opt/arena lies below /opt, which every bot in a sandbox sees" in problem
    assert "Move it" in problem


@pytest.mark.parametrize("place", ["/usr/local/share/arena", str(PACKAGE / "arena"), "/etc/ssl/arena"])
def test_other_places_that_every_bot_sees_are_told(place):
    assert 1 == len(shown_problems(ArenaFolder(Path(place))))


def test_an_arena_elsewhere_is_well(tmp_path):
    assert () == shown_problems(ArenaFolder(tmp_path / "arena"), private=[Path("/var/run/postgresql")])


def test_backups_and_sockets_can_be_told_too(tmp_path):
    (problem,) = shown_problems(ArenaFolder(tmp_path / "arena"), private=[Path("/opt/backups")])

    assert "/opt/backups lies below /opt" in problem


def test_a_link_leads_to_what_is_shown(tmp_path):
    (tmp_path / "arena").symlink_to("/opt")

    assert 1 == len(shown_problems(ArenaFolder(tmp_path / "arena")))


def test_our_own_package_is_among_what_is_shown():
    assert str(PACKAGE) in shown_places()
