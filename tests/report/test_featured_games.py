"""Which games are featured, and what `tournament serve` shows of them: complete blocks, and never a hidden card."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from made_runs import NAME, small_run
from needs import need_module
from served_runs import client_of, make_going

from tournament.languages import Language, speaking
from tournament.report.live.featured import Merit, complete_blocks, featured_games, featured_of, is_of_complete_block
from tournament.store.folder import read_run
from tournament.store.results import read_last_results, read_results

need_module("starlette", extra="serve")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with a complete run, and one that is being played: with two blocks and a game of the third."""
    folder = tmp_path_factory.mktemp("shelf")
    run = small_run(folder)
    going = make_going(run, folder / "going")
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (going / "results.jsonl").write_bytes(b"".join(lines[:6]))
    return folder


@pytest.fixture(scope="module")
def open_server(shelf):
    return client_of(shelf)


@pytest.fixture(scope="module")
def hiding(shelf):
    """A browser that looks at a server with `--hide-cards`."""
    return client_of(shelf, hides_cards=True)


def games_in(page: str) -> list[dict[str, str]]:
    """Returns the featured games that a page has for its script."""
    data = page.partition('<script type="application/json" id="featured">')[2].partition("</script>")[0]
    return json.loads(data)


def blocks_of(run):
    return complete_blocks(read_results(run), read_run(run))


def test_a_block_is_complete_with_all_its_games_and_the_newest_comes_first(shelf):
    results = list(read_results(shelf / "going"))

    assert [results[3].block, results[0].block] == [games[0].block for games in blocks_of(shelf / "going")]
    assert results[5].block not in (results[0].block, results[3].block)


def test_the_game_of_a_block_that_ended_closest_is_featured(shelf):
    run = shelf / "made-run"
    blocks = blocks_of(run)
    leads = {game.id: game.lead for games in blocks for game in games}
    found = featured_of(blocks, read_run(run), leaders=())

    assert [min(game.lead for game in games) for games in blocks] == [leads[game.id] for game in found]
    assert {Merit.NEW} == {game.merit for game in found}


def test_games_of_the_leaders_come_before_newer_ones(shelf):
    run = shelf / "made-run"
    found = featured_of(blocks_of(run), read_run(run), leaders=["cautious"])
    sits = ["cautious" in game.seats for game in found]

    assert sorted(sits, reverse=True) == sits
    assert {True: Merit.LEADER, False: Merit.NEW} == {"cautious" in game.seats: game.merit for game in found}


def test_games_of_a_final_come_first(shelf):
    run = shelf / "made-run"
    info = read_run(run)
    final = msgspec.structs.replace(info, segments=(msgspec.structs.replace(info.segments[0], final=True),))

    assert {Merit.FINAL} == {game.merit for game in featured_of(blocks_of(run), final, leaders=["cautious"])}
    assert {Merit.FINAL} == {game.merit for game in featured_games(run, leaders=["cautious"], is_final=True)}


def test_a_game_that_was_not_kept_is_not_featured(shelf):
    run = shelf / "made-run"
    keeping = [msgspec.structs.replace(read_run(run), keep=keep) for keep in ("none", "faults")]
    found = [featured_of(blocks_of(run), info, leaders=()) for info in keeping]
    faulty = {result.id for result in read_results(run) if result.faults}

    assert [] == found[0]
    assert found[1]
    assert {game.id for game in found[1]} <= faulty


def test_the_end_of_the_results_is_read_in_whole_lines(shelf):
    run = shelf / "made-run"
    whole = list(read_results(run))
    last = len((run / "results.jsonl").read_bytes().splitlines(keepends=True)[-1])

    assert whole == read_last_results(run, most_bytes=10_000_000)
    assert whole[-1:] == read_last_results(run, most_bytes=last + 20)
    assert [] == read_last_results(run, most_bytes=last - 1)


