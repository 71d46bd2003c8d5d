"""The commands: what they print, what they refuse and how, and their exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from forked_commands import run_command
from typer.main import get_command
from typer.testing import CliRunner

from tournament import run_tournament
from tournament.cli.app import COMMANDS, app
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.paths import data_folder
from tournament.pure import is_compiled

INSIDE = ("--isolation", "none")
"""Where the run itself is not what is looked at: no bot gets a process."""

PAIR = ("--game", "explorers:2", "--bots", "random_legal,explorers_cautious")
"""Where the games are not either: two quick bots play."""


def tournament(*words):
    """Runs the command as a user does; returns exit code, stdout, stderr."""
    return run_command(*words)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    """A small finished run over both games."""
    source, _ = with_flags(default_source(), seed="cli", budget=Budget(deals=1), isolation="none")
    return run_tournament(resolve(source), out=tmp_path_factory.mktemp("runs") / "small")


def test_the_help_fits_one_screen_with_every_group_command_and_option():
    """Of forty lines, with the line of the prompt."""
    printed = CliRunner().invoke(app, ["--help"]).stdout
    words = set(printed.replace(",", " ").replace(";", " ").split())
    top = get_command(app)
    options = {option for parameter in top.params for option in parameter.opts}

    assert len(printed.splitlines()) < 40
    assert max(map(len, printed.splitlines())) <= 80
    assert set() == {*COMMANDS, "Host", *top.commands, *options} - words


def test_helps_say_in_words_which_numbers_an_option_takes():
    printed = " ".join(CliRunner().invoke(app, ["serve", "--help"], env={"COLUMNS": "120"}).stdout.split())

    assert "NUMBER [0 to 65535]" in printed
    assert "NUMBER [1 or more]" in " ".join(
        CliRunner().invoke(app, ["plan", "--help"], env={"COLUMNS": "120"}).stdout.split()
    )


def test_the_version_says_whether_the_rules_are_compiled():
    """An editable install never has compiled modules."""
    code, printed, _ = tournament("--version")
    kind = "compiled" if is_compiled() else "pure Python"

    assert (0, f"tournament 0.2.0 ({kind})\n") == (code, printed)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["rnu"], 2, "Did you mean 'run'"),
        (["run", "none.yaml"], 3, "There is no configuration none.yaml"),
        (["run", "--game", "scout"], 3, "such as scout:3"),
        (["run", "--bots", "no_such_bot.py", "--game", "scout:2"], 4, "no_such_bot"),
        (["run", "--game", "scuot:3"], 5, 'Did you mean "scout"'),
        (["resume", "no-such-run", "-q", "-v"], 2, "--quiet and --verbose exclude each other"),
        (["run", "--game", "scout:7"], 5, "scout is for 2 to 5 players, not 7"),
        (["run", "--seed", "", "-q"], 3, "--seed: expected a text or a number, found nothing in it"),
        (["extend", "no-such-run", "--seed", " "], 3, "--seed: expected a text or a number"),
        (["final", "no-such-run", "--seed", ""], 3, "--seed: expected a text or a number"),
        (["play", "scout", "--against", "x", "--seed", ""], 3, "leave the seed out: then it is drawn"),
        (["audit", "no-such-run"], 7, "There is no run and no file no-such-run"),
        (["export", "no-such-run#x"], 7, "There is no run and no file"),
        (["export", "no-such-run", "--seat", "winner"], 2, "--seat chooses among rows"),
        (["export", "no-such-run", "--rows", "views", "--format", "parquet"], 2, "Name a file: --out"),
        (["standings", "."], 7, "is not a run"),
        (["standings", "no-such-run"], 7, "There is no run and no file no-such-run"),
        (["replay", "no-such-run#x"], 7, "There is no run and no file no-such-run"),
        (["analyse", "no-such-run#x"], 7, "There is no run and no file no-such-run"),
        (["report", "no-such-run"], 7, "no-such-run is not a run"),
        (["final", "no-such-run"], 7, "no-such-run is not a run"),
        (["watch", "no-such-run"], 7, "no-such-run"),
        (["validate", "no-such-run"], 7, "There is no run and no file no-such-run"),
        (["validate", "tests"], 7, "tests is not a run"),
        (["audit", "none.jsonl"], 6, "There is no run and no file none.jsonl"),
        (["validate", "none.json"], 6, "There is no run and no file none.json"),
        (["validate", "none.yaml"], 3, "There is no configuration none.yaml"),
        (["schema", "rekord.v1"], 6, 'Did you mean "record.v1"'),
        (["game", "show", "scuot"], 5, 'Did you mean "scout"'),
        (["report", "README.md"], 7, "README.md is not a run"),
        (["run", "bots/random_legal.py"], 3, "this is Python, not YAML. A bot is given as `tournament run --bots"),
        (["run", "bots"], 3, "bots: this is a folder. Give the configuration in it"),
        (["standings", ".", "--format", "xml"], 2, "Choose from: table, markdown, csv, json."),
        (["standings", ".", "--format", "CVS"], 2, '--format: CVS does not exist. Did you mean "csv"?'),
        (["export", ".", "--rows", "moover"], 2, 'Did you mean "moves"? Choose from: games, moves, views.'),
        (["bot", "new", "x", "--game", "scout", "--language", "nod"], 2, 'Did you mean "node"?'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_a_users_mistake_is_one_sentence_and_an_exit_code_of_its_kind(words, code, sentence):
    """Every error of a user is one clear sentence with what to do; never a traceback."""
    found, printed, complaint = tournament(*words)

    assert code == found
    assert sentence in " ".join(complaint.split())
    assert "Traceback" not in complaint
    assert "" == printed


def test_an_existing_run_is_never_written_over(run_folder):
    """An existing --out is refused."""
    code, _, complaint = tournament("run", "--deals", "1", "--out", str(run_folder))

    assert 7 == code
    assert "runs are never written over" in complaint
    assert "tournament resume" in complaint


def test_a_run_ends_with_standings_and_what_to_do_next(tmp_path):
    """At the end standings per group and over both games."""
    code, printed, _ = tournament("run", *INSIDE, "--deals", "1", "--seed", "x", "--out", str(tmp_path / "run"))

    assert 0 == code
    for words in ("scout-3p", "explorers-2p", "Championship", "strong", "tournament replay", "tournament audit"):
        assert words in printed


def test_a_quiet_run_prints_its_folder_alone(tmp_path):
    """--quiet."""
    out = tmp_path / "run"
    code, printed, complaint = tournament("run", "--quiet", *INSIDE, *PAIR, "--deals", "1", "--out", str(out))

    assert (0, f"{out}\n", "") == (code, printed, complaint)


@pytest.mark.parametrize("quiet", [["--quiet"], []], ids=" ".join)
def test_a_short_seed_is_said_to_be_predictable(tmp_path, quiet):
    """A master under 128 bits prints that its deals can be predicted; a script's log has it, too."""
    _, printed, complaint = tournament(
        "run", *INSIDE, *PAIR, "--deals", "1", "--seed", "7", "--out", str(tmp_path / "a"), *quiet
    )

    assert "predict" in complaint
    assert "predict" not in printed


