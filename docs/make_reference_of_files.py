"""The pages of the reference about files and messages: made from `schemas/` and the types behind them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import yaml
from markdown_parts import table

from tournament.configuration.describing import docstrings_of
from tournament.games import load_game
from tournament.records.codec import codec_for
from tournament.records.schema import load_schema

FIELDS = Path(__file__).parent / "fields.yaml"

PAGES = {
    "configuration.md": ("Configuration", ["configuration.v1"]),
    "record.md": ("Record", ["record-scout.v1", "record-explorers.v1"]),
    "run.md": ("Run folder", ["run.v1", "result.v1", "clock.v1", "trouble.v1", "event.v1"]),
    "standings.md": ("Standings", ["standings.v2"]),
    "comparison.md": ("Comparison", ["comparison-bots.v2", "comparison-runs.v2", "gate.v2"]),
    "analysis.md": ("Analysis", ["analysis.v1"]),
    "messages.md": ("Messages of protocol 1", ["protocol.v1"]),
    "arena.md": (
        "Files of an arena",
        [
            "competition.v1",
            "arena.v1",
            "bot.v1",
            "version.v1",
            "round.v1",
            "ladder.v1",
            "act.v1",
            "lead.v1",
            "paces.v1",
        ],
    ),
    "views.md": ("Views", ["view-scout", "view-explorers"]),
}
"""By file: its title, and the schemas it explains."""

ROOTS = {
    "configuration.v1": "tournament.configuration.types:ConfigurationFile",
    "run.v1": "tournament.records.run:RunInfo",
    "result.v1": "tournament.records.results:ResultLine",
    "clock.v1": "tournament.records.results:GameClock",
    "trouble.v1": "tournament.records.results:TroubleLine",
    "event.v1": "tournament.records.results:AnyEvent",
    "standings.v2": "tournament.records.standings:Standings",
    "comparison-bots.v2": "tournament.records.comparison:Comparison",
    "comparison-runs.v2": "tournament.records.comparison:RunComparison",
    "gate.v2": "tournament.records.comparison:Gate",
    "analysis.v1": "tournament.records.analysis:Analysis",
    "protocol.v1": "tournament.records.protocol:Message",
    "competition.v1": "tournament.arena.files:CompetitionFile",
    "bot.v1": "tournament.configuration.types:BotFile",
    "arena.v1": "tournament.arena.operating.settings_file:ArenaFile",
    "version.v1": "tournament.arena.files:VersionFile",
    "round.v1": "tournament.arena.files:RoundFile",
    "ladder.v1": "tournament.arena.ladder_file:LadderFile",
    "act.v1": "tournament.arena.files:HostAct",
    "lead.v1": "tournament.arena.season.leads:LeadChange",
    "paces.v1": "tournament.arena.scheduling.paces:PacesFile",
}

MOST_WORDS = 12
"""A longer list of possible values is counted instead of shown."""


def make_file_pages() -> dict[str, str]:
    """Returns the pages by file name. Raises `KeyError` naming the fields that nobody has explained."""
    words = yaml.safe_load(FIELDS.read_text(encoding="utf-8"))
    return {file: _page(file, title, schemas, words) for file, (title, schemas) in PAGES.items()}


def _page(file: str, title: str, schemas: list[str], words: dict[str, Any]) -> str:
    parts = [f"# {title}", words["pages"][file].strip()]
    seen: dict[str, str] = {}
    for name in schemas:
        schema = _schema(name)
        kinds = _types_of(name)
        own = {key: value for key, value in schema["$defs"].items() if seen.get(key) != json.dumps(value)}
        # A definition that is another one in a schema before gets a heading of its own.
        section = Section(kinds, words, {key: f"{key} of {_short(name)}" for key in own if key in seen})
        heading = f"## {schema['title']}"
        if "properties" in schema:
            parts += [heading, schema.get("description", ""), section.table_of(next(iter(kinds)), schema)]
        else:
            parts += [heading, "One of these, told apart by its first field:"]
            parts.append("\n".join(f"- {section.kind(form)}" for form in schema["anyOf"]))
        parts += [section.definition(key, value) for key, value in own.items()]
        seen |= {key: json.dumps(value) for key, value in own.items()}
        if section.missing:
            raise KeyError(f"docs/fields.yaml explains nowhere: {', '.join(section.missing)}")
    return "\n\n".join(part for part in parts if part)


def _short(schema: str) -> str:
    """Returns what a schema is about in a word: `explorers` of `record-explorers.v1`."""
    return schema.removesuffix(".v1").rpartition("-")[2]


class Section:
    """What is said about one schema."""

    def __init__(self, kinds: dict[str, Any], words: dict[str, Any], headings: dict[str, str]) -> None:
        """`kinds` are the types by the name of their definition, `headings` those that are not that name."""
        self._kinds = kinds
        self._words = words
        self._headings = headings
        self.missing: list[str] = []

    def definition(self, name: str, schema: dict[str, Any]) -> str:
        """Returns the chapter of one definition: its fields, or its words."""
        parts = [f"### {self._headings.get(name, name)}", schema.get("description", "").partition("\n")[0]]
        if "enum" in schema:
            members = list(self._kinds[name]) if name in self._kinds else []
            rows = [(f"`{member.value}`", self._explain(name, member.name)) for member in members]
            parts.append(table(("word", "means"), rows))
        elif schema.get("properties"):
            parts.append(self.table_of(name, schema))
        return "\n\n".join(part for part in parts if part)

    def table_of(self, name: str, schema: dict[str, Any]) -> str:
        """Returns a row a field: what it may be, whether it may be left out, what it means."""
        required = schema.get("required", ())
        names = _python_names(self._kinds.get(name))
        rows = []
        for field, form in schema["properties"].items():
            default = "" if field in required else _default(form)
            rows.append((f"`{field}`", self.kind(form), default, self._meaning(name, names.get(field, field), form)))
        return table(("field", "is", "default", "means"), rows)

    def kind(self, form: dict[str, Any]) -> str:
        """Returns what a value may be, in words."""
        if "$ref" in form:
            name = form["$ref"].rpartition("/")[2]
            return f"[{name}](#{self._headings.get(name, name).lower().replace(' ', '-')})"
        if "anyOf" in form:
            return " or ".join(dict.fromkeys(self.kind(one) for one in form["anyOf"]))
        if "enum" in form or "const" in form:
            words = form.get("enum", [form.get("const")])
            if len(words) > MOST_WORDS:
                return f"a card: one of {len(words)}"
            return " or ".join(f"`{json.dumps(word, ensure_ascii=False)}`" for word in words)
        if "prefixItems" in form:
            return f"list of {', '.join(self.kind(one) for one in form['prefixItems'])}"
        if form.get("type") == "array":
            words = "list, not empty," if form.get("minItems", 0) == 1 else "list"
            return f"{words} of {self.kind(form['items'])}" if "items" in form else "list"
        if form.get("type") == "object" and isinstance(form.get("additionalProperties"), dict):
            return f"object, by name: {self.kind(form['additionalProperties'])}"
        if "pattern" in form and "description" in form:
            return str(form["description"])
        return " ".join([_TYPES[form.get("type", "")], *_bounds(form)])

    def _meaning(self, name: str, field: str, form: dict[str, Any]) -> str:
        only = form.get("enum", [form["const"]] if "const" in form else [])
        if len(only) == 1 and field not in docstrings_of_named(self._kinds, name):
            return "Which kind it is." if field in ("do", "type", "event") else "Always this."
        if name not in self._kinds and "description" in form:
            return str(form["description"])
        return self._explain(name, field)

    def _explain(self, name: str, field: str) -> str:
        own = (self._words["fields"].get(name) or {}).get(field)
        text = docstrings_of_named(self._kinds, name).get(field) or own or self._words["everywhere"].get(field)
        if text is None:
            self.missing.append(f"{name}.{field}")
        return text or ""


_TYPES = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"} | {
    "object": "object",
    "null": "`null`",
    "": "anything",
}


def _bounds(form: dict[str, Any]) -> Iterator[str]:
    for key, words in (("minimum", "from {}"), ("exclusiveMinimum", "over {}"), ("maximum", "to {}")):
        if key in form:
            yield words.format(form[key])
    if "exclusiveMaximum" in form:
        yield f"below {form['exclusiveMaximum']}"
    if "maxLength" in form:
        yield f"up to {form['maxLength']} characters"
    if "pattern" in form:
        pattern = form["pattern"].replace("(?!\\n)", "")
        if match := re.fullmatch(r"\^\[0-9a-f\]\{(\d+)\}\$", pattern):
            yield f"of {match[1]} hex digits"
            return
        yield f"like `{pattern}`" if len(pattern) <= 60 else "of fixed sentences"


def _default(form: dict[str, Any]) -> str:
    if "default" not in form or form["default"] is None:
        return "optional"
    return f"`{json.dumps(form['default'])}`" if form["default"] not in ({}, []) else "none"


def _python_names(kind: Any) -> dict[str, str]:
    if kind is None or not hasattr(kind, "__struct_fields__"):
        return {}
    return dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))


def docstrings_of_named(kinds: dict[str, Any], name: str) -> dict[str, str]:
    """Returns the texts under the fields of a type; of a move also those of its action."""
    if name not in kinds:
        return {}
    found = dict(docstrings_of(kinds[name]))
    if name.endswith("Move"):
        found |= docstrings_of(kinds[name.removesuffix("Move")])
    return found


def _schema(name: str) -> dict[str, Any]:
    if match := re.fullmatch(r"view-(.+)", name):
        game = load_game(match[1])
        schema = msgspec.json.schema(game.View)
        top = schema["$defs"].pop(game.View.__name__)
        return {**top, "title": f"{game.title} ({game.name})", "$defs": schema["$defs"]}
    return load_schema(name)


def _types_of(schema: str) -> dict[str, Any]:
    """Returns the types of a schema by the name they have in it, that of the whole file first."""
    if match := re.fullmatch(r"view-(.+)", schema):
        root, actions = load_game(match[1]).View, {}
    elif match := re.fullmatch(r"record-(.+)\.v1", schema):
        root: Any = codec_for(match[1]).record_type
        module = import_module(type(load_game(match[1])).Deal.__module__)
        actions = {name: value for name, value in vars(module).items() if isinstance(value, type)}
    else:
        path, _, attribute = ROOTS[schema].partition(":")
        root, actions = getattr(import_module(path), attribute), {}
    found: dict[str, Any] = {}
    _walk(msgspec.inspect.type_info(root), found, set())
    return found | {name: value for name, value in actions.items() if name not in found}


def _walk(info: Any, found: dict[str, Any], seen: set[int]) -> None:
    """Collects the structs and the lists of words below a type."""
    if id(info) in seen or not isinstance(info, msgspec.Struct):
        return
    seen.add(id(info))
    if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.EnumType):
        kind = getattr(info.cls, "__origin__", info.cls)
        if kind.__name__ in found:
            return
        found[kind.__name__] = kind
    for name in info.__struct_fields__:
        value = getattr(info, name)
        for one in value if isinstance(value, tuple) else (value,):
            _walk(one, found, seen)
