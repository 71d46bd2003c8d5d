"""One game of a check: its name in messages, and how what it does is compared."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import msgspec

from tournament.errors import GameError

CardsOf = Callable[[Any], Iterable[Hashable]]

LONGEST_GAME = 20_000
"""Decisions after which a random game counts as one that never ends."""

encode = msgspec.json.Encoder(order="sorted").encode


class BrokenContractError(AssertionError):
    """The contract is broken. A class of its own, so that assertions of the game itself are told apart."""


class Chance:
    """The source of chance that rules may use, with nothing but its one method."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed)).random


class Case:
    """One random game: its name in every message, and the ways to compare what it does."""

    def __init__(self, game: Any, *, players: int, seed: int, cards_of: CardsOf | None = None) -> None:
        self.game = game
        self.players = players
        self.seed = seed
        self.step = 0
        self.cards_of = cards_of
        self.seats: tuple[int | None, ...] = (*range(players), None)
        self.chance = random.Random(f"{seed} {players} questions")
        """Chooses what is asked."""

    def fail(self, what: str, *, expected: object, found: object) -> NoReturn:
        """Raises the error that says what is wrong, and where."""
        where = f"{self.game.name}, {self.players} players, seed {self.seed}, step {self.step}"
        raise BrokenContractError(f"{where}: {what}. Expected {_short(expected)}; found {_short(found)}.")

    def need(self, what: str, holds: bool, *, expected: object, found: object) -> None:
        """Fails unless something holds."""
        if not holds:
            self.fail(what, expected=expected, found=found)

    def same(self, what: str, expected: Any, found: Any) -> None:
        """Fails unless two values are the same as JSON, and says where they differ first."""
        one = expected if isinstance(expected, bytes) else encode(expected)
        other = found if isinstance(found, bytes) else encode(found)
        if one != other:
            path, wanted, had = _first_difference(msgspec.json.decode(one), msgspec.json.decode(other))
            self.fail(f"{what} (at {path})" if path else what, expected=wanted, found=had)

    def same_cards(self, what: str, expected: Counter[Hashable], state: Any) -> None:
        """Fails unless a state has exactly these cards. Does nothing without `cards_of`."""
        if self.cards_of is None:
            return
        found = Counter(self.cards_of(state))
        lost, more = list((expected - found).elements()), list((found - expected).elements())
        self.need(what, not lost and not more, expected="the cards of the deal", found=f"lost {lost}, too many {more}")

    def cards(self, state: Any) -> Counter[Hashable]:
        """Returns the cards of a state; none without `cards_of`."""
        return Counter(self.cards_of(state) if self.cards_of else ())

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Turns any exception of the game into a finding."""
        try:
            yield
        except BrokenContractError:
            raise
        except Exception as error:
            text = f"{type(error).__name__}: {error}"
            raise BrokenContractError(
                f"{self.game.name}, {self.players} players, seed {self.seed}, step {self.step}: "
                f"the game stopped with an exception. Expected an answer; found {text}."
            ) from error

    @contextmanager
    def global_random_in_other_hands(self, number: int) -> Iterator[None]:
        """Changes Python's global `random` while the game is played, and fails when the game used it."""
        usual, calls = random.random, [0]

        def other_random() -> float:
            calls[0] += 1
            return number / 10

        random.seed(number)
        before = random.getstate()
        random.random = other_random
        try:
            yield
        finally:
            random.random = usual
        self.need(
            "the game draws from Python's global random",
            not calls[0] and before == random.getstate(),
            expected="chance from the rng of deal and redeal only",
            found="the global random used",
        )

    def written(self, what: str, value: Any, kind: Any) -> Any:
        """Returns a value written as JSON and read as its type; fails when it comes back as another."""
        line = encode(value)
        try:
            read = msgspec.json.decode(line, type=kind)
        except msgspec.ValidationError as error:
            self.fail(f"{what} cannot be read as it was written: {error}", expected=kind, found=line.decode())
        self.need(f"{what} comes back from JSON as something else", read == value, expected=value, found=read)
        return read

    def snapshot(self, state: Any) -> bytes:
        """Returns everything that can be seen of a state, by all seats."""
        views = [state.view(seat) for seat in self.seats]
        return encode([state.to_move, views, list(state.legal_actions()), state.outcome(), state.standing()])

    def legal_actions(self, state: Any) -> Any:
        """Returns the legal actions; fails when there is none although somebody is to move."""
        legal = state.legal_actions()
        self.need(f"seat {state.to_move} is to move", len(legal) > 0, expected="legal actions", found="none")
        return legal

    def redeal(self, seen: Sequence[Any], seed: object) -> Any:
        """Returns a state dealt again from what a seat saw; fails when the game refuses these views."""
        try:
            return self.game.redeal(seen, Chance(seed))
        except GameError as error:
            self.fail(
                f"redeal refuses what seat {seen[-1].seat} saw: that shows what it cannot know, or redeal does not fit",
                expected="a state",
                found=repr(error),
            )

    def play_on(self, state: Any, *, steps: int = LONGEST_GAME, seed: object = 0) -> None:
        """Plays at most that many random actions."""
        choose = random.Random(f"{self.seed} {seed} play on").random
        for _ in range(steps):
            if state.to_move is None:
                return
            legal = self.legal_actions(state)
            state.apply(legal[int(choose() * len(legal))])


def who(seat: int | None) -> str:
    """Returns a seat in words."""
    return "the public" if seat is None else f"seat {seat}"


def without_news(view: Any) -> dict[str, Any]:
    """Returns the fields of a view but its news."""
    fields: dict[str, Any] = msgspec.to_builtins(view)
    del fields["news"]
    return fields


def private_part(state: Any, seat: int) -> bytes:
    """Returns what only this seat sees: the fields in which its view is not the public one."""
    public = without_news(state.view(None))
    mine = without_news(state.view(seat)).items()
    return encode({name: value for name, value in mine if name not in public or public[name] != value})


def _first_difference(expected: Any, found: Any, path: str = "") -> tuple[str, Any, Any]:
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        name = next(name for name in expected if expected[name] != found[name])
        return _first_difference(expected[name], found[name], f"{path}.{name}".lstrip("."))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        index = next(index for index, value in enumerate(expected) if value != found[index])
        return _first_difference(expected[index], found[index], f"{path}[{index}]")
    return path, expected, found


def _short(value: object) -> str:
    text = str(value).rstrip(".")
    return text if len(text) <= 300 else f"{text[:300]}..."
