"""What bots may import: the packages that the host names, with what these need, and a Python that has them alone.

The Python is a virtual environment without packages of its own. It finds those of the referee's environment, but no
others than named: a file that it reads at its start refuses them. That is no protection, which the sandbox gives; it
makes what the page of a competition lists the whole truth.
"""

from __future__ import annotations

import compileall
import hashlib
import os
import platform
import re
import shutil
import sys
import venv
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from importlib.metadata import PackageNotFoundError, distribution, entry_points, packages_distributions
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from tournament.errors import ConfigurationError
from tournament.games import GROUP
from tournament.records.record import Hex256
from tournament.store.leftovers import place_beside

ALWAYS: Final = ("tournament", "msgspec", "mypy-extensions")
"""What the process of every Python bot imports, whatever the host names; games add what they need."""

_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^]]*\])?[^;]*(?:;(.*))?")
_EXTRA: Final = re.compile(r"\bextra\s*==")
_SEPARATORS: Final = re.compile(r"[-_.]+")

REFUSING: Final = '''"""Refuses to import packages that the host of the competition has not named."""

import sys

REFUSED = frozenset({refused!r})


class _Refusing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is None and name in REFUSED:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
        return None


sys.meta_path.insert(0, _Refusing)
'''
REFUSING_FILE: Final = "_only_named_packages"
STAMP_FILE: Final = "made-from"


class BotPackage(Struct, frozen=True, kw_only=True):
    """A package that bots may import."""

    name: str
    version: str
    is_named: bool
    """Whether the host names it; others are needed by one that is."""


class BotEnvironment(Struct, frozen=True, kw_only=True, dict=True):
    """What the programs of bots find on this machine, beside what is their own."""

    python: str
    """Its version, and of which kind it is: `CPython 3.11.7`."""

    machine: str
    """What it runs on: `Linux x86_64`."""

    packages: tuple[BotPackage, ...]
    """In the order of their names."""

    @cached_property
    def digest(self) -> Hex256:
        """SHA-256, as hex, of Python and packages with their versions."""
        return hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(self), order="sorted")).hexdigest()


def environment_with(names: Sequence[str]) -> BotEnvironment:
    """Returns what bots find where the host names some packages.

    Raises `ConfigurationError` for one that is not installed.
    """
    named = {_normal(name) for name in names}
    for name in names:
        try:
            distribution(name)
        except PackageNotFoundError:
            raise ConfigurationError(
                f"packages: {name} is not installed where the referee runs. Install it there, such as with "
                f"`{sys.executable} -m pip install {name}`, or take it out."
            ) from None
    return BotEnvironment(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        machine=f"{platform.system()} {platform.machine()}",
        packages=tuple(
            BotPackage(name=key, version=version, is_named=key in named)
            for key, version in sorted(_versions(names).items())
        ),
    )


def _versions(names: Iterable[str]) -> dict[str, str]:
    """Returns the versions of packages and of all that they need, as far as these are installed."""
    versions: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if _normal(name) in versions:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:  # it is for another platform
            continue
        versions[_normal(name)] = found.version
        waiting += _needed(found.requires or ())
    return versions


def _needed(requirements: Sequence[str]) -> Iterator[str]:
    """Yields the names of packages that one needs, without its extras."""
    for written in requirements:
        found = _REQUIREMENT.match(written)
        if found is not None and not _EXTRA.search(found[2] or ""):
            yield found[1]


def _normal(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def python_for(environment: BotEnvironment, place: Path) -> Path:
    """Returns a Python that imports these packages and no others: `bin/python` of an environment in the folder `place`.

    It is made where it is missing, and made anew where what is installed has changed. Raises `OSError`. Cost: half a
    second when it is made.
    """
    python = place / "bin" / "python"
    stamp = _stamp(environment)
    made_from = place / STAMP_FILE
    if os.access(python, os.X_OK) and made_from.is_file() and made_from.read_text("ascii") == stamp:
        return python
    made, old = place_beside(place), place_beside(place, "old")
    for path in (made, old):
        shutil.rmtree(path, ignore_errors=True)
    venv.EnvBuilder(symlinks=True, with_pip=False).create(made)
    library = made / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    refused = REFUSING.format(refused=_refused(environment))
    (library / f"{REFUSING_FILE}.py").write_text(refused, encoding="utf-8")
    (library / f"{REFUSING_FILE}.pth").write_text(f"import {REFUSING_FILE}\n", encoding="utf-8")
    compileall.compile_dir(library, quiet=1)  # else whoever starts it first writes there
    (made / STAMP_FILE).write_text(stamp, encoding="ascii")
    for path in (made, *made.rglob("*")):
        if not path.is_symlink():  # bots may run as another user
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o111 else 0o644)
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)
    return python


def _stamp(environment: BotEnvironment) -> str:
    """Returns what tells whether an environment is as it would be made now."""
    installed = sorted({path.name for folder in sys.path for path in Path(folder).glob("*-info")})
    words = (environment.digest, sys.prefix, sys.base_prefix, REFUSING, *installed)
    return hashlib.sha256("\0".join(words).encode()).hexdigest()


def _refused(environment: BotEnvironment) -> list[str]:
    """Returns the names at the top of all installed packages that bots may not import."""
    games = [point.dist.name for point in entry_points(group=GROUP) if point.dist is not None]
    games = [name for name in games if _normal(name) not in ALWAYS]  # which needs much, but not in a bot's process
    allowed = {package.name for package in environment.packages} | {*ALWAYS, *_versions(games)}
    return sorted(
        top
        for top, owners in packages_distributions().items()
        if not allowed.intersection(map(_normal, owners)) and top not in sys.stdlib_module_names
    )
