"""What Searcher for De store oppdagere stands on: games side by side, and hands that fit what was seen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tournament import load_game
from tournament.games.explorers.types import Discard, Draw, DrawSource, StartExpedition

np = pytest.importorskip("numpy")
GAME = load_game("explorers")


def one_world(worlds: Any, deal: Any) -> Any:
    """Returns a batch of one world, with the cards of a deal."""
    players = len(deal.hands)
    table = worlds.Table(expeditions=((),) * players, piles=((),) * 4, pile_draws=0, stock=len(deal.stock))
    hands = [worlds.counted([worlds.kind(card) for card in hand])[:, None] for hand in deal.hands]
    stock = np.array([worlds.kind(card) for card in deal.stock])[:, None]
    return worlds.Worlds(table, unlaid=worlds.pack(players), hands=hands, stock=stock)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_world_goes_as_the_rules_say(bots, players):
    """Every lay and draw of Swift is legal on the rules, and brings the same hands, piles and scores."""
    worlds, swift = bots.module("_explorers_worlds"), bots.module("_explorers_swift")
    for seed in range(5):
        deal = GAME.deal(players, Random(seed))
        state, world = GAME.start(deal), one_world(worlds, deal)
        while (seat := state.to_move) is not None:
            lay = int(swift.marks(world, seat).lays.argmax(0)[0])
            before, drawn = world.heights[:, 0].copy(), world.drawn[0]
            swift.play_turn(world, seat)
            kind, discard = lay % worlds.KINDS, lay >= worlds.KINDS
            before[kind // worlds.VALUES] += discard
            (emptied,) = np.nonzero(world.heights[:, 0] < before)
            source = "stock" if world.drawn[0] > drawn else "CDHS"[int(emptied[0])]

            legal = [one for one in state.legal_actions() if worlds.kind(one.card) == kind]
            wanted = ["discard"] if discard else ["build", "start"]
            state.apply(next(one for do in wanted for one in legal if one.do == do))
            state.apply(next(draw for draw in state.legal_actions() if draw.source == source))
            hand = world.hands[seat].reshape(-1)
            held = worlds.counted([worlds.kind(card) for card in state.standing().detail.hands[seat]])

            assert held.tolist() == hand.tolist()
            assert list(state.standing().scores) == world.scores()[:, 0].tolist()


def test_games_played_on_together_end_as_each_alone(bots):
    """`play_on` drops a world when its stock is empty; its scores stay in their place."""
    worlds, swift = bots.module("_explorers_worlds"), bots.module("_explorers_swift")
    deals = [GAME.deal(3, Random(seed)) for seed in range(12)]
    together = swift.play_on(worlds.Worlds.joined([one_world(worlds, deal) for deal in deals]), 0)
    alone = [swift.play_on(one_world(worlds, deal), 0)[:, 0].tolist() for deal in deals]

    assert alone == together.T.tolist()


def test_a_sample_gives_everybody_what_is_known(bots):
    """Hands have their size, an own hand and cards taken openly are there, and the whole pack is used."""
    worlds, witness = bots.module("_explorers_worlds"), bots.module("_explorers_witness")
    state = GAME.start(GAME.deal(3, Random(3)))
    follower = witness.Witness(3)
    given = state.view(0).hand[0]
    state.apply(Discard(given))
    follower.follow(state.view(0))
    state.apply(Draw(DrawSource.STOCK))
    state.apply(Discard(next(card for card in state.view(1).hand if card[-1] != given[-1])))
    state.apply(Draw(DrawSource(given[-1])))
    state.apply(Discard(state.view(2).hand[0]))
    state.apply(Draw(DrawSource.STOCK))
    view = state.view(0)
    follower.follow(view)
    hands, stock = follower.sample(view, np.random.default_rng(1), 20)

    assert [[10] * 20] * 3 == [hand.sum(0).tolist() for hand in hands]
    assert view.stock == len(stock)
    assert (hands[0] == worlds.counted([worlds.kind(card) for card in view.hand])[:, None]).all()
    assert (hands[1][worlds.kind(given)] >= 1).all()
    in_world = sum(hand[:, 0] for hand in hands) + worlds.counted(stock[:, 0])
    assert (in_world == follower.unlaid).all()


def test_who_starts_a_suit_is_thought_to_hold_more_of_it(bots, monkeypatch):
    """The lays of others tell about their hands; with no trust in that they tell nothing."""
    witness = bots.module("_explorers_witness")
    deal = next(deal for seed in range(999) if "KH" in (deal := GAME.deal(2, Random(seed))).hands[0])
    state = GAME.start(deal)
    state.apply(StartExpedition("KH"))
    state.apply(Draw(DrawSource.STOCK))
    view = state.view(1)
    follower = witness.Witness(2)
    follower.follow(view)

    def hearts() -> float:
        hands, _ = follower.sample(view, np.random.default_rng(1), 1000)
        return float(hands[0].reshape(4, 11, -1)[2].sum(0).mean())

    trusting = hearts()
    monkeypatch.setattr(witness, "TRUST", 0.0)

    assert trusting > hearts() + 0.5
