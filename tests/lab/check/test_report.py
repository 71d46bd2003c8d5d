"""What `tournament bot check` says to do: other words for a Python bot than for a program."""

from __future__ import annotations

import pytest

from tournament.entrants.entries import entrants_from
from tournament.lab.check.report import Advice
from tournament.players.base import FaultReason as Reason
from tournament.records.settings import Limits, TimeControl

TRACEBACK = """Traceback (most recent call last):
  File "{folder}/bot.py", line 9, in act
    parse("x")
  File "{folder}/helper.py", line 4, in parse
    return json.loads(text)
  File "/usr/lib/python3/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
json.decoder.JSONDecodeError: Expecting value
"""
NO_DEPTH = "TypeError: A.__init__() missing 1 required positional argument: 'depth'\n"
PYTHON = {
    "an exception": (
        "crash",
        Reason.RAISED,
        TRACEBACK,
        "Fix helper.py, line 4, in parse: json.decoder.",
    ),
    "no memory": ("crash", Reason.RAISED_IN_START, "MemoryError\n", "limits: {memory_mb: 1024}"),
    "a parameter": ("start", Reason.RAISED, NO_DEPTH, "params: {depth: 2}"),
    "a module": (
        "start",
        Reason.NOT_IMPORTED,
        "a.py: No module named 'torch'",
        "If torch is a file of yours, put it into the folder of the bot; if it is a library, install it",
    ),
    "an import": ("start", Reason.NOT_IMPORTED, "a.py: KeyError: 3 (a.py, line 2)", "python bot.py shows"),
    "the interpreter": ("crash", Reason.ENDED, None, "modules written in C"),
    "a slow game": ("start", Reason.NO_ANSWER, None, "Do less in __init__ and start: there are 3000 ms"),
    "a slow move": ("timeout", Reason.NO_ANSWER, None, "Answer sooner: a move has 1000 ms"),
    "an illegal action": ("illegal", None, None, "Return one of view.legal_actions()."),
    "nothing": ("malformed", None, None, "Return an action"),
    "prints": ("flood", None, "x", "Print less: 1048576 bytes a game"),
    "memory": ("memory", None, None, "Hold less than 512 MiB"),
}
PROGRAM = {
    "an exception": ("crash", Reason.ENDED, "ReferenceError: x is not defined", "Fix what the lines above say."),
    "no memory": ("crash", Reason.ENDED, "FATAL ERROR: JavaScript heap out of memory", "limits: {memory_mb: 1024}"),
    "silence": ("crash", Reason.ENDED, None, "tournament repro"),
    "a slow start": ("start", Reason.NO_ANSWER, None, "Flush stdout after every line"),
    "a slow move": ("timeout", Reason.NO_ANSWER, None, "Flush stdout after every line"),
    "no newline": ("timeout", Reason.NO_NEWLINE, None, "End each answer with a newline"),
    "an illegal action": ("illegal", None, None, "`legal` of the request"),
    "a greeting": ("start", None, None, "Answer hello with ready"),
    "an id": ("malformed", Reason.WRONG_ID, None, "with the id of that request"),
    "no action": ("malformed", None, None, '{"type":"action"'),
    "no program": ("start", Reason.NOT_EXECUTED, "Exec format error", "#!"),
    "another game": ("start", Reason.OTHER_GAME, None, "`games` of ready"),
}


@pytest.fixture
def advice(tmp_path):
    """Returns a function that gives the adviser of a Python bot, or of a program."""

    def make(*, is_python, packages=None):
        (tmp_path / "bot.py").write_text("from tournament import Bot\nclass A(Bot):\n    def act(self, view): ...\n")
        entry = {"bot": "bot.py"} if is_python else {"name": "program", "command": ["sh", "bot.py"]}
        source = entrants_from([entry], base=tmp_path)[0].bots[0]
        return Advice(source=source, clock=TimeControl(), limits=Limits(), packages=packages)

    return make


@pytest.mark.parametrize("case", PYTHON)
def test_the_author_of_a_python_bot_is_told_what_to_do_in_python(case, advice, tmp_path):
    """No word of the protocol, which they never see; after an exception the file and line that are theirs."""
    kind, reason, log, said = PYTHON[case]
    found = advice(is_python=True).on_fault(kind, reason, log=log and log.format(folder=tmp_path))

    assert said in found
    assert not any(word in found for word in ("flush", "hello", "request", "JSON that"))


def test_a_module_that_hides_behind_the_standard_library_is_named(advice, tmp_path):
    """It worked where the script was run alone."""
    adviser = advice(is_python=True)
    (tmp_path / "queue.py").write_text("def mine(): ...\n")
    log = f"AttributeError: module 'queue' has no attribute 'mine' ({tmp_path}/bot.py, line 2)"
    trace = f'  File "{tmp_path}/bot.py", line 2, in act\n    queue.mine()\n' + log

    for found in (
        adviser.on_fault("start", Reason.NOT_IMPORTED, log=log),
        adviser.on_fault("crash", Reason.RAISED, log=trace),
    ):
        assert "rename it, or write from . import queue." in found


@pytest.mark.parametrize("case", PROGRAM)
def test_the_author_of_a_program_is_told_what_to_do_on_the_wire(case, advice):
    """No word of Python classes."""
    kind, reason, log, said = PROGRAM[case]
    found = advice(is_python=False).on_fault(kind, reason, log=log)

    assert said in found
    assert not any(word in found for word in ("view.", "__init__", "from act"))


@pytest.mark.parametrize(("said_hello", "key"), [(True, "newgame_ms: 9000"), (False, "start_ms: 30000")])
def test_a_slow_start_is_told_by_what_was_slow(said_hello, key, advice):
    """Before the answer to hello it is start_ms, after it newgame_ms."""
    for is_python in (True, False):
        assert key in advice(is_python=is_python).on_fault("start", Reason.NO_ANSWER, log=None, said_hello=said_hello)


def test_chance_is_drawn_from_another_place_in_python_than_on_the_wire(advice):
    """Same seed, same moves."""
    assert "info.rng" in advice(is_python=True).chance()
    assert "`rng` of the request" in advice(is_python=False).chance()


@pytest.mark.parametrize(
    ("packages", "told"),
    [
        (("numpy", "scipy"), "Libraries that bots may import here: numpy, scipy."),
        ((), "Libraries that bots may import here: none."),
    ],
)
def test_where_a_host_names_the_packages_a_missing_one_is_for_the_host(advice, packages, told):
    log = "a.py: No module named 'torch'"
    said = advice(is_python=True, packages=packages).on_fault("start", Reason.NOT_IMPORTED, log=log)

    assert said.endswith(f"if it is a library, do without it, or ask the host for it. {told}")
