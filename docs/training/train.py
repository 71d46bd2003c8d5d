"""Trains the policy in the PettingZoo environment: python docs/training/train.py (about a minute).

All seats play the policy. After some games each choice is made more likely by as much as its seat did
better than the table, less likely when it did worse (REINFORCE, with the mean of the table as baseline).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from policy import ACTION_PARTS, POSITION_PARTS, chances, describe_actions, describe_position

from tournament.adapters.pettingzoo import aec_env

WEIGHTS = Path(__file__).parent / "weights.npy"


def play(env: Any, weights: np.ndarray, rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, float]]:
    """Plays one game; returns the gradient of each agent's choices, and the agents' scores."""
    table = describe_actions(len(env.possible_agents))
    gradients = dict.fromkeys(env.possible_agents, 0.0)
    env.reset()
    for agent in env.agent_iter():
        observation, _, over, stopped, _ = env.last()
        if over or stopped:
            return gradients, dict(env.rewards)
        numbers = np.flatnonzero(observation["action_mask"])
        actions = table[numbers]
        position = describe_position(observation["observation"], len(env.possible_agents))
        likely = chances(weights, actions, position)
        chosen = rng.choice(len(numbers), p=likely)
        gradients[agent] = gradients[agent] + np.outer(actions[chosen] - likely @ actions, position)
        env.step(int(numbers[chosen]))
    raise AssertionError("a game ends with every agent dismissed")


def train(*, seed: int, steps: int, games: int, rate: float) -> np.ndarray:
    """Returns trained weights, and prints how far it is."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((ACTION_PARTS, POSITION_PARTS))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    envs = [aec_env("scout", players=players, options={"move_limit": 60}) for players in (2, 3, 4, 5)]
    for env in envs:
        env.reset(seed=seed)
    begun = perf_counter()
    for step in range(1, steps + 1):
        total = np.zeros_like(weights)
        for game in range(games):
            gradients, scores = play(envs[game % len(envs)], weights, rng)
            points = np.array(list(scores.values()))
            better = (points - points.mean()) / (points.std() + 1)
            total += sum(advantage * gradients[agent] for advantage, agent in zip(better, scores, strict=True))
        # Adam: steps of about the same size, whatever the scale of the gradient.
        mean = 0.9 * mean + 0.1 * total
        square = 0.99 * square + 0.01 * total**2
        weights = weights + rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        if step % 10 == 0:
            print(f"step {step}: {perf_counter() - begun:.0f} s, largest weight {np.abs(weights).max():.2f}")
    return weights


def main() -> None:
    """Trains and writes the weights beside this file, or where `--out` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--games", type=int, default=8, help="games a step")
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    weights = train(seed=given.seed, steps=given.steps, games=given.games, rate=given.rate)
    np.save(given.out, weights.astype(np.float32))


if __name__ == "__main__":
    main()
