"""What does not fit a schema, told in words; of a configuration with its place and a valid example.

`jsonschema_rs` says in microseconds whether a value fits; `jsonschema` explains what does not, with its best match.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, reduce
from typing import Any, Final, NamedTuple

import msgspec

from tournament import examples
from tournament.errors import RecordError, did_you_mean
from tournament.plain_yaml import Place
from tournament.records.codec import Sealed, canonical_bytes
from tournament.records.schema import load_schema, record_schema_name, sealed_validator_for, validator_for
from tournament.records.settings import Limits, TimeControl
from tournament.text import shortened


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
            kind = f" ({tag}: {shortened(str(error.instance[tag]))})"
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
    expected, found = _expected(error), _found(error)
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
    found = shortened(json.dumps(error.instance[tag], ensure_ascii=False))
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


def _expected(error: Any) -> str:
    keyword, wanted = error.validator, error.validator_value
    if keyword == "pattern" and "description" in error.schema:
        return str(error.schema["description"])
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
    return words.get(str(keyword), f"{keyword} {{}}").format(shortened(shown))


def _found(error: Any) -> str:
    if error.validator == "required":
        return ", ".join(map(str, error.instance)) or "none"
    return shortened(json.dumps(error.instance, ensure_ascii=False))


def check_valid(name: str, value: Any, where: str) -> None:
    """Raises `RecordError` when a value does not fit a schema: where, JSON path, expected and found."""
    if not validator_for(name).is_valid(value):
        misfit = first_misfit(name, json.loads(canonical_bytes(value)))
        raise RecordError(f"{where}: {'it fits the schema' if misfit is None else misfit.text}")


def check_sealed(sealed: Sealed) -> None:
    """Does what `check_valid` does for a sealed record, and sooner; where: its id."""
    record = sealed.record
    if not sealed_validator_for(record.game.name).is_valid(sealed):
        check_valid(record_schema_name(record.game.name), msgspec.to_builtins(record), record.id)


# Of a configuration

SCHEMA: Final = "configuration.v1"

EXAMPLES: Final[dict[str, str]] = {
    "name": "name: open-2026",
    "seed": "seed: 20261130",
    "deals_from": "deals_from: seeds/open.yaml",
    **examples.CONFIGURATION,
    "schedule": "schedule: round-robin",
    "focus": "focus: [keeper]",
    "budget": "budget: {deals: 20}",
    "budget.games": "budget: {games: 5000}",
    "budget.minutes": "budget: {minutes: 30}",
    "until": "until: decided",
    "until.sprt": "until: {sprt: {low: 0, high: 0.05}}",
    "withdraw": "withdraw: {starts: 2, games: 3, share: 1 %}",
    "isolation": "isolation: process",
    "allow_mixed": "allow_mixed: true",
    "clock": "clock: {move_ms: 500}",
    **{f"clock.{name}": f"clock: {{{name}: {value}}}" for name, value in msgspec.to_builtins(TimeControl()).items()},
    "limits": "limits: {memory_mb: 1024}",
    **{f"limits.{name}": f"limits: {{{name}: {value}}}" for name, value in msgspec.to_builtins(Limits()).items()},
    "trace": "trace: [keeper]",
    "workers": "workers: auto",
    "keep": "keep: sample:1%",
    "compress": "compress: true",
}
"""A valid line of YAML for every field; a field that is not listed has the example of the field around it."""


_KINDS: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


_HOMES: Final = {"budget": "Budget", "games": "GameEntry", "clock": "ClockEntry", "limits": "LimitsEntry"}
"""Fields with names in them that are often written beside the field, and the types of these fields in the schema."""


def explain_field(name: str, value: Any) -> str | None:
    """Returns what is wrong with the value of one field, in words; None when it fits. Takes milliseconds."""
    data = {name: value}
    misfit = first_misfit(SCHEMA, data)
    return None if misfit is None else explain_misfit(misfit, data)


def explain_misfit(misfit: Misfit, data: Any) -> str:
    """Returns a misfit of a configuration, whose value is `data`, as a sentence with an example."""
    example = example_of(misfit.path)
    if misfit.keyword == "additionalProperties":
        home = _home_of(misfit.path[0]) if len(misfit.path) == 1 else None
        return misfit.text if home is None else f"{misfit.path[0]} stands in {home}, not here. {example_of((home,))}"
    if not misfit.path:
        return f"this is not a configuration: expected names with values, found {misfit.found}. {example}"
    where = _named(misfit.path)
    if misfit.keyword == "required":
        return f"{where}: expected {misfit.expected}, found {misfit.found}. {example}"
    value = reduce(lambda inner, part: inner[part], misfit.path, data)
    if misfit.keyword == "pattern" and not isinstance(value, str):  # of the names in it
        return f"{where}: expected names in small letters, found {misfit.found}. {example}"
    forms = list(_forms(load_schema(SCHEMA), misfit.path))
    choices = [str(word) for form in forms for word in form.get("enum", ())]
    near = did_you_mean(value, choices) if isinstance(value, str) else ""
    expected = " or ".join(_in_words(form, value) for form in forms)
    return f"{where}: expected {expected}, found {misfit.found}.{near} {example}"


def _home_of(name: str | int) -> str | None:
    types = load_schema(SCHEMA)["$defs"]
    return next((field for field, kind in _HOMES.items() if name in types[kind]["properties"]), None)


def _named(place: Place) -> str:
    """Returns `games, entry 1, players` for a place; entries of lists count from 1."""
    return ", ".join(f"entry {part + 1}" if isinstance(part, int) else part for part in place)


def example_of(place: Place) -> str:
    """Returns `For example: ` and a valid line for a place of a configuration; an empty text where there is none."""
    names = [part for part in place if isinstance(part, str)]
    line = EXAMPLES.get(".".join(names[:2])) or EXAMPLES.get(names[0] if names else "games")
    return "" if line is None else f"For example: {line}"


def _forms(schema: dict[str, Any], place: Place) -> Iterator[dict[str, Any]]:
    """Yields the forms that a schema allows at a place, null left out."""
    forms = list(_resolved(schema, schema))
    for part in place:
        inner: list[dict[str, Any]] = []
        for form in forms:
            if isinstance(part, int):
                child = form.get("items")
            else:
                child = form.get("properties", {}).get(part, form.get("additionalProperties"))
            if isinstance(child, dict):
                inner += _resolved(child, schema)
        forms = inner
    yield from forms


def _resolved(form: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "anyOf" in form:
        for each in form["anyOf"]:
            yield from _resolved(each, schema)
    elif "$ref" in form:
        yield schema["$defs"][form["$ref"].rpartition("/")[2]]
    elif form.get("type") != "null":
        yield form


def _in_words(form: dict[str, Any], value: Any) -> str:
    """Returns a form of a schema in plain words, for the person who wrote this value."""
    if "enum" in form:
        choices = ", ".join(map(str, form["enum"]))
        return choices if len(form["enum"]) == 1 else f"one of {choices}"
    if "pattern" in form:
        return str(form.get("description", "a name in small letters"))
    bound = ""
    if "minimum" in form:
        bound = f" from {form['minimum']}" + (f" to {form['maximum']}" if "maximum" in form else "")
    elif "exclusiveMinimum" in form:
        bound = f" over {form['exclusiveMinimum']}"
    elif "minItems" in form and value == []:
        bound = " with something in it"
    elif "maxLength" in form:
        bound = f" of 1 to {form['maxLength']} characters"
    elif "properties" in form:
        bound = f" with some of {', '.join(form['properties'])}"
    return _KINDS[form["type"]] + bound
