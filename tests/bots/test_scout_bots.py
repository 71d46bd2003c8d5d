"""The ideas of the four SCOUT bots, each shown in positions made by hand."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from tournament import load_game
from tournament.games.scout.types import Keep, Play, Scout, ScoutDeal, ScoutRound, SetEnd, Turn

SCOUT_BOTS = ["scout_cautious", "scout_greedy", "scout_planner", "scout_keeper"]


def position(*hands, after=()):
    """Returns a game of three in which nobody turned the hand, after some actions."""
    filled = [hand.split() for hand in hands] + [["1/9", "8/3"]] * (3 - len(hands))
    state = load_game("scout").start(ScoutDeal((ScoutRound(tuple(map(tuple, filled))),)))
    for action in (*[Keep()] * len(filled), *after):
        state.check(action)
        state.apply(action)
    return state


def unturned(*hands):
    """Returns a game of three before anybody decided to keep or to turn."""
    return load_game("scout").start(ScoutDeal((ScoutRound(tuple(tuple(hand.split()) for hand in hands)),)))


def test_cautious_plays_the_shortest_set_that_beats_the_table(bots):
    """5 6 7 could go at once; a single 5 is enough for a single 3."""
    state = position("3/8 1/9", "5/1 6/1 7/1 2/8", after=[Play(0, 1)])

    assert Play(0, 1) == bots.act("scout_cautious", state)


def test_cautious_plays_a_longer_set_when_the_table_needs_it(bots):
    """Against 8 8 the run of three is the shortest that is strong enough."""
    state = position("8/1 8/2 1/9", "5/1 6/1 7/1 2/8", after=[Play(0, 2)])

    assert Play(0, 3) == bots.act("scout_cautious", state)


def test_cautious_scouts_where_the_card_fits_best(bots):
    """Nothing beats 7 7; the 3 on the other half makes 2 3 4."""
    state = position("7/3 7/5 1/9", "2/9 4/9", after=[Play(0, 2)])

    assert Scout(SetEnd.LEFT, flip=True, at=1) == bots.act("scout_cautious", state)


def test_cautious_never_turns_its_hand(bots):
    """The other way up would be one long run."""
    state = unturned("1/3 9/4 4/5", "1/9", "1/8")

    assert Keep() == bots.act("scout_cautious", state)


@pytest.mark.parametrize("bot", ["scout_greedy", "scout_planner", "scout_keeper"])
def test_the_others_take_the_better_way_up(bots, bot):
    """3 4 5 on the other halves is better than 1 9 4, and not the other way round."""
    turn, keep = unturned("1/3 9/4 4/5", "1/9", "1/8"), unturned("3/1 4/9 5/4", "1/9", "1/8")

    assert (Turn(), Keep()) == (bots.act(bot, turn), bots.act(bot, keep))


def test_greedy_plays_the_longest_set(bots):
    """A single would do; 5 6 7 gets rid of three."""
    state = position("3/8 1/9", "2/8 5/1 6/1 7/1", after=[Play(0, 1)])

    assert Play(1, 3) == bots.act("scout_greedy", state)


def test_greedy_scouts_and_plays_when_nothing_beats_the_table(bots):
    """6 6 does not beat 3 4 5, but what remains of it; the second decision is the longest play."""
    state = position("3/9 4/8 5/7 1/2", "6/1 6/2 9/8", after=[Play(0, 3)])
    first = bots.act("scout_greedy", state)
    state.apply(first)
    second = bots.act("scout_greedy", state)

    assert (first.then_play, second.count) == (True, 2)


def test_greedy_scouts_and_plays_for_two_cards_more(bots):
    """A single 5 beats the 4; with the 4 beside it, 4 5 is only one card longer, 3 4 5 two."""
    one_more = position("4/9 1/9", "5/1 8/1 1/3", after=[Play(0, 1)])
    two_more = position("4/8 1/9", "3/1 5/1 1/3", after=[Play(0, 1)])

    assert (Play(0, 1), True) == (bots.act("scout_greedy", one_more), bots.act("scout_greedy", two_more).then_play)


def test_greedy_scouts_for_the_best_hand_when_its_scout_and_play_is_used_up(bots):
    """After a scout-and-play the right is gone for the round: a plain scout, where it fits best."""
    after = [Play(0, 3), Scout(SetEnd.RIGHT, flip=False, at=3, then_play=True), Play(0, 2)]
    state = position("3/9 4/8 5/7 1/2 9/6 9/7 9/1", "6/1 6/2 9/8", "1/9 8/3", after=after)
    state.apply(Scout(SetEnd.LEFT, flip=False, at=0))
    state.apply(Play(1, 3))

    assert Scout(SetEnd.LEFT, flip=False, at=0) == bots.act("scout_greedy", state)


def test_planner_plays_what_stands_between_its_cards(bots):
    """Without the 8 the hand is the run 3 4 5; Greedy lays 4 5 instead."""
    state = position("3/1 8/1 4/1 5/1")

    assert (Play(1, 1), Play(2, 2)) == (bots.act("scout_planner", state), bots.act("scout_greedy", state))


def test_keeper_lays_the_weaker_of_two_sets(bots):
    """9 9 and 1 1 leave the same hand value: the strong set is kept. Planner takes the first."""
    state = position("9/1 9/2 1/3 1/4")

    assert (Play(2, 2), Play(0, 2)) == (bots.act("scout_keeper", state), bots.act("scout_planner", state))


def test_keeper_does_not_end_the_round_for_somebody_else(bots):
    """The 2 fits before 3 4 5 6 7, but a second scout ends the round, and seat 2 pays for its hand."""
    after = [Play(0, 2), Scout(SetEnd.LEFT, flip=False, at=0)]
    state = position("1/9 2/9 10/1", "1/8 8/3", "3/1 4/1 5/1 6/1 7/1 10/2", after=after)
    view = replace(state.view(2), may_scout_and_play=(True, True, False))
    kinds = [bots.bot(name)().act(view).do for name in ("scout_planner", "scout_keeper")]

    assert kinds == ["scout", "play"]


def test_keeper_empties_its_hand_when_it_can(bots):
    """Five cards in one play end the round; Planner would rather grow the run by a scout."""
    state = position("2/9 1/9", "3/1 4/1 5/1 6/1 7/1", after=[Play(0, 1)])

    assert ("scout", Play(0, 5)) == (bots.act("scout_planner", state).do, bots.act("scout_keeper", state))


def states_of(bots, players, *, seed):
    """Yields the positions of one game between Keeper and Planner in which a turn begins."""
    game = load_game("scout")
    names = ["scout_keeper", "scout_planner"] * players
    state = game.start(game.deal(players, Random(seed)))
    while state.to_move is not None:
        if state.view(None).phase == "turn":
            yield state
        state.apply(bots.act(names[state.to_move], state))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_keeper_foresees_which_scouts_end_the_round_and_who_leads_then(bots, players):
    """Rules 14, 15 and 18: `ends_round` and `lead` of a plain scout are what the rules make of it."""
    keeper, hand = bots.module("scout_keeper"), bots.module("_scout_hand")
    ended = 0
    for state in (state for seed in range(6) for state in states_of(bots, players, seed=seed)):
        view = state.view(state.to_move)
        for option in hand.options(view):
            if option.action.do != "scout" or option.action.then_play:
                continue
            after = state.copy()
            over = after.apply(option.action).round_over

            assert keeper.ends_round(option, view) == (over is not None)
            if over:
                ended += 1
                others = [points for seat, points in enumerate(over.points) if seat != view.seat]
                assert keeper.lead(option, view) == pytest.approx(over.points[view.seat] - sum(others) / len(others))
    assert ended > 0


@pytest.mark.parametrize("players", [3, 4])
def test_keeper_knows_the_lead_when_it_empties_its_hand(bots, players):
    """Rule 15: points of the round that its last play ends."""
    keeper, hand = bots.module("scout_keeper"), bots.module("_scout_hand")
    ended = 0
    for state in (state for seed in range(6) for state in states_of(bots, players, seed=seed)):
        view = state.view(state.to_move)
        for option in hand.options(view):
            if option.action.do == "play" and not option.hand:
                ended += 1
                points = state.copy().apply(option.action).round_over.points
                others = [one for seat, one in enumerate(points) if seat != view.seat]

                assert keeper.lead(option, view) == pytest.approx(points[view.seat] - sum(others) / len(others))
    assert ended > 0


@pytest.mark.parametrize("players", [2, 3, 5])
def test_keeper_leaves_out_only_what_cannot_win(bots, players):
    """Working out every mark gives the same choice as the short way."""
    keeper, hand = bots.module("scout_keeper"), bots.module("_scout_hand")
    for state in states_of(bots, players, seed=3):
        view = state.view(state.to_move)
        found = list(hand.options(view))

        def mark(option, view=view):
            if keeper.ends_round(option, view):
                return keeper.end_mark(option, view)
            return keeper.mark_without_plays(option, view.players) - hand.plays_to_empty(option.hand)

        assert max(found, key=mark) == keeper.best_option(found, view)


@pytest.mark.parametrize("players", [3, 5])
def test_options_tell_what_a_turn_leads_to(bots, players):
    """The hand, the set laid and the cards captured are what the rules make of the same actions."""
    hand = bots.module("_scout_hand")
    for state in states_of(bots, players, seed=4):
        seat = state.to_move
        view = state.view(seat)
        for option in hand.options(view):
            after = state.copy()
            event = after.apply(option.action)
            if option.action.do == "scout" and option.action.then_play:
                event = after.apply(next(play for play in after.legal_actions() if follows(play, option, after)))
            if event.round_over is None:
                now = after.view(seat)
                gained = now.captured[seat] - view.captured[seat]

                assert (option.hand, option.captured) == (hand.numbers(now.hand), gained)


def follows(play, option, state):
    """Returns whether a play leads from the state between scout and play to the option's hand and set."""
    cards = state.view(state.to_move).hand
    numbers = tuple(int(card.split("/")[0]) for card in cards)
    end = play.at + play.count
    return (numbers[: play.at] + numbers[end:], numbers[play.at : end]) == (option.hand, option.played)
