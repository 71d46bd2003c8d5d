"""The page of each bot in a report: what it shows, and that every game on it is a link or says why it is none."""

from __future__ import annotations

import json
import re
import shutil

import msgspec
import pytest
from made_runs import NAME, small_run

from tournament import Run
from tournament.configuration.types import Budget
from tournament.records.figures import format_number
from tournament.records.run import Disqualification
from tournament.report.facts import read_facts
from tournament.report.pages import bot_page
from tournament.report.shown.bot_facts import bot_facts, bot_numbers, curve_of
from tournament.report.shown.replays import Replays
from tournament.report.site import write_report
from tournament.store.folder import read_run
from tournament.store.results import read_results


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run with faults."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def facts(run):
    """What its report shows."""
    return read_facts(run)


@pytest.fixture(scope="module")
def report(run, tmp_path_factory):
    """The folder of its report."""
    return write_report(run, tmp_path_factory.mktemp("reports") / "report").parent


def page_of(facts, name, **replays):
    """Returns the page of a bot."""
    return bot_page(facts, bot_numbers(facts)[name], replays=Replays(**({"keep": "all", "available": None} | replays)))


def test_each_entrant_has_a_page_that_the_first_page_links_to(run, report):
    index = (report / "index.html").read_text()
    names = [entrant.name for entrant in read_run(run).entrants]

    assert [f"{number}.html" for number in range(1, len(names) + 1)] == sorted(
        path.name for path in (report / "bots").iterdir()
    )
    for number in range(1, len(names) + 1):
        assert f'href="bots/{number}.html"' in index


def test_every_link_of_a_page_of_a_bot_leads_to_something(report):
    for path in (report / "bots").iterdir():
        links = {link.partition("#")[0] for link in re.findall(r'href="([^"#][^"]*)"', path.read_text())}

        assert set() == {link for link in links if link != "data:," and not (path.parent / link).is_file()}


def test_its_figures_are_those_of_the_standings(facts):
    own = bot_facts(facts, bot_numbers(facts)["cautious"])
    expected = [row for group in facts.standings.groups for row in group.rows if row.entrant == "cautious"]

    assert expected == [group.row for group in own.groups]
    assert facts.standings.championship is not None
    assert "cautious" == own.championship.entrant


def test_margins_have_their_sign_as_in_the_standings(facts):
    for name, number in bot_numbers(facts).items():
        margins = [group.row.margin.value for group in bot_facts(facts, number).groups]
        page = page_of(facts, name)

        assert all(
            f'<td class="right">{format_number(margin, digits=1, signed=True)}</td>' in page for margin in margins
        )
    assert "+" in format_number(max(row.margin.value for row in facts.standings.groups[0].rows), digits=1, signed=True)


def test_opponents_are_seen_from_the_bot(facts):
    for name, number in bot_numbers(facts).items():
        for group in bot_facts(facts, number).groups:
            assert {name} == {meeting.entrant for meeting in group.meetings} or not group.meetings
            for meeting in group.meetings:
                assert meeting.games == meeting.wins + meeting.draws + meeting.losses


def test_its_widest_wins_and_losses_link_to_their_replays(run, report, facts):
    page = (report / "bots" / f"{bot_numbers(facts)['cautious']}.html").read_text()
    games = [
        game for own in (facts.profiles["cautious"].best, facts.profiles["cautious"].worst) for game in own.values()
    ]

    assert games
    for game in [game for group in games for game in group]:
        assert f'href="../games/{game.result.id}.html"' in page


def test_its_faults_are_told_by_kind_and_lead_to_their_step(run, facts):
    page = page_of(facts, NAME)
    told = facts.own_faults[NAME]
    expected = [result.id for result in read_results(run) for seat, _ in result.faults if result.seats[seat] == NAME]

    assert expected[: len(told)] == [fault.id for fault in told]
    assert "The table has the first faults of this bot, also those in games that do not count." in page
    for fault in told:
        assert f'href="../games/{fault.id}.html#step={fault.at}"' in page
        assert f'<span class="kind">{fault.kind}</span>' in page


def test_without_records_each_game_says_that_it_was_not_kept(facts):
    page = page_of(facts, "cautious", keep="none")

    assert "No game can be replayed, because the run keeps no records" in page
    assert "games/" not in re.sub(r'href="\.\./games\.html[^"]*"', "", page)
    assert page.count('<span class="why">not kept</span>') == sum(
        len(games)
        for own in (facts.profiles["cautious"].best, facts.profiles["cautious"].worst)
        for games in own.values()
    )


@pytest.mark.parametrize(
    ("keep", "expected"),
    [("faults", "keeps only games with faults"), ("sample:2.5%", "keeps 2.5 % of its games (sample:2.5%)")],
)
def test_a_run_that_keeps_some_records_says_which(keep, expected):
    [sentence] = Replays(keep=keep, available=None).sentences()

    assert expected in sentence


def test_a_report_with_pages_of_some_games_says_how_the_others_are_shown(facts):
    page = page_of(facts, "cautious", available=set())

    assert "0 games have a page here" in page
    assert '<span class="why">no page here</span>' in page


def test_a_disqualified_bot_says_why(run, facts):
    info = msgspec.structs.replace(facts.info, disqualified=(Disqualification(entrant="cautious", reason="found out"),))
    page = page_of(msgspec.structs.replace(facts, info=info), "cautious")

    assert "Disqualified, and none of its tables counts: found out" in page


def test_a_number_that_no_entrant_has_has_no_page(facts):
    replays = Replays(keep="all", available=None)

    assert [None, None] == [bot_page(facts, number, replays=replays) for number in (0, len(facts.info.entrants) + 1)]


def test_after_a_final_the_final_comes_first_and_once(run, tmp_path):
    """In the headline and in the tables."""
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    segment = Run.open(folder).final(budget=Budget(deals=1))
    page = (write_report(folder, tmp_path / "report")).read_text()
    captions = re.findall(r"<caption>([^<]+?) <a", page)
    first = re.search(r'<article class="verdict">\n<h3>(.*?)</h3>', page)[1]

    assert first.startswith(f"Final (segment {segment}): ")
    assert captions[0].startswith(f"Final (segment {segment}): ")
    assert 1 == page.count('<article class="verdict">')
    assert 1 == len([caption for caption in captions if caption == captions[0]])
    assert "Before the final: " in page


def test_the_times_of_a_page_are_quantiles_of_its_moves(facts):
    for time in facts.times:
        if time.moves:
            assert 0 < time.half_ms <= time.most_ms <= time.nearly_all_ms <= time.longest_ms


def test_a_curve_lies_within_its_drawing_and_ends_at_its_last_block(facts):
    for course in facts.courses:
        for name in course.ratings:
            curve = curve_of(course, name)
            if curve is not None:
                assert all(0 <= x <= 600 and 0 <= y <= 150 for x, y in curve.points)
                assert 600 == curve.points[-1][0]


def test_the_json_beside_a_page_says_the_same(facts, report):
    number = bot_numbers(facts)["cautious"]
    expected = msgspec.json.decode(msgspec.json.encode(bot_facts(facts, number)))

    assert expected == json.loads((report / "data" / f"bot-{number}.json").read_text())
