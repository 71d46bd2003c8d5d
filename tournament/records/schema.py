"""JSON Schemas: made from the types, shipped in `schemas/`, used to validate everything written and read.

`jsonschema_rs` says in microseconds whether a value fits; `jsonschema` explains what does not, with its best match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from tournament.errors import GameError, RecordError, did_you_mean
from tournament.games import BUILT_IN, game_names, load_game
from tournament.paths import data_folder
from tournament.records.codec import canonical_bytes, codec_for
from tournament.version import __version__, parse_version

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

# By the name of its schema: where the type of a file is defined, so that none is imported before it is needed, and the
# title of the schema.
_TYPES: Final = {
    "run.v1": ("tournament.records.run:RunInfo", "What a run plays, with whom, and how far it is (run.json)"),
    "standings.v2": ("tournament.records.standings:Standings", "The ranking of a run (standings.json)"),
    "comparison-bots.v2": (
        "tournament.records.comparison:Comparison",
        "Two bots compared (`tournament compare RUN --bots A B --json`)",
    ),
    "comparison-runs.v2": (
        "tournament.records.comparison:RunComparison",
        "Two rankings compared (`tournament compare RUN RUN2 --json`)",
    ),
    "gate.v2": ("tournament.records.comparison:Gate", "Whether a new bot is let in (`tournament gate --json`)"),
    "configuration.v1": (
        "tournament.configuration.types:ConfigurationFile",
        "What a tournament plays (tournament.yaml)",
    ),
    "result.v1": (
        "tournament.records.results:ResultLine",
        "What a ranking needs of one game (a line of results.jsonl)",
    ),
    "clock.v1": ("tournament.records.machine:GameClock", "The time bots took in one game (a line of clocks.jsonl)"),
    "trouble.v1": ("tournament.records.machine:TroubleLine", "What befell a bot, in full (a line of faults.jsonl)"),
    "analysis.v1": (
        "tournament.records.analysis:Analysis",
        "What every decision of a game was worth (an --out file of `tournament analyse`)",
    ),
    "event.v1": ("tournament.records.events:AnyEvent", "What happens in a run (a line of an --events file)"),
    "protocol.v1": ("tournament.records.protocol:Message", "What a bot is sent and answers, a message a line"),
}

FORMATS: Final = {
    "tournament-record": (1, None),
    "tournament-run": (1, "run.v1"),
    "tournament-standings": (2, "standings.v2"),
    "tournament-comparison-bots": (2, "comparison-bots.v2"),
    "tournament-comparison-runs": (2, "comparison-runs.v2"),
    "tournament-gate": (2, "gate.v2"),
    "tournament-event": (1, "event.v1"),
    "tournament-analysis": (1, "analysis.v1"),
}
"""By format the newest version that is known here, and the name of its schema; records have one a game."""

EARLIER: Final = {
    ("tournament-standings", 1): "standings.v1",
    ("tournament-comparison-bots", 1): "comparison-bots.v1",
    ("tournament-comparison-runs", 1): "comparison-runs.v1",
    ("tournament-gate", 1): "gate.v1",
}
"""By format and version the schemas of files that earlier versions wrote: read from `schemas/` as they were, for they
have no types any more.
"""


def schema_names() -> tuple[str, ...]:
    """Returns the names of all schemas: `record.v1`, one a known game, and the other files."""
    games = tuple(f"record-{game}.v1" for game in game_names())
    return ("record.v1", *games, *_TYPES, *EARLIER.values())


def make_schema(name: str) -> dict[str, Any]:
    """Returns the schema of that name, made from the types. Raises `RecordError` for an unknown name."""
    if name == "record.v1":
        kind, title = codec_for("").record_type, "One finished game of any game"
    elif match := re.fullmatch(r"record-(.+)\.v1", name):
        try:
            game = load_game(match[1])
        except GameError as error:
            raise RecordError(str(error)) from None
        kind, title = codec_for(game.name).record_type, f"One finished game of {game.title}"
    elif name in _TYPES:
        place, title = _TYPES[name]
        kind = resolve_name(place)
    else:
        known = schema_names()
        raise RecordError(f'There is no schema "{name}".{did_you_mean(name, known)} There are: {", ".join(known)}.')
    return _polished(name, title, msgspec.json.schema(kind, ref_template="#/$defs/{name}"))


def _polished(name: str, title: str, schema: dict[str, Any]) -> dict[str, Any]:
    definitions: dict[str, Any] = schema.pop("$defs", {})
    names = {long: re.sub(r"^(Record|GameInfo|Result|ActionAnswer|Act)_.*", r"\1", long) for long in definitions}
    polished = {names[long]: _with_short_names(value, names) for long, value in definitions.items()}
    if "$ref" in schema:
        top = polished.pop(names[schema["$ref"].removeprefix("#/$defs/")])
    else:  # one of several
        top = _with_short_names(schema, names)
    if "moves" in top.get("properties", ()):
        # A record in memory has none before it is sealed; a record in a file always has one.
        top["required"].append("digest")
        top["properties"]["digest"] = top["properties"]["digest"]["anyOf"][0]
    return {
        "$schema": DRAFT,
        "$id": f"urn:tournament:schema:{name}",
        **top,
        "title": title,
        "$defs": dict(sorted(polished.items())),
    }


def _with_short_names(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_with_short_names(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"#/$defs/{names[item.removeprefix('#/$defs/')]}" if key == "$ref" else _with_short_names(item, names)
        for key, item in value.items()
        if key != "discriminator"  # of OpenAPI, not of JSON Schema
    }


def format_schema(schema: dict[str, Any]) -> str:
    """Returns a schema as the text of its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Returns the schema of that name from `schemas/`; of a game from elsewhere, made from its types.

    Raises `RecordError` for an unknown name.
    """
    path: Path = data_folder("schemas") / f"{name}.json"
    if not path.is_file():
        return make_schema(name)
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


@cache
def validator_for(name: str) -> Draft202012Validator:
    """Returns the fast validator of a schema, which does not explain."""
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(load_schema(name))


@cache
def record_schema_name(game: str) -> str:
    """Returns the name of the schema of a game's records; the general one for a game that is not known."""
    return f"record-{game}.v1" if game in game_names() else "record.v1"


