"""As whom bots run where the tournament is root: each as a user of its own, and never as root (docs/isolation.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from glob import glob

import pytest

from tournament.errors import BotError
from tournament.players.linux import users
from tournament.records.settings import Isolation

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has bots run as other users")

READS_ALL = """
import os, helper
class ReadsAll(Bot):
    def start(self, info):
        users = open("/proc/self/status").read().split("Uid:")[1].split("\\n")[0].split()
        folder = os.environ["TOURNAMENT_BOT_DIR"]
        print("0" in users, helper.VALUE, open(os.path.join(folder, "weights")).read())
        print(os.access("/etc/shadow", os.R_OK), os.access("/proc/sys/kernel/core_pattern", os.W_OK))
    def act(self, view): return view.legal_actions()[0]
"""
CLOSED = {"folder": ".", "bot": "bot.py", "helper": "helper.py", "weights": "weights"}


@pytest.fixture
def closed(hosted, tmp_path):
    """Returns a function that gives the entry of a bot of which a part is closed to others."""

    def write(part):
        entry = hosted(READS_ALL, files=[str(tmp_path / "hosted" / "weights")])
        (tmp_path / "hosted" / "helper.py").write_text("VALUE = 7\n")
        (tmp_path / "hosted" / "weights").write_text("8")
        os.chmod(tmp_path / "hosted" / CLOSED[part], 0o700 if part == "folder" else 0o600)
        return entry

    return write


@only_root
@pytest.mark.parametrize("part", CLOSED)
def test_a_bot_that_is_closed_to_others_plays_and_is_not_root(part, level, closed, first, room):
    """Whatever of it is closed is copied for its user."""
    played = room(closed(part), first, isolation=level).play()

    assert () == played.faults
    assert ["False 7 8", "False False"] == played.logs[0][1].splitlines()[:2]


@only_root
def test_a_copy_can_be_read_by_its_bot_only(closed, first, raw, room):
    """Another bot that finds the way to it is told nothing, not even the names in it."""
    looks = "import glob\nif kind == 'act' and moves == 1: sys.stderr.write(str("
    looks += "[glob.glob('/tmp/tournament-scratch-*' + part) for part in ('/*', '/*/copies/*')]) + chr(10))"
    played = room(closed("bot"), raw(looks), isolation=Isolation.PROCESS).play()

    assert () == played.faults
    assert {"[[], []]\n"} == {text for name, text, _ in played.logs if name == "raw"}


WITHOUT = """
import ctypes, os, sys
CAP_SYS_ADMIN, PR_CAPBSET_DROP = 21, 24
assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "tournament", *sys.argv[1:]])
"""


def without_capability(*words, folder):
    """Returns what the command says, run by root without CAP_SYS_ADMIN, as in most containers."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *map(str, words)], capture_output=True, text=True, check=False, cwd=folder
    )


@only_root
def test_where_no_user_can_be_given_strangers_are_refused_with_the_command_that_helps(closed, tmp_path):
    """Root without CAP_SYS_ADMIN can show nobody a closed folder."""
    closed("bot")
    done = without_capability(
        "run", "--game", "explorers:2", "--deals", "1", "--bots", "hosted/bot.py", "--out", "run", folder=tmp_path
    )

    assert 0 != done.returncode
    assert '"hosted" would run as root here' in done.stderr
    assert "Operation not permitted" in done.stderr
    assert "`chmod" in done.stderr
    assert "runuser -u NAME -- tournament" in done.stderr


@only_root
def test_where_no_user_can_be_given_the_bots_that_came_along_play(tmp_path):
    """`make demo` works there."""
    done = without_capability("run", "--game", "explorers:2", "--deals", "1", "--out", "run", folder=tmp_path)

    assert 0 == done.returncode, done.stderr
    assert "no faults" in done.stdout


@only_root
def test_a_bot_that_would_be_root_is_refused_also_where_nobody_prepared_it(hosted, first, room, monkeypatch):
    """The last word is that of what starts bots."""
    monkeypatch.setattr(users, "own_user_problem", lambda program: "it is so. Do something.")
    entry = hosted("class A(Bot):\n    def act(self, view): return view.legal_actions()[0]\n")
    one = room(entry, first, isolation=Isolation.PROCESS)

    with pytest.raises(BotError, match="would run as root here"):
        one.play()


def test_no_user_is_given_who_has_an_account_a_process_or_is_lent_to_containers(monkeypatch, tmp_path):
    """One of 50000 to 59999 may be somebody."""
    monkeypatch.setattr(users, "CLAIMS", tmp_path / "claims")
    free = users.PRIVATE_USERS[-1]
    running, accounts, groups, lent = (range(50_000 + 2500 * part, 52_500 + 2500 * part) for part in range(4))
    monkeypatch.setattr(users.trees, "users_with_processes", lambda: set(running))

    def named(taken):
        def look(number):
            if number not in taken or number == free:
                raise KeyError
            return number

        return look

    monkeypatch.setattr(users.pwd, "getpwuid", named(accounts))
    monkeypatch.setattr(users.grp, "getgrgid", named(groups))
    monkeypatch.setattr(users, "_lent_users", lambda: (range(lent.start, free),))
    users._is_account.cache_clear()

    assert free == users.free_user()

    monkeypatch.setattr(users, "_lent_users", lambda: (lent,))
    users._is_account.cache_clear()
    with pytest.raises(RuntimeError, match="all users from 50000 to 59999 have accounts or processes"):
        users.free_user()
    users._is_account.cache_clear()


@only_root
def test_what_a_bot_leaves_in_shared_memory_goes_with_its_process(raw, first, room):
    """docs/isolation.md: nobody else is its user, so that what is its user's is its own."""
    trouble = "name = '/dev/shm/tournament-test-' + str(os.getpid())\n"
    trouble += (
        "if kind == 'start': os.mkdir(name); open(name + '/file', 'w').close(); os.symlink('/etc', name + '-link')"
    )
    one = room(raw(trouble), first, isolation=Isolation.PROCESS)
    played = one.play()
    left = glob("/dev/shm/tournament-test-*")
    one.blocks.close()

    assert () == played.faults
    assert 4 == len(left)
    assert [] == glob("/dev/shm/tournament-test-*")
    assert 0o755 == os.stat("/etc").st_mode & 0o777


def test_two_runs_that_choose_the_same_user_at_once_do_not_share_it(monkeypatch, tmp_path):
    """Nothing shows that a user is taken until its first process exists."""
    monkeypatch.setattr(users, "CLAIMS", tmp_path / "claims")
    monkeypatch.setattr(users.secrets, "choice", lambda free: free[0])

    assert users.free_user() != users.free_user()


def test_a_claim_of_a_run_that_ended_long_ago_holds_nobody_up(monkeypatch, tmp_path):
    monkeypatch.setattr(users, "CLAIMS", tmp_path / "claims")
    monkeypatch.setattr(users.secrets, "choice", lambda free: free[0])
    first = users.free_user()
    os.utime(tmp_path / "claims" / str(first), (0, 0))

    assert first == users.free_user()
