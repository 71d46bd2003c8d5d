"""Properties of De store oppdagere that hold in every game, on random ones."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from random import Random

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournament.games.cards import PACK, SUITS
from tournament.games.contract import Ending, IllegalAction
from tournament.games.explorers.rules import MOST_EXPEDITIONS, ExplorersGame, ExplorersState
from tournament.games.explorers.state import points
from tournament.games.explorers.types import Draw, DrawSource, Drew, ExplorersAction, ExplorersDeal
from tournament.games.explorers.view import ExplorersView

GAME = ExplorersGame()
GAMES = {
    "players": st.integers(2, 4),
    "seed": st.integers(0, 2**32),
    "options": st.fixed_dictionaries({"stall_limit": st.sampled_from([0, 1, 3, 20, None])}),
}
encode = msgspec.json.Encoder(order="sorted").encode


def begun(players: int, seed: int, options: dict) -> tuple[ExplorersState, Random]:
    """Returns the start of a random game, and the chance it goes on with."""
    chance = Random(seed)
    return GAME.start(GAME.deal(players, chance), {"move_limit": 400} | options), chance


def choice(state: ExplorersState, chance: Random) -> ExplorersAction:
    """Returns a random legal action; three draws in four are from a pile when there is one."""
    legal = state.legal_actions()
    if isinstance(legal[0], Draw) and chance.random() < 0.75:
        return legal[-1]
    return legal[int(chance.random() * len(legal))]


def cards_of(state: ExplorersState) -> Counter[str]:
    """Returns every card of a game that is over or not, but those left in the stock."""
    view = state.view(None)
    found = Counter(card for own in view.expeditions for cards in own for card in cards)
    found.update(card for suit in SUITS for card in view.piles[suit])
    found.update(card for seat in range(state.players) for card in state.view(seat).hand)
    return found


def seen_by(seat: int, history: list[ExplorersView]) -> set[str]:
    """Returns every card a seat has seen up to its last view."""
    told = {news.card for view in history for news in view.news}
    return {str(card) for card in told | set(history[0].hand)}


@settings(deadline=None, max_examples=30)
@given(**GAMES)
def test_cards_are_conserved_and_the_game_ends(players, seed, options):
    """Rules 1, 4, 9: hands stay at ten after each turn, no card is lost or doubled."""
    chance = Random(seed)
    deal = GAME.deal(players, chance)
    state = GAME.start(deal, {"move_limit": 400} | options)
    while state.to_move is not None:
        state.apply(choice(state, chance))
        view = state.view(None)
        left = deal.stock[len(deal.stock) - view.stock :]

        assert cards_of(state) + Counter(left) == Counter(PACK * (1 if players == 2 else 2))
        assert all(
            size == 10 - (seat == state.to_move and view.phase == "draw") for seat, size in enumerate(view.hand_sizes)
        )

    outcome = state.outcome()

    assert outcome.ending == (Ending.COMPLETE if state.view(None).stock == 0 else Ending.MOVE_LIMIT)
    assert outcome.scores == tuple(sum(points(cards) for cards in own) for own in state.view(None).expeditions)


@settings(deadline=None, max_examples=12)
@given(**GAMES)
def test_legal_actions_are_those_of_the_finite_set_that_check_lets_pass(players, seed, options):
    """The contract: complete, in order, without doubles; `check` and `legal_actions` agree."""
    state, chance = begun(players, seed, options)

    def passes(action: ExplorersAction) -> bool:
        try:
            state.check(action)
        except IllegalAction:
            return False
        return True

    decision = 0
    while state.to_move is not None:
        if decision % 9 in (0, 1):
            assert tuple(action for action in GAME.actions(players) if passes(action)) == state.legal_actions()
        state.apply(choice(state, chance))
        decision += 1

    assert not any(passes(action) for action in GAME.actions(players))


@settings(deadline=None, max_examples=30)
@given(**GAMES)
def test_views_list_what_the_state_lists(players, seed, options):
    """The contract: the seat to move has the state's choices, the others none."""
    state, chance = begun(players, seed, options)
    while state.to_move is not None:
        for seat in range(players):
            assert state.view(seat).legal_actions() == (state.legal_actions() if seat == state.to_move else ())
        state.apply(choice(state, chance))


