"""One game as one HTML file: no network, no other file, and only what its audience may know.

The page draws frames and knows no rules. Its template, style and scripts lie in `web/`; this module puts
them together with the frames, and sets a policy that lets nothing else run or load. What audiences have in
common is written once: the `base` audience is written in full, and every other audience only where it differs,
field by field of its views. The news in views are left out, because the steps before tell the same.
"""

from __future__ import annotations

import html
import json
import zlib
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any, Final

import msgspec

from tournament.errors import UsageError
from tournament.games import BUILT_IN, parts_of
from tournament.games.parts import OffersPage, OffersPageStyle
from tournament.languages import gettext, gettext_noop
from tournament.records.analysis import Analysis, Decision
from tournament.records.codec import AnyRecord, canonical_bytes, format_record
from tournament.replaying.positions import Replay
from tournament.store.files import check_free
from tournament.text import option, printable
from tournament.viewer.documents import fill, format_document, inert, items
from tournament.viewer.frames import ALL, PUBLIC, Audience, Frame, Frames, frames_of
from tournament.viewer.judgement import Judgement, cards_of, format_cost
from tournament.viewer.keys import SPEEDS, USUAL_SPEED, WATCHED_SPEED, WATCHED_SPEEDS, keys_for, spoken_key

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


def pack_frames(frames: Frames) -> tuple[list[bytes], list[str]]:
    """Returns each frame as one line of JSON, and each step as a browser without scripts shows it, in sentences.

    The lines are ASCII without their newline. To make the frames is most of the work of a page: so it is done once.
    """
    base, audience = base_audience(frames), frames.audiences[0]
    lines: list[bytes] = []
    told: list[str] = []
    for frame in frames:
        lines.append(canonical_bytes(pack_frame(frame, base)))
        told.append(" ".join((frame.seen[audience].words, *frame.seen[audience].faults)))
    return lines, told


def pack_judgement(judgement: Judgement, frames: Frames) -> dict[str, Any]:
    """Returns what an analysis tells the audiences of a page: a sentence, and the decisions, deflated."""
    whole = ALL if ALL in frames.audiences else frames.audiences[0]
    costly = {decision.step for decision in judgement.costly(whole)}
    values = {
        "decisions": [
            _pack_decision(one, judgement, frames, costly=one.step in costly) for one in judgement.decisions(whole)
        ],
        "margins": {str(seat): judgement.margins[seat] for seat in judgement.seats(whole)},
    }
    return {"about": judgement.about, "packed": deflate_lines([canonical_bytes(values)])}


def _pack_decision(decision: Decision, judgement: Judgement, frames: Frames, *, costly: bool) -> dict[str, Any]:
    expected, swing = decision.played.expected, decision.swing
    packed: dict[str, Any] = {
        "step": decision.step,
        "seat": decision.seat,
        "expected": round(expected.points, 2),
        "half_width": round(expected.half_width, 2),
        "words": judgement.words(decision.step, Audience(seat=decision.seat)),
    }
    if costly:
        view = frames[decision.step].seen[Audience(seat=decision.seat)].view
        packed["cards"] = {"chosen": cards_of(decision.played, view), "better": cards_of(decision.best, view)}
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


_SCRIPTS: Final = ("chart.js", "travel.js", "player.js")
_SET_UP: Final = "page.js"
"""Comes last, for it sets up what the others define."""

_NOT_IN_A_PAGE: Final = frozenset({"quit"})

