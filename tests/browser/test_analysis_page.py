"""An analysis in the one-file replay, in a browser, as people use it."""

from __future__ import annotations

import pytest
from layout_of_pages import LANGUAGES, faults_of_page
from made_analyses import made_analysis
from made_records import illegal_fault, short_record
from msgspec import structs, to_builtins
from pages import ReplayPage, serious_faults, wait_until

from tournament.languages import Language, speaking
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, Audience, frames_of
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
    shown.page.click("#menu-button")
    shown.page.click("[data-does=previous_costly]")
    shown.page.click("[data-does=previous_costly]")
    first = shown.step
    shown.page.click("[data-does=next_costly]")
    one, two, three = sorted(STEPS)

    assert ([one, two, three, three], two, one, two) == (forth, back, first, shown.step)


def test_the_decision_that_is_due_is_told_in_words_and_read_out(judged):
    """What was chosen, what it cost, what was better; a region of its own for screen readers."""
    shown = judged(f"#step={STEPS[2]}")
    told = shown.text("decision")
    shown.press("End")
    wait_until(shown.page, lambda: shown.text("decision") == "")

    assert told.startswith(f"gamma chose play {STEPS[2]}. Cost 5.0 ± 0.5: better was better than")
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_laid_out_without_a_fault_and_axe_finds_nothing(judged, language):
    """At a costly move, with its graph and its table; and the page of one seat, whose graph has an interval."""
    with speaking(Language(language)):
        found = [
            faults_of_page(
                judged(f"#step={STEPS[1]}", audience=audience).page, f"analysis-{audience}", axe=language == "en"
            )
            for audience in (ALL, Audience(seat=1))
        ]

    assert [[], []] == found


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


def turn_with_both():
    """Returns a step at which its seat may play and may scout into place 1, and an action of each kind."""
    frames = frames_of(Replay.from_record(RECORD))
    for step, move in enumerate(RECORD.moves):
        legal = frames[step].seen[Audience(seat=move.seat)].view.legal_actions()
        plays = [action for action in legal if action.do == "play"]
        scouts = [action for action in legal if action.do == "scout" and action.at == 1]
        if plays and scouts:
            return step, move.seat, plays[0], scouts[0]
    raise AssertionError("no turn with both")


def test_what_was_chosen_and_what_was_better_is_shown_on_the_cards(judged):
    """Cards of the hand and of the table, and the place where one goes; gone at the next step."""
    step, seat, play, scout = turn_with_both()
    analysis = made_analysis(RECORD, costs={step: (5.0, 0.5)})
    decision = next(one for one in analysis.decisions if one.step == step)
    acted = structs.replace(
        decision,
        played=structs.replace(decision.played, action=to_builtins(play)),
        best=structs.replace(decision.best, action=to_builtins(scout)),
    )
    decisions = tuple(acted if one is decision else one for one in analysis.decisions)
    shown = judged(f"#step={step}", analysis=structs.replace(analysis, decisions=decisions))
    wait_until(shown.page, lambda: shown.page.locator(".judged-better").count() > 0)
    hand = f"[data-seat='{seat}'] .slot.judged-chosen"
    chosen = [int(card.get_attribute("data-hand")) for card in shown.page.locator(hand).all()]
    better = shown.page.locator(".centre .slot.judged-better").count()
    gap = shown.page.locator(f"[data-seat='{seat}'] [data-hand='1'] .gap-better").count()
    faults = serious_faults(shown.page)
    shown.press("ArrowRight")
    wait_until(shown.page, lambda: shown.page.locator(".judged-better, .judged-chosen, .judged-gap").count() == 0)

    assert list(range(play.at, play.at + play.count)) == chosen
    assert (1, 1, []) == (better, gap, faults)


def test_an_action_that_the_rules_do_not_allow_there_is_shown_on_no_card(judged):
    """An analysis is a file that anybody may have written."""
    shown = judged(f"#step={STEPS[2]}")

    assert "Cost 5.0" in shown.text("decision")
    assert 0 == shown.page.locator(".judged-better, .judged-chosen").count()


@pytest.mark.parametrize("size", [(360, 640), (1366, 768)])
def test_the_table_and_the_words_on_a_costly_move_fit_the_window(judged, size):
    """Seats, table and bar are in sight with an analysis, too."""
    shown = judged(f"#step={STEPS[2]}", viewport={"width": size[0], "height": size[1]})
    lowest = shown.page.locator(".seat").last.bounding_box()

    assert lowest["y"] + lowest["height"] <= shown.page.locator("#bar").bounding_box()["y"] + 1
    assert "" != shown.text("decision")
