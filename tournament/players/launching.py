"""Starting the process of a bot: its command, environment, limits, user and scratch folder, by level of isolation."""

from __future__ import annotations

import contextlib
import grp
import json
import os
import pwd
import secrets
import shlex
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import tournament
from tournament.entrants import BotKind, BotSource
from tournament.errors import BotError
from tournament.players import trees
from tournament.players.calls import refused_calls
from tournament.players.child import Child, stop_all
from tournament.players.copies import closed_part, copy_parts, copy_problem
from tournament.players.launcher import closed_above
from tournament.players.loading import BOT_FOLDER
from tournament.players.sandbox import SCRATCH, SYSTEM, sandbox_command
from tournament.players.scratch import is_root, make_scratch, remove_scratch, sweep_scratch
from tournament.records.hosting import Isolation, Limits
from tournament.records.paths import data_folder

HOST: Final = "import sys; sys.path += sys.argv[1:]; from tournament.players.host import main; main()"
PRIVATE_USERS: Final = range(50_000, 60_000)
"""One of them is whom a bot runs as when the tournament runs as root."""

HEAD_ROOM: Final = 256
"""For an ordinary user processes are counted all over the machine, so that many more are allowed."""

ADDRESS_SPACE: Final = 4
"""Node, Java and threads reserve far more than they use."""


class Program(NamedTuple):
    """A bot's own program."""

    command: list[str]
    first: bytes
    """What it is sent before the protocol begins: no argument, for others may read those."""

    shared: list[str]
    """The absolute paths it has to reach beside the system: Python, this package, installed ones."""

    own: list[str]
    """The absolute paths of what is the bot's own."""


class Launcher:
    """Starts bots for one worker, each with a folder of its own below one that goes with the worker."""

    def __init__(self, *, hidden: Sequence[str] = (), stop_at_once: bool = True, same_addresses: bool = True) -> None:
        """Takes the folders that no bot in a sandbox may see, and whether bots are stopped right after each answer.

        Not to stop them at once is for tables where all are processes of this launcher. `same_addresses` has the
        kernel not shuffle where their programs lie (`launcher.fix_addresses`): not where one of them is a stranger.
        """
        self._hidden = tuple(map(os.path.realpath, hidden))
        self._loose: set[Child] | None = None if stop_at_once else set()
        self._same_addresses = same_addresses
        self._problems: dict[str, str | None] = {}
        sweep_scratch()
        self.folder, lock = make_scratch()
        self._remove = weakref.finalize(self, remove_scratch, self.folder, lock)

    def start(self, source: BotSource, *, isolation: Isolation, limits: Limits) -> tuple[Child, str]:
        """Returns a started process and its folder.

        The caller waits with `Child.launched`, and removes the folder with `remove_tree`. Raises `BotError` for a bot
        that would have to run as root.
        """
        if self._loose is not None:
            stop_all(self._loose)  # to start one takes far longer than others may go on
        trees.protect_this_process()
        sandboxed = isolation is Isolation.SANDBOX
        program = program_of(source)
        uid = _free_user() if self._has_own_user(source, program, sandboxed=sandboxed) else None
        place = tempfile.mkdtemp(dir=self.folder)
        scratch = os.path.join(place, "scratch")
        os.mkdir(scratch, 0o700)
        if uid is not None:
            os.chmod(place, 0o711)
            os.chown(scratch, uid, uid)
        copied = sandboxed or (uid is not None and is_closed(program))
        own = self._copied(program, place) if copied else {path: path for path in program.own}
        reading, writing = os.pipe()
        settings: dict[str, Any] = {
            "status": writing,
            "limits": _limits(limits, private=uid is not None or sandboxed),
            "uid": uid,
            "rootless": is_root() and uid is None,
            "reveal": [] if uid is None or sandboxed else _shown(program.shared, own),
            "own_group": sandboxed,
            "filter": refused_calls() if sandboxed else "",
            "parent": 0 if sandboxed else os.getpid(),
            "same_addresses": self._same_addresses,
            "folder": SCRATCH if sandboxed else scratch,
        }
        command = [*_launcher(), json.dumps(settings), *program.command]
        environment = _environment(source, scratch=settings["folder"])
        arguments = None
        if sandboxed:
            command, arguments = sandbox_command(
                command,
                shared=program.shared,
                own=own,
                hidden=self._hidden,
                environment=environment,
                file_mb=limits.file_mb,
                as_root=is_root(),
            )
        child = Child(
            command,
            environment={} if sandboxed else environment,
            status=(reading, writing),
            arguments=arguments,
            first=program.first,
            limits=limits,
            uid=uid,
            sandboxed=sandboxed,
            loose=self._loose,
        )
        return child, place

    def close(self) -> None:
        """Removes what the folders hold."""
        self._remove()

    def _has_own_user(self, source: BotSource, program: Program, *, sandboxed: bool) -> bool:
        """Returns whether a bot runs as a user of its own. Raises `BotError` when it would have to run as root."""
        if not is_root():
            return False
        if sandboxed:
            return True
        if source.path not in self._problems:
            self._problems[source.path] = own_user_problem(program)
        problem = self._problems[source.path]
        if problem is None:
            return True
        if not is_ours(source):
            raise BotError(as_root(source.spec, problem))
        return False

    def _copied(self, program: Program, place: str) -> dict[str, str]:
        """Copies what is a bot's own, and returns by path where the copy is."""
        copies = os.path.join(place, "copies")
        os.mkdir(copies, 0o700)
        own = {}
        for number, path in enumerate(program.own):
            own[path] = os.path.join(copies, str(number))
            copy_parts(path, own[path], hidden=self._hidden)
        return {path: copy for path, copy in own.items() if os.path.lexists(copy)}


