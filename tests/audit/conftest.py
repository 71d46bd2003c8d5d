"""Lets the tests of the audit import what stands beside them, and the makers of golden and invalid records."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent

sys.path[:0] = [str(HERE), str(HERE.parent / "records")]
