"""Configurations: files and flags, resolved."""

from __future__ import annotations

import re

import pytest

from tournament.configuration.file import default_source, read_configuration
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.errors import BotError, ConfigurationError, GameError
from tournament.paths import data_folder
from tournament.records.run import Until
from tournament.records.settings import ClockEntry

BOTS = data_folder("bots")
GOOD = f"""name: open-2026
seed: 20261130
games:
  - {{game: scout, players: [3, 4]}}
  - {{game: explorers, players: 2, options: {{stall_limit: 12}}}}
bots:
  - {BOTS}/random_legal.py
  - {{name: keeper, scout: {BOTS}/scout_keeper.py, explorers: {BOTS}/explorers_planner.py}}
  - {{name: second, bot: {BOTS}/random_legal.py}}
  - {{name: third, bot: {BOTS}/random_legal.py}}
schedule: round-robin
budget: {{deals: 20}}
isolation: none
"""


def written(tmp_path, text):
    path = tmp_path / "open.yaml"
    path.write_text(text)
    return path


def test_a_whole_configuration_is_read(tmp_path):
    found = resolve(read_configuration(written(tmp_path, GOOD)))

    assert "open-2026" == found.name
    assert "20261130" == found.master
    assert ["scout-3p", "scout-4p", "explorers-2p"] == [group.name for group in found.groups]
    assert 12 == found.groups[2].options.stall_limit
    assert ["random_legal", "keeper", "second", "third"] == [entrant.name for entrant in found.entrants]


def test_entrants_are_named_as_runs_name_them_wherever_a_configuration_does(tmp_path):
    """Two ways to write one letter are one name."""
    text = GOOD.replace("second", "a\u030ase").replace(
        "round-robin", "gauntlet\nfocus: [a\u030ase]\ntrace: [a\u030ase]"
    )
    source = read_configuration(written(tmp_path, text))
    found = resolve(source)

    assert (("\u00e5se",), ("\u00e5se",)) == (found.focus, found.hosting.trace)
    assert "\u00e5se" == source.file.bots[2]["name"]
    assert found.focus == resolve(with_flags(source, focus=["a\u030ase"])[0]).focus


def test_seed_nought_is_a_seed(tmp_path):
    """Seed 0 is a seed."""
    found = resolve(read_configuration(written(tmp_path, GOOD.replace("20261130", "0"))))

    assert ("0", True) == (found.master, found.master_given)


def test_without_a_seed_one_is_drawn(tmp_path):
    """Drawn when left out."""
    path = written(tmp_path, GOOD.replace("seed: 20261130\n", ""))

    assert resolve(read_configuration(path)).master != resolve(read_configuration(path)).master


def test_the_stored_copy_withholds_the_seed(tmp_path):
    """The stored copy says `seed: withheld`."""
    text = resolve(read_configuration(written(tmp_path, GOOD))).text

    assert "20261130" not in text.replace("open-2026", "")
    assert "seed: withheld" in text


def test_without_a_file_four_entrants_play_both_games():
    """Random, cautious, steady, strong; SCOUT with 3, explorers with 2."""
    found = resolve(default_source())

    assert ["random", "cautious", "steady", "strong"] == [entrant.name for entrant in found.entrants]
    assert ["scout-3p", "explorers-2p"] == [group.name for group in found.groups]
    assert all(len(group.entrants) == 4 for group in found.groups)


@pytest.mark.parametrize("text", ["", "# nothing but a comment", "{}"])
def test_an_empty_file_is_refused(tmp_path, text):
    """A file that says nothing was meant to say something; the default has no file."""
    with pytest.raises(ConfigurationError, match=r"nothing is in it. Write what is played, such as games: \["):
        read_configuration(written(tmp_path, text))


