"""`tournament bot check`: each step passes for an honest bot and fails for the trouble it is there for."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import textwrap

import pytest
from forked_commands import run_command
from languages.pseudo import pseudo_language, unmarked_in_text
from needs import need_programs

from tournament.lab.check.examination import NAMES, check_bot, check_bots, examine
from tournament.lab.check.report import StepVerdict, format_check
from tournament.lab.check.subject import find_bot
from tournament.records.settings import Isolation

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
        path.parent.mkdir(exist_ok=True)
        path.write_text("from tournament import Bot\n" + textwrap.dedent(text))
        return str(path)

    write.folder = tmp_path / "bots"
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
            "    if request['type'] == 'quit': break\n"
            "    kind = {'hello': 'ready', 'start': 'ok', 'act': 'action'}.get(request['type'])\n"
            "    if kind:\n"
            "        answer = {'type': kind, 'id': request['id']}\n"
            "        answer |= {'games': ['explorers']} if kind == 'ready' else {}\n"
            "        answer |= {'action': request['legal'][0]} if kind == 'action' else {}\n"
            "        print(json.dumps(answer), flush=True)\n"
        )
        command = [sys.executable, "-I", "-S", "program.py"]
        return {"name": "program", "command": command, "games": ["explorers"], "players": 2}

    return write


@pytest.fixture
def configured(tmp_path):
    """Returns a function that writes a configuration with an entry and short clocks, and names the bot in it."""

    def write(entry):
        entries = [{"name": "other", "bot": "other.py"}, entry]
        (tmp_path / "other.py").write_text("from tournament import Bot\n" + HONEST)
        games = "games: [{game: explorers, players: [2, 3, 4]}, {game: scout, players: [2, 3, 4, 5]}]"
        (tmp_path / "set.yaml").write_text(f"{games}\nbots: {json.dumps(entries)}\n{CLOCK}\n")
        return f"{tmp_path}/set.yaml#{entry['name']}"

    return write


def verdicts(report):
    return {step.name: step.verdict for step in report.steps}


def verdict_of(report, name):
    return next(step for step in report.steps if step.name == name)


def failed(report):
    return [step for step in report.steps if step.verdict is StepVerdict.FAILED]


@pytest.mark.parametrize("level", [Isolation.NONE, Isolation.PROCESS])
def test_an_honest_bot_passes_every_step(level, written):
    report = check_bot(written(HONEST), isolation=level, games=4)

    expected = dict.fromkeys(NAMES, StepVerdict.PASSED)
    if level is Isolation.NONE:
        expected["memory"] = StepVerdict.SKIPPED

    assert expected == verdicts(report)
    assert report.passed
    assert report.figures["games"] >= 4


def test_processes_that_were_there_before_are_no_bots(written):
    """Whoever checks a bot may have started others, such as a browser."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as other:
        try:
            report = check_bot(written(HONEST), isolation=Isolation.NONE, games=4)
        finally:
            other.kill()

    assert StepVerdict.SKIPPED == verdicts(report)["memory"]


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

    assert f"not measured: {why}" == verdict_of(report, "memory").found


def test_a_bot_that_is_not_there_fails_the_first_step_and_skips_the_others():
    report = check_bot("no/such/bot.py")

    assert [StepVerdict.FAILED] + [StepVerdict.SKIPPED] * 9 == [step.verdict for step in report.steps]
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
        "answers legally in fixed games",
        "explorers-2p, step 2, its decision 1: crash: act raised IndexError",
        "view.hand[99]",
    ),
    "late in the game": (
        BOT.format(
            text="count = 0\n    def act(self, view):\n        self.count += 1\n"
            "        assert self.count < 5, 'five'\n        return view.legal_actions()[0]"
        ),
        "answers legally in fixed games",
        "its decision 5: crash: act raised AssertionError",
        "five",
    ),
    "its own chance": (
        "import random\n"
        + BOT.format(text="def act(self, view): return random.SystemRandom().choice(list(view.legal_actions()))"),
        "same seed, same moves",
        ", in a new process",
        None,
    ),
    "a slow move": (
        "import time\n" + BOT.format(text="def act(self, view): time.sleep(5)"),
        "answers legally in fixed games",
        "timeout: no output within 300 ms: 300 ms that a move is free, and 0 ms left of the 0 ms of its bank",
        None,
    ),
}


