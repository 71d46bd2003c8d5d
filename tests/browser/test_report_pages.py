"""The report from a disk and the same pages served, in a browser, as people use them."""

from __future__ import annotations

import json
import shutil

import pytest
from made_analyses import made_analysis
from made_runs import NAME, small_run
from needs import need_module
from pages import LOOKS, ReplayPage, serious_faults, wait_until, wider_than_the_screen
from served_runs import served_runs

from tournament.report.site import write_report
from tournament.store.analyses import write_analysis
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results

NAMES = ["ærlig", "bot 10", "bot 2"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run with faults."""
    return small_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def report(run):
    """The address of its report on the disk."""
    return write_report(run).as_uri()


@pytest.fixture(scope="module")
def server(run):
    """The address of a server of the run."""
    with served_runs(run.parent) as address:
        yield address


@pytest.fixture(params=["disk", "server"])
def index(request):
    """The first page of the run, from both."""
    if request.param == "disk":
        return request.getfixturevalue("report")
    return request.getfixturevalue("server") + "runs/made-run/"


@LOOKS
def test_axe_finds_no_serious_fault_and_nothing_is_cut_off(index, open_page, scheme, width):
    """The same for the report and `serve`."""
    page = open_page(index, color_scheme=scheme, viewport={"width": width, "height": 800})
    first = (serious_faults(page), wider_than_the_screen(page))
    page.click("text=Search all")
    page.wait_for_selector("html[data-ready]", state="attached")

    assert ([], False) == first
    assert ([], False) == (serious_faults(page), wider_than_the_screen(page))


def test_a_cell_leads_to_the_games_of_two_and_a_game_to_its_replay_and_back(index, open_page, run):
    """models.md 4b, 18: from a report cell to its matches to the replay, and back."""
    page = open_page(index)
    page.click("#head-to-head tr:has(th a:text-is('cautious')) td a >> nth=0")
    page.wait_for_selector("html[data-ready]", state="attached")
    rows = page.locator("#rows tr")
    names = [rows.nth(number).inner_text() for number in range(rows.count())]
    page.click("#rows td:first-child a >> nth=0")
    shown = ReplayPage(page)
    shown.press("End")
    ending = shown.text("ending")
    page.click("#back-link")

    assert names
    assert all("cautious" in row for row in names)
    assert "Place 1" in ending
    assert "made <b>run<i>" in page.text_content("h1")


def test_a_fault_leads_to_the_step_at_which_it_happened(index, open_page):
    """Faults lead to the replay at the decisive step."""
    page = open_page(index)
    page.click(".alarm a")
    page.click("#faults td a[href*='step'] >> nth=0")
    shown = ReplayPage(page)

    assert NAME in shown.text("faults")
    assert "forfeits" in shown.text("faults")


def test_games_are_searched_by_id_entrant_and_fault(index, open_page, run):
    """A search by id over compact lists."""
    results = list(read_results(run))
    page = open_page(index)
    page.click("text=Search all")
    page.wait_for_selector("html[data-ready]", state="attached")
    found = {}
    for field, value in (("id", "explorers-2p.0.000001"), ("id", ""), ("faults", True), ("faults", False)):
        if isinstance(value, bool):
            page.set_checked(f"#{field}", value)
        else:
            page.fill(f"#{field}", value)
        found[field, value] = page.locator("#rows tr").count()
    page.select_option("#first", NAME)

    assert {
        ("id", "explorers-2p.0.000001"): sum("explorers-2p.0.000001" in result.id for result in results),
        ("id", ""): len(results),
        ("faults", True): sum(bool(result.faults) for result in results),
        ("faults", False): len(results),
    } == found
    assert sum(NAME in result.seats for result in results) == page.locator("#rows tr").count()
    assert 0 == page.locator("img").count()


def test_tables_are_sorted_by_a_column_with_the_keyboard(index, open_page):
    """models.md 4c: sortable columns."""
    page = open_page(index)
    page.click("#standings summary >> nth=-1")
    header = page.locator("#standings table").last.locator("th button", has_text="score")
    column = page.locator("#standings table").last.locator("tbody td:nth-child(8)")
    header.focus()
    page.keyboard.press("Enter")
    rising = [float(text.replace("−", "-")) for text in column.all_inner_texts()]
    page.keyboard.press("Enter")
    falling = [float(text.replace("−", "-")) for text in column.all_inner_texts()]

    assert sorted(rising) == rising
    assert rising[::-1] == falling
    assert len(rising) > 1


def test_names_in_a_table_are_sorted_as_the_language_of_the_page_does(run, open_page, tmp_path):
    """In Norwegian æ and ø come behind z, in English beside a and o."""
    need_module("babel", extra="languages")
    order = {}
    for language in ("en", "nb"):
        page = open_page(write_report(run, tmp_path / language, language=language).as_uri())
        table = page.locator("#standings table").first
        names = table.locator("tbody td.fixed")
        names.evaluate_all("(cells, names) => cells.forEach((cell, at) => { cell.textContent = names[at]; })", NAMES)
        table.locator("th.fixed button").click()
        order[language] = names.all_inner_texts()

    assert {"en": ["ærlig", "bot 2", "bot 10"], "nb": ["bot 2", "bot 10", "ærlig"]} == order


def test_names_to_choose_from_are_in_the_order_of_the_language(run, open_page, tmp_path):
    need_module("babel", extra="languages")
    index = write_report(run, tmp_path / "report", language="nb")
    for path in (index.parent / "data").glob("games-*.js"):
        chunk = path.read_text(encoding="utf-8")
        for name, other in zip(("cautious", "random_legal"), NAMES, strict=False):
            chunk = chunk.replace(f'"{name}"', f'"{other}"')
        path.write_text(chunk, encoding="utf-8")
    page = open_page((index.parent / "games.html").as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    names = [name for name in page.locator("#first option").all_inner_texts() if name in NAMES]

    assert ["bot 10", "ærlig"] == names


def test_a_served_game_is_shown_as_one_seat_saw_it(server, open_page):
    page = open_page(f"{server}runs/made-run/games.html")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.click("#rows tr >> nth=0 >> .views a:has-text('1')")
    shown = ReplayPage(page)
    shown.press("a")

    assert "seat1" == shown.view
    assert 1 == page.locator("#views button").count()


@pytest.fixture
def growing(run):
    """A run with its first five games, and what lets it have all of its games."""
    folder = run.parent / "growing"
    shutil.copytree(run, folder, ignore=shutil.ignore_patterns("report"))
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:5]))
    info = json.loads((run / "run.json").read_text()) | {"state": "running"}
    for segment in info["segments"]:
        segment.pop("extent", None)  # written at the end
    (folder / "run.json").write_text(json.dumps(info))
    yield lambda: (folder / "results.jsonl").write_bytes(b"".join(lines))
    shutil.rmtree(folder)


def test_a_page_of_a_run_that_goes_on_follows_it(server, open_page, growing):
    """Standings refresh while a run goes on, without a reload; refreshing can be stopped."""
    page = open_page(f"{server}runs/growing/")
    page.evaluate("document.body.dataset.refresh = '0.2'")  # read at the next turn
    before = page.text_content(".facts")
    told = page.text_content("p.progress")
    faults = serious_faults(page)
    growing()
    wait_until(page, lambda: "played 15 so far" in page.text_content(".facts"))

    assert "played 5 so far" in before
    assert "27 % played: 5 of 18 games." in told
    assert [] == faults
    assert page.is_visible("#pause")


def test_a_page_that_renews_itself_stays_sorted_open_and_scrolled(server, open_page, growing):
    page = open_page(f"{server}runs/growing/", viewport={"width": 360, "height": 640})
    page.click("#times-fold > summary")
    page.click("#head-to-head-fold > summary")
    header = page.locator("#times th button", has_text="games")
    header.click()
    header.click()
    page.evaluate("document.querySelector('#times .table-box').scrollTo(90, 0)")
    page.evaluate("document.body.dataset.refresh = '0.2'")
    growing()
    wait_until(page, lambda: "played 15 so far" in page.text_content(".facts"))
    column = [int(text) for text in page.locator("#times tbody td:nth-child(3)").all_inner_texts()]

    assert (True, False) == (page.is_visible("#times"), page.is_visible("#head-to-head"))
    assert "descending" == page.locator("#times th", has_text="games").first.get_attribute("aria-sort")
    assert sorted(column, reverse=True) == column
    assert 90 == page.evaluate("document.querySelector('#times .table-box').scrollLeft")


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_the_costliest_moves_lead_from_the_report_into_their_game(run, open_page, tmp_path, scheme, width):
    """From the list of games to the step, its words and its graph; the search marks the game."""
    record = find_record(Reference(run, next(result.id for result in read_results(run))))
    analysis = made_analysis(record, costs={6: (3.0, 1.0)})
    write_analysis(analysis, tmp_path / "judged.json")
    address = write_report(run, tmp_path / "report", analyses=[tmp_path / "judged.json"]).as_uri()
    page = open_page(address, color_scheme=scheme, viewport={"width": width, "height": 800})
    looks = (serious_faults(page), wider_than_the_screen(page))
    page.click("text=▼ step 6")
    page.wait_for_selector("html[data-judged]", state="attached")
    shown = ReplayPage(page)
    told = (shown.step, "Cost 3.0 ± 1.0" in shown.text("decision"), page.locator("#expected svg").count())
    page.goto(address.replace("index", "games"))
    page.wait_for_selector("html[data-ready]", state="attached")

    assert ([], False) == looks
    assert (6, True, 1) == told
    assert [record.id] == page.locator("#rows tr:has(.analysed) td:first-child a").all_text_contents()


@pytest.mark.parametrize("width", [360, 400, 500, 1280])
def test_a_plot_is_seen_whole_on_every_screen(report, open_page, width):
    """A drawing that is cut off looks as if it ended there."""
    page = open_page(report, viewport={"width": width, "height": 800})
    boxes = page.evaluate(
        "[...document.querySelectorAll('.plot')].map((one) => [one.scrollWidth, one.clientWidth,"
        " one.querySelector('svg').getBoundingClientRect().right, one.getBoundingClientRect().right])"
    )

    assert boxes
    for inside, outside, drawing_ends, box_ends in boxes:
        assert inside <= outside
        assert drawing_ends < box_ends
