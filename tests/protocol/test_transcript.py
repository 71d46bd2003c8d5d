"""The page for authors is true: its bot plays its transcript (docs/protocol.md)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tournament.records.schema import validator_for

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
BOT = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
LINES = re.findall(r"^(->|<-) (\{.*\})$", PAGE, re.MULTILINE)


def test_the_bot_of_the_page_answers_the_requests_of_the_page_as_it_says(tmp_path):
    """A transcript in the docs that a test replays."""
    (tmp_path / "smallest.py").write_text(BOT)
    requests = "".join(f"{line}\n" for direction, line in LINES if direction == "->")
    answers = [line for direction, line in LINES if direction == "<-"]
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "smallest.py")],
        input=requests,
        capture_output=True,
        text=True,
        check=True,
    )

    assert answers == done.stdout.splitlines()
    assert 4 == len(answers)


def test_every_line_of_the_transcript_fits_the_schema():
    """JSON Schema `protocol.v1` for every message."""
    misfits = [line for _, line in LINES if not validator_for("protocol.v1").is_valid(json.loads(line))]

    assert [] == misfits
    assert {"hello", "start", "act", "end", "quit", "ready", "ok", "action"} == {
        json.loads(line)["type"] for _, line in LINES
    }


def test_the_bot_of_the_page_plays_whole_games(level, tmp_path, first, room):
    """docs/protocol.md: the smallest bot."""
    (tmp_path / "smallest.py").write_text(BOT)
    played = room(
        {"name": "smallest", "command": [sys.executable, "smallest.py"], "files": ["smallest.py"]},
        first,
        isolation=level,
    ).play()

    assert () == played.faults
