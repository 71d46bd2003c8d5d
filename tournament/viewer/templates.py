"""Templates of pages: one way to read them, and their compiled form kept between runs, as Python keeps modules."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.metadata import version
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any

from jinja2 import BytecodeCache, ChoiceLoader, Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jinja2.bccache import Bucket


class BesideTemplates(BytecodeCache):
    """Keeps what Jinja compiles in `__pycache__`, beside the templates of a package.

    What cannot be written is compiled anew each time, and nothing is written where Python writes no bytecode.
    """

    def __init__(self, package: str) -> None:
        web = Path(str(files(package) / "web"))
        self._folder = Path(cache_from_source(str(web / "template.py"))).parent
        self._form = f"{package}.jinja-{version('jinja2')}.{sys.implementation.cache_tag}"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Reads the compiled form; Jinja compares the checksum of the template."""
        with suppress(OSError, EOFError, UnpicklingError), self._place(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Writes the compiled form beside its place, and moves it there."""
        if sys.dont_write_bytecode:
            return
        place = self._place(bucket)
        beside = place.with_name(f"{place.name}.{os.getpid()}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(bucket.bytecode_to_string())
            beside.replace(place)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def _place(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{self._form}"


def template_environment(*packages: str, extensions: Iterable[str] = (), **options: Any) -> Environment:
    """Returns what reads templates in the folder `web` of some packages, the first package first.

    What is put into a template is escaped, and a value that is missing is an error.
    """
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, "web") for package in packages]),
        extensions=list(extensions),
        bytecode_cache=BesideTemplates(packages[0]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
