"""`tournament selftest`: which protections from bots work here."""

from __future__ import annotations

import typer

from tournament.cli.output import Json, print_json, say


def selftest_command(json: Json = False) -> None:
    """Try bots that misbehave, and say which protections work on this machine; exit code 1 when one fails."""
    import msgspec

    from tournament.lab import selftest

    reports = selftest.selftest()
    if json:
        print_json(msgspec.to_builtins(reports))
    else:
        say(selftest.format_selftest(reports))
    if not all(report.works for report in reports):
        raise typer.Exit(1)
