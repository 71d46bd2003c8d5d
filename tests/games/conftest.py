"""Lets the tests of games import what stands beside them: positions, and the third-party game."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
