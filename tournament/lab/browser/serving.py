"""The server of a table: a page, a stream of sheets and three posts for each person, behind a secret in their link.

Whoever knows the link of a seat plays it and sees its cards; no other address leads to anything. Requests that name
another host, or come from the page of another site, are refused. A thread serves each connection, since the table is
made of threads that wait.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, RawIOBase
from secrets import token_urlsafe
from threading import BoundedSemaphore, Thread
from time import monotonic
from typing import Any, Final

import msgspec
from msgspec import Struct

from tournament.errors import TournamentError, UsageError
from tournament.hosts import allowed_hosts, is_every_address, is_same_origin
from tournament.lab.browser.attendance import Presence
from tournament.lab.browser.document import format_message_page, format_seat_page
from tournament.lab.browser.shared_table import SharedTable
from tournament.languages import gettext, language_of_header, present_language, speaking
from tournament.records.codec import canonical_bytes, format_record
from tournament.viewer.page import format_html

SECRET_BYTES: Final = 16
REQUEST_SECONDS: Final = 10.0
"""How long a request may take to come, from the opening of its connection, and an answer to be read.

Not how long it may be silent: whoever sends a byte now and then would keep others out.
"""

BEAT_SECONDS: Final = 15.0
"""How often a stream without news says that it is still there."""

LOOK_SECONDS: Final = 1.0
"""How often a stream looks whether its page is gone."""

MOST_CONNECTIONS: Final = 60
"""Further connections are closed at once."""

MOST_CONNECTIONS_OF_A_LINK: Final = 10
"""Further ones are refused: one link leaves room for the others, and a browser opens no more than six."""

MOST_BYTES: Final = 1000
"""Of what is posted."""

MOST_DIGITS: Final = 15
"""Of a number in a header."""

_ADDRESS: Final = re.compile(r"/(?P<secret>[A-Za-z0-9_-]{16,64})/(?P<name>[a-z.-]*)")
_HEADERS: Final = {
    "Connection": "close",  # one that is kept may end just when the browser posts on it
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class PostedChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice on a sheet."""

    number: int
    choice: int


class PostedReturn(Struct, frozen=True, forbid_unknown_fields=True):
    """That a move is taken back, with the step at which it was made."""

    step: int


class PostedQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """That a hint is asked for on a sheet."""

    number: int


class TableServer(ThreadingHTTPServer):
    """Serves one table, in threads of its own, from `open` to `close`."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(
        self, table: SharedTable, *, host: str = "127.0.0.1", port: int = 0, allowed: Iterable[str] = ()
    ) -> None:
        """Listens on a host and a port, 0 for a free one; requests may name the hosts `allowed`, too.

        Raises `UsageError` when it cannot, or for a name that is none.
        """
        self.table = table
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        secrets = {seat: token_urlsafe(SECRET_BYTES) for seat in table.people}
        self.seats: Mapping[str, int] = {secret: seat for seat, secret in secrets.items()}
        """The seat of each secret."""

        self.hosts = allowed_hosts(host, allowed)
        self._room = BoundedSemaphore(MOST_CONNECTIONS)
        self._rooms = {seat: BoundedSemaphore(MOST_CONNECTIONS_OF_A_LINK) for seat in table.people}
        try:
            super().__init__((host, port), _Handler)
        except (OSError, UnicodeError) as error:
            reason = error.strerror or error if isinstance(error, OSError) else "this is no name of a host"
            raise UsageError(
                f"{host}:{port} cannot be used: {reason}. Give another --port; 0 chooses a free one."
            ) from None
        shown = f"[{host}]" if ":" in host else host
        self.links = {
            seat: f"http://{shown}:{self.server_address[1]}/{secret}/" for seat, secret in sorted(secrets.items())
        }
        """The link of each person, by seat."""

    def open(self) -> None:
        """Begins to serve."""
        Thread(target=self.serve_forever, name="table", daemon=True).start()

    def close(self) -> None:
        """Ends serving; streams end with the table."""
        self.table.close()
        self.shutdown()
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serves a connection in a thread, or closes it when there are too many."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serves a connection to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    @contextmanager
    def room_of(self, seat: int) -> Iterator[bool]:
        """Counts a connection of a link; yields whether there is room for it."""
        room = self._rooms[seat]
        if not room.acquire(blocking=False):
            yield False
            return
        try:
            yield True
        finally:
            room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of connections that break off; a page opens a new one."""


