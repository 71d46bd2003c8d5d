"""Compiles the catalogues of languages into every wheel, and with mypyc the modules of `COMPILED`, where that is asked.

`TOURNAMENT_COMPILE=1` compiles; `TOURNAMENT_COMPILE=auto` compiles where there is a C compiler with the headers of this
Python. Otherwise, and for an editable install, the wheel is pure Python. An editable install compiles catalogues
when they are read. A compiled wheel has every `.py` file, too:
`TOURNAMENT_PURE=1` runs those.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "games/scout/sets.py",
    "games/scout/state.py",
    "games/scout/events.py",
    "games/scout/dealing.py",
    "games/scout/redeal.py",
    "games/explorers/lays.py",
    "games/explorers/redeal.py",
    "games/explorers/state.py",
    "auditing/moves.py",
    "version.py",
)
"""What is compiled, below `tournament/`: no file in which a msgspec struct is defined."""

LIBRARY = "tournament.compiled"
"""The code is in one library, `tournament/compiled__mypyc.*.so`; beside each `.py` file lies a small one to open it."""


CATALOGUES = "tournament/languages/catalogues"
"""The texts of each language, which gettext and Django read compiled."""

COMPILING = "tournament/languages/compiling.py"
"""What compiles them, also where they are read; it imports nothing of the package."""


class CompileHook(BuildHookInterface):
    """Adds the compiled catalogues and modules to a wheel."""

    def dependencies(self) -> list[str]:
        """Returns what compiling modules needs beside what every wheel is built with."""
        return ["mypy>=2", "setuptools>=77"] if is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compiles, and tells hatchling which files to take along."""
        if self.target_name != "wheel" or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="tournament-compiled-")
        folder = Path(self._folder.name)
        build_data["force_include"].update(compile_catalogues(Path(self.root), folder / "catalogues"))
        if not is_wanted():
            return
        built = compile_modules(Path(self.root), folder)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): str(path.relative_to(folder / "built")) for path in built})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what compiling left behind."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def is_wanted() -> bool:
    """Returns whether to compile."""
    wanted = os.environ.get("TOURNAMENT_COMPILE", "")
    if wanted != "auto":
        return wanted not in {"", "0"}
    return why_not() is None


def why_not() -> str | None:
    """Returns why nothing can be compiled here; None where it can."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    return None if header.is_file() else f"there is no {header}"


def compile_catalogues(root: Path, folder: Path) -> dict[str, str]:
    """Compiles every catalogue into `folder`; returns by each file there its place in the wheel."""
    compiling = runpy.run_path(str(root / COMPILING))
    places = {}
    for source in sorted((root / CATALOGUES).glob("*/LC_MESSAGES/*.po")):
        place = source.relative_to(root).with_suffix(".mo")
        compiled = folder / place
        compiled.parent.mkdir(parents=True)
        compiled.write_bytes(compiling["compile_source"](source.read_bytes(), source.parents[1].name))
        places[str(compiled)] = place.as_posix()
    return places


def compile_modules(root: Path, folder: Path) -> list[Path]:
    """Compiles into `folder/built` and returns the files there."""
    from mypyc.build import mypycify  # imports setuptools, which must be the first to patch distutils
    from setuptools import Distribution

    before = Path.cwd()
    os.chdir(root)
    try:
        extensions = mypycify(
            [f"tournament/{path}" for path in COMPILED],
            target_dir=str(folder / "c"),
            group_name=LIBRARY,
            opt_level="3",
            debug_level="0",
        )
        distribution = Distribution({"name": "tournament", "ext_modules": extensions})
        command = distribution.get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(folder / "built"), str(folder / "objects")
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(before)
    return sorted((folder / "built").rglob("*.so"))
