"""`tournament export`: records for other programs."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tournament.cli.output import print_json


class Format(StrEnum):
    """What an export is written as."""

    JSON = "json"


def export_command(
    source: Annotated[str, typer.Argument(metavar="RUN[#ID]", help="A run, a .jsonl, a .json, or one game of a run.")],
    format: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSON,  # noqa: A002
) -> None:
    """Print records, pretty: one as an object, several as a list."""
    import msgspec

    from tournament.records.read import parse_reference, read_records

    values = [msgspec.to_builtins(record, order="sorted") for record in read_records(source)]
    if parse_reference(source).id is not None or source.endswith(".json"):
        print_json(values[0])
    else:
        print_json(values)
