"""Control groups: where they can be made, the kernel counts, limits, freezes and ends all processes of a bot.

A worker has a group in each hierarchy that it may use, below the group that it is in itself, and in it one for each
bot. Version 2 has everything in one hierarchy. Where version 1 has its controllers, or they are not delegated to us,
version 2 still freezes, counts time and ends processes, and version 1 sets the limits. Root has both on any Linux;
other users are given a group by systemd (`systemd-run --user --scope -p Delegate=yes tournament ...`) or by whoever
runs the machine.

The names of our groups tell which process made them. When a worker begins, it removes the groups of workers that
were killed, with all that still runs in them. No other group is touched.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import weakref
from collections.abc import Iterable, Mapping
from itertools import count
from time import monotonic, sleep
from typing import Final

from tournament.players.linux import group_places
from tournament.players.linux.group_places import (
    OURS,
    Place,
    Role,
    birth_of,
    controllers_of,
    name_group,
    namespace,
    words_of,
    write,
    write_if_there,
)

HELD_MEMORY: Final = re.compile(rb"^(?:anon|rss|shmem) ([0-9]+)$", re.MULTILINE)
"""In `memory.stat` of either version: memory that the kernel cannot reclaim, as it can that of files on a disk."""

PERIOD_US: Final = 100_000
MUCH_TIME: Final = (("cpu.max", "max"), ("cpu.weight", "10000"), ("cpu.cfs_quota_us", "-1"), ("cpu.shares", "262144"))
"""No limit and the largest share, in version 2 and in version 1."""

END_SECONDS: Final = 5.0
READ_BYTES: Final = 65_536

_numbers = count()


class WorkerGroups:
    """The groups of one worker: its own, and in that one for each of its bots."""

    def __init__(self) -> None:
        sweep_groups()
        name = name_group(next(_numbers))
        self._places: dict[Place, str] = {}
        self._made = count()
        for place in group_places.find_places():
            folder = os.path.join(place.folder, name)
            with contextlib.suppress(OSError):
                os.mkdir(folder)
                self._places[place] = folder
                if place.unified and (wanted := controllers_of(folder, "controllers")):
                    write(f"{folder}/cgroup.subtree_control", " ".join(f"+{one}" for one in wanted))
        self._remove = weakref.finalize(self, _remove_groups, tuple(self._places.values()))

    def make(self, *, memory_bytes: int, processes: int) -> BotGroup | None:
        """Returns a new group for a bot, with its limits set; None where groups cannot be made."""
        number = next(self._made)
        folders: dict[Role, str] = {}
        try:
            for place, above in self._places.items():
                folder = os.path.join(above, str(number))
                os.mkdir(folder)
                folders |= dict.fromkeys(place.roles, folder)
            if Role.TREE not in folders:
                return None
            group = BotGroup(folders)
            group.limit(memory_bytes=memory_bytes, processes=processes)
        except OSError:  # somebody else changed it; without a group the bot is watched process by process
            for folder in set(folders.values()):
                _remove_group(folder)
            return None
        return group

    def close(self) -> None:
        """Removes the groups of the worker, and ends what still runs in them."""
        self._remove()


class BotGroup:
    """The groups of one bot, by what they do: one in version 2, one in each hierarchy of version 1."""

    def __init__(self, folders: Mapping[Role, str]) -> None:
        self._folders = folders
        self._tree = folders[Role.TREE]
        self._unified = os.path.exists(f"{self._tree}/cgroup.events")
        self._shares = False
        self._files: dict[str, int] = {}

    def limit(self, *, memory_bytes: int, processes: int) -> None:
        """Limits the memory of all processes together, and their number, where a controller for that is there."""
        memory = self._folders.get(Role.MEMORY)
        if memory is not None:
            if os.path.exists(f"{memory}/memory.max"):
                write(f"{memory}/memory.max", str(memory_bytes))
                write_if_there(f"{memory}/memory.swap.max", "0")
            else:
                write(f"{memory}/memory.limit_in_bytes", str(memory_bytes))
                write_if_there(f"{memory}/memory.memsw.limit_in_bytes", str(memory_bytes))
        if Role.PROCESSES in self._folders:
            write(f"{self._folders[Role.PROCESSES]}/pids.max", str(processes))
        share = self._folders.get(Role.SHARE)
        if share is not None:
            if os.path.exists(f"{share}/cpu.max"):
                write(f"{share}/cpu.max", f"{PERIOD_US} {PERIOD_US}")
            else:
                write_if_there(f"{share}/cpu.cfs_quota_us", str(PERIOD_US))

    def add(self, pid: int, *, share: bool) -> None:
        """Moves a process, and all it will start, into the group. Raises `OSError`. Cost: milliseconds a hierarchy.

        A process that one hierarchy refuses (a real-time one, say) is put back where this worker is in the others.
        `share` says whether to limit it to the share of one process at once; see `take_share`.
        """
        own = {role: folder for role, folder in self._folders.items() if share or role is not Role.SHARE}
        joined: list[str] = []
        for folder in dict.fromkeys(own.values()):
            try:
                write(f"{folder}/cgroup.procs", str(pid))
            except OSError:
                for one in joined:  # what is still in them when they are removed is ended
                    _join(os.path.dirname(os.path.dirname(one)), pid)
                raise
            joined.append(folder)
        self._shares = share or self._folders.get(Role.SHARE) in own.values()

    def take_share(self) -> None:
        """Limits all processes together to the processor share of one from now on."""
        folder = self._folders.get(Role.SHARE)
        if self._shares or folder is None:
            return
        self._shares = True
        moved: set[int] = set()
        while new := set(self.processes()) - moved:  # they may start others while they are moved
            for pid in new:
                _join(folder, pid)
            moved |= new

    @property
    def counts_memory(self) -> bool:
        """Whether all memory is counted and limited, also that which belongs to no process."""
        return Role.MEMORY in self._folders

    @property
    def counts_time(self) -> bool:
        """Whether processor time is counted, that of ended processes included."""
        return Role.TIME in self._folders

    def processes(self) -> list[int]:
        """Returns the processes in the group. Cost: a microsecond."""
        return [int(pid) for pid in self._read(f"{self._tree}/cgroup.procs").split()]

    def has_several(self) -> bool:
        """Returns whether the group has more than one process. Cost: a microsecond."""
        folder = self._folders.get(Role.PROCESSES)
        if folder is not None and int(self._read(f"{folder}/pids.current") or 0) <= 1:
            return False  # not even threads
        return len(self.processes()) > 1

    def cpu_ns(self) -> int:
        """Returns the processor time of all processes together. Cost: a microsecond."""
        folder = self._folders[Role.TIME]
        if self._unified and folder == self._tree:
            return int(self._read(f"{folder}/cpu.stat").split(maxsplit=2)[1]) * 1000
        return int(self._read(f"{folder}/cpuacct.usage"))

    def memory_bytes(self) -> int:
        """Returns the bytes that all hold, files in memory included, without what the kernel can reclaim."""
        stat = self._read(f"{self._folders[Role.MEMORY]}/memory.stat")
        return sum(map(int, HELD_MEMORY.findall(stat)))

    def ran_out_of_memory(self) -> bool:
        """Returns whether the kernel ended a process because all together held more memory than they may."""
        folder = self._folders.get(Role.MEMORY)
        if folder is None:
            return False
        events = self._read(f"{folder}/memory.events") or self._read(f"{folder}/memory.oom_control")
        return re.search(rb"^oom_kill [1-9]", events, re.MULTILINE) is not None

    def freeze(self) -> None:
        """Stops all processes within a moment, until `thaw`."""
        _set_frozen(self._tree, frozen=True)

    def thaw(self) -> None:
        """Undoes `freeze`."""
        _set_frozen(self._tree, frozen=False)

    def end(self) -> None:
        """Ends all processes at once, even while they start others."""
        share = self._folders.get(Role.SHARE)
        if share is not None:  # ending takes processor time, too, so the limits go first
            for file, text in MUCH_TIME:
                write_if_there(f"{share}/{file}", text)
        _end_processes(self._tree)

    def remove(self) -> None:
        """Removes the groups, and ends whatever is in them."""
        for descriptor in self._files.values():
            os.close(descriptor)
        self._files.clear()
        for folder in dict.fromkeys((self._tree, *self._folders.values())):
            _remove_group(folder)

    def _read(self, path: str) -> bytes:
        """Returns what is in one of our files. They stay open, because opening one is most of the cost."""
        try:
            if path not in self._files:
                self._files[path] = os.open(path, os.O_RDONLY)
            return os.pread(self._files[path], READ_BYTES, 0)
        except OSError:
            return b""


def _join(folder: str, pid: int) -> None:
    """Moves a process into a group, if that lets it."""
    with contextlib.suppress(OSError):
        write(f"{folder}/cgroup.procs", str(pid))


def sweep_groups() -> None:
    """Removes the groups of workers that are gone, and ends what still runs in them."""
    for place in group_places.find_places():
        for name in _folders_in(place.folder):
            if _is_abandoned(os.path.join(place.folder, name)):
                _remove_groups((os.path.join(place.folder, name),))


def _is_abandoned(folder: str) -> bool:
    """Returns whether a group belongs to a process that is gone, of this user and of this namespace of processes."""
    known = OURS.fullmatch(os.path.basename(folder))
    if known is None or int(known["space"]) != namespace():
        return False
    with contextlib.suppress(OSError):
        if os.stat(folder).st_uid == os.geteuid() and birth_of(int(known["pid"])) != int(known["begun"]):
            # The group of a process that is gone may have other processes, which were moved into it: they live on.
            return known["number"] != "own" or not words_of(f"{folder}/cgroup.procs")
    return False


def _remove_groups(folders: Iterable[str]) -> None:
    for folder in folders:
        for name in _folders_in(folder):
            _remove_group(os.path.join(folder, name))
        _remove_group(folder)


def _remove_group(folder: str) -> None:
    """Removes a group that has no group in it; if that takes too long, the next worker will sweep it."""
    deadline = monotonic() + END_SECONDS
    while os.path.isdir(folder) and monotonic() < deadline:
        try:
            os.rmdir(folder)
        except OSError:
            with contextlib.suppress(OSError):
                _end_processes(folder)
            sleep(0.001)


def _end_processes(folder: str) -> None:
    """Ends all processes of a group. Raises `OSError` when one is still there after five seconds."""
    if os.path.exists(f"{folder}/cgroup.kill"):
        write(f"{folder}/cgroup.kill", "1")
        return
    deadline = monotonic() + END_SECONDS
    while pids := [int(word) for word in words_of(f"{folder}/cgroup.procs")]:
        _set_frozen(folder, frozen=True)  # or they might start others as fast as these are ended
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _set_frozen(folder, frozen=False)
        if monotonic() > deadline:
            raise OSError(f"processes in {folder} cannot be ended: {pids}")
        sleep(0.001)


def _set_frozen(folder: str, *, frozen: bool) -> None:
    if os.path.exists(f"{folder}/cgroup.freeze"):
        write(f"{folder}/cgroup.freeze", str(int(frozen)))
    else:
        write_if_there(f"{folder}/freezer.state", "FROZEN" if frozen else "THAWED")


def _folders_in(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
