"""As whom bots run where the tournament is root: each as a user of its own, whom nobody else is."""

from __future__ import annotations

import contextlib
import grp
import os
import pwd
import secrets
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from tournament.paths import PACKAGE
from tournament.players.linux import trees
from tournament.players.linux.files import closed_part, copy_problem, is_root
from tournament.players.linux.launcher import closed_above
from tournament.players.linux.sandbox import sandbox_command
from tournament.players.programs import Program, folders_of, launcher_command

PRIVATE_USERS: Final = range(50_000, 60_000)
"""The users that bots run as when the tournament runs as root."""

CLAIMS: Final = Path("/run/tournament-users")
"""Where a user is claimed until its first process exists."""

CLAIM_SECONDS: Final = 60.0
"""An older claim has no owner: its process exists by now, or never will."""


def as_root(name: str, problem: str) -> str:
    """Returns the error for a bot that would have to run as root."""
    return (
        f"{name} would run as root here, which only the bots of this package may: it cannot be given a user of its "
        f"own, because {problem}"
    )


def free_user() -> int:
    """Returns a user that has no process and no account."""
    taken = trees.users_with_processes()
    free = [uid for uid in PRIVATE_USERS if uid not in taken]
    while free:
        uid = secrets.choice(free)
        if not _is_account(uid) and _claim(uid):
            return uid
        free.remove(uid)
    raise RuntimeError(
        f"all users from {PRIVATE_USERS[0]} to {PRIVATE_USERS[-1]} have accounts or processes here, so that a bot "
        "cannot be given one of its own. Run the tournament as an ordinary user."
    )


def _claim(uid: int) -> bool:
    """Claims a user; returns False when another run has claimed it in the same moment."""
    path = CLAIMS / str(uid)
    try:
        CLAIMS.mkdir(mode=0o700, exist_ok=True)
        for old in CLAIMS.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another run has tidied up
                if time.time() - old.stat().st_mtime > CLAIM_SECONDS:
                    old.unlink()
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    except OSError:  # claims cannot be written: then two runs would have to choose the same user in one moment
        return True
    return True


@cache
def _is_account(uid: int) -> bool:
    """Returns whether an account has this user or group, or may give it to its containers."""
    for named in (pwd.getpwuid, grp.getgrgid):
        with contextlib.suppress(KeyError):
            named(uid)
            return True
    return any(uid in lent for lent in _lent_users())


@cache
def _lent_users() -> tuple[range, ...]:
    """Returns the users that accounts may give to their containers (`man 5 subuid`)."""
    found = []
    for file in ("/etc/subuid", "/etc/subgid"):
        with contextlib.suppress(OSError):
            for line in Path(file).read_text(errors="replace").splitlines():
                _, _, numbers = line.partition(":")
                first, _, count = numbers.partition(":")
                if first.isdecimal() and count.isdecimal():
                    found.append(range(int(first), int(first) + int(count)))
    return tuple(found)


def is_closed(program: Program) -> bool:
    """Returns whether other users may not read all of a bot's own files."""
    return any(closed_part(path) is not None for path in program.own)


def shown_paths(shared: Sequence[str], own: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the paths that have to be made reachable for another user, each with its source.

    These are copies, and paths below closed folders, where links lead included.
    """
    shown = {one: one for path in shared for one in (path, os.path.realpath(path)) if closed_above(one)}
    for path, copy in own.items():
        real = os.path.realpath(path)
        if copy != path:
            shown |= {path: copy, real: copy}
        else:
            shown |= {one: one for one in (path, real) if closed_above(one)}
    return list(shown.items())


def private_user_problem() -> str | None:
    """Returns why root cannot give bots a user of their own, and what to do; None when it can, or we are not root."""
    if not is_root():
        return None
    if sys.platform != "linux":
        return "only Linux can do that. Run the tournament as an ordinary user."
    problem = _probed(tuple(shown_paths(_needed(), {})))
    return None if problem is None else _with_remedy(problem, below=_needed())


def own_user_problem(program: Program) -> str | None:
    """Returns why this bot cannot be given a user of its own at level process, and what to do; None when it can."""
    problem = private_user_problem()
    if problem is not None or not is_root():
        return problem
    closed = [part for part in map(closed_part, program.own) if part is not None]
    much = copy_problem(program.own) if closed else None
    if much is not None:
        return _with_remedy(f"{closed[0]} is closed to others, and what would be copied for it {much}", closed=closed)
    if not closed and not shown_paths(program.shared, dict(zip(program.own, program.own, strict=True))):
        return None
    # Tried with one path; all others are made reachable in the same way.
    (package, *_) = needed = _needed()
    problem = _probed((*shown_paths(needed, {}), (package, f"{package}/.")))
    return None if problem is None else _with_remedy(problem, below=[*program.shared, *program.own], closed=closed)


def _needed() -> list[str]:
    return [str(PACKAGE), *folders_of(sys.executable)]


def _with_remedy(problem: str, *, below: Iterable[str] = (), closed: Iterable[str] = ()) -> str:
    """Returns a problem with what to do: open what is closed to other users, or do not run as root."""
    way = {above for path in below for one in (path, os.path.realpath(path)) for above in Path(one).parents}
    entered = sorted(str(one) for one in way if one.exists() and not one.stat().st_mode & 0o001)
    commands = [f"chmod o+x {shlex.join(entered)}"] if entered else []
    commands += [f"chmod -R go+rX {shlex.join(sorted(set(closed)))}"] if closed else []
    opened = f"`{' && '.join(commands)}` opens what is closed to others. Or run" if commands else "Run"
    return f"{problem}. {opened} the tournament as an ordinary user, such as with `runuser -u NAME -- tournament ...`."


@cache
def _probed(shown: tuple[tuple[str, str], ...]) -> str | None:
    """Returns why no program can run as another user with these paths made reachable; None when one can."""
    return _tried(lambda command: (command, None), {"reveal": shown})


@cache
def sandbox_user_problem() -> str | None:
    """Returns why root cannot give a program in a sandbox a user of its own; None when it can, or we are not root."""
    if not is_root():
        return None

    def in_sandbox(command: list[str]) -> tuple[list[str], int]:
        return sandbox_command(command, shared=_needed(), own={}, hidden=(), environment={}, file_mb=1, as_root=True)

    return _tried(in_sandbox, {})


def _tried(wrap: Callable[[list[str]], tuple[list[str], int | None]], settings: Mapping[str, Any]) -> str | None:
    """Returns why a Python that is started like a bot does not run as another user; None when it does."""
    reading, writing = os.pipe()
    whole = {"status": writing, "limits": {}, "uid": free_user(), "parent": 0, "folder": "/", **settings}
    program = [sys.executable, "-I", "-S", "-c", "import json"]
    command, arguments = wrap([*launcher_command(whole), *program])
    passed = [writing] if arguments is None else [writing, arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            pass_fds=passed,
            env={},
            start_new_session=True,
        )
        while passed:
            os.close(passed.pop())
        said = os.read(reading, 4096).decode(errors="backslashreplace").partition("set\n")
    finally:
        for descriptor in (reading, *passed):
            os.close(descriptor)
    if done.returncode == 0:
        return None
    return ((said[2] or said[0] or done.stderr).strip() or "the reason is not known").rstrip(".")
