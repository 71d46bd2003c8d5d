"""The page of a seat at each moment of a turn and at the end: three sizes, light and dark, in English and German."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from importlib.resources import files
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from jinja2 import Template
from layout_of_pages import LANGUAGES, faults_at, faults_of_page
from made_tables import MadeTable, by_chance, served
from seat_pages import SeatPage

COVERING = """() => [...document.querySelectorAll(".gap")].flatMap((gap) => {
    const { left, right, top, bottom } = gap.getBoundingClientRect();
    return [...document.querySelectorAll(".seat-head")].filter((head) => {
        const box = head.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom - 1 && box.bottom > top + 1;
    }).map((head) => `${gap.dataset.spot} lies on ${head.textContent}`);
})"""
"""Finds marks between cards of the hand that lie on the head of a seat."""


def touch_a_card(shown, game):
    """Touches a card that may go to several places."""
    if game == "scout":
        shown.page.click("[data-choice='0']")
        shown.wait()
    shown.tap("table 0" if game == "scout" else "hand 0")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_a_seat_is_laid_out_without_a_fault_and_axe_finds_nothing_at_any_moment(game, language, open_page):
    made = MadeTable(game, players=3, people=(1,), decide=by_chance)
    found, covering = {}, set()
    with served(made) as links:
        shown = SeatPage(open_page(links[1], locale=language, has_touch=True, viewport={"width": 360, "height": 640}))

        def look(moment, **rules):
            name = f"seat-{game}-{moment}"
            if faults := faults_of_page(shown.page, name, fits=True, axe=language == "en", **rules):
                found[moment] = faults

        look("begins")
        touch_a_card(shown, game)
        look("touched")
        covering |= set(shown.page.evaluate(COVERING))
        shown.page.click("#list")
        look("choices")
        shown.page.click("#list")
        shown.page.click("#help")
        look("help")
        shown.page.click("#about-close")
        made.play_to_the_end()
        shown.wait()
        look("over")

        assert ({}, set()) == (found, covering)
        assert language == shown.page.get_attribute("html", "lang")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_laid_out_without_a_fault(language, open_page, monkeypatch):
    """To who has a link that is none, and to who has opened one in too many pages."""
    made = MadeTable("scout", players=3, people=(1,), decide=by_chance)
    with served(made) as links:
        page = open_page("about:blank", may_fail=True, locale=language)
        found = faults_at(page, f"{links[1][:-3]}/", "seat-message-no-seat", axe=language == "en")
        said = [page.inner_text("main")]
        monkeypatch.setattr("tournament.lab.browser.serving.TableServer.room_of", lambda *_: nullcontext(False))
        found += faults_at(page, links[1], "seat-message-too-many", axe=False)
        said.append(page.inner_text("main"))

    assert [] == found
    assert 2 == len({*said})


def test_every_template_of_the_table_is_drawn_in_these_tests(monkeypatch):
    """A page that is added without being measured fails here by the name of its template."""
    made = MadeTable("scout", players=3, people=(1,), decide=by_chance)
    drawn, draw = set(), Template.render

    def note(template, *values, **named):
        drawn.add(template.name)
        return draw(template, *values, **named)

    monkeypatch.setattr(Template, "render", note)
    with served(made) as links:
        for link in (links[1], f"{links[1][:-3]}/"):
            with suppress(HTTPError):
                urlopen(link).close()

    assert drawn == {path.name for path in (files("tournament.lab.browser") / "web").iterdir() if path.suffix == ".j2"}
