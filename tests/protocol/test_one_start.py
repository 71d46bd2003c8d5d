"""The launcher of a Python bot goes on as its host, and the bot finds what it would find in a program of its own."""

from __future__ import annotations

import os
import sys

import msgspec
import pytest

from tournament.players.linux import spawner
from tournament.players.linux.files import is_root
from tournament.players.programs import HOST, STAYING_LAUNCHER
from tournament.records.settings import Isolation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the program of every bot is executed")

FINDS = """
import gc, json, os, resource, sys

def links(folder):
    for name in os.listdir(folder):
        try:
            yield os.readlink(f"{folder}/{name}").split(":")[0]
        except FileNotFoundError:  # the folder itself, which is closed
            pass

class Finds(Bot):
    def act(self, view):
        return view.legal_actions()[0]

    def start(self, info):
        with open("/proc/self/status") as file:
            status = dict(line.split(":", 1) for line in file)
        rights = ("Groups", "Umask", "NoNewPrivs", "Seccomp", "Seccomp_filters")
        print(json.dumps({
            "rights": {name: text.split() for name, text in status.items() if name in rights or name[:3] == "Cap"},
            "own user": os.stat("/proc/self/fd").st_uid == os.getuid() == os.geteuid(),
            "root": os.getuid() == 0,
            "limits": [resource.getrlimit(vars(resource)[name]) for name in dir(resource) if name[:7] == "RLIMIT_"],
            "descriptors": sorted(links("/proc/self/fd")),
            "environment": sorted(os.environ),
            "arguments": sys.argv,
            "path": sys.path,
            "flags": list(sys.flags),
            "main": sorted(vars(sys.modules["__main__"])),
            "launcher": [name for name in sys.modules if "launcher" in name],
            "collects": gc.isenabled(),
            "leads": os.getsid(0) == os.getpid(),
            "in its scratch": os.getcwd() == os.environ["HOME"],
        }))
"""

SAYS = """
class Says(Bot):
    def act(self, view):
        return view.legal_actions()[0]

    def start(self, info):
        with open("/proc/self/cmdline") as file:
            print(file.read().split(chr(0)))
"""

WHO_STARTS = """
import os
with open(os.path.join(os.environ["HOME"], "started-as"), "a") as file:
    print(os.getuid(), file=file)
"""


@pytest.fixture
def said(hosted, first, room):
    """Returns a function that gives the first line a bot prints, in a process of its own."""

    def play(entry):
        played = room(entry, first, isolation=Isolation.PROCESS).play()
        assert () == played.faults
        return "".join(text for name, text, _ in played.logs if name == "hosted").splitlines()[0]

    return play


@pytest.fixture
def executed(monkeypatch):
    """Returns a function after which the program of every bot is executed."""
    return lambda: monkeypatch.setattr(spawner, "_may_stay", lambda *_, **__: False)


def test_a_bot_finds_what_it_would_find_in_a_program_that_was_executed(hosted, said, executed):
    """Its user, rights, limits, filters of system calls, descriptors, environment, arguments and modules."""
    entry = hosted(FINDS)
    stayed = msgspec.json.decode(said(entry))
    executed()

    assert msgspec.json.decode(said(entry)) == stayed
    assert (True, False, []) == (stayed["own user"], stayed["root"] and is_root(), stayed["launcher"])


def test_the_command_line_of_a_bot_that_was_not_executed_says_nothing_of_it(hosted, said):
    """Other bots can read it as long as it runs: the settings, which name its folder, come in a file without a name."""
    entry = hosted(SAYS)
    words = said(entry)

    assert STAYING_LAUNCHER + HOST in words
    assert os.path.dirname(entry["bot"]) not in words
    assert bytes(os.path.dirname(entry["bot"]), "utf-8").hex() not in words


def test_a_bot_with_variables_of_its_own_is_executed(hosted, said):
    """They could change how the launcher's Python starts, which has all rights still."""
    words = said(hosted(SAYS, env={"MARK": "1"}))

    assert STAYING_LAUNCHER not in words
    assert HOST in words


def test_no_code_of_a_bot_runs_before_its_rights_are_given_up(hosted, said, tmp_path):
    """Its folder on PYTHONPATH holds a module that Python imports at each start; it runs as the user of the bot."""
    text = SAYS.replace("/proc/self/cmdline", "started-as")
    folder = tmp_path / "hosted"
    entry = hosted(text, env={"PYTHONPATH": str(folder)})
    (folder / "sitecustomize.py").write_text(WHO_STARTS)

    users = said(entry)

    assert 1 == users.count("\\n")
    assert not (is_root() and "'0\\n'" in users)


def test_a_launcher_that_goes_on_and_cannot_set_its_limits_stops_the_run(hosted, said, monkeypatch):
    """It says why, like one that executes."""
    monkeypatch.setattr(spawner, "_limits", lambda *_, **__: {"RLIMIT_NOFILE": -5})

    with pytest.raises(RuntimeError, match="the limits of a bot's process cannot be set: "):
        said(hosted(SAYS))
