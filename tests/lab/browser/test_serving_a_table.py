"""The server of a table: a secret for each seat, and nothing at any other address."""

from __future__ import annotations

import http.client
import json
import re
import socket
from contextlib import ExitStack, contextmanager
from gettext import NullTranslations
from importlib import import_module
from urllib.parse import urlsplit

import pytest
from made_tables import MadeTable, served

from tournament.errors import UsageError
from tournament.lab.browser import serving
from tournament.lab.browser.serving import MOST_CONNECTIONS_OF_A_LINK, TableServer, check_host
from tournament.records.codec import format_record


@contextmanager
def asked(link, name="", *, method="GET", body=None, headers=None):
    """Yields the answer to a request; a stream stays open until the end."""
    address = urlsplit(link)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=20)
    try:
        connection.request(method, name if name.startswith("/") else address.path + name, body, headers or {})
        with connection.getresponse() as answer:
            yield answer
    finally:
        connection.close()


def status(link, name="", **values):
    with asked(link, name, **values) as answer:
        answer.read()
        return answer.status


def post(link, name, values):
    """Returns the status and the JSON of an answer."""
    with asked(link, name, method="POST", body=json.dumps(values)) as answer:
        return answer.status, json.loads(answer.read() or b"null")


def events(answer, count):
    """Returns the next events of a stream as their numbers and sheets."""
    found = []
    while len(found) < count:
        line = answer.readline()
        assert line, "the stream has ended"
        if line.startswith(b"id: "):
            found.append((int(line[4:]), json.loads(answer.readline().removeprefix(b"data: "))))
    return found


def test_a_link_leads_to_the_page_of_its_seat_and_to_a_stream_of_its_sheets():
    with served(MadeTable("scout", players=3, people=(0, 2))) as links:
        for seat, link in links.items():
            with asked(link) as page:
                text = page.read().decode()
                assert (200, "no-store", "no-referrer") == (
                    page.status,
                    page.headers["Cache-Control"],
                    page.headers["Referrer-Policy"],
                )
                assert f'"seat":{seat}' in text
            with asked(link, "sheets") as stream:
                ((_, sheet),) = events(stream, 1)
                assert [f"seat{seat}"] == list(sheet["frame"]["seen"])
                assert "text/event-stream" == stream.headers["Content-Type"]


@pytest.mark.parametrize(
    "name", ["/", "/x/", "/index.html", "/sheets", "/record.json", "/AAAAAAAAAAAAAAAAAAAAAA/", "other", "../"]
)
def test_no_other_address_leads_anywhere(name):
    with served(MadeTable("scout", players=2, people=(0,))) as links:
        assert 404 == status(links[0], name)
        assert 404 == status(links[0], name, method="POST", body="{}")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "127.0.0.1"}, 200),
        ({"Host": "localhost:8000"}, 200),
        ({"Host": "evil.example.org"}, 400),
        ({"Host": ""}, 400),
        ({"Host": "localhost:8000", "Origin": "http://localhost:8000"}, 200),
        ({"Host": "localhost:8000", "Origin": "http://localhost:9000"}, 400),
        ({"Host": "localhost:8000", "Origin": "http://evil.example.org"}, 400),
        ({"Host": "localhost:8000", "Origin": "null"}, 400),
    ],
)
def test_only_requests_that_name_this_host_and_come_from_its_own_pages_are_answered(headers, expected):
    """Another site can neither read the table under its own name nor post to it, even with the link."""
    with served(MadeTable("explorers", players=2, people=(0,))) as links, asked(links[0], "sheets") as stream:
        ((number, _),) = events(stream, 1)
        choice = json.dumps({"number": number, "choice": 0})

        assert expected == status(links[0], headers=headers)
        assert expected == status(links[0], "choose", method="POST", body=choice, headers=headers)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "table.example.org"}, 200),
        ({"Host": "TABLE.example.org:443", "Origin": "https://table.example.org:443"}, 200),
        ({"Host": "table.example.org", "Origin": "https://evil.example.org"}, 400),
        ({"Host": "evil.example.org"}, 400),
        ({"Host": "127.0.0.1"}, 200),
    ],
)
def test_requests_may_name_a_proxy_or_tunnel_that_was_allowed(headers, expected):
    with served(MadeTable("explorers", players=2, people=(0,)), allowed=["table.example.org"]) as links:
        assert expected == status(links[0], headers=headers)


