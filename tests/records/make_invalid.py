"""Makes `records/invalid/`: for each code a file of records that shows just this finding.

    PYTHONPATH=. .venv/bin/python tests/records/make_invalid.py

Each is a golden record with one thing changed and the digest made right again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from make_goldens import FOLDER as GOLDEN

from tournament.auditing import FindingCode

FOLDER = GOLDEN.parent / "invalid"

Values = dict[str, Any]


def canonical(values: Values) -> bytes:
    """Returns the canonical bytes of plain values."""
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode()


def resealed(values: Values) -> bytes:
    """Returns the canonical bytes of a record with its digest made right."""
    bare = {name: value for name, value in values.items() if name != "digest"}
    return canonical({**bare, "digest": sha256(canonical(bare)).hexdigest()})


def golden(name: str) -> Values:
    """Returns the values of a golden record."""
    values: Values = json.loads((GOLDEN / f"{name}.json").read_bytes())
    return values


def _changed(name: str, change: Callable[[Values], None]) -> bytes:
    values = golden(name)
    change(values)
    return resealed(values) + b"\n"


def _torn_line() -> bytes:
    return resealed(golden("scout-2p-stuck"))[:-200]


def _newer_version(values: Values) -> None:
    values["version"] = 2


def _unknown_game(values: Values) -> None:
    values["game"]["name"] = "explorer"


def _schema(values: Values) -> None:
    values["moves"][3]["card"] = "1H"


def _not_canonical() -> bytes:
    values = golden("scout-2p-stuck")
    return resealed(values).replace(b'"faults":[]', b'"faults":[],"faults":[]') + b"\n"


def _digest() -> bytes:
    values = golden("scout-2p-stuck")
    return canonical({**values, "digest": "0" * 64}) + b"\n"


def _rules_version(values: Values) -> None:
    values["game"]["rules_version"] = 2


def _players(values: Values) -> None:
    values["seats"].append(values["seats"][0])


def _id(values: Values) -> None:
    values["id"] = values["id"].replace("scout-2p", "scout-3p")


def _duplicate_id() -> bytes:
    line = resealed(golden("scout-2p-stuck")) + b"\n"
    return line + line


def _deal_seed(values: Values) -> None:
    values["seed"] = "0" * 64


def _pack(values: Values) -> None:
    # A hand-made deal: the last card of the stock, which ends the game, twice. Nobody looks at it any more.
    del values["seed"]
    stock, hands = values["deal"]["stock"], values["result"]["detail"]["hands"]
    last, other = stock[-1], stock[-2]
    stock[-1] = other
    for hand in hands:
        if hand[-1] == last:
            hand[-1] = other


def _parent(values: Values) -> None:
    values["parent"] = {"digest": "0" * 64, "move": len(values["moves"]) + 1}


def _turn(values: Values) -> None:
    values["moves"][4]["seat"] = 1 - values["moves"][4]["seat"]


def _illegal(values: Values) -> None:
    values["moves"][2]["do"] = "keep"
    del values["moves"][2]["at"], values["moves"][2]["count"]


def _after_end(values: Values) -> None:
    values["moves"].append(values["moves"][-1])


def _unfinished(values: Values) -> None:
    values["moves"].pop()


def _aborted(values: Values) -> None:
    # One of the two seats that gave up did not: the game should have gone on.
    fault = values["faults"].pop()
    values["result"]["forfeits"].remove(fault["seat"])
    for move in values["moves"]:
        if move["seat"] == fault["seat"]:
            move.pop("by", None)


def _stand_in(values: Values) -> None:
    next(move for move in values["moves"] if "by" in move).pop("by")


def _fault(values: Values) -> None:
    values["faults"][0]["detail"] = "play: the table is empty (8)"


def _forfeits(values: Values) -> None:
    values["result"]["forfeits"] = []


def _ending(values: Values) -> None:
    values["result"]["ending"] = "move-limit"


def _scores(values: Values) -> None:
    values["result"]["scores"][0] += 1


def _places(values: Values) -> None:
    values["result"]["places"].reverse()


def _detail(values: Values) -> None:
    values["result"]["detail"]["rounds"][0]["captured"].reverse()


INVALID: dict[FindingCode, Callable[[], bytes]] = {
    FindingCode.TORN_LINE: _torn_line,
    FindingCode.BROKEN_JSON: lambda: b'{"format":"tournament-record","version":1,\n',
    FindingCode.NEWER_VERSION: lambda: _changed("scout-2p-stuck", _newer_version),
    FindingCode.UNKNOWN_GAME: lambda: _changed("scout-2p-stuck", _unknown_game),
    FindingCode.SCHEMA: lambda: _changed("explorers-2p-complete", _schema),
    FindingCode.NOT_CANONICAL: _not_canonical,
    FindingCode.DIGEST: _digest,
    FindingCode.NO_RECORDS: lambda: b"",
    FindingCode.RULES_VERSION: lambda: _changed("scout-2p-stuck", _rules_version),
    FindingCode.PLAYERS: lambda: _changed("scout-2p-stuck", _players),
    FindingCode.ID: lambda: _changed("scout-2p-stuck", _id),
    FindingCode.DUPLICATE_ID: _duplicate_id,
    FindingCode.DEAL_SEED: lambda: _changed("scout-2p-stuck", _deal_seed),
    FindingCode.PACK: lambda: _changed("explorers-2p-complete", _pack),
    FindingCode.PARENT: lambda: _changed("scout-2p-stuck", _parent),
    FindingCode.TURN: lambda: _changed("scout-2p-stuck", _turn),
    FindingCode.ILLEGAL: lambda: _changed("scout-2p-stuck", _illegal),
    FindingCode.AFTER_END: lambda: _changed("scout-2p-stuck", _after_end),
    FindingCode.UNFINISHED: lambda: _changed("scout-2p-stuck", _unfinished),
    FindingCode.ABORTED: lambda: _changed("explorers-2p-aborted", _aborted),
    FindingCode.STAND_IN: lambda: _changed("scout-4p-fault-illegal", _stand_in),
    FindingCode.FAULT: lambda: _changed("scout-4p-fault-illegal", _fault),
    FindingCode.FORFEITS: lambda: _changed("scout-4p-fault-illegal", _forfeits),
    FindingCode.ENDING: lambda: _changed("scout-2p-stuck", _ending),
    FindingCode.SCORES: lambda: _changed("scout-2p-stuck", _scores),
    FindingCode.PLACES: lambda: _changed("scout-2p-stuck", _places),
    FindingCode.DETAIL: lambda: _changed("scout-2p-stuck", _detail),
}
"""What can be shown by a file of records alone; `rules-failed` takes rules that fail."""

AS_LINES = frozenset({FindingCode.TORN_LINE, FindingCode.BROKEN_JSON, FindingCode.NO_RECORDS, FindingCode.DUPLICATE_ID})
"""Codes that are about the lines of a `.jsonl`."""


def path_of(code: FindingCode) -> Path:
    """Returns the file that shows a code."""
    return FOLDER / f"{code}.{'jsonl' if code in AS_LINES else 'json'}"


def main() -> None:
    """Writes all invalid records."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for code, make in INVALID.items():
        path_of(code).write_bytes(make())


if __name__ == "__main__":
    main()
