"""The games in OpenSpiel: its own tests, its search, its bots, and equality with the referee."""

# ruff: noqa: E402 (what is imported needs what is asked for first)
from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pytest
from made_games import EVERY, dealing_of, random_game, refereed, steps_of
from needs import need_module

from tournament import Bot
from tournament.deals import deal_seed, make_deal
from tournament.errors import GameError
from tournament.games import load_game

need_module("pyspiel", extra="openspiel")

import pyspiel
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.policy import PolicyBot
from open_spiel.python.policy import UniformRandomPolicy

from tournament.adapters.openspiel import OpenSpielBot, load_openspiel_game, state_from_views

SHORT = {"scout": "move_limit=6", "explorers": "move_limit=12"}
"""Options that make games short."""


def load(name, players, short=False):
    return pyspiel.load_game(f"tournament_{name}(players={players}{',' + SHORT[name] if short else ''})")


def dealt_state(game, name, deal):
    """Returns the state after chance dealt a deal."""
    state = game.new_initial_state()
    for outcome in dealing_of(name, game.num_players()).outcomes_of(deal):
        state.apply_action(outcome)
    return state


def random_walk(game, seed, *, decisions):
    """Returns the state after a random deal and some random decisions."""
    chooser = np.random.RandomState(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choice(numbers, p=chances))
            continue
        if decisions == 0:
            break
        decisions -= 1
        state.apply_action(chooser.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_open_spiels_random_simulation_passes(name, players):
    """pyspiel.random_sim_test: clones, serialization, legal actions, masks, tensors, bounds, length."""
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["scout", "explorers"])
def test_open_spiels_random_simulation_passes_with_rewards_by_placement_and_other_options(name):
    """Parameters of the OpenSpiel games: rewards, move_limit, stall_limit."""
    more = ",stall_limit=-1" if name == "explorers" else ""
    game = pyspiel.load_game(f"tournament_{name}(players=3,rewards=placement,move_limit=30{more})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)

    assert (0.0, 1.0) == (game.min_utility(), game.max_utility())


@pytest.mark.parametrize("name", ["scout", "explorers"])
def test_a_playthrough_is_generated_and_comes_out_the_same_when_run_again(name, tmp_path):
    """open_spiel.python.algorithms.generate_playthrough: the file's own actions must make the file again."""
    from open_spiel.python.algorithms import generate_playthrough  # imports scipy, which other tests do not need

    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    file = tmp_path / f"tournament_{name}.txt"
    text = generate_playthrough.playthrough(f"tournament_{name}(players=2,{SHORT[name]})", None, seed=3)
    file.write_text(text, encoding="utf-8")
    original, again = generate_playthrough.replay(str(file))

    assert original == again
    assert "IsTerminal() = True" in original
    assert "ValueError" not in original


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_game_in_open_spiel_equals_the_game_of_the_referee(name, players):
    """A full game through the adapter equals the same game through the referee, move for move."""
    record = random_game(name, players)
    state = dealt_state(load(name, players), name, record.deal)
    for seat, view, action, number in steps_of(record):
        assert seat == state.current_player()
        assert view == state.course.view
        assert action == state.course.choices[number]
        assert len(view.legal_actions()) == len(state.legal_actions())
        state.apply_action(number)

    assert state.is_terminal()
    assert list(record.result.scores) == state.returns()


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_chance_can_deal_every_deal_of_the_rules(name, players):
    """chance.py: each card drawn is among the outcomes, whose probabilities add up to one."""
    game = load_game(name)
    seed = deal_seed("chance", game=name, players=players, segment=0, block=0)
    deal = make_deal(game, players=players, seed=seed)
    dealing = dealing_of(name, players)
    numbers = dealing.outcomes_of(deal)
    for drawn, number in enumerate(numbers):
        outcomes = dict(dealing.outcomes(numbers[:drawn]))

        assert number in outcomes
        assert abs(sum(outcomes.values()) - 1) < 1e-9
        assert list(outcomes) == sorted(outcomes)
    assert deal == dealing.deal_of(numbers)
    assert dealing.length == len(numbers)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_what_chance_deals_is_a_deal_of_the_rules(name, players):
    """check_deal: the whole pack, in hands of the right size."""
    state = random_walk(load(name, players), 5, decisions=0)
    deal = dealing_of(name, players).deal_of(state.course.dealt)

    load_game(name).check_deal(deal)


def test_a_card_that_is_left_twice_is_drawn_twice_as_likely():
    """Explorers 1: two packs for three players; 104 cards."""
    dealing = dealing_of("explorers", 3)

    assert (0, 2 / 104) == dealing.outcomes([])[0]
    assert (0, 1 / 103) == dealing.outcomes([0])[0]
    assert 51 == len(dealing.outcomes([0, 0]))


@pytest.mark.parametrize(("name", "players"), EVERY)
@pytest.mark.parametrize(("decisions", "short"), [(0, False), (1, False), (9, False), (14, True)])
def test_resampling_keeps_what_the_seat_saw_and_changes_the_rest(name, players, decisions, short):
    """resample_from_infostate: the same information state and observation, other hands; also in a later round."""
    state = random_walk(load(name, players, short), decisions, decisions=decisions)
    seat = state.current_player()
    rng = np.random.RandomState(0)
    others = set()
    for _ in range(4):
        twin = state.resample_from_infostate(seat, rng.uniform)
        others.add(tuple(twin.course.view_of(other).hand for other in range(players) if other != seat))

        assert state.information_state_string(seat) == twin.information_state_string(seat)
        assert state.information_state_tensor(seat) == twin.information_state_tensor(seat)
        assert state.observation_string(seat) == twin.observation_string(seat)
        assert state.observation_tensor(seat) == twin.observation_tensor(seat)
        assert state.legal_actions() == twin.legal_actions()
    assert len(others) > 1


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 2)])
def test_a_resampled_state_can_be_played_cloned_and_stored(name, players):
    """Search plays on from it; OpenSpiel stores what is in it."""
    game = load(name, players, short=True)
    state = random_walk(game, 1, decisions=4)
    twin = state.resample_from_infostate(state.current_player(), np.random.RandomState(0).uniform)
    stored = game.deserialize_state(twin.serialize())
    copy = twin.clone()
    while not twin.is_terminal():
        action = twin.legal_actions()[-1]
        for one in (twin, copy, stored):
            one.apply_action(action)

        assert str(twin) == str(copy) == str(stored)
    assert twin.returns() == copy.returns() == stored.returns()


