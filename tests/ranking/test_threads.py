"""Figures do not depend on how many threads linear algebra may use."""

from __future__ import annotations

import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from tournament.ranking.comparison import compare_results
from tournament.ranking.standings import rank


def threads() -> set[int]:
    """Returns how many threads the libraries that are loaded may use."""
    libraries = ThreadpoolController().select(user_api="blas").info()
    return {library["num_threads"] for library in libraries}


@pytest.mark.parametrize("work", [rank, lambda results: compare_results(results, ("A", "B"))])
def test_what_ranks_uses_one_thread_and_leaves_as_many_as_before(make, work):
    seen = []

    def results():
        seen.append(threads())
        for number in range(3):
            yield from make.two_player_block(number, (1, 0))

    with threadpool_limits(limits=2, user_api="blas"):
        work(results())
        seen.append(threads())

    assert [{1}, {2}] == seen
