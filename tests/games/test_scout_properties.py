"""Properties of SCOUT that hold in every game, on random ones."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scout_positions import GAME, encode, format_action, lower_first, snapshot, values
from scout_positions import beats as may_be_played

from tournament.games.contract import Ending, IllegalAction, places_from_scores
from tournament.games.scout.sets import has_play, table_strength
from tournament.games.scout.state import ScoutState
from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Play,
    RoundEnding,
    Scout,
    ScoutAction,
    ScoutDeal,
    Scouted,
    ScoutPhase,
    ScoutRound,
    ScoutRoundDetail,
    SetEnd,
    pack_for,
)
from tournament.games.scout.view import ScoutView

GAMES = {"players": st.integers(2, 5), "seed": st.integers(0, 2**32)}
OPTIONS = {"move_limit": 60}


def is_set(cards: Sequence[int]) -> bool:
    """Returns whether values are a set, from the words of rule 7."""
    first, count = cards[0], len(cards)
    runs = ([first] * count, list(range(first, first + count)), list(range(first, first - count, -1)))
    return list(cards) in runs


def strength(cards: Sequence[int]) -> tuple[int, int, int]:
    """Returns the strength of a set, from the words of rule 8."""
    return len(cards), int(len(cards) > 1 and len(set(cards)) == 1), min(cards)


def beats(cards: Sequence[int], table: Sequence[int]) -> bool:
    """Returns whether cards may be played on a table, from the words of rules 7 and 8."""
    return is_set(cards) and (not table or strength(cards) > strength(table))


def allowed(action: ScoutAction, view: ScoutView) -> bool:
    """Returns whether the seat to move may do this, from the words of the rules and its own view."""
    hand, table = values(view.hand), values(view.table)
    if view.phase is ScoutPhase.ORIENT:
        return action.do in ("keep", "turn")
    if isinstance(action, Play):
        inside = action.at + action.count <= len(hand)
        return inside and beats(hand[action.at : action.at + action.count], table)
    if not isinstance(action, Scout) or view.phase is ScoutPhase.PLAY or not table or action.at > len(hand):
        return False
    if action.end is SetEnd.RIGHT and len(table) == 1:
        return False
    if view.players == 2:
        return not action.then_play and view.tokens[view.seat] > 0
    if not action.then_play:
        return True
    if not view.may_scout_and_play[view.seat]:
        return False
    left = action.end is SetEnd.LEFT
    card = view.table[0 if left else -1]
    hand.insert(action.at, VALUE[TURNED[card] if action.flip else card])
    rest = table[1:] if left else table[:-1]
    places = range(len(hand) + 1)
    return any(beats(hand[begin:end], rest) for begin in places for end in places[begin + 1 :])


def choice(state: ScoutState, chance: Random) -> ScoutAction:
    """Returns a random legal action, half of the time a play when there is one."""
    legal = state.legal_actions()
    plays = [action for action in legal if isinstance(action, Play)]
    return chance.choice(plays if plays and chance.random() < 0.5 else legal)


def begun(players: int, seed: int, decisions: int = 0) -> tuple[ScoutState, Random]:
    """Returns a random game after some decisions, and the chance it goes on with."""
    chance = Random(seed)
    state = GAME.start(GAME.deal(players, chance), OPTIONS)
    for _ in range(decisions):
        if state.to_move is not None:
            state.apply(choice(state, chance))
    return state, chance


def passes(state: ScoutState, action: ScoutAction) -> bool:
    """Returns whether `check` lets an action pass."""
    try:
        state.check(action)
    except IllegalAction:
        return False
    return True


def assert_legal_actions_are_complete(state: ScoutState) -> None:
    """Compares the list, in its order, with the whole finite set, and `check` with both."""
    view = state.view(state.to_move)
    whole = GAME.actions(view.players)
    expected = [action for action in whole if allowed(action, view)]

    assert expected == list(state.legal_actions())
    assert expected == [action for action in whole if passes(state, action)]
    assert expected == list(view.legal_actions())


@settings(deadline=None, max_examples=60)
@given(**GAMES, decisions=st.integers(0, 120))
def test_legal_actions_are_those_the_rules_allow_in_random_games(players, seed, decisions):
    """Rules 7 to 13: complete, in order, without doubles; `check`, state and view agree."""
    state, _ = begun(players, seed, decisions)
    if state.to_move is not None:
        assert_legal_actions_are_complete(state)


def test_every_set_of_up_to_four_cards_meets_every_other():
    """Rule 8, all of it up to four cards: runs up and down, matches, single cards, on the table and against it."""
    shapes = [(count, step) for count in range(1, 5) for step in (0, 1, -1)]
    anything = [[first + step * place for place in range(count)] for count, step in shapes for first in range(1, 11)]
    sets = [cards for cards in anything if all(1 <= value <= 10 for value in cards)]
    wrong = [(new, old) for old in sets for new in sets if may_be_played(new, old) != beats(new, old)]

    assert wrong == []


def hands_of(low: int, high: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Returns hands of neighbouring values, so that they are full of sets."""
    cards = [card for card in VALUE if low <= VALUE[card] <= high]
    return st.lists(st.sampled_from(cards), min_size=2, max_size=8).map(tuple)


