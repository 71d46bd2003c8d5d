"""Lets the tests of records import the makers of golden and invalid records, and the made ones of `replay`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "replaying")]
