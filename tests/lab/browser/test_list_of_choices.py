"""The list of all choices on the page of a seat: folded below what one does, by touch, by keyboard and read out."""

from __future__ import annotations

import pytest
from made_tables import MadeTable, served
from pages import serious_faults, wait_for_change, wider_than_the_screen
from seat_pages import PHONE, SeatPage


@pytest.fixture
def scouting(open_page):
    """A person with a hand of twelve cards who may play and scout: the table, and the page with its list open."""
    made = MadeTable("scout", players=3, people=(1,), decide=lambda seat: longest_play)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE))
        shown.page.click("#list")
        shown.page.click("#all [data-words='keep']")
        shown.wait()
        yield made, shown


def longest_play(view):
    """Keeps the hand, then plays as many cards as may be."""
    return max(view.legal_actions(), key=lambda action: getattr(action, "count", 0))


def folded(shown, within="#all"):
    """The groups that stand directly in the list or in a group: what they say, and whether they are open."""
    return shown.page.eval_on_selector_all(
        f"{within} > details, {within} > .listed > details",
        "all => all.map((one) => [one.querySelector('summary').textContent, one.open])",
    )


def test_many_choices_are_folded_below_what_one_does_the_fewest_first(scouting):
    made, shown = scouting
    choices = made.sheets(1)[-1]["choices"]
    table = made.sheets(1)[-1]["frame"]["seen"]["seat1"]["view"]["table"]
    plays = sum(choice["words"].startswith("play") for choice in choices)
    scouts = (len(choices) - plays) // 2

    assert 12 * 2 * 2 < len(choices)
    assert [
        *([[f"Play a set {plays} choices", False]] if plays > 1 else []),
        [f"Scout {table[0]} from the left end {scouts} choices", False],
        [f"Scout {table[-1]} from the right end {scouts} choices", False],
    ] == folded(shown)
    assert [] == shown.page.locator("#all button:visible").all_text_contents()[1 if plays == 1 else 0 :]


def test_an_end_of_the_set_is_unfolded_by_how_the_card_is_held_and_then_by_where_it_goes(scouting):
    made, shown = scouting
    view = made.sheets(1)[-1]["frame"]["seen"]["seat1"]["view"]
    card, hand = view["table"][0], view["hand"]
    turned = "/".join(reversed(card.split("/")))
    shown.page.click("#all > details:has-text('left end') > summary")

    assert [
        [f"Hold it as {card} 13 choices", False],
        [f"Hold it as {card}, then play 13 choices", False],
        [f"Hold it as {turned} 13 choices", False],
        [f"Hold it as {turned}, then play 13 choices", False],
    ] == sorted(folded(shown, "#all > details[open]"))
    shown.page.click("#all details[open] details:first-child > summary")
    places = shown.page.locator("#all details details[open] button").all_text_contents()
    assert [f"before {hand[0]}", f"between {hand[0]} and {hand[1]}"] == places[:2]
    assert f"behind {hand[-1]}" == places[-1]


def test_of_the_groups_side_by_side_one_is_open_at_a_time(scouting):
    """And it is at the top of the list."""
    _, shown = scouting
    for end in ("left", "right"):
        shown.page.click(f"#all > details:has-text('{end} end') > summary")

    top = "one => one.querySelector('details[open]').getBoundingClientRect().top - one.getBoundingClientRect().top"
    assert [False, True] == [is_open for _, is_open in folded(shown)[-2:]]
    assert 3 > abs(shown.page.eval_on_selector("#all", top))


def test_the_list_is_used_by_keyboard(scouting):
    """The key l goes to it, Enter unfolds, the tabulator goes on to the buttons, and Enter plays."""
    made, shown = scouting
    page = shown.page
    first, told = made.sheets(1)[-1]["choices"], page.locator("#told li").count()
    page.keyboard.press("l")
    page.keyboard.press("l")
    focused = "document.activeElement.closest('summary, button')?.textContent ?? ''"
    for _ in range(6):
        if "left end" in page.evaluate(focused):
            break
        page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    name, place = page.evaluate("[document.activeElement.ariaLabel, Number(document.activeElement.dataset.choice)]")
    page.keyboard.press("Enter")
    wait_for_change(page, f"document.getElementById('told').childElementCount > {told}")
    card, told_then = first[place]["meaning"].split()[1].rstrip(","), made.sheets(1)[-1]["told"]

    assert name.startswith(f"{first[place]['meaning']} before ")
    assert [True] == [f"in place 0 as {card}" in line for line in told_then if line.startswith("You scout")]


def test_a_screen_reader_hears_each_choice_whole_and_how_many_are_folded(scouting):
    made, shown = scouting
    table = made.sheets(1)[-1]["frame"]["seen"]["seat1"]["view"]["table"]
    hand = made.sheets(1)[-1]["frame"]["seen"]["seat1"]["view"]["hand"]
    shown.page.click("#all > details:has-text('left end') > summary")
    shown.page.click("#all details[open] details:first-child > summary")
    heard = shown.page.locator("#all").aria_snapshot()

    assert f"Scout {table[0]} from the left end" in heard
    assert "13 choices" in heard
    assert f'button "Take {table[0]} before {hand[0]}"' in heard


def test_what_is_unfolded_stays_so_while_cards_are_touched(scouting):
    _, shown = scouting
    shown.page.click("#all > details:has-text('left end') > summary")
    before = folded(shown)
    shown.page.keyboard.press("ArrowRight")
    shown.page.keyboard.press("Escape")

    assert before == folded(shown)


def test_unfolded_it_is_no_wider_than_a_phone_and_axe_finds_nothing(open_page):
    """In German, whose words are longer, and in the dark."""
    made = MadeTable("scout", players=3, people=(1,), decide=lambda seat: longest_play)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE, color_scheme="dark", locale="de"))
        shown.page.click("[data-choice='0']")
        shown.wait()
        shown.unfold(len(made.sheets(1)[-1]["choices"]) - 1)
        faults = serious_faults(shown.page)
        sideways = shown.page.eval_on_selector("#all", "one => one.scrollWidth > one.clientWidth")
        small = shown.page.eval_on_selector_all(
            "#all summary, #all button", "all => all.map((one) => one.offsetHeight).filter((high) => high && high < 44)"
        )

        assert ([], False, []) == (faults, sideways, small)
        assert not wider_than_the_screen(shown.page)


def test_few_choices_stand_side_by_side(open_page):
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        shown.unfold(0)
        lays = shown.page.locator("#all details").count()
        shown.page.click("#all [data-choice='0']")
        shown.wait()

        assert lays > 0
        assert 0 == shown.page.locator("#all details").count()
        assert shown.page.locator("#all button").first.is_visible()