@pytest.mark.parametrize("case", TROUBLES)
def test_the_step_that_a_trouble_is_for_fails_and_says_what_to_do(case, written, configured):
    """Numbered steps, each with what to do."""
    text, name, found, log = TROUBLES[case]
    report = check_bot(configured({"name": "troubled", "bot": written(text), "players": 2}), games=4)
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
    """Nothing on stdout; memory is measured."""
    report = check_bot(configured(program(trouble)), games=4)

    assert ([name] if name else []) == [step.name for step in failed(report)]
    if name is None:
        assert report.figures["memory_mb"] > 200


@pytest.fixture
def handed_in(tmp_path, program):
    """Returns a function that writes a folder as it is handed in, with a `bot.yaml` and a bot that is not meant."""
    need_programs("/usr/bin/python3")  # its own Python may lie where no bot may

    def write(lines, trouble="pass"):
        folder = tmp_path / "keeper"
        folder.mkdir()
        program(trouble)
        (tmp_path / "program.py").rename(folder / "made.py")
        (folder / "opponent.py").write_text("from tournament import Bot\n" + HONEST)
        (folder / "bot.yaml").write_text(lines)
        return folder

    return write


STARTED = "command: [/usr/bin/python3, -I, -S, program.py]\ngames: [explorers]\nplayers: [2]\n"


@pytest.mark.parametrize("name", ["", "bot.yaml"])
def test_a_folder_is_checked_by_what_its_bot_file_describes(name, handed_in):
    """And not by a Python file that happens to lie there."""
    folder = handed_in(f"build: [cp, made.py, program.py]\n{STARTED}")
    told = []
    report = check_bot(str(folder / name), games=4, say=told.append)

    assert report.passed, format_check(report)
    assert "keeper" == report.bot
    assert [f"Building keeper in {folder}: cp made.py program.py"] == told
    assert "plays explorers with 2 players" in verdict_of(report, "found").found
    assert not any("opponent" in step.found for step in report.steps)


def test_a_fault_of_what_a_bot_file_describes_is_found(handed_in):
    trouble = "print('Welcome!', flush=True) if request['type'] == 'hello' else None"
    folder = handed_in(f"build: [cp, made.py, program.py]\n{STARTED}", trouble)

    assert ["starts in time"] == [step.name for step in failed(check_bot(str(folder), games=4))]


def test_a_bot_file_without_a_command_goes_with_bot_py(handed_in):
    folder = handed_in("games: [explorers]\nplayers: [2]\n")
    (folder / "bot.py").write_text("from tournament import Bot\n" + BOT.format(text="def act(self, view): return 1"))
    report = check_bot(str(folder), isolation=Isolation.NONE, games=1)

    assert not report.passed
    assert "bot.py" in verdict_of(report, "found").found


def test_a_build_that_fails_is_found(handed_in):
    (step,) = failed(check_bot(str(handed_in(f"build: ['false']\n{STARTED}")), games=1))

    assert "found" == step.name
    assert "build of keeper (false) failed with exit code 1." in step.found


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("comand: [./a]\n", 'bot.yaml, line 1: "comand" is not known here. Did you mean "command"?'),
        ("command: [cat, ../a]\n", 'bot.yaml, line 1: "../a" leads out of what was handed in.'),
        ("players: [2]\n", "bot.yaml: it has no command, and there is no bot.py beside it."),
    ],
)
def test_a_bot_file_that_an_arena_would_refuse_is_refused(lines, told, handed_in):
    done = run_command("bot", "check", str(handed_in(lines)))

    assert 3 == done.code
    assert told in done.err


def test_a_command_is_checked_as_it_is_written(program, tmp_path):
    words = program("pass")["command"]
    report = check_bot(shlex.join([*words[:-1], str(tmp_path / words[-1])]), games=4, is_command=True)
    found = {step.name: step.found for step in report.steps}

    assert report.passed
    assert "its program runs; it does not play scout" == found["loads"]


