"""Every page of `tournament serve` at three sizes, light and dark, in English and German: laid out without a fault."""

from __future__ import annotations

import pytest
from layout_of_pages import LANGUAGES, faults_at
from made_runs import small_run
from pages import wait_for_replay
from served_runs import client_of, make_going, served, served_runs

from tournament.hosts import AllowedHosts
from tournament.store.results import read_results

PAGES = {
    "runs": "",
    "report": "runs/{run}/",
    "games": "runs/{run}/games.html",
    "bot": "runs/{run}/bots/2.html",
    "watch": "runs/{run}/watch/",
    "news": "runs/{run}/news/",
    "replay": "runs/{run}/games/{game}.html#step=9",
}
WITH_REPLAYS = ("watch", "replay")
MEASURED_ELSEWHERE = ("runs/{run}/projector/", "runs/{run}/watch/games/{game}.html")
"""The projector slide by slide, and the frame with the page around it."""

NO_PAGES = ("runs/{run}/data/games-0.js", "runs/{run}/feed.atom", "runs/{run}/feed.json", "runs/{run}/events")
OTHER_HOSTS = ("scores.example.org", "tournament-of-the-winter-term.informatics.example.edu")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run, alone in its folder."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def names(run):
    """The names of the run and of a game of it in addresses."""
    return {"run": run.name, "game": next(read_results(run)).id}


@pytest.fixture(scope="module")
def address(run):
    """The address of a server of the run."""
    with served_runs(run.parent) as address:
        yield address


@pytest.fixture(scope="module")
def messages(run, names, address, tmp_path_factory):
    """By what it is about, where a message is shown: of what is not there, of hidden cards, and to another host."""
    from tournament.report.server import make_app

    going = make_going(run, tmp_path_factory.mktemp("going") / run.name)
    with (
        served(make_app(going.parent, hides_cards=True)) as hiding,
        served(make_app(run.parent, hosts=AllowedHosts(names=OTHER_HOSTS))) as elsewhere,
    ):
        yield {
            "no-run": f"{address}runs/a-run-that-nobody-has-ever-played/",
            "no-game": f"{address}runs/{run.name}/games/explorers-2p.0.999999.0.html",
            "no-page": f"{address}nothing/",
            "hidden": f"{hiding}/{PAGES['replay'].format(**names)}",
            "other-host": elsewhere,
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_laid_out_without_a_fault_and_axe_finds_nothing(address, names, open_page, language):
    page = open_page(address, locale=language)
    found, languages = {}, set()
    for name, path in PAGES.items():
        ready = wait_for_replay if name in WITH_REPLAYS else lambda page: None
        faults = faults_at(page, address + path.format(**names), f"serve-{name}", ready=ready, axe=language == "en")
        if faults:
            found[name] = faults
        languages.add(page.get_attribute("html", "lang"))

    assert {} == found
    assert {language} == languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_laid_out_without_a_fault(messages, open_page, language):
    page = open_page("about:blank", may_fail=True, locale=language)
    found, said = {}, set()
    for name, place in messages.items():
        faults = faults_at(page, place, f"serve-message-{name}", axe=(language, name) == ("en", "no-game"))
        if faults:
            found[name] = faults
        said.add(page.inner_text("main"))

    assert {} == found
    assert len(messages) == len(said)


def test_every_address_is_measured_or_shows_no_page(run, names):
    """A page that nothing measures fails here by the path of its route."""
    client = client_of(run.parent)
    client.app.state.is_ending = lambda: True  # or the stream of news would go on
    asked = {}
    for path in (*PAGES.values(), *MEASURED_ELSEWHERE, *NO_PAGES):
        scope = {"type": "http", "method": "GET", "path": "/" + path.format(**names).partition("#")[0]}
        asked[path] = next(route for route in client.app.routes if route.matches(scope)[0].name == "FULL")
    known = {route.endpoint for route in asked.values()}
    answered = {path: client.get(f"/{path.format(**names)}") for path in NO_PAGES}

    assert [] == [route.path for route in client.app.routes if route.endpoint not in known]
    assert [] == [path for path, answer in answered.items() if "text/html" in answer.headers["content-type"]]
