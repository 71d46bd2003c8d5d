"""Commands, scripts and bots that start soon: what they import, and what they leave until it is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app, every_command
from tournament.players.programs import HOST, _keep_bytecode

HEAVY = {
    *("asyncio", "hashlib", "importlib.metadata", "jinja2", "jsonschema", "jsonschema_rs", "matplotlib", "msgspec"),
    *("django", "numpy", "pydantic", "scipy", "tabulate", "textual", "yaml", "zstandard"),
}
LIGHT = {"cli", "errors", "examples", "ids", "languages", "paths", "pure", "text", "version"}
"""Rooms without work of their own."""

STARTED = """
import sys
{words}
rooms = {{name.split(".")[1] for name in sys.modules if name.startswith("tournament.")}}
print([name for name in {heavy!r} if name in sys.modules] + sorted(rooms - {light!r}))
"""
COMMAND = """
sys.argv = ["tournament", {word!r}]
from tournament.cli.main import run
try:
    run()
except SystemExit:
    pass
"""


def loaded_after(words: str, *heavy: str) -> str:
    """Returns which heavy modules, and which rooms of ours that do work, are loaded after these words of Python."""
    code = STARTED.format(words=words, heavy=sorted({*HEAVY, *heavy}), light=LIGHT)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()[
        -1
    ]


def test_help_loads_no_command_and_nothing_heavy():
    assert "[]" == loaded_after(COMMAND.format(word="--help"))


def test_the_version_loads_nothing_that_draws_either():
    assert "[]" == loaded_after(COMMAND.format(word="--version"), "rich", "pygments")


def test_importing_the_package_loads_none_of_its_rooms():
    assert "[]" == loaded_after("import tournament", "rich", "typer", "inspect")


def test_the_process_of_a_bot_loads_no_more_than_it_needs():
    """As it is started: without the library of types that msgspec would ask for, and without paths or digests."""
    unneeded = ("typing_extensions", "pathlib", "inspect", "dataclasses", "rich", "typer")
    words = HOST.removesuffix("main()").replace("sys.argv[1:]", "[]")

    assert "['msgspec', 'entrants', 'games', 'players', 'records']" == loaded_after(words, *unneeded)


LOADED = """
import sys
from tournament.cli.app import app
try:
    app(sys.argv[1:])
except BaseException:
    pass
print([name for name in ("pydantic", "jsonschema", "textual", "yaml", "numpy") if name in sys.modules])
"""


def test_a_replay_as_text_loads_neither_validators_nor_a_viewer():
    """What takes longer to load than the whole of a replay is loaded by whoever needs it."""
    golden = Path(__file__).parents[2] / "records" / "golden" / "scout-2p-fault-start.json"
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "replay", golden, "--plain"], capture_output=True, text=True, check=True
    )

    assert "step 0 of" in done.stdout
    assert "[]" == done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replay"], "Missing argument 'RUN#ID'"),
        (["replay", "run#id", "--seat"], "requires an argument"),
    ],
)
def test_arguments_are_checked_as_ever(words, sentence):
    """Only what is left out, or is a text, needs no check."""
    result = CliRunner().invoke(app, words)

    assert 2 == result.exit_code
    assert sentence in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "--deals", "two"], '--deals "two": give a whole number in plain digits, at least 1.'),
        (["run", "--minutes", "0"], '--minutes "0": give a number'),
        (["watch", "run", "--every", "0"], '--every "0": give a number, at least 0.1.'),
        (["serve", "run", "--port", "99999"], '--port "99999": give a whole number from 0 to 65535.'),
        (["replay", "run#id", "--seat", "two"], '--seat "two": give a whole number in plain digits.'),
        (["analyse", "run#id", "--seat", "two"], '--seat "two": give a whole number in plain digits.'),
    ],
)
def test_what_is_no_number_is_told_in_our_words(words, sentence):
    """And not in those of the library that reads it."""
    result = CliRunner().invoke(app, words)

    assert str(result.exception).startswith(sentence)


def options_with_numbers():
    """Yields the words of a command and one of its options that takes numbers."""
    for _, name, function in every_command():
        for hint in get_type_hints(function, include_extras=True).values():
            kind, info, *_ = *get_args(hint), None, None
            kinds = {kind, *get_args(kind)}
            if not kinds.isdisjoint({int, float}):
                yield name.split(), info.default  # where typer keeps the name


@pytest.mark.parametrize("given", ["1_0", "+3", " 3", "3 ", "٣", "010", "0x10", "nan", "inf", ""])
def test_every_option_takes_numbers_in_plain_digits_only(given):
    """Python would read 10, 3, 3, 3, 3 and 10, and what is no number passes every bound."""
    options = list(options_with_numbers())
    told = [str(CliRunner().invoke(app, [*words, f"{option}={given}"]).exception) for words, option in options]

    assert len(options) > 20
    assert [] == [one for one in told if f'"{given}": give a' not in one or "in plain digits" not in one]


def test_the_bytecode_of_what_only_bots_import_is_kept_by_who_starts_them(monkeypatch, tmp_path):
    """A bot's process may write none, and would compile it at each start."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    _keep_bytecode.__wrapped__()

    assert [f"host.{sys.implementation.cache_tag}.pyc"] == [path.name for path in tmp_path.rglob("*.pyc")]
