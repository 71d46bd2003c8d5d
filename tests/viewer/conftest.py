"""Lets the tests of viewers import the made records; compares texts with files beside the tests.

`UPDATE_SNAPSHOTS=1 python -m pytest tests/viewer` writes the files anew: look at the difference.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "replay")]


@pytest.fixture
def snapshot():
    """Compares a text with the file of a name."""

    def compare(name: str, text: str) -> None:
        file = HERE / "snapshots" / name
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")

        assert file.read_text(encoding="utf-8") == text

    return compare
