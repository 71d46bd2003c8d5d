"""Where the files are that come with the package, in a checkout beside it, in a wheel inside it; paths as written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

PACKAGE: Final = Path(__file__).resolve().parent
"""The folder of the package `tournament`."""

Kind = Literal["schemas", "bots", "seeds"]


def data_folder(kind: Kind) -> Path:
    """Returns the folder of the schemas, the example bots or the deal suites."""
    inside = PACKAGE / "data" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind


def real_path(path: Path) -> Path:
    """Returns a path without links. Where they lead in a circle they stay, and whoever opens it is told by the system.

    `Path.resolve` raises a `RuntimeError` there, which nobody expects.
    """
    return Path(os.path.realpath(path))


def path_from(path: Path, start: Path) -> str:
    """Returns a path as seen from a folder, with `/` on every system; as it is where that lies on another drive."""
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
