"""How commands print, and that they write over nothing unasked."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.text import printable_json, printable_lines

if TYPE_CHECKING:
    from rich.console import Console

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Go on without records that cannot be read; how many is said.")
]


def choice(words: Collection[str], name: str, *, help: str, **more: Any) -> Any:  # noqa: A002 (as typer calls it)
    """Returns an option that takes one of some words, and says for another one which there are."""
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

        for word in words:  # one of an enumeration, where they are one
            if word == text:
                return word
        raise UsageError(no_such_word(name, text, words))

    return parse


def hush_stdout() -> None:
    """Lets everything printed from now on go nowhere: whoever read the output has enough, as in `... | head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Prints a text: the one gate for what bots, records and other files say, so that none of it steers a terminal."""
    typer.echo(printable_lines(str(text)), err=err, nl=nl)


def complain(text: object) -> None:
    """Prints what is wrong on stderr, in red where there is colour."""
    typer.secho(f"Error: {printable_lines(str(text))}", err=True, fg=typer.colors.RED)


def print_json(value: Any) -> None:
    """Prints a value as JSON for other programs."""
    typer.echo(printable_json(json.dumps(value, indent=2, ensure_ascii=False)))


def print_table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> None:
    """Prints a table."""
    from tabulate import tabulate

    say(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))


def terminal_width() -> int:
    """Returns how many characters go into a line; 120 where nobody looks."""
    from shutil import get_terminal_size

    return get_terminal_size(fallback=(120, 24)).columns


Force = Annotated[bool, typer.Option("--force", help="Write over what is there already.")]


def check_free(path: Path, *, force: bool) -> None:
    """Raises `UsageError` for a file that is there, unless it is to be written over; a run is never written over."""
    from tournament.errors import UsageError
    from tournament.store.layout import RUN_FILE

    if path.is_dir():
        raise UsageError(f"{path} exists already, and is a folder. Give another name.")
    if not path.is_file():
        return  # nothing, or a pipe or a device, which is written to and not over
    if not force:
        raise UsageError(f"{path} exists already. Give another name, or --force to write over it.")
    if any((folder / RUN_FILE).exists() for folder in path.resolve().parents):
        raise UsageError(f"{path} is part of a run, and runs are never written over. Give another name.")


def patient_console(**settings: Any) -> Console:
    """Returns a console that goes quiet when nobody reads it any more; one of rich would end the run."""
    from rich.console import Console  # lazy: only a terminal needs it, and it takes long

    class PatientConsole(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush_stdout()

    return PatientConsole(**settings)
