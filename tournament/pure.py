"""Which code runs where a compiled package is installed: the compiled modules, or the Python files beside them.

`TOURNAMENT_PURE=1` in the environment chooses the Python files, for this process and for those it starts.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import SOURCE_SUFFIXES, ExtensionFileLoader, FileFinder, SourceFileLoader
from typing import Final

VARIABLE: Final = "TOURNAMENT_PURE"
_PACKAGE: Final = os.path.dirname(os.path.abspath(__file__))


def is_pure_chosen() -> bool:
    """Returns whether the environment chooses the Python files."""
    return os.environ.get(VARIABLE, "0") not in {"", "0"}


def prefer_sources() -> None:
    """Makes every later import from this package take the Python file, where a compiled module lies beside it."""
    sys.path_hooks.insert(0, _find_sources)
    sys.path_importer_cache.pop(_PACKAGE, None)


def is_compiled() -> bool:
    """Returns whether the compiled modules run in this process: `version` is one of them, and always imported."""
    spec = sys.modules["tournament.version"].__spec__
    return spec is not None and isinstance(spec.loader, ExtensionFileLoader)


def _find_sources(folder: str) -> FileFinder:
    """Returns what finds only Python files, for a folder of this package."""
    if os.path.commonpath((folder, _PACKAGE)) != _PACKAGE:
        raise ImportError(f"{folder} is no folder of this package")
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