def test_a_good_run_audits_clean_and_validates(run_folder):
    """`tournament audit`, `tournament validate`."""
    assert 0 == tournament("audit", str(run_folder))[0]
    assert 0 == tournament("validate", str(run_folder))[0]


def test_a_tampered_record_is_found_by_audit_and_exit_code_one(run_folder, tmp_path):
    """Each finding has a code; exit 1."""
    line = (run_folder / "games.jsonl").read_text().splitlines()[0]
    path = tmp_path / "tampered.jsonl"
    path.write_text(line.replace('"ending":"complete"', '"ending":"aborted"') + "\n")
    code, printed, _ = tournament("audit", str(path), "--json")

    assert 1 == code
    assert "digest" in {finding["code"] for finding in json.loads(printed)["findings"]}


def test_a_file_that_fits_no_schema_is_told_by_path(run_folder, tmp_path):
    """Record, JSON path, expected, found."""
    record = json.loads((run_folder / "games.jsonl").read_text().splitlines()[0])
    record["seats"][0]["fingerprint"] = "short"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(record))
    code, printed, _ = tournament("validate", str(path))

    assert 1 == code
    assert "$.seats[0].fingerprint" in printed


@pytest.mark.parametrize(
    "words", [["bot", "list"], ["game", "list"], ["game", "show", "scout"], ["schema"]], ids=" ".join
)
def test_every_table_has_its_json(words):
    """`--json` on every table."""
    code, printed, _ = tournament(*words, "--json")

    assert 0 == code
    assert json.loads(printed)


def test_the_options_of_a_game_are_explained_and_shown_as_they_are_written():
    """What stands under an option in its class, and a line that can be copied."""
    _, printed, _ = tournament("game", "show", "explorers")

    assert "after which only the stock may be drawn; null switches it off (14)." in printed
    assert "games: [{game: explorers, players: 2, options: {stall_limit: 20}}]" in printed


def test_one_game_is_exported_as_an_object(run_folder):
    """`tournament export RUN#ID --format json`."""
    _, printed, _ = tournament("export", f"{run_folder}#explorers-2p.0.000002.1")

    assert "explorers-2p.0.000002.1" == json.loads(printed)["id"]


def test_a_missing_game_of_a_run_is_told_with_the_nearest(run_folder):
    """Did-you-mean where a name is wrong."""
    code, _, complaint = tournament("export", f"{run_folder}#explorers-2p.0.000002.9")

    assert 6 == code
    assert 'Did you mean "explorers-2p.0.000002.' in complaint


