"""A configuration file read as it is written: YAML with the line of every part.

What does not fit is told with its line and an example.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tournament import examples
from tournament.configuration.types import DEFAULT_GAMES, ConfigurationFile
from tournament.errors import ConfigurationError
from tournament.paths import data_folder
from tournament.plain_yaml import (
    NOTHING_TAG,
    TEXT_TAG,
    Place,
    YamlError,
    YamlRules,
    YamlText,
    line_of,
    parse_plain_yaml,
    read_plain_yaml,
    unreadable,
)
from tournament.records.misfits import EXAMPLES, SCHEMA, example_of, explain_misfit, first_misfit
from tournament.store.files import read_regular
from tournament.store.layout import RUN_FILE
from tournament.text import composed, format_place

_PLAIN_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,17}")
_TYPED: Final = frozenset({"params", "clock", "limits", "players"})
"""Parts of an entrant whose values are no texts."""


def read_yaml(path: Path, *, with_dates: bool = False) -> YamlText:
    """Returns the document in a file; an empty file is an empty one.

    `with_dates` lets it have dates and times, which are refused else, as JSON does not know them.

    Raises `ConfigurationError` for a file that is missing, and `YamlError` for one that cannot be read, is no YAML,
    has a name twice, is too long or deep with its aliases written out, or has a value that JSON does not know.
    """
    rules = YamlRules(with_dates=with_dates, is_text=_is_text_as_written)
    try:
        if not (path.parent / RUN_FILE).exists():
            return read_plain_yaml(path, rules)
        # Whoever names a pipe elsewhere writes into it. What was begun with is played on.
        return parse_plain_yaml(read_regular(path), path, rules._replace(with_odd_numbers=True))
    except FileNotFoundError:
        raise ConfigurationError(f"There is no configuration {path}. Check the path, or leave it out.") from None
    except IsADirectoryError:
        raise YamlError(
            path, None, "this is a folder. Give the configuration in it, such as tournament.yaml."
        ) from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def _is_text_as_written(node: Any, place: Place) -> bool:
    """Returns whether a value stands where a text is due, and YAML would make something else of it.

    `name: no` is no false there, and `seed: 010` and `1:30` are not 8 and 90.
    """
    if node.style is not None or node.tag in (TEXT_TAG, NOTHING_TAG):
        return False
    match place:
        case ("seed",):
            return not _PLAIN_NUMBER.fullmatch(node.value)
        case ("name",) | ("deals_from",) | ("focus" | "trace", int()) | ("bots", int()):
            return True
        case ("bots", int(), str(part), *_):
            return part not in _TYPED
    return False


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
    return ConfigurationSource(_with_composed_names(file), path.parent, path, text.lines)


def _with_composed_names(file: ConfigurationFile) -> ConfigurationFile:
    """Returns a configuration in which entrants are named as a run names them."""
    return msgspec.structs.replace(
        file,
        bots=None if file.bots is None else tuple(map(_with_composed_name, file.bots)),
        focus=None if file.focus is None else tuple(map(composed, file.focus)),
        trace=None if file.trace is None else tuple(map(composed, file.trace)),
    )


def _with_composed_name(entry: Any) -> Any:
    if isinstance(entry, dict) and isinstance(entry.get("name"), str):
        return {**entry, "name": composed(entry["name"])}
    return entry


def _without_entries(data: Any) -> Any:
    """Returns a document whose entries of `bots` that are objects are empty: `entrants_from` says more of these."""
    if not isinstance(data, dict) or not isinstance(data.get("bots"), list):
        return data
    return {**data, "bots": [{} if isinstance(entry, dict) else entry for entry in data["bots"]]}


def default_source() -> ConfigurationSource:
    """Returns the configuration without a file: four entrants that play both games."""
    file = ConfigurationFile(games=DEFAULT_GAMES, bots=tuple(dict(bot) for bot in examples.DEFAULT_BOTS))
    return ConfigurationSource(file, data_folder("bots"), None, {})
