"""`tournament bot new`: what it writes works as it is."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest
from needs import need_programs

from tournament import validate
from tournament.errors import GameError, UsageError
from tournament.games import game_names
from tournament.lab.check.examination import check_bot
from tournament.lab.check.report import format_check
from tournament.lab.new_bot import BotLanguage, new_bot
from tournament.records.schema import modeline_of

PROGRAMS = {BotLanguage.NODE: "node", BotLanguage.C: "cc"}


GAMES = ("scout", "explorers")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A new bot of each language for each game, where its program is: their folders, by name."""
    folder = tmp_path_factory.mktemp("made")
    return {
        name: new_bot(name, game=game, language=language, folder=folder / name)
        for language in BotLanguage
        if language not in PROGRAMS or shutil.which(PROGRAMS[language])
        for game in GAMES
        for name in [f"{language}_{game}"]
    }


@pytest.fixture(scope="module")
def tested(made):
    """What pytest says of all their tests; one process, because to begin one takes longer than such a test."""
    words = ["-m", "pytest", "--verbose", "-p", "no:cacheprovider", *map(str, made.values())]
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", BotLanguage)
def test_a_new_bot_passes_its_own_test_and_the_check(game, language, made, tested):
    """A working start with a test, in each language."""
    if language in PROGRAMS:
        need_programs(PROGRAMS[language])
    name = f"{language}_{game}"
    report = check_bot(f"{made[name]}/tournament.yaml#{name}", games=4)

    assert f"test_{name}.py::test_it_plays_without_a_fault PASSED" in tested
    assert report.passed, format_check(report)


def test_nothing_is_left_to_fill_in(tmp_path):
    """A working start."""
    for language in BotLanguage:
        folder = new_bot("my_bot", game="scout", language=language, folder=tmp_path / language)
        texts = [path.read_text() for path in folder.iterdir()]

        assert (4 if language is BotLanguage.PYTHON else 5) == len(texts)
        assert all("$" + word not in text for text in texts for word in ("name", "title", "game", "entry"))


@pytest.mark.parametrize("language", PROGRAMS)
def test_what_an_arena_must_know_is_valid_and_names_its_schema_for_editors(tmp_path, language):
    path = new_bot("my_bot", game="scout", language=language, folder=tmp_path / language) / "bot.yaml"

    assert () == validate(path)
    assert modeline_of("bot.v1") == path.read_text().splitlines()[0]


@pytest.mark.parametrize("name", ["", "My Bot", "../bot", "1st", "a" * 41])
def test_a_name_that_is_no_file_name_is_refused(name, tmp_path):
    """Errors say what to do."""
    with pytest.raises(UsageError, match="such as my_bot"):
        new_bot(name, game="scout", folder=tmp_path / "bot")


def test_nothing_is_written_over(tmp_path):
    """Errors say what to do."""
    new_bot("my_bot", game="scout", folder=tmp_path / "bot")

    with pytest.raises(UsageError, match="exists already"):
        new_bot("my_bot", game="scout", folder=tmp_path / "bot")


def test_a_game_that_is_not_there_is_refused_by_name(tmp_path):
    """Errors say what to do."""
    assert "skat" not in game_names()
    with pytest.raises(GameError, match="skat"):
        new_bot("my_bot", game="skat", folder=tmp_path / "bot")


def test_the_command_takes_every_language():
    """It lists them itself, so that `--help` answers at once."""
    from tournament.cli.bot import LANGUAGES

    assert list(BotLanguage) == list(LANGUAGES)
