"""Running a Python program as an ordinary user, also from root and when Python lies where only root may go."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import tournament
from tournament.players.linux import group_places
from tournament.players.linux.files import remove_tree
from tournament.players.linux.launcher import closed_above
from tournament.players.linux.sandbox import is_root
from tournament.players.programs import launcher_command

ORDINARY = 61_234
DELEGATED = "tournament-test-delegated"
USERS = ("root", "ordinary") if is_root() else ("ordinary",)


def run_as(user: str, *words: str, groups: Iterable[str] = ()) -> subprocess.CompletedProcess[str]:
    """Runs Python with some words as root, or as a user without any rights who is nobody else.

    `groups` are control groups that this user may do everything in, and is begun in.
    """
    environment = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    if user == "root" or not is_root():
        return subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)
    home = tempfile.mkdtemp(dir="/tmp")
    os.chown(home, ORDINARY, ORDINARY)
    needed = [str(Path(tournament.__file__).resolve().parent), sys.base_prefix, sys.prefix, str(Path(__file__).parent)]
    reading, writing = os.pipe()
    settings = {
        "status": writing,
        "limits": {},
        "uid": ORDINARY,
        "reveal": [(path, path) for path in dict.fromkeys(needed) if closed_above(path)],
        "parent": 0,
        "folder": home,
    }
    command = [*launcher_command(settings), sys.executable, *words]
    enter = "".join(f"echo $$ > {shlex.quote(folder)}/cgroup.procs && " for folder in groups)
    command = ["/bin/sh", "-c", f'{enter}exec "$@"', "sh", *command]
    try:
        return subprocess.run(
            command,
            env={**environment, "HOME": home, "TMPDIR": home},
            pass_fds=(writing,),
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(reading)
        os.close(writing)
        assert [] == os.listdir(home)
        remove_tree(home)


@contextlib.contextmanager
def delegated_groups() -> Iterator[tuple[str, ...]]:
    """Gives control groups that belong to the ordinary user, as systemd delegates them, one in each hierarchy."""
    folders = []
    try:
        for place in group_places.find_places():
            folder = os.path.join(place.folder, f"{DELEGATED}-{os.getpid()}")
            os.mkdir(folder)
            folders.append(folder)
            for path in (folder, *(entry.path for entry in os.scandir(folder))):
                os.chown(path, ORDINARY, ORDINARY)
        yield tuple(folders)
    finally:
        for folder in folders:
            assert [] == [entry.name for entry in os.scandir(folder) if entry.is_dir()]
            os.rmdir(folder)
