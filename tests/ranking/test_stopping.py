"""When a tournament that runs until something is decided may stop."""

from __future__ import annotations

from itertools import groupby

import pytest

from tournament.errors import UsageError
from tournament.ranking.sequential import BURN_IN, Goal
from tournament.ranking.stopping import UntilDecided
from tournament.records.run import GroupInfo


def group(entrants, *, game="scout", players=2):
    """A group of these entrants."""
    return GroupInfo(
        name=f"{game}-{players}p", game=game, players=players, rules_version=1, options={}, entrants=tuple(entrants)
    )


def blocks_of(results):
    """The games of each block."""
    return [list(games) for _, games in groupby(results, key=lambda result: result.block)]


def feed(until, blocks):
    """Returns how things stood after each block."""
    return [until.add_block(block) for block in blocks]


def test_a_clear_lead_stops_the_tournament_after_the_burn_in(make):
    """until: decided, with a burn-in of 20 chunks."""
    blocks = blocks_of(make.tournament("AB", players=2, blocks=60, spread=30))
    stood = feed(UntilDecided([group("AB")], weights={"scout": 1.0}, goal=Goal.TOP), blocks)

    assert not any(decision.decided for decision in stood[: BURN_IN - 1])
    assert stood[-1].decided
    assert "B" == stood[-1].leader


def test_it_is_asked_at_whole_chunks_only(make):
    """Stopping happens on whole chunks: here all four sat equally often after two or more blocks."""
    blocks = blocks_of(make.tournament("ABCD", players=2, blocks=40))
    until = UntilDecided([group("ABCD")], weights={"scout": 1.0}, goal=Goal.ALL)
    counts = dict.fromkeys("ABCD", 0)
    for block in blocks:
        for name in block[0].seats:
            counts[name] += 1
        even = len(set(counts.values())) == 1

        assert even == (until.add_block(block) is not None)


def test_a_resumed_run_goes_on_exactly(make):
    """Resume continues the test exactly: shown the blocks again, it stands where it stood."""
    blocks = blocks_of(make.tournament("ABC", players=3, blocks=50))
    one, other = (UntilDecided([group("ABC", players=3)], weights={"scout": 1.0}, goal=Goal.ALL) for _ in range(2))

    assert feed(one, blocks) == [*feed(other, blocks[:23]), *feed(other, blocks[23:])]


def test_a_withdrawn_bot_does_not_keep_the_others_from_a_decision(make):
    """until: decided goes on among those left; what ends with a block that is not played is looked at with the next."""
    until = UntilDecided([group("ABC")], weights={"scout": 1.0}, goal=Goal.ALL)
    until.withdraw("C")
    stood = []
    for number in range(30):
        stood.append(until.add_block(make.two_player_block(number, (1, number % 2))))
        until.pass_over("scout-2p", "AC")
        until.pass_over("scout-2p", "BC")

    assert stood[0] is None
    assert list(range(1, 30)) == [decision.chunks for decision in stood[1:]]
    assert (True, "A") == (stood[-1].decided, stood[-1].leader)


def test_nothing_is_decided_when_one_is_left(make):
    """A bot that is alone has beaten nobody."""
    until = UntilDecided([group("ABC")], weights={"scout": 1.0}, goal=Goal.TOP)
    for name in "BC":
        until.withdraw(name)

    assert [None] * 30 == feed(until, [make.two_player_block(number, (1, 1)) for number in range(30)])


def test_two_groups_are_decided_together(make):
    """The championship: one chunk of every group makes one step."""
    scout = blocks_of(make.tournament("AB", players=2, blocks=30, spread=30))
    explorers = blocks_of(make.tournament("AB", players=2, blocks=30, spread=30, name="explorers"))
    until = UntilDecided(
        [group("AB"), group("AB", game="explorers")], weights={"scout": 0.5, "explorers": 0.5}, goal=Goal.TOP
    )
    stood = feed(until, [block for pair in zip(scout, explorers, strict=True) for block in pair])

    assert all(decision is None for decision in stood[::2])
    assert 30 == stood[-1].chunks
    assert stood[-1].decided


def test_without_two_entrants_everywhere_nothing_can_be_decided():
    """Expected, found, what to do."""
    with pytest.raises(UsageError, match="two entrants that play every group; found B"):
        UntilDecided([group("AB"), group("BC", game="explorers")], weights={"scout": 1, "explorers": 1}, goal=Goal.TOP)


def test_the_focus_bots_of_a_gauntlet_are_decided_among_themselves(make):
    """They meet the same opponents, one after the other; what the field gets decides nothing."""
    until = UntilDecided([group("FGab")], weights={"scout": 1.0}, goal=Goal.TOP, focus={"scout-2p": ("F", "G")})
    stood = []
    for number in range(0, 120, 2):
        opponent = "ab"[number // 2 % 2]
        stood.append(until.add_block(make.two_player_block(number, (1, 0), entrants=f"F{opponent}")))
        stood.append(until.add_block(make.two_player_block(number + 1, (1, 1), entrants=f"G{opponent}")))

    assert [None] * 60 == stood[::2]
    assert (60, True, "G") == (stood[-1].chunks, stood[-1].decided, stood[-1].leader)


def test_one_focus_bot_alone_has_nobody_to_be_decided_from():
    """until: decided is for those who met the same opponents."""
    with pytest.raises(UsageError, match="found F"):
        UntilDecided([group("Fab")], weights={"scout": 1.0}, goal=Goal.TOP, focus={"scout-2p": ("F",)})
