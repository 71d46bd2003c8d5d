"""Starts the process of a bot: its command, environment, limits, user and scratch folder, by level of isolation."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Final

from tournament import pure
from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.players.linux import trees, users
from tournament.players.linux.child import Child, stop_all
from tournament.players.linux.files import copy_parts, is_root, make_scratch, remove_scratch, sweep_scratch
from tournament.players.linux.groups import WorkerGroups
from tournament.players.linux.launcher import fix_addresses, restore_addresses
from tournament.players.linux.sandbox import SCRATCH, SCRATCH_FILES, SHARED_MEMORY_BYTES, sandbox_command
from tournament.players.linux.seccomp import refused_calls, unfair_calls
from tournament.players.linux.supervision import GroupedTree, Tree
from tournament.players.loader import BOT_FOLDER
from tournament.players.preparation import is_shipped
from tournament.players.programs import Program, launcher_command, program_of, staying_command
from tournament.records.settings import Isolation, Limits

HEAD_ROOM: Final = 256
"""The kernel counts all processes of an ordinary user, not only the bot's, so that many more have to be allowed."""

MEGABYTE: Final = 1_048_576
MEMORY_MARGIN: Final = 1.2
KERNEL_BYTES: Final = 16 * MEGABYTE
"""What the kernel itself may need for a bot: page tables, pipes, names of files."""

ADDRESS_SPACE: Final = 4
"""How often its memory a bot may reserve: Node, Java and threads reserve far more than they use."""


class Spawner:
    """Starts bots for one worker. Each has a folder of its own, below one that is removed with the worker."""

    def __init__(self, *, hidden: Sequence[str] = (), stop_at_once: bool = True, same_addresses: bool = True) -> None:
        """Takes the folders that no bot in a sandbox may see, and whether bots are stopped right after each answer.

        `stop_at_once` may be False only where all players of a table are processes of this object. With
        `same_addresses` programs lie at the same addresses (`launcher.fix_addresses`): only among trusted bots.
        """
        self._hidden = tuple(map(os.path.realpath, hidden))
        self._loose: set[Child] | None = None if stop_at_once else set()
        self._same_addresses = same_addresses
        self._problems: dict[str, str | None] = {}
        sweep_scratch()
        self.folder, lock = make_scratch()
        self._groups = WorkerGroups()
        self._remove = weakref.finalize(self, remove_scratch, self.folder, lock)

    def start(self, source: BotSource, *, isolation: Isolation, limits: Limits) -> tuple[Child, str]:
        """Returns a new process and its folder.

        The caller waits with `Child.launched` until it runs, and removes the folder with `remove_tree`. Raises
        `BotError` for a bot that would have to run as root.
        """
        if self._loose is not None:
            stop_all(self._loose)  # starting one takes far longer than others may stay loose
        trees.protect_this_process()
        sandboxed = isolation is Isolation.SANDBOX
        program = program_of(source)
        uid = users.free_user() if self._has_own_user(source, program, sandboxed=sandboxed) else None
        place = tempfile.mkdtemp(dir=self.folder)
        scratch = os.path.join(place, "scratch")
        os.mkdir(scratch, 0o700)
        if uid is not None:
            os.chmod(place, 0o711)
            os.chown(scratch, uid, uid)
        copied = sandboxed or (uid is not None and users.is_closed(program))
        own = self._copied(program, place) if copied else {path: path for path in program.own}
        folders = program.folders if _may_stay(source, uid=uid, sandboxed=sandboxed) else None
        reading, writing = os.pipe()
        settings: dict[str, Any] = {
            "status": writing,
            "limits": _limits(limits, private=uid is not None or sandboxed),
            "uid": uid,
            "rootless": is_root() and uid is None,
            "reveal": [] if uid is None or sandboxed else users.shown_paths(program.shared, own),
            "own_group": sandboxed,
            "adopts": uid is None and not sandboxed,
            "filter": refused_calls() if sandboxed else "",
            "parent": 0 if sandboxed else os.getpid(),
            "writable": [] if sandboxed else [scratch, source.folder],
            "same_addresses": self._same_addresses and folders is None,
            "folder": SCRATCH if sandboxed else scratch,
            "unfair": unfair_calls(),
            "waits": True,
        }
        environment = environment_of(source, scratch=settings["folder"])
        arguments = None
        if folders is None:
            command = [*launcher_command(settings), *program.command]
        else:
            command, arguments = staying_command(settings, folders)
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
        with _addresses(fixed=self._same_addresses and folders is not None):
            child = Child(
                command,
                environment={} if sandboxed else environment,
                status=(reading, writing),
                arguments=arguments,
                first=program.first,
                limits=limits,
                uid=uid,
                sandboxed=sandboxed,
                tree=self._tree(limits, uid=uid, sandboxed=sandboxed),
                loose=self._loose,
            )
        return child, place

    def close(self) -> None:
        """Removes the folders of all bots, and their groups."""
        self._remove()
        self._groups.close()

    def _tree(self, limits: Limits, *, uid: int | None, sandboxed: bool) -> Tree:
        """Returns what watches a bot's processes: a control group where one can be made, else `/proc`."""
        most_bytes = int(limits.memory_mb * MEGABYTE * MEMORY_MARGIN)
        in_files = limits.file_mb * SCRATCH_FILES * MEGABYTE + SHARED_MEMORY_BYTES if sandboxed else 0
        group = self._groups.make(memory_bytes=most_bytes + in_files + KERNEL_BYTES, processes=limits.processes)
        if group is None:
            return Tree(most_bytes=most_bytes, uid=uid, sandboxed=sandboxed)
        # A bot that is pinned to one core, with all it starts, cannot use others' turns on another core.
        share = len(os.sched_getaffinity(0)) > 1
        return GroupedTree(group, most_bytes=most_bytes, uid=uid, sandboxed=sandboxed, share=share)

    def _has_own_user(self, source: BotSource, program: Program, *, sandboxed: bool) -> bool:
        """Returns whether a bot gets a user of its own. Raises `BotError` when it would have to run as root."""
        if not is_root():
            return False
        if sandboxed:
            return True
        if source.path not in self._problems:
            self._problems[source.path] = users.own_user_problem(program)
        problem = self._problems[source.path]
        if problem is None:
            return True
        if not is_shipped(source):
            raise BotError(users.as_root(source.spec, problem))
        return False

    def _copied(self, program: Program, place: str) -> dict[str, str]:
        copies = os.path.join(place, "copies")
        os.mkdir(copies, 0o700)
        own = {}
        for number, path in enumerate(program.own):
            own[path] = os.path.join(copies, str(number))
            copy_parts(path, own[path], hidden=self._hidden)
        return {path: copy for path, copy in own.items() if os.path.lexists(copy)}


