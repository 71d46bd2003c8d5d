"""With how many players a bot plays, where it says so, and what is refused for it before anything is played."""

from __future__ import annotations

import json
import sys

import pytest
from typer.testing import CliRunner

from tournament import BotError, Budget, Run, plan, run_tournament
from tournament.cli.app import app
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.configuration.validation import validate_with_bots
from tournament.entrants.entries import entrants_from
from tournament.lab.check.examination import check_bot
from tournament.lab.guide import entrants_for
from tournament.paths import data_folder
from tournament.ranking.sources import read_sources

RANDOM = str(data_folder("bots") / "random_legal.py")
PAIR = """
from tournament import Bot

class Pair(Bot):
    games = ("scout",)
    players = (2,)

    def start(self, info):
        assert info.players == 2

    def act(self, view):
        return view.legal_actions()[0]
"""
REFUSED = (
    '"pair" plays with 2 players, and not scout with 3. Take scout with 3 players out, name another bot, '
    "or write players: [2] in its entry, which leaves it out of other tables."
)
PROGRAM = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        answer = {"type": "ready", "players": [2]}
    elif request["type"] == "start":
        answer = {"type": "ok"}
    elif request["type"] == "act":
        answer = {"type": "action", "action": request["legal"][0]}
    elif request["type"] == "quit":
        break
    else:
        continue
    print(json.dumps({**answer, "id": request["id"]}), flush=True)
