"""The report from a disk and the same pages served, in a browser, as people use them."""

from __future__ import annotations

import json
import socket
import threading

import pytest
from made_analyses import made_analysis
from made_runs import NAME, small_run
from needs import need_module
from pages import ReplayPage, serious_faults, wait_until, wider_than_the_screen

from tournament.report.site import write_report
from tournament.store.analyses import write_analysis
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results


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
    uvicorn = need_module("uvicorn", extra="serve")
    from tournament.report.server import make_app

    listener = socket.create_server(("127.0.0.1", 0))
    serving = uvicorn.Server(uvicorn.Config(make_app(run.parent), log_level="error"))
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    serving.should_exit = True
    thread.join(timeout=10)
    listener.close()


@pytest.fixture(params=["disk", "server"])
def index(request):
    """The first page of the run, from both."""
    if request.param == "disk":
        return request.getfixturevalue("report")
    return request.getfixturevalue("server") + "runs/made-run/"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
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
    page.click("#head-to-head tr:has(th:text-is('cautious')) a >> nth=0")
    page.wait_for_selector("html[data-ready]", state="attached")
    rows = page.locator("#rows tr")
    names = [rows.nth(number).inner_text() for number in range(rows.count())]
    page.click("#rows a >> nth=0")
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
    page.click("#faults td a >> nth=0")
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


def test_a_served_game_is_shown_as_one_seat_saw_it(server, open_page):
    page = open_page(f"{server}runs/made-run/games.html")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.click("#rows tr >> nth=0 >> .views a:has-text('1')")
    shown = ReplayPage(page)
    shown.press("a")

    assert "seat1" == shown.view
    assert 1 == page.locator("#views button").count()


def test_a_page_of_a_run_that_goes_on_follows_it(server, open_page, run):
    """Standings refresh while a run goes on, without a reload; refreshing can be stopped."""
    import shutil

    growing = run.parent / "growing"
    shutil.copytree(run, growing, ignore=shutil.ignore_patterns("report"))
    lines = (run / "results.jsonl").read_bytes().splitlines(keepends=True)
    (growing / "results.jsonl").write_bytes(b"".join(lines[:3]))
    info = json.loads((run / "run.json").read_text()) | {"state": "running"}
    for segment in info["segments"]:
        segment.pop("extent", None)  # written at the end
    (growing / "run.json").write_text(json.dumps(info))
    page = open_page(f"{server}runs/growing/")
    page.evaluate("document.body.dataset.refresh = '0.2'")  # read at the next turn
    before = page.text_content(".facts")
    faults = serious_faults(page)
    (growing / "results.jsonl").write_bytes(b"".join(lines[:6]))
    wait_until(page, lambda: page.text_content(".facts").startswith("6 games"))

    assert before.startswith("3 games")
    assert [] == faults
    assert page.is_visible("#pause")


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
    assert [record.id] == page.locator("#rows tr:has(.analysed) a").all_text_contents()


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
