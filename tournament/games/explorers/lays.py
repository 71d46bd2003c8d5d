"""What may be done in De store oppdagere: tables of all actions, and the functions that choose from them.

The state lists its actions with the functions of this module, and so does the view: a bot in another process works out
its own choices with the same code. All actions are made once, at import, and handed out from tables. In here a card is
also its place in `PACK`, since numbers sort fast and find their action in a list. Rule numbers in brackets are those of
the rule card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tournament.games.cards import ORDER, PACK, RANKS, SUITS
from tournament.games.explorers.types import (
    Build,
    Cards,
    Discard,
    Draw,
    DrawSource,
    ExplorersLay,
    ExplorersOptions,
    StartExpedition,
)

MOST_CARDS: Final = 2 * len(PACK)
"""The cards of two packs: the most a game has."""

HAND_SIZE: Final = 10
MOST_EXPEDITIONS: Final = {2: 31, 3: 73, 4: 63}
"""How many expeditions a seat can reach in a game dealt by the rules, by number of players."""

_RANKS: Final = len(RANKS)

VALUES: Final[dict[str, int]] = {card: 0 if card[0] in "JQK" else RANKS.index(card[:-1]) + 1 for card in PACK}
"""The value of a card: ace 1, 2 to 10 as printed, pictures 0 (3)."""

PLACES: Final[dict[str, tuple[int, int]]] = {card: (place // _RANKS, place) for place, card in enumerate(PACK)}
"""The place of a card's suit in `SUITS`, and its own in `PACK`."""

STARTS: Final = tuple(StartExpedition(card) for card in PACK)
BUILDS: Final = tuple(tuple(Build(card, index) for index in range(MOST_CARDS)) for card in PACK)
DISCARDS: Final = tuple(Discard(card) for card in PACK)
DRAWS: Final = tuple(Draw(source) for source in DrawSource)
"""From the stock, then from the pile of each suit."""

_LAYS: Final = tuple(zip(VALUES.values(), STARTS, BUILDS, DISCARDS, strict=True))
_DRAWS_BY_PILES: Final = tuple(
    (DRAWS[0], *(DRAWS[1 + suit] for suit in range(len(SUITS)) if piles >> suit & 1))
    for piles in range(1 << len(SUITS))
)


def pack(players: int) -> tuple[str, ...]:
    """Returns the cards of a game in order: one pack for two players, two packs for more (1)."""
    return PACK if players == 2 else PACK * 2


def held_by_suit(hand: Iterable[str]) -> list[list[int]]:
    """Returns the cards of a hand as places in `PACK`, one sorted list for each suit."""
    held: list[list[int]] = [[] for _ in SUITS]
    for place in sorted([ORDER[card] for card in hand]):
        held[place // _RANKS].append(place)
    return held


def tops_by_suit(expeditions: Sequence[Cards]) -> list[dict[int, int]]:
    """Returns for each suit the value laid last on each of its expeditions, by index, oldest first."""
    tops: list[dict[int, int]] = [{} for _ in SUITS]
    for index, cards in enumerate(expeditions):
        top = cards[-1]
        tops[PLACES[top][0]][index] = VALUES[top]
    return tops


def lays_of_suit(held: list[int], tops: dict[int, int]) -> tuple[ExplorersLay, ...]:
    """Returns what may be laid of one suit (4 to 7): for each card start, builds by index, discard.

    `held` are the cards of the suit in hand, sorted, equal ones once or more (13); `tops` is the value
    laid last on each of the seat's expeditions of the suit, by index.
    """
    lays: list[ExplorersLay] = []
    before = -1
    for place in held:
        if place == before:
            continue
        value, start, builds, discard = _LAYS[place]
        lays.append(start)
        for index, top in tops.items():
            if top <= value:
                lays.append(builds[index])
        lays.append(discard)
        before = place
    return tuple(lays)


def open_piles(piles: Iterable[Cards]) -> int:
    """Returns the piles that hold cards as a sum of `1 << suit`, given all four."""
    return sum(1 << suit for suit, pile in enumerate(piles) if pile)


def draws(options: ExplorersOptions, *, piles: int, closed: int | None, pile_draws: int) -> tuple[Draw, ...]:
    """Returns the draws allowed (8, 14): the stock first, then piles by suit.

    `piles` is what `open_piles` gives, `closed` the place in `SUITS` of the pile just discarded on.
    """
    if options.stall_limit is not None and pile_draws >= options.stall_limit:
        piles = 0
    elif closed is not None:
        piles &= ~(1 << closed)
    return _DRAWS_BY_PILES[piles]
