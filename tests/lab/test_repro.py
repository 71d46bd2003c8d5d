"""`tournament repro`: the folder, and what its script does."""

from __future__ import annotations

import io
import json
import pdb
import shlex
import subprocess
import sys
import textwrap

import pytest

from tournament import run_tournament
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.errors import UsageError
from tournament.lab.repro import SCRIPT, write_repro
from tournament.lab.reproducing import debug, reproduce
from tournament.paths import data_folder
from tournament.replaying.positions import Replay
from tournament.store.reader import read_records

SEVENS = """
from tournament import Bot

class Sevens(Bot):
    def start(self, info):
        self.count = 0
    def act(self, view):
        self.count += 1
        print("decision", self.count)
        if self.count == 3:
            raise ValueError("three")
        return view.legal_actions()[0]
"""
PROGRAM = """
import json, sys
count = 0
for line in sys.stdin:
    request = json.loads(line)
    kind = request["type"]
    answer = {"id": request.get("id")}
    if kind == "hello": answer |= {"type": "ready", "games": ["explorers"]}
    elif kind == "start": answer |= {"type": "ok"}; count = 0
    elif kind == "act":
        count += 1
        answer |= {"type": "action", "action": {"do": "discard", "card": "AS"} if count == 2 else request["legal"][0]}
    elif kind == "quit": break
    else: continue
    print(json.dumps(answer), flush=True)
"""
UNSTARTED = (
    "from tournament import Bot\nclass A(Bot):\n    def start(self, info): 1 / 0\n    def act(self, view): ...\n"
)
CONFIGURATION = """
games: [{{game: explorers, players: 2}}]
bots:
  - {{name: honest, bot: bots/honest.py}}
  - {bot}
budget: {{deals: 1}}
seed: repro
isolation: {isolation}
"""
BOTS = {
    "python": "{name: troubled, bot: bots/sevens.py}",
    "program": f"{{name: troubled, command: [{sys.executable}, -I, -S, bots/program.py], games: [explorers]}}",
    "unstarted": "{name: troubled, bot: bots/unstarted.py}",
}


@pytest.fixture(scope="module")
def run_of(tmp_path_factory):
    """Returns a function that gives the run of one of the bots at a level, played once."""
    played = {}

    def run(bot, isolation="process"):
        if (bot, isolation) not in played:
            base = tmp_path_factory.mktemp(bot)
            (base / "bots").mkdir()
            honest = SEVENS.replace("Sevens", "Honest").replace("== 3", "== -1")
            for name, text in [("sevens", SEVENS), ("program", PROGRAM), ("unstarted", UNSTARTED), ("honest", honest)]:
                (base / "bots" / f"{name}.py").write_text(textwrap.dedent(text))
            (base / "set.yaml").write_text(CONFIGURATION.format(bot=BOTS[bot], isolation=isolation))
            played[bot, isolation] = run_tournament(resolve(read_configuration(base / "set.yaml")), out=base / "run")
        return played[bot, isolation]

    return run


def spec_of(run, bot):
    """Returns what the author would name: the file, or the words of the program."""
    path = str(run.parent / "bots" / ("sevens.py" if bot == "python" else f"{bot}.py"))
    return [sys.executable, "-I", "-S", path] if bot == "program" else path


def words_of(run, bot):
    spec = spec_of(run, bot)
    return ["--bot", spec] if isinstance(spec, str) else ["--command", shlex.join(spec)]


