"""The man page, made from the same commands as the reference; docs/make_reference.py writes it.

A wheel brings it along: `man tournament`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from make_reference import panels, parameters_of

from tournament.examples import COMMANDS
from tournament.version import __version__

PAGE = Path(__file__).parent / "man" / "tournament.1"


def make_man_page() -> str:
    """Returns the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.\\" Made by docs/make_man_page.py from the code: change that.'
    yield f'.TH TOURNAMENT 1 "" "tournament {__version__}" "User Commands"'
    yield from (".SH NAME", r"tournament \- tournaments for card-game bots: play, record, replay, audit and rank")
    yield from (".SH SYNOPSIS", ".B tournament", r"\fICOMMAND\fR [\fIARGUMENTS\fR] [\fIOPTIONS\fR]")
    for panel, commands in panels().items():
        yield f".SH {panel.upper()}"
        for name, callback in commands:
            yield from _command(name, callback)
    yield from (".SH EXIT STATUS", "0 when all is well; the others are told in the documentation, under Exit codes.")


def _command(name: str, callback: Any) -> Iterator[str]:
    arguments, options, usage = parameters_of(name, callback)
    yield from (f".SS {_plain(' '.join(usage))}", _plain(inspect.cleandoc(callback.__doc__)))
    for word, what, default in (*arguments, *options):
        yield from (".TP", f".B {_plain(word.replace('`', ''))}")
        shown = default.replace("`", "")
        yield _plain(what if shown in ("", "required") else f"{what} [{shown}]")
    yield from (".PP", "For example:", ".PP", ".nf", *map(_plain, COMMANDS[name]), ".fi")


def _plain(text: str) -> str:
    """Returns a text as roff prints it as it is."""
    clean = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("`", "")
    return f"\\&{clean}" if clean.startswith((".", r"\(aq")) else clean
