"""Lets the tests of tables in the browser import what they share, and gives them a browser."""

from __future__ import annotations

import sys
from pathlib import Path

from chromium import browser, open_page  # noqa: F401 (fixtures)

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "browser")]
