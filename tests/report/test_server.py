"""The pages of runs over loopback: read-only, for this host only, and no way out of the folder."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import threading
from contextlib import suppress

import msgspec
import pytest
from made_runs import NAME, SAID, small_run
from needs import need_module
from served_runs import client_of

from tournament.errors import RunError
from tournament.records.run import RunState
from tournament.report import server
from tournament.report.server import Shelf, make_app, serve
from tournament.store.folder import read_run
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results
from tournament.viewer.frames import Audience
from tournament.viewer.page import format_html

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
    client = client_of(shelf)

    def get(path, *, method="GET", **headers):
        return client.request(method, path, headers=headers)

    return get


def test_runs_and_their_pages_are_listed(ask):
    """List of runs, standings, any game by id."""
    pages = ["/", "/runs/made-run/", "/runs/made-run/games.html", "/runs/made-run/data/standings.json"]

    assert [200] * 4 == [ask(page).status_code for page in pages]
    assert "runs/made-run/" in ask("/").text
    assert "tournamentGames(" in ask("/runs/made-run/data/games-0.js").text


def test_every_game_is_shown_as_the_file_of_its_replay(ask, shelf):
    """The same pages."""
    record = find_record(Reference(shelf / "made-run", GAME))

    assert format_html(record, back="../games.html") == ask(f"/runs/made-run/games/{GAME}.html").text


def test_a_link_for_a_seat_shows_what_that_seat_saw(ask, shelf):
    """Per-seat links, made from that seat's frames."""
    record = find_record(Reference(shelf / "made-run", GAME))
    expected = format_html(record, audience=Audience(seat=1), back="../games.html")

    assert expected == ask(f"/runs/made-run/games/{GAME}.seat1.html").text
    assert 200 == ask(f"/runs/made-run/games/{GAME}.public.html").status_code
    assert 404 == ask(f"/runs/made-run/games/{GAME}.seat7.html").status_code


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1:80:80"])
def test_other_hosts_are_refused(ask, host):
    """A page elsewhere that was pointed at this address gets nothing."""
    answer = ask("/", host=host)

    assert 400 == answer.status_code
    assert "made-run" not in answer.text


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "localhost", "LOCALHOST", "LocalHost:8000"]
)
def test_this_host_is_served_by_each_of_its_names(ask, host):
    assert 200 == ask("/", host=host).status_code


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_written(ask, method):
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
    """No path escapes."""
    answer = ask(path)

    assert 404 == answer.status_code
    assert [] == [secret for secret in ("what lies beside", "what lies inside", SAID) if secret in answer.text]


def test_answers_are_neither_kept_nor_framed_nor_guessed_at(ask):
    """Headers on every answer, refusals too."""
    for answer in (ask("/"), ask("/none"), ask("/", host="evil.example")):
        assert ("no-store", "nosniff", "DENY") == tuple(
            answer.headers[name] for name in ("cache-control", "x-content-type-options", "x-frame-options")
        )


def test_pages_follow_a_run_that_goes_on(shelf, ask, tmp_path):
    """Standings refresh while a run goes on."""
    run = shelf / "made-run"
    growing = shelf / "growing"
    shutil.copytree(run, growing)
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (growing / "results.jsonl").write_bytes(b"".join(lines[:3]))
    info = read_run(growing)
    segments = tuple(msgspec.structs.replace(one, extent=None) for one in info.segments)
    info = msgspec.structs.replace(info, state=RunState.RUNNING, segments=segments)
    (growing / "run.json").write_bytes(msgspec.json.encode(info))
    before = ask("/runs/growing/").text
    (growing / "results.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:20])
    after = ask("/runs/growing/").text
    shutil.rmtree(growing)

    assert ("played 3 so far" in before, "played 5 so far" in after) == (True, True)
    assert 'data-refresh="5"' in before
    assert "data-refresh" not in ask("/runs/made-run/").text


def test_names_of_bots_are_text_there_too(ask):
    assert NAME not in ask("/runs/made-run/").text
    assert "&lt;script&gt;alert(1)&lt;img" in ask("/runs/made-run/").text


def test_one_run_alone_can_be_served(shelf):
    """`tournament serve RUN|DIR`."""
    from starlette.routing import Route

    app = make_app(shelf / "made-run")

    assert any(isinstance(route, Route) and route.path == "/runs/{run}/" for route in app.routes)
    assert len(list(read_results(shelf / "made-run"))) > 0


def test_a_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(RunError, match="has none in it"):
        make_app(tmp_path)


@pytest.mark.parametrize("digits", [10, 5000])
def test_a_number_of_any_length_is_only_no_table(ask, digits):
    """Python refuses to read a number of 5,000 digits."""
    assert 404 == ask(f"/runs/made-run/data/games-{'9' * digits}.js").status_code


@pytest.mark.parametrize("name", ["run.json", "results.jsonl", "games.jsonl", "clocks.jsonl", "games.jsonl.index"])
def test_a_run_with_a_pipe_or_without_a_file_keeps_nobody_waiting(shelf, ask, name):
    """It cannot be shown, or is shown without what is not there; the others are shown as ever."""
    odd = shelf / "odd"
    answers = []
    for make in (os.mkfifo, os.mkdir, lambda _: None):
        shutil.copytree(shelf / "made-run", odd)
        (odd / name).unlink()
        make(odd / name)
        paths = ("/", "/runs/odd/", "/runs/odd/games.html", f"/runs/odd/games/{GAME}.html", "/runs/made-run/")
        answers.append([ask(path).status_code for path in paths])
        shutil.rmtree(odd)

    assert {200, 404} >= {status for statuses in answers for status in statuses}
    assert [(200, 200)] * 3 == [(statuses[0], statuses[-1]) for statuses in answers]


def test_nobody_waits_for_the_facts_of_another_run(shelf, monkeypatch):
    """Of one run they are made once, of two at the same time."""
    shutil.copytree(shelf / "made-run", shelf / "slow")
    runs = Shelf(shelf)
    facts_of = server.read_facts
    slow_began, slow_may_end = threading.Event(), threading.Event()

    def read(folder):
        if folder.name == "slow":
            slow_began.set()
            assert slow_may_end.wait(60)
        return facts_of(folder)

    monkeypatch.setattr(server, "read_facts", read)
    slow = threading.Thread(target=runs.facts, args=("slow",))
    slow.start()
    assert slow_began.wait(60)
    other = runs.facts("made-run")
    slow_may_end.set()
    slow.join()
    shutil.rmtree(shelf / "slow")

    assert other is not None


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTT",
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\nhalf",
    ],
    ids=["nothing", "half a request", "half a second one", "half a body"],
)
def test_a_half_open_connection_is_closed(shelf, monkeypatch, sent):
    """Whoever says no more is not waited for."""
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.2)
    connection = socket.socket()

    def knock(address: str) -> None:
        port = int(address.rstrip("/").rpartition(":")[2])
        threading.Thread(target=talk, args=(port,)).start()

    def talk(port: int) -> None:
        connection.settimeout(60)
        connection.connect(("127.0.0.1", port))
        connection.sendall(sent)
        with suppress(ConnectionResetError):
            while connection.recv(65536):
                pass
        ended.append(True)
        os.kill(os.getpid(), signal.SIGINT)

    ended: list[bool] = []
    with suppress(KeyboardInterrupt):
        serve(shelf, port=0, started=knock)
    connection.close()

    assert [True] == ended
