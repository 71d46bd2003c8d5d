"""The games as PettingZoo environments: PettingZoo's own tests, and equality with the referee."""

# ruff: noqa: E402 (what is imported needs what is asked for first)
from __future__ import annotations

import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from needs import need_module

from tournament.deals import bot_rng, deal_seed, make_deal
from tournament.errors import GameError, UsageError
from tournament.games import load_game

need_module("pettingzoo", extra="pettingzoo")

from made_games import EVERY, first_legal, random_game, steps_of
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test, state_test

from tournament.adapters.observation import layout_of
from tournament.adapters.pettingzoo import aec_env, env, parallel_env, raw_env

# The API test knows dictionaries with an action mask only from environments on a list of its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

CYCLES = 40


def play_through(env, record, *, until=None):
    """Steps an environment that was just reset through the moves of a record, comparing all on the way."""
    for seat, view, action, number in list(steps_of(record))[:until]:
        agent = env.agent_selection
        seen = env.unwrapped.view(agent)

        assert f"player_{seat}" == agent
        assert view == seen
        assert action in seen.legal_actions()
        assert 1 == env.observe(agent)["action_mask"][number]
        env.step(number)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_petting_zoos_api_test_passes(name, players):
    """pettingzoo.test.api_test, whole."""
    api_test(aec_env(name, players=players), num_cycles=CYCLES)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_petting_zoos_api_test_passes_to_the_end_of_the_game(name, players):
    """A game that is over dismisses every agent, with rewards for all."""
    api_test(aec_env(name, players=players, rewards="placement", max_cycles=300), num_cycles=600)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_petting_zoos_seed_test_passes(name, players):
    """pettingzoo.test.seed_test: two environments with one seed go the same way."""
    seed_test(lambda: aec_env(name, players=players), num_cycles=CYCLES)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_petting_zoos_max_cycles_test_passes(name, players):
    """pettingzoo.test.max_cycles_test.

    It samples without a mask, so illegal actions are replaced. Deals and samples are seeded: a scout
    and play, which gives one agent two decisions in a row, would break its count of decisions.
    """

    def seeded(env):
        reset = env.reset
        env.reset = lambda **given: reset(**{"seed": 1, **given})
        for agent in env.possible_agents:
            env.action_space(agent).seed(0)
        return env

    module = SimpleNamespace(
        env=lambda max_cycles: seeded(aec_env(name, players=players, max_cycles=max_cycles, illegal="replace")),
        parallel_env=lambda max_cycles: seeded(parallel_env(name, players=players, max_cycles=max_cycles)),
    )
    max_cycles_test(module)


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_game_in_the_environment_equals_the_game_of_the_referee(name, players):
    """A full game through the adapter equals the same game through the referee, move for move."""
    record = random_game(name, players)
    env = aec_env(name, players=players)
    env.reset(options={"deal": record.deal})
    play_through(env, record)

    assert all(env.terminations.values())
    assert list(record.result.scores) == [env.rewards[agent] for agent in env.possible_agents]


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 4)])
def test_rewards_by_placement_are_placement_points(name, players):
    """0 for the last place to 1 for the first, shared in ties."""
    record = random_game(name, players)
    env = aec_env(name, players=players, rewards="placement")
    env.reset(options={"deal": record.deal})
    play_through(env, record)
    places = record.result.places
    points = [
        sum(other > place for other in places) / (players - 1) + (places.count(place) - 1) / 2 / (players - 1)
        for place in places
    ]

    assert points == [env.rewards[agent] for agent in env.possible_agents]


def test_there_is_no_reward_before_the_end():
    """Rewards come at the end of the game."""
    record = random_game("scout", 4)
    env = aec_env("scout", players=4)
    env.reset(options={"deal": record.deal})
    play_through(env, record, until=len(record.moves) - 1)

    assert {0.0} == set(env.rewards.values()) | {env._cumulative_rewards[agent] for agent in env.agents}


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_a_seed_deals_what_a_tournament_with_that_seed_deals(name, players):
    """reset(seed=7) is block 0 of the master 7, the next reset block 1."""
    game = load_game(name)
    env = aec_env(name, players=players)
    for block, seed in enumerate((7, None, None)):
        env.reset(seed=seed)
        dealt = deal_seed("7", game=name, players=players, segment=0, block=block)
        state = game.start(make_deal(game, players=players, seed=dealt))

        assert [state.view(seat) for seat in range(players)] == [
            env.unwrapped.view(agent) for agent in env.possible_agents
        ]


