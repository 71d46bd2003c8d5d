"""How commands print: tables, JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(value: Any) -> None:
    """Prints a value as JSON for other programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(rows: Sequence[Sequence[Any]], headers: Sequence[str]) -> None:
    """Prints a table."""
    from tabulate import tabulate

    typer.echo(tabulate(rows, headers=headers, tablefmt="simple", disable_numparse=True))


def terminal_width() -> int:
    """Returns how many characters go into a line; 120 where nobody looks."""
    from shutil import get_terminal_size

    return get_terminal_size(fallback=(120, 24)).columns
