"""A PostgreSQL server that a test starts: in a temporary folder, on a socket there, without any port."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from needs import PACKAGES, missing

USER = "postgres"


def _program(name: str) -> str:
    """Returns a program of the newest PostgreSQL here, or skips the test."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]))
    path = str(found[-1]) if found else shutil.which(name)
    return path or missing("postgresql", f"Debian: apt-get install {PACKAGES['postgres']}")


class PostgresServer:
    """A server that runs; `new_database` gives each test its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self._numbers = count()

    def _as_user(self, *words: str | Path) -> None:
        """Runs a command as the user `postgres` where we are root, which the server refuses to be."""
        before = ("runuser", "-u", USER, "--") if os.geteuid() == 0 else ()
        subprocess.run([*before, *map(str, words)], check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def make(self) -> None:
        """Makes the files of the server."""
        initdb = _program("initdb")
        self._as_user(initdb, "-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")

    def start(self) -> None:
        """Starts it, and returns once it answers; also after `kill`."""
        settings = f"-k {self.folder} -c listen_addresses= -c max_connections=40"
        words = (_program("pg_ctl"), "-D", self.data, "-l", self.folder / "log.txt", "-o", settings)
        self._as_user(*words, "-w", "start")

    def stop(self) -> None:
        """Stops it at once, as after a loss of power: what was committed stays."""
        self._as_user(_program("pg_ctl"), "-D", self.data, "-m", "immediate", "-w", "stop")

    def new_database(self, template: str = "template1") -> str:
        """Returns the URL of a new database, as `arena.yaml` says it."""
        name = f"arena{next(self._numbers)}"
        self._as_user(_program("createdb"), "-h", self.folder, "-U", USER, "-T", template, name)
        return self.url(name)

    def url(self, name: str) -> str:
        """Returns the URL of a database."""
        return f"postgres://{USER}@/{name}?host={self.folder}"


def database_name(url: str) -> str:
    """Returns the name of the database of a URL."""
    return urlsplit(url).path.strip("/")


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Gives a server that runs, or skips the test where PostgreSQL is not installed."""
    _program("initdb")
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        server = PostgresServer(folder)
        server.make()
        server.start()
        try:
            yield server
        finally:
            server.stop()
