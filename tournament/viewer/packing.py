"""Frames as lines of JSON, and those deflated: what a page carries.

What audiences have in common is written once: `base` is seen in full, and every other audience has
only what differs from that, views field by field. A view's list of news is left out: the steps
before tell the same.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from tournament.records.codec import canonical_bytes
from tournament.viewer.frames import PUBLIC, Frame, Frames

_ABSENT: Final = object()


def base_audience(frames: Frames) -> str:
    """Returns the audience that is packed in full: the public, or the only one there is."""
    return PUBLIC if PUBLIC in frames.audiences else frames.audiences[0]


def pack_frame(frame: Frame, base: str) -> dict[str, Any]:
    """Returns a frame as JSON values, with what audiences have in common written once."""
    values: dict[str, Any] = msgspec.to_builtins(frame)
    seen = values["seen"]
    for one in seen.values():
        one["view"].pop("news", None)
    values["seen"] = {
        audience: one if audience == base else _own_part(one, seen[base]) for audience, one in seen.items()
    }
    return values


def pack_frames(frames: Frames) -> Iterator[bytes]:
    """Yields one line of JSON a frame, ASCII only, without its newline."""
    base = base_audience(frames)
    for frame in frames:
        yield canonical_bytes(pack_frame(frame, base))


def deflate_lines(lines: Iterable[bytes]) -> str:
    """Returns lines, each with its newline, as zlib's deflate in base64."""
    return b64encode(zlib.compress(b"".join(line + b"\n" for line in lines), level=9)).decode()


def _own_part(seen: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in seen.items() if name != "view" and value != common[name]}
    view = {name: value for name, value in seen["view"].items() if common["view"].get(name, _ABSENT) != value}
    return own | {"view": view} if view else own
