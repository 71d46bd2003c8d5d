"""The pages of runs over loopback: read-only, for this host only, and no way out of the folder (issue 6, 5)."""

from __future__ import annotations

import shutil
import warnings

import pytest
from made_runs import NAME, SAID, small_run
from needs import need_module

from tournament.errors import RunError, UsageError
from tournament.records.read import Reference, find_record
from tournament.records.results import read_results
from tournament.report.server import allowed_hosts, make_app
from tournament.viewer.html import format_html

need_module("starlette", extra="serve")

GAME = "scout-3p.0.000000.1"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with a run in it, and a secret beside and inside."""
    folder = tmp_path_factory.mktemp("shelf")
    run = small_run(folder)
    (folder / "secret.json").write_text("what lies beside")
    (run / "master.secret").write_text("what lies inside")
    return folder


@pytest.fixture
def ask(shelf):
    """Asks the application as a browser on this machine does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Starlette's client warns of the client it is built on
        from starlette.testclient import TestClient
    client = TestClient(make_app(shelf), base_url="http://127.0.0.1:8000")

    def get(path, *, method="GET", **headers):
        return client.request(method, path, headers=headers)

    return get


def test_runs_and_their_pages_are_listed(ask):
    """Issue 6, 5: list of runs, standings, any game by id."""
    pages = ["/", "/runs/made-run/", "/runs/made-run/games.html", "/runs/made-run/data/standings.json"]

    assert [200] * 4 == [ask(page).status_code for page in pages]
    assert "runs/made-run/" in ask("/").text
    assert "tournamentGames(" in ask("/runs/made-run/data/games-0.js").text


def test_every_game_is_shown_as_the_file_of_its_replay(ask, shelf):
    """Issue 6, 5: the same pages."""
    record = find_record(Reference(shelf / "made-run", GAME))

    assert format_html(record, back="../games.html") == ask(f"/runs/made-run/games/{GAME}.html").text


def test_a_link_for_a_seat_shows_what_that_seat_saw(ask, shelf):
    """Issue 6, 5: per-seat links, made from that seat's frames."""
    record = find_record(Reference(shelf / "made-run", GAME))
    expected = format_html(record, audience="seat1", back="../games.html")

    assert expected == ask(f"/runs/made-run/games/{GAME}.seat1.html").text
    assert 200 == ask(f"/runs/made-run/games/{GAME}.public.html").status_code
    assert 404 == ask(f"/runs/made-run/games/{GAME}.seat7.html").status_code


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1:80:80"])
def test_other_hosts_are_refused(ask, host):
    """Issue 6, 5: a page elsewhere that was pointed at this address gets nothing."""
    answer = ask("/", host=host)

    assert 400 == answer.status_code
    assert "made-run" not in answer.text


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "localhost", "LOCALHOST", "LocalHost:8000"]
)
def test_this_host_is_served_by_each_of_its_names(ask, host):
    """Issue 6, 5: loopback."""
    assert 200 == ask("/", host=host).status_code


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_written(ask, method):
    """Issue 6, 5: read-only."""
    assert 405 == ask("/runs/made-run/", method=method).status_code


@pytest.mark.parametrize(
    "path",
    [
        "/runs/made-run/master.secret",
        "/runs/made-run/data/master.secret",
        "/runs/made-run/data/..%2Fmaster.secret",
        "/runs/made-run/games/..%2F..%2Fmaster.secret",
        "/runs/..%2Fsecret.json/",
        "/runs/%2E%2E/",
        "/runs/made-run/logs/bot.txt",
        "/runs/made-run/games/%00.html",
        "/secret.json",
        "/runs/none/",
    ],
)
def test_no_address_leads_out_or_to_secrets(ask, path):
    """Issue 6, 5: no path escapes."""
    answer = ask(path)

    assert 404 == answer.status_code
    assert [] == [secret for secret in ("what lies beside", "what lies inside", SAID) if secret in answer.text]


def test_answers_are_neither_kept_nor_framed_nor_guessed_at(ask):
    """Issue 6, 5: headers on every answer, refusals too."""
    for answer in (ask("/"), ask("/none"), ask("/", host="evil.example")):
        assert ("no-store", "nosniff", "DENY") == tuple(
            answer.headers[name] for name in ("cache-control", "x-content-type-options", "x-frame-options")
        )


def test_pages_follow_a_run_that_goes_on(shelf, ask, tmp_path):
    """Issue 6, 5: standings refresh while a run goes on."""
    run = shelf / "made-run"
    growing = shelf / "growing"
    shutil.copytree(run, growing)
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (growing / "results.jsonl").write_bytes(b"".join(lines[:3]))
    info = (growing / "run.json").read_text()
    (growing / "run.json").write_text(info.replace('"complete"', '"running"'))
    before = ask("/runs/growing/").text
    (growing / "results.jsonl").write_bytes(b"".join(lines[:6]) + lines[6][:20])
    after = ask("/runs/growing/").text
    shutil.rmtree(growing)

    assert ('class="facts">3 games' in before, 'class="facts">6 games' in after) == (True, True)
    assert 'data-refresh="5"' in before
    assert "data-refresh" not in ask("/runs/made-run/").text


def test_names_of_bots_are_text_there_too(ask):
    """Issue 6, 4: escaped everything."""
    assert NAME not in ask("/runs/made-run/").text
    assert "&lt;script&gt;alert(1)&lt;img" in ask("/runs/made-run/").text


def test_one_run_alone_can_be_served(shelf):
    """`tournament serve RUN|DIR`."""
    from starlette.routing import Route

    app = make_app(shelf / "made-run")

    assert any(isinstance(route, Route) and route.path == "/runs/{run}/" for route in app.routes)
    assert len(list(read_results(shelf / "made-run"))) > 0


def test_a_folder_without_runs_and_an_open_address_are_refused(tmp_path):
    """Issue 6, 5: loopback by default; listening everywhere has to be said by naming an address."""
    with pytest.raises(RunError, match="has none in it"):
        make_app(tmp_path)
    with pytest.raises(UsageError, match="listen everywhere"):
        allowed_hosts("0.0.0.0")
    assert "192.168.1.7" in allowed_hosts("192.168.1.7")
    assert "scores.example" in allowed_hosts("Scores.example")
