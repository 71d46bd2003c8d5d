"""Mistakes in a configuration are explained in words, with a valid example."""

from __future__ import annotations

import msgspec
import pytest

from tournament.configuration.file import read_configuration
from tournament.configuration.types import ConfigurationFile
from tournament.errors import ConfigurationError
from tournament.records.misfits import EXAMPLES


def written(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bots: 3", "bots: expected a list, found 3. For example: bots: ["),
        ("games: scout", 'games: expected a list, found "scout". For example: games: [{game: scout, players'),
        ("games: [scout]", "games, entry 1: expected an object with some of game, players, options"),
        ("games: []", "games: expected a list with something in it, found []. For example: games: ["),
        (
            "games: [{game: scout, players: two}]",
            'games, entry 1, players: expected a whole number from 1 or a list, found "two".',
        ),
        ("games: [{game: Scout, players: 2}]", "game: expected a name in small letters"),
        (
            "games: [{players: 2}]",
            "games, entry 1: expected all of game, players, found players. For example: games: [",
        ),
        (
            "games: [{game: scout, players: 2, options: 3}]",
            "options: expected an object, found 3. For example: games: [{game: explorers, players: 2, options: {",
        ),
        (
            "budget: {minutes: 0}",
            "budget, minutes: expected a number over 0, found 0. For example: budget: {minutes: 30}",
        ),
        ("clock: {bank_ms: fast}", "clock, bank_ms: expected a whole number from 0, found"),
        ("limits: [1]", "limits: expected an object with some of memory_mb"),
        (
            "schedule: roundrobin",
            'expected one of gauntlet, knockout, round-robin, found "roundrobin". Did you mean "round-robin"? '
            "For example: schedule: round-robin",
        ),
        ("workers: lots", 'workers: expected a whole number from 1 or auto, found "lots". For example: workers: auto'),
        (
            "withdraw: sometimes",
            'withdraw: expected never or an object with some of starts, games, share, found "sometimes". '
            "For example: withdraw: {starts: 2, games: 3, share: 1 %}",
        ),
        ("withdraw: {share: lots}", "withdraw, share: expected a share such as 1 % or a number from 0 to 1, found"),
        ("keep: some", "keep: expected all, faults, none, or a share such as sample:1%, found"),
        ("compress: maybe", 'compress: expected true or false, found "maybe". For example: compress: true'),
        (
            "weights: {Scout: 1}",
            'weights: expected names in small letters, found "Scout". For example: weights: {scout',
        ),
        ("deals: 5", "deals stands in budget, not here. For example: budget: {deals: 20}"),
        ("game: scout", "game stands in games, not here. For example: games: [{game: scout"),
        ("just text", "this is not a configuration: expected names with values, found"),
        ("[a, b]", "this is not a configuration: expected names with values, found"),
        ("name: a: b", "this is not YAML: mapping values are not allowed here (column 8). Mind the indentation"),
    ],
)
def test_a_wrong_value_is_told_in_words_with_an_example(tmp_path, text, sentence):
    """The line, what was expected, what was found, and how it is written."""
    path = written(tmp_path, text)

    with pytest.raises(ConfigurationError) as told:
        read_configuration(path)
    assert str(told.value).startswith(f"{path}, line 1: ")
    assert sentence in str(told.value)
    assert "$" not in str(told.value)


@pytest.mark.parametrize("field", ConfigurationFile.__struct_fields__)
def test_every_field_has_an_example(field):
    """A field added later is shown as well."""
    assert EXAMPLES[field].startswith(f"{field}: ")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_right(tmp_path, name):
    """Whoever copies one is not told something else next."""
    file = read_configuration(written(tmp_path, EXAMPLES[name])).file

    assert [name.partition(".")[0]] == list(msgspec.to_builtins(file))