@settings(deadline=None, max_examples=120)
@given(hands=st.lists(hands_of(4, 7), min_size=2, max_size=3), seed=st.integers(0, 2**32), decisions=st.integers(2, 9))
def test_legal_actions_are_those_the_rules_allow_in_hands_full_of_sets(hands, seed, decisions):
    """Rules 7 to 13, with many matches and runs that touch: any hands may be started."""
    chance = Random(seed)
    state = GAME.start(ScoutDeal((ScoutRound(tuple(hands)),)))
    for _ in range(decisions):
        if state.to_move is not None:
            legal = state.legal_actions()
            longest = max(legal, key=lambda action: action.count if isinstance(action, Play) else 0)
            state.apply(longest if chance.random() < 0.5 else chance.choice(legal))
    if state.to_move is not None:
        assert_legal_actions_are_complete(state)


def lying_at_the_end(end: ScoutRoundDetail) -> list[str]:
    """Returns every card of a finished round, wherever it lies."""
    return lower_first(card for cards in (*end.hands, *end.captured, end.table) for card in cards)


@settings(deadline=None, max_examples=40)
@given(**GAMES)
def test_cards_are_conserved_to_the_end(players, seed):
    """Rules 2, 3, 9, 10: no card is lost or doubled, sizes and counts are what lies there."""
    state, chance = begun(players, seed)
    deal = GAME.deal(players, Random(seed))
    packs = [lower_first(card for hand in round_.hands for card in hand) for round_ in deal.rounds]
    while state.to_move is not None:
        view = state.view(None)
        cards = sum(view.hand_sizes) + sum(view.captured) + len(view.table)

        assert cards == len(packs[view.round])
        assert view.hand_sizes == tuple(len(state.view(seat).hand) for seat in range(players))
        assert (view.owner is None) == (not view.table)

        state.apply(choice(state, chance))
    outcome = state.outcome()

    assert packs == [lying_at_the_end(end) for end in outcome.detail.rounds]
    assert outcome.ending is Ending.COMPLETE
    assert outcome.places == places_from_scores(outcome.scores)


@settings(deadline=None, max_examples=40)
@given(**GAMES)
def test_a_finished_round_scores_what_its_detail_shows(players, seed):
    """Rules 14, 15, 18, 19: points and exemption follow from the detail; the news say the same."""
    state, chance = begun(players, seed)
    overs = []
    while state.to_move is not None:
        over = state.apply(choice(state, chance)).round_over
        overs += [over] if over else []
    for number, (end, over) in enumerate(zip(state.outcome().detail.rounds, overs, strict=True)):
        lost = [0 if seat == end.exempt else len(hand) for seat, hand in enumerate(end.hands)]

        assert (over.round, over.why, over.points) == (number, end.why, end.points)
        assert [len(end.captured[seat]) + end.tokens[seat] - lost[seat] for seat in range(players)] == list(end.points)
        assert (end.exempt is not None) == (end.why in (RoundEnding.ALL_SCOUTED, RoundEnding.STUCK))
        assert (end.why is RoundEnding.EMPTIED) == (() in end.hands)
        assert end.why is not RoundEnding.STUCK or players == 2
        assert end.why is not RoundEnding.ALL_SCOUTED or players > 2


@settings(deadline=None, max_examples=25)
@given(**GAMES)
def test_views_list_what_the_state_lists(players, seed):
    """The contract: the seat to move has the state's choices, the others and the public none."""
    state, chance = begun(players, seed)
    while state.to_move is not None:
        for seat in (*range(players), None):
            expected = list(state.legal_actions()) if seat == state.to_move else []

            assert expected == list(state.view(seat).legal_actions())

        state.apply(choice(state, chance))


def swapped(state: ScoutState, seat: int | None, chance: Random) -> ScoutState:
    """Returns a copy in which the others hold other cards, in another order and either way up."""
    twin = state.copy()
    others = [other for other in range(len(twin._hands)) if other != seat]
    cards = [card for other in others for card in twin._hands[other]]
    chance.shuffle(cards)
    cards = [TURNED[card] if chance.random() < 0.5 else card for card in cards]
    for other in others:
        size = len(twin._hands[other])
        twin._hands[other], cards = cards[:size], cards[size:]
        twin._values[other] = values(twin._hands[other])
    return twin


