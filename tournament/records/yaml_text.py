"""YAML with the line of every part, so that a misfit can be pointed at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from tournament.errors import ConfigurationError

Place = tuple[str | int, ...]
"""The names and indices that lead to a part of a document."""

MOST_PARTS: Final = 100_000
"""With every alias written out."""

DEEPEST: Final = 50
"""So many parts lie in each other at most."""


class YamlText(NamedTuple):
    """A document and where its parts stand."""

    data: Any
    lines: Mapping[Place, int]

    def line_of(self, place: Place) -> int:
        """Returns the line of a part, or of the nearest one around it; from 1."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def read_yaml(path: Path) -> YamlText:
    """Returns the document in a file; an empty file is an empty one.

    Raises `ConfigurationError` for a file that cannot be read, is no YAML, has a name twice, is too long or deep with
    its aliases written out, or has a value that JSON has not.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigurationError(f"There is no configuration {path}. Check the path, or leave it out.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}. Give a text file in UTF-8.") from None
    lines: dict[Place, int] = {}
    try:
        _collect(yaml.compose(text, Loader=yaml.SafeLoader), (), lines, path)
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no YAML: {' '.join(str(error).split())}.") from None
    document = YamlText({} if data is None else data, lines)
    _check_json(document.data, (), document, path)
    return document


def _collect(node: Any, place: Place, lines: dict[Place, int], file: Path) -> None:
    """Notes the line of every part, and refuses a name given twice."""
    import yaml

    if node is None:
        return
    line = node.start_mark.line + 1
    if len(place) > DEEPEST:
        raise ConfigurationError(
            f"{file}, line {line}: parts lie more than {DEEPEST} deep in each other, or an alias is part of itself. "
            "Write it flatter."
        )
    if len(lines) >= MOST_PARTS:
        raise ConfigurationError(
            f"{file}, line {line}: with its aliases written out the document has more than {MOST_PARTS} parts. "
            "Make it shorter."
        )
    lines.setdefault(place, line)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, key.value if isinstance(key, yaml.ScalarNode) else str(key.start_mark.line))
            if inner in lines:
                raise ConfigurationError(
                    f'{file}, line {key.start_mark.line + 1}: "{key.value}" stands here a second time '
                    f"(first in line {lines[inner]}). Take one out."
                )
            lines[inner] = key.start_mark.line + 1
            _collect(value, inner, lines, file)
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _collect(value, (*place, index), lines, file)


def _check_json(value: Any, place: Place, document: YamlText, file: Path) -> None:
    """Refuses what JSON cannot say: dates, numbers that are not finite, halves of surrogate pairs, other names."""
    problem = _problem(value)
    if problem is not None:
        raise ConfigurationError(f"{file}, line {document.line_of(place)}: {problem}")
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ConfigurationError(
                    f"{file}, line {document.line_of((*place, str(key)))}: expected a text as a name, found {key}. "
                    "Write it in quotes."
                )
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
