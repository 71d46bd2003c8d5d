"""Where control groups can be made on this machine, and what they would do there."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

OURS: Final = re.compile(r"tournament-(?P<space>[0-9]+)-(?P<pid>[0-9]+)-(?P<begun>[0-9]+)-(?P<number>[0-9]+|own)")
"""The name of a group: the process that made it, by namespace, number and time of birth, and which of its groups.

`own` is the group that this process itself is in.
"""

WANTED: Final = ("cpu", "memory", "pids")
"""What version 2 needs controllers for; the other roles it fills without one."""


class Role(StrEnum):
    """What a group does for a bot, by the name of its controller in version 1."""

    TREE = "freezer"
    """Lists the processes, freezes them and ends them."""

    TIME = "cpuacct"
    MEMORY = "memory"
    PROCESSES = "pids"
    SHARE = "cpu"
    """Limits the tree to the share of one process, and to one core. It costs a microsecond a decision."""


DOES: Final = {
    Role.TREE: "freeze and end",
    Role.TIME: "count time",
    Role.MEMORY: "limit memory",
    Role.PROCESSES: "limit processes",
    Role.SHARE: "limit the processor",
}


class Place(NamedTuple):
    """Where this process may make groups."""

    folder: str
    roles: frozenset[Role]
    unified: bool
    """Whether it is version 2."""


@cache
def find_places() -> tuple[Place, ...]:
    """Returns the places for groups on this machine, each role in one of them; none where groups cannot be made.

    When this process is alone in a group of version 2 that has controllers, it moves into a new group below: a group
    that passes controllers on may have no processes of its own.
    """
    if sys.platform != "linux":
        return ()
    places: list[Place] = []
    taken: frozenset[Role] = frozenset()
    for kind, mounted, own in sorted(_hierarchies(), key=lambda one: one[0] is not None):  # version 2 comes first
        roles = frozenset(role for role in Role if role in (kind or ()))
        place = _unified_place(mounted, own) if kind is None else Place(own, roles, unified=False)
        if place is not None and place.roles - taken and _may_make(place.folder):
            places.append(place._replace(roles=place.roles - taken))
            taken |= place.roles
    return tuple(places) if Role.TREE in taken else ()


def describe_groups() -> str:
    """Returns what control groups do for bots on this machine, for people."""
    places = find_places()
    if not places:
        return (
            "Control groups: none here, so the runner looks for the processes of a bot itself. You have some as root, "
            "and with `systemd-run --user --scope -p Delegate=yes tournament ...`."
        )
    parts = (f"{', '.join(sorted(DOES[role] for role in place.roles))} ({place.folder})" for place in places)
    return f"Control groups: {'; '.join(parts)}."


def does(role: Role) -> bool:
    """Returns whether groups on this machine fill a role."""
    return any(role in place.roles for place in find_places())


def _hierarchies() -> Iterator[tuple[frozenset[str] | None, str, str]]:
    """Yields each hierarchy: its controllers (None for version 2), where it is mounted, and the group we are in."""
    paths: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            paths |= dict.fromkeys(controllers.split(","), path)
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            root, mounted = before.split()[3:5]
            kind, _, options = after.split(" ", 2)
            if kind not in ("cgroup", "cgroup2"):
                continue
            names = frozenset(options.split(",")) if kind == "cgroup" else None
            own = next((path for name, path in paths.items() if name in (names or {""})), "")
            if own == root or own.startswith(root.rstrip("/") + "/"):
                yield names, mounted, os.path.join(mounted, os.path.relpath(own, root)).removesuffix("/.")


def _unified_place(mounted: str, own: str) -> Place:
    """Returns where groups of version 2 can be made: where they have the most controllers."""
    if OURS.fullmatch(os.path.basename(own)):  # our parent process has moved us there
        own = os.path.dirname(own)
    elif not controllers_of(own, "subtree_control") and words_of(f"{own}/cgroup.procs") == [str(os.getpid())]:
        _move_down(own)
    # The root of all groups may have processes beside groups with controllers; only root may write there.
    folder = max((own, mounted), key=lambda one: len(controllers_of(one, "subtree_control")) if _may_make(one) else -1)
    roles = {Role.TREE, Role.TIME, *map(Role, controllers_of(folder, "subtree_control"))}
    return Place(folder, frozenset(roles), unified=True)


def _move_down(own: str) -> None:
    """Moves this process, the only one of its group, into a new group below, and passes the controllers on."""
    wanted = controllers_of(own, "controllers")
    below = os.path.join(own, name_group("own"))
    if not wanted or not _may_make(own):
        return
    with contextlib.suppress(OSError):
        os.mkdir(below)
        write(f"{below}/cgroup.procs", str(os.getpid()))
        write(f"{own}/cgroup.subtree_control", " ".join(f"+{name}" for name in wanted))


def controllers_of(folder: str, file: str) -> list[str]:
    """Returns which of the controllers we want a file of version 2 names."""
    return [name for name in words_of(f"{folder}/cgroup.{file}") if name in WANTED]


def words_of(path: str) -> list[str]:
    """Returns the words of a file; none when it cannot be read."""
    try:
        return Path(path).read_text().split()
    except OSError:
        return []


def _may_make(folder: str) -> bool:
    return os.access(folder, os.W_OK) and os.access(f"{folder}/cgroup.procs", os.W_OK)


def name_group(number: int | str) -> str:
    """Returns the name of a group of this process."""
    return f"tournament-{namespace()}-{os.getpid()}-{birth_of(os.getpid())}-{number}"


def namespace() -> int:
    """Returns the number of the namespace of processes that this process is in; 0 on a system without `/proc`."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def birth_of(pid: int) -> int | None:
    """Returns when a process began, in ticks since the machine was started; None when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[22 - 3])
    except OSError:
        return None


def write(path: str, text: str) -> None:
    """Writes a text to a file of a group, with one call. Raises `OSError`."""
    descriptor = os.open(path, os.O_WRONLY)  # it is never made: it is there, or it cannot be
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def write_if_there(path: str, text: str) -> None:
    """Writes a text to a file of a group, if there is such a file."""
    with contextlib.suppress(FileNotFoundError):
        write(path, text)