def test_the_mask_shows_just_the_legal_numbers_and_nothing_to_who_is_not_to_move():
    """Action masks; legal_actions are those of the seat to move."""
    env = aec_env("scout", players=3)
    env.reset(seed=1)
    mover = env.observe("player_0")["action_mask"]
    waiting = env.observe("player_1")["action_mask"]

    assert [0, 1] == list(np.flatnonzero(mover))
    assert not waiting.any()


@pytest.mark.parametrize("name", ["scout", "explorers"])
def test_an_observation_does_not_change_with_what_the_seat_cannot_know(name):
    """Hidden swap: another hand or stock elsewhere leaves the observation byte for byte the same."""
    game = load_game(name)
    record = random_game(name, 3)
    env, other = aec_env(name, players=3), aec_env(name, players=3)
    env.reset(options={"deal": record.deal})
    rng = bot_rng("0" * 64, rotation=0, seat=0)
    seen = []
    for _ in range(12):
        agent = env.agent_selection
        view = env.unwrapped.view(agent)
        if agent == "player_0":
            seen.append(view)
            other.reset()
            other.unwrapped._state = game.redeal(seen, rng)
            other.unwrapped._seen = None

            assert env.observe(agent)["observation"].tobytes() == other.observe(agent)["observation"].tobytes()
        env.step(first_legal(env.observe(agent)["action_mask"]))

    assert len(seen) > 2


def test_the_pieces_of_an_observation_are_where_the_layout_says():
    """docs/training.md, Observations."""
    env = aec_env("explorers", players=2)
    env.reset(seed=1)
    array = env.observe("player_1")["observation"]
    layout = layout_of("explorers", 2)
    pieces = layout.pieces_in(array, tuple(layout.pieces))

    assert layout.size == len(array)
    assert 10 == pieces["hand"].sum()
    assert [0, 1] == pieces["seat"].tolist()
    assert [0, 1] == pieces["to_move"].tolist()
    assert [32] == pieces["stock"].tolist()


def test_an_illegal_action_ends_the_game_and_costs_more_than_any_lost_game():
    """PettingZoo's TerminateIllegalWrapper."""
    env = aec_env("scout", players=3)
    env.reset(seed=1)
    env.step(5)

    assert {"player_0": -1000.0, "player_1": 0, "player_2": 0} == env.rewards
    assert all(env.terminations.values())


def test_an_illegal_action_can_be_replaced():
    """illegal="replace": the first legal action takes its place and the game goes on."""
    env = aec_env("scout", players=3, illegal="replace")
    env.reset(seed=1)
    env.step(5)

    assert "player_1" == env.agent_selection
    assert "keep" == env.unwrapped.view("player_0").news[0].__struct_config__.tag


