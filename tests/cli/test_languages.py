"""The language that a command speaks: by `--language`, or as the environment has it."""

from __future__ import annotations

import re

import pytest
from languages.pseudo import pseudo_language, translations, unmarked_in_text
from typer.testing import CliRunner

from tournament import run_tournament
from tournament.cli.app import app, every_command
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.languages import Language, present_language

GERMAN = {"The Great Explorers": "Die großen Entdecker", "players": "Spieler"}
SHOWING = {
    *("run", "resume", "extend", "final", "watch", "play", "standings", "compare", "replay", "report", "serve"),
    *("analyse", "whatif", "game list", "game show"),
}


def call(*words, **variables):
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200", **variables})


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run."""
    source, _ = with_flags(
        default_source(),
        seed="languages",
        budget=Budget(deals=1),
        games=("scout:2",),
        bots=("bots/random_legal.py", "bots/scout_swift.py"),
        isolation="none",
    )
    return run_tournament(resolve(source), out=tmp_path_factory.mktemp("spoken") / "run")


@pytest.mark.parametrize("tag", ["de", "de_AT", "de-CH", "DE"])
def test_a_command_speaks_the_language_that_is_asked_for(tag):
    with translations(Language.GERMAN, GERMAN):
        shown = call("game", "list", "--language", tag).output

    assert "De store oppdagere (Die großen Entdecker)" in shown
    assert "Spieler" in shown


def test_a_command_speaks_the_language_of_the_environment():
    with translations(Language.GERMAN, GERMAN):
        shown = call("game", "list", LC_ALL="", LC_MESSAGES="", LANG="de_DE.UTF-8").output

    assert "Die großen Entdecker" in shown


def test_the_language_that_is_asked_for_goes_before_that_of_the_environment():
    with translations(Language.GERMAN, GERMAN):
        shown = call("game", "list", "--language", "en", LC_ALL="", LC_MESSAGES="", LANG="de_DE.UTF-8").output

    assert "The Great Explorers" in shown


def test_after_a_command_its_language_is_spoken_no_more():
    call("game", "list", "--language", "pl")

    assert Language.ENGLISH is present_language()


def test_a_language_that_nobody_speaks_is_refused_with_those_that_there_are():
    done = call("game", "list", "--language", "fr")

    assert (
        "--language fr: there is en (English), de (Deutsch), pl (polski), es (español), nb (norsk bokmål). "
        "Give one of these."
    ) == str(done.exception)


def test_without_its_extra_another_language_is_refused_and_english_is_not(monkeypatch):
    monkeypatch.setattr("tournament.languages.knows_languages", lambda: False)

    assert "--language de needs its extra. Install it: pip install 'tournament[languages]'" == str(
        call("game", "list", "--language", "de").exception
    )
    assert 0 == call("game", "list", "--language", "en").exit_code


def test_every_command_that_shows_games_and_tables_can_be_asked_for_a_language():
    speaking = {words for _, words, function in every_command() if "language" in function.__annotations__}

    assert SHOWING <= speaking


@pytest.mark.parametrize("form", ["json", "csv"])
def test_json_and_csv_are_english_in_every_language(run, form):
    english = call("standings", run, "--format", form)
    with pseudo_language():
        german = call("standings", run, "--format", form, "--language", "de")

    assert (0, english.stdout) == (german.exit_code, german.stdout)


def test_the_json_of_games_is_english_in_every_language():
    with pseudo_language():
        assert (
            call("game", "show", "explorers", "--json").output
            == call("game", "show", "explorers", "--json", "--language", "de").output
        )


def test_games_and_their_options_are_shown_in_the_language_that_is_asked_for():
    allowed = ["SCOUT", "scout", "De store oppdagere", "explorers", "stall_limit", "move_limit", "turn", "null"]
    allowed += ["games: [{game: explorers, players: 2, options: {stall_limit: 20}}]"]
    with pseudo_language():
        shown = [call("game", *words, "--language", "de").output for words in (["list"], ["show", "explorers"])]

    assert [] == [one for text in shown for one in unmarked_in_text(text, allowed=allowed)]


LINES = ("tournament", "scout", "random_legal", "scout_swift", "RUN", "audit", "standings", "replay", "ab", "aa")
"""Words of files, commands and names in what a run prints, and the letters of those who are tied."""

NAMED = (re.compile(r"scout-2p(\.\d+)*"), re.compile(r"\S*/\S*"), re.compile(r"[0-9a-f]{64}"))
"""Ids, places on the disk, and seeds."""


@pytest.fixture
def played(tmp_path):
    """Returns what prints a command about a small run in the language of the brackets; the run itself comes first."""
    bots = "bots/random_legal.py,bots/scout_swift.py"
    words = ("--game", "scout:2", "--bots", bots, "--deals", "1", "--seed", 64 * "5")
    folder = tmp_path / "played"

    def printed(*command):
        with pseudo_language():
            return call(*command, "--language", "de").output

    return folder, printed, printed("run", *words, "--isolation", "none", "--out", folder)


def test_what_a_run_prints_at_its_start_and_its_end_is_in_the_language_that_is_asked_for(played):
    folder, printed, said = played
    more = re.sub(r"\b[0-9a-f]{64}\b", "", printed("extend", folder, "--deals", "1"))  # the seed, which is drawn

    assert "⟦Check everything:⟧" in said
    assert "⟦, segment⟧ 1" in more
    assert [] == [one for text in (said, more) for one in unmarked_in_text(text, allowed=[*LINES, *NAMED, "played"])]


def test_how_a_run_stands_is_told_in_the_language_that_is_asked_for(played):
    folder, printed, _ = played
    said = printed("watch", folder, "--once")

    assert "⟦Complete:⟧ 2 ⟦of⟧ 2 ⟦games⟧" in said
    assert [] == unmarked_in_text(said, allowed=[*LINES, *NAMED])


def test_the_table_of_another_way_is_in_the_language_that_is_asked_for(played, tmp_path):
    folder, printed, _ = played
    game = f"{folder}#scout-2p.0.000000.0"
    said = printed("whatif", game, "--move", "1", "--bot", "bots/random_legal.py", "--out", tmp_path / "other.jsonl")

    assert "⟦margin of seat⟧" in said
    assert [] == unmarked_in_text(said, allowed=[*LINES, *NAMED])


def test_what_a_program_reads_of_a_run_is_in_english_whatever_is_printed(played):
    folder, printed, _ = played
    events = folder.with_name("events.jsonl")
    printed("extend", folder, "--deals", "1", "--events", events)

    assert "⟦" not in events.read_text() + (folder / "run.json").read_text() + (folder / "standings.json").read_text()
