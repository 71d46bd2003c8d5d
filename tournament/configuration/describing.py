"""What the types say about a configuration, put into its schema: editors show it while a person writes."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

import msgspec

from tournament.configuration.types import BotEntry, BotFile, Budget, ConfigurationFile, GameEntry, UntilWithBounds
from tournament.records.run import Bounds, Format, Until
from tournament.records.settings import ClockEntry, Isolation, LimitsEntry, WithdrawalEntry

_TYPES: Final = {
    kind.__name__: kind
    for kind in (
        *(BotEntry, Bounds, Budget, ClockEntry, ConfigurationFile, Format, GameEntry, Isolation, LimitsEntry, Until),
        *(UntilWithBounds, WithdrawalEntry),
    )
}


@cache
def _classes_of(module: str) -> dict[str, ast.ClassDef]:
    """Returns the definitions of the classes of a module, by qualified name; none where there is no source.

    `inspect.getsource` of a class would read the whole module for each of them.
    """
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    found: dict[str, ast.ClassDef] = {}

    def add(body: Sequence[ast.stmt], prefix: str) -> None:
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                found[prefix + statement.name] = statement
                add(statement.body, f"{prefix}{statement.name}.")

    add(tree.body, "")
    return found


@cache
def docstrings_of(kind: Any) -> dict[str, str]:
    """Returns by name the docstring below each field or member of a class, base classes included.

    Python does not keep them, so they are read from the source.
    """
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        definition = _classes_of(base.__module__).get(base.__qualname__)
        if definition is None:  # a class written in C, or created at run time
            continue
        for statement, below in pairwise(definition.body):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                targets = (
                    [statement.target] if isinstance(statement, ast.AnnAssign) else getattr(statement, "targets", [])
                )
                if targets and isinstance(targets[0], ast.Name):
                    found[targets[0].id] = str(below.value.value)
    return found


def option_meanings(options: type) -> dict[str, str]:
    """Returns by name what each option of a game means, in English and in one line, as its docstring says."""
    return {
        name: inspect.cleandoc(text).replace("None", "null").replace("\n", " ")
        for name, text in docstrings_of(options).items()
    }


def described(schema: dict[str, Any], games: Collection[str]) -> dict[str, Any]:
    """Returns the schema of a configuration with descriptions, and with entries of `bots` in full.

    In an entry each of `games` may have a bot of its own.
    """
    entry = msgspec.json.schema(BotEntry)["$defs"]["BotEntry"]
    entry = {key: value for key, value in entry.items() if key != "required"}
    for game in games:
        entry["properties"][game] = {"type": "string", "description": f"The bot for {game}."}
    definitions = {**schema["$defs"], "BotEntry": entry}
    properties = {**schema["properties"]}
    bots = properties["bots"]["anyOf"][0]
    items = [{"$ref": "#/$defs/BotEntry"} if form == {"type": "object"} else form for form in bots["items"]["anyOf"]]
    properties["bots"] = {**properties["bots"], "anyOf": [{**bots, "items": {"anyOf": items}}, {"type": "null"}]}
    named = definitions["GameEntry"]["properties"]
    named = {**named, "game": {**named["game"], "examples": list(games)}}
    definitions["GameEntry"] = {**definitions["GameEntry"], "properties": named}
    whole = {**schema, "properties": described_fields(ConfigurationFile, properties)}
    return {**whole, "$defs": {name: described_type(_TYPES[name], definitions[name]) for name in sorted(definitions)}}


def described_bot(schema: dict[str, Any], games: Collection[str]) -> dict[str, Any]:
    """Returns the schema of `bot.yaml` with descriptions, and the names of games."""
    listed, nothing = schema["properties"]["games"]["anyOf"]
    listed = {**listed, "items": {**listed["items"], "examples": list(games)}}
    properties = {**schema["properties"], "games": {**schema["properties"]["games"], "anyOf": [listed, nothing]}}
    return {**schema, "properties": described_fields(BotFile, properties)}


def described_type(kind: Any, form: dict[str, Any]) -> dict[str, Any]:
    """Returns the definition of a type in a schema with what its docstrings say."""
    if "enum" in form:
        return {**form, "description": _format_words(kind, form)}
    return {**form, "properties": described_fields(kind, form["properties"])}


def described_fields(kind: Any, properties: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields of a type in a schema, each with what its docstring says.

    The description of a pattern is what errors expect in its place, and so the docstring stands around it.
    """
    words = docstrings_of(kind)
    return {
        field: {**({"anyOf": [form]} if "pattern" in form else form), "description": " ".join(words[field].split())}
        if field in words
        else form
        for field, form in properties.items()
    }


def _format_words(kind: Any, form: dict[str, Any]) -> str:
    """Returns what an enumeration is, and what each of its words means, a line each."""
    words = docstrings_of(kind)
    lines = [f"{member.value}: {' '.join(words[member.name].split())}" for member in kind if member.name in words]
    return "\n".join([form.get("description") or inspect.cleandoc(kind.__doc__ or ""), *lines])