def program_of(source: BotSource) -> Program:
    """Returns a bot's own program, and the paths that it has to reach."""
    package = str(Path(tournament.__file__).resolve().parent)
    ours = [package, *_folders_of(sys.executable)]
    if source.kind is not BotKind.COMMAND:
        python = python_of(source)
        library = str(Path(str(resources.files("msgspec"))).parent)
        root = _module_root(source)
        command = [python, "-P", "-s", "-B", "-c", HOST, str(Path(package).parent), library]
        if root is not None:
            command.append(root)
        return Program(
            command=command,
            first=msgspec.json.encode(source) + b"\n",
            shared=[*ours, library, *_folders_of(python), *([root] if root is not None else [])],
            own=_outermost([source.folder if root is None else _top_of(source, root), *source.files]),
        )
    words = []
    for word in source.command[1:]:
        path = os.path.join(source.folder, word)
        words.append(path if not os.path.isabs(word) and os.path.exists(path) else word)
    paths = [word for word in words if os.path.isabs(word) and os.path.exists(word)]
    own = [path for path in (source.path, *paths) if not _is_below(path, (*SYSTEM, *ours))]
    if os.sep not in source.command[0] and source.path in own:  # an installed program, which others have as well
        own.remove(source.path)
        ours.append(source.path)
    return Program([source.path, *words], b"", ours, _outermost([*own, *source.files]))


def _top_of(source: BotSource, root: str) -> str:
    """Returns the package, or the file, of an installed module below the folder from which it is imported."""
    return os.path.join(root, Path(source.path).relative_to(root).parts[0])


def _outermost(paths: Sequence[str]) -> list[str]:
    """Returns paths without those that lie below others of them."""
    found: list[str] = []
    for path in sorted(set(paths), key=len):
        if not _is_below(path, found):
            found.append(path)
    return found


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def is_ours(source: BotSource) -> bool:
    """Returns whether a bot came with this package, so that it is nobody's but ours."""
    shipped = os.path.realpath(data_folder("bots"))
    return not source.files and source.python is None and _is_below(os.path.realpath(source.path), [shipped])


