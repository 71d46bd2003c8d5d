"""The sandbox: bubblewrap in front of a bot, and whether it works on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from tournament.errors import ConfigurationError
from tournament.players import trees
from tournament.players.scratch import is_root

PROGRAM: Final = "bwrap"
PROBE_SECONDS: Final = 20
SCRATCH: Final = "/tmp"  # inside the sandbox, where it is nobody else's
SHARED_MEMORY_BYTES: Final = 16_777_216
SCRATCH_FILES: Final = 4
"""The scratch folder holds as many of the longest files."""

SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SYSTEM_FILES: Final = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl",
    "/opt",
)

MISSING: Final = (
    "isolation: sandbox needs bubblewrap, which is not installed. Install it (Debian, Ubuntu: "
    "sudo apt-get install bubblewrap; Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap), "
    "or choose isolation: process."
)


def sandbox_command(
    program: Sequence[str],
    *,
    visible: Iterable[str],
    hidden: Iterable[str],
    environment: Mapping[str, str],
    file_mb: int,
    as_root: bool,
    changes_user: bool,
) -> list[str]:
    """Returns the command that runs a program in a sandbox.

    It sees the system and what is `visible`, both read-only, except what is `hidden` below them. When
    the launcher has to become another user it keeps the two capabilities for that, and no others.
    """
    command = [_found() or PROGRAM, "--die-with-parent", "--cap-drop", "ALL", "--clearenv"]
    if as_root:
        # A user namespace would hold one user only; without it the launcher can become one that nobody else has.
        command += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        if changes_user:
            command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-all", "--unshare-user"]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        else:
            command += ["--ro-bind-try", path, path]
    command += ["--perms", "0755", "--dir", "/etc"]
    for path in SYSTEM_FILES:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += ["--perms", "1777", "--size", str(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"]
    command += ["--perms", "1777", "--size", str(file_mb * SCRATCH_FILES * 1_048_576), "--tmpfs", SCRATCH]
    shown: list[str] = []
    for path in sorted(visible):  # a folder comes before what lies in it
        if not _is_below(path, (*SYSTEM, *shown)):
            shown.append(path)
    for folder in sorted({str(parent) for path in shown for parent in Path(path).parents} - {"/", SCRATCH}):
        command += ["--perms", "0755", "--dir", folder]  # otherwise only root could pass through it
    for path in shown:
        command += ["--ro-bind", path, path]
    for path in hidden:
        if _is_below(path, shown) and os.path.isdir(path):
            command += ["--perms", "0755", "--size", "4096", "--tmpfs", path, "--remount-ro", path]
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment.items():
        command += ["--setenv", name, value]
    return [*command, "--", *program]


@cache
def check_sandbox() -> None:
    """Runs a trivial command in a sandbox. Raises `ConfigurationError` when that does not work here."""
    if sys.platform != "linux":
        raise ConfigurationError(
            "isolation: sandbox needs Linux (bubblewrap); on Windows use WSL. Choose isolation: process or none."
        )
    if _found() is None:
        raise ConfigurationError(MISSING)
    command = sandbox_command(
        ["/bin/true"], visible=(), hidden=(), environment={}, file_mb=1, as_root=is_root(), changes_user=is_root()
    )
    try:
        # In a session of its own, as the bots: what it leaves is found and reaped with what they leave.
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False, start_new_session=True
        )
        trees.end_leftovers()
        problem = None if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    if problem is not None:
        raise ConfigurationError(
            f"isolation: sandbox does not work on this machine. bubblewrap says: {problem}. "
            "Usually unprivileged user namespaces are switched off: on Ubuntu 23.10 and later allow them for "
            "bubblewrap (sudo apt-get install apparmor-profiles, then load its bwrap-userns-restrict profile), "
            "in a container allow SYS_ADMIN, or choose isolation: process."
        )


def _found() -> str | None:
    return shutil.which(PROGRAM)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)
