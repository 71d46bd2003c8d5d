"""Everything that speaks of a knockout names the winner of its bracket, and claims nothing of strength."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from test_resume import Stopper
from typer.testing import CliRunner

from tournament import Run, audit, run_tournament, standings
from tournament.cli.app import app
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import Interrupted, NotComparableError, RunError
from tournament.paths import data_folder
from tournament.ranking.sources import read_sources
from tournament.records.run import Format
from tournament.report.facts import read_facts
from tournament.report.groups import KNOCKOUT_LEGEND
from tournament.report.pages import index_page
from tournament.report.shown.replays import Replays
from tournament.report.shown.verdicts import headlines
from tournament.report.standings import format_standings, format_standings_file
from tournament.run.following import watch
from tournament.store.folder import read_run

RANDOM = str(data_folder("bots") / "random_legal.py")
EIGHT = tuple({"name": f"s{number}", "bot": RANDOM} for number in range(1, 9))
PLACES = {"s8": 1, "s6": 2, "s5": 3, "s7": 3, "s1": 5, "s2": 5, "s3": 5, "s4": 5}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Eight times the same bot: the bracket is won by s8, while s5 has the most points."""
    path = tmp_path_factory.mktemp("knockout")
    bots = "".join(f"  - {{name: {bot['name']}, bot: {bot['bot']}}}\n" for bot in EIGHT)
    (path / "ko.yaml").write_text(
        f"name: ko\nseed: r24\ngames: [{{game: scout, players: 2}}]\nbots:\n{bots}schedule: knockout\n"
        "budget: {deals: 3}\nisolation: none\n"
    )
    return run_tournament(path / "ko.yaml", out=path / "run")


@pytest.fixture
def run(played, tmp_path):
    """A copy of it to be changed."""
    return shutil.copytree(played, tmp_path / "run")


def places_of(folder):
    """Returns by entrant its place in the standings of the only group."""
    (group,) = read_sources([folder]).standings().groups
    return {row.entrant: row.rank.place for row in group.rows}


def test_places_are_rounds_reached(played):
    """The winner, who lost the final, and who went out in the same round, sharing a place."""
    values = json.loads((played / "standings.json").read_bytes())

    assert PLACES == places_of(played)
    assert "s8" == values["groups"][0]["bracket"]["winner"]
    assert list(PLACES) == [row["entrant"] for row in values["groups"][0]["rows"]]
    assert [3, 3, 2, 2, 1, 1, 1, 1] == [row["reached"] for row in values["groups"][0]["rows"]]
    assert () == tuple(audit(played).findings)


def test_nothing_is_claimed_between_entrants_of_a_knockout(played):
    """No claims, letters, ratings or intervals; every rank is the place that was reached."""
    (group,) = read_sources([played]).standings().groups

    assert group.claims is None
    assert {("", True, None, None)} == {
        (row.rank.letters, row.rank.best_rank == row.rank.worst_rank, row.rating, row.points.half_width)
        for row in group.rows
    }
    assert {(False, None)} == {(meeting.claimed, meeting.score.half_width) for meeting in group.meetings}
    assert () == group.caveats


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_standings_name_the_winner_and_draw_the_bracket(played, form):
    """In the terminal and as Markdown, tables whose winners meet beside each other."""
    text = CliRunner().invoke(app, ["standings", str(played), "--format", form]).stdout
    drawn = text[text.index("bracket:") :]

    assert "scout-2p, knockout, won by s8" in text
    assert " ".join(KNOCKOUT_LEGEND.split()) in " ".join(text.split())
    assert ["round 1", "round 2", "final"] == [word for word in ("round 1", "round 2", "final") if word in drawn]
    order = [drawn.index(name) for name in ("s3  2.5", "✓ s6  3.5", "s2  2", "✓ s7  4", "s4  1", "✓ s5  5", "s1  2.5")]
    assert sorted(order) == order
    assert 3 == drawn.count("s8  ")


def test_the_page_names_the_winner_and_draws_the_bracket(played):
    """Seven tables; the card of the winner claims nothing."""
    page = index_page(read_facts(played), replays=Replays(keep="all", available=None))

    assert re.search(r'<p class="winner"><span class="name"><a [^>]+>s8</a></span></p>', page)
    assert page.index('class="bracket"') < page.index("<table")
    assert "Better than everybody" not in page
    assert 7 == page.count('<ul class="slot">')
    assert 'class="interval"' not in page


def test_watch_names_the_winner(played):
    """Of a complete run."""
    assert "scout-2p is won by s8." == list(watch(played))[-1]


def test_the_end_of_a_run_names_the_winner(tmp_path, played):
    """After the standings, with what was played for ties."""
    words = ["run", str(played.parent / "ko.yaml"), "--out", str(tmp_path / "again")]
    shown = CliRunner().invoke(app, words).stdout

    assert "scout-2p is won by s8." in shown
    assert "46 games, of which 42 were planned, no faults." in shown