def check_valid(name: str, value: Any, where: str) -> None:
    """Raises `RecordError` when a value does not fit a schema: where, JSON path, expected and found."""
    if not validator_for(name).is_valid(value):
        raise RecordError(f"{where}: {explain(name, json.loads(canonical_bytes(value)))}")


Place = tuple[str | int, ...]
"""The names and indices that lead to a part of a document."""


class Misfit(NamedTuple):
    """The part of a value that fits a schema least."""

    path: Place
    json_path: str
    """Where it is; behind it the word that says what form of several was meant, such as `(do: draw)`."""

    text: str
    """Path, expected and found, as a sentence."""

    expected: str
    found: str
    keyword: str
    """Of the schema: which rule is broken."""


def first_misfit(name: str, value: Any) -> Misfit | None:
    """Returns the part of a value that fits a schema least, or None when all of it fits. Takes milliseconds."""
    from jsonschema.exceptions import relevance

    errors = list(_explainer(name).iter_errors(value))
    if not errors:
        return None
    error = max(_telling(errors), key=relevance)
    kind = ""
    while error.validator == "anyOf":
        other_words, forms = _forms_of_its_kind(error)
        if other_words and not forms:
            return _other_kind(error, other_words)
        if not forms:
            break
        if other_words:
            tag = other_words[0].absolute_path[-1]
            kind = f" ({tag}: {_shortened(str(error.instance[tag]))})"
        error = min(_telling(forms), key=relevance)
    path = tuple(error.absolute_path)
    where = f"{error.json_path}{kind}"
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        extra = next(key for key in error.instance if key not in known)
        text = f'"{extra}" is not known here.{did_you_mean(str(extra), known)} Known names: {", ".join(known)}.'
        if kind:
            text = f"{where}: {text}"
        return Misfit((*path, extra), where, text, f"only {', '.join(known)}", f'"{extra}"', error.validator)
    expected, found = _expected(error.validator, error.validator_value), _found(error)
    text = f"{where}: expected {expected}, found {found}."
    return Misfit(path, where, text, expected, found, str(error.validator))


def _forms_of_its_kind(error: Any) -> tuple[list[Any], list[Any]]:
    """Returns the errors of a value that may have one of several forms, in two lists.

    The first has an error for each form whose word, such as `do`, is another one than that of the value; the second
    has the errors of the other forms. Null, for a part that may be left out, is no form.
    """
    other_words = [
        each
        for each in error.context
        if each.validator == "enum" and len(each.validator_value) == 1 and len(each.relative_path) == 1
    ]
    others = {each.relative_schema_path[0] for each in other_words}
    left = [each for each in error.context if each.relative_schema_path[0] not in others]
    forms = [each for each in left if each.validator != "type" or each.relative_path]
    return other_words, forms if other_words else _lacking_the_word(forms) or forms


def _lacking_the_word(forms: list[Any]) -> list[Any]:
    """Returns the errors of a value that lacks a name of every form: they say most."""
    required = [each for each in forms if each.validator == "required" and not each.relative_path]
    missing = {each.relative_schema_path[0]: set(each.validator_value).difference(each.instance) for each in required}
    is_lacking = len(missing) > 1 and missing.keys() == {each.relative_schema_path[0] for each in forms}
    return required if is_lacking and set.intersection(*missing.values()) else []


