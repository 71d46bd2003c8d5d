"""The commands about one game that was played: `replay`, `analyse` and `whatif`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import InLanguage, complete_bot, complete_game_of_run
from tournament.cli.output import Force, Json, in_a_terminal, patient_console, print_json, print_table, say
from tournament.errors import RecordError, UsageError
from tournament.languages import gettext
from tournament.text import format_command, format_place

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.viewer.frames import Frames
    from tournament.viewer.judgement import Judgement

Game = Annotated[
    str,
    typer.Argument(
        metavar="RUN#ID",
        help="A game of a run or file, or a file with one record.",
        autocompletion=complete_game_of_run,
    ),
]


def replay_command(
    reference: Game,
    plain: Annotated[bool, typer.Option("--plain", help="Print every step instead of opening the viewer.")] = False,
    from_: Annotated[int | None, typer.Option("--from", metavar="STEP", help="The first step to print.")] = None,
    to: Annotated[int | None, typer.Option("--to", metavar="STEP", help="The last step to print.")] = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Show only what this seat knows.")] = None,
    public: Annotated[bool, typer.Option("--public", help="Show only what everybody knows.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the game as one page for the browser.")
    ] = None,
    analysis: Annotated[
        Path | None,
        typer.Option(
            "--analysis", metavar="FILE", help="Also show the analysis that `tournament analyse --out FILE` wrote."
        ),
    ] = None,
    force: Force = False,
    language: InLanguage = None,
) -> None:
    """Replay a game step by step: in a viewer, as text with --plain, or as a page with --html."""
    from tournament.replaying.positions import Replay
    from tournament.store.analyses import read_analysis_of
    from tournament.store.layout import parse_reference
    from tournament.store.lines import PassedOver
    from tournament.store.reader import find_record
    from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of, summarise
    from tournament.viewer.judgement import Judgement

    if seat is not None and public:
        raise UsageError("--seat and --public exclude each other. Give one.")
    audience = PUBLIC if public else ALL if seat is None else Audience(seat=seat)
    if html is not None:
        from tournament.store.files import check_free

        check_free(html, force=force)
    passed = PassedOver()
    record = find_record(parse_reference(reference), passed=passed)
    for note in passed.notes():
        say(str(note), err=True)
    judged = None if analysis is None else read_analysis_of(record, analysis)
    try:
        walk = Replay.from_record(record, to_the_break=True)
    except RecordError:
        say("\n".join(summarise(record)))
        raise
    frames = frames_of(walk, audience)
    judgement = None if judged is None else Judgement(judged, frames)
    if html is not None:
        from tournament.viewer.page import write_html

        write_html(record, html, audience=audience, analysis=judged)
        say(gettext("Written: {place}. Open it in a browser; it needs nothing else.", place=format_place(html)))
    elif plain or from_ is not None or to is not None or not in_a_terminal():
        _print_steps(frames, judgement, from_=from_, to=to)
    else:
        from tournament.viewer.terminal import view_in_terminal

        view_in_terminal(frames, judgement)
    if frames.trouble is not None:
        raise RecordError(frames.trouble)


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
    """Returns what prints a line, in colour on a terminal; lines are not wrapped, for grep and screen readers."""
    if not sys.stdout.isatty() and not os.environ.get("FORCE_COLOR"):
        return lambda text: say(text.plain)
    return patient_console(highlight=False, soft_wrap=True).print


def analyse_command(
    reference: Game,
    seat: Annotated[
        list[int] | None,
        typer.Option("--seat", help="Judge the moves of this seat; may be repeated.", show_default="all seats"),
    ] = None,
    worlds: Annotated[
        int, typer.Option("--worlds", metavar="N", help="How many deals of the hidden cards each action is tried on.")
    ] = 200,
    with_: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="SPEC",
            help="The bot that plays on after each action that is tried.",
            autocompletion=complete_bot,
            show_default="an example bot",
        ),
    ] = None,
    moves: Annotated[
        bool, typer.Option("--moves", help="Also print each decision with the actions worth considering.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Also write the analysis as JSON, for --analysis of replay and report."
        ),
    ] = None,
    force: Force = False,
    json: Json = False,
    language: InLanguage = None,
) -> None:
    """Judge the moves of a game: which were the most costly, and how much the deal decided."""
    from tournament.lab.judge import analyse, format_analysis, format_decisions
    from tournament.replaying.positions import Replay
    from tournament.store.analyses import check_writable, write_analysis
    from tournament.store.layout import parse_reference
    from tournament.store.reader import find_record
    from tournament.viewer.judgement import spoken

    if out is not None:
        from tournament.store.files import check_free

        check_free(out, force=force)
        check_writable(out)  # before it takes minutes
    record = find_record(parse_reference(reference))
    progress = _show_progress if sys.stderr.isatty() else None
    analysis = analyse(record, seats=seat or (), worlds=worlds, with_spec=with_, progress=progress)
    if progress is not None:
        typer.echo("\r\x1b[K", err=True, nl=False)
    if out is not None:
        write_analysis(analysis, out)
    if json:
        print_json(analysis)
        return
    analysis = spoken(analysis, Replay.from_record(record))
    if moves:
        signs = gettext("* was played, g is what the guide would do.")
        say(f"{format_decisions(analysis)}\n\n{signs}\n")
    say(format_analysis(analysis))
    if out is not None:
        again = format_command("replay", reference, "--analysis", out)
        say("\n" + gettext("Written: {place}. Look at it with `{command}`.", place=format_place(out), command=again))


def _show_progress(done: int, total: int) -> None:
    typer.echo(
        "\r" + gettext("Judging decision {number} of {total}.", number=done + 1, total=total), err=True, nl=False
    )


def whatif_command(
    reference: Game,
    move: Annotated[
        int, typer.Option("--move", metavar="N", help="How many moves are kept; the next one is replaced.")
    ],
    action: Annotated[
        str | None,
        typer.Option("--action", metavar="JSON", help="What the seat to move does instead, as JSON or in words."),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="SPEC", help="The bot that plays on in that seat.", autocompletion=complete_bot),
    ] = None,
    others: Annotated[
        str | None,
        typer.Option(
            "--with",
            metavar="SPEC",
            help="The bot that plays on in the other seats.",
            show_default="an example bot",
            autocompletion=complete_bot,
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="M", help="How many games are played from there, for bots that use chance.", min=1
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write the records.", show_default="whatif-ID-N.jsonl"),
    ] = None,
    force: Force = False,
    language: InLanguage = None,
) -> None:
    """Replace a move of a game, and let bots play on from there."""
    from tournament.lab.whatif import WhatIf, compare_ways, parse_other_action
    from tournament.records.codec import format_record
    from tournament.replaying.positions import Replay
    from tournament.store.files import check_free, check_makeable, write_output
    from tournament.store.layout import parse_reference
    from tournament.store.reader import find_record

    if action is None and bot is None:
        raise UsageError("Nothing is replaced. Give --action JSON, or --bot SPEC, or both.")
    record = find_record(parse_reference(reference))
    path = out if out is not None else Path(f"whatif-{record.id}-{move}.jsonl")
    check_free(path, force=force)
    check_makeable(path)  # before games are played that could not be kept
    chosen = None
    if action is not None:
        walk = Replay.from_record(record)
        if 0 <= move < walk.last:
            chosen = parse_other_action(action, walk.state_at(move).view(walk.to_move_at(move)), walk.game.Action)
    other_way = WhatIf(record, move=move, action=chosen, bot=bot, others=others)
    records = list(other_way.play(games))
    write_output(path, b"".join(format_record(one) + b"\n" for one in records))
    print_table(*compare_ways(other_way, records))
    if games > 1 and len({one.moves for one in records}) == 1:
        say(gettext("All games are the same: these bots leave nothing to chance."))
    say(gettext("Recorded: {place}.", place=format_place(path)))
