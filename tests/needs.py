"""What tests need of a machine beyond Python: a test that lacks something is skipped, and the end of all says for what.

With `CI=true` it fails instead: there everything is checked.
"""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

import pytest

from tournament.errors import ConfigurationError, install_advice
from tournament.players.linux.sandbox import check_sandbox
from tournament.pure import is_compiled

PACKAGES: Final = {
    "/usr/bin/python3": "python3",
    "node": "nodejs",
    "cc": "gcc libc6-dev",
    "bwrap": "bubblewrap",
    "chromium": "chromium",
    "git": "git",
    "postgres": "postgresql",
    "nginx": "nginx-light",
    "caddy": "caddy",
    "systemd-analyze": "systemd",
    "curl": "curl",
}
"""By program: where it is on Debian, as `.ci/run` installs it."""

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome")


needs_pure_python = pytest.mark.skipif(is_compiled(), reason="functions of compiled modules cannot be replaced")


class Missing(pytest.skip.Exception):
    """Skips a test, or a file of them, for want of something."""

    def __init__(self, what: str, remedy: str) -> None:
        self.want = f"{what}. {remedy}"
        super().__init__(self.want, allow_module_level=True)


def missing(what: str, remedy: str) -> NoReturn:
    """Skips the test that asks, or fails it where everything is checked."""
    __tracebackhide__ = True
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI checks everything. {remedy}", pytrace=False)
    raise Missing(what, remedy)


def need_programs(*names: str) -> None:
    """Skips a test that needs programs which this machine does not have."""
    for name in names:
        if shutil.which(name) is None:
            missing(name, f"Debian: apt-get install {PACKAGES[name]}")


def need_browser() -> str:
    """Returns the path of a browser, or skips the test."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or missing("chromium", f"Debian: apt-get install {PACKAGES['chromium']}")


def need_sandbox() -> None:
    """Skips a test that needs a sandbox where there can be none."""
    need_programs("bwrap")
    try:
        check_sandbox()
    except ConfigurationError as error:
        missing("a sandbox", str(error))


def need_module(name: str, *, extra: str) -> ModuleType:
    """Returns a module that comes with an extra, or skips the test or the file that asks."""
    try:
        return import_module(name)
    except ImportError:
        missing(name, install_advice(extra))


def want_of(error: BaseException | None) -> str | None:
    """Returns for want of what a test was skipped; None when it was not, or for another reason."""
    return error.want if isinstance(error, Missing) else None


def summary(reports: list[Any]) -> list[str]:
    """Returns a line for each thing that tests were skipped for want of, with how many; files count as one."""
    counts: dict[str, int] = {}
    for report in reports:
        want = getattr(report, "want", None)
        if want is not None:
            counts[want] = counts.get(want, 0) + 1
    return [f"{count} {'test' if count == 1 else 'tests'} for want of {want}" for want, count in counts.items()]
