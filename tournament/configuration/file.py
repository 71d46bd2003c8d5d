"""A configuration file read as it is written; what does not fit is told with its line and an example."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from tournament import examples
from tournament.configuration.text import YamlError, line_of, read_yaml
from tournament.configuration.types import DEFAULT_GAMES, ConfigurationFile
from tournament.paths import data_folder
from tournament.records.misfits import EXAMPLES, SCHEMA, Place, example_of, explain_misfit, first_misfit
from tournament.text import format_place


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
    misfit = first_misfit(SCHEMA, text.data)
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


def default_source() -> ConfigurationSource:
    """Returns the configuration without a file: four entrants that play both games."""
    file = ConfigurationFile(games=DEFAULT_GAMES, bots=tuple(dict(bot) for bot in examples.DEFAULT_BOTS))
    return ConfigurationSource(file, data_folder("bots"), None, {})
