"""An environment in which the game of `tests/plugin` is installed, as somebody who has it would install it.

Its wheel is built and laid beside tournament. What both depend on is seen from the environment of the
tests, and nothing is downloaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import Final

from tournament.paths import data_folder

PLUGIN: Final = Path(__file__).parent / "plugin"
ROOT: Final = data_folder("schemas").parent


class Environment:
    """Where tournament and the game are installed: the folder of its programs, its Python, its packages."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.python = self.programs / "python"
        self.packages = next(folder.glob("lib/python*/site-packages"))

    def run(self, *words: str | Path, folder: Path, answers: str = "", fails: bool = False) -> str:
        """Returns what a command of the tournament prints; `answers` are the lines that it reads."""
        done = subprocess.run(
            [self.programs / "tournament", *map(str, words)],
            cwd=folder,
            input=answers,
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "COLUMNS": "100"},
        )
        assert fails == (done.returncode != 0), done.stdout + done.stderr
        return done.stdout + done.stderr


def install_plugin(folder: Path) -> Environment:
    """Makes an environment in a folder, with the game in it."""
    wheels = folder / "wheels"
    build = ["build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(PLUGIN)]
    subprocess.run([sys.executable, "-m", *build], check=True, capture_output=True)
    venv.create(folder, with_pip=False)
    made = Environment(folder)
    with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
        wheel.extractall(made.packages)  # what installing a wheel of plain Python comes to
    # Not a site folder of the new environment: the .pth files in it are not followed.
    (made.packages / "dependencies.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT}\n")
    command = made.programs / "tournament"
    command.write_text(
        f"#!{made.python}\nfrom tournament.cli.main import run\n\nif __name__ == '__main__':\n    run()\n"
    )
    command.chmod(0o755)
    return made
