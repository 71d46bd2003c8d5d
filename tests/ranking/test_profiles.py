"""What is kept of each entrant's own games while results are read: a few of each kind, however many there are."""

from __future__ import annotations

from random import Random

from tournament.ranking.compact.profiles import NOTABLE_GAMES, OWN_FAULTS, ProfileCollector
from tournament.records.results import ResultLine


def result(number, scores, *, seats=("Ann", "Bob"), places=None, group="scout-2p", **words):
    """Returns a game of a group; places follow from the scores unless they are given."""
    placed = tuple(1 + sum(other > score for other in scores) for score in scores)
    return ResultLine(
        id=f"{group}.0.{number:06}.0",
        seats=seats,
        scores=scores,
        places=placed if places is None else places,
        ending="complete",
        digest="0" * 64,
        **words,
    )


def profiles_of(results, names=("Ann", "Bob")):
    """Returns the profiles after some results."""
    collector = ProfileCollector()
    assert list(results) == list(collector.followed(results))
    return collector.profiles(names)


def test_the_widest_wins_and_losses_of_each_are_kept_the_widest_first():
    rng = Random(5)
    results = [result(number, (rng.randrange(100), rng.randrange(100))) for number in range(300)]
    own = profiles_of(results)["Ann"]
    leads = sorted(one.scores[0] - one.scores[1] for one in results if one.scores[0] != one.scores[1])

    assert leads[::-1][:NOTABLE_GAMES] == [game.lead for game in own.best["scout-2p"]]
    assert leads[:NOTABLE_GAMES] == [game.lead for game in own.worst["scout-2p"]]


def test_of_games_with_equal_leads_the_first_are_kept():
    own = profiles_of([result(number, (9, 4)) for number in range(10)])["Ann"]

    assert ["scout-2p.0.000000.0", "scout-2p.0.000001.0", "scout-2p.0.000002.0"] == [
        game.result.id for game in own.best["scout-2p"]
    ]


def test_the_lead_is_over_the_best_other_seat():
    own = profiles_of([result(0, (3, 10, 8), seats=("Ann", "Bob", "Cyd"), group="scout-3p")], ("Ann", "Bob", "Cyd"))

    assert [2] == [game.lead for game in own["Bob"].best["scout-3p"]]
    assert [-7, -2] == [own[name].worst["scout-3p"][0].lead for name in ("Ann", "Cyd")]


def test_a_game_that_placed_nobody_above_anybody_is_neither_won_nor_lost():
    """So does a game that reached its move limit, whatever the scores."""
    own = profiles_of([result(0, (50, -50), places=(1, 1))])

    assert [({}, {})] * 2 == [(profile.best, profile.worst) for profile in own.values()]


def test_a_game_with_a_forfeit_is_neither_won_nor_lost():
    own = profiles_of([result(0, (50, -50), forfeits=(1,), faults=((1, "crash"),))])

    assert [({}, {})] * 2 == [(profile.best, profile.worst) for profile in own.values()]


def test_the_first_faults_of_each_are_kept():
    results = [result(number, (1, 2), forfeits=(0,), faults=((0, "crash"),)) for number in range(OWN_FAULTS + 5)]
    own = profiles_of(results)

    assert [one.id for one in results[:OWN_FAULTS]] == [fault.result.id for fault in own["Ann"].faults]
    assert () == own["Bob"].faults


def test_an_entrant_without_a_game_has_an_empty_profile():
    own = profiles_of([], ("Ann",))["Ann"]

    assert ({}, {}, ()) == (own.best, own.worst, own.faults)


def test_groups_are_kept_apart():
    own = profiles_of([result(0, (9, 1)), result(0, (5, 1), group="explorers-2p")])["Ann"]

    assert {"scout-2p": [8], "explorers-2p": [4]} == {
        group: [game.lead for game in games] for group, games in own.best.items()
    }
