"""The commands of `tournament arena` as tests give them: each in a process, for Django is set up once in one."""

from __future__ import annotations

import socket
import subprocess
import sys

from forked_commands import run_command

PROGRAM = (sys.executable, "-m", "tournament", "arena")
"""For what goes on until it is ended."""


def arena_command(*words) -> subprocess.CompletedProcess[str]:
    """Runs a command of `tournament arena` to its end."""
    done = run_command("arena", *words)
    return subprocess.CompletedProcess(words, done.code, done.out, done.err)


def free_port() -> int:
    """Returns a port of loopback that nobody uses now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
