"""Hands of SCOUT: dealt by the rules, and checked. Rule numbers in brackets are those of the rule card."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.errors import DealError
from tournament.games.contract import Rng, shuffled
from tournament.games.scout.sets import LARGEST_HAND
from tournament.games.scout.types import HAND_SIZE, TURNED, VALUE, ScoutDeal, pack_for

Hands = list[tuple[str, ...]]


def deal_hands(players: int, rng: Rng) -> Hands:
    """Returns the shuffled pack as hands (3, 4): one a seat, or four with two players, for both rounds."""
    random = rng.random
    cards = [TURNED[card] if random() < 0.5 else card for card in shuffled(pack_for(players), rng)]
    size = HAND_SIZE[players]
    return [tuple(cards[begin : begin + size]) for begin in range(0, len(cards), size)]


def check_hands(deal: ScoutDeal) -> None:
    """Raises `DealError` for a text that is no card, a hand without cards or larger than the pack, or mixed rounds."""
    players = {len(round_.hands) for round_ in deal.rounds}
    if len(players) != 1 or not players <= set(HAND_SIZE):
        raise DealError(f"A deal of SCOUT has rounds for the same 2 to 5 players, not for {sorted(players)}.")
    for number, round_ in enumerate(deal.rounds):
        for seat, hand in enumerate(round_.hands):
            for card in hand:
                if card not in VALUE:
                    raise DealError(
                        f'"{card}" (round {number}, seat {seat}) is no SCOUT card: '
                        "write 7/3, two different numbers 1 to 10."
                    )
            if not 1 <= len(hand) <= LARGEST_HAND:
                raise DealError(f"A hand has 1 to {LARGEST_HAND} cards, not {len(hand)} (round {number}, seat {seat}).")


def check_pack(hands: Sequence[Sequence[str]], players: int, where: str) -> None:
    """Raises `DealError` unless the hands are the whole pack for that many players; `where` says whose they are."""
    found = sorted([min(card, TURNED[card], key=VALUE.__getitem__) for hand in hands for card in hand])
    pack = sorted(pack_for(players))
    if found == pack:
        return
    missing = [card for card in pack if card not in found]
    extra = [card for card in found if card not in pack or found.count(card) > 1]
    raise DealError(
        f"With {players} players {len(pack)} cards are in play, each once ({where}) (2): "
        f"missing {', '.join(missing) or 'none'}; too many {', '.join(dict.fromkeys(extra)) or 'none'}."
    )
