"""What a replay explains of a game: names and short words beside the sentence, and the marks on the line of steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from pages import ReplayPage

from tournament.records.codec import parse_record
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, frames_of
from tournament.viewer.page import write_html

GOLDEN = Path(__file__).parents[2] / "records" / "golden"


@pytest.fixture
def open_golden(open_page, tmp_path):
    """Opens the replay of a golden game; returns its frames and the page."""

    def open_one(name):
        record = parse_record((GOLDEN / f"{name}.json").read_bytes().strip())
        write_html(record, tmp_path / "game.html")
        return frames_of(Replay.from_record(record)), ReplayPage(open_page((tmp_path / "game.html").as_uri()))

    return open_one


@pytest.mark.parametrize("name", ["scout-3p-two-faults", "explorers-3p-complete"])
def test_beside_each_sentence_stands_who_acted_and_what_in_short(open_golden, name):
    """By name, not by the number of a seat: `gamma: scouts 9`, and the whole sentence below."""
    frames, shown = open_golden(name)
    shorts = set()
    for step in range(1, min(14, len(frames))):
        shown.press("ArrowRight")
        actor = frames.header.names[frames[step].actor]
        short, words = shown.text("short"), shown.text("words")

        assert (short.partition(": ")[0], words.startswith(f"{actor} ")) == (actor, True)
        assert frames[step].seen[ALL].short == short
        assert "Seat " not in short + words
        shorts.add(short.removeprefix(f"{actor}: "))
    assert 5 < len(shorts)


def test_the_menu_says_what_each_mark_is_and_leads_to_it(open_golden):
    """Faults and ends of rounds, in their order."""
    frames, shown = open_golden("scout-3p-two-faults")
    shown.page.click("#menu-button")
    listed = shown.page.locator("#mark-list button")
    said = [(int(one.get_attribute("data-step")), one.inner_text()) for one in listed.all()]

    assert [mark.step for mark in frames.marks] == [step for step, _ in said]
    for mark, (_, text) in zip(frames.marks, said, strict=True):
        assert frames.explain_mark(mark) in text
        assert f"step {mark.step}" in text
    listed.last.click()
    assert frames.marks[-1].step == shown.step
