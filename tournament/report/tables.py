"""Tables for a terminal, as Markdown, CSV and JSON; and a few words that several of them share."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple

import msgspec
from msgspec import Struct
from tabulate import tabulate

from tournament.errors import UsageError
from tournament.languages import gettext, ngettext
from tournament.records.figures import Basis, Figure
from tournament.text import printable, printable_json, printable_lines


def with_basis(title: str, basis: Basis) -> str:
    """Returns the title of a ranking, or its points; it says so where the ranking is by rating."""
    return gettext("{title}, ranked by rating", title=title) if basis is Basis.RATINGS else title


def parse_share(text: str, option: str) -> float:
    """Returns the share that `95%` or `0.95` stands for. Raises `UsageError`, naming the option, for other texts."""
    number, sign, rest = text.partition("%")
    try:
        share = float(number) / (100.0 if sign else 1.0)
    except ValueError:
        share = -1.0
    if rest.strip() or not 0.0 <= share <= 1.0:
        raise UsageError(f'{option} is a share, such as 95% or 0.95; found "{text}".')
    return share


_GAP = 2
"""How many blanks tabulate puts between columns."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~])")

Value = str | int | float | None


class Column(NamedTuple):
    """A column of a table for people."""

    header: str
    right: bool = False
    """Whether its cells are aligned to the right, as numbers are."""

    drop: int = 0
    """In a narrow terminal the columns with the highest numbers are left out first; those with 0 never."""

    has_entrants: bool = False
    """Whether its cells are names of entrants."""


def entrants() -> Column:
    """Returns the column with the entrants that the rows of a table are about."""
    return Column(gettext("entrant"), has_entrants=True)


def numbers(*headers: str, drop: int = 0) -> tuple[Column, ...]:
    """Returns columns that are aligned to the right."""
    return tuple(Column(header, right=True, drop=drop) for header in headers)


class ReportPart(NamedTuple):
    """A title, a table and some lines, each of which may be missing."""

    title: str = ""
    columns: tuple[Column, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    lines: Sequence[str] = ()


def format_text(parts: Iterable[ReportPart], *, width: int) -> str:
    """Returns the parts for a terminal `width` characters wide; a line names the columns that did not fit."""
    return "\n\n".join("\n".join(_text_lines(part, width)) for part in parts)


def _text_lines(part: ReportPart, width: int) -> Iterable[str]:
    if part.title:
        yield from _wrapped(part.title, width)
    dropped: list[str] = []
    if part.columns:
        drawn, dropped = _drawn(part, width)
        yield drawn
    for line in part.lines:
        yield from _wrapped(line, width)
    if dropped:
        names = ", ".join(dropped)
        # Translators: of a table that is wider than the terminal
        lack = ngettext(
            "No room for the column {names}.", "No room for the columns {names}.", len(dropped), names=names
        )
        yield from _wrapped(lack, width)


def _drawn(part: ReportPart, width: int) -> tuple[str, list[str]]:
    """Returns a table as lines, and the headers of the columns that did not fit."""
    headers = [printable(column.header) for column in part.columns]
    rows = [tuple(map(printable, row)) for row in part.rows]
    widths = [max(map(len, cells)) for cells in zip(headers, *rows, strict=True)]
    shown = _fitting(part.columns, widths, width)
    # The headers are passed as a row, because tabulate would widen them by two blanks.
    text = tabulate(
        [[cells[number] for number in shown] for cells in (headers, ["-" * length for length in widths], *rows)],
        tablefmt="plain",
        colalign=["right" if part.columns[number].right else "left" for number in shown],
        disable_numparse=True,
        preserve_whitespace=True,
    )
    return text, [header for number, header in enumerate(headers) if number not in shown]


def _wrapped(line: str, width: int) -> list[str]:
    return wrap(printable(line), width=max(width, 40), subsequent_indent="  ", break_on_hyphens=False)


def _fitting(columns: Sequence[Column], widths: Sequence[int], width: int) -> list[int]:
    shown = list(range(len(columns)))
    while sum(widths[number] + _GAP for number in shown) - _GAP > width:
        last = max(shown, key=lambda number: (columns[number].drop, number))
        if columns[last].drop == 0:
            break
        shown.remove(last)
    return shown


def format_markdown(parts: Iterable[ReportPart]) -> str:
    """Returns the parts as Markdown, with everything escaped that Markdown would not show as it is."""
    return "\n\n".join(filter(None, map(_markdown, parts)))


def _markdown(part: ReportPart) -> str:
    blocks = []
    if part.title:
        blocks.append(f"### {markdown_text(part.title)}")
    if part.columns:
        headers = [column.header for column in part.columns]
        sides = ["--:" if column.right else ":--" for column in part.columns]
        lines = [headers, sides, *([markdown_text(cell) for cell in row] for row in part.rows)]
        blocks.append("\n".join(f"| {' | '.join(cells)} |" for cells in lines))
    if part.lines:
        bullet = "- " if part.columns or len(part.lines) > 1 else ""
        blocks.append("\n".join(f"{bullet}{markdown_text(line)}" for line in part.lines))
    return "\n\n".join(blocks)


def markdown_text(text: str) -> str:
    """Returns a text with everything escaped that Markdown would not show as it is; one line."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def format_csv(headers: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Returns CSV; None is an empty cell, and texts are escaped as `csv_cell` does."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headers)
    writer.writerows([[csv_cell(value) for value in row] for row in rows])
    return text.getvalue().rstrip("\n")


def figure_cells(figure: Figure | None) -> tuple[Value, ...]:
    """Returns the value, the error and both ends of a figure for CSV; four empty cells for None."""
    return (None,) * 4 if figure is None else (figure.value, figure.error, figure.low, figure.high)


def csv_cell(value: Value) -> Value:
    """Returns a value for CSV; a text that a spreadsheet would run as a formula is preceded by an apostrophe."""
    if not isinstance(value, str):
        return value
    return f"'{printable_lines(value)}" if value.startswith(_FORMULA) else printable_lines(value)


def format_json(value: Struct) -> str:
    """Returns a value as indented JSON, with all digits of its numbers."""
    return printable_json(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
