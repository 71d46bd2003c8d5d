"""Lets the tests of configurations import the makers of golden records."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
