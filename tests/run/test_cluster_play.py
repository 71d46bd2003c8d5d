"""What `run.json` keeps of the workers of a cluster; here one process plays, and says it was a cluster."""

from __future__ import annotations

import json

import pytest
from small_clusters import Following

from tournament import Run, audit, run_tournament
from tournament.cli.progress import format_cluster
from tournament.records.run import ClusterPlay
from tournament.run.crews import OwnProcess
from tournament.store.folder import read_run

AUDIT = "Segment 0 was played by 4 workers of a cluster; lost on the way: 2 workers, and 6 blocks that had to be played"


class Failing(Following):
    """Ends the run after its first block."""

    def block(self, block, results):
        raise ValueError("broken")


@pytest.fixture
def gone_on(configure, tmp_path, monkeypatch):
    """Returns a run that a cluster played in two parts."""
    played = ClusterPlay(workers=2, lost_workers=1, lost_blocks=3)
    monkeypatch.setattr(OwnProcess, "cluster_play", lambda _: played)
    run = Run.begin(configure(), tmp_path / "run", observer=Failing())
    with pytest.raises(ValueError, match="broken"):
        run.play()
    assert played == read_run(tmp_path / "run").segments[0].cluster
    Run.open(tmp_path / "run").play()
    return tmp_path / "run"


def test_a_run_that_went_on_has_the_sums(gone_on):
    assert ClusterPlay(workers=4, lost_workers=2, lost_blocks=6) == read_run(gone_on).segments[0].cluster


def test_the_audit_says_that_the_file_alone_tells_of_the_cluster(gone_on):
    report = audit(gone_on)

    assert [] == list(report.findings)
    assert 1 == sum(AUDIT in note for note in report.notes)


def test_the_run_says_it_at_its_end(gone_on):
    assert [
        "Played by 4 workers of a cluster; lost on the way: 2 workers, and 6 blocks that had to be played again."
    ] == format_cluster(read_run(gone_on))


def test_a_run_without_a_cluster_says_nothing_of_one(configure, tmp_path):
    folder = run_tournament(configure(), out=tmp_path / "run")
    (segment,) = json.loads((folder / "run.json").read_text())["segments"]

    assert "cluster" not in segment
    assert [] == format_cluster(read_run(folder))
