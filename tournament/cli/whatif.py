"""`tournament whatif`: a game that goes another way from one of its moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.output import Force, check_free, print_table, say
from tournament.errors import UsageError
from tournament.text import format_place

if TYPE_CHECKING:
    from tournament.records.codec import AnyRecord


def whatif_command(
    reference: Annotated[str, typer.Argument(metavar="RUN#ID", help="A game of a run or a file; one record.")],
    move: Annotated[int, typer.Option("--move", metavar="N", help="So many moves stay; the next is made another way.")],
    action: Annotated[
        str | None,
        typer.Option("--action", metavar="JSON", help="What the seat to move does instead, in JSON or words."),
    ] = None,
    bot: Annotated[str | None, typer.Option("--bot", metavar="SPEC", help="Who plays that seat on.")] = None,
    others: Annotated[
        str | None,
        typer.Option("--with", metavar="SPEC", help="Who plays on otherwise.", show_default="an example bot"),
    ] = None,
    games: Annotated[int, typer.Option("--games", metavar="M", help="How often: for bots that use chance.", min=1)] = 1,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where the records go.", show_default="whatif-ID-N.jsonl"),
    ] = None,
    force: Force = False,
) -> None:
    """Play a game on another way from one of its moves."""
    from tournament.lab.whatif import WhatIf, parse_other_action
    from tournament.records.codec import format_record
    from tournament.records.layout import parse_reference
    from tournament.records.read import find_record
    from tournament.replay import replay

    if action is None and bot is None:
        raise UsageError("Say what is different: --action JSON, or --bot SPEC, or both.")
    record = find_record(parse_reference(reference))
    path = out if out is not None else Path(f"whatif-{record.id}-{move}.jsonl")
    check_free(path, force=force)
    chosen = None
    if action is not None:
        walk = replay(record)
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
    from tournament.lab.rollouts import margins_of

    return (*map(str, record.result.scores), f"{margins_of(record.result.scores)[seat]:+.1f}")
