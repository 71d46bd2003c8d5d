"""The rules of De store oppdagere ("The great explorers").

How a turn goes is in `state.py`. Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import Any, Final

from tournament.games.cards import PACK
from tournament.games.contract import DealError, IllegalAction, Rng, options_from, shuffled, wrong_players
from tournament.games.explorers.events import tell_event
from tournament.games.explorers.lays import (
    BUILDS,
    DISCARDS,
    DRAWS,
    HAND_SIZE,
    MOST_CARDS,
    MOST_EXPEDITIONS,
    STARTS,
    pack,
)
from tournament.games.explorers.redeal import deal_from_views, not_one_game, note_seen, seen_before
from tournament.games.explorers.state import ExplorersState
from tournament.games.explorers.types import (
    TITLE,
    ExplorersAction,
    ExplorersDeal,
    ExplorersDetail,
    ExplorersEvent,
    ExplorersNews,
    ExplorersOptions,
)
from tournament.games.explorers.view import ExplorersView
from tournament.languages import gettext

_CARDS: Final = frozenset(PACK)
_DEFAULTS: Final = ExplorersOptions()


@cache
def all_actions(players: int) -> tuple[ExplorersAction, ...]:
    """Returns every action a game for that many players can have: by card start, builds, discard; then draws."""
    most = MOST_EXPEDITIONS[players]
    actions: list[ExplorersAction] = []
    for card in range(len(PACK)):
        actions += (STARTS[card], *BUILDS[card][:most], DISCARDS[card])
    return (*actions, *DRAWS)


class ExplorersGame:
    """The rules of De store oppdagere, as the contract of a game asks for them."""

    name: str = "explorers"
    title: str = TITLE
    rules_version: int = 1
    players: range = range(2, 5)
    Options: type = ExplorersOptions
    Deal: type = ExplorersDeal
    Action: Any = ExplorersAction
    View: type = ExplorersView
    News: Any = ExplorersNews
    Detail: type = ExplorersDetail

    def deal(self, players: int, rng: Rng, options: Any = None) -> ExplorersDeal:
        """Returns the whole pack shuffled: ten cards a seat, the rest is the stock (1, 2).

        Raises `GameError` for a number of players other than 2 to 4.
        """
        if players not in self.players:
            raise wrong_players(self, players)
        cards = tuple(shuffled(pack(players), rng))
        dealt = HAND_SIZE * players
        return ExplorersDeal(
            hands=tuple(cards[first : first + HAND_SIZE] for first in range(0, dealt, HAND_SIZE)), stock=cards[dealt:]
        )

    def start(self, deal: ExplorersDeal, options: Any = None) -> ExplorersState:
        """Returns the state before the first action, for any hands of real cards and any stock.

        Raises `DealError` for a wrong number of hands, an empty hand or stock, what is no card, or
        more cards than two packs have.
        """
        if len(deal.hands) not in self.players:
            raise DealError(f"A deal of explorers has 2 to 4 hands, not {len(deal.hands)}.")
        if not deal.stock:
            raise DealError("The stock of this deal is empty: the game would be over before it began.")
        if not all(deal.hands):
            raise DealError(f"Seat {[len(hand) for hand in deal.hands].index(0)} of this deal holds no card.")
        cards = [*chain(*deal.hands, deal.stock)]
        if not _CARDS.issuperset(cards):
            wrong = next(card for card in cards if card not in _CARDS)
            raise DealError(f'"{wrong}" is no card: rank (A 2 ... 10 J Q K) then suit (C D H S), such as 10H.')
        if len(cards) > MOST_CARDS:
            raise DealError(f"This deal has {len(cards)} cards; two packs have {MOST_CARDS}.")
        return ExplorersState.begin(deal, _DEFAULTS if options is None else options_from(self, options))

    def check_deal(self, deal: ExplorersDeal, options: Any = None) -> None:
        """Raises `DealError` when the cards are not the whole pack, or a hand has not ten cards (1, 2)."""
        self.start(deal, options)
        sizes = [len(hand) for hand in deal.hands]
        if sizes != [HAND_SIZE] * len(sizes):
            raise DealError(f"Every hand has {HAND_SIZE} cards at the start; these have {sizes}.")
        found = Counter(chain(*deal.hands, deal.stock))
        wanted = Counter(pack(len(sizes)))
        for card in PACK:
            if found[card] != wanted[card]:
                raise DealError(
                    f"{card} is {found[card]} times in this deal; "
                    f"the pack for {len(sizes)} players has it {wanted[card]} times."
                )

    def actions(self, players: int) -> tuple[ExplorersAction, ...]:
        """Returns every action there can be: by card start, builds up to the last possible index, discard; then draws.

        Raises `GameError` for a number of players other than 2 to 4.
        """
        if players not in self.players:
            raise wrong_players(self, players)
        return all_actions(players)

    def redeal(self, seen: Sequence[ExplorersView], rng: Rng) -> ExplorersState:
        """Returns a full state that fits all that one seat saw: `seen` are its views at all its decisions.

        Others hold what they openly took and have not laid since; all else is drawn with `rng`.
        The cost grows with the length of the game so far. Raises `GameError` when the views are not
        those of one seat from the start of one game.
        """
        deal, actions = deal_from_views(seen, rng, pack(seen[0].players) if seen else ())
        state = ExplorersState.begin(deal, seen[0].options)
        if seen_before(seen):  # then the same actions are legal on this deal, too
            for action in actions:
                state.apply(action)
            return state
        try:
            for action in actions:
                state.check(action)
                state.apply(action)
        except IllegalAction as error:
            raise not_one_game(str(error)) from None
        if state.view(seen[0].seat) != seen[-1]:
            raise not_one_game("what was seen does not lead to the last view")
        note_seen(seen, actions)
        return state

    def parts(self) -> object:
        """Returns what the game offers beyond its rules."""
        from tournament.games.explorers.parts import ExplorersParts

        return ExplorersParts()

    def describe(self, event: ExplorersEvent, seat: int | None = None) -> str:
        """Returns one plain sentence; a card drawn from the stock is named only to the seat that drew it (15)."""
        # Translators: {told} is what the seat did, such as: discards the 10 of hearts.
        return gettext("Seat {seat} {told}", seat=event.seat, told=tell_event(event, seat))
