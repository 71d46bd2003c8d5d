"""Each kind of fault at each level, with what its record says."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections import Counter

import pytest

from tournament import audit, read_records, run_tournament
from tournament.paths import data_folder
from tournament.players.base import FaultReason
from tournament.players.linux import child
from tournament.players.linux.child import CLOSED, FLOOD, MEMORY, NO_NEWLINE, NOTHING_CAME, TOO_LONG
from tournament.players.protocol import NO_ANSWER, WRONG_ID
from tournament.records.protocol import Failed, Wanted, kind_of_failure
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation

CLOCK = {"move_ms": 300, "bank_ms": 0, "start_ms": 3000, "newgame_ms": 1000}
IMPATIENT = {**CLOCK, "start_ms": 500, "newgame_ms": 300}
"""For those who never answer, so that nobody waits long for them."""

NOT_READY, NOT_OK, NO_ACTION = NO_ANSWER["ready"], NO_ANSWER["ok"], NO_ANSWER["action"]
LONG = "x" * 70_000


def said(action, number="id"):
    return f'say(\'{{"type":"action","id":%d,"action":{action}}}\\n\' % {number}); continue'


# Trouble, and the kind, the number of moves before it, the sentence, and the beginning of the answer.
START = {
    "exits": ("if kind == 'hello': sys.exit(3)", "exited with code 3 while an answer was due", None),
    "raises at import": ("raise ImportError('no such thing')", "exited with code 1 while an answer was due", None),
    "sleeps": ("if kind == 'hello': time.sleep(60)", NOTHING_CAME, None),
    "greets people": ("if kind == 'hello': say('Welcome!\\n')", "the answer is not JSON", "Welcome!"),
    "speaks another protocol": (
        "if kind == 'hello': answer(type='ready', protocol=99); continue",
        NOT_READY,
        '{"id": ',
    ),
    "plays another game": (
        "if kind == 'hello': answer(type='ready', games=['chess']); continue",
        "ready says that it does not play scout",
        None,
    ),
    "answers start with ready": ("if kind == 'start': answer(type='ready'); continue", NOT_OK, '{"id": '),
    "exits during start": ("if kind == 'start': sys.exit(0)", "exited with code 0 while an answer was due", None),
    "sleeps during start": ("if kind == 'start': time.sleep(60)", NOTHING_CAME, None),
}
MOVE = {
    "exits": ("os._exit(7)", "crash", "exited with code 7 while an answer was due", None),
    "exits as if all were well": ("os._exit(0)", "crash", "exited with code 0 while an answer was due", None),
    "segmentation fault": (
        "os.kill(os.getpid(), signal.SIGSEGV)",
        "crash",
        "was ended by SIGSEGV while an answer was due",
        None,
    ),
    "sleeps": ("time.sleep(60)", "timeout", NOTHING_CAME, None),
    "spins and minds no signal": (
        "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]\nwhile True: pass",
        "timeout",
        NOTHING_CAME,
        None,
    ),
    "drips": ("while True: say('{'); time.sleep(0.05)", "timeout", NO_NEWLINE, "{"),
    "never flushes": ("sys.stdout.write('{}\\n')\ntime.sleep(60)", "timeout", NOTHING_CAME, None),
    "no JSON": ("say('move 3\\n')", "malformed", "the answer is not JSON", "move 3"),
    "an array": ("say('[1]\\n')", "malformed", NO_ACTION, "[1]"),
    "NaN": (said('{"do":"play","at":NaN,"count":1}'), "malformed", "the answer is not JSON", "{"),
    "true for a number": (said('{"do":"play","at":true,"count":1}'), "malformed", NO_ACTION, "{"),
    "1.0 for a number": (said('{"do":"play","at":1.0,"count":1}'), "malformed", NO_ACTION, "{"),
    "a text for a number": (said('{"do":"play","at":"1","count":1}'), "malformed", NO_ACTION, "{"),
    "an action of another game": (said('{"do":"discard","card":"9S"}'), "malformed", NO_ACTION, "{"),
    "an unknown type": ("answer(type='resign'); continue", "malformed", NO_ACTION, "{"),
    "no action": ("answer(type='action'); continue", "malformed", NO_ACTION, "{"),
    "nested too deeply": (
        "say('{\"x\":' + '[' * 30000 + ']' * 30000 + '}\\n')",
        "malformed",
        "the answer is nested too deeply",
        '{"x":[[',
    ),
    "no UTF-8": (
        "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.buffer.flush()",
        "malformed",
        "the answer is not UTF-8",
        "\\xff\\xfe",
    ),
    "a line of 70,000 bytes": (f"say('{LONG}\\n')", "malformed", TOO_LONG, "xxxx"),
    "a line without end": (f"while True: say('{LONG}')", "malformed", TOO_LONG, "xxxx"),
    "another id": (said('{"do":"keep"}', number="(id + 1)"), "malformed", WRONG_ID, "{"),
    "an index beyond the hand": (
        said('{"do":"play","at":99,"count":1}'),
        "illegal",
        None,
        '{"at":99,"count":1,"do":"play"}',
    ),
    "an index of 70 bits": (
        said(f'{{"do":"play","at":{2**70},"count":1}}'),
        "illegal",
        None,
        f'{{"at":{2**70},"count":1,"do":"play"}}',
    ),
    "floods stderr": ("while True: sys.stderr.write('x' * 65536)", "flood", FLOOD, None),
    "holds shared memory": (
        "m = mmap.mmap(-1, 120 << 20); [m.write(b'x' * 4096) for _ in range(30 << 10)]; time.sleep(60)",
        "memory",
        MEMORY,
        None,
    ),
    "holds memory of its own": (
        "m = bytearray(200 << 20)",
        "crash",
        "exited with code 1 while an answer was due",
        None,
    ),
}


REASONS = {
    "exits": FaultReason.ENDED,
    "segmentation fault": FaultReason.ENDED,
    "sleeps": FaultReason.NO_ANSWER,
    "drips": FaultReason.NO_NEWLINE,
    "another id": FaultReason.WRONG_ID,
    "no JSON": None,
    "floods stderr": None,
}
START_REASONS = {
    "exits": FaultReason.ENDED,
    "sleeps during start": FaultReason.NO_ANSWER,
    "greets people": None,
    "plays another game": FaultReason.OTHER_GAME,
}


def check(fault, *, kind, at, detail, answer):
    """Compares what a record says of a fault."""
    assert (FaultKind(kind), at) == (fault.kind, fault.at)
    assert detail is None or detail == fault.detail
    assert fault.answer is None if answer is None else fault.answer.startswith(answer)


@pytest.mark.parametrize("case", START)
def test_a_bot_that_does_not_start_is_a_start_fault(case, level, raw, first, room):
    """Fault: start."""
    trouble, detail, answer = START[case]
    played = room(raw(trouble), first, isolation=level, clock=IMPATIENT if "sleeps" in case else CLOCK).play()
    record = played.records[0]

    check(record.faults[0], kind="start", at=0, detail=detail, answer=answer)
    assert (0,) == record.result.forfeits
    assert {"complete"} == {str(one.result.ending) for one in played.records}


@pytest.mark.parametrize("case", MOVE)
def test_a_bot_that_breaks_the_contract_at_its_second_move_forfeits(case, level, raw, first, room):
    """Faults: crash, timeout, malformed, illegal, flood, memory."""
    trouble, kind, detail, answer = MOVE[case]
    lines = "".join(f"    {line}\n" for line in trouble.splitlines())
    played = room(raw("if moves == 2:\n" + lines), first, isolation=level, clock=CLOCK, limits={"memory_mb": 64}).play()
    record = played.records[0]

    check(record.faults[0], kind=kind, at=2, detail=detail, answer=answer)
    assert (0,) == record.result.forfeits
    assert ["stand-in"] == [str(move.by) for move in record.moves if move.seat == 0][1:2]


@pytest.mark.parametrize("case", REASONS)
def test_a_fault_at_a_move_has_its_reason_for_the_author_of_the_bot(case, raw, first, room):
    """Only the kind and the sentence stand in the record."""
    lines = "".join(f"    {line}\n" for line in MOVE[case][0].splitlines())
    played = room(raw("if moves == 2:\n" + lines), first, isolation=Isolation.PROCESS, clock=CLOCK).play()

    assert {REASONS[case]} == set(played.reasons)


@pytest.mark.parametrize("case", START_REASONS)
def test_a_fault_at_the_start_has_its_reason_for_the_author_of_the_bot(case, raw, first, room):
    """Only the kind and the sentence stand in the record."""
    clock = IMPATIENT if "sleeps" in case else CLOCK
    played = room(raw(START[case][0]), first, isolation=Isolation.PROCESS, clock=clock).play()

    assert {START_REASONS[case]} == set(played.reasons)


def test_closing_stdout_is_a_crash_where_it_can_be_seen(level, raw, first, room):
    """Crash; bubblewrap holds the pipe open, so there it is a timeout."""
    trouble = "if moves == 2: os.close(1); time.sleep(60)"
    played = room(raw(trouble), first, isolation=level, clock=CLOCK).play()
    expected = {Isolation.PROCESS: ("crash", CLOSED), Isolation.SANDBOX: ("timeout", NOTHING_CAME)}
    fault = played.records[0].faults[0]

    assert expected[level] == (fault.kind, fault.detail)


def test_closing_stdout_at_once_is_a_crash(raw, first, room, monkeypatch):
    """Also where that is seen before any wait: it is the end of the answers, and no empty line."""
    monkeypatch.setattr(child, "is_real_time", lambda: True)
    monkeypatch.setattr(child.os, "sched_yield", lambda: time.sleep(0.1))
    played = room(raw("if moves == 2: os.close(1); time.sleep(60)"), first, isolation=Isolation.PROCESS).play()

    assert CLOSED == played.records[0].faults[0].detail


def test_an_answer_nobody_asked_for_is_malformed_at_the_next_request(level, raw, first, room):
    """The bot speaks only when asked."""
    trouble = "if moves == 1 and kind == 'act': answer(type='action', action={'do': 'keep'})"
    fault = room(raw(trouble), first, isolation=level, clock=CLOCK).play().records[0].faults[0]

    assert ("malformed", 2, WRONG_ID) == (fault.kind, fault.at, fault.detail)


def test_a_bot_that_answers_and_exits_has_made_its_move(level, raw, first, room):
    """The move counts; the crash is that of the next request."""
    trouble = "if moves == 1 and kind == 'act': answer(type='action', action=request['legal'][0]); os._exit(0)"
    record = room(raw(trouble), first, isolation=level, clock=CLOCK).play().records[0]

    assert ("crash", 2) == (record.faults[0].kind, record.faults[0].at)
    assert record.moves[0].by is None


def test_faults_jsonl_has_the_end_of_stderr_and_the_log_has_all_of_it(level, raw, first, room):
    """Tracebacks and stderr (last 4 kB) go to faults.jsonl."""
    trouble = "if moves == 2: sys.stderr.write('a' * 9000 + 'b' * 4095 + 'c'); sys.exit(1)"
    played = room(raw(trouble), first, isolation=level, clock=CLOCK).play()
    fault = played.faults[0]

    assert "b" * 4095 + "c" == fault.stderr
    assert ("scout-2p.0.000000.0", "raw", 0, 2) == (fault.id, fault.bot, fault.seat, fault.at)
    assert "a" * 9000 in "".join(text for name, text, _ in played.logs if name == "raw")


RAISES = """
class Raises(Bot):
    def {where}(self, *args):
        print("on the way")
        {trouble}
    def act(self, view):
        return view.legal_actions()[0]