def test_a_knockout_under_way_says_who_is_still_in(configure, tmp_path):
    """Nobody leads by points: watch and standings tell the round."""
    with pytest.raises(Interrupted):
        run_tournament(
            configure(schedule=Format.KNOCKOUT, budget=Budget(deals=2)), out=tmp_path / "run", observer=Stopper(2)
        )
    folder = tmp_path / "run"
    lines = list(watch(folder))
    (group,) = read_sources([folder]).standings().groups

    assert "explorers-2p, round 1: still in are ada, dora, bea, cia." in lines[1]
    assert "knockout, round 1 is under way" in format_standings_file(folder)
    assert {1} == {row.rank.place for row in group.rows}
    assert "Still playing, in round 1 of the knockout." == headlines(read_sources([folder]).standings())[0].sure


def test_three_identical_bots_and_a_random_one_are_not_told_apart(tmp_path):
    """Not even over 60 deals a round: a knockout says who won, not who is better."""
    keeper = str(data_folder("bots") / "scout_keeper.py")
    bots = "".join(f"  - {{name: {name}, bot: {keeper}}}\n" for name in ("one", "two", "three"))
    (tmp_path / "ko.yaml").write_text(
        f"name: ko\nseed: r1\ngames: [{{game: scout, players: 2}}]\nbots:\n{bots}  - {{name: chance, bot: {RANDOM}}}\n"
        "schedule: knockout\nbudget: {deals: 60}\nisolation: none\n"
    )
    file = read_sources([run_tournament(tmp_path / "ko.yaml", out=tmp_path / "run")]).standings()
    (headline,) = headlines(file)

    assert (file.groups[0].bracket.winner,) == headline.winners
    assert "nobody is claimed to be stronger" in headline.sure


def test_several_groups_have_a_winner_each_and_no_championship(configure, tmp_path):
    """Points add up for nobody in a knockout."""
    games = (GameEntry(game="explorers", players=(2, 3)),)
    folder = run_tournament(
        configure(schedule=Format.KNOCKOUT, budget=Budget(deals=1), games=games), out=tmp_path / "run"
    )
    sources = read_sources([folder])

    assert None is sources.standings().championship
    assert ["explorers-2p", "explorers-3p"] == [headline.name for headline in headlines(sources.standings())]
    assert [note for note in sources.notes if "no championship" in note]
    assert () == tuple(audit(folder).findings)


def test_a_winner_who_is_disqualified_does_not_count_and_takes_no_place(run):
    """The bracket stays what happened; the others move up."""
    Run.open(run).disqualify("s8", reason="a copy of s7")
    sources = read_sources([run])
    text = format_standings(sources.standings(), notes=sources.notes)

    assert "s8" not in places_of(run)
    assert 1 == places_of(run)["s6"]
    assert "won by s8" in text
    assert "s8, who won the knockout, does not count" in headlines(sources.standings())[0].sure
    assert () == tuple(audit(run).findings)


def test_a_knockout_has_no_final(run):
    """Its winner is known."""
    with pytest.raises(RunError, match="is a knockout, which has its winner"):
        Run.open(run).final(budget=Budget(deals=1))
    assert 1 == len(read_run(run).segments)


def test_games_of_a_knockout_pooled_with_others_claim_nothing(played, tmp_path):
    """Results decided who met whom."""
    text = (played.parent / "ko.yaml").read_text()
    (tmp_path / "other.yaml").write_text(
        text.replace("schedule: knockout\n", "").replace("name: ko", "name: other").replace("deals: 3", "deals: 1")
    )
    other = run_tournament(tmp_path / "other.yaml", out=tmp_path / "other")
    sources = read_sources([played, other])
    (group,) = sources.standings().groups

    assert group.claims is None
    assert {(1, 8, "")} == {(row.rank.best_rank, row.rank.worst_rank, row.rank.letters) for row in group.rows}
    assert [note for note in sources.notes if "ko is a knockout" in note]


@pytest.mark.parametrize("command", ["compare RUN --bots s8 s1", "compare RUN RUN", "gate RUN --new s8 --old s1"])
def test_a_knockout_compares_nobody(played, command):
    """Neither compare nor gate, which exits with the code of what cannot be compared."""
    shown = CliRunner().invoke(app, [str(played) if word == "RUN" else word for word in command.split()])

    assert isinstance(shown.exception, NotComparableError)
    assert 8 == shown.exception.exit_code
    assert "says who won, and nothing of who is how strong" in str(shown.exception)


def test_standings_from_python_name_the_winner_too(played):
    """As the command gives them."""
    (group,) = standings(played).groups

    assert "s8" == group.bracket.winner == group.rows[0].entrant


@pytest.mark.parametrize("words", [["--all"], ["--show", "ratings"], ["--show", "superiority"], ["--history"]])
def test_a_knockout_has_no_ratings(played, words):
    """Asked for them, standings say why."""
    text = CliRunner().invoke(app, ["standings", str(played), *words]).stdout

    assert "scout-2p, ratings" in text
    assert "so it does not measure strength" in " ".join(text.split())
    assert "that the row is better" not in text
    assert "over the course" not in text
