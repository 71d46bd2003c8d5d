"""`tournament replay`: one game, step by step."""

from __future__ import annotations

from typing import Annotated

import typer


def replay_command(reference: Annotated[str, typer.Argument(metavar="RUN#ID")]) -> None:
    """Replay a game step by step."""
    raise SystemExit(reference)