@settings(deadline=None, max_examples=60)
@given(**GAMES, decisions=st.integers(0, 80), watcher=st.integers(0, 5), pick=st.randoms(use_true_random=False))
def test_views_and_news_do_not_change_with_what_the_seat_cannot_know(players, seed, decisions, watcher, pick):
    """The property for every game: a hidden swap leaves views and news byte-identical, and `describe` too."""
    state, chance = begun(players, seed, decisions)
    seat = watcher if watcher < players else None
    twin = swapped(state, seat, pick)

    assert encode(state.view(seat)) == encode(twin.view(seat))
    assert encode(state.view(None)) == encode(twin.view(None))

    for _ in range(6):
        if state.to_move is None:
            return
        action = choice(state, chance)
        if not passes(twin, action):
            return
        event, other = state.apply(action), twin.apply(action)
        if isinstance(action, Play) and event.seat != seat:
            return  # the cards played are shown
        if event.round_over != other.round_over:
            assert RoundEnding.STUCK in (getattr(event.round_over, "why", None), getattr(other.round_over, "why", None))
            return

        assert encode(state.news(event, seat)) == encode(twin.news(other, seat))
        assert GAME.describe(event, seat) == GAME.describe(other, seat)
        assert encode(state.view(seat)) == encode(twin.view(seat))


@settings(deadline=None, max_examples=60)
@given(**GAMES, decisions=st.integers(0, 80), pick=st.randoms(use_true_random=False))
def test_nobody_can_tell_hidden_parts_of_an_action_apart(players, seed, decisions, pick):
    """Rules 6 and 20: keep and turn, and where a card goes, are one news and one sentence to all others."""
    state, _ = begun(players, seed, decisions)
    if state.to_move is None:
        return
    mover = state.to_move
    legal = state.legal_actions()
    action = pick.choice(legal)

    def open_part(action: ScoutAction) -> Any:
        if isinstance(action, Scout):
            return action.end, action.then_play
        return action if isinstance(action, Play) else "orient"

    twin_action = pick.choice([other for other in legal if open_part(other) == open_part(action)])
    one, other = state.copy(), state.copy()
    event, twin = one.apply(action), other.apply(twin_action)
    if event.round_over != twin.round_over:
        return  # with two players the place of a card can leave its seat stuck, or not
    for seat in (*range(players), None):
        if seat != mover:
            assert encode(one.news(event, seat)) == encode(other.news(twin, seat))
            assert GAME.describe(event, seat) == GAME.describe(twin, seat)
            assert encode(one.view(seat)) == encode(other.view(seat))


@settings(deadline=None, max_examples=40)
@given(**GAMES)
def test_describe_says_one_sentence_and_places_only_to_the_seat_that_acted(players, seed):
    """The contract: nothing hidden is said, everything is said to the seat that acted."""
    state, chance = begun(players, seed)
    while state.to_move is not None:
        event = state.apply(choice(state, chance))
        for seat in (*range(players), None):
            sentence = GAME.describe(event, seat)

            assert sentence.startswith(f"Seat {event.seat} ")
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert ("place" in sentence) == (isinstance(event.action, Scout) and seat == event.seat)
            assert any(word in sentence for word in ("keeps", "turns its")) == (
                event.action.do in ("keep", "turn") and seat == event.seat
            )


@settings(deadline=None, max_examples=25)
@given(**GAMES)
def test_news_of_all_views_tell_the_whole_game_once(players, seed):
    """Views: the news of one seat, view after view, are every event in order."""
    state, chance = begun(players, seed)
    told: list[list[Any]] = [[] for _ in range(players)]
    events = []
    while state.to_move is not None:
        told[state.to_move] += state.view(state.to_move).news
        events.append(state.apply(choice(state, chance)))
    for seat in range(players):
        told[seat] += state.view(seat).news

        assert told[seat] == [news for event in events for news in state.news(event, seat)]
        assert all(news.at is None for news in told[seat] if isinstance(news, Scouted) and news.seat != seat)