def test_a_name_that_is_no_host_is_refused_before_anything_is_served():
    made = MadeTable("explorers", players=2, people=(0,))
    with made, pytest.raises(UsageError, match="--allow-host is the name of a host"):
        TableServer(made.table, allowed=["https://table.example.org"])


def test_the_secrets_of_the_seats_differ_and_stand_on_no_page():
    with served(MadeTable("scout", players=3, people=(0, 1))) as links:
        secrets = [urlsplit(link).path.strip("/") for link in links.values()]
        with asked(links[0]) as page:
            text = page.read().decode()

    assert 2 == len(set(secrets))
    assert all(len(secret) >= 22 for secret in secrets)
    assert not any(secret in text for secret in secrets)


def test_a_posted_choice_is_made_and_a_late_one_is_refused_with_a_reason():
    with served(MadeTable("explorers", players=2, people=(0,))) as links, asked(links[0], "sheets") as stream:
        ((number, sheet),) = events(stream, 1)
        made = post(links[0], "choose", {"number": number, "choice": 1})
        ((_, after),) = events(stream, 1)
        late = post(links[0], "choose", {"number": number, "choice": 1})

    assert (200, {}) == made
    assert (409, {"said": "The table has moved on since: look at it again, then choose."}) == late
    assert ("discard KC", "You discard the king of clubs.") == (sheet["choices"][1]["words"], after["told"][-1])


def test_a_hint_and_a_move_back_are_posted():
    with served(MadeTable("explorers", players=2, people=(0,))) as links, asked(links[0], "sheets") as stream:
        ((number, sheet),) = events(stream, 1)
        code, hint = post(links[0], "hint", {"number": number})
        assert (200, sheet["choices"][hint["choice"]]["words"]) == (code, hint["words"])
        post(links[0], "choose", {"number": number, "choice": hint["choice"]})
        ((_, after),) = events(stream, 1)
        assert (200, {}) == post(links[0], "take-back", {"step": after["take_back"]})
        ((_, again),) = events(stream, 1)

    assert (0, sheet["choices"]) == (again["frame"]["step"], again["choices"])


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"number": "1", "choice": 0}', '{"number": 1, "choice": 0, "seat": 1}', "\xff"]
)
def test_what_is_no_choice_is_refused(body):
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        assert 400 == status(links[0], "choose", method="POST", body=body.encode("latin-1"))


def test_a_post_that_is_too_long_is_refused_unread():
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        assert 413 == status(links[0], "choose", method="POST", body=" " * 1001)


def test_numbers_in_headers_may_have_any_length():
    """Python reads no number of more than 4,300 digits."""
    digits = "9" * 5000
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        assert 413 == status(links[0], "choose", method="POST", headers={"Content-Length": digits})
        with asked(links[0], "sheets", headers={"Last-Event-ID": digits}) as stream:
            assert 1 == len(events(stream, 1))


def test_a_stream_goes_on_where_it_broke_off():
    with served(MadeTable("explorers", players=2, people=(0,))) as links:
        with asked(links[0], "sheets") as stream:
            ((number, _),) = events(stream, 1)
        post(links[0], "choose", {"number": number, "choice": 0})
        with asked(links[0], "sheets", headers={"Last-Event-ID": str(number)}) as stream:
            ((next_number, _),) = events(stream, 1)

    assert number + 1 == next_number


def test_the_record_and_its_replay_are_there_once_the_game_is_over_and_not_before():
    made = MadeTable("scout", players=2, people=(0,))
    with served(made) as links:
        assert (404, 404) == (status(links[0], "record.json"), status(links[0], "replay.html"))
        made.play_to_the_end()
        with asked(links[0], "record.json") as answer:
            assert format_record(made.record) + b"\n" == answer.read()
            assert f'attachment; filename="{made.record.id}.json"' == answer.headers["Content-Disposition"]
        with asked(links[0], "replay.html") as answer:
            assert made.record.id in answer.read().decode()
        with asked(links[0]) as answer:
            assert "Place 1: " in answer.read().decode()


def test_connections_beyond_the_limit_are_closed(monkeypatch):
    monkeypatch.setattr(serving, "MOST_CONNECTIONS", 3)
    with served(MadeTable("scout", players=2, people=(0,))) as links, ExitStack() as opened:
        streams = [opened.enter_context(asked(links[0], "sheets")) for _ in range(3)]
        for stream in streams:
            events(stream, 1)
        with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
            status(links[0])


