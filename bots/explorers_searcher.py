"""Searcher: asks Planner what looks good, and plays each of it on in many worlds that may be the real one.

A world is what this seat cannot know, made up to fit everything it has seen; those in which the
others would have laid what they did are likelier. In each world every turn that Planner thinks
well of is tried, and Swift plays on to the end in all seats. The worlds are the same for all, so
luck falls on all alike. After a first round only the best go on to more worlds.

It begins no round that would take it beyond half of the time given for a move, and leaves the
bank alone. When there is hardly any time, it does what Planner would.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from _explorers_hand import SUITS, Memory
from _explorers_swift import play_on
from _explorers_witness import Witness
from _explorers_worlds import STOCK, Array, Worlds, counted, kind
from explorers_planner import Outlook

from tournament import Bot

ROUNDS = ((12, 64), (5, 128), (2, 320))
"""So many turns are tried in so many worlds more."""

SHARE = 0.5
"""How much of the time for a move it uses at most."""

LEAST_MS = 200
"""With less time for a move it does not search."""

WIDE = 40.0
"""Points of lead beyond which more are hardly worth more."""

FAITH = 0.25
"""What a point that Planner expects counts beside one from the worlds."""


class Turn(NamedTuple):
    """A lay, and where to draw from after it."""

    lay: Any
    source: str
    worth: float
    """What Planner expects of it."""


class Searcher(Bot):
    """Tries Planner's best ideas in worlds that fit what it has seen."""

    games = ("explorers",)
    version = "1"

    def start(self, info: Any) -> None:
        """Seeds the bot's own source of chance."""
        self.chance = np.random.default_rng(info.rng.getrandbits(64))
        self.memory = Memory()
        self.witness = Witness(info.players)
        self.source = "stock"

    def act(self, view: Any) -> Any:
        """Returns the lay that begins the best turn, or the draw that was thought of with it."""
        begin = perf_counter()
        self.memory.follow(view)
        self.witness.follow(view)
        if view.phase == "draw":
            return next(draw for draw in view.legal_actions() if draw.source == self.source)
        turns = best_turns(view, self.memory.known())
        limit = self.clock.move_ms
        if len(turns) == 1 or (limit is not None and limit < LEAST_MS):
            turn = turns[0]
        else:
            turn = self.search(view, turns, None if limit is None else begin + SHARE * limit / 1000)
        self.source = turn.source
        return turn.lay

    def search(self, view: Any, turns: list[Turn], end: float | None) -> Turn:
        """Returns the turn that does best; no round begins that would last beyond `end`."""
        hands, stock = self.witness.sample(view, self.chance, sum(worlds for _, worlds in ROUNDS))
        results = np.zeros((len(turns), 0))
        seconds_a_game = 0.0
        for most, worlds in ROUNDS:
            best = np.argsort(-marks(turns, results), kind="stable")[:most]
            turns, results = [turns[place] for place in best], results[best]
            begin = perf_counter()
            if end is not None and begin + seconds_a_game * len(turns) * worlds > end:
                break
            tried = slice(results.shape[1], results.shape[1] + worlds)
            found = self.try_turns(view.seat, turns, [hand[:, tried] for hand in hands], stock[:, tried])
            results = np.hstack([results, found])
            seconds_a_game = (perf_counter() - begin) / found.size
        return turns[int(marks(turns, results).argmax())]

    def try_turns(self, seat: int, turns: list[Turn], hands: list[Array], stock: Array) -> Array:
        """Returns how far ahead the seat is at the end, after each turn in each world: (turns, worlds)."""
        table, count = self.witness.table, stock.shape[1]
        batches = []
        for lay, _, _ in turns:
            laid = counted([kind(lay.card)])
            held = [hand - laid[:, None] if place == seat else hand for place, hand in enumerate(hands)]
            after = table.after_lay(
                seat, lay.card, expedition=getattr(lay, "expedition", None), discard=lay.do == "discard"
            )
            batches.append(Worlds(after, unlaid=self.witness.unlaid - laid, hands=held, stock=stock))
        worlds = Worlds.joined(batches)
        places = [STOCK if turn.source == "stock" else SUITS.index(turn.source) for turn in turns]
        worlds.draw(seat, np.repeat(places, count))
        scores = play_on(worlds, (seat + 1) % table.players)
        leads = scores[seat] - (scores.sum(0) - scores[seat]) / (table.players - 1)
        ahead: Array = WIDE * np.tanh(leads / WIDE).reshape(len(turns), count)
        return ahead


def best_turns(view: Any, known: list[str]) -> list[Turn]:
    """Returns the turns Planner expects most of, best first."""
    outlook = Outlook(view, known)
    turns = [
        Turn(lay, source, worth) for lay in view.legal_actions() for source, worth in outlook.turn_worths(lay).items()
    ]
    return sorted(turns, key=lambda turn: -turn.worth)[: ROUNDS[0][0]]


def marks(turns: list[Turn], results: Array) -> Array:
    """Returns how good turns are after so many results each: (turns)."""
    expected: Array = FAITH * np.array([turn.worth for turn in turns])
    return expected + results.mean(1) if results.size else expected
