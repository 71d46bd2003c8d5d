"""Runs as `tournament serve` shows them: a server in a thread of the test's own process, and clients without one."""

from __future__ import annotations

import shutil
import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from needs import need_module

from tournament.records.run import RunState
from tournament.store.folder import read_run


@contextmanager
def served(app, **options) -> Iterator[str]:
    """Gives the address of an application that answers until the end of the block.

    One of Starlette is told then, by `state.is_ending`, so that its streams end, too.
    """
    uvicorn = need_module("uvicorn", extra="serve")
    listener = socket.create_server(("127.0.0.1", 0))
    serving = uvicorn.Server(uvicorn.Config(app, log_level="error", **options))
    if hasattr(app, "state"):
        app.state.is_ending = lambda: serving.should_exit
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        serving.should_exit = True
        thread.join(timeout=10)
        listener.close()
    assert not thread.is_alive()


@contextmanager
def served_runs(folder: Path) -> Iterator[str]:
    """Gives the address, which ends in `/`, of a server of the runs in a folder."""
    need_module("starlette", extra="serve")
    from tournament.report.server import make_app

    with served(make_app(folder)) as address:
        yield f"{address}/"


def client_of(folder: Path, **words):
    """Returns a browser on this machine, for the runs in a folder."""
    from tournament.report.server import make_app

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Starlette's client warns of the client it is built on
        from starlette.testclient import TestClient
    return TestClient(make_app(folder, **words), base_url="http://127.0.0.1:8000")


def make_going(run: Path, going: Path) -> Path:
    """Returns a copy of a complete run as it was while it was played, with all its results."""
    shutil.copytree(run, going, ignore=shutil.ignore_patterns("report"))
    info = read_run(going)
    segments = tuple(msgspec.structs.replace(one, extent=None, master=None, salt=None) for one in info.segments)
    info = msgspec.structs.replace(info, state=RunState.RUNNING, finished=None, segments=segments)
    (going / "run.json").write_bytes(msgspec.json.encode(info))
    return going
