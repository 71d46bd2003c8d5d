"""Files that a newer tournament wrote: what is not known here is its doing, and no damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Struct

from tournament.version import __version__, parse_version

KNOWN_VERSIONS: Final = {
    "tournament-record": 1,
    "tournament-run": 1,
    "tournament-standings": 2,
    "tournament-comparison-bots": 2,
    "tournament-comparison-runs": 2,
    "tournament-gate": 2,
    "tournament-event": 1,
    "tournament-analysis": 1,
}
"""By format the newest version that is known here; the types of the files have the same."""


class _Continued(Struct, frozen=True):
    versions: dict[str, str] = {}


class _Writers(Struct, frozen=True):
    """What a file of any version says of who wrote it."""

    format: str
    version: int = 0
    versions: dict[str, str] = {}
    continued: tuple[_Continued, ...] = ()


def written_by_newer(value: Any) -> str | None:
    """Returns who wrote a file and what to do, as sentences, when a newer tournament than this did; None otherwise.

    `value` is the file's JSON value, or its bytes. Asked of a file that cannot be read as one of the known versions.
    """
    try:
        if isinstance(value, bytes):
            writers = msgspec.json.decode(value, type=_Writers)
        else:
            writers = msgspec.convert(value, type=_Writers)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    known = KNOWN_VERSIONS.get(writers.format)
    if known is None:
        return None
    played = (writers.versions, *(one.versions for one in writers.continued))
    newest = _newest(versions.get("tournament", "") for versions in played)
    is_newer_format = writers.version > known
    if not is_newer_format and parse_version(newest) <= parse_version(__version__):
        return None
    who = f"tournament {newest}" if parse_version(newest) > parse_version(__version__) else "a newer tournament"
    what = (
        f": it is version {writers.version} of {writers.format}, and {known} is known here" if is_newer_format else ""
    )
    return (
        f"{who[0].upper()}{who[1:]} wrote this, and this is tournament {__version__}{what}. "
        f"Use {who} or a later one for it."
    )


def _newest(versions: Iterable[str]) -> str:
    return max(versions, key=parse_version)
