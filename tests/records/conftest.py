"""Lets the tests of records import the makers of golden and invalid records."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
