"""The copy of a run that a test may change; lets tests import what stands beside them, and the makers of records."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent

sys.path[:0] = [str(HERE), str(HERE.parent / "records")]


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    """A copy of the run that the file of the test has played, to be tampered with."""
    return Path(shutil.copytree(played, tmp_path / "run"))
