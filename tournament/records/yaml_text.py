"""YAML with the line of every part, so that a misfit can be pointed at."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tournament.errors import ConfigurationError

Place = tuple[str | int, ...]
"""The names and indices that lead to a part of a document."""


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

    Raises `ConfigurationError` for a file that cannot be read, is no YAML, or has a name twice.
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
    return YamlText({} if data is None else data, lines)


def _collect(node: Any, place: Place, lines: dict[Place, int], file: Path) -> None:
    """Notes the line of every part, and refuses a name given twice."""
    import yaml

    if node is None:
        return
    lines.setdefault(place, node.start_mark.line + 1)
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
