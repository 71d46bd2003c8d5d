"""A tournament with hostile bots comes to its end, leaks nothing, and changes nothing for the others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from kit import KIT
from mixed import honest_records, play_mixed

from tournament.auditing import audit
from tournament.configuration.types import Budget
from tournament.records.run import RunState
from tournament.records.settings import Isolation
from tournament.store.folder import read_run

pytestmark = pytest.mark.long

CHOSEN = (
    "never answers",
    "crashes the interpreter",
    "floods stderr",
    "leaves a daemon behind",
    "exits at hello",
    "a fork bomb",
    "answers twice",
    "ponders in a thread",
    "many files",
)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """A run of a few hundred games, what was counted on the way, and what is left of it."""
    attacks = [attack for attack in KIT if attack.name in CHOSEN]
    assert len(CHOSEN) == len(attacks)
    base = tmp_path_factory.mktemp("mixed")
    run, counter = play_mixed(base, attacks, isolation=Isolation.PROCESS, budget=Budget(deals=2))
    return run, counter, counter.gained()


def test_the_tournament_is_complete_and_its_audit_clean(mixed):
    """Tournament complete; whoever keeps failing is withdrawn."""
    run, counter, _ = mixed
    info = read_run(run)

    assert RunState.COMPLETE is info.state
    assert counter.games >= 200
    assert () == tuple(audit(str(run)).findings)
    failing = {"never answers", "crashes the interpreter", "floods stderr", "exits at hello", "a fork bomb"}
    assert failing | {"answers twice"} == {one.entrant for one in info.withdrawn}


def test_processes_and_descriptors_stay_constant(mixed):
    """Constant descriptors and processes: no more in the second half than in the first, none afterwards."""
    _, counter, left = mixed
    half = len(counter.counts) // 2
    most = [tuple(map(max, zip(*part, strict=True))) for part in (counter.counts[:half], counter.counts[half:])]

    assert most[1][0] <= most[0][0]
    assert most[1][1] <= most[0][1]
    assert (set(), set()) == left


def test_honest_bots_play_what_they_play_without_the_others(mixed):
    """Honest bots' results the same as without."""
    run, _, _ = mixed
    pairs = honest_records(run)

    assert len(pairs) >= 48
    assert [without for _, without in pairs] == [there for there, _ in pairs]
