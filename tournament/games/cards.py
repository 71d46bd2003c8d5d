"""French-suited cards: packs, values and the text form, rank then suit (`10H`, `AS`, `KD`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

SUITS: Final = ("C", "D", "H", "S")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PACK: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, suits C D H S, each A 2 ... 10 J Q K: also the order in which choices are listed."""

ORDER: Final[dict[str, int]] = {card: index for index, card in enumerate(PACK)}
"""The place of a card in `PACK`; a text that is no card has none."""

SUIT_NAMES: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANK_NAMES: Final = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}

if TYPE_CHECKING:
    Card = str
else:
    Card = Literal[PACK]
"""The type of a card in structs: read and written as one of the 52 texts, and nothing else."""


def parse_card(text: str) -> tuple[str, str]:
    """Returns rank and suit of a card such as `10H`. Raises `ValueError` for anything else."""
    if text not in ORDER:
        raise ValueError(f'"{text}" is no card: rank (A 2 ... 10 J Q K) then suit (C D H S), such as 10H')
    return text[:-1], text[-1]


def name_card(card: str) -> str:
    """Returns a card in words: `10 of hearts`, `king of clubs`."""
    rank, suit = parse_card(card)
    return f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}"