class _TimedReader(RawIOBase):
    """What comes over a connection, until a moment of `monotonic`; raises `TimeoutError` after it."""

    def __init__(self, connection: socket.socket, *, until: float) -> None:
        self._connection = connection
        self._until = until

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Handler(BaseHTTPRequestHandler):
    server: TableServer
    protocol_version = "HTTP/1.1"
    server_version = "tournament"
    sys_version = ""

    def setup(self) -> None:
        """Gives the request its time."""
        super().setup()
        self.rfile.close()
        self.rfile = BufferedReader(_TimedReader(self.connection, until=monotonic() + REQUEST_SECONDS))

    def log_message(self, format: str, *values: Any) -> None:  # noqa: A002 (the name of the base)
        """Writes no log: addresses hold secrets."""

    def do_GET(self) -> None:
        """Answers with the page, the stream, or the record and its replay once the game is over."""
        self._answer(self._show)

    def _show(self, seat: int, name: str) -> None:
        table = self.server.table
        record = table.record
        if name == "":
            self._send_page(format_seat_page(table.head(seat), told=table.told(seat)))
        elif name == "sheets":
            self._stream(seat)
        elif name == "record.json" and record is not None:
            self._send(format_record(record) + b"\n", "application/json", file=f"{record.id}.json")
        elif name == "replay.html" and record is not None:
            self._send_page(format_html(record, back="./", back_to=gettext("Table")))
        else:
            self._not_here()

    def do_POST(self) -> None:
        """Takes a choice, takes a move back or gives a hint; answers with what there is to say."""
        self._answer(self._post)

    def _answer(self, answer: Callable[[int, str], None]) -> None:
        """Answers a request to a seat that may be answered, and refuses any other: in the language that it asks for."""
        wishes = self.headers.get("Accept-Language")
        with speaking(present_language() if wishes is None else language_of_header(wishes)):
            self._answer_spoken(answer)

    def _answer_spoken(self, answer: Callable[[int, str], None]) -> None:
        if not self._is_from_here():
            return
        seat, name = self._asked()
        if seat is None:
            self._not_here()
            return
        with self.server.room_of(seat) as has_room:
            if has_room:
                answer(seat, name)
            else:
                text = gettext("This link is open in too many pages. Close some of them, then load this one again.")
                self._refuse(gettext("Too many pages"), text, status=HTTPStatus.SERVICE_UNAVAILABLE)

    def _post(self, seat: int, name: str) -> None:
        length = _number_in(self.headers.get("Content-Length"))
        if length is None or length > MOST_BYTES:
            self._send(b"", "text/plain", status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        try:
            answer = self._take(seat, name, self.rfile.read(length))
        except msgspec.DecodeError:
            self._send(b"", "text/plain", status=HTTPStatus.BAD_REQUEST)
        except TournamentError as error:
            self._send(canonical_bytes({"said": str(error)}), "application/json", status=HTTPStatus.CONFLICT)
        else:
            if answer is None:
                self._not_here()
            else:
                self._send(canonical_bytes(answer), "application/json")

    def _take(self, seat: int, name: str, body: bytes) -> dict[str, Any] | None:
        table = self.server.table
        if name == "choose":
            posted = msgspec.json.decode(body, type=PostedChoice)
            table.act(seat, number=posted.number, choice=posted.choice)
            return {}
        if name == "take-back":
            table.take_back(seat, step=msgspec.json.decode(body, type=PostedReturn).step)
            return {}
        if name == "hint":
            hint = table.hint(seat, number=msgspec.json.decode(body, type=PostedQuestion).number)
            return {"choice": hint.choice, "words": hint.words}
        return None

    def _is_from_here(self) -> bool:
        """Returns whether a request names this server and comes from no page elsewhere; answers it when not."""
        host = self.headers.get("Host", "")
        if not self.server.hosts.allow(host):
            names = ", ".join(self.server.hosts.names)
            text = gettext("Expected one of {hosts}. Use the link of your seat as the table printed it.", hosts=names)
            self._refuse(gettext("Not this host"), text)
            return False
        if not is_same_origin(self.headers.get("Origin"), host=host):
            text = gettext("The page of another site asked for this. Use the link of your seat.")
            self._refuse(gettext("Not from there"), text)
            return False
        return True

    def _asked(self) -> tuple[int | None, str]:
        """Returns the seat whose secret the address has, None for no seat, and the name behind it."""
        found = _ADDRESS.fullmatch(self.path)
        return (None, "") if found is None else (self.server.seats.get(found["secret"]), found["name"])

    def _stream(self, seat: int) -> None:
        """Sends sheets as they come, each as an event with its number, until the table or the connection is closed.

        Events called `people` say who is at the table.
        """
        table = self.server.table
        after = _number_in(self.headers.get("Last-Event-ID"))
        people: dict[int, Presence] = {}
        sent = monotonic()
        self._begin(HTTPStatus.OK, "text/event-stream", {})
        with table.attendance.opened_page(seat):
            while not (table.is_closed or self._is_gone()):
                sheets = table.wait_for_sheets(seat, after=after, seconds=LOOK_SECONDS, people=people)
                if people != (people := table.attendance.now()):
                    packed = canonical_bytes({str(seat): presence for seat, presence in people.items()})
                    self.wfile.write(b"event: people\ndata: %b\n\n" % packed)
                    sent = monotonic()
                for number, packed in sheets:
                    self.wfile.write(b"id: %d\ndata: %b\n\n" % (number, packed))
                    after, sent = number, monotonic()
                if monotonic() - sent > BEAT_SECONDS:
                    self.wfile.write(b": still here\n\n")
                    sent = monotonic()
                self.wfile.flush()

    def _is_gone(self) -> bool:
        """Returns whether the other end has closed the connection; a stream is sent nothing after its request."""
        try:
            self.connection.settimeout(0)
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.settimeout(REQUEST_SECONDS)

    def _send_page(self, page: str) -> None:
        self._send(page.encode(), "text/html; charset=utf-8")

    def _not_here(self) -> None:
        text = gettext("Use the link of your seat, whole, as the table printed it. It ends when the table is closed.")
        self._refuse(gettext("No seat has this address"), text, status=HTTPStatus.NOT_FOUND)

    def _refuse(self, title: str, text: str, *, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        self._send(format_message_page(title, text).encode(), "text/html; charset=utf-8", status=status)

    def _send(
        self, content: bytes, media_type: str, *, status: HTTPStatus = HTTPStatus.OK, file: str | None = None
    ) -> None:
        headers = {"Content-Length": str(len(content))}
        if file is not None:
            headers["Content-Disposition"] = f'attachment; filename="{file}"'
        self._begin(status, media_type, headers)
        self.wfile.write(content)

    def _begin(self, status: HTTPStatus, media_type: str, headers: Mapping[str, str]) -> None:
        self.connection.settimeout(REQUEST_SECONDS)
        self.send_response(status)
        for name, value in {"Content-Type": media_type, **_HEADERS, **headers}.items():
            self.send_header(name, value)
        self.end_headers()


def check_host(host: str) -> None:
    """Raises `UsageError` for a host such as 0.0.0.0, which stands for all addresses: a link has to name one."""
    if is_every_address(host):
        raise UsageError(f'--host "{host}" would listen everywhere: name the one address that the others can reach.')


def _number_in(header: str | None) -> int | None:
    """Returns the number that a header is; None where it is none, or longer than any that is sent here."""
    return int(header) if header is not None and header.isdecimal() and len(header) <= MOST_DIGITS else None
