"""What a command shows at the prompt: its help with examples, and the words that a shell completes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from forked_commands import run_command
from typer.main import get_command
from typer.testing import CliRunner

from tournament import examples, run_tournament
from tournament.cli.app import ListedCommand, app, every_command
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.records.run import Format, Until
from tournament.records.settings import Isolation

NAMES = [name for _, name, _ in every_command()]

SIGNS_OF_PYTHON = re.compile(r"\[\[|\{[A-Za-z]|<[a-z]|list\[|tuple\[|\bTrue\b|\bNone\b")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run named `small` and a configuration."""
    folder = tmp_path_factory.mktemp("prompt")
    source, _ = with_flags(default_source(), seed="cli", budget=Budget(deals=1), isolation="none", games=["scout:3"])
    run_tournament(resolve(source), out=folder / "small")
    (folder / "mine.yaml").write_text("bots: [scout_greedy, {name: other, bot: random_legal}]\n")
    (folder / "own.py").touch()
    return folder


def completed(line):
    """Returns what bash is offered for the end of a line."""
    asked = {"_TOURNAMENT_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    return CliRunner().invoke(app, [], prog_name="tournament", env=asked).stdout.split()


@pytest.mark.parametrize("name", NAMES)
def test_every_help_has_examples_and_no_signs_of_python(name):
    printed = CliRunner().invoke(app, [*name.split(), "--help"], prog_name="tournament").stdout

    assert None is SIGNS_OF_PYTHON.search(printed)
    assert [f"   {example}" for example in examples.COMMANDS[name]] == printed.splitlines()[
        printed.splitlines().index(" Examples:") + 1 :
    ]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_command_needs_and_is_not_given_is_named(name):
    needed = [parameter for parameter in parameters_of(name) if parameter.required]
    for left_out in needed:
        words = [word for parameter in needed if parameter is not left_out for word in given(parameter)]
        done = CliRunner().invoke(app, [*name.split(), *words], prog_name="tournament")

        assert (2, True) == (done.exit_code, "Missing" in done.stderr), left_out.name


def parameters_of(name):
    """Returns what a command takes."""
    command = get_command(app)
    context = command.make_context("tournament", [], resilient_parsing=True)
    for word in name.split():
        command = command.get_command(context, word)
        command = command.load() if isinstance(command, ListedCommand) else command
    return command.params


def given(parameter):
    """Returns a parameter of a command as somebody gives it; a digit is a text, too."""
    values = ["1"] * max(1, parameter.nargs)
    return values if parameter.param_type_name == "argument" else [parameter.opts[0], *values]


def test_every_example_is_of_its_command():
    assert set(NAMES) == set(examples.COMMANDS)
    assert [] == [
        example
        for name, lines in examples.COMMANDS.items()
        for example in lines
        if not example.startswith(f"tournament {name}")
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tournament run --isolation ", ["none", "process", "sandbox"]),
        ("tournament run --schedule k", ["knockout"]),
        ("tournament run --until ", ["decided", "all-pairs", "sprt"]),
        ("tournament run --keep ", ["all", "faults", "sample:1%", "none"]),
        ("tournament run --game scout:", ["scout:2", "scout:3", "scout:4", "scout:5"]),
        ("tournament run --bots scout_g", ["scout_greedy"]),
        ("tournament run --bots random_legal,scout_g", ["random_legal,scout_greedy"]),
        ("tournament run --bots ow", ["own.py"]),
        ("tournament run mine.yaml --focus ", ["scout_greedy", "other"]),
        ("tournament run --focus ", ["random", "cautious", "steady", "strong"]),
        ("tournament bot check scout_k", ["scout_keeper"]),
        ("tournament bot check mine.yaml#", ["mine.yaml#scout_greedy", "mine.yaml#other"]),
        ("tournament bot new x --game e", ["explorers"]),
        ("tournament bot new x --language ", ["python", "node", "c"]),
        ("tournament game show ", ["scout", "explorers"]),
        ("tournament play s", ["scout"]),
        ("tournament schema gate", ["gate.v2", "gate.v1"]),
        ("tournament standings small --without s", ["steady", "strong"]),
        ("tournament compare small --bots r", ["random"]),
        ("tournament compare small --bots random st", ["steady", "strong"]),
        ("tournament gate small --new c", ["cautious"]),
        ("tournament disqualify small c", ["cautious"]),
        ("tournament export small --group ", ["scout-3p"]),
        ("tournament replay small#scout-3p.0.000000.", [f"small#scout-3p.0.000000.{number}" for number in range(3)]),
        ("tournament replay sma", []),
        ("tournament standings nowhere --without s", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_words_are_completed(folder, monkeypatch, line, words):
    monkeypatch.chdir(folder)

    assert words == completed(line)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--schedule", set(Format)),
        ("--isolation", set(Isolation)),
        ("--until", {word.replace(" ", "-") for word in Until}),
    ],
)
def test_an_option_completes_every_word_there_is(option, words):
    """The commands list the words themselves, so that help need not import what defines them."""
    assert words == set(completed(f"tournament run {option} "))


def test_bash_completes_with_the_script_of_the_command(folder):
    """What `--install-completion` installs, in a shell that calls it as for a person who presses Tab."""
    program = Path(sys.executable).parent / "tournament"
    asked = {"_TOURNAMENT_COMPLETE": "source_bash"}
    script = subprocess.run([program], env=os.environ | asked, capture_output=True, text=True, check=True).stdout
    press = 'COMP_WORDS=(tournament run --isolation s); COMP_CWORD=3; _tournament_completion "$1"; echo ${COMPREPLY[@]}'
    command = ["bash", "-c", f"{script}\n{press}", "bash", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert "sandbox\n" == done.stdout


@pytest.mark.long
def test_every_example_works_in_an_empty_folder(tmp_path):
    """In an order in which what one needs was made by those before; long, because they play runs.

    Runs get a seed that leaves their final something to decide: without one, chance settles that.
    """
    (tmp_path / "tournament.yaml").write_text(
        "bots: [scout_greedy, scout_cautious]\ngames: [{game: scout, players: 2}]\n"
    )
    (tmp_path / "cup.yaml").write_text("title: Cup\ngames: [{game: scout, players: 3}]\n")
    (tmp_path / "submissions").mkdir()
    (tmp_path / "submissions" / "ann.py").write_text("from tournament import Bot\n")
    sandbox = "--isolation sandbox"  # not on every machine
    endless = ("serve", "watch", "arena demo", "arena start", "arena web", "arena referee")
    elsewhere = ("submit", "selftest")  # asks an arena on another machine; tests/lab and tests/hostile have its minutes
    lines = [line for name in ORDER if name not in (*endless, *elsewhere) for line in examples.COMMANDS[name]]
    failed = {}
    for line in lines:
        words = shlex.split(line.replace(sandbox, "--isolation process"))[1:]
        if words[0] == "run":
            words += ["--seed", "1"]
        done = run_command(*words, folder=tmp_path, piped=b"q\ny\n", together=True)
        if done.code:
            failed[line] = done.out
    answers = {"tournament gate duel --new scout_greedy --old random_legal"}  # exit code 1 is an answer, too

    assert {} == {line: text for line, text in failed.items() if line not in answers}


ORDER = sorted(examples.COMMANDS, key=lambda name: (name not in ("bot new", "run", "extend"), name == "extend"))
