"""The version of this package, and versions compared; below all else, so that nothing imports the public names."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.2.0"


def parse_version(version: str) -> tuple[int, ...]:
    """Returns the numbers of a version, for comparing; of a text that is none, none."""
    return tuple(int(part) for part in version.split(".") if part.isascii() and part.isdecimal() and len(part) < 10)


def is_of_first_release(version: str) -> bool:
    """Returns whether 0.1 wrote a run, whose `run.json` and standings had fewer fields."""
    return parse_version(version)[:2] == (0, 1)