@settings(deadline=None, max_examples=30)
@given(**GAMES, every=st.integers(3, 17))
def test_a_redealt_state_is_what_the_seat_saw_and_can_be_played_to_the_end(players, seed, every):
    """`redeal`: view byte-identical, same choices, cards openly scouted where they went, no card twice."""
    state, chance = begun(players, seed)
    pack = sorted(pack_for(players))
    seen: list[list[ScoutView]] = [[] for _ in range(players)]
    known: list[Counter[str]] = [Counter() for _ in range(players)]
    decision = 0
    while state.to_move is not None:
        mover = state.to_move
        seen[mover].append(state.view(mover))
        if decision % every == 0:
            redealt = GAME.redeal(seen[mover], chance)

            assert encode(state.view(mover)) == encode(redealt.view(mover))
            assert list(state.legal_actions()) == list(redealt.legal_actions())
            for seat in range(players):
                assert seat == mover or known[seat] <= Counter(lower_first(redealt.view(seat).hand))

            while redealt.to_move is not None:
                redealt.apply(choice(redealt, chance))
            ends = redealt.outcome().detail.rounds
            packs = list(map(lying_at_the_end, ends))

            assert packs == [pack] * players if players > 2 else sorted(packs[0] + packs[1]) == pack
            assert redealt.outcome().scores == tuple(map(sum, zip(*(end.points for end in ends), strict=True)))
        event = state.apply(choice(state, chance))
        if isinstance(event.action, Scout):
            known[mover].update(lower_first(event.cards))
        elif isinstance(event.action, Play):
            known[mover] -= Counter(lower_first(event.cards))
        if event.round_over:
            known = [Counter() for _ in range(players)]
        decision += 1


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_two_players_a_redealt_second_round_comes_from_the_cards_not_yet_seen(seed):
    """`redeal` and rule 3."""
    chance = Random(seed)
    state = GAME.start(GAME.deal(2, chance))
    seen: list[ScoutView] = []
    while state.view(None).round == 0:
        if state.to_move == 0:
            seen.append(state.view(0))
        redealt = GAME.redeal(seen, chance) if seen and state.to_move == 0 else None
        if redealt is not None and redealt.view(None).round == 0:
            shown = lower_first([*seen[0].hand, *state.view(None).table])
            while redealt.view(None).round == 0:
                redealt.apply(choice(redealt, chance))

            later = lower_first([*redealt.view(0).hand, *redealt.view(1).hand])
            assert len(set(later)) == 22
            assert not set(later) & set(shown)
        state.apply(choice(state, chance))


@settings(deadline=None, max_examples=30)
@given(**GAMES, decisions=st.integers(0, 100))
def test_copies_and_pickles_are_equal_and_go_their_own_way(players, seed, decisions):
    """`copy` and pickling: what happens to one does not touch the other."""
    state, chance = begun(players, seed, decisions)
    before = snapshot(state)
    for twin in (state.copy(), pickle.loads(pickle.dumps(state))):
        assert before == snapshot(twin)

        for _ in range(20):
            if twin.to_move is not None:
                twin.apply(choice(twin, chance))

        assert before == snapshot(state)


@settings(deadline=None, max_examples=15)
@given(**GAMES)
def test_the_same_actions_are_the_same_game_through_json(players, seed):
    """The contract: a deal and actions, written and read, replay to equal bytes."""
    state, chance = begun(players, seed)
    deal = msgspec.json.decode(encode(GAME.deal(players, Random(seed))), type=ScoutDeal)
    replayed = GAME.start(deal, OPTIONS)
    while state.to_move is not None:
        action = choice(state, chance)
        state.apply(action)
        replayed.apply(msgspec.json.decode(encode(action), type=GAME.Action))

        assert encode(state.view(0)) == encode(replayed.view(0))

    assert encode(state.outcome()) == encode(replayed.outcome())
    assert state.outcome().detail == msgspec.json.decode(encode(state.outcome().detail), type=GAME.Detail)


@settings(deadline=None, max_examples=20)
@given(**GAMES)
def test_hands_grow_no_larger_than_the_rule_card_says(players, seed):
    """Rule 21: with a seat that always scouts and others that play when they can."""
    chance = Random(seed)
    state = GAME.start(GAME.deal(players, chance), {"move_limit": 200})
    whole = set(GAME.actions(players))
    while state.to_move is not None:
        legal = state.legal_actions()

        assert whole.issuperset(legal)
        assert max(state.view(None).hand_sizes) <= {2: 14, 3: 34, 4: 41, 5: 41}[players]

        state.apply(legal[-1 if state.to_move == 0 else 0])


def test_actions_are_written_as_the_tests_read_them():
    """The words of these tests stand for one action each."""
    whole = GAME.actions(5)

    assert len(whole) == len({format_action(action) for action in whole})


@pytest.mark.parametrize("seed", range(10))
def test_a_seat_that_got_stuck_is_stuck_in_every_redeal(seed):
    """Rule 18: after the first of the two rounds the hand left over could not play."""
    chance = Random(seed)
    state = GAME.start(GAME.deal(2, chance))
    seen = []
    while state.view(None).round == 0 or state.to_move != 0:
        if state.to_move == 0:
            seen.append(state.view(0))
        state.apply(choice(state, chance))
    seen.append(state.view(0))
    ended = GAME.redeal(seen, chance).standing().detail.rounds[0]
    stuck = [VALUE[card] for card in ended.hands[1 - ended.exempt]]

    assert "stuck" == ended.why
    assert not has_play(stuck, table_strength([VALUE[card] for card in ended.table]))