def fault_of(run):
    record = next(read_records(run))
    return record, record.faults[0]


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_the_folder_has_the_record_up_to_the_fault_the_request_and_stderr(isolation, run_of, tmp_path):
    """The record up to the fault, the exact request, the stderr."""
    run = run_of("python", isolation)
    record, fault = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    cut = next(read_records(folder / "record.json"))
    request = json.loads((folder / "request.json").read_text())

    assert record.moves[: fault.at] == cut.moves
    assert Replay.from_record(cut).last == fault.at
    assert json.loads(json.dumps(request["view"])) == request["view"]
    assert ("act", fault.seat) == (request["type"], request["view"]["seat"])
    assert "ValueError: three" in (folder / "traceback.txt").read_text()
    assert isolation == "none" or "decision 3" in (folder / "stderr.txt").read_text()
    kinds = [json.loads(line)["type"] for line in (folder / "requests.jsonl").read_text().splitlines()]
    assert ["hello", "start", "act", "act", "act"] == kinds


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_fault_happens_again(bot, run_of, tmp_path):
    """A script that starts the bot and replays its requests up to there."""
    run = run_of(bot)
    record, fault = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    said = []
    text = reproduce(folder, spec_of(run, bot), ask=None, say=said.append)
    words = [sys.executable, str(folder / "repro.py"), *words_of(run, bot)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert f"In the run: {fault.kind}: {fault.detail}\nNow:        {fault.kind}: {fault.detail}\nThe same." == text
    assert (0, True) == (done.returncode, done.stdout.endswith(text + "\n"))


@pytest.mark.parametrize("bot", ["python", "program"])
def test_a_debugger_can_be_attached_before_the_last_request(bot, run_of, tmp_path):
    """For commands over the protocol."""
    run = run_of(bot)
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    seen = []

    def ask(text):
        pid = int(text.split("process ")[1].split(",")[0])
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            seen.append(file.read())

    text = reproduce(folder, spec_of(run, bot), ask=ask, say=lambda text: None)

    assert 1 == len(seen)
    assert b"python" in seen[0]
    assert text.endswith("The same.")


def test_a_python_bot_stops_in_the_debugger_at_its_last_decision(run_of, tmp_path):
    """For Python bots in one process with pdb."""
    run = run_of("python")
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    printed = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("p self.count\nn\nn\np self.count\nq\n"), stdout=printed)
    debug(folder, spec_of(run, "python"), debugger=debugger)

    assert "(Pdb) 2\n" in printed.getvalue()
    assert "sevens.py" in printed.getvalue()


def test_any_decision_can_be_played_again(run_of, tmp_path):
    """--seat and --move."""
    run = run_of("python")
    record, fault = fault_of(run)
    honest = 1 - fault.seat
    move = next(index for index, move in enumerate(record.moves) if index > 6 and move.seat == honest)
    folder = write_repro(f"{run}#{record.id}", seat=honest, move=move, out=tmp_path / "repro")

    spec = str(run.parent / "bots" / "honest.py")

    assert reproduce(folder, spec, say=lambda text: None).endswith("The same.")


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"seat": 2}, "has the seats 0 to 1"),
        ({"move": 100_000}, "has the moves 0 to"),
        ({"seat": "honest"}, "has no fault. Say which move"),
        ({"seat": "honest", "move": "fault"}, "not of seat"),
        ({"move": "later"}, "had forfeited at move"),
    ],
)
def test_a_moment_that_is_none_is_refused_with_what_to_do(wanted, sentence, run_of, tmp_path):
    """Errors say what to do."""
    run = run_of("python")
    record, fault = fault_of(run)
    later = next(index for index, move in enumerate(record.moves) if index > fault.at and move.seat == fault.seat)
    words = {"honest": 1 - fault.seat, "fault": fault.at, "later": later}
    wanted = {name: words.get(value, value) for name, value in wanted.items()}

    with pytest.raises(UsageError, match=sentence):
        write_repro(f"{run}#{record.id}", out=tmp_path / "repro", **wanted)


def test_a_bot_that_was_mended_is_seen_to_do_something_else(run_of, tmp_path):
    """The author sees whether it is mended."""
    run = run_of("python", "none")
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    path = run.parent / "bots" / "sevens.py"
    path.write_text(SEVENS.replace("== 3", "== 99"))
    text = reproduce(folder, str(path), say=lambda text: None)
    path.write_text(SEVENS)

    assert "Now:        it answers" in text
    assert text.endswith("Not the same.")