def test_a_game_of_a_block_that_goes_on_is_not_complete(shelf):
    """Its record and its result are there already."""
    results = list(read_results(shelf / "going"))

    assert [True, False] == [is_of_complete_block(shelf / "going", one.id) for one in (results[0], results[5])]


def test_the_page_shows_complete_blocks_of_a_run_that_goes_on(open_server, shelf):
    page = open_server.get("/runs/going/watch/").text
    results = list(read_results(shelf / "going"))
    featured = [game["id"] for game in games_in(page)]

    assert len(featured) == 2
    assert set(featured) <= {result.id for result in results[:5]}
    assert "Not live: the newest was over by " in page
    assert results[5].block not in page


def test_how_long_ago_a_game_was_over_is_told_within_the_sentence(open_server):
    page = open_server.get("/runs/going/watch/", headers={"Accept-Language": "de"}).text
    age = re.search(r'<span id="age" [^>]*data-words="([^"]*)">([^<]*)</span>', page)

    assert age[2] == age[1].replace(" ({ago}).", ".")


def test_a_featured_game_plays_in_a_frame_of_our_own_pages_only(open_server):
    page = open_server.get("/runs/made-run/watch/")
    frame = open_server.get(f"/runs/made-run/watch/{games_in(page.text)[0]['frame']}")

    assert (200, "DENY") == (page.status_code, page.headers["x-frame-options"])
    assert (200, "SAMEORIGIN") == (frame.status_code, frame.headers["x-frame-options"])
    assert "leaveAtTheEnd" in frame.text


def test_the_page_does_not_tell_before_how_a_game_ends(open_server, shelf):
    page = open_server.get("/runs/made-run/watch/").text

    assert {"id", "who", "group", "merit", "address", "frame"} == set(games_in(page)[0])


def test_links_lead_to_the_replays_and_from_the_report_to_the_page(open_server):
    page = open_server.get("/runs/made-run/watch/").text

    assert '<a href="watch/">Watch</a>' in open_server.get("/runs/made-run/").text
    assert {200} == {open_server.get(f"/runs/made-run/watch/{game['address']}").status_code for game in games_in(page)}


def test_where_cards_are_hidden_no_address_for_watching_shows_one(hiding, open_server):
    frame = games_in(open_server.get("/runs/going/watch/").text)[0]["frame"]
    page = hiding.get("/runs/going/watch/").text
    projector = hiding.get("/runs/going/projector/").text
    refused = hiding.get(f"/runs/going/watch/{frame}")

    assert [[], []] == [games_in(page), games_in(projector)]
    assert "shown once it is complete" in page
    assert 403 == refused.status_code
    assert "head-data" not in refused.text


def test_a_complete_run_is_watched_where_cards_are_hidden_too(hiding):
    assert games_in(hiding.get("/runs/made-run/watch/").text)


@pytest.mark.parametrize("name", ["watch", "projector"])
def test_names_of_bots_are_text_on_the_page(open_server, name):
    page = open_server.get(f"/runs/made-run/{name}/").text

    assert NAME not in page
    assert "made &lt;b&gt;run&lt;i&gt;" in page


@pytest.mark.parametrize(
    "path",
    [
        "/runs/none/watch/",
        "/runs/none/projector/",
        "/runs/none/events",
        "/runs/made-run/watch/games/x.html",
        "/runs/none/watch/games/x.html",
    ],
)
def test_what_is_not_there_is_not_shown(open_server, path):
    assert 404 == open_server.get(path).status_code


def test_who_asks_only_what_a_stream_is_like_waits_for_nothing(open_server):
    answer = open_server.head("/runs/made-run/events")

    assert (200, "text/event-stream; charset=utf-8") == (answer.status_code, answer.headers["content-type"])


def test_the_page_is_in_the_present_language(shelf):
    with speaking(Language.GERMAN):
        page = client_of(shelf).get("/runs/made-run/watch/").text

    assert '<html lang="de">' in page
