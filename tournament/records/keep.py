"""Which records of a run are kept; of every game the result is."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

from tournament.games.contract import END_OF_TEXT

KEEP_ALL: Final = "all"
KEEP_NONE: Final = "none"
KEEP_PATTERN: Final = r"^(all|faults|none|sample:[0-9]{1,2}(\.[0-9]{1,4})?%)" + END_OF_TEXT


def is_kept(keep: str, *, record_id: str, has_faults: bool) -> bool:
    """Returns whether the record of a game is kept; which are sampled depends on their ids alone.

    `keep` is `all`, `faults`, `sample:1%` (that share of all) or `none`.
    """
    if keep in (KEEP_ALL, KEEP_NONE):
        return keep == KEEP_ALL
    if keep == "faults":
        return has_faults
    per_million = round(float(keep.removeprefix("sample:").removesuffix("%")) * 10_000)
    return int.from_bytes(sha256(record_id.encode()).digest()[:8]) % 1_000_000 < per_million


def is_keep(text: str) -> bool:
    """Returns whether a text says which records to keep."""
    return re.match(KEEP_PATTERN, text) is not None
