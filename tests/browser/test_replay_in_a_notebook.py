"""A replay as a notebook shows it: in a frame of its own, which has no origin and no storage."""

from __future__ import annotations

from made_records import short_record

from tournament import replay


def test_a_game_can_be_walked_in_the_frame_of_a_notebook(open_page, tmp_path):
    """The script of the page runs in the frame, and needs nothing from around it."""
    shown = replay(short_record("explorers", 2, 4, stock=12))
    (tmp_path / "cell.html").write_text(f"<!DOCTYPE html><title>A cell</title>{shown._repr_html_()}", encoding="utf-8")
    page = open_page((tmp_path / "cell.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-unpacked]").wait_for(state="attached")
    before = frame.locator("#where").inner_text()
    frame.locator("[data-does=next]").click()
    after = frame.locator("#where").inner_text()

    assert "" not in (before, after)
    assert before != after
