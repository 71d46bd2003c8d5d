"""Lets the tests of the lab import what other rooms of the tests make: records of random games."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "replay"))
