"""A server that others reach: which hosts they may name, what they see, and what is hidden before a run is complete."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from made_runs import NAME, small_run
from needs import need_module
from served_runs import client_of, make_going
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import UsageError
from tournament.hosts import AllowedHosts, allowed_hosts, is_loopback, is_same_origin
from tournament.records.run import RunState
from tournament.report import server
from tournament.store.folder import read_run
from tournament.store.results import read_results

need_module("starlette", extra="serve")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A folder with a complete run, and one that is being played: the same without the end of its results."""
    folder = tmp_path_factory.mktemp("shelf")
    run = small_run(folder)
    make_going(run, folder / "going")
    return folder


@pytest.fixture(scope="module")
def hiding(shelf):
    """A browser that looks at a server with `--hide-cards`."""
    return client_of(shelf, hides_cards=True)


@pytest.mark.parametrize(
    ("host", "names", "asked", "expected"),
    [
        ("127.0.0.1", (), "127.0.0.1", True),
        ("127.0.0.1", (), "scores.example.org", False),
        ("127.0.0.1", ("Scores.example.org",), "scores.example.org", True),
        ("127.0.0.1", ("scores.example.org",), "evil.example.org", False),
        ("127.0.0.1", (), "192.168.1.7", False),
        ("192.168.1.7", (), "192.168.1.7", True),
        ("fd00::7", (), "[fd00::7]", True),
        ("0.0.0.0", (), "192.168.1.7", True),
        ("0.0.0.0", (), "[fd00::7]", True),
        ("::", (), "10.0.0.3", True),
        ("", (), "192.168.1.7", True),
        ("0", (), "192.168.1.7", True),
        ("::ffff:0.0.0.0", (), "192.168.1.7", True),
        ("", (), "evil.example.org", False),
        ("0.0.0.0", (), "evil.example.org", False),
        ("0.0.0.0", (), "10.0.0.3.evil.example.org", False),
        ("0.0.0.0", (), "", False),
        ("0.0.0.0", ("scores.example.org",), "scores.example.org", True),
    ],
)
def test_a_request_may_name_the_address_and_the_names_that_were_allowed(host, names, asked, expected):
    """Where it listens everywhere, any address in digits, which nobody can point elsewhere."""
    assert expected == allowed_hosts(host, names).allow(asked)


@pytest.mark.parametrize("name", ["https://scores.example.org", "scores.example.org:443", "a b", "", "-a", "*"])
def test_what_is_no_name_of_a_host_is_refused(name):
    with pytest.raises(UsageError, match="--allow-host is the name of a host"):
        allowed_hosts("127.0.0.1", [name])


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        (None, True),
        ("http://scores.example.org:8000", True),
        ("https://Scores.example.org:8000", True),
        ("http://scores.example.org", False),
        ("http://scores.example.org:8000.evil.org", False),
        ("null", False),
    ],
)
def test_only_pages_of_the_same_host_and_port_are_of_the_same_origin(origin, expected):
    assert expected == is_same_origin(origin, host="scores.example.org:8000")


def test_an_allowed_name_is_answered(shelf):
    client = client_of(shelf, hosts=AllowedHosts(names=("scores.example.org",)))

    assert [200, 400] == [
        client.get("/", headers={"host": host}).status_code for host in ("scores.example.org:443", "127.0.0.1")
    ]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("0", False),
        ("example.org", False),
    ],
)
def test_only_loopback_is_for_this_machine_alone(host, expected):
    assert expected == is_loopback(host)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ["http://127.0.0.1:1/"]),
        (["--host", "0.0.0.0"], ["Everybody who reaches this machine at 0.0.0.0", "every card", "no password"]),
        (["--host", ""], ["Everybody who reaches this machine at 0.0.0.0", "every card", "no password"]),
        (["--host", "0.0.0.0", "--hide-cards"], ["Everybody who", "no card of a run before it is complete"]),
    ],
)
def test_the_command_says_who_sees_what(shelf, monkeypatch, words, expected):
    monkeypatch.setattr(server, "serve", lambda *_, started, **__: started("http://127.0.0.1:1/"))
    shown = CliRunner().invoke(app, ["serve", str(shelf), *words]).stdout

    assert [] == [part for part in expected if part not in shown]
    assert ("Everybody" in shown) == bool(words)


