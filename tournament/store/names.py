"""Names that people chose, as names of files and folders that every file system takes and keeps apart."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Final

FILE_NAME_BYTES: Final = 200
"""File systems allow 255, and an ending follows."""

DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{one}" for port in ("com", "lpt") for one in range(10))}
)
"""Names that mean a device on Windows, with any ending."""

NOT_ON_WINDOWS: Final = frozenset('<>:"|?*')
"""What no name of a file may have there, beside slashes and what cannot be printed."""


def file_names(names: Iterable[str]) -> dict[str, str]:
    """Returns the names of the files of all bots of a run, in the order of the run.

    They differ by more than case: `Ann` and `ann` are one file on Windows and macOS. Who came first keeps the plain
    name, so that nothing changes when others come in; the next has `%-2` behind it.
    """
    number: Counter[str] = Counter()
    files: dict[str, str] = {}
    for name in dict.fromkeys(names):
        file = file_name(name)
        number[file.casefold()] += 1
        count = number[file.casefold()]
        files[name] = file if count == 1 else f"{file}%-{count}"
    return files


def file_name(name: str) -> str:
    """Returns the name of a bot's file: different for every bot, and safe for file systems, of Windows too, and shells.

    Letters, digits, hyphens, underscores and dots stay; the rest becomes `%` and two digits a byte.
    """
    written = "".join(c if c.isalnum() or c in "-_." else _escape(c) for c in name)
    if written.startswith(".") or _is_device(written):
        written = _escape(written[0]) + written[1:]
    data = written.encode()
    if len(data) <= FILE_NAME_BYTES:
        return written
    # No short name has "%-" and a digest in it, and no two long ones the same digest.
    digest = hashlib.sha256(data).hexdigest()
    return f"{data[: FILE_NAME_BYTES - len(digest) - 2].decode(errors='ignore')}%-{digest}"


def folder_name(name: str) -> str:
    """Returns the name of a folder for the name of a tournament: that name, save for what Windows does not take."""
    written = "".join(_escape(c) if c in NOT_ON_WINDOWS else c for c in name)
    if written[-1:] in (".", " "):
        written = written[:-1] + _escape(written[-1])
    return _escape(written[0]) + written[1:] if _is_device(written) else written


def _is_device(name: str) -> bool:
    return name.partition(".")[0].rstrip().casefold() in DEVICES


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
