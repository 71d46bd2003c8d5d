"""Rounds on the site: reports, replays and downloads, made in another process from what is public."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile

import pytest
from arena.made_site import GROUP, client_of, make_playing

import tournament

REPORT = "/c/cup/rounds/1/report/"


def text_of(answer) -> str:
    return b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()


@pytest.mark.parametrize(
    "page",
    [
        *("", "index.html", "games.html", "bots/1.html", "data/games-0.js", "data/bot-1.json"),
        f"games/{GROUP}.0.000000.0.html",
    ],
)
def test_a_round_is_shown_as_its_report_and_its_games_as_replays(site, page):
    answer = client_of().get(REPORT + page)

    assert 200 == answer.status_code
    assert "unsafe" not in answer["Content-Security-Policy"]


@pytest.mark.parametrize(
    "page", ["x.html", "bots/99.html", "games/../../run.json", "data/../run.json", f"games/{GROUP}.0.000009.0.html"]
)
def test_an_address_that_a_report_does_not_have_leads_nowhere(site, page):
    assert 404 == client_of().get(REPORT + page).status_code


def test_no_page_of_a_report_shows_a_traceback_or_what_a_bot_printed(site):
    client = client_of()
    pages = [
        text_of(client.get(REPORT + page)) for page in ("index.html", "games.html", "bots/1.html", "data/faults.json")
    ]
    pages += [text_of(client.get(f"{REPORT}games/{GROUP}.0.000000.{number}.html")) for number in (0, 1)]

    assert [] == [page[:80] for page in pages if "words of" in page]
    assert "crash" in pages[0]


def test_what_is_downloaded_is_public_and_audits_clean(site, tmp_path):
    answer = client_of().get("/c/cup/rounds/1/download/")
    zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).extractall(tmp_path)
    folder = tmp_path / "cup-round-000001"

    assert 'attachment; filename="cup-round-000001.zip"' == answer["Content-Disposition"]
    assert () == tournament.audit(folder).findings
    assert [] == [path.name for path in folder.iterdir() if path.name in ("faults.jsonl", "clocks.jsonl", "logs")]
    assert json.loads((folder / "run.json").read_text())["public"]


@pytest.fixture
def playing(site, run):
    """A round of which one of two blocks is played."""
    return make_playing(site, run, games=2)


def test_a_round_that_goes_on_cannot_be_downloaded(playing):
    assert 404 == client_of().get("/c/cup/rounds/2/download/").status_code


def test_a_round_that_goes_on_shows_its_finished_blocks(playing):
    client = client_of()
    first = client.get("/c/cup/rounds/2/report/")

    assert 200 == first.status_code
    assert '<a href="../../">Rounds</a>' in text_of(first)
    assert "2 games" in text_of(first)
    assert "words of" not in text_of(first)
    assert 200 == client.get(f"/c/cup/rounds/2/report/games/{GROUP}.0.000000.0.html").status_code


def test_a_game_of_a_block_that_goes_on_is_shown_by_no_address(playing):
    """Its record may be on the disk already."""
    client = client_of()
    shown = [client.get(f"/c/cup/rounds/2/report/games/{GROUP}.0.000001.{number}.html") for number in (0, 1)]

    assert [404, 404] == [answer.status_code for answer in shown]
    assert "000001.0" not in text_of(client.get("/c/cup/rounds/2/report/data/games-0.js"))


def test_the_web_process_imports_neither_numpy_nor_what_plays(arena):
    code = f"""
import sys
from pathlib import Path
from tournament.arena.settings import set_up
set_up(Path({str(arena.path)!r}), is_site=True)
from tournament.arena.web import asgi, urls
print(sorted({{"numpy", "scipy", "pandas", "tournament.run", "tournament.referee"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout


def test_a_referee_loads_nothing_of_the_api(arena):
    code = f"""
import sys
from pathlib import Path
from tournament.arena.settings import set_up
set_up(Path({str(arena.path)!r}))
from tournament.arena.play import refereeing
print(sorted({{"ninja", "pydantic", "django.test"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]\n" == done.stdout


def test_a_web_process_that_has_made_pages_ends_without_a_word(arena):
    code = f"""
from pathlib import Path
from tournament.arena.settings import set_up
set_up(Path({str(arena.path)!r}), is_site=True)
from tournament.arena.web import asgi
from tournament.arena.web.makers import MAKER
print(MAKER.make("Path", "made"))  # whatever the other process can call
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ("made\n", "") == (done.stdout, done.stderr)