def addresses_of(run):
    """Returns every address that a run has, and some that it has not."""
    info = read_run(run)
    ids = [result.id for result in read_results(run)]
    twins = ["standings", "faults", "times", "games", "reproduce", "championship", "analysis-1"]
    twins += [f"group-{group.name}" for group in info.groups]
    twins += [f"bot-{number}" for number in range(1, len(info.entrants) + 1)]
    return {
        "pages": ["", "index.html", "games.html", *(f"bots/{at}.html" for at in range(1, len(info.entrants) + 1))],
        "data": [*(f"data/{name}.json" for name in twins), *(f"data/games-{number}.js" for number in range(3))],
        "games": [
            f"games/{one}{view}.html" for one in ids for view in ("", ".public", *(f".seat{seat}" for seat in range(5)))
        ],
        "nothing": [
            f"{name}{end}"
            for name in ("games.jsonl", "results.jsonl", "run.json", "faults.jsonl", "master.secret", "records")
            for end in ("", ".zst", ".index", "/")
        ]
        + [f"data/{ids[0]}.json", f"data/record-{ids[0]}.json", f"games/{ids[0]}.json", f"games/{ids[0]}", "download"],
    }


def cards_of(run):
    """Returns what tells a card in the record of each game of a run: details and answers of faults, and frames."""
    told = []
    for line in (run / "games.jsonl").read_text().splitlines():
        for fault in json.loads(line)["faults"]:
            told += [fault["detail"], fault.get("answer")]
    return [text for text in told if text]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("kind", ["pages", "data", "games", "nothing"])
def test_no_address_shows_a_card_of_a_run_that_is_not_complete(shelf, hiding, kind, method):
    """The table of addresses: games are refused, and nothing else tells what they would show."""
    cards = cards_of(shelf / "going")
    refused = {"pages": {200}, "data": {200, 404}, "games": {403, 404}, "nothing": {404}}[kind]
    for address in addresses_of(shelf / "going")[kind]:
        answer = hiding.request(method, f"/runs/going/{address}")

        assert answer.status_code in refused, address
        assert "frames-data" not in answer.text, address
        assert [] == [card for card in cards if json.dumps(card)[1:-1] in answer.text or card in answer.text], address


def test_what_is_hidden_is_there_to_be_hidden(shelf):
    """The same addresses show cards without the switch: else the test before could not fail."""
    client = client_of(shelf)
    addresses = addresses_of(shelf / "going")
    told = client.get("/runs/going/data/faults.json").text

    assert 200 == client.get(f"/runs/going/{addresses['games'][0]}").status_code
    assert "frames-data" in client.get(f"/runs/going/{addresses['games'][0]}").text
    assert any(json.dumps(card)[1:-1] in told for card in cards_of(shelf / "going"))


def test_a_complete_run_hides_nothing(shelf, hiding):
    addresses = addresses_of(shelf / "made-run")

    assert 200 == hiding.get(f"/runs/made-run/{addresses['games'][0]}").status_code
    assert (
        hiding.get("/runs/made-run/data/faults.json").text
        == client_of(shelf).get("/runs/made-run/data/faults.json").text
    )


def test_a_page_says_that_games_are_hidden_and_why(hiding):
    page = hiding.get("/runs/going/").text

    assert "hides the cards until then" in page
    assert '<span class="why">hidden for now</span>' in page
    assert "games/" not in " ".join(re.findall(r'href="([^"]*)"', page))
    assert '"hidden":true' in hiding.get("/runs/going/games.html").text


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A folder with a run that goes on: its first segment is complete, and its master seed is published."""
    folder = tmp_path_factory.mktemp("extended")
    run = small_run(folder)
    info = read_run(run)
    (run / "run.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(info, state=RunState.RUNNING)))
    return folder


@pytest.mark.parametrize(("address", "told"), [("", "<dt>salt</dt>"), ("data/reproduce.json", '"master":')])
def test_no_master_seed_tells_the_deals_of_a_run_that_goes_on_again(extended, address, told):
    (segment,) = read_run(extended / "made-run").segments
    shown, hidden = (
        client_of(extended, hides_cards=hides).get(f"/runs/made-run/{address}").text for hides in (False, True)
    )

    assert (True, False) == (told in shown, told in hidden)
    assert (True, False) == (segment.salt in shown, segment.salt in hidden)


@pytest.mark.parametrize("address", ["", "data/reproduce.json"])
def test_no_deal_suite_of_a_run_that_goes_on_is_named(tmp_path, address):
    folder = small_run(tmp_path)
    info = read_run(folder)
    given = {"suite": "seeds/validation.json", "suite_digest": "5" * 64, "suite_deals": 7}
    segments = tuple(msgspec.structs.replace(one, master=None, salt=None, **given) for one in info.segments)
    info = msgspec.structs.replace(info, state=RunState.RUNNING, segments=segments)
    (folder / "run.json").write_bytes(msgspec.json.encode(info))
    shown, hidden = (
        client_of(tmp_path, hides_cards=hides).get(f"/runs/made-run/{address}").text for hides in (False, True)
    )

    assert (True, False) == ("validation.json" in shown, "validation.json" in hidden)
    assert "5" * 64 not in hidden


def test_standings_and_names_are_shown_while_cards_are_hidden(hiding):
    assert "cautious" in hiding.get("/runs/going/").text
    assert NAME in json.dumps(hiding.get("/runs/going/data/standings.json").json())
