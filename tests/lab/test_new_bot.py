"""`tournament bot new`: what it writes works as it is."""

from __future__ import annotations

import subprocess
import sys

import pytest
from needs import need_programs

from tournament.errors import GameError, UsageError
from tournament.games import game_names
from tournament.lab.check.examination import check_bot
from tournament.lab.check.report import format_check
from tournament.lab.new_bot import BotLanguage, new_bot

PROGRAMS = {BotLanguage.NODE: "node", BotLanguage.C: "cc"}


@pytest.mark.parametrize("game", ["scout", "explorers"])
@pytest.mark.parametrize("language", BotLanguage)
def test_a_new_bot_passes_its_own_test_and_the_check(game, language, tmp_path):
    """A working start with a test, in each language."""
    program = PROGRAMS.get(language)
    if program is not None:
        need_programs(program)
    folder = new_bot("my_bot", game=game, language=language, folder=tmp_path / "my_bot")
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    report = check_bot(f"{folder}/tournament.yaml#my_bot", games=10)

    assert 0 == tested.returncode, tested.stdout
    assert "1 passed" in tested.stdout
    assert report.passed, format_check(report)


def test_nothing_is_left_to_fill_in(tmp_path):
    """A working start."""
    for language in BotLanguage:
        folder = new_bot("my_bot", game="scout", language=language, folder=tmp_path / language)
        texts = [path.read_text() for path in folder.iterdir()]

        assert 4 == len(texts)
        assert all("$" + word not in text for text in texts for word in ("name", "title", "game", "entry"))


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
