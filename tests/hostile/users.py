"""Running a Python program as an ordinary user, also from root and when Python lies where only root may go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tournament
from tournament.players import launcher
from tournament.players.launcher import closed_above
from tournament.players.sandbox import is_root
from tournament.players.scratch import remove_tree

ORDINARY = 61_234
USERS = ("root", "ordinary") if is_root() else ("ordinary",)


def run_as(user: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with some words as root, or as a user without any rights who is nobody else."""
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
    command = [sys.executable, "-I", "-S", "-B", str(launcher.__file__), json.dumps(settings), sys.executable, *words]
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