@settings(deadline=None, max_examples=40)
@given(**GAMES, decisions=st.integers(0, 60), seat=st.integers(0, 3), pick=st.randoms(use_true_random=False))
def test_views_and_news_do_not_change_with_what_the_seat_cannot_know(players, seed, options, decisions, seat, pick):
    """The property for every game: a hidden swap leaves views and news byte-identical."""
    chance = Random(seed)
    deal = GAME.deal(players, chance)
    state = GAME.start(deal, options)
    seat %= players
    history, actions = [state.view(seat)], []
    for _ in range(decisions):
        if state.to_move is not None:
            actions.append(choice(state, chance))
            state.apply(actions[-1])
            history.append(state.view(seat))
    unseen = [card for card in PACK if card not in seen_by(seat, history)]
    assume(len(unseen) > 1)
    one, other = pick.sample(unseen, 2)
    swapped = {one: other, other: one}
    hands = tuple(tuple(swapped.get(card, card) for card in hand) for hand in deal.hands)
    twin = GAME.start(ExplorersDeal(hands, tuple(swapped.get(card, card) for card in deal.stock)), options)
    state = GAME.start(deal, options)

    assert encode(state.view(seat)) == encode(twin.view(seat))
    for action in actions:
        for viewer in (seat, None):
            assert encode(state.copy().news(state.copy().apply(action), viewer)) == encode(
                twin.copy().news(twin.copy().apply(action), viewer)
            )
        state.apply(action)
        twin.apply(action)

        assert encode(state.view(seat)) == encode(twin.view(seat))
        assert encode(state.view(None)) == encode(twin.view(None))


@settings(deadline=None, max_examples=30)
@given(**GAMES, every=st.integers(3, 17))
def test_a_redealt_state_is_what_the_seat_saw_and_can_be_played_to_the_end(players, seed, options, every):
    """`redeal`: view and news byte-identical, cards conserved, cards openly taken where they belong."""
    state, chance = begun(players, seed, options)
    seen: list[list[ExplorersView]] = [[] for _ in range(players)]
    known: list[Counter[str]] = [Counter() for _ in range(players)]
    decision = 0
    while state.to_move is not None:
        mover = state.to_move
        seen[mover].append(state.view(mover))
        if decision % every == 0:
            redealt = GAME.redeal(seen[mover], chance)

            assert encode(state.view(mover)) == encode(redealt.view(mover))
            assert state.legal_actions() == redealt.legal_actions()
            for seat in range(players):
                assert seat == mover or known[seat] <= Counter(redealt.view(seat).hand)

            while redealt.to_move is not None:
                redealt.apply(choice(redealt, chance))

            scores = tuple(sum(points(cards) for cards in own) for own in redealt.view(None).expeditions)
            assert redealt.outcome().scores == scores
            if redealt.outcome().ending == Ending.COMPLETE:
                assert cards_of(redealt) == Counter(PACK * (1 if players == 2 else 2))
        event = state.apply(choice(state, chance))
        if not isinstance(event.action, Draw):
            known[mover] -= Counter([event.card])
        elif event.action.source != DrawSource.STOCK:
            known[mover][event.card] += 1
        decision += 1


def _twin(copy: Callable[[ExplorersState], ExplorersState], state: ExplorersState, chance: Random) -> None:
    before = [encode(state.view(seat)) for seat in (*range(state.players), None)]
    twin = copy(state)

    assert before == [encode(twin.view(seat)) for seat in (*range(state.players), None)]
    assert state.legal_actions() == twin.legal_actions()

    for _ in range(8):
        if twin.to_move is not None:
            twin.apply(choice(twin, chance))
            twin.view(None)

    assert before == [encode(state.view(seat)) for seat in (*range(state.players), None)]


@settings(deadline=None, max_examples=25)
@given(**GAMES, decisions=st.integers(0, 60))
def test_copies_and_pickles_are_equal_and_go_their_own_way(players, seed, options, decisions):
    """`copy` and pickling: what happens to one does not touch the other."""
    state, chance = begun(players, seed, options)
    for _ in range(decisions):
        if state.to_move is not None:
            state.apply(choice(state, chance))

    _twin(ExplorersState.copy, state, chance)
    _twin(lambda whole: pickle.loads(pickle.dumps(whole)), state, chance)


@settings(deadline=None, max_examples=20)
@given(**GAMES)
def test_every_action_that_is_listed_is_in_the_finite_set(players, seed, options):
    """The contract, with a seat that starts an expedition whenever it can and takes what others discard."""
    state, _ = begun(players, seed, options)
    whole = set(GAME.actions(players))
    while state.to_move is not None:
        legal = state.legal_actions()

        assert whole.issuperset(legal)

        state.apply(legal[-1] if state.to_move else legal[-1] if isinstance(legal[0], Draw) else legal[0])

    assert max(len(own) for own in state.view(None).expeditions) <= MOST_EXPEDITIONS[players]


@settings(deadline=None, max_examples=20)
@given(**GAMES)
def test_news_of_all_views_tell_the_whole_game_once(players, seed, options):
    """Views: the news of one seat, view after view, are every event in order."""
    state, chance = begun(players, seed, options)
    told: list[list[object]] = [[] for _ in range(players)]
    events = []
    while state.to_move is not None:
        mover = state.to_move
        told[mover] += state.view(mover).news
        events.append(state.apply(choice(state, chance)))
    for seat in range(players):
        told[seat] += state.view(seat).news

        assert told[seat] == [news for event in events for news in state.news(event, seat)]
        assert not any(
            isinstance(news, Drew) and news.source == DrawSource.STOCK and news.card and news.seat != seat
            for news in told[seat]
        )
