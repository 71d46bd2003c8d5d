"""Tables with people for tests: bots that answer at random or from a list, and people who answer from the test."""

from __future__ import annotations

import socket
from contextlib import contextmanager, suppress
from random import Random
from threading import Thread

import msgspec
from msgspec import structs

from tournament.games import load_game
from tournament.lab.browser.serving import TableServer
from tournament.lab.browser.shared_table import SharedTable
from tournament.lab.guide import Guide, Seating
from tournament.lab.person import LeftTable
from tournament.lab.table import PERSON, sitting_with


class MadePlayer:
    """A bot in this process that asks a function for each action."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(self, decide):
        self.decide = decide
        self.asked = 0

    def start(self, info):
        pass

    def act(self, view, clock=None):
        self.asked += 1
        return self.decide(view)

    def end(self, result):
        pass

    def dismiss(self):
        return None

    def request_quit(self):
        pass

    def close(self):
        pass


def by_chance(seed):
    """Returns what decides at random, and always alike for the same seed."""
    rng = Random(seed)
    return lambda view: view.legal_actions()[int(rng.random() * len(view.legal_actions()))]


class MadeTable:
    """A table of which the game is played in a thread; `decide(seat)` makes what a bot decides with, at each start.

    `before_bots` is called before the bots are started, with how often they were.
    """

    def __init__(self, game, *, players, people, decide=by_chance, deal=None, hints=True, before_bots=None):
        rules = load_game(game)
        sitting = sitting_with(rules, [None] * players, master="a", options=rules.Options())
        infos = [structs.replace(PERSON, bot=f"{'ann' if seat in people else 'bot'}-{seat}") for seat in range(players)]
        sitting = structs.replace(sitting, seats=tuple(infos), deal=deal or sitting.deal)
        self.sitting = sitting
        self.people = people
        self.started = []
        self.record = None
        self.failure = None

        @contextmanager
        def open_bots():
            if before_bots is not None:
                before_bots(len(self.started))
            bots = {seat: MadePlayer(decide(seat)) for seat in range(players) if seat not in people}
            self.started.append(bots)
            yield bots

        seating = Seating(game=game, players=players, options=rules.Options())
        self.table = SharedTable(sitting, people, open_bots, guide=Guide(seating) if hints else None)
        self._thread = Thread(target=self._play, daemon=True)

    def _play(self):
        try:
            self.record = self.table.play()
        except LeftTable:
            pass
        except BaseException as error:
            self.failure = error
            self.table.close()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.table.close()
        self._thread.join(20)
        assert self.failure is None, self.failure

    def sheets(self, seat, *, after=None):
        """Returns the next sheets of a seat, decoded; waits until there is one."""
        found = self.table.wait_for_sheets(seat, after=after, seconds=20)
        assert found, "waited twenty seconds in vain"
        return [msgspec.json.decode(packed) for _, packed in found]

    def until(self, seat, condition, *, after=None):
        """Returns the first later sheet of a seat that meets a condition."""
        while True:
            for sheet in self.sheets(seat, after=after):
                after = sheet["number"]
                if condition(sheet):
                    return sheet

    def turn(self, seat, *, after=None):
        """Returns the sheet of a seat's next decision, or the last of the game."""
        return self.until(seat, lambda sheet: sheet["choices"] or sheet["over"], after=after)

    def play_to_the_end(self, *, choose=lambda sheet: 0):
        """Plays to the end for every person, `choose` giving places of choices; returns the last sheet by seat."""
        after = dict.fromkeys(self.people)
        over = {}
        while len(over) < len(self.people):
            for seat in self.people:
                if seat in over:
                    continue
                sheet = self.sheets(seat, after=after[seat])[-1] if after[seat] is None else self._newest(seat, after)
                if sheet is None:
                    continue
                after[seat] = sheet["number"]
                if sheet["over"]:
                    over[seat] = sheet
                elif sheet["choices"]:
                    self.table.act(seat, number=sheet["number"], choice=choose(sheet))
        self._thread.join(20)
        return over

    def _newest(self, seat, after):
        found = self.table.wait_for_sheets(seat, after=after[seat], seconds=0.05 if len(self.people) > 1 else 20)
        return msgspec.json.decode(found[-1][1]) if found else None


class Wire:
    """A connection to a server that can be cut and mended; pages are opened at its own address."""

    def __init__(self, port):
        self._to = port
        self._sockets = []
        self._listener = None
        self.port = 0
        self.mend()

    def mend(self):
        """Listens, always on one port."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def _accept(self, listener):
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._sockets += [near, far]
                for here, there in ((near, far), (far, near)):
                    Thread(target=self._pass_on, args=(here, there), daemon=True).start()

    def _pass_on(self, here, there):
        with suppress(OSError):
            while content := here.recv(65536):
                there.sendall(content)
            there.shutdown(socket.SHUT_WR)

    def cut(self):
        """Ends all connections and takes no new ones."""
        for one in (self._listener, *self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()


@contextmanager
def served(made, *, allowed=()):
    """Serves a table that was made; yields its links by seat."""
    server = TableServer(made.table, allowed=allowed)
    server.open()
    try:
        with made:
            yield server.links
    finally:
        server.close()