def test_a_field_without_a_value_is_refused(tmp_path):
    """`bots:` with nothing behind it was meant to name bots."""
    with pytest.raises(ConfigurationError, match=r"line 2: bots has no value\. .* For example: bots: \["):
        read_configuration(written(tmp_path, "name: x\nbots:\n"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("schedule: round-robin", "shedule: round-robin"), r'line 11: "shedule" is not known.*mean "schedule"'),
        (("players: [3, 4]", "players: [3, 4], plyers: 2"), r'line 4: "plyers" is not known.*mean "players"'),
        (("deals: 20", "deals: 0"), "line 12: .*a whole number from 1, found 0"),
        (("deals: 20", "deels: 20"), 'line 12: "deels" is not known'),
        (("seed: 20261130", "seed: [1]"), "line 2: "),
        (("seed: 20261130", "seed: {a: 1}"), "line 2: "),
        (
            ("name: open-2026", "name: [2026]"),
            r"line 1: name: expected a text of 1 to 64 characters, found \[2026\]. For example: name",
        ),
        (("name: open-2026", "seed: 3\nname: x"), "a second time"),
        (("games:", "games: ["), "is not YAML"),
    ],
)
def test_a_misfit_is_told_with_its_line(tmp_path, change, words):
    """Unknown keys are errors with line number and did-you-mean."""
    path = written(tmp_path, GOOD.replace(*change))

    with pytest.raises(ConfigurationError, match=words):
        resolve(read_configuration(path))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("players: [3, 4]", "players: [3, 9]"), "scout is for 2 to 5 players, not 9"),
        (("stall_limit", "stall_limt"), 'no option "stall_limt".*mean "stall_limit"'),
        (("stall_limit: 12", "stall_limit: many"), "Options of explorers"),
        (("game: scout", "game: scuot"), 'no game "scuot".*mean "scout"'),
    ],
)
def test_a_wrong_game_is_told(tmp_path, change, words):
    """Errors name what was expected and what was found."""
    path = written(tmp_path, GOOD.replace(*change))

    with pytest.raises(GameError, match=words):
        resolve(read_configuration(path))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("schedule: round-robin", "schedule: round-robbin"), "round-robbin"),
        (
            ("isolation: none", "isolation: nowhere"),
            r'line 13: isolation: expected one of none, process, sandbox, found "nowhere"',
        ),
        (("players: [3, 4]", "players: [5]"), "needs at least 5 entrants that play it, but only 4 do"),
        (("players: [3, 4]", "players: [3, 3]"), "stands twice"),
        (("budget:", "weights: {scuot: 1}\nbudget:"), 'weights: "scuot".*mean "scout"'),
        (("budget:", "weights: {scout: 1}\nbudget:"), "explorers is missing"),
        (("budget:", "deals_from: seeds/open.yaml\nbudget:"), "exclude each other"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path, change, words):
    """Any other value is refused by name."""
    path = written(tmp_path, GOOD.replace(*change))

    with pytest.raises(ConfigurationError, match=words):
        resolve(read_configuration(path))


def test_a_bot_that_is_missing_is_told(tmp_path):
    """The kind of error is that of bots."""
    path = written(tmp_path, GOOD.replace("scout_keeper", "scout_keepr"))

    with pytest.raises(BotError, match="scout_keeper"):
        resolve(read_configuration(path))


def test_a_missing_file_is_told(tmp_path):
    """Never a traceback for a user's mistake."""
    with pytest.raises(ConfigurationError, match="There is no configuration"):
        read_configuration(tmp_path / "none.yaml")


def test_weights_are_shares(tmp_path):
    """W = 1/2 each unless the configuration says otherwise."""
    given = GOOD.replace("budget:", "weights: {scout: 3, explorers: 1}\nbudget:")

    assert {"scout": 0.5, "explorers": 0.5} == resolve(read_configuration(written(tmp_path, GOOD))).weights
    assert {"scout": 0.75, "explorers": 0.25} == resolve(read_configuration(written(tmp_path, given))).weights


def test_a_flag_beats_the_file_and_says_so(tmp_path):
    """A flag beats the file and says so."""
    source = read_configuration(written(tmp_path, GOOD))
    source, notes = with_flags(source, games=("scout:3",), budget=Budget(deals=2), seed="x")
    found = resolve(source)

    assert ["scout-3p"] == [group.name for group in found.groups]
    assert "x" == found.master
    assert [f"games: the flag stands in for line 3 of {tmp_path}/open.yaml."] == notes[:1]
    assert 3 == len(notes)


def test_bots_of_a_flag_are_given_one_by_one_or_with_commas(tmp_path, monkeypatch):
    """As `play --against` takes them; the path of a file may have a comma itself."""
    (tmp_path / "a,b.py").touch()
    (tmp_path / "c.py").touch()
    monkeypatch.chdir(tmp_path)
    source, _ = with_flags(default_source(), bots=("a,b.py", "c.py, bots/random_legal.py", "pkg.mod:Bot"))

    assert (f"{tmp_path}/a,b.py", f"{tmp_path}/c.py", "bots/random_legal.py", "pkg.mod:Bot") == source.file.bots


def test_a_goal_is_named_with_a_space_or_a_hyphen():
    """A word of a file has a space, which a shell would cut at."""
    goals = [with_flags(default_source(), until=text)[0].file.until for text in ("decided", "all pairs", "all-pairs")]

    assert [Until.DECIDED, Until.ALL_PAIRS, Until.ALL_PAIRS] == goals


def test_a_goal_that_there_is_not_is_answered_with_the_words_that_a_shell_completes():
    with pytest.raises(ConfigurationError, match=r"Choose from: decided, all-pairs, sprt\.$"):
        with_flags(default_source(), until="all")


