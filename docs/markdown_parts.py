"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def cell(text: str) -> str:
    """Returns a text as one line that a cell can hold."""
    return " ".join(text.split()).replace("|", "\\|")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table; columns in which nothing stands are left out."""
    rows = [[cell(text) for text in row] for row in rows]
    used = [number for number in range(len(heads)) if any(row[number] for row in rows)]
    lines = [[heads[number] for number in used], ["---"] * len(used), *([row[n] for n in used] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
