"""Featured games of the arena's rounds: of complete blocks only, on the page and in each of its frames."""

from __future__ import annotations

import json
from urllib.parse import urljoin

import pytest
from arena.made_site import GROUP, client_of, make_playing

from tournament.arena.places import competition_folder
from tournament.arena.web.news import NewsKind, NewsSubject, stamp


def games_in(answer) -> list[dict[str, str]]:
    """Returns the featured games that a page has for its script."""
    text = answer.content.decode()
    return json.loads(text.partition('<script type="application/json" id="featured">')[2].partition("</script>")[0])


def test_the_page_features_a_game_of_each_block_and_each_is_there_to_be_watched(site):
    client = client_of()
    page = client.get("/c/cup/watch/")
    games = games_in(page)

    assert {f"{GROUP}.0.000000", f"{GROUP}.0.000001"} == {game["id"].rpartition(".")[0] for game in games}
    for game in games:
        frame = client.get(urljoin("/c/cup/watch/", game["frame"]))
        assert 200 == frame.status_code
        assert "SAMEORIGIN" == frame["X-Frame-Options"]
        assert "frame-ancestors 'self'" in frame["Content-Security-Policy"]
        assert 200 == client.get(urljoin("/c/cup/watch/", game["address"])).status_code
    assert "DENY" == page["X-Frame-Options"]
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]


def test_a_leader_of_the_ladder_is_featured(site):
    assert {"With a leader of the standings at the table."} == {
        game["merit"] for game in games_in(client_of().get("/c/cup/watch/"))
    }


@pytest.mark.parametrize("page", ["watch", "projector"])
@pytest.mark.parametrize(("games", "shown"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_of_a_round_that_goes_on_only_complete_blocks_are_featured(site, run, games, shown, page):
    """All records are on the disk, and of the block that goes on perhaps a result."""
    make_playing(site, run, games=games)
    found = [game for game in games_in(client_of().get(f"/c/cup/{page}/")) if game["frame"].startswith("../watch/2/")]

    assert shown == len(found)


@pytest.mark.parametrize("games", [1, 2, 3])
def test_no_frame_shows_a_card_of_a_block_that_goes_on(site, run, games):
    make_playing(site, run, games=games)
    complete = games // 2
    answers = {
        (block, rotation): client_of().get(f"/c/cup/watch/2/{GROUP}.0.{block:06d}.{rotation}/")
        for block in (0, 1)
        for rotation in (0, 1)
    }

    assert {place: 200 if place[0] < complete else 404 for place in answers} == {
        place: answer.status_code for place, answer in answers.items()
    }
    assert [] == [place for place, answer in answers.items() if place[0] >= complete and b"head-data" in answer.content]


@pytest.mark.parametrize("games", [1, 2, 3])
def test_no_page_of_the_report_shows_anything_of_a_block_that_goes_on(site, run, games):
    """A write was torn: the first game of the block has its result and its record, the second has only its record."""
    make_playing(site, run, games=games)
    whole = games // 2
    names = [(block, f"{GROUP}.0.{block:06d}.{rotation}") for block in (0, 1) for rotation in (0, 1)]
    answers = {name: client_of().get(f"/c/cup/rounds/2/report/games/{name}.html").status_code for _, name in names}
    listed = client_of().get("/c/cup/rounds/2/report/data/games-0.js").content.decode()

    assert {name: 200 if block < whole else 404 for block, name in names} == answers
    assert [name for block, name in names if block < whole] == [
        name for _, name in names if name.removeprefix(f"{GROUP}.") in listed
    ]


def test_nothing_is_featured_while_standings_are_hidden_and_hosts_see_it(site):
    rules = competition_folder(site.competition).path / "competition.yaml"
    rules.write_text(rules.read_text() + "standings_from: 2036-12-01\n")
    page = client_of().get("/c/cup/watch/")
    projector = client_of().get("/c/cup/projector/")
    frame = f"/c/cup/watch/1/{GROUP}.0.000000.0/"

    assert [[], []] == [games_in(page), games_in(projector)]
    assert b'data-slide="board-' not in projector.content  # what happened is told, with the names of bots
    assert b"Games are hidden until 2036-12-01 00:00 UTC." in page.content
    assert [404, 200] == [client.get(frame).status_code for client in (client_of(), client_of(site.host))]
    assert games_in(client_of(site.host).get("/c/cup/watch/"))


def test_a_draft_shows_nothing_to_others(site):
    site.competition.state = "draft"
    site.competition.save()

    paths = ("watch/", "watch/events/", f"watch/1/{GROUP}.0.000000.0/", "projector/")
    assert [404] * 4 == [client_of().get(f"/c/cup/{path}").status_code for path in paths]


@pytest.mark.parametrize("path", ["9/explorers-2p.0.000000.0/", "1/explorers-2p.0.000007.0/", "1/x/", "1/../1/"])
def test_what_is_not_there_is_not_shown(site, path):
    assert 404 == client_of().get(f"/c/cup/watch/{path}").status_code


def test_challenges_are_not_featured(site):
    site.round.kind = "challenge"
    site.round.save()

    assert [] == games_in(client_of().get("/c/cup/watch/"))


def test_a_block_that_is_over_is_news_for_those_who_watch_and_for_nobody_else(site, run):
    make_playing(site, run, games=2)
    subjects = [NewsSubject(kind, site.competition.pk) for kind in (NewsKind.GAMES, NewsKind.COMPETITION)]
    before = [stamp(one) for one in subjects]
    results = competition_folder(site.competition).round(2) / "results.jsonl"
    results.write_bytes(results.read_bytes() + b"\n")
    after = [stamp(one) for one in subjects]

    assert [False, True] == [one == other for one, other in zip(before, after, strict=True)]


def test_the_pages_of_a_competition_lead_to_its_featured_games(site):
    assert b'href="/c/cup/watch/"' in client_of().get("/c/cup/ladder/").content
    assert b'href="/c/cup/projector/"' in client_of().get("/c/cup/ladder/").content


def test_the_projector_shows_the_ranked_of_the_ladder(site):
    page = client_of().get("/c/cup/projector/").content.decode()

    assert '<span class="name">keeper</span>' in page
    assert '<span class="name">breaker</span>' not in page  # provisional
