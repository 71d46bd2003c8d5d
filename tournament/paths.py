"""Where the files are that come with the package: in a checkout beside it, in a wheel inside it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

PACKAGE: Final = Path(__file__).resolve().parent
"""The folder of the package `tournament`."""

Kind = Literal["schemas", "bots", "seeds"]


def data_folder(kind: Kind) -> Path:
    """Returns the folder of the schemas, the example bots or the deal suites."""
    inside = PACKAGE / "data" / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind
