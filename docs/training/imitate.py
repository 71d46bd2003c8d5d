"""Trains the policy to choose as winners did: python docs/training/imitate.py winners.parquet (seconds).

The file has decisions of SCOUT, from `tournament export RUN --rows views --seat winner --format parquet`.
Each makes what was chosen more likely and what else was legal less: behaviour cloning, which for this policy is
a logistic regression over the numbers of the legal actions. Every fifth block is kept to test on.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from policy import ACTION_PARTS, POSITION_PARTS, chances, describe_actions, describe_position
from pyarrow import parquet

from tournament import load_game
from tournament.adapters.observation import observe

TEST_SHARE = 5
COLUMNS = ["game", "players", "block", "stand_in", "view", "legal_numbers", "choice", "choice_number"]


class Decision(NamedTuple):
    """What the policy knows of a decision, and which of the actions was chosen."""

    actions: np.ndarray
    position: np.ndarray
    choice: int
    is_test: bool


def read_decisions(path: Path) -> list[Decision]:
    """Returns the decisions of bots in a file; the view is read as the bot got it."""
    view_type = load_game("scout").View
    rows = parquet.read_table(path, columns=COLUMNS).to_pylist()
    return [
        Decision(
            actions=describe_actions(row["players"])[row["legal_numbers"]],
            position=describe_position(observe(msgspec.json.decode(row["view"], type=view_type)), row["players"]),
            choice=row["choice"],
            is_test=row["block"] % TEST_SHARE == 0,
        )
        for row in rows
        if row["game"] == "scout" and not row["stand_in"] and row["choice_number"] is not None
    ]


def train(decisions: list[Decision], *, seed: int, passes: int, rate: float) -> np.ndarray:
    """Returns weights that make the choices likely: gradient ascent on their log-likelihood, one at a time."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((ACTION_PARTS, POSITION_PARTS))
    for _ in range(passes):
        for number in rng.permutation(len(decisions)):
            actions, position, choice, _ = decisions[number]
            likely = chances(weights, actions, position)
            weights += rate * np.outer(actions[choice] - likely @ actions, position)
    return weights


def agreement(weights: np.ndarray, decisions: list[Decision]) -> float:
    """Returns in which share of decisions the most likely action is the one chosen."""
    likeliest = [chances(weights, actions, position).argmax() for actions, position, _, _ in decisions]
    return float(np.mean([number == one.choice for number, one in zip(likeliest, decisions, strict=True)]))


def main() -> None:
    """Trains, says how often the policy agrees with the winners, and writes the weights where `--out` says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("decisions", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "imitated.npy")
    given = parser.parse_args()
    decisions = read_decisions(given.decisions)
    learned = [one for one in decisions if not one.is_test]
    tested = [one for one in decisions if one.is_test]
    weights = train(learned, seed=given.seed, passes=given.passes, rate=given.rate)
    np.save(given.out, weights.astype(np.float32))
    chance = np.mean([1 / len(one.actions) for one in tested])
    print(f"Learned from {len(learned)} decisions, tested on {len(tested)} of other deals:")
    print(f"the winner's action in {agreement(weights, tested):.0%}, by chance in {chance:.0%}.")


if __name__ == "__main__":
    main()
