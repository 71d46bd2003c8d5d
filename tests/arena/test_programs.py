"""What was unpacked becomes an entry of a configuration, or is refused with the line of its `bot.yaml`."""

from __future__ import annotations

import os
import re

import msgspec
import pytest
from arena.uploads import BOT

from tournament.arena.checks.defects import DefectKind, SubmissionError, format_defect
from tournament.arena.checks.programs import entrant_of, program_digest, read_bot_file, spec_of, with_python
from tournament.arena.files import CompetitionFile
from tournament.arena.folder import CompetitionFolder
from tournament.configuration.types import BotFile
from tournament.languages import Language, speaking
from tournament.paths import data_folder
from tournament.records.settings import Isolation


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program").mkdir()
    return tmp_path / "program"


def refused(folder, text):
    (folder / "bot.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(SubmissionError) as caught:
        read_bot_file(folder)
    return caught.value.defect


def test_without_a_bot_file_bot_py_is_the_bot(folder):
    (folder / "bot.py").write_bytes(BOT)

    assert read_bot_file(folder) is None
    assert {"bot": "bot.py"} == spec_of(folder, None)


def test_a_bot_file_says_all_that_an_entry_needs(folder):
    (folder / "bot.yaml").write_text(
        "command: [./bot, --fast]\nbuild: [make]\ngames: [scout]\nplayers: [2, 3]\nfiles: [weights.bin]\n"
    )
    bot_file = read_bot_file(folder)

    assert ("make",) == bot_file.build
    assert {
        "command": ["./bot", "--fast"],
        "games": ["scout"],
        "players": [2, 3],
        "files": ["weights.bin"],
    } == spec_of(folder, bot_file)


def test_the_page_for_participants_shows_a_bot_file_and_explains_every_key(folder):
    page = (data_folder("schemas").parent / "docs" / "arena" / "take-part.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```yaml\n(# bot\.yaml\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (folder / "bot.yaml").write_text(shown, encoding="utf-8")
    explained = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)

    assert BotFile(build=("cc", "-O2", "-o", "first", "first.c"), command=("./first",)) == read_bot_file(folder)
    assert list(BotFile.__struct_fields__) == explained


def test_a_program_in_any_language_is_shown_all_its_files(folder):
    """Its author knows no other folder than the one that was handed in."""
    assert {"command": ["./bot"], "files": ["."]} == spec_of(folder, BotFile(command=("./bot",)))


def test_a_bot_file_without_a_command_goes_with_bot_py(folder):
    (folder / "bot.py").write_bytes(BOT)

    assert {"bot": "bot.py", "players": [2]} == spec_of(folder, BotFile(players=(2,)))


def test_what_has_neither_is_no_bot(folder):
    (folder / "keeper.py").write_bytes(BOT)
    with pytest.raises(SubmissionError) as caught:
        spec_of(folder, None)

    assert DefectKind.NO_BOT == caught.value.defect.kind


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("games: [scout]\ncomand: [./bot]\n", 2, '"comand" is not known here. Did you mean "command"?'),
        (
            "games: [scout]\ncommand: ./bot\n",
            2,
            'command: expected a list of 1 to 100 texts, found "./bot"',
        ),
        ("command: []\n", 1, "command: expected a list of 1 to 100 texts, found []"),
        ("games: [scot]\n", 1, 'there is no game "scot". Did you mean "scout"?'),
        ("\n\nplayers: [1]\n", 3, "players: expected a list of numbers from 2 on, found [1]"),
        ("players: [two]\n", 1, 'players: expected a list of numbers from 2 on, found ["two"]'),
        ("command: [./bot\n", 2, "this is not YAML"),
        ("- ./bot\n", 1, "expected names with values"),
        ("command: [./a]\ncommand: [./b]\n", 2, '"command" stands here a second time'),
        ("env: {KEY: '1'}\n", 1, '"env" is not known here'),
        ("python: /usr/bin/python3\n", 1, '"python" is not known here'),
        ("isolation: none\n", 1, '"isolation" is not known here'),
        ("limits: {memory_mb: 100000}\n", 1, '"limits" is not known here'),
        ("command: !!python/object:os.system [./a]\n", 1, "is a tag"),
        ("command: [" + "a, " * 101 + "]\n", 1, "expected a list of 1 to 100 texts"),
        ("command: [" + "[" * 60 + "]" * 60 + "]\n", 1, "deep in each other"),
    ],
)
def test_what_is_wrong_in_a_bot_file_is_told_with_its_line(folder, text, line, told):
    defect = refused(folder, text)

    assert DefectKind.WRONG_BOT_FILE == defect.kind
    assert line == defect.line
    assert told in defect.found


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("comand: [./bot]\n", "„comand“ ist hier nicht bekannt. Meintest du „command“?"),
        ("players: [1]\n", "players: erwartet wird eine Liste mit Zahlen ab 2, gefunden: [1]."),
        ("- ./bot\n", "erwartet werden Namen mit Werten."),
        ("command: [./a]\ncommand: [./b]\n", "„command“ steht hier ein zweites Mal (zuerst in Zeile 1)."),
        ("command: [./bot\n", "(Spalte 1). Achte auf Einrückung und Klammern"),
        ("players: [0x2]\n", "YAML liest 0x2 als 2. Schreibe eine Zahl in einfachen Ziffern"),
    ],
)
def test_what_is_wrong_in_a_bot_file_is_told_in_the_language_of_the_reader(folder, text, told):
    defect = refused(folder, text)

    with speaking(Language.GERMAN):
        assert told in format_defect(defect)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ('"a\\0b"', "which has the character NUL"),
        *((word, "expected a printable text of at most 200 bytes") for word in ('"a\\nb"', '"\\e[2J"', "a" * 201)),
    ],
)
def test_words_that_no_path_can_have_are_refused(folder, word, told):
    """Such as a zero byte, with which no program can be started."""
    defect = refused(folder, f"games: [scout]\ncommand:\n  - ./bot\n  - {word}\n")

    assert (DefectKind.WRONG_BOT_FILE, 4) == (defect.kind, defect.line)
    assert told in str(defect.found)


