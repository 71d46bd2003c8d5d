"""The site behind the nginx and the Caddy of Debian, set up as the page on operating shows them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from arena.commands import PROGRAM, free_port
from proxies import ShownProxies, started

from tournament.arena.files import MOST_UPLOAD_BYTES
from tournament.arena.folder import ArenaFolder
from tournament.paths import data_folder

pytestmark = pytest.mark.long

PAGE = data_folder("schemas").parent / "docs" / "arena" / "operate.md"
NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
PASSWORD = "as long as it is"
PROXIES = ShownProxies(PAGE, name="arena.example.org", listens="127.0.0.1:8765")


def make_competition() -> None:
    """Makes an open competition in which `ann` has a bot."""
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting.competitions import add_competition, change_state
    from tournament.arena.taking_part.joining import join, make_bot
    from tournament.arena.transitions import CompetitionState

    account = get_user_model().objects.create_user("ann", password=PASSWORD)
    row = add_competition("cup", "title: Cup\ngames: [{game: scout, players: 3}]\n", by="a test", now=NOW)
    change_state(row, CompetitionState.OPEN, account=None, now=NOW)
    join(account, row, now=NOW, consents=True)
    make_bot(account, row, "keeper", now=NOW)


@pytest.fixture(scope="module", params=[PROXIES.nginx, PROXIES.caddy], ids=["nginx", "caddy"])
def behind(request, founded, tmp_path_factory):
    """Returns the address of a site behind a proxy, and its arena."""
    folder = tmp_path_factory.mktemp("proxy")
    port, site = free_port(), free_port()
    command = request.param(folder, port=port, site=site)
    arena = ArenaFolder(shutil.copytree(founded.path, folder / "arena"))
    arena.settings.write_text(f"address: https://localhost:{port}\nlisten: 127.0.0.1:{site}\nproxies: 1\n")
    made = [sys.executable, "-c", f"from arena.test_proxy import make_in; make_in({str(arena.path)!r})"]
    subprocess.run(made, check=True, cwd=Path(__file__).parents[1])
    with subprocess.Popen([*PROGRAM, "web", arena.path], stdout=subprocess.PIPE, text=True) as web:
        try:
            assert web.stdout.readline().startswith("Serving ")
            with started(command, folder, port=port):
                yield f"https://localhost:{port}", arena
        finally:
            web.terminate()


def make_in(path: str) -> None:
    """Fills an arena, in a process of its own."""
    from tournament.arena.settings import set_up

    set_up(Path(path))
    make_competition()


@pytest.fixture
def visitor(behind):
    """Returns somebody who is logged in as `ann`."""
    address, _ = behind
    with httpx.Client(base_url=address, verify=False, follow_redirects=True, headers={"Origin": address}) as client:
        page = client.get("/accounts/login/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        words = {"csrfmiddlewaretoken": token, "login": "ann", "password": PASSWORD}
        answer = client.post("/accounts/login/", data=words, headers={"Referer": f"{address}/accounts/login/"})
        assert 200 == answer.status_code
        yield client


def test_an_upload_of_ten_megabytes_passes(behind, visitor):
    address, arena = behind
    page = visitor.get("/c/cup/mine/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    data = b"PK\3\4" + os.urandom(MOST_UPLOAD_BYTES - 4)
    answer = visitor.post(
        "/c/cup/bots/keeper/versions/",
        data={"csrfmiddlewaretoken": token},
        files={"file": ("keeper.zip", data)},
        headers={"Referer": f"{address}/c/cup/mine/"},
    )

    assert 200 == answer.status_code
    assert data == arena.competition("cup").version("keeper", 1).upload.read_bytes()


def test_a_stream_of_events_passes_event_by_event(visitor):
    """The first is read while the stream goes on."""
    with visitor.stream("GET", "/c/cup/events/") as answer:
        first = next(answer.iter_lines())

    assert (200, True) == (answer.status_code, answer.headers["content-type"].startswith("text/event-stream"))
    assert first


def test_the_session_is_only_sent_over_https(visitor):
    assert all(cookie.secure for cookie in visitor.cookies.jar if "session" in cookie.name)
    assert any("session" in cookie.name for cookie in visitor.cookies.jar)
