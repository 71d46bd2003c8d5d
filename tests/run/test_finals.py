"""A final: fresh deals among those who may be first, ranked on these alone."""

from __future__ import annotations

import shutil

import pytest

from tournament import Run, audit, run_tournament
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.deals import is_predictable
from tournament.errors import RunError
from tournament.ranking.sources import read_sources
from tournament.run import growth
from tournament.run.growth import finalists
from tournament.store.folder import read_run

LAST = """from tournament import Bot


class Last(Bot):
    def act(self, view):
        return view.legal_actions()[-1]
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run so short that nobody is told apart, and its final."""
    source, _ = with_flags(
        default_source(), seed="final", budget=Budget(deals=1), isolation="none", games=("explorers:2",)
    )
    folder = run_tournament(resolve(source), out=tmp_path_factory.mktemp("finals") / "run")
    names = finalists(folder, read_run(folder))
    return folder, names, Run.open(folder).final(budget=Budget(deals=2), seed="fresh")


def clear_run(folder):
    """Plays a run that somebody wins beyond doubt, and returns its folder: random never does."""
    source, _ = with_flags(
        default_source(),
        seed="clear",
        budget=Budget(deals=14),
        isolation="none",
        games=("explorers:2",),
        bots=("bots/random_legal.py", "bots/explorers_cautious.py"),
    )
    return run_tournament(resolve(source), out=folder)


def test_a_final_is_a_new_segment_among_those_who_may_be_first(finished):
    """Fresh deals, a new segment, with the master that was given."""
    folder, names, segment = finished
    info = read_run(folder)

    assert 1 == segment
    assert {"random", "cautious", "steady", "strong"} == set(names)
    assert ["final", "fresh"] == [segment.master for segment in info.segments]
    assert set(names) == set(info.segments[1].fields[0].entrants)


def test_the_final_is_ranked_on_its_own_deals(finished):
    """Ranks on them alone."""
    folder, _, segment = finished
    games = {number: read_sources([folder], segment=number).standings().groups[0].games for number in (0, segment)}

    assert {0: 12, 1: 24} == games


def test_the_standings_of_the_run_are_without_its_final(finished):
    """Finalists met only each other: pooled with the rest they would pay for it."""
    folder, _, segment = finished
    sources = read_sources([folder])

    assert 12 == sources.standings().groups[0].games
    command = f"tournament standings RUN --segment {segment}"
    assert f"Segment {segment} is a final. It is ranked alone: `{command}`." in sources.notes
    assert (f"Segment {segment} alone.",) == read_sources([folder], segment=segment).notes


def test_a_run_with_a_final_passes_the_audit(finished):
    """Every segment has a commitment of its own."""
    assert () == tuple(audit(str(finished[0])).findings)


def test_a_final_draws_its_master_when_none_is_given(finished, tmp_path):
    """Who knew it could know the deals."""
    folder = tmp_path / "run"
    shutil.copytree(finished[0], folder)
    segment = Run.open(folder).final(budget=Budget(deals=1), again=True)

    assert not is_predictable(read_run(folder).segments[segment].master)


def test_a_second_final_is_refused_unless_it_is_asked_for(finished):
    """Finals until one is liked would decide nothing."""
    with pytest.raises(RunError, match=r"has had its final.*`again`"):
        Run.open(finished[0]).final(budget=Budget(deals=1))


def test_who_is_not_told_apart_from_the_first_is_in_the_final(tmp_path):
    """Also one with so few deals that others stand between, who are told apart from the first."""
    folder = clear_run(tmp_path / "run")
    (tmp_path / "last.py").write_text(LAST)
    Run.open(folder).extend(add=(str(tmp_path / "last.py"),), budget=Budget(deals=1), seed="clear")
    names = finalists(folder, read_run(folder))

    assert {"explorers_cautious", "last"} == set(names)


def test_who_is_first_beyond_doubt_needs_no_final(tmp_path):
    """There is nothing to decide."""
    folder = clear_run(tmp_path / "run")

    with pytest.raises(RunError, match="beyond doubt"):
        Run.open(folder).final()


def test_two_finalists_of_a_game_for_three_are_told_how_they_can_be_told_apart(tmp_path, monkeypatch):
    """No table seats them; the commands that do are named in full."""
    source, _ = with_flags(default_source(), seed="three", budget=Budget(deals=1), isolation="none", games=("scout:3",))
    folder = run_tournament(resolve(source), out=tmp_path / "run")
    monkeypatch.setattr(growth, "finalists", lambda *_: ("steady", "strong"))

    with pytest.raises(RunError) as refused:
        Run.open(folder).final()

    assert "The finalists are steady, strong: too few" in str(refused.value)
    assert f"tournament compare {folder} --bots steady strong" in str(refused.value)
    assert f"tournament extend {folder} --deals N" in str(refused.value)
