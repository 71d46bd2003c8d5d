"""The workflow that docs/how-to/compare-versions.md shows, run on a clone made as its first step makes one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from needs import need_programs

from tournament.paths import data_folder

PAGE = data_folder("schemas").parent / "docs" / "how-to" / "compare-versions.md"
AUTHOR = {f"GIT_{who}_{what}": "nobody@example" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
GAMES_OF_A_TEST = ("deals: 20", "deals: 2")
SHA = "0123456789abcdef0123456789abcdef01234567"


def _block(name: str) -> str:
    """Returns a file that the page shows."""
    return re.search(rf"^```\w+\n# {re.escape(name)}\n(.*?)^```$", PAGE.read_text(), re.M | re.S)[1]


def _git(folder: Path, *words: str) -> str:
    environment = {**os.environ, **AUTHOR, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository whose branch `main` has an older new.py than its branch `better`."""
    folder = tmp_path / "origin"
    folder.mkdir()
    _git(folder, "init", "--quiet", "--initial-branch", "main")
    (folder / "gate.yaml").write_text(_block("gate.yaml").replace(*GAMES_OF_A_TEST))
    (folder / "new.py").write_text(_block("old.py").replace("class Old", "class New"))
    _git(folder, "add", ".")
    _git(folder, "commit", "--quiet", "--message", "old")
    _git(folder, "checkout", "--quiet", "-b", "better")
    (folder / "new.py").write_text(_block("new.py"))
    _git(folder, "commit", "--quiet", "--all", "--message", "new")
    return folder


def _check_out(origin: Path, folder: Path, settings: dict[str, Any]) -> None:
    """Clones as actions/checkout does: by default the one commit to be tested, with depth 0 all branches."""
    depth = settings.get("fetch-depth", 1)
    wanted = ["+refs/heads/better:refs/remotes/pull/1/merge"]
    if depth == 0:
        wanted.append("+refs/heads/*:refs/remotes/origin/*")
    folder.mkdir()
    _git(folder, "init", "--quiet")
    _git(folder, "remote", "add", "origin", origin.as_uri())
    _git(folder, "fetch", "--quiet", "--no-tags", *([f"--depth={depth}"] if depth else []), "origin", *wanted)
    _git(folder, "checkout", "--quiet", "--force", "refs/remotes/pull/1/merge")


def test_the_workflow_judges_a_pull_request(origin: Path, tmp_path: Path) -> None:
    """Every step of it but the installation; what another step is to keep is there."""
    need_programs("git")
    steps = yaml.safe_load(_block(".github/workflows/gate.yaml"))["jobs"]["gate"]["steps"]
    clone = tmp_path / "clone"
    summary = tmp_path / "summary.md"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout"):
            _check_out(origin, clone, step.get("with", {}))
        elif "run" in step and not step["run"].startswith("pip install"):
            words = step["run"].replace("${{ github.base_ref }}", "main").replace("${{ github.sha }}", SHA)
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", words],
                cwd=clone,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            # Whether so few deals let it in is no matter here.
            assert done.returncode == 0 or words.startswith("tournament gate"), done.stderr

    assert summary.read_text().startswith("### Gate")
    assert (clone / "old.py").read_text() == _git(origin, "show", "main:new.py") + "\n"
    kept = next(step["with"]["path"] for step in steps if step.get("uses", "").startswith("actions/upload-artifact"))
    assert (clone / kept / "index.html").is_file()
