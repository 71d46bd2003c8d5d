"""How many calls lie between `Run.play` and a bot's `act`."""

from __future__ import annotations

from typing import Final

from tournament import Run

MOST_FRAMES: Final = 9
"""From `Run.play` to `act`, both counted, at isolation none with one worker."""

RAISING = '''"""A bot that raises in its first decision."""

import inspect
import os
from pathlib import Path

from tournament import Bot


class Raiser(Bot):
    """Writes who called it, and raises."""

    def act(self, view):
        names = [one.frame.f_code.co_qualname for one in inspect.stack()]
        Path(os.environ["CALLERS"]).write_text("\\n".join(names))
        raise RuntimeError
'''


def test_a_bot_is_asked_at_most_nine_frames_below_play(configure, bots, tmp_path, monkeypatch):
    """Whoever reads how a game is played follows these calls and no others."""
    (bots / "dora.py").write_text(RAISING)
    monkeypatch.setenv("CALLERS", str(tmp_path / "callers"))
    run = Run.begin(configure(), tmp_path / "run")
    run.play()
    callers = (tmp_path / "callers").read_text().splitlines()
    frames = callers[: callers.index("Run.play") + 1]

    assert ("Raiser.act", "Run.play") == (frames[0], frames[-1])
    assert len(frames) <= MOST_FRAMES, frames
