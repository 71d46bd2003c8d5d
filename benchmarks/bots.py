"""Measures the example bots against each other and prints the result as Markdown tables.

One seat has one bot, all the others have another. Every deal is played with the one in each
seat in turn, so luck of the deal and of the seat falls on both alike. A share is the part of
games won, a shared first place counting its part; the margin is that of a 95 % interval over
deals. A share above the fair one (50, 33.3, 25, 20 %) means: the one is stronger.

    python -m benchmarks.bots --game scout --players 3,4 --deals 100
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from tournament import load_game
from tournament.entrants.entries import entrants_from
from tournament.players.bot import Clock, GameStart
from tournament.players.loader import load_bot_class

FOLDER = Path(__file__).parents[1]

PAIRS = {
    "scout": [
        ("scout_cautious", "random_legal"),
        ("scout_greedy", "random_legal"),
        ("scout_greedy", "scout_cautious"),
        ("scout_planner", "scout_cautious"),
        ("scout_planner", "scout_greedy"),
        ("scout_keeper", "scout_greedy"),
        ("scout_keeper", "scout_planner"),
    ],
    "explorers": [
        ("explorers_cautious", "random_legal"),
        ("explorers_threshold", "random_legal"),
        ("explorers_threshold", "explorers_cautious"),
        ("explorers_planner", "explorers_cautious"),
        ("explorers_planner", "explorers_threshold"),
    ],
}

TITLES = {"scout": "SCOUT", "explorers": "De store oppdagere"}


BOTS = {entrant.name: load_bot_class(entrant.bots[0]) for entrant in entrants_from(["bots"], base=FOLDER)}


class Stopwatch:
    """Adds up how long each bot thought."""

    def __init__(self):
        self.seconds = defaultdict(float)
        self.decisions = defaultdict(int)

    def add(self, bot, seconds):
        """Adds one decision."""
        self.seconds[bot] += seconds
        self.decisions[bot] += 1


def play(game, deal, names, *, seed, watch):
    """Returns the outcome of one game."""
    state = game.start(deal)
    options = state.view(None).options
    bots = [BOTS[name]() for name in names]
    for seat, bot in enumerate(bots):
        chance = Random(f"{seed}|{seat}")
        bot.start(GameStart(game=game.name, players=len(bots), seat=seat, options=options, rng=chance, clock=Clock()))
    while (seat := state.to_move) is not None:
        view = state.view(seat)
        begin = time.process_time()
        action = bots[seat].act(view)
        watch.add(names[seat], time.process_time() - begin)
        state.check(action)
        state.apply(action)
    return state.outcome()


def measure(game, one, other, *, players, deals, seed, watch):
    """Returns the share of the one in percent, its margin, and the mean scores of the one and of the others."""
    shares, own, others = [], [], []
    for number in range(deals):
        deal = game.deal(players, Random(f"{seed}|{game.name}|{players}|{number}"))
        won = 0.0
        for seat in range(players):
            names = [one if place == seat else other for place in range(players)]
            outcome = play(game, deal, names, seed=f"{seed}|{number}|{seat}", watch=watch)
            won += (outcome.places[seat] == 1) / outcome.places.count(1)
            own.append(outcome.scores[seat])
            others.append((sum(outcome.scores) - outcome.scores[seat]) / (players - 1))
        shares.append(100 * won / players)
    margin = 1.96 * stdev(shares) / deals**0.5 if deals > 1 else 0.0
    return fmean(shares), margin, fmean(own), fmean(others)


def print_table(name, counts, *, deals, seed, watch):
    """Prints the table of one game, a line as soon as it is measured."""
    game = load_game(name)
    print(f"### {TITLES[name]}: {deals} deals for every figure\n")
    print("| one seat | all others | " + " | ".join(f"{players} players" for players in counts) + " |")
    print("| --- | --- |" + " --- |" * len(counts))
    for one, other in PAIRS[name]:
        cells = []
        for players in counts:
            share, margin, own, others = measure(game, one, other, players=players, deals=deals, seed=seed, watch=watch)
            cells.append(f"{share:.1f} ± {margin:.1f} ({own:.0f} : {others:.0f})")
        print(f"| {one} | {other} | {' | '.join(cells)} |", flush=True)
    print(f"| | *fair* | {' | '.join(f'*{100 / players:.1f}*' for players in counts)} |\n")


def print_speed(watch):
    """Prints how long each bot thinks about a decision."""
    print("| bot | decisions | mean of a decision, microseconds |\n| --- | --- | --- |")
    for bot, decisions in sorted(watch.decisions.items()):
        print(f"| {bot} | {decisions} | {1e6 * watch.seconds[bot] / decisions:.0f} |")
    print()


def main():
    """Reads the command line and prints the tables."""
    parser = argparse.ArgumentParser(description="Measure the example bots against each other.")
    parser.add_argument("--game", choices=sorted(PAIRS), action="append", help="default: both")
    parser.add_argument("--players", help="such as 3,4; default: every number the game has")
    parser.add_argument("--deals", type=int, default=50, help="deals for each pair and number of players (default 50)")
    parser.add_argument("--seed", default="bots")
    arguments = parser.parse_args()

    for name in arguments.game or ("scout", "explorers"):
        possible = load_game(name).players
        wanted = map(int, arguments.players.split(",")) if arguments.players else possible
        watch = Stopwatch()
        counts = [players for players in wanted if players in possible]
        print_table(name, counts, deals=arguments.deals, seed=arguments.seed, watch=watch)
        print_speed(watch)


if __name__ == "__main__":
    main()
