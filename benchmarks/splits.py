"""Checks the split of margins into deal and play on games of two equal bots.

Every game has its own deal; one of two seats holds the one, taking turns. Since both are the same
bot, its play must come to zero on average: zero should lie in the interval, and the half-width
should be under a tenth of the spread of the margins. Both figures are printed.

    python -m benchmarks.splits --game scout --bot bots/scout_greedy.py --games 200 --worlds 20
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import fmean, stdev

from tournament import load_game
from tournament.deals import deal_seed, make_deal
from tournament.lab.guide import Guide, Rollouts, Seating
from tournament.lab.judge import judge_effect, questions_of, split_of
from tournament.players.bot import Clock
from tournament.records.codec import seal
from tournament.records.record import SeatInfo
from tournament.referee import Sitting, play_game


class Seated:
    """A bot of this process as the referee's player."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(self, guide, error):
        self._guide = guide
        self._error = error

    def start(self, info):
        """Makes a new bot."""
        self._bot = self._guide.seat(info.seat, seed=info.seed)
        self._rng = Random(f"{info.seed}|error")

    def act(self, view, clock: Clock | None = None):
        """Returns what the bot does, or now and then anything."""
        action = self._bot.act(view)
        legal = view.legal_actions()
        return legal[int(self._rng.random() * len(legal))] if self._rng.random() < self._error else action

    def end(self, result):
        """Takes note of nothing."""

    def dismiss(self):
        """Has nothing to let go of."""


def record_of(game, guide, number, error):
    """Returns the record of one game of two equal bots."""
    options = game.Options()
    seed = deal_seed("splits", game=game.name, players=2, segment=0, block=number)
    sitting = Sitting(
        id=f"{game.name}-2p.0.{number:06d}.0",
        tournament="splits",
        game=game,
        options=options,
        deal=make_deal(game, players=2, seed=seed, options=options),
        seed=seed,
        rotation=0,
        seats=tuple(SeatInfo(bot=name, version="1", fingerprint="0" * 64) for name in ("one", "other")),
    )
    return seal(play_game(sitting, [Seated(guide, error), Seated(guide, error)]).record).record


def main():
    """Reads the command line and prints the figures."""
    parser = argparse.ArgumentParser(description="Check the split of margins on games of two equal bots.")
    parser.add_argument("--game", choices=["scout", "explorers"], default="scout")
    parser.add_argument("--bot", default="bots/scout_greedy.py", help="the bot in both seats")
    parser.add_argument("--with", dest="guide", help="the guide; default: that of `tournament analyse`")
    parser.add_argument("--error", type=float, default=0.0, help="how often a bot does anything at all")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=20)
    arguments = parser.parse_args()

    game = load_game(arguments.game)
    seating = Seating(game=game.name, players=2, options=game.Options())
    bot, guide = Guide(seating, arguments.bot), Guide(seating, arguments.guide)
    rollouts = Rollouts(game, guide, players=2)
    margins, plays = [], []
    for number in range(arguments.games):
        record = record_of(game, bot, number, arguments.error)
        judged = [judge_effect(one, rollouts, worlds=arguments.worlds) for one in questions_of(record, guide)]
        split = split_of(record, judged, number % 2)
        margins.append(split.margin)
        plays.append(split.own_play.points + split.others_play.points)
        if number and (number + 1) % 25 == 0:
            half = 1.96 * stdev(plays) / len(plays) ** 0.5
            share = 100 * half / stdev(margins)
            print(
                f"{number + 1} games: play {fmean(plays):+.2f} ± {half:.2f}, spread of margins {stdev(margins):.1f}, "
                f"half-width {share:.1f} % of it",
                flush=True,
            )


if __name__ == "__main__":
    main()
