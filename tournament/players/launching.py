"""Starting the process of a bot: its command, environment, limits, user and scratch folder, by level of isolation."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import msgspec

import tournament
from tournament.entrants import BotKind, BotSource
from tournament.players import trees
from tournament.players.calls import refused_calls
from tournament.players.child import Child, stop_all
from tournament.players.launcher import closed_above
from tournament.players.loading import BOT_FOLDER
from tournament.players.sandbox import SCRATCH, sandbox_command
from tournament.players.scratch import is_root, make_scratch, remove_scratch, sweep_scratch
from tournament.records.hosting import Isolation, Limits

HOST: Final = "import sys; sys.path += sys.argv[2:]; from tournament.players.host import main; main(sys.argv[1])"
PRIVATE_USERS: Final = range(50_000, 60_000)
"""One of them is whom a bot runs as when the tournament runs as root."""

HEAD_ROOM: Final = 256
"""For an ordinary user processes are counted all over the machine, so that many more are allowed."""

ADDRESS_SPACE: Final = 4
"""Node, Java and threads reserve far more than they use."""


class Launcher:
    """Starts bots for one worker, each with a scratch folder of its own below one that goes with the worker."""

    def __init__(self, *, hidden: Sequence[str] = (), stop_at_once: bool = True) -> None:
        """Takes the folders that no bot in a sandbox may see, and whether bots are stopped right after each answer.

        Not to stop them at once is for tables where all are processes of this launcher.
        """
        self._hidden = tuple(hidden)
        self._loose: set[Child] | None = None if stop_at_once else set()
        sweep_scratch()
        self.folder, lock = make_scratch()
        self._remove = weakref.finalize(self, remove_scratch, self.folder, lock)

    def start(self, source: BotSource, *, isolation: Isolation, limits: Limits) -> tuple[Child, str]:
        """Returns a started process and its scratch folder.

        The caller waits with `Child.launched`, and removes the folder with `remove_tree`.
        """
        if self._loose is not None:
            stop_all(self._loose)  # to start one takes far longer than others may go on
        trees.protect_this_process()
        scratch = tempfile.mkdtemp(dir=self.folder)
        sandboxed = isolation is Isolation.SANDBOX
        program, visible = program_of(source)
        private = has_private_users() and (sandboxed or private_user_problem() is None) and not is_closed(source)
        uid = _free_user() if private else None
        if uid is not None:
            os.chown(scratch, uid, uid)
        reading, writing = os.pipe()
        settings: dict[str, Any] = {
            "status": writing,
            "limits": _limits(limits, private=uid is not None or sandboxed),
            "uid": uid,
            "rootless": is_root() and uid is None and not sandboxed,  # a sandbox takes all of its rights
            "reveal": [] if uid is None or sandboxed else _below_closed(visible),
            "own_group": sandboxed,
            "filter": refused_calls() if sandboxed else "",
            "parent": 0 if sandboxed else os.getpid(),
            "folder": SCRATCH if sandboxed else scratch,
        }
        command = [*_launcher(), json.dumps(settings), *program]
        environment = _environment(source, scratch=settings["folder"])
        if sandboxed:
            command = sandbox_command(
                command,
                visible=visible,
                hidden=self._hidden,
                environment=environment,
                file_mb=limits.file_mb,
                as_root=is_root(),
                changes_user=uid is not None,
            )
        child = Child(
            command,
            environment=environment,
            status=(reading, writing),
            limits=limits,
            uid=uid,
            sandboxed=sandboxed,
            loose=self._loose,
        )
        return child, scratch

    def close(self) -> None:
        """Removes what the scratch folders hold."""
        self._remove()


def program_of(source: BotSource) -> tuple[list[str], list[str]]:
    """Returns the command of a bot's own program, and the absolute paths it has to reach beside the system."""
    python = python_of(source)
    ours = [str(Path(tournament.__file__).resolve().parent), *_folders_of(sys.executable)]
    if source.kind is not BotKind.COMMAND:
        package = str(Path(tournament.__file__).resolve().parent.parent)
        library = str(Path(str(resources.files("msgspec"))).parent)
        root = _module_root(source)
        program = [python, "-P", "-s", "-B", "-c", HOST, msgspec.json.encode(source).decode(), package, library]
        if root is not None:
            program.append(root)
        ours += [library, *_folders_of(python), *([root] if root is not None else [source.folder]), *source.files]
        return program, ours
    words = []
    for word in source.command[1:]:
        path = os.path.join(source.folder, word)
        words.append(path if not os.path.isabs(word) and os.path.exists(path) else word)
    paths = [source.path, *(word for word in words if os.path.isabs(word) and os.path.exists(word)), *source.files]
    return [source.path, *words], ours + paths


