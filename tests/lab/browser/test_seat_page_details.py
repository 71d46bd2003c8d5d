"""What the page of a seat shows and takes: choices on the cards, hints, moves taken back, reloads, several people."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from made_tables import MadeTable, Wire, by_chance, served
from pages import wait_for_change, wait_until
from seat_pages import PHONE, SeatPage

from tournament.records.codec import format_record


def scout_turn(seat=0, players=3):
    """Returns a table of SCOUT; the person keeps the hand, and the others keep and play as chance has it."""
    return MadeTable("scout", players=players, people=(seat,), decide=by_chance)


def choose_words(made, shown, words, seat=0):
    """Chooses the action with these words in the list of all choices, and waits for the next turn."""
    place = [choice["words"] for choice in made.sheets(seat)[-1]["choices"]].index(words)
    shown.unfold(place)
    shown.page.click(f"#all [data-choice='{place}']")
    shown.wait()


def test_a_touched_card_leaves_bright_what_goes_with_it_and_frames_where_it_may_go(open_page):
    with served(scout_turn()) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        made_choices = shown.choices
        shown.page.click("[data-choice='0']")
        shown.wait()
        choices = [re.fullmatch(r"play (\d+) (\d+)", words) for words in shown.choices]
        sets = [range(int(one[1]), int(one[1]) + int(one[2])) for one in choices]
        longest = max(sets, key=len)
        shown.tap(f"hand {longest[0]}")
        bright = {int(spot.removeprefix("hand ")) for spot in shown.spots("bright") if spot.startswith("hand ")}

        assert ["keep", "turn"] == made_choices
        assert {place for one in sets if longest[0] in one for place in one} == bright
        assert ["table"] == shown.spots("goal")
        for place in longest[1:]:
            shown.tap(f"hand {place}")
        assert [f"hand {place}" for place in longest] == shown.spots("taken")
        offered = shown.page.eval_on_selector_all("#offered button", "all => all.map((one) => one.dataset.words)")
        assert f"play {longest[0]} {len(longest)}" in offered


def test_a_card_of_the_table_shows_the_places_in_the_hand_where_it_may_go(open_page):
    """And the ways to take it are buttons, once a place is touched."""
    made = scout_turn(seat=1)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE))
        shown.page.click("[data-choice='0']")
        shown.wait()
        scouts = [choice for choice in made.sheets(1)[-1]["choices"] if choice["gap"] is not None]
        places = sorted({choice["gap"] for choice in scouts if choice["takes"] == ["table 0"]})
        shown.tap("table 0")

        assert [f"gap {place}" for place in places] == shown.spots("gap")
        shown.tap("gap 4")
        expected = {choice["words"] for choice in scouts if choice["takes"] == ["table 0"] and choice["gap"] == 4}
        assert expected == set(
            shown.page.eval_on_selector_all("#offered button", "all => all.map((one) => one.dataset.words)")
        )
        assert len(expected) > 1


def test_no_two_choices_read_the_same(open_page):
    """One card can be put into many places of the hand: each button is named by the cards between which it goes."""
    made = scout_turn(seat=1)
    with served(made) as links:
        shown = SeatPage(open_page(links[1], **PHONE))
        shown.page.click("[data-choice='0']")
        shown.wait()
        sheet = made.sheets(1)[-1]
        hand = sheet["frame"]["seen"]["seat1"]["view"]["hand"]
        shown.page.click("#list")
        said = shown.names_in_list()
        scouts = [place for place, choice in enumerate(sheet["choices"]) if choice["gap"] is not None]
        put = {sheet["choices"][place]["gap"]: said[place] for place in scouts}

        assert len(sheet["choices"]) == len(set(said.values())) > len(hand)
        assert put[0].endswith(f" before {hand[0]}")
        assert put[1].endswith(f" between {hand[0]} and {hand[1]}")
        assert put[len(hand)].endswith(f" behind {hand[-1]}")


def test_buttons_of_explorers_read_as_what_one_asks_for(open_page):
    """In words, not as one types it; and no two of them alike."""
    made = MadeTable("explorers", players=2, people=(0,))
    with served(made) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        shown.page.click("#list")
        listed = shown.names_in_list().values()
        choose_words(made, shown, "discard KC")
        drawing = shown.page.locator("#all button").all_text_contents()

        assert {"Start an expedition with the king of clubs", "Discard the king of clubs"} <= set(listed)
        assert len(listed) == len(set(listed))
        assert ["Draw from the stock"] == drawing


def test_the_title_is_not_cut_on_a_phone(open_page):
    with served(MadeTable("explorers", players=3, people=(0,))) as links:
        title = SeatPage(open_page(links[0], **PHONE)).page.locator("#title")

        assert title.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")


def test_a_tap_on_nothing_and_escape_let_go_of_everything(open_page):
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        shown.tap("hand 0")
        taken = shown.spots("taken")
        shown.page.keyboard.press("Escape")
        let_go = shown.spots("taken")
        shown.tap("hand 0")
        shown.tap("hand 0")

        assert (["hand 0"], [], []) == (taken, let_go, shown.spots("taken"))


def test_a_hint_is_said_and_shown_on_the_cards(open_page):
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        shown.page.click("#hint")
        wait_until(shown.page, lambda: "would choose: " in shown.text("said"))
        said = shown.text("said")

        bot, words = said.split(" would choose: ")
        assert ("explorers_threshold, which is not at this table,", shown.text("offered")) == (bot, words)
        assert 1 == len(shown.spots("taken")) == len(shown.spots("chosen-goal"))


def test_a_move_is_taken_back_and_made_another_way(open_page):
    made = MadeTable("explorers", players=2, people=(0,))
    with served(made) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        assert shown.page.is_disabled("#back")
        first = shown.choices
        choose_words(made, shown, first[0])
        shown.page.keyboard.press("u")
        shown.wait()

        assert first == shown.choices
        assert "took a move back" in shown.text("said")
        choose_words(made, shown, first[1])
        assert made.sheets(0)[-1]["told"][-1] == shown.page.text_content("#told li >> nth=-1")


def test_the_game_goes_on_after_a_reload(open_page):
    made = MadeTable("explorers", players=2, people=(0,))
    with served(made) as links:
        shown = SeatPage(open_page(links[0], **PHONE))
        choose_words(made, shown, shown.choices[0])
        before = shown.choices
        shown.page.reload()
        again = SeatPage(shown.page)

        assert before == again.choices
        assert 2 == again.page.locator("#told li").count()
        choose_words(made, again, before[0])


def test_what_others_do_comes_to_the_page_by_itself(open_page):
    """Two people with a page each: neither sees the cards of the other."""
    made = MadeTable("scout", players=2, people=(0, 1))
    with served(made) as links:
        first, second = (open_page(links[seat], **PHONE) for seat in (0, 1))
        mine = SeatPage(first)
        wait_until(second, lambda: "ann-0" in (second.text_content("#prompt") or ""))
        waiting = second.text_content("#prompt")
        mine.page.click("[data-choice='1']")
        theirs = SeatPage(second)

        assert "ann-0 keeps or turns its hand." == waiting
        assert ["keep", "turn"] == theirs.choices
        assert 11 == second.locator("[data-seat='1'] [data-spot^='hand ']").count()
        assert 0 == second.locator("[data-seat='0'] [data-spot]").count()
        wait_until(first, lambda: "ann-1" in first.text_content("#prompt"))
        assert "Your turn" not in first.text_content("#prompt")


def test_beside_each_other_person_stands_whether_they_are_there(open_page):
    """Nothing stands beside bots and beside oneself."""
    with served(MadeTable("explorers", players=3, people=(0, 1))) as links:
        mine = open_page(links[0], **PHONE)
        marks = mine.locator(".seat .chip-person")
        SeatPage(mine)
        seen = [marks.all_text_contents()]
        theirs = open_page(links[1], **PHONE)
        for presence in ("here", "away"):
            wait_for_change(mine, f"document.querySelector('.chip-person').textContent === '{presence}'")
            seen.append(marks.all_text_contents())
            theirs.close()

        assert [["not here yet"], ["here"], ["away"]] == seen
        assert 1 == mine.locator("[data-seat='1'] .chip-person").count()
        assert "ann-1 is away." == mine.text_content("#said")


def test_at_the_end_are_the_record_and_its_replay(open_page):
    made = MadeTable("scout", players=2, people=(0,))
    with served(made) as links:
        page = open_page(links[0], **PHONE)
        made.play_to_the_end()
        shown = SeatPage(page)
        with page.expect_download() as download:
            page.click("#record")
        written = download.value.path().read_bytes()
        ending = shown.text("prompt"), "complete" in shown.text("ending"), "Place 1: " in shown.text("ending")
        page.click("#replay")
        page.wait_for_selector("html[data-unpacked]", state="attached")

        assert format_record(made.record) + b"\n" == written
        assert ("The game is complete.", False, True) == ending
        assert ("Table", "./") == (page.text_content("#back-link"), page.get_attribute("#back-link", "href"))
        assert shown.page is page


def test_a_table_that_does_not_answer_is_said_and_the_page_goes_on_when_it_does(browser):
    """What happened in between is shown, and one plays on."""
    made = MadeTable("explorers", players=2, people=(0,))
    with served(made) as links:
        address = urlsplit(links[0])
        wire = Wire(address.port)
        context = browser.new_context(**PHONE, reduced_motion="reduce")
        shown = SeatPage(context.new_page(), f"http://127.0.0.1:{wire.port}{address.path}")
        wire.cut()
        wait_for_change(shown.page, "document.getElementById('prompt').textContent.includes('does not answer')")
        made.table.act(0, number=shown.number, choice=0)
        wire.mend()
        shown.wait()

        assert "Your turn. Touch something bright." == shown.text("prompt")
        choose_words(made, shown, shown.choices[0])
        context.close()
        wire.cut()


def test_without_its_script_the_page_tells_what_happened(browser):
    made = MadeTable("scout", players=2, people=(0,))
    with served(made) as links:
        made.play_to_the_end()
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(links[0])
        text = page.text_content("noscript") or page.text_content("body")

        assert "allow it, or play in a terminal" in text
        assert "Place 1: " in text
        context.close()
