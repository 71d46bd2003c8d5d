"""Whether a bot used the processor while nothing was asked of it."""

from __future__ import annotations

import os

import pytest

from tournament.players.linux import supervision, trees
from tournament.players.linux.supervision import MS, Hold, Tree

LIMIT = supervision.RESTLESS_NS


def hold(monkeypatch, *times_ns, cores=1):
    """Returns the hold of a bot whose processor time is so much at each look."""
    times = iter(times_ns)
    monkeypatch.setattr(supervision, "usable_cores", lambda: cores)
    monkeypatch.setattr(trees, "cpu_ns", lambda clock: next(times))
    return Hold(os.getpid(), Tree(most_bytes=1, uid=None, sandboxed=False))


@pytest.mark.parametrize(("used_ns", "restless"), [(LIMIT, False), (LIMIT + 1, True)])
def test_a_bot_is_restless_that_used_much_after_its_answer(monkeypatch, used_ns, restless):
    one = hold(monkeypatch, 0, used_ns)
    one.see(1000)

    assert restless == one.was_restless(1000 + MS, answered_at=1000)


@pytest.mark.parametrize("cores", [1, 2])
def test_what_a_bot_can_have_needed_for_its_answer_counts_for_nothing(monkeypatch, cores):
    one = hold(monkeypatch, 0, LIMIT + 100 * cores, cores=cores)
    one.see(1000)

    assert not one.was_restless(1000 + MS, answered_at=1100)


def test_what_was_counted_once_is_not_counted_again(monkeypatch):
    one = hold(monkeypatch, 0, 2 * LIMIT, 2 * LIMIT)
    one.see(0)

    assert [True, False] == [one.was_restless(10, answered_at=0), one.was_restless(20, answered_at=10)]
