"""The commands about one game: `replay`, `analyse`, `whatif` and `play`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament import examples
from tournament.cli.options import check_seed, complete_bot, complete_game, complete_game_of_run
from tournament.cli.output import Force, Json, patient_console, print_json, print_table, say
from tournament.errors import RecordError, UsageError
from tournament.text import format_command, format_place

if TYPE_CHECKING:
    from rich.text import Text

    from tournament.records.codec import AnyRecord
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
        say(f"Written: {format_place(html)}. Open it in a browser; it needs nothing else.")
    elif plain or from_ is not None or to is not None or not in_a_terminal():
        _print_steps(frames, judgement, from_=from_, to=to)
    else:
        from tournament.viewer.terminal import view_in_terminal

        view_in_terminal(frames, judgement)
    if frames.trouble is not None:
        raise RecordError(frames.trouble)


def in_a_terminal() -> bool:
    """Returns whether a viewer would have a screen and a keyboard."""
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
) -> None:
    """Judge the moves of a game: which were the most costly, and how much the deal decided."""
    from tournament.lab.judge import analyse, format_analysis, format_decisions
    from tournament.store.analyses import check_writable, write_analysis
    from tournament.store.layout import parse_reference
    from tournament.store.reader import find_record

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
    if moves:
        say(f"{format_decisions(analysis)}\n\n* was played, g is what the guide would do.\n")
    say(format_analysis(analysis))
    if out is not None:
        again = format_command("replay", reference, "--analysis", out)
        say(f"\nWritten: {format_place(out)}. Look at it with `{again}`.")


def _show_progress(done: int, total: int) -> None:
    typer.echo(f"\rJudging decision {done + 1} of {total}.", err=True, nl=False)


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
) -> None:
    """Replace a move of a game, and let bots play on from there."""
    from tournament.lab.whatif import WhatIf, parse_other_action
    from tournament.records.codec import format_record
    from tournament.replaying.positions import Replay
    from tournament.store.layout import parse_reference
    from tournament.store.reader import find_record

    if action is None and bot is None:
        raise UsageError("Nothing is replaced. Give --action JSON, or --bot SPEC, or both.")
    record = find_record(parse_reference(reference))
    path = out if out is not None else Path(f"whatif-{record.id}-{move}.jsonl")
    from tournament.store.files import check_free

    check_free(path, force=force)
    chosen = None
    if action is not None:
        walk = Replay.from_record(record)
        if 0 <= move < walk.last:
            chosen = parse_other_action(action, walk.state_at(move).view(walk.to_move_at(move)), walk.game.Action)
    other_way = WhatIf(record, move=move, action=chosen, bot=bot, others=others)
    records = list(other_way.play(games))
    path.write_bytes(b"".join(format_record(one) + b"\n" for one in records))
    rows = [
        ("recorded, by", *(seat.bot for seat in record.seats), ""),
        ("scores", *_figures(record, other_way.seat)),
        (f"from move {move} on, by", *(entrant.name for entrant in other_way.entrants), ""),
        *((f"scores of game {number}", *_figures(one, other_way.seat)) for number, one in enumerate(records)),
    ]
    seats = [f"seat {seat}" for seat in range(len(record.seats))]
    print_table(rows, ("", *seats, f"margin of seat {other_way.seat}"))
    if games > 1 and len({one.moves for one in records}) == 1:
        say("All games are the same: these bots leave nothing to chance.")
    say(f"Recorded: {format_place(path)}.")


def _figures(record: AnyRecord, seat: int) -> tuple[str, ...]:
    from tournament.lab.guide import margins_of

    return (*map(str, record.result.scores), f"{margins_of(record.result.scores)[seat]:+.1f}")


def play_command(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help=f"The game: {' or '.join(examples.GAMES)}.", autocompletion=complete_game),
    ],
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="SPEC,SPEC",
            help="The bots in the other seats, in the order of the seats.",
            autocompletion=complete_bot,
        ),
    ],
    seat: Annotated[int, typer.Option("--seat", help="Your seat; 0 is the first.")] = 0,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed", metavar="SEED", callback=check_seed, help="The master seed of the deal; random if left out."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write the record.", show_default="play-DIGEST.json"),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask/--no-ask", help="Ask for confirmation of moves that cannot be taken back.")
    ] = True,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="Print lines instead of using the whole screen, for screen readers and pipes."),
    ] = False,
) -> None:
    """Play a game yourself against bots."""
    from tournament.deals import draw_master
    from tournament.games import load_game, parts_of
    from tournament.games.parts import OffersGuide
    from tournament.lab.guide import Guide, Seating, entrants_for
    from tournament.lab.person import Face, LeftTable
    from tournament.lab.table import PlainFace, check_seat, play_with_person
    from tournament.records.codec import format_record
    from tournament.viewer.frames import summarise

    rules = load_game(game)
    specs = [spec.strip() for spec in against.split(",") if spec.strip()]
    if not specs:
        raise UsageError("--against names no bot. Give one for each other seat, separated by commas.")
    check_seat(seat, players=len(specs) + 1)
    if out is not None and out.exists():
        raise UsageError(f"{out} exists already. Name another file: --out FILE.")
    entrants = entrants_for(game, specs, players=len(specs) + 1)
    options = rules.Options()
    seating = Seating(game=game, players=len(specs) + 1, options=options)
    guide = Guide(seating) if isinstance(parts_of(game), OffersGuide) else None
    master = seed if seed is not None else draw_master()

    def play(face: Face) -> AnyRecord:
        return play_with_person(rules, entrants, face, seat=seat, master=master, guide=guide, options=options, asks=ask)

    try:
        if plain or not in_a_terminal():
            record = play(PlainFace(_read_line, say))
        else:
            from tournament.lab.screen import play_on_screen

            record = play_on_screen(play)
    except LeftTable:
        say("You left the table: the game is not recorded.")
        return
    path = out if out is not None else Path(f"play-{(record.digest or '')[:12]}.json")
    path.write_bytes(format_record(record) + b"\n")
    for line in summarise(record):
        say(line)
    say(
        f"Recorded: {format_place(path)}. Look at it with `{format_command('replay', path)}`, "
        f"or `{format_command('analyse', path)}`."
    )


def _read_line(prompt: str) -> str:
    say(prompt, nl=False)
    return sys.stdin.readline()
