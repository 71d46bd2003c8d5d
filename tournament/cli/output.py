"""How commands print."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.text import printable_json, printable_lines

if TYPE_CHECKING:
    from rich.console import Console

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
SkipBad = Annotated[bool, typer.Option("--skip-bad", help="Skip records that cannot be read, and say how many.")]


def choice(words: Collection[str], name: str, *, help: str, **more: Any) -> Any:  # noqa: A002 (as typer calls it)
    """Returns an option that takes one of `words`; the error for any other word lists them."""
    return typer.Option(
        name,
        help=help,
        parser=_parser_of(words, name),
        metavar="|".join(words),
        autocompletion=lambda: list(words),
        **more,
    )


def _parser_of(words: Collection[str], name: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        from tournament.errors import UsageError, no_such_word

        for word in words:  # of an enumeration its member is returned, not the text
            if word == text:
                return word
        raise UsageError(no_such_word(name, text, words))

    return parse


def hush_stdout() -> None:
    """Discards all further output, once its reader has left, as in `... | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Prints a text with control characters written out: texts of bots, records and files must not steer a terminal."""
    typer.echo(printable_lines(str(text)), err=err, nl=nl)


def complain(text: object) -> None:
    """Prints an error on stderr, in red where the terminal has colours."""
    typer.secho(f"Error: {printable_lines(str(text))}", err=True, fg=typer.colors.RED)


class NextStep(StrEnum):
    """What one may do with a run that was played."""

    STANDINGS = "standings"
    REPLAY = "replay"
    AUDIT = "audit"
    REPORT = "report"


def format_step(step: NextStep, what: str) -> str:
    """Returns a line that says what to do next: the commands of such lines stand below each other."""
    from tournament.languages import gettext

    labels = {
        NextStep.STANDINGS: gettext("Standings again:"),
        NextStep.REPLAY: gettext("Replay a game:"),
        NextStep.AUDIT: gettext("Check everything:"),
        NextStep.REPORT: gettext("Look at it:"),
    }
    return f"{labels[step]:{max(map(len, labels.values()))}} {what}"


def print_json(value: Any) -> None:
    """Prints a value, also one of structs, as JSON for other programs."""
    import msgspec  # lazy: `--help` answers at once

    typer.echo(printable_json(json.dumps(msgspec.to_builtins(value), indent=2, ensure_ascii=False)))


def print_table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> None:
    """Prints a table."""
    from tournament.report.tables import Column, ReportPart, format_text

    part = ReportPart(columns=tuple(map(Column, headers)), rows=[tuple(map(str, row)) for row in rows])
    say(format_text([part], width=terminal_width()))


def terminal_width() -> int:
    """Returns the width of the terminal in characters; 120 when the output is no terminal."""
    from shutil import get_terminal_size

    return get_terminal_size(fallback=(120, 24)).columns


def in_a_terminal() -> bool:
    """Returns whether a viewer would have a screen and a keyboard."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]


def patient_console(**settings: Any) -> Console:
    """Returns a console of rich that stops printing when its reader has left, where rich would end the process."""
    from rich.console import Console  # takes long to load, and only terminals need it

    class PatientConsole(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush_stdout()

    return PatientConsole(**settings)
