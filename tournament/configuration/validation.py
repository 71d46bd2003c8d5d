"""Any file that this project writes, checked against its JSON Schema, and configurations for the bots they name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tournament.configuration.bot_file import NO_PROGRAM, entry_of, parse_bot_file
from tournament.configuration.bots import MissingBot, missing_bots
from tournament.configuration.checking import refusal_of
from tournament.configuration.file import ConfigurationSource, read_configuration, read_yaml
from tournament.configuration.moments import ORDER, disorder_of, moments_of
from tournament.configuration.rules import FieldError, clashes, group_games
from tournament.configuration.types import GameEntry
from tournament.errors import ConfigurationError, GameError, RecordError, RunError
from tournament.ids import NumberByGame
from tournament.plain_yaml import Place, YamlError, YamlText, line_of
from tournament.records.codec import decode_record
from tournament.records.misfits import first_misfit
from tournament.records.record import FORMAT
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, RESULTS_FILE, decode_result, shape_misfit
from tournament.records.schema import EARLIER, FORMATS, record_schema_name, validator_for, written_by_newer
from tournament.store import layout
from tournament.store.lines import PassedOver, RecordLine, read_lines
from tournament.store.results import ResultFitting

_SCHEMA_OF_FILE = {
    RESULTS_FILE: "result.v1",
    CLOCKS_FILE: "clock.v1",
    FAULTS_FILE: "trouble.v1",
    layout.VERSION_FILE: "version.v1",
    layout.ACTS_FILE: "act.v1",
    layout.LEADS_FILE: "lead.v1",
    layout.PACES_FILE: "paces.v1",
}


class Problem(NamedTuple):
    """What does not fit in a file."""

    path: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        where = str(self.path) if self.line is None else f"{self.path}, line {self.line}"
        return f"{where}: {self.text}"


def validate(*files: str | PathLike[str]) -> tuple[Problem, ...]:
    """Returns what does not fit in runs, records, configurations, and any other files of a run or an arena.

    Nothing if all is well. Files are checked against their schemas; a configuration also for what a run of it would
    refuse. Nothing is built or run. Raises `RecordError`, `RunError` or `ConfigurationError` for a file that is not
    there or cannot be read.
    """
    return tuple(validate_with_bots(map(Path, files)))


def validate_files(paths: Iterable[Path]) -> list[Problem]:
    """Returns what does not fit its schema in these files and run folders.

    Raises `RecordError`, `RunError` or `ConfigurationError` for one that is not there, or cannot be read.
    """
    return [problem for path in paths for file in _files(path) for problem in _problems(file)]


def validate_with_bots(paths: Iterable[Path]) -> list[Problem]:
    """Returns what does not fit its schema, and in configurations what is not there and what a run would refuse.

    Nothing is built or run, and this machine need not have the isolation that is asked for. The configuration of a run
    is valid where its bots are not. Raises what `validate_files` does.
    """
    problems: list[Problem] = []
    for path in paths:
        found = validate_files([path])
        problems += found
        if found or path.suffix not in layout.YAML_SUFFIXES or (path.parent / layout.RUN_FILE).is_file():
            continue
        if not _is_of_bot(path) and not _is_of_arena(path, _document(path)):
            source = read_configuration(path)
            missing = [Problem(path, _line_of(one, source.lines), one.text) for one in missing_bots(source)]
            problems += missing or list(_refusals(source, path))
    return problems


def _line_of(missing: MissingBot, lines: Mapping[Place, int]) -> int | None:
    return lines.get(("bots",) if missing.entry is None else ("bots", missing.entry))


def _refusals(source: ConfigurationSource, path: Path) -> Iterator[Problem]:
    error = refusal_of(source)
    if error is not None:
        field = error.field if isinstance(error, FieldError) else None
        yield Problem(path, None if field is None else line_of((field,), source.lines), str(error))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        known = (
            *(layout.RUN_FILE, layout.RECORDS_FILE, layout.COMPRESSED_FILE, RESULTS_FILE),
            *(CLOCKS_FILE, FAULTS_FILE, layout.STANDINGS_FILE, layout.CONFIGURATION_FILE),
        )
        found = [path / name for name in known if (path / name).is_file()]
        if not found:
            raise RunError(f"{path} is not a run: it has none of {', '.join(known)}. Give a run or a file.")
        return found
    if not path.exists() and path.suffix not in layout.YAML_SUFFIXES:
        raise layout.no_such_path(path, "Give a run folder, a record, or a configuration.")
    return [path]


def _problems(path: Path) -> Iterator[Problem]:
    if path.suffix in layout.YAML_SUFFIXES:
        yield from _yaml_problems(path)
        return
    if path.suffix == ".parquet":
        card = f"its data card, {path.name}.md beside it, says what is in it"
        yield Problem(path, None, f"a Parquet file has its schema in itself and cannot be validated; {card}.")
        return
    lines_of_ids = NumberByGame()
    fitting = ResultFitting(path.parent)
    passed = PassedOver()
    for line in read_lines(path, passed):
        number = line.number if line.is_line or line.number > 1 else None
        value, text = _read(line.data)
        schema = _SCHEMA_OF_FILE.get(path.name) or _schema_of(value)
        if text is None:
            text = _misfit(value, schema) or _unread(value, line)
        if text is None and path.name == RESULTS_FILE:
            text = _misfit_of_result(line, fitting)
        if text is not None:
            yield Problem(path, number, text)
        elif _is_record(value) or path.name == RESULTS_FILE:
            first = lines_of_ids.get(value["id"])
            if first is None:
                lines_of_ids[value["id"]] = line.number
            elif first != line.number:
                yield Problem(path, number, f"{value['id']} stands here a second time (first in line {first}).")
        if line.number == 1 and schema is None and (value is not None or line.data.lstrip()[:1] != b"{"):
            return  # it is another kind of file, and its other lines would only say so again
    for note in passed.notes():
        yield Problem(path, None, note.text)


def _read(data: bytes) -> tuple[Any, str | None]:
    """Returns the JSON value in a line, or why there is none."""
    try:
        return msgspec.json.decode(data), None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if data.lstrip()[:1] != b"{":
            return None, "this is not a JSON object. Give a run, a file of records, or a configuration (.yaml)."
        half = "; half a surrogate pair is no text" if b"\\ud" in data.lower() else ""
        return None, f"this is no JSON: {error}{half}."


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and value.get("format") == FORMAT


def _unread(value: Any, line: RecordLine) -> str | None:
    """Returns why a record that fits its schema cannot be read, or does not fit itself; None when all is well."""
    if not _is_record(value):
        return None
    try:
        record = decode_record(line.data)
    except RecordError as error:
        return str(error)
    named = (*record.result.forfeits, *(fault.seat for fault in record.faults))
    return shape_misfit(len(record.seats), scores=record.result.scores, places=record.result.places, named=named)


def _misfit_of_result(line: RecordLine, fitting: ResultFitting) -> str | None:
    try:
        return fitting.misfit(decode_result(line.data))
    except RecordError as error:
        return str(error)


def _misfit(value: Any, schema: str | None) -> str | None:
    if schema is None:
        known = ", ".join(FORMATS)
        found = value.get("format") if isinstance(value, dict) else None
        return f"$.format: expected one of {known}, found {json.dumps(found)}."
    if validator_for(schema).is_valid(value):
        return None
    if newer := written_by_newer(value):
        return newer
    misfit = first_misfit(schema, value)
    return misfit.text if misfit is not None else f"it does not fit {schema}."


def _schema_of(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    kind = value.get("format")
    if kind == FORMAT:
        game = value.get("game")
        name = game.get("name") if isinstance(game, dict) else None
        return record_schema_name(name) if isinstance(name, str) else "record.v1"
    if not isinstance(kind, str):
        return None
    version = value.get("version")
    earlier = EARLIER.get((kind, version)) if type(version) is int else None
    return earlier or FORMATS.get(kind, (0, None))[1]


def _document(path: Path) -> YamlText:
    return read_yaml(path, with_dates=True)


def _is_of_bot(path: Path) -> bool:
    """Returns whether a file is what an author says of a bot, by its name: in it may stand what configurations have."""
    return path.name == layout.BOT_FILE


def _problems_of_bot(path: Path) -> Iterator[Problem]:
    """Yields why an arena would refuse a `bot.yaml`. Raises `YamlError`."""
    if entry_of(path.parent, parse_bot_file(path)) is None:
        yield Problem(path, None, NO_PROGRAM)


def _has_settings(path: Path, document: YamlText) -> bool:
    """Returns whether a document is what a host set for an arena: it has that name, or says where people reach it."""
    return path.name == layout.ARENA_FILE or (isinstance(document.data, dict) and "address" in document.data)


def _has_rules(document: YamlText) -> bool:
    """Returns whether a document has the rules of a competition: they have a title, and configurations have none."""
    return isinstance(document.data, dict) and "title" in document.data


def _misfits(schema: str, path: Path, document: YamlText) -> Iterator[Problem]:
    misfit = first_misfit(schema, msgspec.to_builtins(document.data))  # dates become texts
    if misfit is not None:
        yield Problem(path, line_of(misfit.path, document.lines), misfit.text)


def _is_of_arena(path: Path, document: YamlText) -> bool:
    """Returns whether a document is one that hosts of an arena write, and no configuration."""
    return _has_settings(path, document) or _has_rules(document)


def _problems_of_rules(path: Path, document: YamlText) -> Iterator[Problem]:
    misfits = list(_misfits("competition.v1", path, document))
    if misfits:
        yield from misfits
        return
    try:
        group_games(msgspec.convert(document.data["games"], tuple[GameEntry, ...]))
    except (GameError, ConfigurationError) as error:
        yield Problem(path, line_of(("games",), document.lines), str(error))
    disorder = disorder_of(moments_of(document.data, ORDER))
    if disorder is not None:
        yield Problem(path, line_of((disorder.later,), document.lines), str(disorder))


def _yaml_problems(path: Path) -> Iterator[Problem]:
    try:
        if _is_of_bot(path):
            yield from _problems_of_bot(path)
            return
        document = _document(path)
        if _has_settings(path, document):
            yield from _misfits("arena.v1", path, read_yaml(path))  # which has no dates
            return
        if _has_rules(document):
            yield from _problems_of_rules(path, document)
            return
        source = read_configuration(path)
    except YamlError as error:
        yield Problem(path, error.line, error.text)
        return
    for clash in clashes(source.file):
        yield Problem(path, line_of((clash.field,), source.lines), str(clash))
    if (path.parent / layout.RUN_FILE).is_file():
        return  # what was played once is valid where its game is not installed
    try:
        group_games(source.file.games or ())
    except (GameError, ConfigurationError) as error:
        yield Problem(path, line_of(("games",), source.lines), str(error))
