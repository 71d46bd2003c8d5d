"""What learners need of De store oppdagere: observations, memories and chance as numbers."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from tournament.games.cards import ORDER, PACK, RANKS, SUITS
from tournament.games.explorers.lays import HAND_SIZE, MOST_EXPEDITIONS, VALUES, pack
from tournament.games.explorers.state import points
from tournament.games.explorers.types import (
    Built,
    Cards,
    Discarded,
    DrawSource,
    Drew,
    ExplorersDeal,
    ExplorersOptions,
    ExplorersPhase,
    ExplorersPublicView,
    StartedExpedition,
)
from tournament.games.parts import MOST, Dealing, Numbers, Piece, Row, TrainingBounds, copy_pieces, piece_offsets

_PHASES: Final = tuple(ExplorersPhase)
_PHASE_PLACES: Final = {phase: place for place, phase in enumerate(_PHASES)}
_CODES: Final = {card: number + 1 for card, number in ORDER.items()}
_SOURCES: Final = {source: number for number, source in enumerate(DrawSource, start=1)}


# What lies on the table changes by one card at a time, and learners look at it again and again.


@lru_cache(maxsize=4096)
def _write_expeditions(own: tuple[Cards, ...], suit_size: int) -> tuple[array[int], int]:
    """Returns the numbers of one seat's expeditions, of each suit from the highest top down, and their points."""
    written = array("h", bytes(2 * len(SUITS) * suit_size))
    total = 0
    by_suit: dict[str, list[tuple[int, array[int]]]] = {suit: [] for suit in SUITS}
    for cards in own:
        suit, worth, lowered, numbers = _sum_up(cards)
        by_suit[suit].append((lowered, numbers))
        total += worth
    begin = 0
    for of_suit in by_suit.values():
        if len(of_suit) > 1:
            of_suit.sort(key=_FIRST)  # of equal ones the oldest stays first
        place = begin
        for _, numbers in of_suit:
            written[place : place + 4] = numbers
            place += 4
        begin += suit_size
    return written, total


_FIRST: Final = itemgetter(0)


@lru_cache(maxsize=1 << 15)
def _sum_up(cards: Cards) -> tuple[str, int, int, array[int]]:
    """Returns the suit of an expedition, its points, its top below 0, and its numbers."""
    values = [VALUES[card] for card in cards]
    return cards[-1][-1], points(cards), -values[-1], array("h", (1, values[-1], sum(values), values.count(0)))


@lru_cache(maxsize=4096)
def _count_pile(pile: Cards) -> tuple[int, array[int]]:
    """Returns the place in `PACK` of the ace of a pile's suit, and how many cards of each rank lie in it."""
    first = SUITS.index(pile[-1][-1]) * len(RANKS)
    counts = array("h", bytes(2 * len(RANKS)))
    for card in pile:
        counts[ORDER[card] - first] += 1
    return first, counts


