"""Withdrawn bots in the standings, the report and the final of a run."""

from __future__ import annotations

import shutil

import pytest
from small_runs import CRASHER
from test_resume import Stopper
from test_withdrawing import MOODY

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget
from tournament.ranking.sources import read_sources
from tournament.report.choices import TableFormat
from tournament.report.comparison import format_rankings
from tournament.report.facts import read_facts
from tournament.report.pages import index_page
from tournament.report.shown.replays import Replays
from tournament.report.shown.verdicts import headlines
from tournament.report.standings import format_standings_file
from tournament.run.growth import finalists
from tournament.store.folder import read_run


@pytest.fixture
def failing(configure, bots, tmp_path):
    """A run of three like bots, and dora, which was withdrawn."""
    (bots / "dora.py").write_text(CRASHER)
    return run_tournament(configure(budget=Budget(deals=6)), out=tmp_path / "run", observer=Stopper())


def test_a_withdrawn_bot_is_marked_in_standings_and_page(failing):
    """In its place in the table, after all others."""
    text = format_standings_file(failing)
    page = index_page(read_facts(failing), replays=Replays(keep="all", available=None))

    assert "withdrawn" in next(line for line in text.splitlines() if "dora" in line)
    assert "<td>withdrawn</td>" in page
    assert "dora was withdrawn after" in page
    assert "Planned were 72 games" in page
    assert "Planned 72 games, played 70, 30 of them in place of others, left out 2<" in page
    assert () == tuple(audit(failing).findings)


def test_the_page_tells_games_of_a_final_beside_those_that_were_planned(failing):
    """All of them can be searched below."""
    Run.open(failing).final(budget=Budget(deals=2))
    facts = read_facts(failing)
    page = index_page(facts, replays=Replays(keep="all", available=None))

    assert len(facts.results) > 70
    in_a_final = len(facts.results) - 70
    assert f"played 70, 30 of them in place of others, left out 2; {in_a_final} in a final" in page
    assert f"Search all {len(facts.results)} games" in page


def test_a_withdrawn_bot_is_not_among_those_the_winner_is_compared_with(failing):
    """The headline is about the others."""
    (headline,) = headlines(read_sources([failing]).standings())

    assert "dora" not in f"{headline.winners} {headline.sure}"


def test_a_withdrawn_bot_is_no_finalist(failing):
    """Nor does it make one of others."""
    assert {"ada", "bea", "cia"} == set(finalists(failing, read_run(failing)))


def test_who_is_withdrawn_in_a_final_keeps_its_place_in_the_run(configure, bots, tmp_path):
    """It has played all of the run; the final marks it."""
    (bots / "cia.py").write_text(MOODY.format(games=6))
    folder = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    Run.open(folder).final(budget=Budget(deals=5))

    assert [] == [row.entrant for row in read_sources([folder]).standings().groups[0].rows if row.withdrawn]
    assert ["cia"] == [
        row.entrant for row in read_sources([folder], segment=1).standings().groups[0].rows if row.withdrawn
    ]


def test_pooled_with_a_run_in_which_it_played_on_nobody_is_marked(failing, configure, bots, tmp_path):
    """The same bot that was never withdrawn there has all its games; with a copy of its run it is marked still."""
    whole = run_tournament(configure(withdraw="never", name="whole", seed="b"), out=tmp_path / "whole")
    copy = shutil.copytree(failing, tmp_path / "copy")

    def marked(*folders):
        return [row.entrant for row in read_sources(folders).standings().groups[0].rows if row.withdrawn]

    assert [] == marked(failing, whole)
    assert ["dora"] == marked(failing, copy)


def test_what_a_run_says_of_itself_names_it_among_several(failing, tmp_path):
    """Two runs may have one name, so the path is told; of one run alone it is not."""
    copy = shutil.copytree(failing, tmp_path / "copy")
    pooled, alone = read_sources([failing, copy]).notes, read_sources([failing]).notes
    changed = format_rankings(read_sources([failing]), read_sources([copy]), form=TableFormat.TABLE).splitlines()

    for start in ("dora was withdrawn after", "Planned were 72 games"):
        assert any(note.startswith(start) for note in alone)
        for folder in (failing, copy):
            assert any(note.startswith(f"{folder}: {start}") for note in pooled)
        for when in ("before", "after"):
            assert any(line.startswith(f"{when}, ") and start in line for line in changed)