"""
HOSTED = {
    "__init__ raises": (RAISES.format(where="__init__", trouble="1 / 0"), "start", "__init__ raised ZeroDivisionError"),
    "start raises": (RAISES.format(where="start", trouble="1 / 0"), "crash", "start raised ZeroDivisionError"),
    "act raises": ("class A(Bot):\n    def act(self, view): 1 / 0\n", "crash", "act raised ZeroDivisionError"),
    "act raises with half a character in the text": (
        "class A(Bot):\n    def act(self, view): raise ValueError('\\ud800')\n",
        "crash",
        "act raised ValueError",
    ),
    "act exits": (
        "class A(Bot):\n    def act(self, view): raise SystemExit(3)\n",
        "crash",
        "act raised SystemExit",
    ),
    "act returns nothing": (
        "class A(Bot):\n    def act(self, view): return None\n",
        "malformed",
        "act returned an object of type NoneType, no action of scout",
    ),
    "act returns a number where a text belongs": (
        "from tournament.games.scout.types import Play\nclass A(Bot):\n    def act(self, view): return Play('x', 1)\n",
        "malformed",
        "act returned an action with a field of a wrong type",
    ),
    "act returns an illegal action": (
        "from tournament.games.scout.types import Play\nclass A(Bot):\n    def act(self, view): return Play(0, 99)\n",
        "illegal",
        None,
    ),
}


@pytest.mark.parametrize("case", HOSTED)
def test_a_fault_of_a_python_bot_gives_the_same_bytes_at_every_level(case, level, hosted, first, room):
    """The record keeps kind and a fixed sentence; nothing in it depends on where the bot ran."""
    text, kind, detail = HOSTED[case]
    entry = hosted(text)
    inside = room(entry, first, isolation=Isolation.NONE).play()
    outside = room(entry, first, isolation=level).play()

    assert inside.lines == outside.lines
    assert [one.traceback for one in inside.faults] == [one.traceback for one in outside.faults]
    fault = outside.records[0].faults[0]
    assert kind == fault.kind
    assert detail is None or detail == fault.detail


def test_a_python_bot_that_cannot_be_imported_is_a_start_fault_that_names_the_line(level, hosted, first, room):
    """Fault: start."""
    played = room(
        hosted("import nowhere_at_all\nclass A(Bot):\n    def act(self, view): ...\n"), first, isolation=level
    ).play()

    assert ("start", "the bot cannot be imported") == (played.faults[0].kind, played.faults[0].detail)
    assert "No module named 'nowhere_at_all' (bot.py, line 2)" in played.faults[0].traceback


TAKES_ALL_DESCRIPTORS = """
import os
def take():
    try:
        while True: os.dup(2)
    except OSError: pass
