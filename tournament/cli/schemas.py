"""`tournament schema`: the JSON Schemas of everything written."""

from __future__ import annotations

from typing import Annotated

import typer

from tournament.cli.output import Json, print_json, say


def schema_command(
    name: Annotated[str | None, typer.Argument(help="A schema, such as record-scout.v1.", show_default="list")] = None,
    json: Json = False,
) -> None:
    """Print a JSON Schema, or the names of all."""
    from tournament.records.schema import load_schema, schema_names

    if name is not None:
        print_json(load_schema(name))
    elif json:
        print_json(list(schema_names()))
    else:
        say("\n".join(schema_names()))
