"""Frames as lines of JSON, and those deflated: what a page carries; and an analysis, where there is one.

What audiences have in common is written once: `base` is seen in full, and every other audience has
only what differs from that, views field by field. A view's list of news is left out: the steps
before tell the same.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from tournament.records.analysis import Decision
from tournament.records.codec import canonical_bytes
from tournament.text import printable
from tournament.viewer.audience import ALL, PUBLIC, Audience
from tournament.viewer.frames import Frame, Frames
from tournament.viewer.judgement import Judgement, format_cost

_ABSENT: Final = object()


def base_audience(frames: Frames) -> Audience:
    """Returns the audience that is packed in full: the public, or the only one there is."""
    return PUBLIC if PUBLIC in frames.audiences else frames.audiences[0]


def pack_frame(frame: Frame, base: Audience) -> dict[str, Any]:
    """Returns a frame as JSON values, with what audiences have in common written once."""
    seen: dict[Audience, dict[str, Any]] = {audience: msgspec.to_builtins(one) for audience, one in frame.seen.items()}
    for one in seen.values():
        one["view"].pop("news", None)
    values: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(frame, seen={}))
    values["seen"] = {
        audience.id: one if audience == base else _own_part(one, seen[base]) for audience, one in seen.items()
    }
    return values


def pack_frames(frames: Frames) -> Iterator[bytes]:
    """Yields one line of JSON a frame, ASCII only, without its newline."""
    base = base_audience(frames)
    for frame in frames:
        yield canonical_bytes(pack_frame(frame, base))


def pack_judgement(judgement: Judgement, audiences: Sequence[Audience]) -> dict[str, Any]:
    """Returns what an analysis says to the audiences of a page: a sentence, and the rest deflated."""
    whole = ALL if ALL in audiences else audiences[0]
    costly = {decision.step for decision in judgement.costly(whole)}
    values = {
        "decisions": [_pack_decision(one, judgement, costly=one.step in costly) for one in judgement.decisions(whole)],
        "margins": {str(seat): judgement.margins[seat] for seat in judgement.seats(whole)},
    }
    return {"about": judgement.about, "packed": deflate_lines([canonical_bytes(values)])}


def _pack_decision(decision: Decision, judgement: Judgement, *, costly: bool) -> dict[str, Any]:
    expected, swing = decision.played.expected, decision.swing
    packed: dict[str, Any] = {
        "step": decision.step,
        "seat": decision.seat,
        "expected": round(expected.points, 2),
        "half_width": round(expected.half_width, 2),
        "words": judgement.words(decision.step, Audience(seat=decision.seat)),
    }
    if costly:
        packed["costly"] = {
            "best": round(decision.best.expected.points, 2),
            "sure": swing.is_clear,
            "least": round(swing.points - swing.half_width, 2),
            "cost": format_cost(decision),
            "chose": printable(decision.played.words),
            "better": printable(decision.best.words),
        }
    return packed


def deflate_lines(lines: Iterable[bytes]) -> str:
    """Returns lines, each with its newline, as zlib's deflate in base64."""
    return b64encode(zlib.compress(b"".join(line + b"\n" for line in lines), level=9)).decode()


def _own_part(seen: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in seen.items() if name != "view" and value != common[name]}
    view = {name: value for name, value in seen["view"].items() if common["view"].get(name, _ABSENT) != value}
    return own | {"view": view} if view else own
