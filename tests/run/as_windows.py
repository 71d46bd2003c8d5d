"""The command, on a system that looks like Windows as far as one can be made here; the tests run it as a program.

It has another name of the system, none of the modules, functions and signals that Windows lacks, and no `/proc`. Files
that are open cannot be moved or deleted, none can be named like a device, and only what may be written to is written
through to the disk. Processes that it starts look so, too: they import this file. They are started and killed as on
this system, after `spawn`, and talk through its pipes.
"""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import os
import pathlib
import signal
import sys
import sysconfig
import types
from concurrent.futures import process
from multiprocessing import popen_fork, popen_spawn_posix, queues, resource_tracker, spawn, synchronize, util

import numpy as np
import psutil
import rich.console
import threadpoolctl
import typer

USED = (asyncio, np, popen_spawn_posix, process, psutil, resource_tracker, rich.console, spawn, typer)
"""What asks for the system as it is imported."""

STARTERS = (popen_fork, popen_spawn_posix, process, queues, resource_tracker, spawn, synchronize, util)
"""What starts processes and lets them talk: Windows has its own, which cannot be had here."""

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
FUNCTIONS = (
    *("chown", "fchmod", "fchown", "fdatasync", "fork", "getegid", "geteuid", "getgid", "getloadavg", "getpgid"),
    *("getpriority", "getuid", "initgroups", "killpg", "lchown", "memfd_create", "mkfifo", "nice", "pidfd_open"),
    *("posix_fadvise", "posix_fallocate", "pread", "pwrite", "sched_getaffinity", "sched_setaffinity", "setgid"),
    *("setgroups", "setpgid", "setpriority", "setsid", "setuid", "statvfs", "sync", "sysconf", "waitid"),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"),
)
SIGNALS = (
    *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGUSR1"),
    *("SIGUSR2", "SIGWINCH", "SIG_BLOCK", "SIG_SETMASK", "SIG_UNBLOCK", "alarm", "pthread_kill", "pthread_sigmask"),
    *("setitimer", "siginterrupt", "sigtimedwait", "sigwait"),
)
DEVICES = {"aux", "con", "nul", "prn", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
HERE = os.getcwd()


def is_refused(name):
    """Returns whether Windows takes no file of that name."""
    stem = name.partition(".")[0].rstrip().lower()
    return stem in DEVICES or name.endswith((".", " ")) or any(char in '<>:"|?*' or char < " " for char in name)


def is_open(path):
    """Returns whether this process has a file open."""
    wanted = os.path.realpath(path)
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{descriptor}") == wanted:
                return True
        except FileNotFoundError:
            continue
    return False


def watch(event, arguments):
    """Refuses what Windows refuses."""
    paths = [os.path.abspath(os.fsdecode(path)) for path in arguments[:2] if isinstance(path, str | bytes)]
    if event in ("open", "os.mkdir") and paths:
        if paths[0].startswith("/proc/") and not paths[0].endswith("/maps"):  # threadpoolctl reads its maps
            raise FileNotFoundError(2, "there is no /proc", paths[0])
        if paths[0].startswith(f"{HERE}/") and any(map(is_refused, os.path.relpath(paths[0], HERE).split("/"))):
            raise OSError(22, "Invalid argument", paths[0])
    elif event in ("os.remove", "os.rename"):
        for path in paths:
            if is_open(path):
                raise PermissionError(13, "it is used by another process", path)


def write_through(file, through=os.fsync, flags=fcntl.fcntl):
    """Writes a file through to the disk, if it may be written to."""
    descriptor = file if isinstance(file, int) else file.fileno()
    if flags(descriptor, 3) & 3 == 0:  # F_GETFL, O_ACCMODE
        raise OSError(9, "Bad file descriptor")
    through(descriptor)


sysconfig.get_config_vars()
real_os, real_signal, real_sys = (types.SimpleNamespace(**vars(module)) for module in (os, signal, sys))
ctypes._os, threadpoolctl.sys = real_os, real_sys  # these two load libraries of this system
for module in STARTERS:
    for name, real in (("os", real_os), ("signal", real_signal), ("sys", real_sys)):
        if hasattr(module, name):
            setattr(module, name, real)
pathlib.WindowsPath = pathlib.PosixPath
sys.platform, os.name = "win32", "nt"
sys.modules.update(dict.fromkeys(MODULES))
for module, names in ((os, FUNCTIONS), (signal, SIGNALS)):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
os.fsync = write_through
sys.addaudithook(watch)

if __name__ == "__main__":
    from tournament.cli.main import run

    sys.argv[0] = "tournament"
    run()
