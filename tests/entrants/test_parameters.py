"""Parameters of bots: what a class certainly does not take, or lacks, is refused before anything is played."""

from __future__ import annotations

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError

ACT = "    def act(self, view): ...\n"
INIT = "    def __init__(self, depth, *, width=3): ...\n"


def refused(folder, text, *, version=2, **params):
    """Returns why an entry with these parameters is refused, or None."""
    (folder / "some.py").write_text(f"from tournament import Bot\n{text}")
    try:
        entrants_from([{"bot": "some.py:A", "params": params}], base=folder, version=version)
    except BotError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    "text",
    [
        f"class A(Bot):\n{INIT}{ACT}",
        f"class Base(Bot):\n{INIT}\nclass A(Base):\n{ACT}",
        f"from abc import ABC\nclass A(Bot, ABC):\n{INIT}{ACT}",
        f"class A(Bot):\n    def __init__(self, depth, width=3, *more): ...\n{ACT}",
    ],
)
def test_a_parameter_that_init_does_not_take_is_refused(text, tmp_path):
    """With the names that it takes."""
    assert None is refused(tmp_path, text, depth=1, width=2)
    assert (
        'A in some.py:A has no parameter "dept". Did you mean "depth"? `__init__` of A takes depth, width. '
        "Take dept out of params."
    ) == refused(tmp_path, text, dept=1)


def test_a_bot_without_init_takes_none(tmp_path):
    assert 'A in some.py:A has no parameter "depth". A takes none. Take depth out of params.' == refused(
        tmp_path, f"class A(Bot):\n{ACT}", depth=1
    )


@pytest.mark.parametrize(
    "text",
    [
        f"class A(Bot):\n{INIT}{ACT}",
        f"class Base(Bot):\n{INIT}\nclass A(Base):\n{ACT}",
        f"class A(Bot):\n    def __init__(self, *, width=3, depth): ...\n{ACT}",
        f"class A(Bot):\n    def __init__(self, depth, **others): ...\n{ACT}",
    ],
)
def test_a_parameter_that_init_needs_and_is_not_given_is_refused(text, tmp_path):
    assert (
        "`__init__` of A in some.py:A needs depth. Give it a value in the entry of the bot, params: {depth: VALUE}, or "
        "a default in `__init__`."
    ) == refused(tmp_path, text, width=2)


def test_all_parameters_that_lack_are_named_at_once(tmp_path):
    text = f"class A(Bot):\n    def __init__(self, depth, width): ...\n{ACT}"

    assert "needs depth and width. Give each a value" in refused(tmp_path, text)
    assert "needs width." in refused(tmp_path, text, depth=1)


def test_a_bot_that_needs_a_parameter_can_be_listed(tmp_path):
    """Its file is not broken."""
    (tmp_path / "some.py").write_text(f"from tournament import Bot\nclass A(Bot):\n{INIT}{ACT}")
    unread = []

    assert ["some"] == [one.name for one in entrants_from(["."], base=tmp_path, unread=unread)]
    assert [] == unread


def test_what_comes_before_a_slash_cannot_be_given_by_name(tmp_path):
    text = f"class A(Bot):\n    def __init__(self, depth=1, /, width=2): ...\n{ACT}"

    assert "takes width. Take depth out" in refused(tmp_path, text, depth=1)


@pytest.mark.parametrize(
    "text",
    [
        f"class A(Bot):\n    def __init__(self, **given): ...\n{ACT}",
        f"from dataclasses import dataclass\n@dataclass\nclass A(Bot):\n    depth: int\n{ACT}",
        f"from elsewhere import Mixin\nclass A(Mixin, Bot):\n{ACT}",
        f"class Mixin:\n{INIT}\nclass A(Mixin, Bot):\n{ACT}",
        f"class A(Bot):\n    __init__ = make()\n{ACT}",
        f"class A(Bot):\n    @wrapped\n    def __init__(self): ...\n{ACT}",
        f"class A(Bot):\n    def __new__(cls, **given): ...\n{ACT}",
        f"class A(Bot, metaclass=Meta):\n{ACT}",
        f"class A(Bot):\n    if True:\n        def __init__(self, x): ...\n{ACT}",
        f"class One(Bot):\n{INIT}\nclass Two(Bot): ...\nclass A(One, Two):\n{ACT}",
    ],
)
def test_where_reading_cannot_tell_nothing_is_refused(text, tmp_path):
    """A start that fails is a fault of the bot then."""
    assert None is refused(tmp_path, text, x=1)


def test_a_run_of_an_earlier_version_goes_on_with_its_bots(tmp_path):
    """There the parameter, or its lack, was a fault in each game."""
    assert None is refused(tmp_path, f"class A(Bot):\n{ACT}", version=1, depth=1)
    assert None is refused(tmp_path, f"class A(Bot):\n{INIT}{ACT}", version=1)
