"""Writes `docs/reference/`: commands, files and messages, Python, exit codes, all from the code.

    python docs/make_reference.py

A test fails while the pages are behind. What the code does not say of a field is in `fields.yaml`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from make_reference_of_files import make_file_pages
from markdown_parts import cell, table

import tournament
from tournament import errors
from tournament.cli.app import every_command, placeholder
from tournament.examples import COMMANDS

PAGES = Path(__file__).parent / "reference"

NOTE = "<!-- Made by docs/make_reference.py from the code: change that. -->\n"


def make_pages() -> dict[str, str]:
    """Returns every page of the reference that is made from the code: file name to text."""
    pages = {
        "commands.md": make_commands(),
        "python.md": make_python(),
        "exit-codes.md": make_exit_codes(),
        **make_file_pages(),
    }
    return {name: f"{NOTE}\n{text.rstrip()}\n" for name, text in pages.items()}


def make_commands() -> str:
    """Returns the page of all commands with their arguments and options."""
    parts = [
        "# Commands",
        "`tournament --version` prints the version, `tournament --install-completion` completes words in your shell, "
        "and `-h` or `--help` explains any command. What they return: [exit codes](exit-codes.md).",
    ]
    for panel, names in panels().items():
        parts += [f"## {panel}", *(_command(name, callback) for name, callback in names)]
    return "\n\n".join(parts)


def panels() -> dict[str, list[tuple[str, Any]]]:
    """Returns every command with its function, by the group it has in `--help`."""
    panels: dict[str, list[tuple[str, Any]]] = {}
    for panel, name, function in every_command():
        panels.setdefault(panel, []).append((name, function))
    return panels


def parameters_of(name: str, callback: Any) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]], list[str]]:
    """Returns the arguments of a command and its options, each with what it is and its default, and how it is used."""
    arguments: list[tuple[str, ...]] = []
    options: list[tuple[str, ...]] = []
    usage = [f"tournament {name}"]
    hints = get_type_hints(callback, include_extras=True)
    for parameter in inspect.signature(callback).parameters.values():
        annotation, info = get_args(hints[parameter.name])
        kind = _without_none(annotation)
        required = parameter.default is inspect.Parameter.empty
        default = "" if required else _default(parameter.default, info.show_default)
        what = " ".join([str(info.help), *_bounds(kind, info)])
        if type(info).__name__ == "ArgumentInfo":
            word = info.metavar or parameter.name.upper()
            usage.append(word if required else f"[{word}]")
            arguments.append((f"`{word}`", what, default))
        else:
            # Typer takes the first word of an annotation for a default until it sees the signature.
            names = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
            names = names or [f"--{parameter.name.replace('_', '-')}"]
            flags = ", ".join(f"`{flag}`" for flag in names)
            value = "" if kind is bool else f" `{info.metavar or placeholder(kind)}`"
            options.append((flags + value, what, "required" if required else default))
            if required:
                usage.append(f"{names[0]} {info.metavar or placeholder(kind)}")
    usage += ["[OPTIONS]"] if options else []
    return arguments, options, usage


def _command(name: str, callback: Any) -> str:
    arguments, options, usage = parameters_of(name, callback)
    parts = [f"### tournament {name}", inspect.cleandoc(callback.__doc__), f"```text\n{' '.join(usage)}\n```"]
    examples = "\n".join(COMMANDS[name])
    parts += [table(("", "what it is", "default"), [*arguments, *options]), f"```text\n{examples}\n```"]
    return "\n\n".join(filter(None, parts))


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(form for form in get_args(annotation) if form is not type(None))
    return get_args(annotation)[0] if get_origin(annotation) is list else annotation


def _bounds(kind: Any, info: Any) -> Iterator[str]:
    if kind in (int, float) and info.min is not None:
        yield f"At least {info.min}." if info.max is None else f"From {info.min} to {info.max}."


def _default(value: Any, shown: Any) -> str:
    if isinstance(shown, str):
        return shown
    return "" if value is None or value is False else f"`{value}`"


def make_python() -> str:
    """Returns the page of the public names of the package."""
    parts = [
        "# Python",
        "Everything in `tournament.__all__` is public, and so are the modules named below; anything else may change.",
    ]
    from tournament.testing import check_game

    public = [getattr(tournament, name) for name in tournament.__all__]
    classes = [one for one in public if inspect.isclass(one)]
    errors = [one for one in classes if issubclass(one, Exception)]
    told = [tournament.Bot, tournament.GameStart, tournament.Clock, tournament.GameEnd]
    parts += ["## Functions", *(_python_function(one) for one in public if one not in classes)]
    parts += ["## A run", *map(_python_class, (tournament.Run, tournament.Observer))]
    parts += ["## A bot, and what it is told", *map(_python_class, told)]
    rest = [one for one in classes if one not in (*errors, *told, tournament.Run, tournament.Observer, tournament.Game)]
    parts += ["## What is given and returned", *map(_python_class, rest)]
    parts += ["## Errors", *map(_python_class, errors)]
    parts += ["## For authors of games: `tournament.testing`", _python_function(check_game)]
    parts += ["The contract of a game is `tournament.games.contract.Game`: see [add a game](../how-to/add-a-game.md)."]
    parts += make_parts()
    parts += make_training()
    return "\n\n".join(parts)


def make_parts() -> list[str]:
    """Returns the parts of that page about what a game may offer beyond its rules."""
    from tournament.games import drawing, parts, parts_of

    offers = [value for name, value in vars(parts).items() if name.startswith("Offers")]
    values = (parts.Reading, parts.Scene, parts.Pointed, parts.ListNumbering, parts.Piece, parts.TrainingBounds)
    return [
        "## What a game may offer: `tournament.games.parts`",
        _docstring(parts).partition("\n\n")[2],
        *map(_python_function, (parts_of, parts.read_script, parts.write_seats)),
        *map(_python_class, (*offers, *values, parts.Dealing, parts.Training)),
        "## Drawing in lines: `tournament.games.drawing`",
        _docstring(drawing),
        *map(_python_function, (drawing.seat_line, drawing.beside, drawing.flow)),
        *map(_python_function, (drawing.blank_line, drawing.draw_card, drawing.draw_suit)),
    ]


def make_training() -> list[str]:
    """Returns the parts of that page about numbers, arrays and environments."""
    from tournament.adapters import gymnasium, observation, openspiel, pettingzoo
    from tournament.numbering import Numbering, numbering_of

    return [
        "## Actions as numbers: `tournament.numbering`",
        _python_function(numbering_of),
        _python_class(Numbering),
        "## Views as arrays: `tournament.adapters.observation`",
        *map(_python_function, (observation.observe, observation.layout_of)),
        *map(_python_class, (observation.Layout, observation.Piece)),
        "## Gymnasium: `tournament.adapters.gymnasium`",
        "Needs its extra. How to use it: [train elsewhere, play here](../training.md).",
        _python_function(gymnasium.seat_env),
        _python_class(gymnasium.SeatEnv),
        "## PettingZoo: `tournament.adapters.pettingzoo`",
        "Needs its extra. How to use it: [train elsewhere, play here](../training.md).",
        *map(_python_function, (pettingzoo.env, pettingzoo.raw_env, pettingzoo.parallel_env)),
        "## OpenSpiel: `tournament.adapters.openspiel`",
        "Needs its extra; importing it registers every game that is installed, such as `tournament_scout`.",
        _python_function(openspiel.load_openspiel_game),
        _python_class(openspiel.OpenSpielBot),
    ]


def _python_function(function: Any, *, level: int = 3, name: str | None = None) -> str:
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(function)))
    signature = re.sub(r"\((?:self|cls)(?:, )?", "(", signature)
    called = f"{name or function.__name__}{signature}"
    return f"{'#' * level} {name or function.__name__}\n\n```py\n{called}\n```\n\n{_docstring(function)}"


def _python_class(kind: Any) -> str:
    from tournament.configuration.describing import docstrings_of

    parts = [f"### {kind.__name__}", _docstring(kind)]
    fields = getattr(kind, "__struct_fields__", ())
    explained = docstrings_of(kind)
    names = [*fields, *(name for name in vars(kind).get("__annotations__", ()) if name not in fields)]
    rows = [(f"`{name}`", cell(explained.get(name, ""))) for name in names if not name.startswith("_")]
    if rows:
        parts.append(table(("field", "what it is"), rows))
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            parts.append(f"#### {kind.__name__}.{name}\n\n{_docstring(value)}")
        elif isinstance(value, classmethod):
            parts.append(_python_function(getattr(kind, name), level=4, name=f"{kind.__name__}.{name}"))
        elif inspect.isfunction(value):
            parts.append(_python_function(value, level=4, name=f"{kind.__name__}.{name}"))
    return "\n\n".join(parts)


def _docstring(value: Any) -> str:
    """Returns a docstring as Markdown: what is indented in it is code."""
    blocks = re.split(r"\n\n(?=\S)", inspect.getdoc(value) or "")
    text = "\n\n".join(blocks)
    return re.sub(
        r"\n\n((?: {4}.*\n?|\n(?= {4}))+)",
        lambda match: f"\n\n```py\n{dedent(match[1]).strip()}\n```\n",
        text + "\n",
    ).rstrip()


def make_exit_codes() -> str:
    """Returns the page of what commands return, from the classes of errors."""
    done = "done; of `audit`, `validate` and `selftest`: nothing wrong; of `gate`: let in; of `bot check`: ready"
    rows = [("0", "", done)]
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, Exception)]
    for kind in sorted(kinds, key=lambda kind: kind.exit_code):
        if kind.__bases__[0] in (Exception, errors.TournamentError):
            rows.append((str(kind.exit_code), f"`{kind.__name__}`", inspect.getdoc(kind)))
    note = (
        "Exit code 1 is also an answer: `audit`, `validate` or `selftest` found something, `gate` does not let a bot "
        "in, `bot check` found a bot that is not ready. Any other code is an error, told in a sentence on stderr that "
        "says what was expected, what was found and what to do. In Python they are the exceptions of "
        "`tournament.errors`. Code 7 is also that of what an arena refuses to do for somebody, such as a name that is "
        "taken."
    )
    return "\n\n".join(["# Exit codes", note, table(("code", "exception", "means"), rows)])


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for file_name, page in make_pages().items():
        (PAGES / file_name).write_text(page, encoding="utf-8")
    from make_man_page import PAGE, make_man_page  # it reads what is above

    PAGE.write_text(make_man_page(), encoding="utf-8")
