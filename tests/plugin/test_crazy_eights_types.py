"""A bot that `bot new` writes for a game of another package has the types of that game."""

from __future__ import annotations

from tournament.lab.new_bot import new_bot


def test_a_new_bot_is_typed(installed, tmp_path):
    """It completes in an editor as a bot of the games that come along; tests/docs show it to type checkers."""
    text = (new_bot("mine", game="crazy_eights", folder=tmp_path / "mine") / "mine.py").read_text()

    assert "from crazy_eights.rules import EightsAction, EightsView\n" in text
    assert "class Mine(Bot[EightsView, EightsAction]):" in text
