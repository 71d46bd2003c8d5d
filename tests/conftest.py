"""Compares texts with those that are kept in `snapshots/` beside the tests.

`UPDATE_SNAPSHOTS=1 python -m pytest tests/viewer tests/report` writes the files anew: look at the difference.
"""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def snapshot(request):
    """Compares a text with the file of a name."""

    def compare(name: str, text: str) -> None:
        file = request.path.parent / "snapshots" / name
        if os.environ.get("UPDATE_SNAPSHOTS"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")

        assert file.read_text(encoding="utf-8") == text

    return compare