def test_only_the_seat_that_decides_can_be_resampled_for():
    """Redeal wants the views of a decision."""
    state = random_walk(load("scout", 3), 1, decisions=4)

    with pytest.raises(GameError, match="is not to move"):
        state.resample_from_infostate((state.current_player() + 1) % 3, lambda: 0.0)


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 3)])
def test_information_states_tell_two_histories_apart_and_grow(name, players):
    """Perfect recall: no information state comes twice in a game, each begins with the one before."""
    game = load(name, players, short=True)
    state = random_walk(game, 2, decisions=0)
    chooser = np.random.RandomState(2)
    seen = {seat: [] for seat in range(players)}
    tensors = Counter()
    while not state.is_terminal():
        seat = state.current_player()
        text = state.information_state_string()
        assert all(text.startswith(before) and text != before for before in seen[seat])

        seen[seat].append(text)
        tensors[seat, tuple(state.information_state_tensor())] += 1
        state.apply_action(chooser.choice(state.legal_actions()))

    assert {1} == set(tensors.values())


@pytest.mark.parametrize(("name", "players"), [("scout", 2), ("explorers", 2)])
def test_the_search_of_open_spiel_plays_a_game_through_redeals(name, players):
    """open_spiel.python.algorithms.ismcts: resample_from_infostate at every simulation."""
    game = load(name, players, short=True)
    chooser = np.random.RandomState(1)
    searcher = ISMCTSBot(game, RandomRolloutEvaluator(1, chooser), 2.0, 5, random_state=chooser)
    state = random_walk(game, 3, decisions=0)
    while not state.is_terminal():
        state.apply_action(
            searcher.step(state) if state.current_player() == 0 else chooser.choice(state.legal_actions())
        )

    assert players == len(state.returns())


class Searcher(OpenSpielBot, Bot):
    """OpenSpiel's search, entered as one of our bots."""

    def make_bot(self, game, seat, seed):
        chooser = np.random.RandomState(seed)
        return ISMCTSBot(game, RandomRolloutEvaluator(1, chooser), 2.0, 3, random_state=chooser)


