"""`tournament bot check`: each step passes for an honest bot and fails for the trouble it is there for (issue 3)."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import textwrap

import pytest

from tournament.errors import UsageError
from tournament.games import load_game
from tournament.lab.checking import NAMES, Verdict, check_bot, format_check
from tournament.lab.checking_positions import fixed_positions
from tournament.records.hosting import Isolation

HONEST = "class Honest(Bot):\n    games = ('explorers',)\n    def act(self, view): return view.legal_actions()[0]\n"
BOT = """
class Troubled(Bot):
    games = ("explorers",)
    {text}
"""
ACT = "def act(self, view): return view.legal_actions()[0]"
CLOCK = "clock: {move_ms: 300, bank_ms: 0, start_ms: 5000, newgame_ms: 2000}"


@pytest.fixture
def written(tmp_path):
    """Returns a function that writes a Python bot and gives its path."""

    def write(text):
        path = tmp_path / "bots" / "bot.py"
        path.parent.mkdir()
        path.write_text("from tournament import Bot\n" + textwrap.dedent(text))
        return str(path)

    return write


@pytest.fixture
def program(tmp_path):
    """Returns a function that writes a program that speaks the protocol, with some trouble, and gives its command."""

    def write(trouble):
        (tmp_path / "program.py").write_text(
            "import json, sys\n"
            "for line in sys.stdin:\n"
            "    request = json.loads(line)\n"
            f"    {trouble}\n"
            "    kind = {'hello': 'ready', 'start': 'ok', 'act': 'action'}.get(request['type'])\n"
            "    if kind:\n"
            "        answer = {'type': kind, 'id': request['id']}\n"
            "        answer |= {'games': ['explorers']} if kind == 'ready' else {}\n"
            "        answer |= {'action': request['legal'][0]} if kind == 'action' else {}\n"
            "        print(json.dumps(answer), flush=True)\n"
        )
        return {"name": "program", "command": [sys.executable, "-I", "-S", "program.py"], "games": ["explorers"]}

    return write


@pytest.fixture
def configured(tmp_path):
    """Returns a function that writes a configuration with an entry and short clocks, and names the bot in it."""

    def write(entry):
        entries = [{"name": "other", "bot": "other.py"}, entry]
        (tmp_path / "other.py").write_text("from tournament import Bot\n" + HONEST)
        games = "games: [{game: explorers, players: 2}]"
        (tmp_path / "set.yaml").write_text(f"{games}\nbots: {json.dumps(entries)}\n{CLOCK}\n")
        return f"{tmp_path}/set.yaml#{entry['name']}"

    return write


def verdicts(report):
    return {step.name: step.verdict for step in report.steps}


def failed(report):
    return [step for step in report.steps if step.verdict is Verdict.FAILED]


@pytest.mark.parametrize("level", [Isolation.NONE, Isolation.PROCESS])
def test_an_honest_bot_passes_every_step(level, written):
    """Issue 3, item 7."""
    report = check_bot(written(HONEST), isolation=level, games=4)

    expected = dict.fromkeys(NAMES, Verdict.PASSED)
    if level is Isolation.NONE:
        expected["memory"] = Verdict.SKIPPED

    assert expected == verdicts(report)
    assert report.passed
    assert report.figures["games"] >= 4


@pytest.mark.parametrize(
    ("level", "why"),
    [
        (Isolation.NONE, "at isolation none a bot has no process of its own"),
        (Isolation.PROCESS, "its process was gone before it could be looked at, as after every fault"),
    ],
)
def test_why_memory_was_not_measured_is_said_as_it_was(level, why, written):
    """A bot that always fails is ended each time: there is nothing left to look at."""
    report = check_bot(written(BOT.format(text="def act(self, view): return 'play'")), isolation=level, games=4)

    assert f"not measured: {why}" == report.steps[-1].found


def test_a_bot_that_is_not_there_fails_the_first_step_and_skips_the_others():
    """Issue 3, item 7: found."""
    report = check_bot("no/such/bot.py")

    assert [Verdict.FAILED] + [Verdict.SKIPPED] * 8 == [step.verdict for step in report.steps]
    assert not report.passed


TROUBLES = {
    "import": ("import nowhere_at_all\n" + HONEST, "loads", "cannot be imported", "nowhere_at_all"),
    "start": (
        BOT.format(text=f"def start(self, info): 1 / 0\n    {ACT}"),
        "starts in time",
        "start raised ZeroDivisionError",
        "line 5",
    ),
    "act": (
        BOT.format(text="def act(self, view): return view.hand[99]"),
        "answers legally in fixed positions",
        "explorers with 2 players, position 1: crash: act raised IndexError",
        "view.hand[99]",
    ),
    "late in the game": (
        BOT.format(
            text="count = 0\n    def act(self, view):\n        self.count += 1\n"
            "        assert self.count < 5, 'five'\n        return view.legal_actions()[0]"
        ),
        "plays games",
        "act raised AssertionError",
        "five",
    ),
    "its own chance": (
        "import random\n"
        + BOT.format(text="def act(self, view): return random.SystemRandom().choice(list(view.legal_actions()))"),
        "same seed, same moves",
        "had other moves when it was played again",
        None,
    ),
    "a slow move": (
        "import time\n" + BOT.format(text="def act(self, view): time.sleep(5)"),
        "answers legally in fixed positions",
        "timeout",
        None,
    ),
}


@pytest.mark.parametrize("case", TROUBLES)
def test_the_step_that_a_trouble_is_for_fails_and_says_what_to_do(case, written, configured):
    """Issue 3, item 7: numbered steps, each with what to do."""
    text, name, found, log = TROUBLES[case]
    report = check_bot(configured({"name": "troubled", "bot": written(text)}), games=4)
    step = failed(report)[0]

    assert name == step.name
    assert found in step.found
    assert log is None or log in (step.log or "")
    assert step.advice
    assert step.advice in format_check(report)


@pytest.mark.parametrize(
    ("trouble", "name"),
    [
        ("print('Welcome!', flush=True) if request['type'] == 'hello' else None", "starts in time"),
        ("print('Good game', flush=True) if request['type'] == 'end' else None", "nothing on stdout"),
        ("hog = bytearray(200 << 20) if request['type'] == 'hello' else None", None),
    ],
)
def test_a_program_is_checked_by_what_it_writes_and_holds(trouble, name, program, configured):
    """Issue 3, item 7: nothing on stdout; memory is measured."""
    report = check_bot(configured(program(trouble)), games=4)

    assert ([name] if name else []) == [step.name for step in failed(report)]
    if name is None:
        assert report.figures["memory_mb"] > 200


def test_a_command_is_checked_as_it_is_written(program, tmp_path):
    """Issue 3, item 7: any language."""
    words = program("pass")["command"]
    report = check_bot(shlex.join([*words[:-1], str(tmp_path / words[-1])]), games=4, is_command=True)
    found = {step.name: step.found for step in report.steps}

    assert report.passed
    assert "its program runs; it does not play scout" == found["loads"]


def test_a_configuration_needs_the_name_of_a_bot(written, configured):
    """Issue 3, item 7: errors say what to do."""
    spec = configured({"name": "honest", "bot": written(HONEST)})

    with pytest.raises(UsageError, match="Say which bot"):
        check_bot(spec.partition("#")[0])


@pytest.mark.parametrize(("name", "players"), [("scout", 4), ("explorers", 2)])
def test_positions_are_fixed_and_begin_with_the_deal(name, players):
    """Issue 3, item 7: fixed positions."""
    game = load_game(name)
    once, again = (fixed_positions(game, players) for _ in range(2))

    assert [state.view(state.to_move) for state in once] == [state.view(state.to_move) for state in again]
    assert 6 == len(once)
    assert 0 == once[0].to_move


def test_the_command_prints_json_and_ends_with_1_when_a_step_fails(written):
    """Issue 3, item 7: --json, exit 1."""
    words = [sys.executable, "-m", "tournament", "bot", "check", written("import nowhere\n" + HONEST), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert 1 == done.returncode
    assert "failed" == json.loads(done.stdout)["steps"][1]["verdict"]
