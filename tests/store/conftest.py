"""Lets the tests of run folders import the made records and analyses of `replaying`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "replaying"))
