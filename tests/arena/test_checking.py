"""The check of a version: what is accepted, refused or put back, told step by step; real processes in a sandbox."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import msgspec
import pytest
import yaml
from arena.uploads import BOT, PROGRAM, zipped
from needs import need_programs, need_sandbox

from tournament.arena.api.submitting import pack_bot
from tournament.arena.checks import building, checking
from tournament.arena.checks.check_steps import CheckOutcome, CheckSentences, CheckSteps, read_check
from tournament.arena.checks.checking import CheckTask, check_version
from tournament.arena.checks.defects import DefectKind, SubmissionError, format_defect
from tournament.arena.files import CompetitionFile, read_json, write_json
from tournament.arena.folder import CheckFile, CompetitionFolder
from tournament.arena.play.children import LaneProcess
from tournament.lab.check.report import StepVerdict
from tournament.lab.new_bot import BotLanguage, new_bot
from tournament.languages import Language, kept, speaking, spoken
from tournament.languages.sent import receive_sentences
from tournament.workers import WorkerProcess, kill_worker, usable_cores

RULES = "title: Cup\ngames: [{game: scout, players: [2]}]\n"
COMMAND = {
    "bot.yaml": b"command: [./keeper]\ngames: [scout]\n",
    "keeper": b"#!/usr/bin/python3\nimport json, sys\nsys.stderr.write(open(sys.path[0] + '/book.txt').read())\n"
    b"for line in sys.stdin:\n    asked = json.loads(line)\n"
    b"    kind = {'hello': 'ready', 'start': 'ok', 'act': 'action'}.get(asked['type'])\n"
    b"    if kind:\n        answer = {'type': kind, 'id': asked['id']}\n"
    b"        answer |= {'action': asked['legal'][0]} if kind == 'action' else {}\n"
    b"        print(json.dumps(answer), flush=True)\n",
}


@pytest.fixture
def checked(tmp_path):
    """Returns a function that checks an upload, and gives the result and the folder of the version."""
    need_sandbox()

    def check(upload, name="bot.py", *, rules=RULES, core=None, **options):
        folder = CompetitionFolder(tmp_path / "cup").version("keeper", 1)
        folder.path.mkdir(parents=True, exist_ok=True)
        folder.upload.write_bytes(upload)
        task = CheckTask(
            folder=str(folder.path),
            name="keeper.v1",
            file_name=name,
            competition=msgspec.convert(yaml.safe_load(rules), CompetitionFile),
            games=2,
        )
        if core is not None:
            return LaneProcess(check_version, task, core=core).ending().answer, folder
        return check_version(task, **options), folder

    return check


def verdicts(folder):
    return {step.name: step.verdict for step in read_check(folder).steps}


def test_a_good_bot_is_accepted_and_its_program_stays(checked):
    result, folder = checked(BOT)
    told = read_check(folder)

    assert CheckOutcome.ACCEPTED == result.outcome == told.outcome
    assert ({"bot": "bot.py"}, None) == (result.spec, result.trouble)
    assert list(told.names) == [step.name for step in told.steps]
    assert list(range(1, 12)) == [step.number for step in told.steps]
    assert BOT == (folder.program / "bot.py").read_bytes()
    assert "1. passed  unpacked: 1 file" in (folder.check / CheckFile.LOG).read_text()
    assert {"check", "program", "upload"} == {path.name for path in folder.path.iterdir()}


def test_a_bot_that_raises_is_refused_with_its_line_and_no_place_of_ours(checked):
    result, folder = checked(BOT.replace(b"return view", b"raise ValueError('oops')  # return view"))
    told = read_check(folder)

    assert CheckOutcome.REFUSED == result.outcome == told.outcome
    assert DefectKind.CHECK_FAILED == told.defect.kind
    assert "What to do: Fix bot.py, line 6, in act: ValueError: oops" in result.why
    assert StepVerdict.FAILED == verdicts(folder)["answers legally in fixed games"]
    assert str(folder.path) not in (folder.check / CheckFile.LOG).read_text() + json.dumps(msgspec.to_builtins(told))
    assert not folder.program.exists()


LEFT_ITS_CORE = b"""
import os
from tournament import Bot