NAMES = {
    "ends the text": '""" + open("ran", "w").close() + """',
    "is a field": "{title}{name}%s$name",
    "is quoted": "''' + open('ran', 'w') + '''",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_of_a_bot_becomes_code(name, tmp_path):
    """What a bot calls itself stands in no program: the script is the same for all."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "sevens.py").write_text(SEVENS)
    (tmp_path / "bots" / "honest.py").write_text(SEVENS.replace("== 3", "== -1"))
    entry = json.dumps({"name": name, "bot": "bots/sevens.py"})
    (tmp_path / "set.yaml").write_text(CONFIGURATION.format(bot=entry, isolation="none"))
    run = run_tournament(resolve(read_configuration(tmp_path / "set.yaml")), out=tmp_path / "run")
    record, fault = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    done = subprocess.run(
        [sys.executable, folder / "repro.py", "--bot", "bots/sevens.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert SCRIPT == (folder / "repro.py").read_text()
    assert name == record.seats[fault.seat].bot == json.loads((folder / "repro.json").read_text())["title"][: len(name)]
    assert 0 == done.returncode, done.stderr
    assert not (tmp_path / "ran").exists()


# What is sent to the author


@pytest.mark.parametrize("bot", BOTS)
def test_the_folder_has_nothing_of_the_hosts_machine_in_it(bot, run_of, tmp_path):
    """It held the paths of the host, and was of no use without them."""
    run = run_of(bot)
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    written = "".join(
        (folder / name).read_text() for name in ("repro.json", "repro.py", "requests.jsonl", "record.json")
    )

    assert str(run.parent) not in written
    assert sys.executable not in written


def test_without_a_bot_the_script_says_what_it_needs(run_of, tmp_path):
    run = run_of("python")
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    done = subprocess.run([sys.executable, folder / "repro.py"], capture_output=True, text=True, check=False)

    assert 2 == done.returncode
    assert "--bot" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_tournament_the_script_says_what_to_install(tmp_path):
    """It is sent to authors of bots in any language."""
    (tmp_path / "repro.py").write_text(SCRIPT)
    words = [sys.executable, "-I", "-S", tmp_path / "repro.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert "" == done.stdout
    assert done.stderr.endswith("Install it: pip install tournament\n")
    assert 1 == len(done.stderr.splitlines())


def test_a_bot_that_is_not_there_is_one_sentence(run_of, tmp_path):
    run = run_of("python")
    record, _ = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    words = [sys.executable, folder / "repro.py", "--bot", "nowhere.py"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert done.stdout.startswith("Error: ")
    assert "Traceback" not in done.stdout + done.stderr


SLOW = """
import time
from tournament import Bot

class Slow(Bot):
    def start(self, info):
        self.count = 0
    def act(self, view):
        self.count += 1
        if self.count == 2:
            time.sleep(0.35)
        if self.count == 3:
            time.sleep(9)
        return view.legal_actions()[0]
"""


def test_a_timeout_is_told_with_times_and_the_bank_restored(tmp_path):
    """The third request had what the second left of the bank, and not all of it."""
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "set.yaml").write_text(
        "games: [{game: explorers, players: 2}]\n"
        f"bots: [{{name: slow, bot: slow.py}}, {{name: other, bot: {data_folder('bots') / 'random_legal.py'}}}]\n"
        "budget: {deals: 1}\nseed: 1\nworkers: 1\nclock: {move_ms: 200, bank_ms: 400}\n"
    )
    run = run_tournament(resolve(read_configuration(tmp_path / "set.yaml")), out=tmp_path / "run")
    record, fault = fault_of(run)
    folder = write_repro(f"{run}#{record.id}", out=tmp_path / "repro")
    settings = json.loads((folder / "repro.json").read_text())
    request = json.loads((folder / "request.json").read_text())
    said = []
    text = reproduce(folder, str(tmp_path / "slow.py"), say=said.append)

    assert "timeout" == fault.kind
    assert 0 < settings["bank_ms"] < 400
    assert settings["bank_ms"] == request["bank_ms"]
    assert any(line.startswith("Times in the run: longest move ") for line in said)
    (last,) = (line for line in said if line.startswith("The last request now: "))
    assert last.endswith(f", and it may take {200 + settings['bank_ms']:,} ms, as in the run.")
    assert text.endswith("The same.")
