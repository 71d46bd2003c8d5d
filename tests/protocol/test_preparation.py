"""What is checked and done before play: levels, builds, and machines that lack something."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import tournament
from tournament.entrants.entries import entrants_from
from tournament.errors import BotError, ConfigurationError
from tournament.players.linux import sandbox, spawner
from tournament.players.preparation import build_bots, prepare_hosting
from tournament.records.settings import Hosting, Isolation, Limits, TimeControl

TEXT = "class A(Bot):\n    def act(self, view): return view.legal_actions()[0]\n"


def prepare(base, *entries, isolation=Isolation.PROCESS, allow_mixed=False):
    """Returns the notices for entrants at a level."""
    return prepare_hosting(entrants_from(entries, base=base), Hosting(isolation=isolation), allow_mixed=allow_mixed)


def test_a_command_is_refused_at_level_none(raw, tmp_path):
    """Commands work at process and sandbox, and are refused at none."""
    with pytest.raises(BotError, match=r'"raw" is a command, and isolation none plays Python bots only'):
        prepare(tmp_path, raw(""), isolation=Isolation.NONE)


def test_what_only_a_process_can_have_is_refused_at_level_none(hosted, tmp_path):
    """Python, env and limits of a bot."""
    with pytest.raises(BotError, match="has limits, which means nothing at isolation none"):
        prepare(tmp_path, hosted(TEXT, limits={"memory_mb": 64}), isolation=Isolation.NONE)


def test_mixing_none_with_another_level_needs_the_flag(hosted, tmp_path):
    entries = [hosted(TEXT, "a", isolation="none"), hosted(TEXT, "b")]
    with pytest.raises(ConfigurationError, match="say `allow_mixed`"):
        prepare(tmp_path, *entries)

    assert () == prepare(tmp_path, *entries, allow_mixed=True)


def test_a_missing_sandbox_is_refused_with_the_command_that_installs_it(hosted, tmp_path, monkeypatch):
    """Missing or not working: a clear refusal with the install command."""
    sandbox.check_sandbox.cache_clear()
    monkeypatch.setattr(sandbox, "PROGRAM", "no-such-bwrap")
    with pytest.raises(ConfigurationError, match="sudo apt-get install bubblewrap"):
        prepare(tmp_path, hosted(TEXT), isolation=Isolation.SANDBOX)
    sandbox.check_sandbox.cache_clear()


def test_a_sandbox_that_does_not_work_is_refused_with_what_it_said(hosted, tmp_path, monkeypatch):
    """Tested at start with a trivial command."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(0o755)
    sandbox.check_sandbox.cache_clear()
    monkeypatch.setattr(sandbox, "PROGRAM", str(program))
    with pytest.raises(ConfigurationError, match="bubblewrap says: setting up uid map: Permission denied"):
        prepare(tmp_path, hosted(TEXT), isolation=Isolation.SANDBOX)
    sandbox.check_sandbox.cache_clear()


def test_a_limit_that_cannot_be_set_is_an_error_of_the_run(raw, first, room, monkeypatch):
    """Not a warning, and no fault of the bot."""
    limits = spawner._limits
    monkeypatch.setattr(spawner, "_limits", lambda *args, **kwargs: {**limits(*args, **kwargs), "RLIMIT_NOFILE": -5})
    with pytest.raises(RuntimeError, match="the limits of a bot's process cannot be set: "):
        room(raw(""), first, isolation=Isolation.PROCESS).play()


def test_a_build_runs_in_the_folder_of_the_configuration(tmp_path):
    said = []
    entry = {"name": "x", "command": ["./x"], "build": [sys.executable, "-c", "open('built', 'w')"]}
    build_bots([entry], base=tmp_path, say=said.append)

    assert (tmp_path / "built").exists()
    assert [f"Building x in {tmp_path}: {shlex.join(entry['build'])}"] == said


def test_a_build_that_fails_is_refused_with_its_last_lines(tmp_path):
    entry = {"name": "rusty", "command": ["./x"], "build": [sys.executable, "-c", "print('no such header'); exit(2)"]}
    with pytest.raises(BotError, match=r"build of rusty .* failed with exit code 2\. Fix it:\nno such header"):
        build_bots([entry], base=tmp_path, say=print)


def test_a_bot_may_have_limits_and_a_clock_of_its_own(hosted, tmp_path):
    """Per bot in the configuration."""
    entry = hosted(TEXT, limits={"memory_mb": 64}, clock={"move_ms": 5}, env={"A": "1"}, isolation="sandbox")
    source = entrants_from([entry], base=tmp_path)[0].bots[0]

    assert (64, None) == (source.limits.memory_mb, source.limits.processes)
    assert (5, None) == (source.clock.move_ms, source.clock.bank_ms)
    assert ({"A": "1"}, Isolation.SANDBOX) == (source.env, source.isolation)
    assert (512, 1000) == (Limits().memory_mb, TimeControl().move_ms)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"limits": {"memory": 64}}, 'a: "memory" is not known here. Did you mean "memory_mb"?'),
        ({"clock": {"move_ms": 0}}, "a: clock, move_ms: expected a whole number from 1, found 0. For example: clock"),
        ({"isolation": "jail"}, "a: isolation: expected one of none, process, sandbox, found"),
        ({"env": {"A": 1}}, "env of a is names with texts"),
        ({"python": "nowhere"}, 'python: "nowhere" is no Python'),
    ],
)
def test_a_wrong_value_of_an_entry_is_named(entry, says, hosted, tmp_path):
    """Errors say what was expected, what was found, and what to do."""
    with pytest.raises(BotError) as caught:
        entrants_from([hosted(TEXT, "a", **entry)], base=tmp_path)

    assert says in str(caught.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has bots run as other users")
def test_bots_start_with_an_environment_in_a_folder_that_only_root_may_enter(tmp_path):
    """As `.ci/run` has it: what is shown of a closed folder must not be shown twice, one part below another."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    venv.create(closed / "environment", with_pip=False, symlinks=True)
    packages = next((closed / "environment").glob("lib/python*/site-packages"))
    for number, folder in enumerate((sysconfig.get_paths()["purelib"], Path(tournament.__file__).parents[1])):
        (packages / f"{number}.pth").write_text(f"{folder}\n")
    done = subprocess.run(
        [closed / "environment" / "bin" / "python", "-m", "tournament", "run", "--game", "explorers:2", "--deals", "1"]
        + ["--bots", "bots/random_legal.py", "--bots", "bots/explorers_cautious.py", "--out", tmp_path / "run"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert "2 of 2 planned games, no faults" in done.stdout, done.stderr