def _may_stay(source: BotSource, *, uid: int | None, sandboxed: bool) -> bool:
    """Returns whether a launcher may go on as the host of a Python bot, in place of executing it.

    Not with variables of the bot's own, which could change how the launcher's Python starts, before it has given up
    any rights; not as root, whose rights end only with the next program; and not in a sandbox, for bots that are
    trusted least: there nothing of the launcher is left in the memory of the bot.
    """
    return sys.platform == "linux" and not (sandboxed or source.env or (is_root() and uid is None))


@contextlib.contextmanager
def _addresses(*, fixed: bool) -> Iterator[None]:
    """Makes programs that are started inside lie at the same addresses each time, where `fixed`."""
    if not fixed:
        yield
        return
    before = fix_addresses()
    try:
        yield
    finally:
        restore_addresses(before)


def environment_of(source: BotSource, *, scratch: str) -> dict[str, str]:
    """Returns the whole environment of a bot; of ours it inherits whether pure Python is chosen, and nothing else."""
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
        **({pure.VARIABLE: "1"} if pure.is_pure_chosen() else {}),
        **source.env,
    }


def _limits(limits: Limits, *, private: bool) -> dict[str, int]:
    memory = limits.memory_mb * 1_048_576
    values = {"RLIMIT_NOFILE": limits.open_files, "RLIMIT_FSIZE": limits.file_mb * 1_048_576, "RLIMIT_CORE": 0}
    if sys.platform == "linux":
        values["RLIMIT_DATA"] = memory
        values["RLIMIT_AS"] = ADDRESS_SPACE * memory
        values["RLIMIT_NPROC"] = limits.processes + (0 if private else HEAD_ROOM + _own_tasks())
    return values


def _own_tasks() -> int:
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
    return count
