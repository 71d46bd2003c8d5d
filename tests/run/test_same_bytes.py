"""The same bytes whatever plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tournament import audit, read_records, run_tournament
from tournament.errors import BotError
from tournament.records.results import RESULTS_FILE
from tournament.store.folder import read_run
from tournament.store.results import read_results


def records(folder: Path) -> bytes:
    """Returns the bytes of the records and the results."""
    return (folder / "games.jsonl").read_bytes() + (folder / RESULTS_FILE).read_bytes()


@pytest.mark.parametrize("workers", [2, 8])
def test_several_workers_write_the_bytes_of_one(configure, tmp_path, workers):
    """Blocks are written whole and in schedule order from the window."""
    one = run_tournament(configure(workers=1), out=tmp_path / "one")
    several = run_tournament(configure(workers=workers), out=tmp_path / "several")

    assert records(one) == records(several)


def test_a_run_says_how_even_its_schedule_was(configure, tmp_path):
    """Balance (appearances, pairs, seats, successors) is stored."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    (balance,) = read_run(folder).balance

    assert {"ada": 9, "bea": 9, "cia": 9, "dora": 9} == balance.appearances
    assert (3, 3) == (balance.pairs.least, balance.pairs.most)


def test_results_say_the_same_as_the_records(configure, tmp_path):
    """results.jsonl: what a ranking needs, of every game."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    games = list(read_records(folder))
    results = list(read_results(folder))

    assert [game.id for game in games] == [result.id for result in results]
    assert [game.digest for game in games] == [result.digest for result in results]
    assert [game.result.places for game in games] == [result.places for result in results]


def test_a_schedule_by_games_and_its_sample_is_recomputed_by_the_audit(configure, tmp_path):
    """The schedule is a pure function of what run.json says."""
    from tournament.configuration.types import Budget

    folder = run_tournament(configure(budget=Budget(games=21)), out=tmp_path / "run")

    assert 20 == sum(1 for _ in read_results(folder))
    assert () == tuple(audit(folder).findings)


@pytest.mark.parametrize("line", ["raise ValueError('no')", "import os; os._exit(3)"])
def test_a_bot_that_does_not_load_is_told_before_anything_is_made(configure, bots, tmp_path, line):
    """No folder is left behind by a run that could not begin."""
    path = bots / "ada.py"
    path.write_text(f"{path.read_text()}\n\n{line}\n")

    with pytest.raises(BotError, match=r"ada|ends its process"):
        run_tournament(configure(workers=2), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
