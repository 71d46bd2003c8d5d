"""A configuration file read as it is written: YAML with the line of every part.

What does not fit is told with its line and an example.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from tournament import examples
from tournament.configuration.types import DEFAULT_GAMES, ConfigurationFile
from tournament.errors import ConfigurationError
from tournament.paths import data_folder
from tournament.records.misfits import EXAMPLES, SCHEMA, Place, example_of, explain_misfit, first_misfit
from tournament.store.files import read_regular
from tournament.store.layout import RUN_FILE
from tournament.text import format_place

if TYPE_CHECKING:
    from yaml import MarkedYAMLError


MOST_PARTS: Final = 100_000
"""The most parts of a document, every alias written out."""

DEEPEST: Final = 50
"""How deep parts may lie in each other."""


_HINT: Final = "Mind the indentation and the brackets, and write texts that have a colon in quotes."


_STANDARD: Final = "tag:yaml.org,2002:"
_PLAIN: Final = frozenset({"str", "null", "bool", "int", "float", "timestamp", "merge", "value", "seq", "map"})
"""The tags of plain values, which YAML gives them by itself."""

_TEXT: Final = "tag:yaml.org,2002:str"
_NOTHING: Final = "tag:yaml.org,2002:null"
_PLAIN_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,17}")
_TYPED: Final = frozenset({"params", "clock", "limits", "players"})
"""Parts of an entrant whose values are no texts."""


class YamlError(ConfigurationError):
    """Something wrong in a YAML file, in a line of it where that is known."""

    def __init__(self, path: Path, line: int | None, text: str) -> None:
        """Takes a text that ends in what to do."""
        super().__init__(path, line, text)
        self.path, self.line, self.text = path, line, text

    def __str__(self) -> str:
        return f"{self.path}{'' if self.line is None else f', line {self.line}'}: {self.text}"


class YamlText(NamedTuple):
    """A document and where its parts stand."""

    data: Any
    lines: Mapping[Place, int]


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Returns the line of a part, or of the nearest one around it; from 1."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def read_yaml(path: Path) -> YamlText:
    """Returns the document in a file; an empty file is an empty one.

    Raises `ConfigurationError` for a file that is missing, and `YamlError` for one that cannot be read, is no YAML,
    has a name twice, is too long or deep with its aliases written out, or has a value that JSON does not know.
    """
    import yaml

    try:
        is_of_run = (path.parent / RUN_FILE).exists()  # whoever names a pipe elsewhere writes into it
        text = read_regular(path).decode() if is_of_run else path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigurationError(f"There is no configuration {path}. Check the path, or leave it out.") from None
    except IsADirectoryError:
        raise YamlError(
            path, None, "this is a folder. Give the configuration in it, such as tournament.yaml."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise YamlError(path, None, f"it cannot be read: {error}. Give a text file in UTF-8.") from None
    lines: dict[Place, int] = {}
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        _collect(node, (), lines, path)
        data = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise YamlError(path, *_told(error)) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(path, None, f"it is not YAML: {' '.join(str(error).split())}. {_HINT}") from None
    document = YamlText({} if data is None else data, lines)
    _check_json(document.data, (), document, path)
    return document


def _is_text_as_written(node: Any, place: Place) -> bool:
    """Returns whether a value stands where a text is due, and YAML would make something else of it.

    `name: no` is no false there, and `seed: 010` and `1:30` are not 8 and 90.
    """
    if node.style is not None or node.tag in (_TEXT, _NOTHING):
        return False
    match place:
        case ("seed",):
            return not _PLAIN_NUMBER.fullmatch(node.value)
        case ("name",) | ("deals_from",) | ("focus" | "trace", int()) | ("bots", int()):
            return True
        case ("bots", int(), str(part), *_):
            return part not in _TYPED
    return False


def _told(error: MarkedYAMLError) -> tuple[int | None, str]:
    """Returns the line of an error of the parser, and the error as a sentence."""
    mark = error.problem_mark or error.context_mark
    where = "" if mark is None else f" (column {mark.column + 1})"
    what = error.problem or error.context or "it cannot be parsed"
    return None if mark is None else mark.line + 1, f"this is not YAML: {what}{where}. {_HINT}"


def _collect(node: Any, place: Place, lines: dict[Place, int], file: Path) -> None:
    """Notes the line of every part, and refuses a name given twice."""
    import yaml

    if node is None:
        return
    line = node.start_mark.line + 1
    if len(place) > DEEPEST:
        problem = f"parts lie more than {DEEPEST} deep in each other, or an alias is part of itself. Write it flatter."
        raise YamlError(file, line, problem)
    if len(lines) >= MOST_PARTS:
        raise YamlError(
            file, line, f"with its aliases written out the document has more than {MOST_PARTS} parts. Make it shorter."
        )
    lines.setdefault(place, line)
    if node.tag.removeprefix(_STANDARD) not in _PLAIN:
        tag = node.tag.replace(_STANDARD, "!!")
        raise YamlError(file, line, f"{tag} is a tag, and only plain values are read here. Take it out.")
    if isinstance(node, yaml.ScalarNode) and _is_text_as_written(node, place):
        node.tag = _TEXT
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, key.value if isinstance(key, yaml.ScalarNode) else str(key.start_mark.line))
            if inner in lines:
                problem = f'"{key.value}" stands here a second time (first in line {lines[inner]}). Take one out.'
                raise YamlError(file, key.start_mark.line + 1, problem)
            lines[inner] = key.start_mark.line + 1
            _collect(value, inner, lines, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _collect(value, (*place, index), lines, file)


def _check_json(value: Any, place: Place, document: YamlText, file: Path) -> None:
    """Refuses what JSON cannot say: dates, infinite numbers, halves of surrogate pairs, names that are no texts."""
    problem = _problem(value)
    if problem is not None:
        raise YamlError(file, line_of(place, document.lines), problem)
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                problem = f"expected a text as a name, found {key}. Write it in quotes."
                raise YamlError(file, line_of((*place, str(key)), document.lines), problem)
            _check_json(key, (*place, key), document, file)
            _check_json(item, (*place, key), document, file)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_json(item, (*place, index), document, file)


def _problem(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return f"expected a finite number, found {value}. Write one."
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        return f"expected a text, found {value!a}, which has half a surrogate pair. Write it without."
    if value is None or isinstance(value, str | int | float | dict | list):
        return None
    return f"expected a text, a number, a list or an object, found {value!a}. Write a text in quotes."


class ConfigurationSource(NamedTuple):
    """A configuration as it is written, and where it was read."""

    file: ConfigurationFile
    base: Path
    """Where its relative paths start."""

    path: Path | None
    """None: it was made from flags or by a program."""

    lines: Mapping[Place, int]
    """The line of every part, from 1."""


def read_configuration(path: Path) -> ConfigurationSource:
    """Returns the configuration in a file, the shape of everything in it checked.

    Raises `ConfigurationError` with the line, what was expected, what was found, and an example.
    """
    if path.suffix == ".py":
        command = f"tournament run --bots {format_place(path)} --game {examples.PLAYERS}"
        raise YamlError(path, None, f"this is Python, not YAML. A bot is given as `{command}`.")
    text = read_yaml(path)
    if text.data == {}:
        advice = f"Write what is played, such as {EXAMPLES['games']}; without a file four example bots play both games."
        raise YamlError(path, None, f"nothing is in it. {advice}")
    misfit = first_misfit(SCHEMA, _without_entries(text.data))
    if misfit is not None:
        raise YamlError(path, line_of(misfit.path, text.lines), explain_misfit(misfit, text.data))
    for name, value in text.data.items():
        if value is None:
            problem = f"{name} has no value. Write one, or take the line out. {example_of((name,))}"
            raise YamlError(path, line_of((name,), text.lines), problem)
    try:
        file = msgspec.convert(text.data, ConfigurationFile)
    except OverflowError as error:  # JSON Schema has no largest number
        raise YamlError(path, None, f"{error}. Write a smaller number.") from None
    return ConfigurationSource(file, path.parent, path, text.lines)


def _without_entries(data: Any) -> Any:
    """Returns a document whose entries of `bots` that are objects are empty: `entrants_from` says more of these."""
    if not isinstance(data, dict) or not isinstance(data.get("bots"), list):
        return data
    return {**data, "bots": [{} if isinstance(entry, dict) else entry for entry in data["bots"]]}


def default_source() -> ConfigurationSource:
    """Returns the configuration without a file: four entrants that play both games."""
    file = ConfigurationFile(games=DEFAULT_GAMES, bots=tuple(dict(bot) for bot in examples.DEFAULT_BOTS))
    return ConfigurationSource(file, data_folder("bots"), None, {})