def _other_kind(error: Any, other_words: list[Any]) -> Misfit:
    """Returns the misfit of a value whose word names none of the forms it may have."""
    tag = other_words[0].absolute_path[-1]
    expected = f"one of {', '.join(each.validator_value[0] for each in other_words)}"
    found = _shortened(json.dumps(error.instance[tag], ensure_ascii=False))
    where = f"{error.json_path}.{tag}"
    return Misfit(
        (*error.absolute_path, tag), where, f"{where}: expected {expected}, found {found}.", expected, found, "enum"
    )


@cache
def _explainer(name: str) -> Any:
    """Returns the explaining validator of a schema; like the types that read files, it takes 1.0 for no integer."""
    from jsonschema import Draft202012Validator, validators

    extend: Callable[..., Any] = validators.extend  # its stubs have no types
    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    return extend(Draft202012Validator, type_checker=checker)(load_schema(name))


def _telling(errors: list[Any]) -> list[Any]:
    """Returns the errors about unknown names alone where there are any: a misspelt name is also a missing one."""
    return [error for error in errors if error.validator == "additionalProperties"] or errors


def explain(name: str, value: Any) -> str:
    """Returns what fits a schema least as a sentence: JSON path, expected and found. Takes milliseconds."""
    misfit = first_misfit(name, value)
    return "it fits the schema" if misfit is None else misfit.text


def _expected(keyword: Any, wanted: Any) -> str:
    words = {
        "type": "a value of type {}",
        "enum": "one of {}",
        "const": "{}",
        "pattern": "a text like {}",
        "minimum": "at least {}",
        "maximum": "at most {}",
        "minItems": "at least {} items",
        "maxItems": "at most {} items",
        "minLength": "at least {} characters",
        "maxLength": "at most {} characters",
        "required": "all of {}",
    }
    if keyword == "anyOf":
        forms = [form.get("type") or form.get("$ref", "").rpartition("/")[2] or "another form" for form in wanted]
        return "a value of type " + " or ".join(form for form in forms if form != "null")
    shown = ", ".join(map(str, wanted)) if isinstance(wanted, list) else str(wanted)
    return words.get(str(keyword), f"{keyword} {{}}").format(_shortened(shown))


def _found(error: Any) -> str:
    if error.validator == "required":
        return ", ".join(map(str, error.instance)) or "none"
    return _shortened(json.dumps(error.instance, ensure_ascii=False))


def _shortened(text: str, limit: int = 120) -> str:
    return text if len(text) <= limit else f"{text[:limit]}..."


def shipped_schemas() -> Iterator[tuple[str, str]]:
    """Yields the name and the text of every schema that belongs in `schemas/`."""
    for name in ("record.v1", *(f"record-{game}.v1" for game in BUILT_IN), *_TYPES):
        yield name, format_schema(make_schema(name))


class _Continued(Struct, frozen=True):
    versions: dict[str, str] = {}


class _Writers(Struct, frozen=True):
    """What a file of any version says about its writers."""

    format: str
    version: int = 0
    versions: dict[str, str] = {}
    continued: tuple[_Continued, ...] = ()


def written_by_newer(value: Any) -> str | None:
    """Returns which newer tournament wrote a file and what to do, as sentences; None when no newer one did.

    `value` is the JSON value or the bytes of a file that no version known here can read.
    """
    try:
        if isinstance(value, bytes):
            writers = msgspec.json.decode(value, type=_Writers)
        else:
            writers = msgspec.convert(value, type=_Writers)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if writers.format not in FORMATS:
        return None
    known, _ = FORMATS[writers.format]
    played = (writers.versions, *(one.versions for one in writers.continued))
    newest = max((versions.get("tournament", "") for versions in played), key=parse_version)
    is_newer_format = writers.version > known
    if not is_newer_format and parse_version(newest) <= parse_version(__version__):
        return None
    who = f"tournament {newest}" if parse_version(newest) > parse_version(__version__) else "a newer tournament"
    what = (
        f": it is version {writers.version} of {writers.format}, and {known} is known here" if is_newer_format else ""
    )
    return (
        f"{who[0].upper()}{who[1:]} wrote this, and this is tournament {__version__}{what}. "
        f"Use {who} or a later one for it."
    )


if __name__ == "__main__":
    import sys

    for schema_name, schema_text in shipped_schemas():
        Path(sys.argv[1], f"{schema_name}.json").write_text(schema_text, encoding="utf-8")
