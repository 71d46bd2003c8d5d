"""Analyses in a report: the games they judge are in it, with their graphs and their costliest moves."""

from __future__ import annotations

import json
import re

import pytest
from made_analyses import made_analysis
from made_runs import small_run
from msgspec import structs
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import RecordError
from tournament.report import listing
from tournament.report.site import write_report
from tournament.store.analyses import read_analysis, write_analysis
from tournament.store.layout import Reference
from tournament.store.reader import find_record

GAMES = ("scout-3p.0.000000.2", "explorers-2p.0.000000.1")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run of both games."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def judged(run, tmp_path_factory):
    """A folder with analyses of two of its games, in one of which nothing cost anything."""
    folder = tmp_path_factory.mktemp("judged")
    for record_id, costs in zip(GAMES, ({4: (3.0, 1.0), 7: (2.0, 2.5)}, {}), strict=True):
        record = find_record(Reference(run, record_id))
        write_analysis(made_analysis(record, costs=costs), folder / f"{record_id}.json")
    return folder


@pytest.fixture(scope="module")
def report(run, judged, tmp_path_factory):
    """The folder of the report with both."""
    return write_report(run, tmp_path_factory.mktemp("reports") / "report", analyses=[judged]).parent


def test_the_list_of_games_leads_to_the_costliest_moves(report):
    """In the report, with links to their steps."""
    page = (report / "index.html").read_text()
    listed = page.partition("Analysed: what the moves were worth")[2].partition("</details>")[0]

    assert [(GAMES[0], "4"), (GAMES[0], "7")] == re.findall(r'games/([\w.-]+)\.html#step=(\d+)"', listed)
    assert "▼ step 4" in listed
    assert "▽ step 7" in listed
    assert "lost 3.0 ± 1.0" in listed
    assert "no move cost anything" in listed


def test_games_with_an_analysis_have_it_in_their_page_and_beside_it(report, judged):
    """The graph and the table in the page; JSON beside every table."""
    pages = {path.stem for path in (report / "games").iterdir() if '"analysis"' in path.read_text()}

    assert set(GAMES) == pages
    for record_id in GAMES:
        assert read_analysis(judged / f"{record_id}.json") == read_analysis(report / f"data/analysis-{record_id}.json")


def test_the_search_of_games_names_those_with_an_analysis(report):
    """In the list of all games they are marked."""
    data = re.search(r'id="data">([^<]*)<', (report / "games.html").read_text())[1]

    assert sorted(GAMES) == json.loads(data)["analysed"]


def test_a_long_run_carries_the_games_that_were_judged(run, judged, tmp_path, monkeypatch):
    """Whatever the sample is: who gives an analysis wants to see it."""
    for name in ("ALL_GAMES", "FAULTY_GAMES", "GAMES_OF_A_KIND"):
        monkeypatch.setattr(listing, name, 1)
    page = write_report(run, tmp_path / "report", analyses=[judged / f"{GAMES[0]}.json"])
    carried = {path.stem for path in (page.parent / "games").iterdir()}

    assert GAMES[0] in carried
    assert GAMES[1] not in carried


def test_without_analyses_nothing_is_said_of_them(run, tmp_path):
    """No heading, no file; and an older report with them is replaced."""
    page = write_report(run, tmp_path / "report")

    assert "Analysed" not in page.read_text()
    assert [] == list((page.parent / "data").glob("analysis*"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"record": "scout-3p.0.000099.0"}, "judges scout-3p.0.000099.0, and .* has no such game"),
        ({"digest": "0" * 64}, "with the digest 000000000000, and this record is scout-3p.0.000000.2 with"),
    ],
    ids=["game", "digest"],
)
def test_an_analysis_of_no_game_of_the_run_is_refused(run, judged, tmp_path, change, said):
    """The file is named, and nothing is written."""
    path = tmp_path / "other.json"
    write_analysis(structs.replace(read_analysis(judged / f"{GAMES[0]}.json"), **change), path)

    with pytest.raises(RecordError, match=said):
        write_report(run, tmp_path / "report", analyses=[path])
    assert not (tmp_path / "report").exists()


def test_two_analyses_of_one_game_are_refused(run, judged, tmp_path):
    """Nobody could say which of them is shown."""
    path = tmp_path / "again.json"
    path.write_bytes((judged / f"{GAMES[0]}.json").read_bytes())

    with pytest.raises(RecordError, match="both judge scout-3p"):
        write_report(run, tmp_path / "report", analyses=[judged, path])


def test_the_command_takes_files_and_folders(run, judged, tmp_path):
    """`tournament report RUN --analysis PATH`, repeated."""
    words = ["report", str(run), "--out", str(tmp_path / "report")]
    for record_id in GAMES:
        words += ["--analysis", str(judged / f"{record_id}.json")]
    done = CliRunner().invoke(app, words)

    assert (0, f"Written: {tmp_path / 'report' / 'index.html'}. Open it in a browser; it needs no server.\n") == (
        done.exit_code,
        done.stdout,
    )
    assert 2 == len(list((tmp_path / "report" / "data").glob("analysis-*.json")))
