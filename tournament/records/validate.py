"""Any file that this project writes, checked against its JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tournament.errors import ConfigurationError, RecordError
from tournament.records import events, model, run, standings
from tournament.records.read import COMPRESSED_FILE, RECORDS_FILE, RUN_FILE, read_lines
from tournament.records.results import RESULTS_FILE
from tournament.records.schema import first_misfit, record_schema_name, validator_for
from tournament.records.yaml_text import read_yaml

_SCHEMA_OF_FORMAT = {run.FORMAT: "run.v1", standings.FORMAT: "standings.v1", events.FORMAT: "event.v1"}
_SCHEMA_OF_FILE = {RESULTS_FILE: "result.v1"}
_YAML = (".yaml", ".yml")


class Problem(NamedTuple):
    """What does not fit in a file."""

    path: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        """Returns the problem as one line."""
        where = str(self.path) if self.line is None else f"{self.path}, line {self.line}"
        return f"{where}: {self.text}"


def validate_files(paths: Iterable[Path]) -> list[Problem]:
    """Returns what does not fit its schema in these files and run folders.

    Raises `RecordError` for a path that is neither, or that cannot be read.
    """
    return [problem for path in paths for file in _files(path) for problem in _problems(file)]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        known = (RUN_FILE, RECORDS_FILE, COMPRESSED_FILE, RESULTS_FILE, "standings.json", "tournament.yaml")
        found = [path / name for name in known if (path / name).is_file()]
        if not found:
            raise RecordError(f"{path} is no run: it has none of {', '.join(known)}. Give a run or a file.")
        return found
    if not path.is_file():
        raise RecordError(f"There is no file {path}. Give a run folder, a record, or a configuration.")
    return [path]


def _problems(path: Path) -> Iterator[Problem]:
    if path.suffix in _YAML:
        yield from _yaml_problems(path)
        return
    for line in read_lines(path):
        number = None if path.suffix == ".json" else line.number
        try:
            value = json.loads(line.data)
        except (ValueError, RecursionError) as error:
            yield Problem(path, number, f"no JSON: {error}")
            continue
        text = _misfit(value, _SCHEMA_OF_FILE.get(path.name) or _schema_of(value))
        if text is not None:
            yield Problem(path, number, text)


def _misfit(value: Any, schema: str | None) -> str | None:
    if schema is None:
        known = ", ".join((model.FORMAT, *_SCHEMA_OF_FORMAT))
        found = value.get("format") if isinstance(value, dict) else None
        return f"$.format: expected one of {known}, found {json.dumps(found)}."
    if validator_for(schema).is_valid(value):
        return None
    misfit = first_misfit(schema, value)
    return misfit.text if misfit is not None else f"it does not fit {schema}."


def _schema_of(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    kind = value.get("format")
    if kind == model.FORMAT:
        game = value.get("game")
        name = game.get("name") if isinstance(game, dict) else None
        return record_schema_name(name) if isinstance(name, str) else "record.v1"
    return _SCHEMA_OF_FORMAT.get(kind) if isinstance(kind, str) else None


def _yaml_problems(path: Path) -> Iterator[Problem]:
    try:
        document = read_yaml(path)
    except ConfigurationError as error:
        yield Problem(path, None, str(error))
        return
    misfit = first_misfit("configuration.v1", document.data)
    if misfit is not None:
        yield Problem(path, document.line_of(misfit.path), misfit.text)
