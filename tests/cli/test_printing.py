"""What is printed of what others wrote: nothing of it steers a terminal, whatever the command."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tournament
from tournament import run_tournament
from tournament.cli.app import app
from tournament.errors import TournamentError
from tournament.paths import data_folder
from tournament.text import printable, printable_json, printable_lines

CLI = Path(tournament.__file__).parent / "cli"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
EVIL = "st\x1b[31mro\x9b5mng\u202e"
ANALYSING = "a counter that goes back to the start of its line"
DIRECT = {"output.py": "the gate itself", "replay.py": ANALYSING}
"""Where `typer.echo` is called past the gate, and why."""


def test_a_control_is_written_out():
    assert r"a\x1b[31mb\x9b\u202e" == printable("a\x1b[31mb\x9b\u202e")


def test_blanks_at_which_no_line_ends_stay():
    assert "12\u00a0345 %, 1\u202f000" == printable("12\u00a0345 %, 1\u202f000")


def test_lines_and_tabs_stay_in_a_text_of_several_lines():
    assert "a\n\tb\\x07\\rc" == printable_lines("a\n\tb\x07\rc")


def test_json_says_the_same_without_controls():
    text = json.dumps({"name": "a\x9b\u202e"}, ensure_ascii=False)

    assert {"name": "a\x9b\u202e"} == json.loads(printable_json(text))
    assert printable_json(text).isascii()


@pytest.mark.parametrize("path", sorted(CLI.glob("*.py")), ids=lambda path: path.name)
def test_commands_print_through_one_gate(path):
    """`say`, `complain`, `print_json` and `print_table` of `cli/output.py`."""
    calls = {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "typer"
    } & {"echo", "secho"}

    assert set() == calls or path.name in DIRECT


@pytest.fixture(scope="module")
def forged(tmp_path_factory):
    """A run in which an entrant was given a name full of controls afterwards, as only a forger can."""
    folder = tmp_path_factory.mktemp("forged")
    (folder / "a.yaml").write_text(
        "name: a\nseed: 1\nworkers: 1\nisolation: none\nbudget: {deals: 1}\ngames: [{game: explorers, players: 2}]\n"
        f"bots: [{{name: strong, bot: {data_folder('bots') / 'random_legal.py'}}}, "
        f"{{name: other, bot: {data_folder('bots') / 'random_legal.py'}}}]\n"
    )
    run = run_tournament(folder / "a.yaml", out=folder / "run")
    shutil.rmtree(run / "report", ignore_errors=True)
    for path in run.iterdir():
        if path.suffix in (".json", ".jsonl"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace('"strong"', json.dumps(EVIL)), encoding="utf-8")
    return run


@pytest.mark.parametrize(
    "words",
    [
        ["audit", "RUN"],
        ["audit", "RUN", "--json"],
        ["validate", "RUN"],
        ["standings", "RUN"],
        ["standings", "RUN", "--format", "csv"],
        ["standings", "RUN", "--format", "markdown"],
        ["standings", "RUN", "--json"],
        ["export", "RUN"],
        ["export", "RUN", "--rows", "games", "--format", "csv"],
        ["export", "RUN", "--rows", "views", "--format", "json"],
        ["compare", "RUN", "RUN"],
        ["compare", "RUN", "--bots", EVIL, "other", "--json"],
        ["watch", "RUN"],
        ["replay", "RUN#explorers-2p.0.000000.0", "--plain"],
        ["resume", "RUN"],
        ["disqualify", "RUN", "nobody", "--reason", "x"],
    ],
    ids=lambda words: " ".join(words[:1] + words[2:4]).encode("unicode_escape").decode(),
)
def test_nothing_a_run_says_steers_the_terminal(forged, words, tmp_path):
    run = shutil.copytree(forged, tmp_path / "run")
    done = CliRunner().invoke(app, [word.replace("RUN", str(run)) for word in words])
    printed = done.output
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        assert isinstance(done.exception, TournamentError)  # `main` prints it with `complain`
        printed += printable_lines(str(done.exception))

    assert printed
    assert [] == STEERS.findall(printed)


def test_what_is_wrong_with_a_configuration_is_printed_without_controls(tmp_path, monkeypatch, capsys):
    """Its names come from whoever wrote it."""
    from tournament.cli.main import run

    (tmp_path / "a.yaml").write_text('name: b\n"fo\\e[31mo": 2\n')
    monkeypatch.setattr(sys, "argv", ["tournament", "run", str(tmp_path / "a.yaml")])
    with pytest.raises(SystemExit):
        run()

    assert r'"fo\x1b[31mo" is not known here' in capsys.readouterr().err


def test_a_printed_command_can_be_pasted_whatever_the_folder_is_called(tmp_path, monkeypatch):
    """With blanks and quotes in it, as a shell takes it."""
    monkeypatch.chdir(tmp_path)
    names = ("random_legal", "scout_greedy")
    words = [word for name in names for word in ("--bots", str(data_folder("bots") / f"{name}.py"))]
    out = "Ann's own run"
    options = [
        "--game",
        "scout:2",
        "--deals",
        "1",
        "--seed",
        "1",
        "--isolation",
        "none",
        "--workers",
        "1",
        "--out",
        out,
    ]
    printed = CliRunner().invoke(app, ["run", *words, *options]).stdout
    commands = [line.partition(":")[2].strip() for line in printed.splitlines() if " tournament " in line]

    assert [
        ["tournament", "standings", out],
        ["tournament", "replay", f"{out}#scout-2p.0.000000.0"],
        ["tournament", "audit", out],
    ] == [shlex.split(command) for command in commands]
    assert f"Look at it:       {shlex.quote(f'{out}/report/index.html')}" in printed
