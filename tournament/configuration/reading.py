"""A configuration file as it is written, and the configuration without a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tournament.records.configuration import DEFAULT_BOTS, DEFAULT_GAMES, ConfigurationFile
from tournament.records.configuration_text import read_configuration_file
from tournament.records.paths import data_folder


class ConfigurationSource(NamedTuple):
    """A configuration as read, and where its relative paths start."""

    file: ConfigurationFile
    base: Path
    path: Path | None
    lines: Mapping[tuple[str | int, ...], int]


def read_configuration(path: Path) -> ConfigurationSource:
    """Returns a configuration file as it is written, its shape checked against the schema.

    Raises `ConfigurationError` with the line, what was expected and what was found.
    """
    file, text = read_configuration_file(path)
    return ConfigurationSource(file, path.parent, path, text.lines)


def default_source() -> ConfigurationSource:
    """Returns the configuration without a file: four entrants that play both games."""
    file = ConfigurationFile(games=DEFAULT_GAMES, bots=tuple(dict(bot) for bot in DEFAULT_BOTS))
    return ConfigurationSource(file, data_folder("bots"), None, {})
