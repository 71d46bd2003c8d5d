"""The sandbox: the command of bubblewrap for a bot, and whether it works on this machine."""

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
from tournament.players.linux import trees
from tournament.players.linux.files import is_root

PROGRAM: Final = "bwrap"
PROBE_SECONDS: Final = 20
SCRATCH: Final = "/tmp"  # inside the sandbox, where it belongs to one bot
SHARED_MEMORY_BYTES: Final = 16_777_216
SCRATCH_FILES: Final = 4
"""How many files of the largest allowed size the scratch folder can hold."""

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
    shared: Iterable[str],
    own: Mapping[str, str],
    hidden: Iterable[str],
    environment: Mapping[str, str],
    file_mb: int,
    as_root: bool,
) -> tuple[list[str], int]:
    """Returns the command that runs a program in a sandbox, and the descriptor from which it reads its arguments.

    The program sees the system, the `shared` paths, and its `own` paths, for each of which a source is given; all are
    read-only, and `hidden` folders in them are empty. Under root the launcher has to become another user: it keeps the
    two capabilities for that, and no others. Others can read a command line, so it says nothing of the bot.
    """
    words = ["--die-with-parent", "--cap-drop", "ALL", "--clearenv"]
    if as_root:
        # A user namespace would hold one user only; without it the launcher can become one that nobody else has.
        words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-all", "--unshare-user"]
    shown: dict[str, str] = {}
    """For each path that is seen: where it really lies."""

    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
            shown[path] = os.path.realpath(path)
    words += ["--perms", "0755", "--dir", "/etc"]
    for path in SYSTEM_FILES:
        words += ["--ro-bind-try", path, path]
        shown[path] = os.path.realpath(path)
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(SHARED_MEMORY_BYTES), "--tmpfs", "/dev/shm"]
    words += ["--perms", "1777", "--size", str(file_mb * SCRATCH_FILES * 1_048_576), "--tmpfs", SCRATCH]
    mounts: dict[str, str] = {}
    for path in sorted(shared):  # a folder comes before the paths in it
        if not is_below(path, (*SYSTEM, *mounts)):
            mounts[path] = path
            shown[path] = os.path.realpath(path)
    for path, copy in sorted(own.items()):
        # Below a folder that is shown as it is, links on the way are followed; elsewhere the path is made anew.
        mounts[os.path.realpath(path) if is_below(path, shown) else path] = copy
    for folder in sorted({str(parent) for path in mounts for parent in Path(path).parents} - {"/", SCRATCH}):
        if not is_below(folder, shown):
            words += ["--perms", "0755", "--dir", folder]  # bubblewrap itself would make it for root only
    for path, source in mounts.items():
        words += ["--ro-bind", source, path]
    for path in map(os.path.realpath, hidden):
        for place, real in shown.items():
            if os.path.isdir(path) and is_below(path, [real]):
                inside = os.path.normpath(os.path.join(place, os.path.relpath(path, real)))
                words += ["--perms", "0755", "--size", "4096", "--tmpfs", inside, "--remount-ro", inside]
    words += ["--remount-ro", "/dev", "--remount-ro", "/"]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    return [shutil.which(PROGRAM) or PROGRAM, "--args", str(arguments := _held(words)), "--", *program], arguments


def _held(words: Sequence[str]) -> int:
    """Returns a descriptor from which words can be read, each followed by a zero byte."""
    return held_in_memory("arguments", b"".join(os.fsencode(word) + b"\0" for word in words))


def held_in_memory(name: str, content: bytes) -> int:
    """Returns a descriptor from which some bytes can be read: a file that only who has the descriptor can find."""
    descriptor = os.memfd_create(name)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


@cache
def check_sandbox() -> None:
    """Runs a trivial command in a sandbox. Raises `ConfigurationError` when that does not work here."""
    if sys.platform != "linux":
        raise ConfigurationError(
            "isolation: sandbox needs Linux (bubblewrap); on Windows use WSL. Choose isolation: process or none."
        )
    if shutil.which(PROGRAM) is None:
        raise ConfigurationError(MISSING)
    command, arguments = sandbox_command(
        ["/bin/true"], shared=(), own={}, hidden=(), environment={}, file_mb=1, as_root=is_root()
    )
    try:
        # In a session of its own, as bots are: processes that it leaves are found like those of bots.
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
            start_new_session=True,
            pass_fds=(arguments,),
        )
        trees.end_leftovers()
        problem = None if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"
    except (OSError, subprocess.TimeoutExpired) as error:
        problem = str(error)
    finally:
        os.close(arguments)
    if problem is not None:
        raise ConfigurationError(
            f"isolation: sandbox does not work on this machine. bubblewrap says: {problem}. "
            "Usually unprivileged user namespaces are switched off: on Ubuntu 23.10 and later allow them for "
            "bubblewrap (sudo apt-get install apparmor-profiles, then load its bwrap-userns-restrict profile), "
            "in a container allow SYS_ADMIN, or choose isolation: process."
        )


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Returns whether a path is one of some folders or lies below one, by its text alone."""
    return any(Path(path).is_relative_to(folder) for folder in folders)
