"""The commands that show a run to others: `report`, `serve` and `publish`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.options import AllowHost, InLanguage
from tournament.cli.output import NextStep, format_step, say
from tournament.languages import gettext
from tournament.text import format_command, format_place


def report_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write it.", show_default="RUN/report")
    ] = None,
    analysis: Annotated[
        list[Path] | None,
        typer.Option(
            "--analysis",
            metavar="PATH",
            help="A file that `analyse --out` wrote, or a folder of them; may be repeated.",
        ),
    ] = None,
    language: InLanguage = None,
) -> None:
    """Write the report of a run as web pages: standings, faults, and games to replay."""
    from tournament.report.site import write_report

    page = write_report(run, out, analyses=analysis or ())
    say(gettext("Written: {place}. Open it in a browser; it needs no server.", place=format_place(page)))


def report_after(folder: Path, *, quiet: bool) -> None:
    """Writes the report of a run that has just been played, if it is complete, and prints where it is.

    Raises `Interrupted` on Ctrl-C.
    """
    from tournament.errors import Interrupted, TournamentError
    from tournament.records.run import RunState
    from tournament.report.site import write_report
    from tournament.store.folder import read_run

    if read_run(folder).state is not RunState.COMPLETE:
        return
    try:
        page = write_report(folder)
    except KeyboardInterrupt:
        raise Interrupted(f"{folder} is complete. Its report:\n  {format_command('report', folder)}") from None
    except TournamentError as error:
        raise type(error)(
            f"{folder} is complete, and only its report is missing: {error} Then write it:\n"
            f"  {format_command('report', folder)}"
        ) from None
    if not quiet:
        say(format_step(NextStep.REPORT, format_place(page)))


def serve_command(
    root: Annotated[Path, typer.Argument(metavar="RUN|DIR", help="A run, or a folder with runs in it.")],
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; 0.0.0.0 is every address of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 chooses a free one.")] = 8000,
    allow_host: AllowHost = None,
    hide_cards: Annotated[
        bool, typer.Option("--hide-cards", help="Show no replay and no card of a run before it is complete.")
    ] = False,
    language: InLanguage = None,
) -> None:
    """Show runs in the browser, also while they are played. Read-only."""
    from tournament.hosts import is_loopback
    from tournament.report.server import serve

    def started(address: str) -> None:
        if not is_loopback(host):
            values = {"address": host or "0.0.0.0", "place": format_place(root)}
            if hide_cards:
                seen = gettext(
                    "Everybody who reaches this machine at {address} sees the results and faults in {place}, and\n"
                    "no card of a run before it is complete.",
                    **values,
                )
            else:
                seen = gettext(
                    "Everybody who reaches this machine at {address} sees the results and faults in {place}, and\n"
                    "every card, also of a run under way.",
                    **values,
                )
            say(seen)
            say(gettext("There is no password; a proxy before it can ask for one."))
        say(gettext("Serving {place} at {address} (stop with Ctrl+C)", place=format_place(root), address=address))

    serve(root, host=host, port=port, allowed=allow_host or (), hides_cards=hide_cards, started=started)


def publish_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A complete run.")],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where to write the copy.")],
) -> None:
    """Copy a complete run without times, tracebacks, logs, paths and environments. The audit accepts such a copy."""
    from tournament.report.site import write_public_copy

    write_public_copy(run, out)
    say(f"Written: {format_place(out)}. `{format_command('audit', out)}` checks it.")