def test_a_bot_that_redeals_and_remembers_what_it_did_is_asked_nothing_that_no_game_asks(written):
    """Begun in the middle of a game it would see news of moves that it never made, and hands that fit no deal."""
    text = """
        from tournament import load_game

        class Remembers(Bot):
            def start(self, info):
                self.game, self.rng, self.seen, self.did = load_game(info.game), info.rng, [], None

            def act(self, view):
                assert self.seen or not any(one.seat == view.seat for one in view.news)
                own = [one for one in view.news if getattr(one, "seat", None) == view.seat]
                assert self.did is None or own or view.phase != "draw", "what I did came back"
                self.seen.append(view)
                self.game.redeal(self.seen, self.rng)
                self.did = view.legal_actions()[0]
                return self.did
    """
    report = check_bot(written(text), isolation=Isolation.NONE, games=1)

    assert [] == failed(report)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "import random\nRNG = random.Random(42)\n"
            + BOT.format(text="players = (2,)\n    def act(self, view): return RNG.choice(list(view.legal_actions()))"),
            "after other games in the same process",
        ),
        (
            BOT.format(
                text="players = (3, 4)\n    seen = set()\n"
                "    def start(self, info):\n        self.seen.add(info.seat)\n"
                "    def act(self, view): return view.legal_actions()[-1 if len(self.seen) > 2 else 0]"
            ),
            "after other games in the same process",
        ),
    ],
    ids=["a generator of the module", "seats kept in the class"],
)
@pytest.mark.parametrize("level", [Isolation.NONE, Isolation.PROCESS])
def test_what_is_kept_from_one_game_to_the_next_is_found(text, said, level, written):
    """In new processes and in the same order it would play the same."""
    report = check_bot(written(text), isolation=level, games=1)
    (step,) = failed(report)

    assert ("same seed, same moves", True) == (step.name, step.found.endswith(said))
    assert "Keep nothing from one game to the next" in step.advice
    assert re.search(r"step \d+, its decision \d+, was \{.*\}, and \{.*\} the second time", step.found)


def test_a_bot_that_thinks_as_long_as_it_may_is_not_told_to_mend(written):
    """On a busy machine the clock decides; with more time it plays the same."""
    text = (
        "class Watches(Bot):\n    games = ('explorers',)\n    asked = 0\n    def act(self, view):\n"
        "        Watches.asked += 1\n        short = self.clock.move_ms < 2000\n"
        "        return view.legal_actions()[-1 if short and Watches.asked % 5 == 0 else 0]\n"
    )
    report = check_bot(written(text), isolation=Isolation.NONE, games=1)

    assert [] == failed(report)
    assert verdict_of(report, "same seed, same moves").found.startswith("with 4 times its time.")


@pytest.mark.long
def test_a_bot_that_always_thinks_as_long_as_it_may_is_not_told_to_mend(written, configured):
    """How far it gets is for the machine to say; it is found out after one block."""
    text = (
        "import time\nclass Thinks(Bot):\n    games = ('explorers',)\n    def act(self, view):\n"
        "        time.sleep(self.clock.move_ms / 10000)\n"
        "        return view.legal_actions()[-(time.monotonic_ns() // 1000 % 2)]\n"
    )
    report = check_bot(configured({"name": "thinks", "bot": written(text)}), isolation=Isolation.NONE, games=1)
    step = verdict_of(report, "same seed, same moves")

    assert [] == failed(report)
    assert (StepVerdict.SKIPPED, True) == (step.verdict, step.found.startswith("cannot be told: with 4 times its time"))


def test_few_games_are_still_of_every_kind(written):
    """--games 1: a bot that is too slow, or wrong, in one game only does not pass unseen."""
    text = (
        "class Late(Bot):\n    def act(self, view):\n"
        "        assert (view.game, view.players, view.seat) != ('explorers', 4, 0)\n"
        "        return view.legal_actions()[0]\n"
    )
    report = check_bot(written(text), isolation=Isolation.NONE, games=1)
    (step,) = failed(report)

    assert ("plays games", True) == (step.name, "explorers-4p.0.000000" in step.found)


