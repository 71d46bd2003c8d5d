"""Lets the tests of the lab import made records: their own, and those of the tests of replay."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "replaying")]
