"""`bot.yaml` is checked before it is handed in, as an arena checks it, and has a schema for editors."""

from __future__ import annotations

import pytest
import yaml
from described import fields_without_description
from jsonschema import Draft202012Validator

from tournament import validate
from tournament.arena.checks.defects import SubmissionError, format_defect
from tournament.arena.checks.programs import read_bot_file
from tournament.configuration.types import BotFile
from tournament.games import game_names
from tournament.records.schema import load_schema

SCHEMA = load_schema("bot.v1")
WHOLE = "build: [make]\ncommand: [./bot, --fast]\ngames: [scout]\nplayers: [2, 3]\nfiles: [weights.bin]\n"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "bot.yaml"


def refused_by_the_arena(path):
    """Returns the line and the sentence with which an arena refuses a file."""
    with pytest.raises(SubmissionError) as caught:
        read_bot_file(path.parent)
    return caught.value.defect.line, format_defect(caught.value.defect)


@pytest.mark.parametrize("text", [WHOLE, "command: [./bot]\n", "command: [./bot]\nbuild:\n"])
def test_what_an_arena_takes_is_valid_and_fits_the_schema(path, text):
    path.write_text(text)

    assert isinstance(read_bot_file(path.parent), BotFile)
    assert () == validate(path)
    assert Draft202012Validator(SCHEMA).is_valid(yaml.safe_load(text))


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("command: [./bot]\ncomand: [./bot]\n", 2, '"comand" is not known here. Did you mean "command"?'),
        ("build: [make]\ncommand: ./bot\n", 2, 'command: expected a list of 1 to 100 texts, found "./bot".'),
        ("command: [./bot]\nplayers: [1]\n", 2, "players: expected a list of numbers from 2 on, found [1]."),
        ("command: [./bot]\nbots: [a.py]\n", 2, '"bots" is not known here.'),
        ("- ./bot\n", 1, "expected names with values."),
        ("command: [./bot\n", 2, "this is not YAML"),
    ],
)
def test_validate_says_what_an_arena_would_say(path, text, line, told):
    path.write_text(text)
    [problem] = validate(path)

    assert (line, told) == (problem.line, problem.text[: len(told)])
    assert (line, f"bot.yaml, line {line}: {problem.text}") == refused_by_the_arena(path)


@pytest.mark.parametrize("text", ["comand: [./bot]", "command: ./bot", "players: [1]", "command: []", "command: ['']"])
def test_what_has_the_wrong_form_does_not_fit_the_schema_either(text):
    assert not Draft202012Validator(SCHEMA).is_valid(yaml.safe_load(text))


def test_a_path_that_leads_out_of_the_folder_is_told_with_its_line(path):
    path.write_text("command:\n  - cat\n  - ../secret\n")
    [problem] = validate(path)

    assert (3, '"../secret" leads out of what was handed in.') == (problem.line, problem.text[:44])
    assert (3, f"bot.yaml, line 3: {problem.text}") == refused_by_the_arena(path)


def test_a_bot_file_without_a_command_needs_a_bot_beside_it(path):
    path.write_text("players: [2]\n")
    [problem] = validate(path)
    path.with_name("bot.py").write_text("")

    assert "it has no command, and there is no bot.py beside it." in problem.text
    assert () == validate(path)


def test_a_game_that_there_is_not_is_told(path):
    path.write_text("command: [./bot]\ngames: [scot]\n")
    [problem] = validate(path)

    assert (2, 'there is no game "scot". Did you mean "scout"?') == (problem.line, problem.text[:46])


def test_a_file_that_is_too_long_is_not_read(path):
    path.write_text("#" * (1 << 20))
    [problem] = validate(path)

    assert "it has more than 65,536 bytes. Make it shorter." == problem.text


def test_editors_are_told_what_every_line_means_and_which_games_there_are():
    assert [] == fields_without_description(SCHEMA)
    assert list(BotFile.__struct_fields__) == list(SCHEMA["properties"])
    assert set(SCHEMA["properties"]["games"]["anyOf"][0]["items"]["examples"]) <= set(game_names())
