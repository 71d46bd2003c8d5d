"""Every page of reports of all kinds, at three sizes, light and dark: nothing overflows, overlaps or is too small."""

from __future__ import annotations

import pytest
from layout_of_pages import LANGUAGES, faults_at
from shown_runs import RUNS

from tournament.languages import Language, speaking
from tournament.report.site import write_report

PAGES = ("index.html", "games.html", "bots/2.html")
BROKEN_NAMES = """() => {
    const found = [];
    for (const link of document.querySelectorAll("a.bot")) {
        if (!link.checkVisibility()) continue;
        for (const word of link.textContent.matchAll(/[^\\s-]+/g)) {
            const range = document.createRange();
            range.setStart(link.firstChild, word.index);
            range.setEnd(link.firstChild, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map((one) => Math.round(one.top)));
            if (lines.size > 1) found.push(word[0]);
        }
    }
    return found;
}"""


@pytest.fixture(scope="module", params=list(RUNS))
def run(request, tmp_path_factory):
    """A run, and what it is called."""
    return RUNS[request.param](tmp_path_factory.mktemp("runs")), request.param.replace(" ", "-")


@pytest.fixture(scope="module")
def pages(run):
    """The addresses of the first page, of the games, and of the page of a bot."""
    return report_of(run[0], Language.ENGLISH)


def report_of(folder, language):
    """Returns the addresses of the pages of a report in a language."""
    with speaking(language):
        index = write_report(folder, folder.parent / language)
    return [(index.parent / page).as_uri() for page in PAGES]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_laid_out_without_a_fault_and_axe_finds_nothing(run, open_page, language):
    """And no name is broken within a word."""
    folder, called = run
    found = {}
    for address in report_of(folder, language):
        page = open_page("about:blank")
        name = f"report-{called}-{address.rpartition('/')[2].removesuffix('.html')}"
        faults = faults_at(page, address, name, axe=language is Language.ENGLISH)
        faults += [f"broken: {word}" for word in page.evaluate(BROKEN_NAMES)]
        if faults:
            found[name] = faults
        assert language == page.get_attribute("html", "lang")

    assert {} == found


def kind_of(page):
    """Returns the folder of a page, or its name where it is in none."""
    return page.partition("/")[0]


def test_every_kind_of_page_in_a_report_is_measured(tmp_path):
    """Games are measured as replays. A page that is added without being measured fails here by its place."""
    folder = write_report(RUNS["with a final"](tmp_path), tmp_path / "report").parent
    written = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}

    assert {kind_of(page) for page in (*PAGES, "games/*.html")} == {kind_of(page) for page in written}


def test_without_javascript_the_page_tells_who_won(pages, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages[0])
    winner = page.locator("#won .winner").first
    shown = (winner.is_visible(), winner.inner_text().strip(), page.locator("#standings table").first.is_visible())
    context.close()

    assert (True, True, True) == (shown[0], bool(shown[1]), shown[2])


@pytest.fixture(scope="module")
def of_forty(tmp_path_factory):
    """The first page of a report of forty entrants."""
    return write_report(RUNS["of forty"](tmp_path_factory.mktemp("forty"))).as_uri()


def test_forty_entrants_make_one_readable_page(of_forty, open_page):
    """It was 25,800 px tall."""
    page = open_page(of_forty, viewport={"width": 1366, "height": 768})

    assert page.evaluate("document.documentElement.scrollHeight") < 5000


def test_the_first_column_of_head_to_head_and_the_navigation_stay_in_view(of_forty, open_page):
    page = open_page(of_forty, viewport={"width": 360, "height": 640})
    page.evaluate("document.querySelector('#head-to-head .table-box').scrollTo(900, 300)")
    page.locator("#head-to-head .table-box").scroll_into_view_if_needed()
    box = page.locator("#head-to-head .table-box").bounding_box()
    name = page.locator("#head-to-head tbody th").last.bounding_box()
    bar = page.locator("nav.bar").bounding_box()

    assert 0 <= name["x"] - box["x"] < 3
    assert 0 == bar["y"]


def test_a_link_of_the_navigation_opens_the_section_it_leads_to(of_forty, open_page):
    page = open_page(of_forty, viewport={"width": 1366, "height": 768})
    before = page.locator("#times").is_visible()
    page.click("nav.bar a:text-is('Times')")
    page.wait_for_selector("#times", state="visible")

    assert not before
    assert page.locator("#times").bounding_box()["y"] < 768


def test_a_box_that_scrolls_says_so_and_one_that_does_not_is_silent(of_forty, open_page):
    hint = "#head-to-head .scrolls"
    page = open_page(of_forty, viewport={"width": 1366, "height": 768})
    page.wait_for_selector(hint)
    both = page.inner_text(hint)
    page.evaluate("for (const row of [...document.querySelectorAll('.matrix tbody tr')].slice(3)) row.remove()")
    page.wait_for_selector(f"{hint}:not(.down)")

    assert ["Scroll to see all columns and rows.", "Scroll to see all columns."] == [both, page.inner_text(hint)]
    assert 0 == page.locator("#won .scrolls").count()


def test_every_round_of_a_bracket_is_on_the_screen_of_a_phone(tmp_path, open_page):
    """And the bracket comes before the first table."""
    index = write_report(RUNS["a knockout"](tmp_path))
    page = open_page(index.as_uri(), viewport={"width": 360, "height": 640})
    rounds = [one.bounding_box() for one in page.locator(".bracket .round").all()]

    assert 1 < len(rounds)
    assert [] == [box for box in rounds if box["x"] < 0 or box["x"] + box["width"] > 360]
    assert sorted(box["y"] for box in rounds) == [box["y"] for box in rounds]
    assert rounds[-1]["y"] < page.locator("main table").first.bounding_box()["y"]


def test_a_winner_with_a_page_is_underlined_as_a_link(of_forty, open_page):
    page = open_page(of_forty, viewport={"width": 1366, "height": 768})

    assert "underline" == page.evaluate("getComputedStyle(document.querySelector('.winner a')).textDecorationLine")
