"""Becomes a bot's program: sets its limits, gives up all rights, and executes it.

It runs alone in a process (`programs.LAUNCHER`), with SETTINGS PROGRAM ARGUMENT... as arguments, so it uses nothing but
the standard library, and little of it: bots wait for it. A `preexec_fn` in its place would copy the whole of a large
runner at each start. Where the program is a Python bot for the Python that runs this, nothing is executed: one start of
Python is enough, and the bot's host goes on in this process (`become`, called by `programs.STAYING_LAUNCHER`).

SETTINGS is a dictionary in the form of `marshal`, as hex (`programs.launcher_command` writes it). A command line can be
read by others for as long as it stands; so where this process goes on, the dictionary comes in a file that has no name:

    status    a descriptor: `set` is written to it when everything is set, then a sentence if the
              program cannot be executed; it closes when the program begins
    limits    names of `resource`, each with its value
    uid       the user to become; for root only
    rootless  whether to stay root, but without root's rights
    reveal    paths that this user must reach, even below closed folders, each with its source: itself or a copy
    parent    the process with which this one is to end
    filter    the program that refuses system calls, as hex; left out or empty: none
    unfair    a second such program, for what is refused outside of sandboxes, too
    writable  folders below shared ones to which files may be added all the same; left out or empty: any folder
    adopts    whether to adopt what its own programs leave behind, so that it stays among its descendants
    own_group whether to lead a process group, so that it can be stopped without the processes before it
    same_addresses  whether programs are to lie at the same addresses in memory each time
    folder    where the program starts
    stays     whether this process goes on as the program, which then can look at itself in `/proc`
    waits     whether to read one byte of stdin before the program is executed: until then nothing of a bot runs
"""

from __future__ import annotations

import ctypes
import marshal
import os
import stat
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
SECBIT_NOROOT, SECBIT_NOROOT_LOCKED = 1, 2
CLONE_NEWNS = 0x00020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
SIGKILL = 9
CANNOT_EXECUTE = 126
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446
LANDLOCK_VERSION, LANDLOCK_BENEATH = 1, 1
LANDLOCK_RENAMES, LANDLOCK_SIGNALS = 2, 6
"""The versions of Landlock from which renaming can be allowed, and signals to others refused."""

LANDLOCK_PLACES = 0x3FF0
"""To add, remove and move files and folders."""

LANDLOCK_OTHERS = 3
"""To connect to abstract sockets of others, and to signal them."""

SHARED_PLACES = ("/tmp", "/var/tmp", "/run/lock")
"""Folders to which any program may add files, and which nobody clears."""

ADDR_NO_RANDOMIZE = 0x0040000
ASK_PERSONALITY = 0xFFFFFFFF


def main() -> None:
    """Sets what the settings say and executes the program."""
    settings = marshal.loads(bytes.fromhex(sys.argv[1]))
    program = sys.argv[2:]
    status = settings["status"]
    os.set_inheritable(status, False)
    _prepare(settings)
    try:
        os.execvp(program[0], program)
    except OSError as error:
        os.write(status, (error.strerror or "error").encode())
        sys.exit(CANNOT_EXECUTE)


def become(descriptor: int) -> None:
    """Sets what the settings in an open file say, closes it, and leaves nothing of this module where a bot finds it.

    What follows in this process is the program: that it begins shows in the status, which closes.
    """
    with open(descriptor, "rb") as file:
        settings = marshal.load(file)
    _prepare(settings)
    del sys.modules[__name__]
    os.close(settings["status"])


def _prepare(settings: dict[str, Any]) -> None:
    status = settings["status"]
    try:
        _set(settings)
    except (OSError, ValueError) as error:
        os.write(status, f"{type(error).__name__}: {error}".encode())
        sys.exit(CANNOT_EXECUTE)
    os.write(status, b"set\n")
    if settings.get("waits") and not os.read(0, 1):
        sys.exit(CANNOT_EXECUTE)  # the process that started this one is gone


def _set(settings: dict[str, Any]) -> None:
    import resource  # not on Windows, where this file is imported but never run

    uid = settings.get("uid")
    if settings.get("reveal"):
        _reveal(settings["reveal"])
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    elif settings.get("rootless"):
        _prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED)
    for name, value in settings["limits"].items():
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (allowed, allowed))
    if sys.platform == "linux":
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        if settings.get("stays"):  # a change of user took away what a program has that was executed
            _prctl(PR_SET_DUMPABLE, 1)
        if settings.get("adopts"):
            _prctl(PR_SET_CHILD_SUBREAPER, 1)
        if settings.get("same_addresses"):
            fix_addresses()
        if settings.get("parent"):
            _prctl(PR_SET_PDEATHSIG, SIGKILL)  # a change of user clears it, so it comes last
            if os.getppid() != settings["parent"]:  # it ended before we asked to end with it
                sys.exit(CANNOT_EXECUTE)
    if settings.get("own_group"):
        os.setpgid(0, 0)
    if settings.get("writable"):
        _confine(settings["writable"])
    os.umask(0o077)
    os.chdir(settings["folder"])
    for name in ("unfair", "filter"):
        if settings.get(name):
            _filter(bytes.fromhex(settings[name]))


