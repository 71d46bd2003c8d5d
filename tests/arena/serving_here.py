"""Servers in a thread of the test's own process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer

from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application


class Quiet(WSGIRequestHandler):
    """Logs nothing."""

    def log_message(self, *_) -> None:
        pass


@contextmanager
def served(server: HTTPServer) -> Iterator[str]:
    """Gives the address of a server that answers until the end of the block."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def served_arena() -> Iterator[str]:
    """Gives the address of the arena that Django is set to."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.daemon_threads = False
    server.set_app(get_wsgi_application())
    with served(server) as address:
        yield address
