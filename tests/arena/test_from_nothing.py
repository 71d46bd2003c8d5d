"""An arena from nothing, as a visitor meets it: real processes, a real browser, a quick bot."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
import zipfile
from contextlib import suppress

import pytest
from arena.commands import PROGRAM, arena_command, free_port
from browser.pages import ReplayPage, serious_faults, wider_than_the_screen
from chromium import browser, open_page  # noqa: F401 (fixtures)

import tournament
from tournament.paths import data_folder

pytestmark = pytest.mark.long

RULES = """\
title: Winter Cup
games: [{game: explorers, players: 2}]
isolation: process
round_seconds: 2
deals_a_day: 1000
"""

PASSWORD = "a long password 7"
PHONE = {"width": 360, "height": 640}
WIDE = {"width": 1366, "height": 768}
PATIENCE_SECONDS = 240


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where an arena with an open competition is served; its referee works."""
    place = tmp_path_factory.mktemp("from-nothing")
    folder, port = place / "arena", free_port()
    (place / "cup.yaml").write_text(RULES)
    listen = f"127.0.0.1:{port}"
    made = arena_command("init", folder, "--address", f"http://{listen}", "--listen", listen)
    opened = arena_command("competition", folder, "cup", "--from", place / "cup.yaml", "--state", "open")
    assert (0, 0) == (made.returncode, opened.returncode), made.stderr + opened.stderr
    with (place / "said").open("w") as said:
        process = subprocess.Popen([*PROGRAM, "start", str(folder)], stdout=said, stderr=said)
        with process:
            try:
                _wait_for(port)
                yield f"http://{listen}"
                process.send_signal(signal.SIGINT)
                process.wait(timeout=60)
            finally:
                process.kill()


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.2)
    raise AssertionError("the site does not listen")


def until(page, condition, *, reloading: bool) -> None:
    """Waits until a condition holds; without scripts a visitor loads the page again now and then."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < end, page.inner_text("main")[:2000]
        page.wait_for_timeout(300)
        if reloading:
            page.reload()


@pytest.mark.parametrize(("scripts", "screen"), [(True, PHONE), (False, WIDE)], ids=["scripts-phone", "plain-wide"])
def test_a_visitor_signs_up_hands_in_climbs_replays_and_audits(address, open_page, tmp_path, scripts, screen):  # noqa: F811
    who = "phoebe" if scripts else "wilma"
    page = open_page(address, viewport=screen, java_script_enabled=scripts, accept_downloads=True)
    looks = {}

    def look(name: str) -> None:
        if scripts:  # axe is a script
            looks[name] = (serious_faults(page), wider_than_the_screen(page))

    page.click("text=Winter Cup")
    look("competition")
    page.click("main >> text=Sign up")
    page.fill("[name=username]", who)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    look("sign up")
    page.click("main button:has-text('Sign up')")
    page.fill("[name=public_name]", who.title())
    page.click("button:has-text('Join')")
    page.fill("[name=name]", f"{who}-bot")
    page.click("text=Make it")
    look("my bots")
    page.set_input_files("[type=file]", data_folder("bots") / "random_legal.py")
    page.click("button:has-text('Hand in')")
    handed_in = page.url
    until(page, lambda: page.locator("#steps .pill.passed").count() > 0, reloading=not scripts)
    look("check")
    until(page, lambda: "It is on the ladder" in page.inner_text("main"), reloading=not scripts)
    stayed = page.url

    page.click("text=Ladder >> nth=0")
    until(page, lambda: f"{who}-bot" in page.inner_text("main"), reloading=not scripts)
    look("ladder")
    before = page.inner_text("#ladder .note >> nth=0")
    until(page, lambda: page.inner_text("#ladder .note >> nth=0") != before, reloading=not scripts)

    page.click(f"text={who}-bot")
    look("bot")
    page.locator("#rounds tr:has-text('complete') th a").first.click()
    look("round")
    round_page = page.url
    with page.expect_download() as download:
        page.click("text=Download the round")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    zipfile.ZipFile(path).extractall(tmp_path)
    findings = tournament.audit(tmp_path / path.stem).findings
    page.click("text=Report and games")
    look("report")
    page.locator("details.gallery summary").first.click()
    page.locator("details.gallery[open] a[href*='games/']").first.click()
    if scripts:
        replay = ReplayPage(page)
        replay.press("End")
        look("replay")
        ended = replay.text("ending")
        assert "Place 1" in ended

    assert handed_in == stayed
    assert () == findings
    assert {} == {name: look for name, look in looks.items() if look != ([], False)}
    assert round_page.startswith(f"{address}/c/cup/rounds/")
