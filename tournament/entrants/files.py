"""The files that a bot consists of: their names, bytes and fingerprint."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from tournament.errors import BotError, did_you_mean


def fingerprint(facts: Mapping[str, Any], files: Mapping[str, bytes | Path]) -> str:
    """Returns the SHA-256, as hex, of facts that can be written as JSON and of files by their names.

    Raises `BotError` for a file, given by its path, that cannot be read.
    """
    digests = {name: _digest_of(data) for name, data in files.items()}
    return hashlib.sha256(canonical({**facts, "files": digests}).encode()).hexdigest()


def _digest_of(data: bytes | Path) -> str:
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()
    try:
        with data.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BotError(f"{data} cannot be read: {error.strerror}. See to its permissions.") from None


def canonical(value: Any) -> str:
    """Returns a value as canonical JSON. Raises `TypeError` or `ValueError` when it is not a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def relative_name(name: str) -> str:
    """Returns a relative name in its normal form; of an absolute one only the last part."""
    path = PurePosixPath(os.path.normpath(name).replace("\\", "/"))
    return path.name if path.is_absolute() or Path(name).is_absolute() else str(path)


def bytes_of(path: Path, name: str) -> bytes:
    """Returns the bytes of a file that a user named. Raises `BotError` when it is missing or cannot be read."""
    if not os.path.isfile(path):
        raise missing(path, name)
    try:
        return path.read_bytes()
    except OSError as error:
        raise BotError(f'"{name}" cannot be read: {error.strerror}. See to its permissions: {path}') from None


def missing(path: Path, name: str) -> BotError:
    """Returns the error for a file that is not there, with the nearest name beside its first missing part."""
    if os.path.isdir(path):
        return BotError(f'"{name}" is a folder, and a file is needed here. Name the file.')
    while not os.path.isdir(path.parent):
        path = path.parent
    near = did_you_mean(path.name, names_in(path.parent))
    return BotError(
        f'There is no "{name}": {path.parent} has no "{path.name}".'
        f"{near or ' Paths start at the file that names them, on the command line at the current folder.'}"
    )


def names_in(folder: Path) -> list[str]:
    """Returns the names in a folder, sorted; none when it cannot be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
