"""What does not fit the schema of a configuration, told in words, each with an example of what does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, Final

import msgspec

from tournament import examples
from tournament.errors import did_you_mean
from tournament.records.schema import Misfit, Place, first_misfit, load_schema
from tournament.records.settings import Limits, TimeControl

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
        return f"this is no configuration: expected names with values, found {misfit.found}. {example}"
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
    """Returns the field that a name belongs in; None where there is none."""
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