"""


def test_a_python_bot_that_leaves_no_descriptor_when_it_is_imported_is_told_by_its_line(level, hosted, first, room):
    text = f"{TAKES_ALL_DESCRIPTORS}take()\n1 / 0\nclass A(Bot):\n    def act(self, view): ...\n"
    played = room(hosted(text), first, isolation=level).play()

    assert ("start", "the bot cannot be imported") == (played.faults[0].kind, played.faults[0].detail)
    assert "ZeroDivisionError: division by zero (bot.py, line 9)" in played.faults[0].traceback


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [("1 / 0", "crash", "ZeroDivisionError: division by zero"), ("return [1]", "malformed", "[1]")],
)
def test_a_python_bot_that_leaves_no_descriptor_has_its_fault_told(level, hosted, first, room, answer, kind, told):
    text = f"{TAKES_ALL_DESCRIPTORS}class A(Bot):\n    def act(self, view):\n        take()\n        {answer}\n"
    played = room(hosted(text), first, isolation=level).play()

    assert kind == played.faults[0].kind
    assert told in f"{played.faults[0].traceback} {played.records[0].faults[0].answer}"


def test_a_python_bot_whose_import_fails_with_half_a_character_in_the_text_says_so(level, hosted, first, room):
    """Fault: start; a lone surrogate is no UTF-8, so it comes with a backslash."""
    text = "raise ValueError('\\ud800')\nclass A(Bot):\n    def act(self, view): ...\n"
    played = room(hosted(text), first, isolation=level).play()

    assert ("start", "the bot cannot be imported") == (played.faults[0].kind, played.faults[0].detail)
    assert r"ValueError: \ud800 (bot.py, line 2)" in played.faults[0].traceback


def test_a_program_that_cannot_be_executed_is_a_start_fault(level, tmp_path, first, room):
    """Fault: start."""
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF nothing behind it")
    program.chmod(0o755)
    played = room({"name": "raw", "command": [str(program)]}, first, isolation=level).play()

    assert ("start", "cannot be executed") == (played.faults[0].kind, played.faults[0].detail)


def test_when_all_seats_forfeit_the_game_is_aborted(level, raw, room):
    """When every seat has forfeited the game is aborted at once."""
    trouble = "if kind == 'hello': sys.exit(1)"
    record = room(raw(trouble, "a"), raw(trouble, "b"), isolation=level).play().records[0]

    assert ("aborted", (0, 1), ()) == (record.result.ending, record.result.forfeits, record.moves)


def test_a_host_can_say_nothing_but_its_sentences_in_a_record(level, raw, first, room):
    """A bot that answers `failed` with words of its own has sent a malformed answer."""
    trouble = "if moves == 2: answer(type='failed', detail='the referee is bribed'); continue"
    fault = room(raw(trouble), first, isolation=level).play().records[0].faults[0]

    assert ("malformed", NO_ACTION) == (fault.kind, fault.detail)
    assert "bribed" in json.loads(fault.answer)["detail"]


# What a host may say has failed, and when


SENTENCES = {
    "the bot cannot be imported": ("ready", FaultKind.START, False),
    "__init__ raised ValueError": ("ok", FaultKind.START, False),
    "start raised ValueError": ("ok", FaultKind.CRASH, False),
    "act raised ValueError": ("action", FaultKind.CRASH, False),
    "act returned an action with a field of a wrong type": ("action", FaultKind.MALFORMED, True),
    "act returned an object of type int, no action of scout": ("action", FaultKind.MALFORMED, True),
    "act returned an object of type int, no action of explorers": ("action", None, True),
    "act raised a fuss": ("action", None, False),
}
"""What was asked for, what fault it is then (None: nothing that can be said), and whether there is an `answer`."""


@pytest.mark.parametrize("wanted", list(Wanted))
@pytest.mark.parametrize("answer", [None, "{}"], ids=["alone", "with an answer"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_host_can_only_say_what_fits_the_request(sentence, answer, wanted):
    """29 of 105 such answers stood in records that the audit then found wrong."""
    where, kind, has_answer = SENTENCES[sentence]
    said = Failed(id=1, detail=sentence, answer=answer)
    expected = kind if (where, has_answer) == (wanted, answer is not None) else None

    assert expected == kind_of_failure(said, wanted=wanted, game="scout" if wanted == "action" else None)


HOST = """
import json, sys
said = json.loads({said!r})
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        print(json.dumps({{"type": "ready", "id": request["id"]}}), flush=True)
    elif request["type"] == "start":
        print(json.dumps({{"type": "ok", "id": request["id"]}}), flush=True)
    elif request["type"] == "act":
        print(json.dumps(said | {{"id": request["id"]}}), flush=True)
    elif request["type"] == "quit":
        break