class Keeper(Bot):
    def act(self, view):
        cores = os.sched_getaffinity(0)
        if len(cores) > 1:
            raise RuntimeError(f"runs on {cores}")
        return view.legal_actions()[0]
"""


@pytest.mark.skipif(usable_cores() < 2, reason="with one core, lanes share it")
def test_what_a_check_found_is_told_in_another_language(checked):
    """It was told by another process, which left how its sentences were made; none says where the folder lies."""
    _, folder = checked(b"from tournament import Bot\n\n\nclass Keeper(Bot):\n    def act(self, view): 1 / 0\n")
    told = read_check(folder)
    failed = next(step for step in told.steps if step.verdict is StepVerdict.FAILED)
    written = (folder.check / CheckFile.SENTENCES).read_text()
    receive_sentences(read_json(folder.check / CheckFile.SENTENCES, CheckSentences).sentences)

    with speaking(Language.GERMAN):
        assert "Behebe bot.py, Zeile 5, in act: ZeroDivisionError: division by zero" == spoken(failed.advice)
        assert spoken(told.steps[0].found).startswith("1\N{NO-BREAK SPACE}Datei, Digest ")
        assert spoken(failed.advice) in format_defect(told.defect)
        assert "Was zu tun ist: " in format_defect(told.defect)
    assert failed.advice in format_defect(told.defect)
    assert str(folder.path) not in written


def test_a_check_stays_on_the_core_of_its_lane_with_all_that_it_starts(checked):
    """It has a process for itself and one for each bot: the bots of the other lane lose no time by them."""
    core = max(os.sched_getaffinity(0))
    result, _ = checked(LEFT_ITS_CORE, core=core)

    assert (CheckOutcome.ACCEPTED, None) == (result.outcome, result.why)
    assert usable_cores() > 1  # who starts it is let go


def test_what_cannot_be_unpacked_is_refused_in_the_first_step(checked):
    result, folder = checked(zipped({"../bot.py": BOT}), "bot.zip")

    assert CheckOutcome.REFUSED == result.outcome
    assert {"unpacked": StepVerdict.FAILED} == verdicts(folder)
    assert '"../bot.py" leads out of the folder of the bot' in result.why
    assert {"check", "upload"} == {path.name for path in folder.path.iterdir()}


def test_a_bot_that_plays_nothing_here_is_refused(checked):
    result, _ = checked(zipped({**PROGRAM, "bot.yaml": b"games: [explorers]\n"}), "bot.zip")

    assert CheckOutcome.REFUSED == result.outcome
    assert "keeper.v1 plays at no table" in result.why


def test_a_program_in_another_language_finds_its_files(checked):
    result, _ = checked(zipped({**COMMAND, "book.txt": b"hello"}), "bot.zip")

    assert (CheckOutcome.ACCEPTED, None) == (result.outcome, result.why)


@pytest.mark.parametrize("language", [BotLanguage.NODE, BotLanguage.C])
def test_a_new_bot_is_accepted_as_it_was_written(checked, tmp_path, language):
    """`bot new`, then `submit` of its folder."""
    need_programs({BotLanguage.NODE: "node", BotLanguage.C: "cc"}[language])
    bot = pack_bot(new_bot("mine", game="scout", language=language, folder=tmp_path / "mine"))
    result, _ = checked(bot.data, bot.file_name)

    assert (CheckOutcome.ACCEPTED, None) == (result.outcome, result.why)


def test_the_sentence_of_a_refusal_stands_alone_and_speaks_of_no_lines_above_it(checked):
    ends = b"#!/bin/sh\necho my own trouble >&2\nexit 3\n"
    result, folder = checked(zipped({**COMMAND, "keeper": ends}), "bot.zip")
    failed = next(step for step in read_check(folder).steps if step.verdict is StepVerdict.FAILED)

    assert "my own trouble" in failed.log
    assert result.why.endswith("What to do: Fix what the lines in this step say.")


def test_a_library_that_is_missing_is_for_the_host_of_the_competition(checked):
    result, _ = checked(b"import no_such_library\n" + BOT)

    assert "ask the host for it. Libraries that bots may import here: none." in result.why


def test_a_build_makes_the_program_and_its_output_is_kept(checked):
    need_programs("cc")
    members = {
        "bot.yaml": COMMAND["bot.yaml"].replace(b"\n", b"\nbuild: [sh, build.sh]\n", 1),
        "build.sh": b"echo building; cc -o made made.c && cp source keeper && chmod +x keeper && mv draft book.txt\n",
        "made.c": b"int main(void) { return 0; }\n",
        "source": COMMAND["keeper"],
        "draft": b"hello",
    }
    result, folder = checked(zipped(members), "bot.zip")

    assert (CheckOutcome.ACCEPTED, None) == (result.outcome, result.why)
    assert StepVerdict.PASSED == verdicts(folder)["built"]
    assert "building\n" == (folder.check / CheckFile.BUILD).read_text()
    assert {"bot.yaml", "book.txt", "build.sh", "keeper", "made", "made.c", "source"} == {
        path.name for path in folder.program.iterdir()
    }


BUILDS = {
    "fails": (b"echo no; exit 3", DefectKind.BUILD_FAILED, "exit code 3"),
    "prints without end": (b"yes", DefectKind.BUILD_TOO_MUCH, "printed more than"),
    "leaves a link to nowhere": (b"ln -s /etc/shadow key", DefectKind.LINK, "key"),
    "leaves a link to a folder": (b"ln -s / root", DefectKind.LINK, "root"),
    "leaves too much": (b"dd if=/dev/zero of=big bs=1M count=60", DefectKind.TOO_LARGE_UNPACKED, "50 MB"),
    "leaves too many": (b"for i in $(seq 600); do echo > f$i; done", DefectKind.TOO_MANY_FILES, "500"),
    "leaves a pipe": (b"mkfifo pipe", DefectKind.DEVICE, "pipe"),
    "kills what started it": (b"kill -9 $PPID", DefectKind.BUILD_FAILED, "ended the process"),
    "removes what started it all": (b"rm -rf / ../* 2>/dev/null; exit 4", DefectKind.BUILD_FAILED, "exit code 4"),
    "never ends": (b"sleep 1000", DefectKind.BUILD_TOO_LONG, "2 seconds"),
}


@pytest.mark.parametrize("kind", BUILDS)
def test_a_build_that_misbehaves_is_refused(tmp_path, monkeypatch, kind):
    need_sandbox()
    monkeypatch.setattr(building, "BUILD_SECONDS", 2 if kind == "never ends" else 60)
    script, defect, told = BUILDS[kind]
    folder = tmp_path / "unpacked"
    folder.mkdir()
    (folder / "build.sh").write_bytes(script + b"\n")
    with pytest.raises(SubmissionError) as caught:
        building.build_program(folder, ["sh", "build.sh"], target=tmp_path / "built", log=tmp_path / "log")

    assert defect == caught.value.defect.kind
    assert told in str(caught.value)


def read_elsewhere(folder, monkeypatch):
    """Returns the defect of a check in German, in a process that knows only what the check wrote."""
    monkeypatch.setattr(kept, "_MEMORY", kept.KeptTexts())
    receive_sentences(read_json(folder.check / CheckFile.SENTENCES, CheckSentences).sentences)
    with speaking(Language.GERMAN):
        return format_defect(read_check(folder).defect)


def test_what_a_build_found_is_told_in_another_language(checked, monkeypatch):
    members = {"bot.yaml": b"command: [./keeper]\nbuild: [sh, build.sh]\n", "build.sh": b"exit 3\n"}
    result, folder = checked(zipped(members), "bot.zip")
    told = read_elsewhere(folder, monkeypatch)

    assert "The build failed: it ended with exit code 3. Its output says more." in result.why
    assert told.startswith("Der Build ist fehlgeschlagen: er endete mit dem Exit-Code 3. Seine Ausgabe sagt mehr.")


def test_what_is_wrong_in_a_bot_file_is_told_in_another_language(checked, monkeypatch):
    result, folder = checked(zipped({"bot.yaml": b"games: [scot]\n", "bot.py": BOT}), "bot.zip")
    told = read_elsewhere(folder, monkeypatch)

    assert 'bot.yaml, line 1: there is no game "scot". Did you mean "scout"?' in result.why
    assert "bot.yaml, Zeile 1: ein Spiel „scot“ gibt es nicht. Meintest du „scout“?" in told


def test_how_long_a_check_took_is_told_in_another_language(checked, monkeypatch):
    """The process that ended it says so, after what the check itself has told."""
    slow = BOT.replace(b"return view", b"import time; time.sleep(0.4); return view")
    _, folder = checked(slow, seconds=3)
    told = read_elsewhere(folder, monkeypatch)

    assert told.startswith("Die Prüfung hat länger als 3\N{NO-BREAK SPACE}Sekunden gedauert")
    with speaking(Language.GERMAN):
        assert spoken(read_check(folder).steps[0].found).startswith("1\N{NO-BREAK SPACE}Datei, Digest ")


def test_a_check_that_takes_too_long_is_ended_and_refused(checked):
    result, folder = checked(BOT.replace(b"return view", b"import time; time.sleep(0.4); return view"), seconds=3)

    assert CheckOutcome.REFUSED == result.outcome == read_check(folder).outcome
    assert "Its check took more than 3 seconds" in result.why
    assert {"check", "upload"} == {path.name for path in folder.path.iterdir()}


def test_a_check_ends_when_the_referee_stops(checked):
    result, folder = checked(BOT, is_stopping=lambda: True)

    assert (CheckOutcome.PUT_BACK, None) == (result.outcome, result.trouble)
    assert CheckOutcome.PUT_BACK == read_check(folder).outcome
    assert not folder.program.exists()


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ({"is_stopping": lambda: True}, CheckOutcome.PUT_BACK),
        ({"seconds": 0}, CheckOutcome.REFUSED),
    ],
)
def test_no_step_is_written_after_how_a_check_ended(checked, tmp_path, monkeypatch, options, outcome):
    """Its process writes one more step at the moment in which it is ended."""
    steps = CompetitionFolder(tmp_path / "cup").version("keeper", 1).check / CheckFile.STEPS

    class Late(WorkerProcess):
        def wait(self, seconds):
            return False

        def end(self):
            super().end()
            write_json(steps, CheckSteps(names=("unpacked",)))

    monkeypatch.setattr(checking, "WorkerProcess", Late)
    result, folder = checked(BOT, **options)

    assert outcome == result.outcome == read_check(folder).outcome
    assert not folder.program.exists()


def test_nothing_stays_of_a_check_that_ctrl_c_ends(checked, tmp_path):
    folder = CompetitionFolder(tmp_path / "cup").version("keeper", 1)

    def interrupted():
        folder.program.mkdir(exist_ok=True)  # its process may have made it already
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        checked(BOT, is_stopping=interrupted)

    assert {"check", "upload"} == {path.name for path in folder.path.iterdir()}


def test_a_check_whose_process_is_killed_is_put_back(checked, monkeypatch):
    started = []

    class Noted(WorkerProcess):
        def __init__(self, *words):
            super().__init__(*words)
            started.append(self)

    monkeypatch.setattr(checking, "WorkerProcess", Noted)

    def kill():
        while not started:
            time.sleep(0.05)
        time.sleep(1)
        kill_worker(started[0]._executor)

    killer = threading.Thread(target=kill)
    killer.start()
    result, folder = checked(BOT.replace(b"return view", b"import time; time.sleep(0.3); return view"))
    killer.join()

    assert CheckOutcome.PUT_BACK == result.outcome == read_check(folder).outcome
    assert "killed" in result.trouble
    assert "killed" not in result.why
    assert {"check", "upload"} == {path.name for path in folder.path.iterdir()}


def test_python_that_takes_too_long_to_read_is_refused(tmp_path, monkeypatch):
    """Whoever plays with it would have to wait."""

    def read_for_ever(*words):
        while True:
            pass

    monkeypatch.setattr(checking, "READING_SECONDS", 0.05)
    monkeypatch.setattr(checking, "entrant_of", read_for_ever)
    result, _ = checked_here(tmp_path)

    assert CheckOutcome.REFUSED == result.outcome
    assert "Put data, such as tables of weights, into a file" in result.why


def checked_here(tmp_path):
    """Returns how a check ends, in this process."""
    folder = CompetitionFolder(tmp_path / "cup").version("keeper", 1)
    folder.check.mkdir(parents=True)
    folder.upload.write_bytes(BOT)
    competition = msgspec.convert(yaml.safe_load(RULES), CompetitionFile)
    task = CheckTask(folder=str(folder.path), name="keeper.v1", file_name="bot.py", competition=competition)
    return checking._Check(task).result(), folder


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), RuntimeError("ours"), MemoryError()])
def test_what_the_machine_does_wrong_puts_back_and_never_refuses(tmp_path, monkeypatch, error):
    def fail(*words, **options):
        raise error

    monkeypatch.setattr(checking, "examine", fail)
    result, folder = checked_here(tmp_path)

    assert CheckOutcome.PUT_BACK == result.outcome == read_check(folder).outcome
    assert type(error).__name__ in result.trouble
    assert not folder.program.exists()


@pytest.mark.parametrize(("packages", "outcome"), [("[PyYAML]", CheckOutcome.ACCEPTED), ("[]", CheckOutcome.REFUSED)])
def test_a_bot_may_import_what_the_host_names(checked, packages, outcome):
    result, _ = checked(b"import yaml\n" + BOT, rules=f"{RULES}packages: {packages}\n")

    assert outcome == result.outcome
    assert outcome is CheckOutcome.ACCEPTED or "If yaml is a file of yours" in result.why


def test_a_package_that_is_gone_is_the_hosts_and_refuses_nobody(checked):
    result, _ = checked(BOT, rules=f"{RULES}packages: [no-such-package]\n")

    assert CheckOutcome.PUT_BACK == result.outcome
    assert "no-such-package is not installed" in result.trouble


def sees(pid, folder):
    """Returns whether a folder is in what a process sees."""
    try:
        return str(folder.path) in Path(f"/proc/{pid}/mountinfo").read_text()
    except OSError:
        return False


def test_a_check_that_is_ended_leaves_no_process(checked):
    """Not even one that a bot has started apart from itself."""
    leaving = b"import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)\n"
    result, folder = checked(leaving + BOT.replace(b"return view", b"time.sleep(0.4); return view"), seconds=3)
    deadline = time.monotonic() + 10
    while (left := [pid for pid in os.listdir("/proc") if sees(pid, folder)]) and time.monotonic() < deadline:
        time.sleep(0.1)

    assert CheckOutcome.REFUSED == result.outcome
    assert [] == left


def test_a_check_begins_anew(checked):
    """Whatever one that was killed left behind."""
    _, folder = checked(b"")
    (folder.path / "program.unpacked").mkdir()
    (folder.path / "program.built").mkdir()
    folder.program.mkdir()
    (folder.program / "other.py").write_text("x")
    result, _ = checked(BOT)

    assert CheckOutcome.ACCEPTED == result.outcome
    assert ["bot.py"] == [path.name for path in folder.program.iterdir()]
    assert {"check", "program", "upload"} == {path.name for path in folder.path.iterdir()}