_SIGNS: Final = gettext_noop(
    "In gold: ▶ who is next, and the cards that were moved last. ✓ acted last, ✕ forfeited. "
    "On the line of steps: a dot for a fault, a stroke for the end of a round."
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
    record: AnyRecord,
    *,
    audience: Audience = ALL,
    back: str | None = None,
    back_to: str | None = None,
    analysis: Analysis | None = None,
    watched: bool = False,
) -> str:
    """Returns a game as one HTML page for an audience; raises what `write_html` does.

    `back` is the address of a link at the top, and `back_to` its words: those for all games, if left out. A `watched`
    game stands in a frame of another page: it plays by itself, and tells that page when it is over. A broken record is
    shown up to the step at which it leaves the rules, and the page says so.
    """
    frames = frames_of(Replay.from_record(record, to_the_break=True), audience)
    packed, told = pack_frames(frames)
    whole = ALL in frames.audiences
    judgement = None if analysis is None else Judgement(analysis, frames)
    script = page_script(frames.header.game, judged=judgement is not None)
    style = page_style(frames.header.game, judged=judgement is not None)
    head = _head(frames, judgement, back=back, back_to=back_to)
    if watched:
        script, style = f"{script}\n{_read('watching.js')}", f"{style}\n{_read('watching.css')}"
        head |= {"speeds": WATCHED_SPEEDS, "usual_speed": WATCHED_SPEED}
    return format_document(
        "tournament.viewer",
        "replay.html.j2",
        title=f"{frames.header.title}: {frames.header.id}",
        script=script,
        style=style,
        markup={
            "head": inert(canonical_bytes(head).decode()),
            "ending": items(frames[len(frames) - 1].ending),
            "told": items(told),
            "frames": deflate_lines(packed),
            "record": inert(format_record(record).decode()) if whole else "",
        },
    )


@cache
def page_script(game: str, *, judged: bool = False) -> str:
    """Returns the script of the page of a game; `judged` adds what draws an analysis.

    The drawings of our own games are in every page, so that another game can use their cards.
    """
    return "\n".join([drawing_script(game), *map(_read, (*_SCRIPTS, *(["analysis.js"] if judged else []), _SET_UP))])


@cache
def drawing_script(game: str) -> str:
    """Returns the script with `drawTable(scene)`, which draws a scene of a game, and with what drawings are made of."""
    offered = {name: parts for name, parts in _drawings(game).items() if isinstance(parts, OffersPage)}
    functions = ", ".join(
        f"{name if name.isidentifier() else json.dumps(name)}: {parts.page_function}" for name, parts in offered.items()
    )
    return "\n".join(
        [
            _read("parts.js"),
            *(parts.page_script() for parts in offered.values()),
            fill(_read("drawing.js"), {"functions": functions}),
            _read("fitting.js"),
        ]
    )


@cache
def page_style(game: str, *, judged: bool = False) -> str:
    """Returns the style of the page of a game; `judged` adds that of an analysis."""
    own = [parts.page_style() for parts in _drawings(game).values() if isinstance(parts, OffersPageStyle)]
    return "\n".join([_read("replay.css"), *([_read("analysis.css")] if judged else []), *own])


def _drawings(game: str) -> dict[str, object]:
    """Returns the parts of the games whose cards a page may show, by name: our own, and the game it is of."""
    return {name: parts_of(name) for name in dict.fromkeys((*BUILT_IN, game))}


def _head(frames: Frames, judgement: Judgement | None, *, back: str | None, back_to: str | None) -> dict[str, Any]:
    """Returns what the page needs before it has unpacked the frames, including the first of them."""
    base, parts = base_audience(frames), parts_of(frames.header.game)
    analysis = {} if judgement is None else {"analysis": pack_judgement(judgement, frames)}
    return {
        "header": frames.header,
        "audiences": [{"id": audience.id, "name": frames.call(audience)} for audience in frames.audiences],
        "base": base.id,
        "last": len(frames) - 1,
        "turns": frames.turns,
        "rounds": frames.rounds,
        "marks": [{"step": one.step, "kind": one.kind, "words": frames.explain_mark(one)} for one in frames.marks],
        "trouble": frames.trouble,
        "legend": [gettext(_SIGNS), *(parts.page_signs if isinstance(parts, OffersPage) else ())],
        "keys": [spoken_key(key) for key in keys_for(judged=judgement is not None) if key.does not in _NOT_IN_A_PAGE],
        "speeds": SPEEDS,
        "usual_speed": USUAL_SPEED,
        "back": back,
        "back_to": gettext("All games") if back_to is None else back_to,
        "first": pack_frame(frames[0], base),
        **analysis,
    }


@cache
def _read(name: str) -> str:
    return (files("tournament.viewer") / "web" / name).read_text(encoding="utf-8")


HEIGHT: Final = "42rem"


class ShownReplay(Replay):
    """The positions of a record, and a place among them; a notebook shows its page, as `tournament replay --html`."""

    def _repr_html_(self) -> str:
        """Returns the page of the game in a frame of its own, which can load nothing and reach nothing around it."""
        page = html.escape(format_html(self.record), quote=True)
        title = html.escape(gettext("Replay of {id}", id=self.record.id), quote=True)
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