def as_root(name: str, problem: str) -> str:
    """Returns the error for a bot that would have to run as root."""
    return (
        f"{name} would run as root here, and that only bots may that came with this package: a user of its own cannot "
        f"be given it, because {problem}"
    )


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
    """Returns a user that nobody is at the moment, and that no account has."""
    taken = trees.users_with_processes()
    free = [uid for uid in PRIVATE_USERS if uid not in taken]
    while free:
        uid = secrets.choice(free)
        if not _is_account(uid):
            return uid
        free.remove(uid)
    raise RuntimeError(
        f"all users from {PRIVATE_USERS[0]} to {PRIVATE_USERS[-1]} have accounts or processes here, so that a bot "
        "cannot be given one of its own. Run the tournament as an ordinary user."
    )


@cache
def _is_account(uid: int) -> bool:
    """Returns whether somebody has this user or group: an account, or one that was lent users for containers."""
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
    """Returns whether other users may not read all of what is a bot's own."""
    return any(closed_part(path) is not None for path in program.own)


def _shown(shared: Sequence[str], own: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns the paths that another user has to be shown, each with what is to be there.

    Those are copies, and what lies below closed folders, also where a link leads.
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
    """Returns why bots cannot be given a user of their own, and what to do, or None; only root can give them one."""
    if not is_root():
        return None
    if sys.platform != "linux":
        return "only Linux can do that. Run the tournament as an ordinary user."
    problem = _probed(tuple(_shown(_needed(), {})))
    return None if problem is None else _with_remedy(problem, below=_needed())


def own_user_problem(program: Program) -> str | None:
    """Returns why this bot cannot be given a user of its own at level process, and what to do, or None."""
    problem = private_user_problem()
    if problem is not None or not is_root():
        return problem
    closed = [part for part in map(closed_part, program.own) if part is not None]
    much = copy_problem(program.own) if closed else None
    if much is not None:
        return _with_remedy(f"{closed[0]} is closed to others, and what would be copied for it {much}", closed=closed)
    if not closed and not _shown(program.shared, dict(zip(program.own, program.own, strict=True))):
        return None
    # Whether anything can be shown in another place; all that has to be is shown in the same way.
    problem = _probed((*_shown(_needed(), {}), ("/tmp", "/usr")))
    return None if problem is None else _with_remedy(problem, below=[*program.shared, *program.own], closed=closed)


def _needed() -> list[str]:
    """Returns what every bot has to reach."""
    return [str(Path(tournament.__file__).resolve().parent), *_folders_of(sys.executable)]


def _with_remedy(problem: str, *, below: Iterable[str] = (), closed: Iterable[str] = ()) -> str:
    """Returns a problem with what to do: open what is closed to others, or be no root."""
    way = {above for path in below for one in (path, os.path.realpath(path)) for above in Path(one).parents}
    entered = sorted(str(one) for one in way if one.exists() and not one.stat().st_mode & 0o001)
    commands = [f"chmod o+x {shlex.join(entered)}"] if entered else []
    commands += [f"chmod -R go+rX {shlex.join(sorted(set(closed)))}"] if closed else []
    opened = f"`{' && '.join(commands)}` opens what is closed to others. Or run" if commands else "Run"
    return f"{problem}. {opened} the tournament as an ordinary user, such as with `runuser -u NAME -- tournament ...`."


@cache
def _probed(shown: tuple[tuple[str, str], ...]) -> str | None:
    """Returns why no program runs as another user who is shown some paths, or None."""
    return _tried(lambda command: (command, None), {"reveal": shown})


@cache
def sandbox_user_problem() -> str | None:
    """Returns why a program in a sandbox cannot be given a user of its own, or None; only root can give it one."""
    if not is_root():
        return None

    def in_sandbox(command: list[str]) -> tuple[list[str], int]:
        return sandbox_command(command, shared=_needed(), own={}, hidden=(), environment={}, file_mb=1, as_root=True)

    return _tried(in_sandbox, {})


def _tried(wrap: Callable[[list[str]], tuple[list[str], int | None]], settings: Mapping[str, Any]) -> str | None:
    """Returns why a Python that is started as bots are does not run as another user, or None."""
    reading, writing = os.pipe()
    whole = {"status": writing, "limits": {}, "uid": _free_user(), "parent": 0, "folder": "/", **settings}
    program = [sys.executable, "-I", "-S", "-c", "import json"]
    command, arguments = wrap([*_launcher(), json.dumps(whole), *program])
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