"""


def test_whatever_a_host_says_has_failed_leaves_a_record_without_a_finding(tmp_path):
    """What does not fit is malformed when it comes; each meets an honest bot."""
    sentences = [*SENTENCES, "start raised ValueError and more"]
    entries = [{"name": "honest", "bot": str(data_folder("bots") / "random_legal.py"), "isolation": "none"}]
    for number, (sentence, answer) in enumerate(itertools.product(sentences, [None, '{"do":"keep"}'])):
        said = {"type": "failed", "detail": sentence} | ({} if answer is None else {"answer": answer})
        file = f"host_{number}.py"
        (tmp_path / file).write_text(HOST.format(said=json.dumps(said)))
        command = [sys.executable, "-I", "-S", file]
        entries.append({"name": f"host-{number}", "command": command, "files": [file], "games": ["scout"]})
    (tmp_path / "odd.yaml").write_text(
        "name: odd\nseed: 1\nworkers: 1\nbudget: {deals: 1}\ngames: [{game: scout, players: 2}]\nallow_mixed: true\n"
        f"schedule: gauntlet\nfocus: [honest]\nbots: {json.dumps(entries)}\n"
    )
    run = run_tournament(tmp_path / "odd.yaml", out=tmp_path / "run")
    failed = Counter(record.seats[fault.seat].bot for record in read_records(run) for fault in record.faults)

    assert () == audit(run).findings
    assert {entry["name"]: 2 for entry in entries[1:]} == failed
