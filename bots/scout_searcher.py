"""Searcher: asks Keeper what looks good, and plays each of it on in many worlds that may be the real one.

A world is what this seat cannot know, redealt to fit everything it has seen. In each world every
candidate is tried, and Swift plays the round to its end in all seats. Since the worlds are the same
for all candidates, luck falls on all alike, and a few dozen worlds tell a good move from a bad one.

It leaves Keeper's choice only when another is better by more than chance would explain. It begins
no world that would take it beyond half of the time given for a move, and leaves the bank alone.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

from _scout_hand import Option, numbers, options, plays_to_empty
from scout_keeper import Keeper, end_mark, ends_round, least_plays_left, mark_without_plays
from scout_swift import Swift

from tournament import Bot, load_game

CANDIDATES = 6
LOOKED_AT = 20
"""Of so many options, the most promising, Keeper's mark is worked out."""

WORLDS = 40
"""So many worlds, where there is time for them."""

SHARE = 0.5
"""How much of the time for a move it uses at most."""

DOUBT = 1.0
"""By so many standard errors another action must be better than Keeper's."""


class Searcher(Bot):
    """Tries Keeper's best ideas in worlds that fit what it has seen."""

    games = ("scout",)
    version = "1"

    def start(self, info: Any) -> None:
        """Keeps the bot's own source of chance, and the game it redeals with."""
        self.rng = info.rng
        self.game = load_game("scout")
        self.keeper = Keeper()
        self.seen: list[Any] = []

    def act(self, view: Any) -> Any:
        """Returns the action that does best in the worlds tried."""
        begin = perf_counter()
        self.seen.append(view)
        legal = view.legal_actions()
        if len(legal) == 1:
            return legal[0]
        guess = self.keeper.act(view)
        candidates = list(legal) if view.phase == "orient" else best_actions(view)
        candidates = [guess, *(action for action in candidates if action != guess)][:CANDIDATES]
        if len(candidates) == 1:
            return guess
        limit = self.clock.move_ms
        seconds = None if limit is None else SHARE * limit / 1000
        gains: list[list[float]] = [[] for _ in candidates]
        for tried in range(WORLDS):
            if seconds is not None and tried and (perf_counter() - begin) * (tried + 1) / tried > seconds:
                break
            world = self.game.redeal(self.seen, self.rng)
            for gain, action in zip(gains, candidates, strict=True):
                gain.append(played_on(world.copy(), action, view.seat))
        return candidates[chosen(gains)]


def best_actions(view: Any) -> list[Any]:
    """Returns the actions with Keeper's highest marks, best first."""
    fewest = plays_to_empty(numbers(view.hand))
    ranked = []
    for option in options(view):
        if ends_round(option, view):
            ranked.append((end_mark(option, view), option))
        else:
            ranked.append((mark_without_plays(option, view.players) - least_plays_left(option, fewest), option))
    ranked.sort(key=lambda pair: -pair[0])
    marked = [(exact_mark(option, view), option) for _, option in ranked[:LOOKED_AT]]
    marked.sort(key=lambda pair: -pair[0])
    return list(dict.fromkeys(option.action for _, option in marked))


def exact_mark(option: Option, view: Any) -> float:
    """Returns Keeper's mark of an option."""
    if ends_round(option, view):
        return end_mark(option, view)
    return mark_without_plays(option, view.players) - plays_to_empty(option.hand)


def played_on(state: Any, action: Any, seat: int) -> float:
    """Returns a seat's points minus the mean of the others' when Swift plays the round on after an action."""
    swift = Swift()
    event = state.apply(action)
    while event.round_over is None:
        event = state.apply(swift.act(state.view(state.to_move)))
    points = event.round_over.points
    own = points[seat]
    return float(own - (sum(points) - own) / (len(points) - 1))


def chosen(gains: list[list[float]]) -> int:
    """Returns the candidate that is better than the first by most, if by more than its doubt; else the first."""
    best, choice = 0.0, 0
    count = len(gains[0])
    if count < 2:
        return 0
    for index, gain in enumerate(gains[1:], start=1):
        more = [there - here for there, here in zip(gain, gains[0], strict=True)]
        mean = sum(more) / count
        error = (sum((one - mean) ** 2 for one in more) / (count - 1) / count) ** 0.5
        if mean - DOUBT * error > best:
            best, choice = mean - DOUBT * error, index
    return choice
