"""The schema of a configuration helps to write one: all of it is explained, and mistakes in entries are marked."""

from __future__ import annotations

import json

import pytest
import yaml
from described import fields_without_description
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.configuration.types import BotEntry
from tournament.entrants import entries
from tournament.paths import data_folder
from tournament.records.schema import load_schema, make_schema

SCHEMA = load_schema("configuration.v1")


def test_every_field_is_described():
    assert [] == fields_without_description(SCHEMA)


def test_every_word_is_described():
    enums = {name: kind for name, kind in SCHEMA["$defs"].items() if "enum" in kind}
    missing = [word for kind in enums.values() for word in kind["enum"] if f"\n{word}: " not in kind["description"]]

    assert ({"Format", "Isolation", "Until"}, []) == (set(enums), missing)


def test_an_entry_of_bots_has_all_the_keys_that_are_read():
    assert set() == set(entries._KEYS) - set(BotEntry.__struct_fields__)


@pytest.mark.parametrize(
    ("entry", "fits"),
    [
        ("random_legal", True),
        ("[./rusty, --fast]", True),
        ("{name: a, scout: x.py, explorers: y.py}", True),
        ("{bot: x.py, clock: {move_ms: 5}, build: [make], isolation: sandbox, params: {depth: 2}}", True),
        ("{bot: x.py, clok: {move_ms: 5}}", False),
        ("{bot: x.py, clock: {move: 5}}", False),
        ("{bot: x.py, isolation: sandboxed}", False),
        ("{bot: x.py, build: touch x}", False),
        ("{chess: x.py}", False),
    ],
)
def test_the_schema_marks_what_is_wrong_in_an_entry(entry, fits):
    value = {"bots": [yaml.safe_load(entry)]}

    assert fits == Draft202012Validator(SCHEMA).is_valid(value)


def test_an_installed_game_may_have_a_bot_in_the_schema_that_is_made_for_it():
    schema = make_schema("configuration.v1", games=("chess",))

    assert Draft202012Validator(schema).is_valid({"bots": [{"chess": "x.py"}]})


def test_the_command_prints_the_newest_schema_of_a_name_and_the_line_for_editors():
    line = CliRunner().invoke(app, ["schema", "configuration", "--modeline"]).stdout
    printed = json.loads(CliRunner().invoke(app, ["schema", "configuration"]).stdout)

    path = data_folder("schemas") / "configuration.v1.json"
    assert f"# yaml-language-server: $schema={path.as_uri()}\n" == line
    assert SCHEMA["$id"] == printed["$id"]


def test_a_line_for_editors_needs_a_schema():
    result = CliRunner().invoke(app, ["schema", "--modeline"])

    assert "Name it: tournament schema configuration --modeline" in str(result.exception)
