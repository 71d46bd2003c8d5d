"""Every bot of the hostile kit at each level, as root and as an ordinary user (issue 3, item 11)."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from needs import need_sandbox

sys.path.insert(0, str(Path(__file__).parent))

from kit import KIT
from users import USERS, run_as

LEVELS = ("process", "sandbox")


@cache
def played(user, level):
    """Returns by name what was not as it should be with each bot of the kit; played once."""
    if level == "sandbox":
        need_sandbox()
    done = run_as(user, str(Path(__file__).with_name("play_kit.py")), level)
    assert 0 == done.returncode, done.stderr
    return {one["name"]: one["problems"] for one in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", [attack.name for attack in KIT])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("user", USERS)
def test_a_bot_that(name, level, user):
    """Its exact outcome; afterwards no process, zombie, descriptor, file or temporary folder is left."""
    assert [] == played(user, level)[name]


def test_the_kit_has_at_least_forty_bots_each_with_a_name_of_its_own():
    """Issue 3, item 11."""
    assert len(KIT) >= 40
    assert len(KIT) == len({attack.name for attack in KIT}) == len({attack.trouble for attack in KIT})
