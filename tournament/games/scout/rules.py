"""The rules of SCOUT, for 2 to 5 players, all rounds of a game.

Design: Kei Kajino, Oink Games 2019. Rule numbers in brackets are those of the rule card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournament.errors import DealError
from tournament.games.contract import Rng, options_from, wrong_players
from tournament.games.scout import types
from tournament.games.scout.dealing import check_hands, check_pack, deal_hands
from tournament.games.scout.events import describe_event
from tournament.games.scout.redeal import redeal_state
from tournament.games.scout.sets import all_actions
from tournament.games.scout.state import ScoutState
from tournament.games.scout.types import (
    HAND_SIZE,
    ScoutDeal,
    ScoutEvent,
    ScoutOptions,
    ScoutRound,
)
from tournament.games.scout.view import ScoutView


class ScoutGame:
    """The rules of SCOUT, as the contract of a game asks for them."""

    name: str = "scout"
    title: str = "SCOUT"
    rules_version: int = 1
    players: range = range(2, 6)
    Options: type = ScoutOptions
    Deal: type = ScoutDeal
    Action: Any = types.ScoutAction
    View: type = ScoutView
    News: Any = types.ScoutNews
    Detail: type = types.ScoutDetail

    def deal(self, players: int, rng: Rng, options: Any = None) -> ScoutDeal:
        """Returns the hands of all rounds (1 to 5). Raises `GameError` for a wrong number of players."""
        if players not in self.players:
            raise wrong_players(self, players)
        if players == 2:
            hands = deal_hands(2, rng)
            return ScoutDeal((ScoutRound((hands[0], hands[1])), ScoutRound((hands[2], hands[3]))))
        return ScoutDeal(tuple(ScoutRound(tuple(deal_hands(players, rng))) for _ in range(players)))

    def start(self, deal: Any, options: Any = None) -> ScoutState:
        """Returns the state before the first action. Takes any hands of SCOUT cards and any number of rounds.

        Raises `DealError` for a text that is no card, a hand without cards or larger than the pack,
        or rounds for different numbers of players.
        """
        check_hands(deal)
        return ScoutState.begin(deal, options_from(self, options))

    def check_deal(self, deal: ScoutDeal, options: Any = None) -> None:
        """Raises `DealError` when a round is not the whole pack in hands of the right size (1 to 5)."""
        players = len(deal.rounds[0].hands)
        if len(deal.rounds) != players:
            raise DealError(f"{players} players play {players} rounds, not {len(deal.rounds)} (5).")
        size = HAND_SIZE[players]
        for number, round_ in enumerate(deal.rounds):
            for seat, hand in enumerate(round_.hands):
                if len(hand) != size:
                    raise DealError(
                        f"With {players} players a hand has {size} cards, not {len(hand)}: "
                        f"round {number}, seat {seat} (3)."
                    )
            if players > 2:
                check_pack(round_.hands, players, f"round {number}")
        if players == 2:
            check_pack([hand for round_ in deal.rounds for hand in round_.hands], 2, "both rounds")

    def actions(self, players: int) -> Sequence[types.ScoutAction]:
        """Returns every action that can occur with that many players, in the order of `legal_actions`."""
        if players not in self.players:
            raise wrong_players(self, players)
        return all_actions(players)

    def redeal(self, seen: Sequence[ScoutView], rng: Rng) -> ScoutState:
        """Returns a full state that fits all that one seat saw: `seen` are its views at all its decisions.

        Raises `GameError` when they are not the views of one seat from the first decision on.
        """
        return redeal_state(seen, rng)

    def parts(self) -> object:
        """Returns what the game offers beyond its rules."""
        from tournament.games.scout.parts import ScoutParts

        return ScoutParts()

    def describe(self, event: ScoutEvent, seat: int | None = None) -> str:
        """Returns one plain sentence about an event, as that seat (None: the public) may know it."""
        return describe_event(event, seat)
