"""`tournament replay`: one game, step by step."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.console import patient_console
from tournament.cli.output import Force, check_free, say
from tournament.errors import RecordError, UsageError
from tournament.text import format_place

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.viewer.frames import Frames
    from tournament.viewer.judgement import Judgement


def replay_command(
    reference: Annotated[str, typer.Argument(metavar="RUN#ID", help="A game of a run or a file; one record.")],
    plain: Annotated[bool, typer.Option("--plain", help="Print every step instead of opening the viewer.")] = False,
    from_: Annotated[int | None, typer.Option("--from", metavar="STEP", help="The first step to print.")] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP", help="The last step to print.")] = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Show only what this seat may know.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Show only what everybody may know.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write one page for a browser that holds the game.")
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option("--analysis", metavar="FILE", help="Show what `tournament analyse --out FILE` said of the moves."),
    ] = None,
    force: Force = False,
) -> None:
    """Replay a game step by step: in a viewer, as text with --plain, or as a page with --html."""
    from tournament.records.analysis import read_analysis_of
    from tournament.records.layout import parse_reference
    from tournament.records.lines import PassedOver
    from tournament.records.read import find_record
    from tournament.replay import replay
    from tournament.viewer.audience import ALL, PUBLIC, Audience
    from tournament.viewer.frames import frames_of, summarise
    from tournament.viewer.judgement import Judgement

    if seat is not None and public:
        raise UsageError("--seat and --public are two answers to one question: give one of them.")
    audience = PUBLIC if public else ALL if seat is None else Audience(seat=seat)
    if html is not None:
        check_free(html, force=force)
    passed = PassedOver()
    record = find_record(parse_reference(reference), passed=passed)
    for note in passed.notes():
        say(note, err=True)
    judged = None if analysis is None else read_analysis_of(record, analysis)
    try:
        walk = replay(record, to_the_break=True)
    except RecordError:
        say("\n".join(summarise(record)))
        raise
    frames = frames_of(walk, audience)
    judgement = None if judged is None else Judgement(judged, frames)
    if html is not None:
        from tournament.viewer.html import write_html

        write_html(record, html, audience=audience, analysis=judged)
        say(f"Written: {format_place(html)}. Open it in a browser; it needs nothing else.")
    elif plain or from_ is not None or to is not None or not in_a_terminal():
        _print_steps(frames, judgement, from_=from_, to=to)
    else:
        from tournament.viewer.terminal import view_in_terminal

        view_in_terminal(frames, judgement)
    if frames.trouble is not None:
        raise RecordError(frames.trouble)


def in_a_terminal() -> bool:
    """Returns whether a viewer has a screen and keys to work with."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _print_steps(frames: Frames, judgement: Judgement | None, *, from_: int | None, to: int | None) -> None:
    from tournament.games.drawing import blank_line
    from tournament.viewer.text import draw_frame, draw_header

    last = len(frames) - 1
    first, end = from_ if from_ is not None else 0, to if to is not None else last
    for name, step in (("--from", first), ("--to", end)):
        if not 0 <= step <= last:
            raise UsageError(f"{name} {step}: {frames.header.id} has the steps 0 to {last}.")
    if first > end:
        raise UsageError(f"--from {first} comes after --to {end}: give them the other way round.")
    audience = frames.audiences[0]
    show = _printer()
    show(draw_header(frames.header, audience, judgement))
    for step in range(first, end + 1):
        show(blank_line())
        show(draw_frame(frames[step], frames.header, audience, judgement=judgement))


def _printer() -> Callable[[Text], None]:
    """Returns what prints lines: each stays one, for grep and for screen readers, in colour on a terminal."""
    if not sys.stdout.isatty() and not os.environ.get("FORCE_COLOR"):
        return lambda text: say(text.plain)

    return patient_console(highlight=False, soft_wrap=True).print
