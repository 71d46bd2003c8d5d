"""Files checked against their schemas, and configurations for the bots that they name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tournament.configuration import read_configuration
from tournament.configuration.missing import missing_bots
from tournament.records.read import RUN_FILE
from tournament.records.validate import Problem, validate_files


def validate_with_bots(paths: Iterable[Path]) -> list[Problem]:
    """Returns what does not fit its schema, and which programs and files of bots are not there.

    Nothing is built or run. The configuration of a run is valid where its bots are not. Raises what `validate_files`
    does.
    """
    problems: list[Problem] = []
    for path in paths:
        found = validate_files([path])
        problems += found
        if path.suffix in (".yaml", ".yml") and not found and not (path.parent / RUN_FILE).is_file():
            source = read_configuration(path)
            for missing in missing_bots(source):
                place = ("bots",) if missing.entry is None else ("bots", missing.entry)
                problems.append(Problem(path, source.lines.get(place), missing.text))
    return problems