def test_what_was_not_played_is_said(written):
    """Two faults alike are enough, and the others could hide more."""
    text = (
        "class Late(Bot):\n    games = ('scout',)\n    def act(self, view):\n"
        "        assert view.seat != 0\n        return view.legal_actions()[0]\n"
    )
    step = failed(check_bot(written(text), isolation=Isolation.NONE, games=50))[0]

    assert "faults in 2 of 5 games, then stopped; not played: scout-4p, scout-5p" in step.found


def test_a_bot_that_hangs_is_told_after_two_games(written, configured):
    """Each costs all the time of a game."""
    text = "import time\nclass Hangs(Bot):\n    def act(self, view): time.sleep(60)\n"
    report = check_bot(configured({"name": "hangs", "bot": written(text)}), games=100)
    step = failed(report)[0]

    assert "faults in 2 of 2 games, then stopped" in step.found
    assert "not tried: two games had the same fault" == verdict_of(report, "plays games").found


def test_a_program_that_was_late_after_good_answers_is_not_told_to_flush(program, configured):
    """It did: what is said is the time, what was left, and at which step."""
    entry = program(
        "globals().__setitem__('n', globals().get('n', 0) + (request['type'] == 'act')); "
        "__import__('time').sleep(5 if n == 3 else 0)"
    )
    step = failed(check_bot(configured(entry), games=1))[0]

    assert "its decision 3: timeout: no output within 300 ms" in step.found
    assert "after 2 answers in time" in step.found
    assert "lush" not in step.advice


OPENS = BOT.format(
    text="players = (2,)\n"
    f"    def start(self, info): open(os.environ['TOURNAMENT_BOT_DIR'] + '/weights.json').close()\n    {ACT}"
)


@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_file_that_a_bot_opens_and_its_fingerprint_lacks_is_named(mode, written):
    """Changed between a stop and a resume it would change the bot unseen; also where others may not look."""
    spec = written(f"import os\n{OPENS}")
    written.folder.chmod(mode)
    (written.folder / "weights.json").write_text("[]")
    (written.folder / "second.py").write_text("from tournament import Bot\n" + HONEST)
    (step,) = failed(check_bot(spec, games=1))

    assert ("files it opens", True) == (step.name, step.found.startswith("weights.json: opened"))
    assert "files: [weights.json]" in step.advice


def test_what_a_bot_opens_in_a_folder_of_its_own_is_covered(written, tmp_path):
    """Every file there is a part of it."""
    spec = written(f"import os\n{OPENS}")
    (tmp_path / "bots" / "weights.json").write_text("[]")
    report = check_bot(spec, games=1)

    assert "2 opened in its folder, all in its fingerprint" == verdict_of(report, "files it opens").found


def test_what_each_bot_of_an_entrant_opens_is_seen(written, tmp_path, configured):
    """One bot a game: each has files of its own."""
    specs = {"explorers": written(f"import os\n{OPENS}"), "scout": str(tmp_path / "plain.py")}
    entry = {"name": "two", **specs, "players": 2}
    (tmp_path / "bots" / "weights.json").write_text("[]")
    (tmp_path / "bots" / "second.py").write_text("from tournament import Bot\n" + HONEST)
    plain = HONEST.replace("explorers", "scout")
    (tmp_path / "plain.py").write_text("from tournament import Bot\n" + plain)
    (step,) = failed(check_bot(configured(entry), isolation=Isolation.NONE, games=1))

    assert ("files it opens", True) == (step.name, step.found.startswith("weights.json: opened"))


def test_all_bots_of_a_configuration_are_checked(written, configured, tmp_path):
    """Also what cannot be found: it comes last, as a bot that failed."""
    configured({"name": "honest", "bot": written(HONEST)})
    path = tmp_path / "set.yaml"
    path.write_text(path.read_text().replace("bots: [", 'bots: [{"name": "gone", "command": ["./gone"]}, '))
    reports = list(check_bots(path, isolation=Isolation.NONE, games=1))

    assert [("other", True), ("honest", True), (str(path), False)] == [(one.bot, one.passed) for one in reports]
    assert 'There is no "./gone"' in reports[-1].steps[0].found