class Uniform(OpenSpielBot, Bot):
    """A bot of OpenSpiel's that is written in C++."""

    def make_bot(self, game, seat, seed):
        return pyspiel.make_uniform_random_bot(seat, seed)


class Cheater(OpenSpielBot, Bot):
    """OpenSpiel's search for games in which everybody sees everything: here it sees a redealt state."""

    rewards = "placement"

    def make_bot(self, game, seat, seed):
        chooser = np.random.RandomState(seed)
        return MCTSBot(game, 2.0, 3, RandomRolloutEvaluator(1, chooser), random_state=chooser)


class Policy(OpenSpielBot, Bot):
    """A policy of OpenSpiel's as a bot."""

    def make_bot(self, game, seat, seed):
        return PolicyBot(seat, np.random.RandomState(seed), UniformRandomPolicy(game))


@pytest.mark.parametrize("bot", [Searcher, Cheater, Uniform, Policy])
@pytest.mark.parametrize(("name", "players"), [("scout", 2), ("scout", 3), ("explorers", 2)])
def test_a_bot_of_open_spiel_plays_a_full_game_of_ours(bot, name, players):
    """Any OpenSpiel bot can be entered as a bot."""
    limit = {"scout": 12, "explorers": 16}[name]
    record = refereed(name, (bot(), *(None,) * (players - 1)), options={"move_limit": limit})

    assert () == record.faults
    assert {0, *range(players)} == {move.seat for move in record.moves}


def test_a_bot_of_open_spiel_plays_the_same_game_again():
    """Bots draw their chance from what they are given."""
    first, second = (refereed("scout", (Uniform(), None), options={"move_limit": 12}) for _ in range(2))

    assert first.moves == second.moves


def test_a_state_made_of_views_shows_the_seat_its_last_view():
    """state_from_views: what OpenSpielBot hands to bots."""
    record = random_game("scout", 4)
    game = load("scout", 4)
    seen = [view for seat, view, _, _ in steps_of(record) if seat == 2][:6]

    class Half:
        def random(self):
            return 0.5

    state = state_from_views(game, seen, Half())

    assert seen[-1] == state.course.view
    assert tuple(seen[:-1]) == state.course.memories[2].views


def test_observers_show_no_more_than_they_are_asked_for():
    """Factored observations: the public one has no hand, the private one nothing else."""
    state = random_walk(load("scout", 3), 4, decisions=10)
    game = state.get_game()
    kind = pyspiel.IIGObservationType
    nobody, own = pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER
    public = game.make_py_observer(kind(perfect_recall=False, public_info=True, private_info=nobody))
    private = game.make_py_observer(kind(perfect_recall=False, public_info=False, private_info=own))
    hand = " ".join(state.course.view_of(1).hand)

    assert "hand" not in public.dict
    assert hand not in public.string_from(state, 1)
    assert ["hand"] == list(private.dict)
    assert f"seat 1: {hand}" == private.string_from(state, 1)
    with pytest.raises(GameError, match="one player's hand or none"):
        game.make_py_observer(kind(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS))


def test_the_learning_environment_of_open_spiel_takes_the_games():
    """open_spiel.python.rl_environment: time steps with information states and legal actions."""
    environment = rl_environment.Environment(load("scout", 3, short=True), chance_event_sampler=None)
    step = environment.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = environment.step([step.observations["legal_actions"][seat][0]])

    assert 3 == len(step.rewards)


def test_our_options_are_parameters_of_the_game():
    """load_openspiel_game: None is -1 there."""
    game = load_openspiel_game("explorers", players=4, options={"stall_limit": None, "move_limit": 7})

    assert (-1, 7, 4) == tuple(game.get_parameters()[name] for name in ("stall_limit", "move_limit", "players"))
    assert game.setting.options == load_game("explorers").Options(stall_limit=None, move_limit=7)
    assert game.setting is pickle.loads(pickle.dumps(game.setting))


def test_an_action_that_is_not_legal_is_refused():
    """Errors for users."""
    state = random_walk(load("scout", 3), 1, decisions=0)

    with pytest.raises(GameError, match=r"Action 5 is not legal here: choose from \[0, 1\]"):
        state.apply_action(5)
