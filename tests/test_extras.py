"""What needs an extra says how to install it, in words that hold however the package was installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import pytest

RUN = str(Path(__file__).parent / "data" / "runs-0.1.0" / "gauntlet")
COMMAND = "import sys; from tournament.cli.main import run; sys.argv[1:] = {words!r}; run()"
NEEDS = {
    "serve": ("uvicorn", COMMAND.format(words=["serve", RUN])),
    "parquet": ("pyarrow", COMMAND.format(words=["export", RUN, "--format", "parquet", "--out", "rows.parquet"])),
    "arena": ("django", COMMAND.format(words=["arena", "init", "arena"])),
    "cluster": ("distributed", COMMAND.format(words=["run", "--cluster", "local", "--out", "run"])),
    "languages": ("babel", COMMAND.format(words=["standings", RUN, "--language", "de"])),
    "pettingzoo": ("pettingzoo", "import tournament.adapters.pettingzoo"),
    "gymnasium": ("gymnasium", "import tournament.adapters.gymnasium"),
    "openspiel": ("pyspiel", "import tournament.adapters.openspiel"),
}


@pytest.mark.parametrize("extra", NEEDS)
def test_a_missing_extra_is_told_with_the_command_that_installs_it(extra: str, tmp_path: Path) -> None:
    """`pip install '.[serve]'` would be right in a folder that most do not have."""
    module, code = NEEDS[extra]
    without = f"import sys; sys.modules[{module!r}] = None; {code}"
    done = subprocess.run([sys.executable, "-c", without], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert f"Install it: pip install 'tournament[{extra}]'" in done.stderr
    assert done.returncode != 0


def test_each_of_them_is_an_extra_of_the_package() -> None:
    assert set(NEEDS) <= set(metadata("tournament").get_all("Provides-Extra"))