def test_a_bot_of_a_configuration_is_checked_although_others_are_not_there(written, configured, tmp_path):
    """They have nothing to do with it."""
    spec = configured({"name": "honest", "bot": written(HONEST)})
    path = tmp_path / "set.yaml"
    path.write_text(path.read_text().replace("bots: [", 'bots: [{"name": "gone", "command": ["./gone"]}, '))

    assert check_bot(spec, isolation=Isolation.NONE, games=1).passed


def test_the_command_tells_of_all_bots_of_a_configuration(written, configured, tmp_path):
    """And ends with 1 when one fails."""
    configured({"name": "bad", "bot": written(BOT.format(text="def act(self, view): return 1"))})
    words = ["bot", "check", str(tmp_path / "set.yaml"), "--games", "1", "--isolation", "none"]
    done = run_command(*words)

    assert 1 == done.code
    assert done.out.endswith("1 of 2 bots passed.\n  bad: step 4 failed\n")


def test_the_command_prints_json_and_ends_with_1_when_a_step_fails(written):
    """--json, exit 1."""
    done = run_command("bot", "check", written("import nowhere\n" + HONEST), "--json")

    assert 1 == done.code
    assert "failed" == json.loads(done.out)["steps"][1]["verdict"]


def subject_for(path):
    return find_bot(path, isolation=Isolation.NONE, is_command=False, say=print)


def test_each_step_is_told_as_it_ends(written):
    told = []
    report = examine(subject_for(written(HONEST)), games=3, note=told.append)

    assert list(report.steps) == told
    assert list(NAMES) == [step.name for step in told]


def test_steps_that_are_not_tried_are_told_too(written):
    told = []
    examine(subject_for(written(BOT.format(text="def act(self, view): return 1"))), games=3, note=told.append)

    assert list(NAMES) == [step.name for step in told]


def test_a_bot_whose_time_is_over_is_tried_in_fewer_games(written):
    report = examine(subject_for(written(HONEST)), games=1000, seconds=0)
    (played,) = (step for step in report.steps if step.name == "plays games")

    assert StepVerdict.PASSED == played.verdict
    assert "not played, as its time was over: explorers" in played.found
    assert report.figures["games"] < 10


TOLD = {
    "honest": ACT,
    "illegal": "def act(self, view): return 1",
    "raises": "def act(self, view): raise ValueError('enough')",
    "by chance": "def act(self, view):\n        import random\n        return random.choice(view.legal_actions())",
    "prints much": "def act(self, view):\n        print('x' * 3_000_000)\n        return view.legal_actions()[0]",
}


@pytest.mark.parametrize("trouble", TOLD)
def test_what_a_check_found_is_told_in_the_language_of_the_reader(written, trouble):
    path = written(BOT.format(text=TOLD[trouble]))
    report = check_bot(path, games=5, isolation="process")
    with pseudo_language():
        again = check_bot(path, games=5, isolation="process")
        lines = [line for line in format_check(again).splitlines() if not line.startswith("       |")]

    assert [] == unmarked_in_text("\n".join(lines), allowed=NEVER_TRANSLATED)
    assert [step.advice for step in report.steps] == [step.advice for step in again.steps]


NEVER_TRANSLATED = (
    re.compile(r"(?<=\0 )bots(?= \0)"),  # its name
    re.compile(r"\S*bot\.py"),
    re.compile(r"explorers-2p\S*|explorers|process|[0-9a-f]{12}|ms|MiB"),
    re.compile(r"limits: \S+ \d+\}"),
    re.compile(r'\{"\S+|act: ValueError: enough'),  # what it chose, and its traceback
    # The words of a record: they are kept as they are, and the audit compares them.
    re.compile(r"(?<=\0: )(?:act|more) [^\n\0]*"),
)