class ExplorersTraining:
    """De store oppdagere as numbers, for one number of players."""

    row_width: int = 4

    def __init__(self, players: int) -> None:
        self._players = players
        self._copies = len(pack(players)) // len(PACK)
        seats, copies, cards = (players,), self._copies, len(pack(players))
        self.pieces: Mapping[str, Piece] = {
            "seat": Piece(seats, 1),
            "to_move": Piece(seats, 1),
            "phase": Piece((len(_PHASES),), 1),
            # For each seat and suit its expeditions, the highest top first, then the oldest: the order in
            # which builds are numbered. Of each: 1 for being there, value on top, sum of values, pictures.
            "expeditions": Piece((players, len(SUITS), cards // len(SUITS), 4), 55 * copies),
            "pile_tops": Piece((len(PACK),), 1),
            "piles": Piece((len(PACK),), copies),
            "closed": Piece((len(SUITS),), 1),
            "stock": Piece((1,), cards),
            "pile_draws": Piece((1,), MOST),
            "hand_sizes": Piece(seats, cards),
            "scores": Piece(seats, MOST, -MOST),
            "turns_left": Piece((1,), MOST),
            "hand": Piece((len(PACK),), copies, private=True),
        }
        self._begins = piece_offsets(self.pieces)
        self._suit_size = 4 * (cards // len(SUITS))

    def write_pieces(self, view: ExplorersPublicView, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills zeroed pieces with what a view tells; seats count from `seat`."""
        copy_pieces(self, view, seat, into)

    def write_numbers(self, view: ExplorersPublicView, seat: int, into: array[int]) -> None:
        """Fills a zeroed array with all pieces in their order; seats count from `seat`."""
        players, begins = self._players, self._begins
        into[seat] = 1
        if view.to_move is not None:
            into[begins["to_move"] + (view.to_move - seat) % players] = 1
        into[begins["phase"] + _PHASE_PLACES[view.phase]] = 1
        expeditions, scores, hand_sizes = begins["expeditions"], begins["scores"], begins["hand_sizes"]
        for own in view.expeditions[seat:] + view.expeditions[:seat]:
            written, into[scores] = _write_expeditions(own, self._suit_size)
            into[expeditions : expeditions + 4 * self._suit_size] = written
            expeditions += 4 * self._suit_size
            scores += 1
        for size in view.hand_sizes[seat:] + view.hand_sizes[:seat]:
            into[hand_sizes] = size
            hand_sizes += 1
        tops, piles = begins["pile_tops"], begins["piles"]
        shown = view.piles
        for pile in (shown.C, shown.D, shown.H, shown.S):
            if pile:
                into[tops + ORDER[pile[-1]]] = 1
                first, counts = _count_pile(pile)
                into[piles + first : piles + first + len(RANKS)] = counts
        if view.closed is not None:
            into[begins["closed"] + SUITS.index(view.closed)] = 1
        into[begins["stock"]] = view.stock
        into[begins["pile_draws"]] = min(view.pile_draws, MOST)
        into[begins["turns_left"]] = min(view.turns_left, MOST)
        hand = begins["hand"]
        for card in getattr(view, "hand", ()):
            into[hand + ORDER[card]] += 1

    def hand_rows(self, view: Any) -> Iterator[Row]:
        """Returns a row for each card: kind 1, the viewer, the card, its place."""
        return ((1, 1, _CODES[card], place) for place, card in enumerate(view.hand, start=1))

    def news_row(self, item: Any, seat: int) -> Row:
        """Returns kind, seat, card, then expedition or source."""
        who = (item.seat - seat) % self._players + 1
        card = 0 if item.card is None else _CODES[item.card]
        if isinstance(item, Drew):
            return (5, who, card, _SOURCES[item.source])
        if isinstance(item, Built):
            return (3, who, card, item.expedition + 1)
        assert isinstance(item, StartedExpedition | Discarded)
        return (2 if isinstance(item, StartedExpedition) else 4, who, card, 0)

    def dealing(self, options: ExplorersOptions) -> ExplorersDealing:
        """Returns how the cards are dealt one by one."""
        return ExplorersDealing(self._players)

    def bounds(self, options: ExplorersOptions) -> TrainingBounds:
        """Returns how long a game can get and what it can bring."""
        turns = options.move_limit
        if options.stall_limit is not None:
            stock = len(pack(self._players)) - self._players * HAND_SIZE
            turns = min(turns, stock * (1 + options.stall_limit))
        # At worst as many expeditions as there can be, worth nothing, and every picture on one of them;
        # at best the whole of each suit on one.
        return TrainingBounds(
            decisions=2 * turns,
            rows=HAND_SIZE + 1 + 2 * turns,
            lowest=-20 * (MOST_EXPEDITIONS[self._players] + 12 * self._copies),
            highest=4 * (55 * self._copies - 20) * (1 + 3 * self._copies),
        )


class ExplorersDealing(Dealing):
    """Cards that look the same are the same outcome, twice as likely while both are left."""

    def __init__(self, players: int) -> None:
        self._hands = players
        self._copies = len(pack(players)) // len(PACK)
        self.cards = PACK
        self.length = len(pack(players))

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the cards left, by how many of each."""
        gone = Counter(dealt)
        rest = self.length - len(dealt)
        left = ((number, self._copies - gone[number]) for number in range(len(PACK)))
        return [(number, count / rest) for number, count in left if count]

    def deal_of(self, dealt: Sequence[int]) -> ExplorersDeal:
        """Returns hands and stock."""
        cards = [self.cards[number] for number in dealt]
        size = HAND_SIZE
        hands = tuple(tuple(cards[size * seat : size * (seat + 1)]) for seat in range(self._hands))
        return ExplorersDeal(hands, tuple(cards[size * self._hands :]))

    def cards_of(self, deal: ExplorersDeal) -> list[str]:
        """Returns the cards of the hands, then those of the stock."""
        return [*(card for hand in deal.hands for card in hand), *deal.stock]
