"""What only Linux can do is refused elsewhere before anything starts; here the system has another name."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.errors import ConfigurationError
from tournament.lab.hostile import kit
from tournament.lab.hostile.selftest import SAFE
from tournament.players.linux.sandbox import check_sandbox
from tournament.players.preparation import NOT_LINUX
from tournament.records.settings import Isolation

ENTRY = "bots: [{bot: scout_greedy, isolation: sandbox}, scout_cautious]\ngames: [{game: scout, players: 2}]\n"
DUEL = ["--game", "scout:2", "--bots", "scout_greedy,scout_cautious", "--deals", "1"]


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """An empty folder on a system that is called Darwin, where starting a program fails the test."""

    def started(*words, **options):
        raise AssertionError(f"started: {words}")

    sysconfig.get_config_vars()  # has the name of the system in the name of a module
    check_sandbox.cache_clear()
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    check_sandbox.cache_clear()


@pytest.mark.parametrize(
    "words",
    [
        ["selftest"],
        ["selftest", "--json"],
        ["run", *DUEL, "--isolation", "sandbox"],
        ["run", "mine.yaml"],
        ["plan", "mine.yaml"],
        ["bot", "check", "scout_greedy", "--isolation", "sandbox"],
        ["bot", "check", "mine.yaml#scout_greedy"],
    ],
    ids=" ".join,
)
def test_a_command_that_needs_linux_says_so_before_it_starts(elsewhere, words):
    (elsewhere / "mine.yaml").write_text(ENTRY)
    done = CliRunner().invoke(app, words)

    assert isinstance(done.exception, ConfigurationError), done.output
    assert "needs Linux" in str(done.exception)
    assert ("", ["mine.yaml"]) == (done.stdout, [path.name for path in elsewhere.iterdir()])


def test_a_bot_that_misbehaves_on_purpose_is_not_started(elsewhere):
    with pytest.raises(ConfigurationError, match="needs Linux"):
        kit.try_attack(SAFE[0], Isolation.PROCESS)


def test_limits_that_are_not_kept_are_told_with_the_configuration(elsewhere):
    source, _ = with_flags(default_source(), isolation="process", games=["scout:3"])

    assert NOT_LINUX in resolve(source).notices
    assert "the limit `processes`" in NOT_LINUX