def test_render_draws_the_game_as_the_viewer_does():
    """render: text from tournament.viewer.text."""
    env = aec_env("scout", players=2, render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    env.step(1)

    assert "The cards are dealt." in before
    assert "Seat 0 turns its hand." in env.render()
    assert "Seat 1 keeps or turns its hand." in env.render()


def test_human_rendering_prints_every_step(capsys):
    """render_mode="human"."""
    env = aec_env("explorers", players=2, render_mode="human")
    env.reset(seed=1)
    env.step(first_legal(env.observe("player_0")["action_mask"]))

    assert "Seat 0 draws a card." in capsys.readouterr().out


def test_what_does_not_exist_is_refused_with_a_sentence():
    """Errors for users."""
    env = raw_env("scout", players=3)
    env.reset(seed=1)

    with pytest.raises(GameError, match="2 to 5 players, not 6"):
        aec_env("scout", players=6)
    with pytest.raises(GameError, match="choose score or placement"):
        aec_env("scout", players=3, rewards="money")
    with pytest.raises(UsageError, match="choose terminate, replace or raise"):
        aec_env("scout", players=3, illegal="ignore")
    with pytest.raises(UsageError, match="Action 5 of player_0 is not legal"):
        env.step(5)
    with pytest.raises(UsageError, match="The deal is for 2 players, the environment for 3"):
        env.reset(options={"deal": random_game("scout", 2).deal})
    with pytest.raises(UsageError, match="3 is no deal of scout: give the deal of a record"):
        env.reset(options={"deal": 3})
    for make in (aec_env, raw_env, parallel_env):
        with pytest.raises(UsageError, match="max_cycles=0 is not a whole number from 1 on"):
            make("scout", players=3, max_cycles=0)
        with pytest.raises(UsageError, match="choose ansi or human, or leave it out"):
            make("scout", players=3, render_mode="rgb_array")


def test_what_is_done_out_of_order_is_refused_with_a_sentence():
    """As PettingZoo's OrderEnforcingWrapper and AssertOutOfBoundsWrapper do."""
    env = aec_env("scout", players=3)
    for early in (
        env.render,
        env.state,
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        lambda: [*env.agent_iter()],
    ):
        with pytest.raises(UsageError, match=r"call reset\(\) first"):
            early()
    env.reset(seed=1)
    for number in (-1, 10_000, 0.0, None, "0"):
        with pytest.raises(UsageError, match="choose a number whose action_mask is 1"):
            env.step(number)
    with pytest.raises(UsageError, match=r"call step\(\) once in each turn"):
        [*env.agent_iter()]


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_petting_zoos_parallel_and_state_tests_pass(name, players):
    """pettingzoo.test.parallel_api_test and state_test; unmasked samples are replaced in the parallel one."""
    parallel_api_test(parallel_env(name, players=players), num_cycles=CYCLES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state_test(env(name, players=players), parallel_env(name, players=players))


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_the_state_has_what_all_know_then_the_hand_of_every_seat(name, players):
    """For critics that may see everything."""
    made = env(name, players=players)
    made.reset(seed=3)
    for _ in range(CYCLES):
        layout = layout_of(name, players)
        seen = [
            layout.pieces_in(made.observe(agent)["observation"], tuple(layout.pieces)) for agent in made.possible_agents
        ]
        public = [piece.ravel() for name, piece in seen[0].items() if name not in layout.private]
        hands = [pieces[name].ravel() for pieces in seen for name in layout.private]

        assert np.concatenate([*public, *hands]).tolist() == made.state().tolist()
        assert made.state_space.contains(made.state())
        made.step(first_legal(made.observe(made.agent_selection)["action_mask"]))


def test_an_observation_belongs_to_the_learner_that_got_it():
    """Writing into it changes neither the game nor what is observed next."""
    made = env("scout", players=3)
    made.reset(seed=1)
    first = made.observe("player_0")
    kept = {name: array.copy() for name, array in first.items()}
    for array in first.values():
        array[:] = 1
    again = made.observe("player_0")
    made.step(1)

    assert all((kept[name] == again[name]).all() for name in kept)
    assert "player_1" == made.agent_selection


def test_an_environment_can_be_sent_to_another_process():
    """Learners run environments in worker processes."""
    env = aec_env("scout", players=2)
    env.reset(seed=1)
    env.step(1)
    sent = pickle.loads(pickle.dumps(env))

    assert env.unwrapped.view("player_0") == sent.unwrapped.view("player_0")
    assert env.agent_selection == sent.agent_selection


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"game": 5}, "5 is no name of a game"),
        ({"illegal_reward": "a"}, "illegal_reward='a' is no number"),
        ({"illegal_reward": True}, "illegal_reward=True is no number"),
    ],
)
def test_arguments_that_are_none_are_told_with_what_to_write(wrong, text):
    with pytest.raises((GameError, UsageError), match=text):
        env(**{"game": "scout", "players": 2} | wrong)


@pytest.mark.parametrize("ask", ["observe", "observation_space", "action_space"])
def test_an_agent_that_does_not_exist_is_told_with_those_that_do(ask):
    environment = env("scout", players=2)
    environment.reset(seed=1)

    with pytest.raises((GameError, UsageError), match="There is no agent 'nobody': choose one of player_0, player_1"):
        getattr(environment, ask)("nobody")
