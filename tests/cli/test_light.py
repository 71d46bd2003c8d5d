"""Commands that start soon: a replay starts within twice the time of `--version`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app

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
        (["replay", "run#id", "--seat", "two"], "Invalid value for '--seat'"),
        (["replay", "run#id", "--seat"], "requires an argument"),
        (["watch", "run", "--every", "0"], "Invalid value for '--every'"),
    ],
)
def test_arguments_are_checked_as_ever(words, sentence):
    """Only what is left out, or is a text, needs no check."""
    result = CliRunner().invoke(app, words)

    assert 2 == result.exit_code
    assert sentence in " ".join(result.output.split())
