"""Made results as files of records."""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("replaying", "browser")]


def record(
    entrants,
    scores,
    *,
    block=0,
    rotation=0,
    tournament="made",
    game="scout",
    master="m",
    fingerprints=None,
    forfeits=(),
    options=None,
):
    """Returns a record without deal and moves, as a ranking reads it; the fingerprint is the hash of the name."""
    seats = [
        {"bot": name, "version": "1", "fingerprint": (fingerprints or {}).get(name, sha256(name.encode()).hexdigest())}
        for name in entrants
    ]
    kept = [score for seat, score in enumerate(scores) if seat not in forfeits]
    places = [
        1 + (len(kept) if seat in forfeits else sum(other > score for other in kept))
        for seat, score in enumerate(scores)
    ]
    made = {
        "format": "tournament-record",
        "version": 1,
        "id": f"{game}-{len(entrants)}p.0.{block:06}.{rotation}",
        "tournament": tournament,
        "game": {"name": game, "players": len(entrants), "rules_version": 1, "options": options or {}},
        "seed": sha256(f"{master} {game} {block}".encode()).hexdigest(),
        "seats": seats,
        "faults": [{"at": 3, "seat": seat, "kind": "timeout", "detail": "too late"} for seat in forfeits],
        "result": {
            "ending": "complete",
            "scores": list(scores),
            "places": places,
            "forfeits": list(forfeits),
            "detail": {},
        },
    }
    made["digest"] = sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()
    return made


def field(entrants, *, players, blocks, seed=1, spread=4, forfeit_in=(), **words):
    """Returns the records of whole blocks of random tables; later entrants are stronger by `spread`.

    In the blocks `forfeit_in` the first seat of the first rotation forfeits.
    """
    rng = Random(seed)
    records = []
    for block in range(blocks):
        order = rng.sample(list(entrants), players)
        luck = [rng.randrange(10) for _ in order]
        for rotation in range(players):
            seated = order[rotation:] + order[:rotation]
            scores = [
                spread * entrants.index(entrant) + luck[seat] + rng.randrange(20) for seat, entrant in enumerate(seated)
            ]
            forfeits = (0,) if block in forfeit_in and rotation == 0 else ()
            records.append(record(seated, scores, block=block, rotation=rotation, forfeits=forfeits, **words))
    return records


def write(path, records):
    """Writes records as a file and returns its path."""
    path.write_text("".join(json.dumps(item) + "\n" for item in records))
    return path


@pytest.fixture(scope="session")
def made():
    """The functions of this file."""
    return SimpleNamespace(record=record, field=field, write=write)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A file with 24 blocks of SCOUT for 3 and 40 of explorers for 2, among Ann, Bob and Cyd; Cyd is best."""
    names = ["Ann", "Bob", "Cyd"]
    records = [
        *field(names, players=3, blocks=24, seed=3, forfeit_in=(5,)),
        *field(names, players=2, blocks=40, seed=4, game="explorers"),
    ]
    return write(tmp_path_factory.mktemp("made") / "small.jsonl", records)