def fix_addresses() -> int:
    """Makes programs that this thread starts from now on lie at the same addresses, where the kernel allows it.

    Processes that take turns on one core then find the code of shared libraries in its caches and predictors, at the
    addresses where they look for it. Returns what `restore_addresses` takes.
    """
    libc = ctypes.CDLL(None)
    before = int(libc.personality(ASK_PERSONALITY))
    libc.personality(before | ADDR_NO_RANDOMIZE)
    return before


def restore_addresses(before: int) -> None:
    """Undoes `fix_addresses` for programs that this thread starts from now on."""
    ctypes.CDLL(None).personality(before)


def _reveal(paths: list[tuple[str, str]]) -> None:
    """Makes paths below closed folders reachable, and nothing else in them, in a private view of the file system.

    An empty folder is mounted over each closed folder, and in it only these paths are made again. Where the source of a
    path is not itself, the source is mounted over it.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    os.umask(0o022)
    _check(libc.unshare(CLONE_NEWNS), "unshare")
    _mount(libc, "/", MS_REC | MS_PRIVATE)
    # All are opened before any folder is covered: what lies below a covered folder has no path any more.
    held = {path: (source != path, os.open(source, os.O_PATH)) for path, source in sorted(map(tuple, paths))}
    for path, (is_copy, descriptor) in held.items():
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        top = closed_above(path)
        if top is not None:
            _mount(libc, top, MS_NOSUID | MS_NODEV, source="tmpfs", kind="tmpfs", data="mode=0755,size=64k")
        is_there = os.path.lexists(path)  # then it came with a path above it, which was made earlier
        if not is_there:
            os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
            if not is_folder:
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        if is_copy or not is_there:
            _mount(libc, path, MS_BIND, source=f"/proc/self/fd/{descriptor}")
            _mount(libc, path, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
        os.close(descriptor)


def closed_above(path: str) -> str | None:
    """Returns the first folder above an absolute path that others may not enter, or None.

    The search ends where a folder does not exist, as in one that `_reveal` has covered.
    """
    parts = path.strip("/").split("/")
    for count in range(1, len(parts)):
        folder = "/" + "/".join(parts[:count])
        try:
            mode = os.stat(folder).st_mode
        except FileNotFoundError:
            return None
        if not mode & 0o001:
            return folder
    return None


def landlock_version() -> int:
    """Returns the version of Landlock, with which a program gives up rights of its user; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(LANDLOCK_CREATE, None, ctypes.c_size_t(0), LANDLOCK_VERSION)))


def _confine(writable: list[str]) -> None:
    """Cuts this program off from other processes of its user, where the kernel can do that (Landlock).

    It can neither look into them nor signal them, and can add files to shared folders only where they are `writable`.
    """
    version = landlock_version()
    if version < LANDLOCK_RENAMES:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    rules = struct.pack("QQQ", LANDLOCK_PLACES, 0, LANDLOCK_OTHERS if version >= LANDLOCK_SIGNALS else 0)
    size = 24 if version >= LANDLOCK_SIGNALS else 8
    ruleset = libc.syscall(LANDLOCK_CREATE, rules, ctypes.c_size_t(size), 0)
    _check(min(ruleset, 0), "landlock")
    for folder in (*_around("/", [os.path.realpath(place) for place in SHARED_PLACES]), *writable):
        try:
            place = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        except OSError:  # then the program cannot open it either
            continue
        rule = struct.pack("=Qi", LANDLOCK_PLACES, place)
        _check(libc.syscall(LANDLOCK_ADD, ruleset, LANDLOCK_BENEATH, rule, 0), f"landlock {folder}")
        os.close(place)
    _check(libc.syscall(LANDLOCK_RESTRICT, ruleset, 0), "landlock")
    os.close(ruleset)


def _around(folder: str, places: list[str]) -> list[str]:
    """Returns folders that together hold everything below a folder but some places."""
    found: list[str] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    for path in (os.path.join(folder, name) for name in names):
        if os.path.islink(path) or path in places or not os.path.isdir(path):
            continue
        if any(place.startswith(path + "/") for place in places):
            found += _around(path, places)
        else:
            found.append(path)
    return found


def _mount(libc: Any, target: str, flags: int, *, source: str | None = None, kind: str = "", data: str = "") -> None:
    words = [None if word is None else word.encode() for word in (source, target, kind, data)]
    _check(libc.mount(words[0], words[1], words[2], ctypes.c_ulong(flags), words[3]), f"mount {target}")


def _filter(program: bytes) -> None:
    """Makes the kernel run a program, eight bytes an instruction, before each system call from now on."""
    code = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("HP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, whole, 0, 0), "seccomp")


def _prctl(option: int, value: int) -> None:
    _check(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0), f"prctl {option}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
