"""Single changes of a JSON value at random: for the tests of the audit and of the schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

Path = tuple[str | int, ...]


class Mutation(NamedTuple):
    """What was done where, and the whole value after it."""

    kind: str
    path: Path
    value: Any


def paths_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yields the path of every part of a JSON value but the value itself."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield (*path, key)
        yield from paths_in(part, (*path, key))


class Mutator:
    """Changes one value of one JSON document, every field as often as any other, however long its lists are."""

    def __init__(self, text: bytes, rng: Random) -> None:
        self._text = text
        self._rng = rng
        value = json.loads(text)
        self._by_field: dict[Path, list[Path]] = {}
        for path in paths_in(value):
            field = tuple("*" if isinstance(part, int) else part for part in path)
            self._by_field.setdefault(field, []).append(path)
        self._fields = list(self._by_field)
        self._like = {field: [_at(value, path) for path in paths] for field, paths in self._by_field.items()}

    def mutate(self) -> Mutation:
        """Returns the document with one thing changed, deleted, repeated or swapped; never the same document."""
        before = json.loads(self._text)
        while True:
            field = self._pick(self._fields)
            path = self._pick(self._by_field[field])
            value = json.loads(self._text)
            kind = self._pick(["change", "like", "type", "delete", "repeat", "swap", "add"])
            self._apply(kind, value, path, field)
            if value != before or json.dumps(value) != json.dumps(before):
                return Mutation(kind, path, value)

    def _apply(self, kind: str, document: Any, path: Path, field: Path) -> None:
        parent, key = _at(document, path[:-1]), path[-1]
        value = parent[key]
        if kind == "change":
            parent[key] = self._near(value)
        elif kind == "like":  # what stands in such a place elsewhere in this document
            parent[key] = json.loads(json.dumps(self._pick(self._like[field])))
        elif kind == "type":
            parent[key] = self._pick([None, True, "", "x", 0, -1, 1.5, 10**30, [], {}, [value], {"a": value}])
        elif kind == "delete":
            del parent[key]
        elif kind == "repeat" and isinstance(parent, list):
            parent.insert(key, json.loads(json.dumps(value)))
        elif kind == "swap" and isinstance(parent, list):
            other = self._rng.randrange(len(parent))
            parent[key], parent[other] = parent[other], parent[key]
        elif kind == "add" and isinstance(value, dict):
            value[self._pick(["extra", "by", "answer", "then_play"])] = self._pick([None, True, "stand-in", 1])

    def _near(self, value: Any) -> Any:
        """Returns a value of the same type that is not far off."""
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + self._pick([-2, -1, 1, 2, 100])
        if isinstance(value, str) and value:
            at = self._rng.randrange(len(value))
            return value[:at] + self._pick(["0", "1", "9", "a", "C", ""]) + value[at + 1 :]
        if isinstance(value, list) and len(value) > 1:
            return value[::-1]
        return value

    def _pick(self, choices: Any) -> Any:
        return choices[self._rng.randrange(len(choices))]


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value
