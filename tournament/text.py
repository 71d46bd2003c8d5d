"""Text for people: what may be printed of what others wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from os import PathLike
from typing import Final, TypeVar, cast

_STEERING: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
"""Controls of a terminal (but tab and newline), what turns or hides text, and what no encoding can write."""

_WHOLE: Final = r"-?(?:0|[1-9][0-9]*)"
_WHOLE_NUMBER: Final = re.compile(_WHOLE)
_NUMBER: Final = re.compile(rf"(?:{_WHOLE}(?:\.[0-9]+)?|-?\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

_JOINING: Final = frozenset("\u00a0\u202f")
"""Blanks at which no line ends, as between the digits of large numbers in some languages: they hide nothing."""


def printable(text: str) -> str:
    r"""Returns one line of a text with everything that could steer a terminal or hide text written out, as `\x1b`."""
    return "".join(char if char.isprintable() or char in _JOINING else _written_out(char) for char in text)


def is_writable(text: str) -> bool:
    """Returns whether a text can be written as UTF-8: words of a command in another encoding cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def is_plain_number(text: str, *, whole: bool) -> bool:
    """Returns whether a text of a person is a number as everybody reads it: `10`, `-3`, or where not `whole` `0.5`.

    Python takes `1_0`, `+3`, ` 3` and digits of other scripts as well, and YAML reads `010` as 8 and `1:30` as 90.
    """
    return (_WHOLE_NUMBER if whole else _NUMBER).fullmatch(text) is not None


def printable_lines(text: str) -> str:
    r"""Returns a text of several lines with everything but them and tabs that could steer a terminal written out."""
    return _STEERING.sub(lambda found: _written_out(found[0]), text)


def printable_json(text: str) -> str:
    """Returns a JSON text that says the same without anything that could steer a terminal."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _written_out(char: str) -> str:
    return ascii(char)[1:-1]


def composed(name: str) -> str:
    """Returns a name in Unicode's composed form, so that names that look the same are the same."""
    from unicodedata import normalize  # lazy: `--help` answers at once

    return normalize("NFC", name)


READS_FLAGS: Final[ContextVar[bool]] = ContextVar("READS_FLAGS", default=False)
"""Whether errors are read by a user of the command, who gives options as flags; else by a caller from Python."""


def option(flag: str, keyword: str | None = None) -> str:
    """Returns how the reader of an error gives an option: `--out` to the command, its keyword to a function.

    The keyword of `--max-faults` is `max_faults` in backticks, if it is left out.
    """
    if READS_FLAGS.get():
        return flag
    return f"`{flag.strip('-').replace('-', '_')}`" if keyword is None else keyword


Named = TypeVar("Named")


def each(given: str | PathLike[str] | Iterable[Named]) -> tuple[Named, ...]:
    """Returns what a caller named, one by one; a single text or path is one, and not its letters."""
    return (cast(Named, given),) if isinstance(given, str | PathLike) else tuple(given)


def format_names(names: Sequence[str]) -> str:
    """Returns the first five of some names, and how many more there are; in English, which `spoken` translates."""
    from tournament.languages import kept_ngettext, kept_row  # lazy: `--help` answers at once

    shown = kept_row(names[:5])
    if len(names) <= 5:
        return shown
    return kept_ngettext("{names} and {count} more", "{names} and {count} more", len(names) - 5, names=shown)


def format_count(count: int, noun: str, *, grouped: bool = True) -> str:
    """Returns a number and its noun, in the plural unless it is 1: `1 game`, `1,000 games`; ungrouped `1000 games`."""
    return f"{f'{count:,}' if grouped else count} {noun}{'' if count == 1 else 's'}"


def shortened(text: str, limit: int = 120) -> str:
    """Returns a text, cut where it is longer than `limit` characters."""
    return text if len(text) <= limit else f"{text[:limit]}..."


def format_command(*words: object) -> str:
    """Returns a command of `tournament` to paste into a shell: words are quoted where it needs that."""
    return f"tournament {' '.join(map(format_place, words))}"


def format_place(path: object) -> str:
    """Returns a path, or any other word, to paste into a shell: quoted where it needs that."""
    from shlex import quote  # lazy: `--help` answers at once

    return quote(str(path))


def html_table(title: str, headers: Sequence[str], rows: Iterable[Sequence[str]], *, notes: Iterable[str] = ()) -> str:
    """Returns a table as HTML, as a notebook shows it, with notes below; every text is printable and escaped."""

    def row(tag: str, cells: Iterable[str]) -> str:
        return f"<tr>{''.join(f'<{tag}>{printable_html(cell)}</{tag}>' for cell in cells)}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    head = f"<caption>{printable_html(title)}</caption><thead>{row('th', headers)}</thead>"
    return f"<table>{head}<tbody>{body}</tbody></table>{html_lines(notes)}"


def html_lines(lines: Iterable[str]) -> str:
    """Returns texts as paragraphs of HTML; each is printable and escaped."""
    return "".join(f"<p>{printable_html(line)}</p>" for line in lines)


def printable_html(text: str) -> str:
    """Returns one line of a text as HTML, with everything that could steer or hide it written out."""
    from html import escape  # lazy: `--help` answers at once

    return escape(printable(text))
