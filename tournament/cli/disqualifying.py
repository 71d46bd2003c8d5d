"""`tournament disqualify`: an entrant taken out of a run afterwards, and back in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.output import say


def disqualify_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The entrant, by its name in the standings.")],
    reason: Annotated[
        str | None, typer.Option("--reason", help="Why; it is shown with the standings. Needed unless --undo.")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take it back in.")] = False,
) -> None:
    """Take a bot out of a run that was played: no block with it counts any more. Its records stay."""
    from tournament.cli.reporting import report_after
    from tournament.errors import UsageError
    from tournament.runner import disqualifying

    if undo and reason is not None:
        raise UsageError("--undo takes no --reason.")
    if undo:
        disqualifying.reinstate(run, bot)
        say(f"{bot} takes part in {run} again.")
    else:
        disqualifying.disqualify(run, bot, reason=reason or "")
        say(f"{bot} is disqualified in {run}. Take it back in with --undo.")
    if (run / "report").is_dir():
        report_after(run, quiet=True)
