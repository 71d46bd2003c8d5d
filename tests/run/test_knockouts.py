"""A knockout with a bot that keeps failing: scaling.md, Interruptions and failures: it is beaten, not withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_runs import CRASHER
from test_resume import Stopper

from tournament import audit, run_tournament
from tournament.configuration.types import Budget
from tournament.ranking.sources import read_sources
from tournament.records.run import Format
from tournament.schedule.withdrawals import Withdrawals
from tournament.store.folder import read_run
from tournament.store.results import read_results


@pytest.fixture
def played(configure, bots, tmp_path) -> tuple[Path, Stopper]:
    """A knockout in which a bot failed in more than three games, and what was told of it."""
    (bots / "dora.py").write_text(CRASHER)
    watcher = Stopper()
    configuration = configure(schedule=Format.KNOCKOUT, budget=Budget(deals=3))
    return run_tournament(configuration, out=tmp_path / "run", observer=watcher), watcher


def test_nobody_is_withdrawn_from_a_knockout(played):
    """Neither said nor written: no table is left out."""
    folder, watcher = played

    assert 4 <= sum(bool(result.faults) for result in read_results(folder))
    assert () == read_run(folder).withdrawn
    assert not [text for text in watcher.notes if "withdrawn" in text]


def test_audit_and_standings_agree_that_nobody_is_withdrawn_from_a_knockout(played):
    """What the results give is what the run says."""
    folder, _ = played

    assert () == tuple(audit(folder).findings)
    assert not [note for note in read_sources([folder]).notes if "withdrawn" in note]


def test_faults_in_a_knockout_do_not_count_in_a_later_segment(played):
    """Who is withdrawn from a final is so for what it did in the final."""
    folder, _ = played
    (segment,) = read_run(folder).segments
    withdrawals = Withdrawals([segment])
    results = list(read_results(folder))

    assert [] == withdrawals.note(results[0].block, results)