"""


@pytest.fixture
def configured(tmp_path):
    """Returns a function that writes a configuration of SCOUT with some random bots and one entry more."""
    (tmp_path / "pair.py").write_text(PAIR)
    (tmp_path / "program.py").write_text(PROGRAM)

    def write(entry="pair.py", players=(2, 3), isolation="none"):
        bots = [{"name": f"random {number}", "bot": RANDOM} for number in range(3)]
        path = tmp_path / "event.yaml"
        path.write_text(
            f"games: [{{game: scout, players: {list(players)}, options: {{move_limit: 20}}}}]\n"
            f"bots: {json.dumps([*bots, entry])}\n"
            f"isolation: {isolation}\nbudget: {{deals: 1}}\nseed: 1\n"
        )
        return path

    return write


def bot_of(folder, text, **entry):
    (folder / "some.py").write_text(f"from tournament import Bot\n{text}")
    (entrant,) = entrants_from([{"bot": "some.py", **entry}], base=folder)
    return entrant.bots[0]


@pytest.mark.parametrize(
    ("written", "players"),
    [
        ("players = (2, 3)", (2, 3)),
        ("players = [4]", (4,)),
        ("players: tuple[int, ...] = (2,)", (2,)),
        ("players = ()", ()),
        ("pass", ()),
        ("players = 0  # of an older bot: told in start", ()),
        ("players = None", ()),
        ("players: int", ()),
    ],
)
def test_the_players_of_a_class_are_read_without_running_it(written, players, tmp_path):
    """As its games are; what older bots used the name for is no number of players."""
    assert players == bot_of(tmp_path, f"class A(Bot):\n    {written}\n    def act(self, view): ...\n").players


def test_the_players_of_a_base_hold_for_what_derives_from_it(tmp_path):
    """As its games do."""
    text = "class Base(Bot):\n    players = (3,)\nclass A(Base):\n    def act(self, view): ...\n"

    assert (3,) == bot_of(tmp_path, text).players


@pytest.mark.parametrize("written", ["2", "(1,)", "('2',)", "tuple(range(2, 4))", "(True,)"])
def test_players_that_cannot_be_read_are_refused_with_what_to_write(written, tmp_path):
    """Silently taken for every number, the bot would fail in its games."""
    with pytest.raises(BotError, match=r"The players of A in some\.py cannot be read.*players = \(2,\)"):
        bot_of(tmp_path, f"class A(Bot):\n    players = {written}\n    def act(self, view): ...\n")


def test_an_entry_says_with_how_many_its_bot_is_to_play(tmp_path):
    """One number or several, of those that the bot plays with."""
    text = "class A(Bot):\n    players = (2, 3)\n    def act(self, view): ...\n"

    assert ((3,), (2, 3)) == (bot_of(tmp_path, text, players=3).seated, bot_of(tmp_path, text, players=[2, 3]).seated)
    with pytest.raises(BotError, match=r"plays with 2 or 3 players, not with 4\. Leave 4 out of players"):
        bot_of(tmp_path, text, players=[2, 4])
    with pytest.raises(BotError, match=r"a list of numbers of players, such as players: \[2, 3\]"):
        bot_of(tmp_path, text, players="two")


@pytest.mark.parametrize("entry", [{"players": 7}, {"players": [3, 7]}, {"players": 7, "games": ["scout"]}])
def test_a_number_of_players_that_no_game_of_the_bot_has_is_refused(entry, tmp_path):
    """The bot would silently play nothing with it."""
    with pytest.raises(BotError, match=r"players of some\.py has 7, and no game .*scout with 2 to 5.*Leave 7 out\."):
        bot_of(tmp_path, "class A(Bot):\n    def act(self, view): ...\n", **entry)


def test_a_fingerprint_does_not_depend_on_where_a_bot_is_to_play(tmp_path):
    """Its program is the same."""
    text = "class A(Bot):\n    def act(self, view): ...\n"

    assert bot_of(tmp_path, text).fingerprint == bot_of(tmp_path, text, players=[2]).fingerprint


def test_a_bot_that_stopped_to_play_a_table_of_its_run_is_told_to_be_put_back(configured, tmp_path):
    """The configuration of a run stays as it is, so what to change in it is no help."""
    bot = tmp_path / "pair.py"
    bot.write_text(PAIR.replace("    players = (2,)\n", "").replace("assert info.players == 2", "pass"))
    run = run_tournament(configured(players=[3]), out=tmp_path / "run")
    bot.write_text(PAIR)

    with pytest.raises(BotError, match=r'"pair" now plays with 2 players, and .*run has scout with 3: .*Put its code'):
        Run.open(run).extend(budget=Budget(deals=1))


def test_run_plan_and_validate_refuse_a_table_that_a_bot_does_not_play(configured, tmp_path):
    """Before anything is played, with a sentence that says what to do."""
    path = configured()
    for refusing in (lambda: run_tournament(path, out=tmp_path / "run"), lambda: plan(path)):
        with pytest.raises(BotError) as caught:
            refusing()
        assert REFUSED == str(caught.value)
    (problem,) = validate_with_bots([path])

    assert (REFUSED, False) == (problem.text, (tmp_path / "run").exists())
    assert [] == validate_with_bots([configured(players=(2,))])


def test_an_entry_leaves_a_bot_out_of_other_tables(configured):
    """What the sentence says to do."""
    groups = resolve(read_configuration(configured({"bot": "pair.py", "players": [2]}))).groups

    assert {"scout-2p": True, "scout-3p": False} == {group.name: "pair" in group.entrants for group in groups}


def test_standings_say_that_its_entry_leaves_a_bot_out_of_a_table(configured, tmp_path):
    """Else nobody knows why no game of it counts there."""
    run = run_tournament(configured({"bot": "pair.py", "players": [2]}), out=tmp_path / "run")

    assert "pair takes no part in scout-3p: `players` in its entry leaves it out there." in read_sources([run]).notes


def test_a_run_is_not_resumed_with_a_bot_that_plays_with_others_now(configured, tmp_path):
    """A bot that was changed is refused in any case; this one says why it could not play on."""
    run = Run.begin(configured(players=(3,), entry=RANDOM), tmp_path / "run")
    run.play()
    path = tmp_path / "run" / "tournament.yaml"
    path.write_text(path.read_text().replace(f"- {RANDOM}", f"- {tmp_path / 'pair.py'}"))
    with pytest.raises(BotError, match="and not scout with 3"):
        Run.open(tmp_path / "run").extend(budget=Budget(deals=1))


@pytest.mark.parametrize("refusing", ["run", "plan"])
def test_a_program_says_it_in_ready_and_is_refused_before_the_first_game(refusing, configured, tmp_path):
    """Its `ready` is heard when every bot is started once."""
    entry = {"name": "program", "command": [sys.executable, "program.py"], "games": ["scout"]}
    path = configured(entry, isolation="process")
    with pytest.raises(BotError, match=r'"program" says in `ready` that it does not play with 3 players\. Take scout'):
        run_tournament(path, out=tmp_path / "run") if refusing == "run" else plan(path)

    assert not (tmp_path / "run").exists()


def test_a_program_is_not_refused_where_its_entry_leaves_it_out_of_other_tables(configured):
    """As the sentence says, in one way or the other."""
    entry = {"name": "program", "command": [sys.executable, "program.py"], "games": ["scout"], "players": [2]}

    assert {} == plan(configured(entry, isolation="process")).cannot_start


def test_bot_list_shows_it(configured, tmp_path):
    """In the table and as JSON."""
    configured()
    shown = CliRunner().invoke(app, ["bot", "list", str(tmp_path / "pair.py")]).stdout
    (facts,) = json.loads(CliRunner().invoke(app, ["bot", "list", str(tmp_path / "pair.py"), "--json"]).stdout)

    assert "scout, 2 players" in shown
    assert [2] == facts["players"]


def test_bot_check_plays_with_the_players_that_the_bot_names(configured, tmp_path):
    """With others it would fail."""
    configured()
    report = check_bot(str(tmp_path / "pair.py"), games=4)

    assert (True, True) == (report.passed, report.steps[0].found.endswith("plays scout with 2 players"))


def test_bot_check_plays_the_tables_of_a_configuration(configured):
    """With its options, and no others."""
    report = check_bot(f"{configured(players=(3,), entry=RANDOM)}#random 0", isolation="none", games=3)

    assert (True, 3) == (report.passed, report.figures["games"])
    assert report.steps[0].found.endswith("plays scout with 3 players")
    assert "in 1 game, one of each kind" in report.steps[3].found


def test_bot_check_fails_at_a_table_of_the_configuration_that_the_bot_does_not_play(configured):
    """With the sentence of the run."""
    report = check_bot(f"{configured()}#pair")

    assert (False, REFUSED) == (report.passed, report.steps[0].found)


def test_a_program_that_refuses_in_ready_is_checked_at_the_other_tables(configured, tmp_path):
    """Unless a configuration says what it is to play."""
    entry = {"name": "program", "command": [sys.executable, "program.py"], "games": ["scout"]}
    path = configured(entry, isolation="process")
    failed = next(step for step in check_bot(f"{path}#program").steps if step.verdict == "failed")
    alone = check_bot(f"{sys.executable} {tmp_path / 'program.py'}", is_command=True, games=2)

    assert "start: ready says that it does not play with 3 players" in failed.found
    assert "such as players: [2]" in failed.advice
    assert "it does not play scout with 3 players; it does not play scout with 4 players" in alone.steps[1].found


def test_a_bot_is_no_guide_and_no_opponent_at_a_table_it_does_not_play(configured, tmp_path):
    """`tournament play`, `replay --hints` and `whatif` ask bots, too."""
    configured()
    with pytest.raises(BotError, match="pair plays with 2 players, and this table has 3"):
        entrants_for("scout", [str(tmp_path / "pair.py")], players=3)
    assert "pair" == entrants_for("scout", [str(tmp_path / "pair.py")], players=2)[0].name
