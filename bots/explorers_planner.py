"""Planner: works out what its final score may be after every lay and draw, and takes the best.

With k lays left, which cards should go where? For each suit the bot makes a table: the score
that 0, 1, 2 ... lays in that suit can come to, with the cards in hand and a share of those that
may be drawn. The best split of the lays among the suits gives the score to be expected.

A lay changes the table of one suit, a card from a pile that of another; the tables of the suits
that stay as they are, are put together once. A discard costs what it may be worth to others. A
card from the stock is worth about as much as one draw is on average; a card from a pile is worth
what it adds, and the turn that it saves, for the stock lasts longer.
"""

from __future__ import annotations

from functools import reduce
from itertools import accumulate
from math import ceil
from typing import Any

from _explorers_hand import SUITS, Expedition, Memory, Position, may_draw_from_piles, suit, value

from tournament import Bot

Table = list[float]
"""The best score with 0, 1, 2 ... lays; more lays than it is long are worth as much as its last."""


class Planner(Bot):
    """Expects a final score after every lay and draw, and plays for the highest."""

    games = ("explorers",)
    version = "1"

    def __init__(self) -> None:
        self.memory = Memory()

    def act(self, view: Any) -> Any:
        """Returns the lay that begins the best turn, or the draw that ends it best."""
        self.memory.follow(view)
        outlook = Outlook(view, self.memory.known())
        worth = outlook.lay_worth if view.phase == "lay" else outlook.draw_worth
        return max(view.legal_actions(), key=worth)


class Outlook:
    """What the seat to move can expect."""

    def __init__(self, view: Any, known: list[str]) -> None:
        self.position = Position(view, known)
        self.stock_worth = 5 if view.players == 2 else 7
        self.own = {letter: [one for one in self.position.own if one.suit == letter] for letter in SUITS}
        self.tables = {letter: self.table(letter, self.position.hand[letter], self.own[letter]) for letter in SUITS}
        self.tops: dict[str, int] = {}
        if may_draw_from_piles(view):
            self.tops = {letter: value(view.piles[letter][-1]) for letter in SUITS if view.piles[letter]}
        self.joined: dict[tuple[str, str | None], Table] = {}

    def lay_worth(self, action: Any) -> float:
        """Returns the score to expect after a lay and the draw that goes best with it."""
        return max(self.turn_worths(action).values())

    def turn_worths(self, action: Any) -> dict[str, float]:
        """Returns the score to expect after a lay and each draw that may follow it, by where it is from."""
        letter, worth = suit(action.card), value(action.card)
        hand = changed(self.position.hand[letter], worth, -1)
        own = self.own[letter]
        if action.do == "start":
            own = [*own, Expedition(number=len(self.position.own), suit=letter).with_card(worth)]
        elif action.do == "build":
            own = [one.with_card(worth) if one.number == action.expedition else one for one in own]

        table = self.table(letter, hand, own)
        score = best_split(self.others(letter), table, self.position.turns - 1)
        draws: dict[str, float] = {"stock": self.stock_worth}
        for pile, top in self.tops.items():
            if pile != letter:
                draws[pile] = self.gain(score, self.others(letter, pile), table)
            elif action.do != "discard":
                draws[pile] = self.gain(score, self.others(letter), self.table(letter, changed(hand, top, 1), own))
        if action.do == "discard":
            score -= 0.9 * self.position.gift(action.card, 0.35) / (self.position.players - 1)
        return {source: score + draw for source, draw in draws.items()}

    def draw_worth(self, action: Any) -> float:
        """Returns what a draw adds to the score to expect."""
        letter = action.source
        if letter == "stock":
            return self.stock_worth
        if letter not in self.tops:
            return float("-inf")
        score = best_split(self.others(letter), self.tables[letter], self.position.turns - 1)
        return self.gain(score, self.others(letter), self.table_with_top(letter))

    def gain(self, score: float, others: Table, table: Table) -> float:
        """Returns what a card from a pile adds: what it is worth itself, and the turn that the stock lasts longer.

        `score` is what to expect without it, `table` and `others` have it in them.
        """
        turns, players = self.position.turns, self.position.players
        with_card = best_split(others, table, turns - 1)
        with_turn = best_split(others, table, turns)
        return (with_card - score) + (1 - 1 / players) * (with_turn - with_card)

    def others(self, letter: str, pile: str | None = None) -> Table:
        """Returns the table of all suits but one, perhaps with the top card of a pile in the hand."""
        key = letter, pile
        if key not in self.joined:
            tables = (
                self.table_with_top(other) if other == pile else self.tables[other]
                for other in SUITS
                if other != letter
            )
            self.joined[key] = reduce(self.join, tables)
        return self.joined[key]

    def table_with_top(self, letter: str) -> Table:
        """Returns the table of a suit with the top card of its pile in the hand."""
        return self.table(letter, changed(self.position.hand[letter], self.tops[letter], 1), self.own[letter])

    def join(self, first: Table, second: Table) -> Table:
        """Returns the table of two together: the best split of every number of lays."""
        longest = min(self.position.turns, len(first) + len(second) - 2)
        return [best_split(first, second, lays) for lays in range(longest + 1)]

    def table(self, letter: str, hand: list[int], own: list[Expedition]) -> Table:
        """Returns the table of one suit.

        All lays go on one expedition: the one with most pictures, then the lowest; or a new one if
        there is none. The others stay as they are. For every number of pictures and every number
        of cards in hand, highest first, it takes in none, half or all of the cards that may come.
        """
        fixed = sum(one.points for one in own)
        main = max(own, key=lambda one: (one.faces, -one.top), default=None)
        if main is None:
            main = Expedition(number=0, suit=letter)
        else:
            fixed -= main.points
        low = max(1, main.top)
        numbers = [worth for worth in range(10, low - 1, -1) for _ in range(hand[worth])]
        faces = hand[0] if main.top <= 0 else 0

        unseen = self.position.unseen[letter]
        drawn = 0.4 * self.position.chance * sum(unseen[low:])
        hoped = 0.4 * self.position.chance * sum(worth * unseen[worth] for worth in range(low, 11))
        more = ((0, 0.0), (ceil(drawn / 2), hoped / 2), (ceil(drawn), hoped))

        nothing = float(sum(one.points for one in own))
        table = [nothing] * (min(self.position.turns, faces + len(numbers) + ceil(drawn)) + 1)
        for extra in range(faces + 1):
            factor = main.factor + extra
            for count, total in enumerate(accumulate(numbers, initial=main.total - 20)):
                if extra + count == 0 and not own:
                    continue
                for lays, worth in more:
                    at = extra + count + lays
                    if at < len(table):
                        table[at] = max(table[at], fixed + (total + worth) * factor)
        return list(accumulate(table, max))


def changed(hand: list[int], worth: int, by: int) -> list[int]:
    """Returns a suit of a hand with a card more or less."""
    return [count + by if index == worth else count for index, count in enumerate(hand)]


def best_split(first: Table, second: Table, lays: int) -> float:
    """Returns the best score when some of the lays go into the first table and the rest into the second."""
    last_first, last_second = len(first) - 1, len(second) - 1
    fewest = max(0, min(last_first, lays - last_second))
    return max(first[here] + second[min(lays - here, last_second)] for here in range(fewest, min(lays, last_first) + 1))
