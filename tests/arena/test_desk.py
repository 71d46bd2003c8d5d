"""What the referee tells the hosts, and when the database does not take it."""

from __future__ import annotations

import pytest
from arena.courts import make_competition
from django.db import OperationalError


@pytest.fixture
def desk(arena):
    from tournament.arena.play.desk import Desk

    return Desk(folder=arena, say=lambda text: None)


def told():
    from tournament.arena.models import Trouble

    return list(Trouble.objects.values_list("text", flat=True))


def not_told(desk, monkeypatch, text, **words):
    """Tells a trouble while the database takes nothing."""
    from tournament.arena.models import Trouble

    with monkeypatch.context() as full:
        full.setattr(Trouble, "save", refuse)
        with pytest.raises(OperationalError):
            desk.trouble(text, **words)


def refuse(*_, **__):
    raise OperationalError("database or disk is full")


def test_a_trouble_that_the_database_did_not_take_is_told_once_it_does(desk, monkeypatch):
    not_told(desk, monkeypatch, "The disk is full.")
    before = told()
    desk.tell_hosts()

    assert ([], ["The disk is full."]) == (before, told())


def test_a_trouble_of_a_competition_that_is_gone_keeps_no_other_from_being_told(arena, desk, monkeypatch):
    from tournament.arena.models import CompetitionRow

    _, row = make_competition(arena)
    not_told(desk, monkeypatch, "It fails.", competition=row)
    not_told(desk, monkeypatch, "The disk is full.")
    CompetitionRow.objects.all().delete()
    desk.tell_hosts()

    assert ["The disk is full."] == told()
