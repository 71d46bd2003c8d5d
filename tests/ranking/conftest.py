"""Results for the tests: one game, one block, or a whole synthetic tournament, as the fixture `make`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from types import SimpleNamespace

import pytest

from tournament.records.results import GameResult


def places_from(scores: Sequence[int], forfeits: Sequence[int] = ()) -> tuple[int, ...]:
    """Returns the places of a record: forfeited seats share the one after all others."""
    kept = [score for seat, score in enumerate(scores) if seat not in forfeits]
    return tuple(
        1 + (len(kept) if seat in forfeits else sum(other > score for other in kept))
        for seat, score in enumerate(scores)
    )


def game(
    entrants: Sequence[str],
    scores: Sequence[int],
    *,
    block: int = 0,
    rotation: int = 0,
    forfeits: tuple[int, ...] = (),
    ending: str = "complete",
    name: str = "scout",
    deal: str | None = None,
    faults: tuple[tuple[int, str], ...] = (),
) -> GameResult:
    """Returns one result; the digest is its id."""
    group = f"{name}-{len(entrants)}p"
    return GameResult(
        id=f"{group}.0.{block:06}.{rotation}",
        group=group,
        game=name,
        block=f"{group}.0.{block:06}",
        rotation=rotation,
        seats=tuple(entrants),
        scores=tuple(scores),
        places=(1,) * len(entrants) if ending == "aborted" else places_from(scores, forfeits),
        forfeits=forfeits,
        faults=faults,
        ending=ending,
        digest=f"{group}.0.{block:06}.{rotation}",
        deal=deal,
    )


def two_player_block(number: int, outcomes: Sequence[int], *, entrants: str = "AB") -> list[GameResult]:
    """Returns a block of two rotations; an outcome is 1 where the first entrant wins, 0 where it loses."""
    first, second = entrants
    return [
        game([first, second], [outcomes[0], 1 - outcomes[0]], block=number, rotation=0),
        game([second, first], [1 - outcomes[1], outcomes[1]], block=number, rotation=1),
    ]


def tournament(
    entrants: Sequence[str], *, players: int, blocks: int, seed: int = 1, spread: int = 4, name: str = "scout"
) -> list[GameResult]:
    """Returns whole blocks of random tables; later entrants are stronger by `spread`, scores run over about 20."""
    rng = Random(seed)
    results = []
    for block in range(blocks):
        order = rng.sample(list(entrants), players)
        luck = [rng.randrange(10) for _ in order]
        for rotation in range(players):
            seated = order[rotation:] + order[:rotation]
            scores = [
                spread * entrants.index(entrant) + luck[seat] + rng.randrange(20) for seat, entrant in enumerate(seated)
            ]
            results.append(game(seated, scores, block=block, rotation=rotation, name=name))
    return results


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """The functions of this file."""
    return SimpleNamespace(game=game, two_player_block=two_player_block, tournament=tournament, places=places_from)
