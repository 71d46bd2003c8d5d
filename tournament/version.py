"""The version of this package; a module of its own, so that no module has to import the public names for it."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.2.0"
