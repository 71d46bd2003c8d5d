"""An analysis in the one-file replay, in a browser, as people use it."""

from __future__ import annotations

import pytest
from made_analyses import made_analysis
from made_records import illegal_fault, short_record
from pages import ReplayPage, serious_faults, wait_until, wider_than_the_screen

from tournament.viewer.frames import ALL, Audience
from tournament.viewer.page import write_html

RECORD = short_record("scout", 3, 3, faults=(illegal_fault(9, 2),))
STEPS = [next(step for step, move in enumerate(RECORD.moves) if move.seat == seat and step > 5) for seat in range(3)]
COSTS = dict(zip(STEPS, ((3.0, 1.0), (2.0, 2.5), (5.0, 0.5)), strict=True))
ANALYSIS = made_analysis(RECORD, costs=COSTS)


@pytest.fixture
def judged(open_page, tmp_path):
    """Opens the page of the game with its analysis."""

    def open_judged(fragment="", *, audience=ALL, analysis=ANALYSIS, **options):
        write_html(RECORD, tmp_path / "game.html", audience=audience, analysis=analysis)
        page = ReplayPage(open_page((tmp_path / "game.html").as_uri() + fragment, **options))
        page.page.wait_for_selector("html[data-judged]", state="attached")
        return page

    return open_judged


def steps_listed(shown):
    """Returns the steps in the table of costly moves."""
    return [int(text) for text in shown.page.locator(".costly tbody button").all_text_contents()]


def test_keys_and_buttons_lead_from_one_costly_move_to_the_next(judged):
    """Keys c and C, as in the terminal; the same by mouse."""
    shown = judged()
    forth = []
    for _ in range(4):
        shown.press("c")
        forth.append(shown.step)
    shown.press("C")
    back = shown.step
    shown.page.click("[data-action=previous_costly]")
    shown.page.click("[data-action=previous_costly]")
    first = shown.step
    shown.page.click("[data-action=next_costly]")
    one, two, three = sorted(STEPS)

    assert ([one, two, three, three], two, one, two) == (forth, back, first, shown.step)


def test_the_decision_that_is_due_is_told_in_words_and_read_out(judged):
    """What was chosen, what it cost, what was better; a region of its own for screen readers."""
    shown = judged(f"#step={STEPS[2]}")
    told = shown.text("decision")
    shown.press("End")
    wait_until(shown.page, lambda: shown.text("decision") == "")

    assert told.startswith(f"Seat 2 (gamma) chose play {STEPS[2]}. Cost 5.0 ± 0.5: better was better than")
    assert "polite" == shown.page.get_attribute("#decision", "aria-live")


def test_the_graph_has_a_line_for_each_seat_that_is_shown(judged):
    """All seats, one seat with its interval, none for the public: words and figures tell of hands."""
    shown = judged("#step=5")
    drawn = {}
    for key in ("a", "1", "p"):
        shown.press(key)
        wait_until(
            shown.page, lambda: (shown.page.locator("#expected:visible").count() == 0) == (shown.view == "public")
        )
        drawn[key] = [shown.page.locator(f"#expected:visible {kind}").count() for kind in (".chart-line", ".band")]
        drawn[key] += [shown.page.locator(f"#expected:visible .costly-mark{kind}").count() for kind in ("", ".perhaps")]

    assert {"a": [3, 0, 3, 1], "1": [1, 1, 1, 1], "p": [0, 0, 0, 0]} == drawn
    assert shown.page.is_visible("text=What moves were worth tells of hands")
    assert "" == shown.text("decision")
    assert not shown.page.is_visible(".costly")


def test_the_graph_is_told_in_words_too(judged):
    """A text alternative: the lines and where the costly moves are."""
    label = judged().page.get_attribute("#expected svg", "aria-label")

    assert "margin that could be expected, seat 0, alpha: from −2 to +3; seat 1, beta: from" in label
    assert label.endswith(f"The costliest moves: steps {', '.join(map(str, sorted(STEPS)))}")


def test_marks_differ_in_more_than_colour(judged):
    """▼ for what is sure, ▽ for what may be chance: in the table, on the line of steps, and in the graph."""
    shown = judged()
    cells = shown.page.locator(".costly .cost").all_text_contents()
    ticks = shown.page.locator(".costly-tick").all_text_contents()
    fills = [
        shown.page.locator(f".costly-mark.{kind} path").first.evaluate("mark => getComputedStyle(mark).fill")
        for kind in ("sure", "perhaps")
    ]

    assert ["▼ 5.0 ± 0.5", "▼ 3.0 ± 1.0", "▽ 2.0 ± 2.5"] == cells
    assert ["▼", "▼", "▽"] == ticks
    assert fills[0] != fills[1]


def test_the_table_and_the_graph_lead_to_their_steps(judged):
    """Surest first; a click, or Enter on the step."""
    shown = judged()
    listed = steps_listed(shown)
    shown.page.focus(".costly tbody tr:nth-child(2) button")
    shown.press("Enter")
    by_key = shown.step
    shown.page.click(".costly tbody button >> nth=0")
    by_click = shown.step
    shown.page.locator("#expected svg").evaluate("chart => chart.scrollIntoView({block: 'center'})")
    box = shown.page.locator("#expected .chart-zero").bounding_box()
    shown.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 12)

    assert [STEPS[2], STEPS[0], STEPS[1]] == listed
    assert (STEPS[0], STEPS[2]) == (by_key, by_click)
    assert abs(shown.step - len(RECORD.moves) / 2) <= 1
    assert shown.page.get_attribute("#expected .chart-now", "x1") == shown.page.get_attribute("#chart .chart-now", "x1")


def test_a_page_for_one_seat_shows_its_decisions_only(judged):
    """A seat's page has nothing that the seat could not know."""
    shown = judged(audience=Audience(seat=1))
    shown.press("c")

    assert [STEPS[1]] == steps_listed(shown)
    assert STEPS[1] == shown.step
    assert ["1"] == shown.page.locator("#expected .chart-end").all_text_contents()


def test_what_an_analysis_says_is_text_and_never_markup(judged):
    """Words come from a file."""
    shown = judged(analysis=made_analysis(RECORD, costs=COSTS, words="</script><img src=x onerror=alert(1)>"))
    shown.press("c")

    assert 0 == shown.page.locator("img").count()
    assert "<img src=x onerror=alert(1)>" in shown.text("decision")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_no_serious_fault_and_nothing_is_cut_off(judged, scheme, width):
    """As the page without an analysis: light and dark, desktop and phone."""
    shown = judged(f"#step={STEPS[0]}", color_scheme=scheme, viewport={"width": width, "height": 800})

    assert ([], False) == (serious_faults(shown.page), wider_than_the_screen(shown.page))


def test_the_help_names_the_keys_for_costly_moves(judged):
    """From the same key table."""
    shown = judged()
    shown.press("?")

    assert "next costly move" in shown.text("keys")


def test_an_analysis_that_cannot_be_unpacked_is_told_and_the_replay_works(judged, tmp_path):
    """Models 4b, 12: what is damaged is told."""
    write_html(RECORD, tmp_path / "damaged.html", analysis=ANALYSIS)
    path = tmp_path / "damaged.html"
    path.write_text(path.read_text().replace('"packed":"', '"packed":"!'))
    shown = judged()
    shown.page.goto(path.as_uri())
    shown = ReplayPage(shown.page)
    wait_until(shown.page, lambda: shown.text("trouble") != "")
    told = shown.text("trouble")
    shown.press("ArrowRight")

    assert told.startswith("The analysis in this file is damaged")
    assert 1 == shown.step
