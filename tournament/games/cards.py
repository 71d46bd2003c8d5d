"""French-suited cards: packs, values and the text form, rank then suit (`10H`, `AS`, `KD`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from tournament.languages import gettext, gettext_noop

SUITS: Final = ("C", "D", "H", "S")
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

PACK: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, suits C D H S, each A 2 ... 10 J Q K: also the order in which choices are listed."""

ORDER: Final[dict[str, int]] = {card: index for index, card in enumerate(PACK)}
"""The place of a card in `PACK`; a text that is no card has none."""

SUIT_NAMES: Final = {
    "C": gettext_noop("clubs"),
    "D": gettext_noop("diamonds"),
    "H": gettext_noop("hearts"),
    "S": gettext_noop("spades"),
}
"""In English; where a person reads one, `gettext` gives it in their language."""

RANK_NAMES: Final = {
    "A": gettext_noop("ace"),
    "J": gettext_noop("jack"),
    "Q": gettext_noop("queen"),
    "K": gettext_noop("king"),
}
"""In English, as the names of suits."""

# Translators: {rank} is a number, or the word for ace, jack, queen or king.
_SUITED: Final = {
    "C": gettext_noop("{rank} of clubs"),
    "D": gettext_noop("{rank} of diamonds"),
    "H": gettext_noop("{rank} of hearts"),
    "S": gettext_noop("{rank} of spades"),
}

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
    """Returns a card in words, in the present language: `10 of hearts`, `king of clubs`."""
    rank, suit = parse_card(card)
    return gettext(_SUITED[suit], rank=gettext(RANK_NAMES[rank]) if rank in RANK_NAMES else rank)
