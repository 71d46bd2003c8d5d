"""A deal as one draw after another: what chance does in OpenSpiel, which counts every card as an event.

Cards are drawn hand by hand, left to right, round after round; explorers' stock comes last, first
drawn first. So every deal of the rules is a sequence of outcomes, with the probability that it has there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from tournament.errors import GameError
from tournament.games.cards import PACK
from tournament.games.explorers import rules as explorers
from tournament.games.explorers.types import ExplorersDeal
from tournament.games.scout import rules as scout
from tournament.games.scout.types import TURNED, VALUE, ScoutDeal, ScoutRound


class Dealing(ABC):
    """How the cards of one game for one number of players are dealt."""

    cards: tuple[str, ...]
    """What each outcome means, by its number."""

    length: int
    """How many cards are drawn."""

    @abstractmethod
    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns what can be drawn after these outcomes, lowest number first, each with its probability."""

    @abstractmethod
    def deal_of(self, dealt: Sequence[int]) -> Any:
        """Returns the deal that all outcomes together are."""

    @abstractmethod
    def cards_of(self, deal: Any) -> list[str]:
        """Returns the cards of a deal in the order they are drawn."""

    def outcomes_of(self, deal: Any) -> list[int]:
        """Returns the outcomes that make a deal."""
        numbers = {card: number for number, card in enumerate(self.cards)}
        return [numbers[card] for card in self.cards_of(deal)]


class ScoutDealing(Dealing):
    """A card either way up, each card once; a new pack for each round, but for two players one for both (3)."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._hand = scout.HAND_SIZE[players]
        self._pack = scout.pack_for(players)
        self.cards = tuple(VALUE)
        self.length = len(self._pack) * (1 if players == 2 else players)
        numbers = {card: number for number, card in enumerate(self.cards)}
        self._ways = {numbers[card]: (numbers[card], numbers[TURNED[card]]) for card in self._pack}
        self._numbers = sorted(number for ways in self._ways.values() for number in ways)
        self._other_way = {one: other for pair in self._ways.values() for one, other in (pair, pair[::-1])}

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the cards left in the pack that is being dealt, both ways up alike."""
        gone = set(dealt[len(dealt) // len(self._pack) * len(self._pack) :])
        gone |= {self._other_way[number] for number in gone}
        left = [number for number in self._numbers if number not in gone]
        return [(number, 1 / len(left)) for number in left]

    def deal_of(self, dealt: Sequence[int]) -> ScoutDeal:
        """Returns the hands of all rounds."""
        cards = [self.cards[number] for number in dealt]
        hands = [tuple(cards[begin : begin + self._hand]) for begin in range(0, len(cards), self._hand)]
        rounds = range(0, len(hands), self._players)
        return ScoutDeal(tuple(ScoutRound(tuple(hands[first : first + self._players])) for first in rounds))

    def cards_of(self, deal: ScoutDeal) -> list[str]:
        """Returns all cards, hand by hand, round by round."""
        return [card for round_ in deal.rounds for hand in round_.hands for card in hand]


class ExplorersDealing(Dealing):
    """Cards that look the same are the same outcome, twice as likely while both are left."""

    def __init__(self, players: int) -> None:
        self._hands = players
        self._copies = len(explorers.pack(players)) // len(PACK)
        self.cards = PACK
        self.length = len(explorers.pack(players))

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the cards left, by how many of each."""
        gone = Counter(dealt)
        rest = self.length - len(dealt)
        left = ((number, self._copies - gone[number]) for number in range(len(PACK)))
        return [(number, count / rest) for number, count in left if count]

    def deal_of(self, dealt: Sequence[int]) -> ExplorersDeal:
        """Returns hands and stock."""
        cards = [self.cards[number] for number in dealt]
        size = explorers.HAND_SIZE
        hands = tuple(tuple(cards[size * seat : size * (seat + 1)]) for seat in range(self._hands))
        return ExplorersDeal(hands, tuple(cards[size * self._hands :]))

    def cards_of(self, deal: ExplorersDeal) -> list[str]:
        """Returns the cards of the hands, then those of the stock."""
        return [*(card for hand in deal.hands for card in hand), *deal.stock]


_DEALINGS: Final = {"scout": ScoutDealing, "explorers": ExplorersDealing}


@cache
def dealing_of(game: str, players: int) -> Dealing:
    """Returns how a game is dealt for a number of players. Raises `GameError` for a game that is not known here."""
    if game not in _DEALINGS:
        raise GameError(f"{game} cannot be dealt card by card: that is made for {' and '.join(_DEALINGS)}.")
    dealing: Dealing = _DEALINGS[game](players)
    return dealing
