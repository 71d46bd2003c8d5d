"""Blocks played with bots written on the spot, at each level of isolation."""

from __future__ import annotations

import sys
import textwrap

import pytest
from needs import need_sandbox

from tournament.blocks import BlockPlayer, Job, Setup
from tournament.deals import deal_seed
from tournament.entrants.entries import entrants_from
from tournament.records.settings import Hosting, Isolation, Limits, TimeControl
from tournament.schedule.formats import Block

RAW = """\
import json, mmap, os, signal, sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def answer(**values):
    say(json.dumps({"id": id, **values}) + "\\n")

moves = 0
for line in sys.stdin:
    request = json.loads(line)
    kind, id = request["type"], request.get("id")
    moves += kind == "act"
@TROUBLE@
    if kind == "hello":
        answer(type="ready")
    elif kind == "start":
        answer(type="ok")
    elif kind == "act":
        answer(type="action", action=request["legal"][0])
    elif kind == "quit":
        sys.exit(0)
"""


@pytest.fixture(params=["process", "sandbox"])
def level(request):
    """A level at which bots are processes."""
    if request.param == "sandbox":
        need_sandbox()
    return Isolation(request.param)


@pytest.fixture
def raw(tmp_path):
    """Returns a function that writes a bot speaking the protocol itself, with some trouble, and gives its entry."""

    def write(trouble, name="raw", **entry):
        path = tmp_path / f"{name}.py"
        path.write_text(RAW.replace("@TROUBLE@", textwrap.indent(textwrap.dedent(trouble), "    ")))
        return {"name": name, "command": [sys.executable, "-I", "-S", str(path)], **entry}

    return write


@pytest.fixture
def hosted(tmp_path):
    """Returns a function that writes a Python bot in a folder of its own and gives its entry."""

    def write(text, name="hosted", **entry):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.py").write_text("from tournament import Bot\n" + textwrap.dedent(text))
        return {"name": name, "bot": str(folder / "bot.py"), **entry}

    return write


FIRST = """
class First(Bot):
    def act(self, view):
        return view.legal_actions()[0]
"""


@pytest.fixture
def first(hosted):
    """The entry of an honest bot, which plays in the process of the tests: so only the others cost time."""
    return hosted(FIRST, name="first", isolation="none")


class Room:
    """Plays blocks of one game with the same entrants."""

    def __init__(self, base, entries, *, isolation, game="scout", clock=None, limits=None, hidden=(), trace=()):
        self.entrants = entrants_from(entries, base=base)
        self.game = game
        hosting = Hosting(
            isolation=isolation,
            clock=TimeControl(**(clock or {})),
            limits=Limits(**(limits or {})),
            trace=trace,
        )
        self.blocks = BlockPlayer(Setup(tournament="test", entrants=self.entrants, hosting=hosting, hidden=hidden))

    def play(self, number=0):
        """Returns a block, played."""
        players = len(self.entrants)
        seed = deal_seed("protocol", game=self.game, players=players, segment=0, block=number)
        block = Block(
            group=f"{self.game}-{players}p",
            segment=0,
            number=number,
            order=tuple(entrant.name for entrant in self.entrants),
        )
        return self.blocks.play(Job(block=block, game=self.game, players=players, options={}, seed=seed))


@pytest.fixture
def room(tmp_path):
    """Returns a function that opens a room for entrants; its processes are ended after the test."""
    rooms = []

    def open_room(*entries, base=tmp_path, **settings):
        rooms.append(Room(base, entries, **settings))
        return rooms[-1]

    yield open_room
    for one in rooms:
        one.blocks.close()
