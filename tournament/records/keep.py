"""Which records of a run are kept; of every game the result is."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from tournament.games.contract import END_OF_TEXT

KEEP_ALL: Final = "all"
KEEP_NONE: Final = "none"
_SAMPLE: Final = "sample:"
KEEP_PATTERN: Final = r"^(all|faults|none|sample:[0-9]{1,2}(\.[0-9]{1,4})?%)" + END_OF_TEXT


def is_kept(keep: str, *, record_id: str, has_faults: bool) -> bool:
    """Returns whether the record of a game is kept; which are sampled depends on their ids alone.

    `keep` is `all`, `faults`, `sample:1%` (that share of all) or `none`.
    """
    if keep in (KEEP_ALL, KEEP_NONE):
        return keep == KEEP_ALL
    if keep == "faults":
        return has_faults
    percent = sampled_percent(keep)
    assert percent is not None, "a sample is what is left"
    return int.from_bytes(sha256(record_id.encode()).digest()[:8]) % 1_000_000 < round(percent * 10_000)


def sampled_percent(keep: str) -> float | None:
    """Returns the percentage of the games whose records are kept; None where `keep` asks for no sample."""
    return float(keep.removeprefix(_SAMPLE).removesuffix("%")) if keep.startswith(_SAMPLE) else None


def is_keep(text: str) -> bool:
    """Returns whether a text says which records to keep."""
    return re.match(KEEP_PATTERN, text) is not None
