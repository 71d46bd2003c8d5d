"""One game as one HTML file: no network, no other file, and only what its audience may know.

The page draws frames and knows no rules. Its template, style and scripts lie in `web/`; this module puts
them together with the frames, and sets a policy that lets nothing else run or load. What audiences have in
common is written once: the `base` audience is written in full, and every other audience only where it differs,
field by field of its views. The news in views are left out, because the steps before tell the same.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Final

import msgspec

from tournament.errors import UsageError
from tournament.games import BUILT_IN, parts_of
from tournament.games.parts import OffersPage, OffersPageStyle
from tournament.records.analysis import Analysis, Decision
from tournament.records.codec import AnyRecord, canonical_bytes, format_record
from tournament.replaying.positions import Replay
from tournament.store.files import check_free
from tournament.text import option, printable
from tournament.viewer.frames import ALL, PUBLIC, Audience, Frame, Frames, frames_of
from tournament.viewer.judgement import Judgement, format_cost
from tournament.viewer.keys import SPEEDS, USUAL_SPEED, keys_for

_ABSENT: Final = object()


def base_audience(frames: Frames) -> Audience:
    """Returns the audience that is written in full: the public, or the only one there is."""
    return PUBLIC if PUBLIC in frames.audiences else frames.audiences[0]


def pack_frame(frame: Frame, base: Audience) -> dict[str, Any]:
    """Returns a frame as JSON values, in which what audiences have in common is written once."""
    seen: dict[Audience, dict[str, Any]] = {audience: msgspec.to_builtins(one) for audience, one in frame.seen.items()}
    for one in seen.values():
        one["view"].pop("news", None)
    values: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(frame, seen={}))
    values["seen"] = {
        audience.id: one if audience == base else _own_part(one, seen[base]) for audience, one in seen.items()
    }
    return values


def pack_frames(frames: Frames) -> Iterator[bytes]:
    """Yields each frame as one line of JSON, ASCII only, without its newline."""
    base = base_audience(frames)
    for frame in frames:
        yield canonical_bytes(pack_frame(frame, base))


def pack_judgement(judgement: Judgement, audiences: Sequence[Audience]) -> dict[str, Any]:
    """Returns what an analysis tells the audiences of a page: a sentence, and the decisions, deflated."""
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


_SCRIPTS: Final = ("chart.js", "player.js")
_SET_UP: Final = "page.js"
"""Comes last, for it sets up what the others define."""

_NOT_IN_A_PAGE: Final = frozenset({"quit"})

_SIGNS: Final = (
    "In gold: who is next, and the cards that were moved last. On the line of steps: faults and ends of rounds."
)


def write_replay(
    record: AnyRecord,
    out: str | PathLike[str],
    *,
    seat: int | None = None,
    public: bool = False,
    analysis: Analysis | None = None,
    force: bool = False,
) -> Path:
    """Writes a game as one page for the browser, which needs no other file, and returns its path.

    Everything is shown, or only what a `seat` knows, or only what everybody knows (`public`). An `analysis` that
    `tournament.analyse` made of this record is shown, too. Raises `RecordError` for a game that is not installed,
    and `UsageError` for a file that is there (unless `force`) or cannot be written, a seat that the game does not have,
    and a seat that may know nothing of the analysis.
    """
    if seat is not None and public:
        raise UsageError(f"{option('--seat')} and {option('--public')} exclude each other. Give one.")
    check_free(Path(out), force=force)
    audience = PUBLIC if public else ALL if seat is None else Audience(seat=seat)
    write_html(record, Path(out), audience=audience, analysis=analysis)
    return Path(out)


def write_html(record: AnyRecord, path: Path, *, audience: Audience = ALL, analysis: Analysis | None = None) -> None:
    """Writes a game as one HTML file for an audience. A page for `ALL` lets people choose every other view.

    `analysis` must be of this record. Raises `RecordError` for a game that is not installed, and `UsageError` for a
    path that cannot be written, a seat that the game does not have, and an audience that may know nothing of the
    analysis.
    """
    page = format_html(record, audience=audience, analysis=analysis)
    try:
        path.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror}. Give another {option('--html', 'path')}."
        ) from None


def format_html(
    record: AnyRecord, *, audience: Audience = ALL, back: str | None = None, analysis: Analysis | None = None
) -> str:
    """Returns a game as one HTML page for an audience; raises what `write_html` does.

    `back` is the address of a link at the top. A broken record is shown up to the step at which it leaves the rules,
    and the page says so.
    """
    frames = frames_of(Replay.from_record(record, to_the_break=True), audience)
    whole = ALL in frames.audiences
    judgement = None if analysis is None else Judgement(analysis, frames)
    script = page_script(frames.header.game, judged=judgement is not None)
    style = _page_style(frames.header.game, judged=judgement is not None)
    return _fill(
        _read("replay.html"),
        {
            "title": html.escape(f"{frames.header.title}: {frames.header.id}"),
            "policy": _policy(script=script, style=style),
            "style": style,
            "head": _inert(canonical_bytes(_head(frames, judgement, back=back)).decode()),
            "frames": deflate_lines(pack_frames(frames)),
            "record": _inert(format_record(record).decode()) if whole else "",
            "script": script,
        },
    )


@cache
def page_script(game: str, *, judged: bool = False) -> str:
    """Returns the script of the page of a game; `judged` adds what draws an analysis.

    The drawings of our own games are in every page, so that another game can use their cards.
    """
    drawings = {name: parts_of(name) for name in dict.fromkeys((*BUILT_IN, game))}
    offered = {name: parts for name, parts in drawings.items() if isinstance(parts, OffersPage)}
    functions = ", ".join(
        f"{name if name.isidentifier() else json.dumps(name)}: {parts.page_function}" for name, parts in offered.items()
    )
    return "\n".join(
        [
            _read("parts.js"),
            *(parts.page_script() for parts in offered.values()),
            _fill(_read("drawing.js"), {"functions": functions}),
            *map(_read, (*_SCRIPTS, *(["analysis.js"] if judged else []), _SET_UP)),
        ]
    )


@cache
def _page_style(game: str, *, judged: bool) -> str:
    parts = parts_of(game)
    own = parts.page_style() if isinstance(parts, OffersPageStyle) else ""
    return _read("replay.css") + (_read("analysis.css") if judged else "") + own


def _head(frames: Frames, judgement: Judgement | None, *, back: str | None) -> dict[str, Any]:
    """Returns what the page needs before it has unpacked the frames, including the first of them."""
    base, parts = base_audience(frames), parts_of(frames.header.game)
    analysis = {} if judgement is None else {"analysis": pack_judgement(judgement, frames.audiences)}
    return {
        "header": frames.header,
        "audiences": [{"id": audience.id, "name": audience.name} for audience in frames.audiences],
        "base": base.id,
        "last": len(frames) - 1,
        "turns": frames.turns,
        "rounds": frames.rounds,
        "marks": frames.marks,
        "trouble": frames.trouble,
        "legend": [_SIGNS, *(parts.page_signs if isinstance(parts, OffersPage) else ())],
        "keys": [key for key in keys_for(judged=judgement is not None) if key.action not in _NOT_IN_A_PAGE],
        "speeds": SPEEDS,
        "usual_speed": USUAL_SPEED,
        "back": back,
        "first": pack_frame(frames[0], base),
        **analysis,
    }


def _policy(*, script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash_source(script)}; style-src {_hash_source(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _inert(json_text: str) -> str:
    """Returns the same JSON in a form that cannot end the element it stands in."""
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _fill(template: str, values: Mapping[str, str]) -> str:
    """Returns the template with every `{{name}}` filled in; what is filled in may itself contain `{{name}}`."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], template)


@cache
def _read(name: str) -> str:
    return (files("tournament.viewer") / "web" / name).read_text(encoding="utf-8")


HEIGHT: Final = "42rem"


class ShownReplay(Replay):
    """The positions of a record, and a place among them; a notebook shows its page, as `tournament replay --html`."""

    def _repr_html_(self) -> str:
        """Returns the page of the game in a frame of its own, which can load nothing and reach nothing around it."""
        page = html.escape(format_html(self.record), quote=True)
        title = html.escape(f"Replay of {self.record.id}", quote=True)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" '
            f'style="width: 100%; height: {HEIGHT}; border: 0"></iframe>'
        )


def replay(record: AnyRecord, *, to_the_break: bool = False) -> ShownReplay:
    """Returns the positions of a record, standing at the deal, to step through or to show in a notebook.

    Raises `RecordError` for a record of an unknown game, with a deal that is none, or whose moves do not follow the
    rules to the result it states. With `to_the_break` the last of these is shown as far as it goes, and `trouble` says
    what is wrong. Cost: one playing of the game.
    """
    return ShownReplay.from_record(record, to_the_break=to_the_break)
