"""The image of the Containerfile: it is built where there is a builder, and has all that keeps bots apart."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

import pytest

from tournament.paths import data_folder

ROOT = data_folder("schemas").parent


MORE_WORDS = "TOURNAMENT_BUILD"
"""The variable with further words for `build`: `--build-arg BASE=...` for another base image, and what `pip` needs."""

TAG = "tournament-test"

BASE = "docker.io/library/python:3.13-slim"
"""The image that the Containerfile begins with, unless another is named."""


def works(*words):
    """Returns whether a program is there and ends well."""
    return (
        shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0
    )


def builder():
    """Returns the words that build, and a function that runs a program of the image and returns what it prints."""
    for name in ("podman", "docker"):
        if works(name, "info"):
            start = [name, "run", "--rm", "--security-opt", "seccomp=unconfined", "--entrypoint"]
            return [name, "build"], lambda *words, start=start: printed(*start, words[0], TAG, *words[1:])
    if works("buildah", "--storage-driver", "vfs", "info"):
        return ["buildah", "--storage-driver", "vfs", "build", "--isolation", "chroot"], run_by_buildah
    return pytest.skip("neither podman nor docker nor buildah can build here")


def run_by_buildah(*words):
    """Returns what a program of the image prints."""
    buildah = ["buildah", "--storage-driver", "vfs"]
    container = printed(*buildah, "from", "--pull-never", TAG).strip()
    try:
        return printed(*buildah, "run", "--isolation", "chroot", container, "--", *words)
    finally:
        printed(*buildah, "rm", container)


def printed(*words):
    """Returns what a program prints. Fails when it does."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
def test_the_image_is_built_and_plays():
    """Long: it installs everything anew."""
    build, run = builder()
    more = shlex.split(os.environ.get(MORE_WORDS, ""))
    if not more and not works(*build[: build.index("build")], "pull", BASE):
        pytest.skip(f"{BASE} cannot be had here")
    words = [*build, *more, "--tag", TAG, "--file", ROOT / "Containerfile", ROOT]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-2000:]

    assert run("tournament", "--version").startswith("tournament ")
    assert run("bwrap", "--version").startswith("bubblewrap ")
    assert "Championship" in run("sh", "-c", "cd && tournament run --deals 1 --isolation process")


def test_every_file_that_the_image_copies_is_there():
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")

    assert (ROOT / "constraints.txt").is_file()
    assert f"ARG BASE={BASE}\n" in text
    assert "bubblewrap" in text
    assert "USER player" in text