def python_of(source: BotSource) -> str:
    """Returns the Python that runs a bot: its own environment's, or ours."""
    return sys.executable if source.python is None else source.python


def _module_root(source: BotSource) -> str | None:
    """Returns the folder from which an installed module is imported."""
    if source.module is None:
        return None
    path = Path(source.path)
    depth = len(source.module.split(".")) - (0 if path.name == "__init__.py" else 1)
    return str(path.parents[depth])


@cache
def _folders_of(python: str) -> tuple[str, ...]:
    """Returns the folders that a Python consists of."""
    if python == sys.executable:
        return tuple(dict.fromkeys((sys.base_prefix, sys.prefix, str(Path(python).resolve().parent.parent))))
    asked = "import sys; print(sys.base_prefix, sys.prefix, sep='\\n')"
    try:
        done = subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(dict.fromkeys(path for path in done.stdout.splitlines() if os.path.isdir(path)))


def _launcher() -> list[str]:
    return [sys.executable, "-I", "-S", "-B", str(Path(__file__).with_name("launcher.py").resolve())]


def _environment(source: BotSource, *, scratch: str) -> dict[str, str]:
    """Returns the whole environment of a bot: nothing of ours is in it."""
    one_thread = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": scratch,
        "TMPDIR": scratch,
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(one_thread, "1"),
        BOT_FOLDER: source.folder,
        **source.env,
    }


def _limits(limits: Limits, *, private: bool) -> dict[str, int]:
    """Returns the limits of a process by their names in `resource`."""
    memory = limits.memory_mb * 1_048_576
    values = {
        "RLIMIT_NOFILE": limits.open_files,
        "RLIMIT_FSIZE": limits.file_mb * 1_048_576,
        "RLIMIT_CORE": 0,
    }
    if sys.platform == "linux":
        values["RLIMIT_DATA"] = memory
        values["RLIMIT_AS"] = ADDRESS_SPACE * memory
        values["RLIMIT_NPROC"] = limits.processes + (0 if private else HEAD_ROOM + _own_tasks())
    return values


def _own_tasks() -> int:
    """Returns how many processes and threads this user has."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
    return count


def _free_user() -> int:
    """Returns a user that nobody is at the moment."""
    taken = trees.users_with_processes()
    while True:
        uid = secrets.choice(PRIVATE_USERS)
        if uid not in taken:
            return uid


def has_private_users() -> bool:
    """Returns whether a bot gets a user of its own: where root plays on Linux."""
    return is_root() and sys.platform == "linux"


def is_closed(source: BotSource) -> bool:
    """Returns whether what a bot consists of cannot be read by other users, so that it must run as ours."""
    folder, *files = source.folder, source.path, *source.files
    return not _allows(folder, 0o005) or not all(_allows(file, 0o004) for file in files)


def _allows(path: str, rights: int) -> bool:
    return not os.path.exists(path) or os.stat(path).st_mode & rights == rights


def _below_closed(paths: Sequence[str]) -> list[str]:
    """Returns those of some paths that others cannot reach, and where they really lie: a link may lead there."""
    both = dict.fromkeys(one for path in paths for one in (path, os.path.realpath(path)))
    return [path for path in both if closed_above(path)]


@cache
def private_user_problem() -> str | None:
    """Returns why bots cannot be given a user of their own, or None; only root can give them one."""
    if not has_private_users():
        return None
    needed = [str(Path(tournament.__file__).resolve().parent), *_folders_of(sys.executable)]
    reading, writing = os.pipe()
    settings = {
        "status": writing,
        "limits": {},
        "uid": PRIVATE_USERS[0],
        "reveal": _below_closed(needed),
        "parent": 0,
        "folder": "/",
    }
    command = [*_launcher(), json.dumps(settings), sys.executable, "-I", "-S", "-c", "import json"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, pass_fds=(writing,), env={}
        )
        os.close(writing)
        writing = -1
        said = os.read(reading, 4096).decode(errors="backslashreplace").partition("set\n")
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    if done.returncode == 0:
        return None
    return (said[2] or said[0] or done.stderr).strip() or "the reason is not known"
