"""Finding installed modules, part by part: asking for the place of `pkg.mod` the usual way would run `pkg`."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from tournament.errors import BotError


def module_path(dotted: str, spec: str) -> Path:
    """Returns the file of an installed module, without running its packages."""
    top, *rest = dotted.split(".")
    found = _top_level(top)
    name = top
    for part in rest:
        if found is None or found.submodule_search_locations is None:
            break
        # By its last part alone: a full name would ask sys.modules for its package.
        found = PathFinder.find_spec(part, list(found.submodule_search_locations))
        name = f"{name}.{part}"
    if found is None or name != dotted:
        raise BotError(
            f'There is no module "{name if found is None else dotted}", wanted for "{spec}". '
            "Install the package that has it into this Python, or write the path of the file."
        )
    if found.origin is None or not found.origin.endswith(".py") or not Path(found.origin).is_file():
        raise BotError(
            f'"{dotted}" is no module written in Python as a file, so its bots cannot be read. Name another.'
        )
    return Path(os.path.abspath(found.origin))


def _top_level(name: str) -> ModuleSpec | None:
    for finder in sys.meta_path:
        found = finder.find_spec(name, None)
        if found is not None:
            return found
    return None
