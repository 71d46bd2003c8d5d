"""Crazy Eights as people see it: in lines, in the terminal, in a page, and at the table."""

from __future__ import annotations

import pytest
from made_records import random_record
from pages import ReplayPage, serious_faults, wider_than_the_screen
from textual.widgets import Static
from walking import walk

from tournament.games.cards import PACK, SUIT_NAMES
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of
from tournament.viewer.page import format_html, pack_frames, write_html
from tournament.viewer.terminal import ReplayApp
from tournament.viewer.text import draw_frame, draw_header

NAMES = ("ann", "bob", "cid")


@pytest.fixture
def record(installed):
    """Returns a game of three, played at random: every kind of action is in it."""
    return random_record(installed.name, 3, 3, names=NAMES)


def step_of(frames, told):
    """Returns the first step at which the public is told something that a function looks for."""
    return next(frame.step for frame in frames if any(told(item) for item in frame.seen[PUBLIC].news))


def test_a_game_is_drawn_in_lines_as_its_own_drawing_says(record, snapshot):
    """Replay --plain, with all cards: pile, stock, seats, hands in the order of the pack."""
    frames = frames_of(Replay.from_record(record))
    drew = step_of(frames, lambda item: item.do == "draw")
    eight = step_of(frames, lambda item: item.do == "play" and item.suit is not None)
    steps = [0, drew, eight, len(frames) - 1]
    drawn = [draw_header(frames.header, ALL), *(draw_frame(frames[step], frames.header, ALL) for step in steps)]

    snapshot("crazy-eights.txt", "\n\n".join(text.plain for text in drawn) + "\n")


def test_other_hands_are_drawn_as_backs(record):
    """--seat 1 and --public show what may be known."""
    for audience, hidden in ((PUBLIC, {0, 1, 2}), (Audience(seat=1), {0, 2})):
        frames = frames_of(Replay.from_record(record), audience)
        lines = draw_frame(frames[0], frames.header, audience).plain.splitlines()

        assert hidden == {int(line.strip(" ▶*")[0]) for line in lines if "▒▒" in line}


def test_it_is_walked_through_in_the_terminal(record):
    """The viewer draws what `draw_text` gives."""

    async def script(pilot):
        await pilot.press("end")
        app = pilot.app
        cards = str(app.query_one("#cards", Static).render())

        assert len(record.moves) == app.step
        assert f"Pile: {record.result.detail.pile[-1]}" in cards
        await pilot.press("1")
        assert "▒▒" in str(app.query_one("#cards", Static).render())

    walk(ReplayApp(frames_of(Replay.from_record(record))), script, size=(100, 40))


def test_a_page_for_one_seat_holds_no_card_that_it_has_not_seen(record):
    """A page can be searched for what it must not show."""
    frames = frames_of(Replay.from_record(record), Audience(seat=1))
    page = format_html(record, audience=Audience(seat=1))
    seen = [frame.seen[Audience(seat=1)] for frame in frames]
    known = {card for one in seen for card in (*one.view.hand, *one.view.pile)}
    told = b"\n".join(pack_frames(frames)[0]).decode()

    assert "function drawCrazyEights(scene)" in page
    assert record.digest not in page
    assert known == {card for card in PACK if f'"{card}"' in told} != set(PACK)


def test_it_is_walked_through_in_a_page_with_its_own_drawing(record, open_page, tmp_path):
    """Pile and hands of the page are those of the frames at every step; no fault of accessibility."""
    frames = frames_of(Replay.from_record(record))
    write_html(record, tmp_path / "game.html")
    shown = ReplayPage(open_page((tmp_path / "game.html").as_uri()))
    names = frames.header.names
    for frame in frames:
        hands = [frame.seen[Audience(seat=seat)].view.hand for seat in range(3)]

        assert frame.seen[ALL].words == shown.text("words")
        assert f"pile, top card last: {' '.join(frame.seen[PUBLIC].view.pile)}" == shown.page.get_attribute(
            ".pile .row >> nth=1", "aria-label"
        )
        assert [f"hand of {name}: {' '.join(hand) or 'no cards'}" for name, hand in zip(names, hands, strict=True)] == [
            shown.hand(seat) for seat in range(3)
        ]
        shown.press("ArrowRight")
    shown.press("1")

    assert f"{names[0]} has " in shown.hand(0)
    assert [] == serious_faults(shown.page)


def test_the_suit_that_was_named_stands_in_gold_beside_the_pile(record, open_page, tmp_path):
    """A game may bring styles of its own; the policy of the page allows them, and nothing else."""
    frames = frames_of(Replay.from_record(record))
    named = next(frame for frame in frames if frame.seen[PUBLIC].view.suit != frame.seen[PUBLIC].view.pile[-1][-1])
    write_html(record, tmp_path / "game.html")
    shown = ReplayPage(open_page(f"{(tmp_path / 'game.html').as_uri()}#step={named.step}"))
    suit = shown.page.query_selector(".named-suit")

    assert f" {SUIT_NAMES[named.seen[PUBLIC].view.suit]}" == suit.text_content()
    assert "700" == suit.evaluate("element => getComputedStyle(element).fontWeight")


def test_the_page_fits_a_phone(record, open_page, tmp_path):
    """At the step with the largest hands."""
    frames = frames_of(Replay.from_record(record))
    most = max(range(len(frames)), key=lambda step: max(frames[step].seen[PUBLIC].view.hand_sizes))
    write_html(record, tmp_path / "game.html")
    address = f"{(tmp_path / 'game.html').as_uri()}#step={most}"
    shown = ReplayPage(open_page(address, viewport={"width": 390, "height": 844}))

    assert most == shown.step
    assert not wider_than_the_screen(shown.page)
