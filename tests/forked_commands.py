"""Runs the command as a user does, in a process of its own; only what it imports is loaded once for all of them.

A server, which has imported the package, forks for each command. The child has its own folder, environment and
streams, calls the entry point, and ends as a program does. What starting itself is about needs a real start.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import NamedTuple, NoReturn

from refusing_systems import refuse_writing

MOST_SECONDS = 300
"""A command that takes longer hangs, and is ended."""


class Done(NamedTuple):
    """What a command returned and printed."""

    code: int
    out: str
    err: str


def run_command(
    *words: str | Path,
    folder: Path | None = None,
    piped: bytes = b"",
    together: bool = False,
    into: Path | None = None,
    encoding: str = "utf-8",
    refusal: str | None = None,
) -> Done:
    """Runs `tournament WORDS` in a folder, by default the current one, with the environment as it is now.

    `piped` comes through a pipe on standard input. `together`: errors stand in `out`, too, where they were printed.
    What is printed goes `into` a device, if one is given, and is not returned. `encoding` is that of its streams.
    `refusal` is how the system refuses to write into the folder, by `refuse_writing`.
    """
    server, channel = _server()
    with tempfile.TemporaryDirectory(prefix="tournament-command-") as place:
        out, err = Path(place, "out"), Path(place, "out" if together else "err")
        reading, writing = os.pipe()
        socket.send_fds(channel, [b"."], [reading])
        os.close(reading)
        writer = Thread(target=_write, args=(writing, piped))
        writer.start()
        request = {
            "words": list(map(str, words)),
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ),
            "streams": [str(into or out), str(err)],
            "encoding": encoding,
            "refusal": refusal,
        }
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        writer.join()
        printed = "" if into else out.read_text(encoding=encoding)
        return Done(code, printed, "" if together else err.read_text(encoding=encoding))


def _write(pipe: int, piped: bytes) -> None:
    with suppress(BrokenPipeError), open(pipe, "wb") as file:
        file.write(piped)


@cache
def _server() -> tuple[subprocess.Popen[str], socket.socket]:
    """Returns the server of this process, which ends with it, and the channel for the standard input of commands."""
    here, there = socket.socketpair()
    words = [sys.executable, __file__, str(there.fileno())]
    pipe = subprocess.PIPE
    server = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, pass_fds=[there.fileno()])
    there.close()
    atexit.register(_end, server, here)
    return server, here


def _end(server: subprocess.Popen[str], channel: socket.socket) -> None:
    server.communicate()
    channel.close()


def _wait_for_command() -> dict | None:
    """Returns a request in a child for it, and None in the server once there are no more."""
    requests, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    while line := requests.readline():
        child = os.fork()
        if child == 0:
            return json.loads(line)
        _, status = os.waitpid(child, 0)
        replies.write(f"{os.waitstatus_to_exitcode(status)}\n")
        replies.flush()
    return None


def _take_place(request: dict, channel: socket.socket) -> None:
    """Gives this process the folder, the environment, the arguments and the streams of a command."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    _, files, _, _ = socket.recv_fds(channel, 1, 1)
    channel.close()
    files += [os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for path in request["streams"]]
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding=request["encoding"], closefd=False)  # noqa: SIM115 (open to the end)
    sys.stdout = open(1, "w", encoding=request["encoding"], closefd=False)  # noqa: SIM115
    sys.stderr = open(  # noqa: SIM115
        2, "w", encoding=request["encoding"], errors="backslashreplace", buffering=1, closefd=False
    )
    if request["refusal"] is not None:
        refuse_writing(request["refusal"], Path(request["folder"]))
    signal.alarm(MOST_SECONDS)
    sys.argv = ["tournament", *request["words"]]


def _end_as(code: int) -> NoReturn:
    """Ends this process as Python does, but for taking down what the server has loaded."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _import_what_commands_import_late() -> None:
    """Imports the modules that commands import only when they need them: else each child would do so anew.

    Their templates are compiled, too: that takes as long as to fill in those of many reports.
    """
    for package in ("auditing", "cli", "games", "report"):
        for found in pkgutil.iter_modules(import_module(f"tournament.{package}").__path__, f"tournament.{package}."):
            with suppress(ModuleNotFoundError):  # those of an extra that is not installed here
                import_module(found.name)
    for name in game_names():
        parts_of(name)
    for name in ("jsonschema", "jsonschema_rs", "threadpoolctl", "yaml", "rich.progress", "typer.rich_utils"):
        import_module(name)
    for name in ("tournament.run.following", "tournament.viewer.page", "tournament.viewer.text"):
        import_module(name)
    for name in ("index.html.j2", "games.html.j2", "bot.html.j2", "macros.html.j2", "switch.html.j2"):
        pages._environment().get_template(name)
    for name in ("replay.html.j2", "page.html.j2"):
        documents._environment("tournament.viewer").get_template(name)


if __name__ == "__main__":
    from typer.testing import CliRunner

    import tournament
    from tournament.cli import main
    from tournament.cli.app import app
    from tournament.games import game_names, parts_of
    from tournament.report import pages
    from tournament.viewer import documents

    assert all(getattr(tournament, name) for name in tournament.__all__)  # imported now
    assert CliRunner().invoke(app, ["run", "no such file"]).exception is not None
    _import_what_commands_import_late()
    with suppress(ModuleNotFoundError):  # what needs no settings of Django, which each command makes for its arena
        import django.contrib.auth.hashers
        import django.core.management
        import django.db.models
        import django.forms
        import django.urls  # noqa: F401
    gc.freeze()
    asked = _wait_for_command()
    if asked is not None:
        _take_place(asked, socket.socket(fileno=int(sys.argv[1])))
        try:
            main.run()
        except SystemExit as end:
            _end_as(end.code or 0)
        except BaseException:
            traceback.print_exc()
            _end_as(1)
        _end_as(0)
