"""Lets the tests of viewers import the made records, and what stands beside them."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "replaying")]
