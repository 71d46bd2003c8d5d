"""The page on training, from MaskablePPO to a bot in a run: in an environment of its own, which has torch.

Torch is installed only in a build for processors, which is one file of less than 300 MB. Where `pip` would take
another, of several gigabytes, nothing is downloaded; the policy in numpy is held to its figures in `tests/adapters`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path
from typing import Final

import pytest

from tournament.paths import data_folder

pytestmark = pytest.mark.long

ROOT: Final = data_folder("schemas").parent
PAGE: Final = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
TORCH: Final = "torch==2.13.0"
LEAST: Final = 0.9
"""The placement points against random that the page promises; measured were those that it tells."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of an environment's programs that has torch, and sees what the tests have."""
    folder = tmp_path_factory.mktemp("torch")
    venv.create(folder, with_pip=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT}\n")
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    report = folder / "report.json"
    asked = [*pip, "install", "--dry-run", "--no-deps", "--ignore-installed", "--report", report, TORCH]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"{TORCH} cannot be had here: {done.stderr.strip().splitlines()[-1]}")
    (found,) = json.loads(report.read_text())["install"]
    if not found["metadata"]["version"].endswith("+cpu"):
        pytest.skip(f"pip would take {found['download_info']['url']}, which is no small build for processors alone")
    subprocess.run([*pip, "install", TORCH, "sb3-contrib>=2.9"], check=True, timeout=1200)
    command = folder / "bin" / "tournament"
    command.write_text(f"#!{python}\nfrom tournament.cli.main import run\n\nif __name__ == '__main__':\n    run()\n")
    command.chmod(0o755)
    return folder / "bin"


@pytest.fixture
def folder(tmp_path):
    """A folder with what the page has in it, as a reader of it has."""
    for name in ("docs/training", "bots"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "learned.npz"))
    text = re.search(r"^```yaml\n(# ppo\.yaml\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "ppo.yaml").write_text(text[1])
    return tmp_path


def shown_commands():
    """Returns the commands of the page from the training to the standings."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (block,) = (block for block in blocks if "learn_ppo.py" in block)
    return block.splitlines()


def test_a_policy_of_maskable_ppo_beats_random_as_a_bot_of_a_run(programs: Path, folder: Path) -> None:
    """Trained, exported, checked, entered: every command of the page, one after the other."""
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    *commands, standings = shown_commands()
    for words in (*commands, f"{standings} --json"):
        done = subprocess.run(
            ["bash", "-c", words], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert 0 == done.returncode, f"{words}\n{done.stdout}{done.stderr}"
    rows = json.loads(done.stdout)["groups"][0]["rows"]
    points = {row["entrant"]: row["points"]["value"] for row in rows}

    assert points["Learned"] >= LEAST


def test_the_bot_that_plays_what_was_learned_needs_no_torch() -> None:
    """It is numpy alone, so whoever hosts it installs nothing."""
    text = (ROOT / "docs" / "training" / "learned.py").read_text()
    imported = re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)

    assert {"__future__", "pathlib", "numpy", "tournament"} == set(imported)
