"""The image of the Containerfile: it is built where there is a builder, and has all that keeps bots apart."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tournament.paths import data_folder

ROOT = data_folder("schemas").parent


def builder():
    """Returns a program that can build here, or the reason why there is none."""
    for name in ("podman", "docker"):
        if shutil.which(name) is None:
            continue
        done = subprocess.run([name, "info"], capture_output=True, text=True, check=False, timeout=60)
        if done.returncode == 0:
            return name, ""
    return None, "neither podman nor docker can build here"


@pytest.mark.long
def test_the_image_is_built_and_tests_itself():
    """Long: it installs everything anew."""
    name, reason = builder()
    if name is None:
        pytest.skip(reason)
    subprocess.run([name, "build", "--tag", "tournament-test", ROOT, "--file", ROOT / "Containerfile"], check=True)
    run = [name, "run", "--rm", "--security-opt", "seccomp=unconfined", "tournament-test"]
    shown = subprocess.run([*run, "--version"], capture_output=True, text=True, check=True).stdout
    which = subprocess.run(
        [*run[:-1], "--entrypoint", "bwrap", run[-1], "--version"], capture_output=True, text=True, check=True
    ).stdout

    assert ("tournament ", "bubblewrap ") == (shown[:11], which[:11])


def test_every_file_that_the_image_copies_is_there():
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")

    assert (ROOT / "constraints.txt").is_file()
    assert "bubblewrap" in text
    assert "USER player" in text
