"""Rounds on a Dask cluster, as the page on operating says, whose workers and scheduler go while they are played."""

from __future__ import annotations

import pytest
from arena.courts import go_on, made_round, make_competition, make_version, planned, play_without_cluster
from needs import need_module

from tournament import audit
from tournament.arena.play import works
from tournament.arena.play.lane_runner import MOST_ON_NO_CLUSTER
from tournament.arena.states import move_competition
from tournament.arena.transitions import CompetitionState
from tournament.records.results import RESULTS_FILE

need_module("distributed", extra="cluster")
need_module("cryptography", extra="cluster")
pytestmark = [
    pytest.mark.long,  # a scheduler and workers are started and killed
    pytest.mark.filterwarnings("default"),  # Dask's own sockets and files are not ours to close
]

SLOW = """
import time

from tournament import Bot


class Slow(Bot):
    def act(self, view):
        time.sleep(0.01)
        return view.legal_actions()[0]
"""


@pytest.fixture
def cluster(tmp_path):
    """Returns a scheduler with one worker."""
    from small_clusters import SmallCluster

    folder = tmp_path / "cluster"
    folder.mkdir()
    one = SmallCluster(folder)
    one.first = one.worker()
    yield one
    one.close()


@pytest.fixture
def half_played(arena, cluster, referee):
    """Returns a referee in the middle of the first round, which a cluster plays, and the folder of its competition."""
    folder, row = make_competition(arena)
    make_version(folder, row, program=SLOW)
    made_round(folder, planned("keeper.v1", "random", "cautious", blocks=30))
    refereeing = referee(cluster=cluster.address)
    results = folder.round(1) / RESULTS_FILE
    go_on(refereeing, lambda: results.exists() and results.stat().st_size > 0)
    assert "playing" == states()[0]
    return refereeing, folder


def states():
    from tournament.arena.models import RoundRow

    return list(RoundRow.objects.order_by("number").values_list("state", flat=True))


def troubles():
    """Returns what hosts read in the control room."""
    from tournament.arena.models import Trouble

    return "\n".join(Trouble.objects.values_list("text", flat=True))


def games_of(folder):
    return len((folder.round(1) / RESULTS_FILE).read_text().splitlines())


def check_whole(folder):
    assert (30 * 3, []) == (games_of(folder), list(audit(folder.round(1)).findings))


def test_a_round_whose_worker_went_is_told_and_goes_on_with_the_next_worker(half_played, cluster, monkeypatch):
    refereeing, folder = half_played
    monkeypatch.setattr(works, "STALLED_SECONDS", 3.0)
    cluster.first.kill()

    go_on(refereeing, lambda: "Round 1 has not got on" in troubles())
    assert "playing" == states()[0]
    cluster.worker()
    go_on(refereeing, lambda: states()[0] == "complete")

    check_whole(folder)


def test_a_round_whose_scheduler_went_is_told_and_goes_on_when_it_is_back(half_played, cluster):
    refereeing, folder = half_played
    cluster.lose_scheduler()

    go_on(refereeing, lambda: "Round 1 cannot go on for now on the cluster" in troubles())
    assert "tournament resume" not in troubles()
    assert games_of(folder) < 30 * 3
    cluster.bring_scheduler_back()
    cluster.worker()
    go_on(refereeing, lambda: states()[0] == "complete")

    check_whole(folder)


def test_a_round_whose_scheduler_went_goes_on_on_this_machine_where_its_host_says_so(half_played, cluster, referee):
    from tournament.arena.models import CompetitionRow

    before, folder = half_played
    cluster.lose_scheduler()
    go_on(before, lambda: "Round 1 cannot go on" in troubles())
    before.end()
    move_competition(CompetitionRow.objects.get(), CompetitionState.FROZEN)  # no further round is planned
    refereeing = referee()

    go_on(refereeing, lambda: states()[0] == "complete")

    check_whole(folder)


def test_while_rounds_fail_on_a_cluster_that_is_away_hardly_any_are_planned(arena, referee, monkeypatch):
    """Each would fail there, and all of them would wait."""
    from tournament.arena.models import RoundRow

    monkeypatch.setattr(works, "play_round", play_without_cluster)
    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    refereeing = referee(cluster="tcp://127.0.0.1:1")
    long_lane = refereeing.lanes[1]
    waiting = RoundRow.objects.filter(lane="long")
    go_on(refereeing, lambda: waiting.count() == MOST_ON_NO_CLUSTER)

    failed = long_lane._failures_on_cluster
    go_on(refereeing, lambda: long_lane._failures_on_cluster >= failed + 3)

    assert MOST_ON_NO_CLUSTER == waiting.count()
    assert "cannot go on for now on the cluster tcp://127.0.0.1:1, and is tried again: nobody is there" in troubles()
