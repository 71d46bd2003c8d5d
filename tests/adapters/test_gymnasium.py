"""One seat as a Gymnasium environment: Gymnasium's own check, and equality with the referee."""

# ruff: noqa: E402 (what is imported needs what is asked for first)
from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest
from needs import need_module

from tournament import Bot
from tournament.deals import load_suite, make_deal
from tournament.errors import BotError, ConfigurationError, GameError, UsageError
from tournament.games import load_game
from tournament.paths import data_folder

need_module("gymnasium", extra="gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env
from made_games import EVERY, refereed

from tournament.adapters.gymnasium import ENV_ID, seat_env

BOTS = data_folder("bots")
SUITE = data_folder("seeds") / "smoke.yaml"


class First(Bot):
    """Plays the first legal action, and notes the games it is in."""

    ends: tuple = ()

    def start(self, info):
        self.info = info

    def act(self, view):
        return view.legal_actions()[0]

    def end(self, result):
        First.ends += (result,)


def play(env, choose=lambda mask: int(np.flatnonzero(mask)[0]), **reset):
    """Plays one game; returns all observations and the rewards."""
    observation, info = env.reset(**reset)
    seen, rewards, over = [observation], [], False
    while not over:
        observation, reward, over, truncated, info = env.step(choose(env.action_masks()))
        assert not truncated
        assert (env.action_masks() == info["action_mask"]).all()
        seen.append(observation)
        rewards.append(reward)
    return seen, rewards


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_gymnasiums_own_check_passes_without_a_warning(name, players, capsys):
    """gymnasium.utils.env_checker.check_env, with every render mode."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(seat_env(name, players=players, seat=None, opponents=[BOTS / "random_legal.py"]))
    assert "is next" not in capsys.readouterr().err


@pytest.mark.parametrize("seat", [0, 2])
@pytest.mark.parametrize("name", ["scout", "explorers"])
def test_a_game_in_the_environment_is_the_game_of_the_referee(name, seat):
    """The deal of the block, the seats, and the scores."""
    env = seat_env(name, players=3, seat=seat, opponents=[First], rewards="score")
    record = refereed(name, [First() for _ in range(3)])
    _, rewards = play(env, choose=lambda mask: env._decision.numbers[0], options={"deal": record.deal})

    assert record.result.scores[seat] == rewards[-1]
    assert {0.0} == set(rewards[:-1])


def test_a_seed_repeats_the_deal_the_seat_and_the_chance_of_opponents():
    """And the games after it."""
    first, second = (seat_env("scout", players=4, seat=None) for _ in range(2))
    runs = []
    for env in (first, second, first):
        games = [play(env, seed=seed) for seed in (11, None, None)]
        runs.append([[array.tolist() for array in seen] for seen, _ in games])

    assert runs[0] == runs[1] == runs[2]
    assert runs[0][0] != runs[0][1] != runs[0][2]


def test_without_a_seed_two_environments_have_different_deals():
    """Fresh deals else."""
    one, other = (seat_env("scout").reset()[0] for _ in range(2))

    assert one.tolist() != other.tolist()


def test_deals_can_be_those_of_a_suite():
    """One after the other, from the first again after the last; a seed is the place to begin."""
    suite, game = load_suite(SUITE), load_game("scout")
    env = seat_env("scout", players=3, seat=1, suite=SUITE)
    hands = []
    for block in (0, 1, len(suite.seeds) - 1):
        seed = suite.deal_seed(game="scout", players=3, block=block)
        hands.append(make_deal(game, players=3, seed=seed).rounds[0].hands[1])
    found = []
    for seed in (0, None, len(suite.seeds) - 1, None):
        env.reset(seed=seed)
        found.append(env.view.hand)

    assert [*hands, hands[0]] == found


def test_opponents_are_specs_as_the_command_takes_them_or_classes():
    """A file, an installed name, a class of a file, and a class at hand."""
    greedy = str(BOTS / "scout_greedy.py")
    for opponents in ([greedy], greedy, [First], First, [greedy, First], [f"{greedy}:Greedy"], [Path(greedy)]):
        seen, _ = play(seat_env("scout", players=3, opponents=opponents), seed=1)
        assert len(seen) > 3


def test_opponents_sit_in_the_order_of_the_seats_after_the_learner():
    """And are told their seat."""
    env = seat_env("scout", players=4, seat=2, opponents=[First, BOTS / "random_legal.py", First])
    env.reset(seed=1)
    seated = {seat: type(opponent._bot).__name__ for seat, opponent in env._seated.items()}

    assert {3: "First", 0: "RandomLegal", 1: "First"} == seated
    assert 3 == env._seated[3]._bot.info.seat


def test_opponents_are_told_how_the_game_ended():
    """As the referee tells them."""
    First.ends = ()
    _, rewards = play(seat_env("explorers", opponents=[First], rewards="score"), seed=3)

    assert [rewards[-1]] == [end.scores[0] for end in First.ends]


def test_an_illegal_action_ends_the_game_with_a_reward_below_all_others():
    """A learner without masks learns not to."""
    for rewards, lost in (("placement", -1.0), ("score", -1000.0)):
        env = seat_env("scout", players=3, rewards=rewards)
        env.reset(seed=1)
        _, reward, over, truncated, info = env.step(5)

        assert (lost, True, False, True) == (reward, over, truncated, info["illegal"])
        assert not env.action_masks().any()
        with pytest.raises(UsageError, match=r"call reset\(\)"):
            env.step(0)


def test_the_environment_is_made_by_name_and_sent_to_another_process():
    """gymnasium.make, and learners with processes."""
    made = gymnasium.make(ENV_ID, game="scout", players=3, opponents=[First]).unwrapped
    made.reset(seed=5)
    sent = pickle.loads(pickle.dumps(made))
    for env in (made, sent):
        env.step(0)

    assert made.view == sent.view


class Raising(Bot):
    def act(self, view):
        raise ValueError("no idea")


class Wrong(Bot):
    def act(self, view):
        return load_game("explorers").actions(2)[0]


class Elsewhere(Bot):
    games = ("explorers",)

    def act(self, view):
        return None


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"players": 6}, GameError, "2 to 5 players, not 6"),
        ({"players": 3.0}, UsageError, "players=3.0 is not a whole number"),
        ({"players": "3"}, UsageError, "players='3' is not a whole number"),
        ({"seat": "0"}, UsageError, "seat='0' is not a whole number"),
        ({"options": 3}, GameError, "expected names with values, found 3"),
        ({"opponents": 3}, UsageError, "opponents=3 is no list of bots"),
        ({"opponents": [First()]}, UsageError, "give its class, not an object of it"),
        ({"seat": 2}, UsageError, "no seat 2 with 2 players: choose 0 to 1"),
        ({"rewards": "money"}, GameError, "choose score or placement"),
        ({"render_mode": "rgb_array"}, UsageError, "choose ansi or human, or leave it out"),
        ({"players": 4, "opponents": [First, First]}, UsageError, "2 opponents for 3 seats"),
        ({"opponents": ["bots/nobody.py"]}, BotError, r"nobody\.py"),
        ({"opponents": [str(BOTS)]}, UsageError, "Name one bot for each seat"),
        ({"opponents": [Elsewhere]}, BotError, "Elsewhere does not play scout, only explorers"),
        ({"opponents": [str(BOTS / "explorers_planner.py")]}, BotError, "does not play scout"),
        ({"opponents": [Raising], "seat": 1}, BotError, "Raising in seat 0 failed: act raised ValueError: no idea"),
        ({"opponents": [Wrong], "seat": 1}, BotError, "Wrong in seat 0 failed: act returned StartExpedition"),
        ({"suite": "nothing.yaml"}, ConfigurationError, r"no deal suite nothing\.yaml"),
    ],
    ids=lambda one: ", ".join(one) if isinstance(one, dict) else str(one),
)
def test_what_cannot_be_is_refused_with_a_sentence(given, kind, message):
    """Errors for users."""
    with pytest.raises(kind, match=message):
        seat_env("scout", **given).reset()


def test_a_suite_that_is_no_path_is_told():
    with pytest.raises(UsageError, match="suite=5 is no file: give the path of a suite"):
        seat_env("scout", suite=5)