def test_a_bot_file_of_a_megabyte_is_not_read(folder):
    assert DefectKind.WRONG_BOT_FILE == refused(folder, "#" * (1 << 20)).kind


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("command: [cat, /work/arena/secret.key]\n", "/work/arena/secret.key"),
        ("command: [cat, ../../2/program/bot.py]\n", "../../2/program/bot.py"),
        ("command: [/tmp/bot]\n", "/tmp/bot"),
        ("command: [/usr/bin/../../tmp/bot]\n", "/usr/bin/../../tmp/bot"),
        ("command: [./bot]\nfiles: [/etc/shadow]\n", "/etc/shadow"),
        ("command: [./bot]\nfiles: [a/../../x]\n", "a/../../x"),
        ("command: [./bot]\nbuild: [cp, ../secret, .]\n", "../secret"),
    ],
)
def test_no_path_leads_out_of_what_was_handed_in(folder, text, name):
    """Whatever an entry names is shown in the sandbox."""
    defect = refused(folder, text)

    assert DefectKind.FOREIGN_PATH == defect.kind
    assert name == defect.name


def test_programs_of_the_system_may_be_named(folder):
    (folder / "bot.yaml").write_text("command: [/usr/bin/env, python3, bot.py]\n")

    assert ("/usr/bin/env", "python3", "bot.py") == read_bot_file(folder).command


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("print('hello')\n", "no bot"),
        ("def broken(:\n", "line 1"),
        ("from tournament import Bot\nclass A(Bot): ...\nclass B(Bot): ...\n", "A"),
    ],
)
def test_python_in_which_no_one_bot_is_found_is_refused_without_our_places(folder, text, told):
    (folder / "bot.py").write_text(text)
    with pytest.raises(SubmissionError) as caught:
        entrant_of(folder, {"bot": "bot.py"}, "keeper.v1")

    assert DefectKind.UNREADABLE_BOT == caught.value.defect.kind
    assert told in str(caught.value)
    assert str(folder) not in str(caught.value)


def test_python_bots_run_with_the_python_of_their_competition(tmp_path):
    """Its path is relative, so that an arena can be moved."""
    rules = msgspec.convert({"title": "Cup", "games": [{"game": "scout", "players": [2]}]}, CompetitionFile)
    competition = CompetitionFolder(tmp_path)
    python = with_python({"bot": "bots/keeper/1/program/bot.py"}, rules, folder=competition, base=tmp_path)["python"]
    inside = msgspec.structs.replace(rules, isolation=Isolation.NONE)

    assert "environment/bin/python" == python
    assert os.access(tmp_path / python, os.X_OK)
    assert {"command": ["./a"]} == with_python({"command": ["./a"]}, rules, folder=competition, base=tmp_path)
    assert {"bot": "bot.py"} == with_python({"bot": "bot.py"}, inside, folder=competition, base=tmp_path)


def test_a_digest_goes_by_names_modes_and_contents(folder, tmp_path):
    def digest(name="bot.py", data=BOT, mode=0o644):
        place = tmp_path / f"{name} {len(data)} {mode}"
        (place / "sub").mkdir(parents=True, exist_ok=True)
        (place / "sub" / name).write_bytes(data)
        (place / "sub" / name).chmod(mode)
        return program_digest(place)

    assert digest() == digest()
    assert 4 == len({digest(), digest(name="other.py"), digest(data=BOT + b"\n"), digest(mode=0o755)})
