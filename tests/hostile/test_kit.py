"""Every bot of the hostile kit at each level, as root and as an ordinary user."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest
from needs import need_sandbox

sys.path.insert(0, str(Path(__file__).parent))

from kit import KIT
from users import USERS, delegated_groups, run_as

from tournament.lab.hostile.crowds import CROWDS, PONDERS
from tournament.players.linux.files import is_root
from tournament.players.linux.group_places import find_places

pytestmark = pytest.mark.long

LEVELS = ("process", "sandbox")
HOSTS = [(user, "groups" if user == "root" else "no-groups") for user in USERS]
"""Who plays, and whether there are control groups: as it usually is."""

OTHER_HOSTS = [("root", "no-groups"), ("ordinary", "groups")] if is_root() and find_places() else []
"""As it is elsewhere; only root can give others groups."""

PONDERING = [attack.name for attack in PONDERS]
"""How much processor time these get is measured, so nothing else may run beside them but the same as another user."""

OTHERS = [attack.name for attack in KIT if attack.name not in PONDERING]
OTHER_CROWDS = [attack.name for attack in CROWDS if attack.name not in PONDERING]


def played(user, groups, level):
    """Returns by name what was not as it should be with each bot that does not ponder; played once."""
    hosts = HOSTS if (user, groups) in HOSTS else OTHER_HOSTS
    return begun(tuple(hosts), level)[user].result()


@cache
def begun(hosts, level):
    """Returns by user what plays at a level."""
    return play_at_once(OTHERS if hosts == tuple(HOSTS) else OTHER_CROWDS, hosts, level)


def play_at_once(names, hosts, level):
    """Plays some bots of the kit as all users at once, because most of the time is spent waiting."""
    if level == "sandbox":
        need_sandbox()  # not in a thread: it ends what it finds left of its own process
    with ThreadPoolExecutor(len(hosts)) as pool:
        return {user: pool.submit(play, names, user, groups, level) for user, groups in hosts}


def play(names, user, groups, level):
    """Returns by name what was not as it should be with some bots of the kit."""
    words = (str(Path(__file__).with_name("play_kit.py")), level, groups, *names)
    with delegated_groups() if (user, groups) == ("ordinary", "groups") else nullcontext(()) as delegated:
        done = run_as(user, *words, groups=delegated)
    assert 0 == done.returncode, done.stderr
    return {one["name"]: one["problems"] for one in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("user", "groups"), HOSTS)
def test_a_bot_that(name, level, user, groups):
    """Its exact outcome; afterwards no process, zombie, descriptor, file or temporary folder is left."""
    assert [] == played(user, groups, level)[name]


@pytest.mark.parametrize("name", OTHER_CROWDS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("user", "groups"), OTHER_HOSTS)
def test_a_bot_of_many_processes_where_groups_are_and_are_not(name, level, user, groups):
    """The same without control groups as root, and with delegated ones as an ordinary user."""
    assert [] == played(user, groups, level)[name]


@pytest.mark.alone
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("hosts", [HOSTS, *([OTHER_HOSTS] if OTHER_HOSTS else [])], ids=["usual", "elsewhere"])
def test_bots_that_ponder_while_others_think(level, hosts):
    """All in one test, which waits for the end of others only once; with control groups and without."""
    played = play_at_once(PONDERING, hosts, level)

    assert {user: {name: [] for name in PONDERING} for user, _ in hosts} == {
        user: one.result() for user, one in played.items()
    }


def test_the_kit_has_at_least_a_hundred_and_forty_bots_each_with_a_name_of_its_own():
    """A name, and a trouble."""
    assert len(KIT) >= 140
    assert len(KIT) == len({attack.name for attack in KIT}) == len({attack.trouble for attack in KIT})
