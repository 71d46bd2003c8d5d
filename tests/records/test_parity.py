"""Types and JSON Schema of a record accept and refuse the same."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from make_goldens import FOLDER
from mutations import Mutator, paths_in

from tournament.errors import RecordError
from tournament.records.codec import parse_record
from tournament.records.schema import record_schema_name, validator_for

MUTATIONS = 400
GOLDENS = (
    "scout-2p-stuck",
    "scout-3p-two-faults",
    "scout-4p-aborted",
    "scout-5p-move-limit",
    "explorers-2p-aborted",
    "explorers-3p-two-faults",
    "explorers-4p-move-limit",
)


def _types_accept(value: Any) -> bool:
    try:
        parse_record(json.dumps(value))
    except RecordError:
        return False
    return True


def _schema_accepts(value: Any) -> bool:
    game = value.get("game")
    name = game.get("name") if isinstance(game, dict) else None
    schema = record_schema_name(name) if isinstance(name, str) else "record.v1"
    return validator_for(schema).is_valid(value)


@pytest.mark.parametrize("name", GOLDENS)
def test_types_and_schema_accept_and_refuse_the_same_mutations(name: str) -> None:
    mutator = Mutator((FOLDER / f"{name}.json").read_bytes(), Random(f"parity {name}"))
    mutations = [mutator.mutate() for _ in range(MUTATIONS)]
    accepted = [_types_accept(mutation.value) for mutation in mutations]

    different = [
        (mutation.kind, mutation.path, is_accepted)
        for mutation, is_accepted in zip(mutations, accepted, strict=True)
        if is_accepted != _schema_accepts(mutation.value)
    ]

    assert different == []
    assert 0 < sum(accepted) < MUTATIONS


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_types_and_schema_refuse_a_record_without_any_one_of_its_fields(path: Path) -> None:
    """What is optional is so in both."""
    text = path.read_bytes()
    fields = {tuple("*" if isinstance(part, int) else part for part in one): one for one in paths_in(json.loads(text))}

    different = []
    for one in fields.values():
        value = json.loads(text)
        parent = value
        for key in one[:-1]:
            parent = parent[key]
        del parent[one[-1]]
        if _types_accept(value) != _schema_accepts(value):
            different.append(one)

    assert different == []


def test_only_the_types_refuse_whole_number_floats() -> None:
    """The audit refuses them because the line is not canonical."""
    value = json.loads((FOLDER / "scout-2p-stuck.json").read_bytes())
    value["result"]["scores"][0] = float(value["result"]["scores"][0])

    assert not _types_accept(value)
    assert _schema_accepts(value)