def test_one_link_leaves_room_for_the_others():
    with served(MadeTable("scout", players=3, people=(0, 1))) as links, ExitStack() as opened:
        for _ in range(MOST_CONNECTIONS_OF_A_LINK):
            events(opened.enter_context(asked(links[0], "sheets")), 1)
        with asked(links[0]) as refused:
            text = refused.read().decode()

        assert (503, 200) == (refused.status, status(links[1]))
        assert "Close some of them" in text


def people_told(answer):
    """Returns what the next event about the people at the table says."""
    while (line := answer.readline()) != b"event: people\n":
        assert line, "the stream has ended"
    return json.loads(answer.readline().removeprefix(b"data: "))


def test_everybody_is_told_who_has_come_and_who_is_away():
    """Also that a link was opened by somebody else than the person whom it was given to."""
    with served(MadeTable("scout", players=3, people=(0, 1))) as links, asked(links[0], "sheets") as mine:
        told = [people_told(mine)]
        with asked(links[1], "sheets") as theirs:
            told += [people_told(mine), people_told(theirs)]
        told += [people_told(mine)]

    together = {"0": "here", "1": "here"}
    assert [{"0": "here", "1": "not yet"}, together, together, {"0": "here", "1": "away"}] == told


@pytest.mark.parametrize(
    "begun", [b"GET /", b"GET / HTTP/1.1\r\nHost: ", b"POST / HTTP/1.1\r\nContent-Length: 900\r\n\r\n"]
)
def test_a_request_that_comes_byte_by_byte_is_closed(begun, monkeypatch):
    """Such a connection would take a place from those who play, for as long as it likes."""
    monkeypatch.setattr(serving, "REQUEST_SECONDS", 0.3)
    with served(MadeTable("scout", players=2, people=(0,))) as links:
        address = urlsplit(links[0])
        with socket.create_connection((address.hostname, address.port)) as connection:
            connection.settimeout(0.05)
            connection.sendall(begun)

            assert True is any(is_closed_after_a_byte(connection) for _ in range(200))


def is_closed_after_a_byte(connection):
    """Returns whether the other end closes a connection soon after a byte."""
    try:
        connection.sendall(b"a")
        return connection.recv(65536) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_an_address_that_cannot_be_used_is_refused_with_what_to_do():
    made = MadeTable("scout", players=2, people=(0,))
    with served(made) as links, pytest.raises(UsageError, match="Give another --port"):
        TableServer(made.table, port=urlsplit(links[0]).port)
    for host in ("192.0.2.1", "a" * 64):
        with pytest.raises(UsageError, match="cannot be used"):
            TableServer(made.table, host=host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "0", "0x0", "::ffff:0.0.0.0"])
def test_what_stands_for_every_address_is_refused(host):
    with pytest.raises(UsageError, match="would listen everywhere"):
        check_host(host)


def test_each_person_reads_the_table_in_their_own_language(monkeypatch):
    """The page, its sheets, its texts and what is refused: as the browser of each asks for."""
    monkeypatch.setattr(
        import_module("tournament.languages.speaking"),
        "catalogue_of",
        MadeCatalogue,
    )
    with served(MadeTable("scout", players=2, people=(0, 1))) as links:
        heard = [heard_at(links[0], "de"), heard_at(links[0], "pl, en;q=0.5"), heard_at(links[1], None)]

    assert [
        ('<html lang="de">', "de: The cards are dealt.", "de: No seat has this address"),
        ('<html lang="pl">', "pl: The cards are dealt.", "pl: No seat has this address"),
        ('<html lang="en">', "The cards are dealt.", "No seat has this address"),
    ] == heard


class MadeCatalogue(NullTranslations):
    """A catalogue that says before each text in which language it is; none in English."""

    def __init__(self, language):
        super().__init__()
        self.language = language

    def gettext(self, message):
        return message if self.language == "en" else f"{self.language}: {message}"


def heard_at(link, wishes):
    """Returns the language of a page, the first sentence of its sheet, and the title of an address that is none."""
    headers = {} if wishes is None else {"Accept-Language": wishes}
    with asked(link, headers=headers) as page:
        language = page.read().decode().splitlines()[1]
    with asked(link, "sheets", headers=headers) as stream:
        line = next(line for line in iter(stream.readline, b"") if b'"told"' in line)
    with asked(link, "nothing", headers=headers) as refused:
        title = re.search("<title>(.*)</title>", refused.read().decode())[1]
    return language, json.loads(line.removeprefix(b"data: "))["told"][0], title