def test_who_is_to_be_disqualified_is_looked_up_before_the_reason_is_asked_for(run_folder):
    """A name that is wrong is told first."""
    code, _, complaint = tournament("disqualify", str(run_folder), "stron")

    assert 4 == code
    assert 'There is no entrant "stron". Did you mean "strong"?' in complaint


@pytest.mark.parametrize(
    "words",
    [
        ["standings", "RUN", "--without", "NAME"],
        ["standings", "RUN", "--merge", "NAME"],
        ["standings", "RUN", "--anchor", "NAME=1500"],
        ["compare", "RUN", "--bots", "NAME", "random_legal"],
        ["gate", "RUN", "--new", "random_legal", "--old", "NAME"],
        ["disqualify", "RUN", "NAME", "--reason", "a test"],
        ["disqualify", "RUN", "NAME", "--undo"],
    ],
)
def test_a_name_is_found_however_its_letters_were_written(run_of_a_letter, words):
    """Two ways to write one letter are one name: keyboards write one way, and files may be named in the other."""
    said = {"RUN": str(run_of_a_letter), "NAME": "a\u030ase", "NAME=1500": "a\u030ase=1500"}
    _, _, problem = tournament(*(said.get(word, word) for word in words))

    assert "There is no entrant" not in problem
    assert "there is no entrant" not in problem


@pytest.fixture(scope="module")
def run_of_a_letter(tmp_path_factory):
    """A small finished run with an entrant whose name has a letter that can be written in two ways."""
    folder = tmp_path_factory.mktemp("letter")
    random = data_folder("bots") / "random_legal.py"
    shutil.copy(random, folder / "a\u030ase.py")
    bots = [str(folder / "a\u030ase.py"), str(random)]
    source, _ = with_flags(
        default_source(), games=["scout:2"], bots=bots, seed="cli", budget=Budget(deals=1), isolation="none"
    )
    return run_tournament(resolve(source), out=folder / "run")


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--bots", "stron", "random"],
        ["gate", "--new", "stron", "--old", "random"],
        ["standings", "--without", "stron"],
    ],
    ids=" ".join,
)
def test_an_entrant_that_there_is_not_has_one_exit_code(run_folder, words):
    """README, exit codes: a bot or an entrant that does not exist."""
    command, *rest = words
    code, _, complaint = tournament(command, str(run_folder), *rest)

    assert 4 == code
    assert 'There is no entrant "stron"' in complaint


@pytest.mark.parametrize(
    "words",
    [
        ["whatif", "RUN#explorers-2p.0.000000.0", "--move", "1", "--action", "1", "--out", "FILE"],
        ["play", "scout", "--against", "bots/random_legal.py", "--out", "FILE"],
        ["analyse", "RUN#explorers-2p.0.000000.0", "--out", "FILE"],
        ["export", "RUN", "--rows", "games", "--out", "FILE"],
        ["repro", "RUN#explorers-2p.0.000000.0", "--seat", "0", "--move", "0", "--out", "FILE"],
        ["report", "RUN", "--out", "FILE"],
    ],
    ids=lambda words: words[0],
)
def test_an_output_that_is_there_already_has_one_exit_code(run_folder, tmp_path, words):
    """README, exit codes: its output is there already."""
    path = tmp_path / "mine.txt"
    path.write_text("mine")
    code, _, complaint = tournament(
        *(word.replace("RUN", str(run_folder)).replace("FILE", str(path)) for word in words)
    )

    assert (2, "mine") == (code, path.read_text())
    assert str(path) in complaint


def test_a_bot_to_add_that_is_missing_is_looked_for_where_the_user_is(run_folder):
    """The paths of a run of flags start elsewhere, which nobody sees."""
    code, _, complaint = tournament("extend", str(run_folder), "--add", "REDME.py")

    assert 4 == code
    assert f'{Path.cwd()} has no "REDME.py"' in complaint


def test_a_gate_says_that_a_bot_is_disqualified(run_folder, tmp_path):
    """It has no block that counts, and the reason stands in run.json."""
    run = tmp_path / "run"
    shutil.copytree(run_folder, run)
    tournament("disqualify", str(run), "strong", "--reason", "it talks")
    code, _, complaint = tournament("gate", str(run), "--new", "strong", "--old", "random")

    assert 2 == code
    assert "strong is disqualified: it talks." in complaint
    assert "--undo" in complaint


def test_a_seat_that_a_table_does_not_have_is_told_before_anything_else():
    """Nothing is explained of a game that does not begin."""
    code, printed, complaint = tournament(
        "play", "scout", "--against", "bots/random_legal.py", "--seat", "5", "--plain"
    )

    assert (2, "") == (code, printed)
    assert "--seat 5: a table of 2 has the seats 0 to 1. Take one of them" in complaint