def test_a_clock_is_the_time_of_a_move_and_the_bank():
    """In milliseconds."""
    source, _ = with_flags(default_source(), clock="500+2000")

    assert ClockEntry(move_ms=500, bank_ms=2000) == source.file.clock


def test_a_clock_without_a_bank_leaves_the_others_as_they_are_in_the_file(tmp_path):
    """Also the time for the start, which the flag has no words for."""
    text = GOOD + "clock: {bank_ms: 7, start_ms: 9}\n"
    source, _ = with_flags(read_configuration(written(tmp_path, text)), clock="500")

    assert ClockEntry(move_ms=500, bank_ms=7, start_ms=9) == source.file.clock


@pytest.mark.parametrize("text", ["", "0", "1+", "+5", "1.5", "fast", "-1", "1+2+3"])
def test_a_clock_that_is_no_time_is_refused(text):
    """With an example."""
    with pytest.raises(ConfigurationError, match=r"1000\+10000"):
        with_flags(default_source(), clock=text)


def test_an_empty_flag_of_bots_is_refused():
    """It would be the current folder: a variable of a shell that is not set."""
    with pytest.raises(ConfigurationError, match="expected a bot, found nothing"):
        with_flags(default_source(), bots=("",))


@pytest.mark.parametrize("flag", ["scout", "scout:", "scout:three", "scout:3,,4"])
def test_a_game_flag_without_players_is_refused(flag):
    """--game scout:3,4."""
    with pytest.raises(ConfigurationError, match="such as scout:3"):
        with_flags(default_source(), games=(flag,))


def test_a_deal_suite_that_is_missing_is_told_with_those_that_come_along(tmp_path):
    """Installed, there is no folder of them to look into."""
    text = GOOD.replace("seed: 20261130\n", "deals_from: seeds/opn.yaml\n")

    with pytest.raises(ConfigurationError, match=r'Did you mean "seeds/open.yaml"\? These come along: .*seeds/smoke'):
        resolve(read_configuration(written(tmp_path, text)))


def test_a_deal_suite_gives_the_deals(tmp_path):
    """`deals_from: seeds/open.yaml`, found beside the file or among those that come along."""
    text = GOOD.replace("seed: 20261130\n", "deals_from: seeds/open.yaml\n")

    assert "open" == resolve(read_configuration(written(tmp_path, text))).suite.name


@pytest.mark.parametrize(
    ("written_as", "read_as"),
    [
        ("010", "010"),
        ("0x10", "0x10"),
        ("1:30", "1:30"),
        ("1_000", "1_000"),
        ("no", "no"),
        ("2020-01-01", "2020-01-01"),
        ("1.50", "1.50"),
        ("9" * 5000, "9" * 5000),
        ("7", 7),
        ('"7"', "7"),
    ],
)
def test_a_seed_is_what_is_written(tmp_path, written_as, read_as):
    """YAML makes 8 of 010, 16 of 0x10 and 90 of 1:30."""
    source = read_configuration(written(tmp_path, f"seed: {written_as}\n"))

    assert source.file.seed == read_as


def test_texts_of_an_entrant_are_what_is_written_and_its_parameters_are_values(tmp_path):
    """A bot may be called no, and have version 1.10."""
    text = "name: no\nbots: [{name: off, bot: 12.py, version: 1.10, env: {A: 010}, params: {deep: no, width: 2}}]\n"
    source = read_configuration(written(tmp_path, text))
    entry = {
        "name": "off",
        "bot": "12.py",
        "version": "1.10",
        "env": {"A": "010"},
        "params": {"deep": False, "width": 2},
    }

    assert (source.file.name, source.file.bots) == ("no", (entry,))


def test_yes_and_no_are_still_answers_where_one_is_due(tmp_path):
    """As 0.1.0 read them."""
    assert read_configuration(written(tmp_path, "compress: yes\n")).file.compress is True


@pytest.mark.parametrize(("written", "read"), [("1_0", 10), ("+3", 3), ("010", 8), ("0x10", 16), ("1:30", 90)])
def test_a_number_that_yaml_reads_otherwise_than_people_is_refused(tmp_path, written, read):
    path = tmp_path / "mine.yaml"
    path.write_text(f"games: [{{game: scout, players: 3}}]\nbudget: {{deals: {written}}}\n")

    with pytest.raises(
        ConfigurationError, match=rf"line 2: YAML reads {re.escape(written)} as {read}\. Write a number"
    ):
        read_configuration(path)


def test_the_configuration_of_a_run_is_read_as_it_was_when_the_run_began(tmp_path):
    (tmp_path / "run.json").touch()
    path = tmp_path / "tournament.yaml"
    path.write_text("games: [{game: scout, players: 3}]\nbudget: {deals: 1_0}\n")

    assert 10 == read_configuration(path).file.budget.deals
