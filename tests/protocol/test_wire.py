"""What goes over the wire: nothing but valid messages, clocks and traces."""

from __future__ import annotations

import json

import msgspec
import pytest

from tournament import load_game
from tournament.deals import make_deal
from tournament.players import protocol
from tournament.players.bot import Clock
from tournament.players.linux.child import Child
from tournament.records.protocol import Act
from tournament.records.schema import validator_for
from tournament.records.settings import Isolation


def test_every_message_of_a_block_fits_the_schema(level, hosted, raw, room):
    """JSON Schema `protocol.v1` for every message."""
    text = "class A(Bot):\n    def act(self, view): return view.legal_actions()[0]\n"
    one = room(raw(""), hosted(text), isolation=level, game="explorers", trace=("raw", "hosted"))
    messages = [json.loads(values["line"]) for _, values in one.play().traces]
    kinds = {message["type"] for message in messages}

    assert {"hello", "ready", "start", "ok", "act", "action", "end"} == kinds
    assert [] == [message for message in messages if not validator_for("protocol.v1").is_valid(message)]


@pytest.mark.parametrize("legal", [True, False])
def test_the_line_of_a_decision_is_an_act(legal):
    """It is put together from its parts, and has the bytes that the message has."""
    game = load_game("explorers")
    view = game.start(make_deal(game, players=2, seed="0" * 64)).view(0)
    message = Act(id=7, bank_ms=900, view=view, legal=tuple(view.legal_actions()) if legal else None)

    assert msgspec.json.encode(message) + b"\n" == protocol.act_line(
        7, view=view, clock=Clock(move_ms=100, bank_ms=900), legal=legal
    )


def test_a_bot_that_says_so_gets_no_list_of_legal_actions(level, raw, first, room):
    """`legal` (default true) says whether the bot wants the list."""
    quiet = "if kind == 'hello': answer(type='ready', legal=False); continue\n"
    quiet += "if kind == 'act': answer(type='action', action={'do': 'keep'}, has='legal' in request); continue"
    played = room(raw(quiet), first, isolation=level, trace=("raw",)).play()
    acts = [json.loads(values["line"]) for _, values in played.traces if '"type":"act"' in values["line"]]
    answers = [json.loads(values["line"]) for _, values in played.traces if values["direction"] == "<-"]

    assert not any("legal" in act for act in acts)
    assert not any(answer.get("has") for answer in answers)


def test_a_trace_names_the_game_and_the_time_of_every_line(level, raw, first, room):
    """--trace BOT writes every line sent and received, with times."""
    traces = room(raw(""), first, isolation=level, trace=("raw",)).play().traces
    times = [values["at_ms"] for _, values in traces]

    assert {"raw"} == {name for name, _ in traces}
    assert ["hello", "ready", "start", "ok", "act"] == [json.loads(values["line"])["type"] for _, values in traces[:5]]
    assert times == sorted(times)
    assert {"scout-2p.0.000000.0", "scout-2p.0.000000.1"} == {values["id"] for _, values in traces}


def test_ids_are_below_two_to_the_53_and_not_in_order():
    """A fresh random integer below 2^53."""
    ids = [protocol.new_id() for _ in range(2000)]

    assert len(set(ids)) == len(ids)
    assert all(0 <= one < 1 << 53 for one in ids)
    assert ids != sorted(ids)


@pytest.mark.parametrize(
    ("takes_ms", "banks"),
    [([500, 500], [9000, 9000]), ([1500, 500, 2999], [9000, 8500, 8500, 6501]), ([1000, 1001], [9000, 9000, 8999])],
)
def test_what_a_move_takes_beyond_its_free_time_comes_from_the_bank(hosted, first, room, monkeypatch, takes_ms, banks):
    """`move_ms` is free, the excess is taken from bank_ms, in whole milliseconds."""
    text = "class A(Bot):\n    def act(self, view): print(self.clock.bank_ms); return view.legal_actions()[0]\n"
    one = room(hosted(text), first, isolation=Isolation.PROCESS, clock={"move_ms": 1000, "bank_ms": 9000})
    ask, takes = Child.ask, iter(takes_ms + [0] * 1000)

    def as_if(child, line, *, time_ms):
        answer = ask(child, line, time_ms=time_ms)
        if b'"act"' in line:
            child.taken_ns = next(takes) * 1_000_000
        return answer

    monkeypatch.setattr(Child, "ask", as_if)
    played = one.play()
    log = "".join(text for name, text, _ in played.logs if name == "hosted")
    seen = [int(line) for line in log.split()]

    assert banks == seen[: len(banks)]
    assert seen[len(banks) - 1] == played.clocks[0].seats[0].bank_ms


def test_the_deadline_of_a_move_is_its_free_time_and_the_bank(hosted, first, room, monkeypatch):
    """Timeout when both are used up."""
    text = "class A(Bot):\n    def act(self, view): return view.legal_actions()[0]\n"
    one = room(hosted(text, clock={"move_ms": 700}), first, isolation=Isolation.PROCESS, clock={"bank_ms": 300})
    ask, given = Child.ask, []

    def noted(child, line, *, time_ms):
        if b'"act"' in line:
            given.append(time_ms)
        return ask(child, line, time_ms=time_ms)

    monkeypatch.setattr(Child, "ask", noted)
    one.play()

    assert {1000} == set(given)
