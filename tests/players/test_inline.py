"""A bot in this process: its hooks, and a fault for whatever breaks the contract."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError
from tournament.games.scout.types import Keep, Play, Scout, SetEnd
from tournament.players.base import Interrupts, PlayerFault
from tournament.players.bot import Clock
from tournament.players.inline import load_bot_class
from tournament.records.record import FaultKind

ROOT = Path(__file__).parents[2]


def fault_of(step):
    """Returns the fault that a step raises."""
    with pytest.raises(PlayerFault) as caught:
        step()
    return caught.value


def answer_to(player, info, view, returned):
    """Returns what a bot's answer becomes."""
    one = player(
        "def act(self, view):\n    from tournament.games.scout.types import SetEnd, Keep, Play, Scout\n"
        f"    {returned}\n"
    )
    one.start(info)
    return one.act(view)


def test_a_game_is_start_act_and_end(player, info, view, result):
    """The hooks of a bot, in order, on one object."""
    one = player(
        """
        def start(self, info): self.log = [info.game, info.seat, self.clock.move_ms]
        def act(self, view):
            self.log.append(self.clock.bank_ms)
            return view.legal_actions()[0]
        def end(self, result): raise ValueError(self.log + [result.ending])
        """,
        on_end_error=(problems := []).append,
    )
    one.start(info)
    action = one.act(view, Clock(bank_ms=7))
    one.act(view)
    one.end(result)

    assert action == Keep()
    assert problems[0].endswith("ValueError: ['scout', 0, 1000, 7, 7, 'complete']\n")


def test_every_game_has_a_new_bot_with_its_parameters(player, info, view):
    """A fresh bot object a game; it cannot change its parameters for the next."""
    one = player(
        """
        def __init__(self, depth, book):
            self.games = len(book)
            book.append(depth)
        def act(self, view):
            assert self.games == 1
            return view.legal_actions()[0]
        """,
        params={"depth": 2, "book": [1]},
    )
    for _ in range(2):
        one.start(info)

        assert one.act(view) == Keep()


def test_an_exception_in_making_a_bot_is_a_fault_at_the_start(player, info):
    """Fault: start."""
    fault = fault_of(lambda: player("def __init__(self): 1 / 0\n").start(info))

    assert (fault.kind, fault.detail, fault.answer) == (FaultKind.START, "__init__ raised ZeroDivisionError", None)


def test_a_parameter_a_bot_does_not_take_is_a_fault_at_the_start(player, info):
    """Fault: start, where reading the bot does not tell it before."""
    text = "def __init__(self, **given): super().__init__(**given)\n"
    fault = fault_of(lambda: player(text, params={"depth": 2}).start(info))

    assert (fault.kind, fault.detail) == (FaultKind.START, "__init__ raised TypeError")


def test_an_exception_in_start_is_a_crash(player, info):
    """Fault: crash."""
    fault = fault_of(lambda: player("def start(self, info): info.nothing\n").start(info))

    assert (fault.kind, fault.detail) == (FaultKind.CRASH, "start raised AttributeError")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("raise ValueError('secret /path')", "ValueError"),
        ("__import__('sys').exit()", "SystemExit"),
        ("self.act(view)", "RecursionError"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("view.hand = ()", "AttributeError"),
        ("raise type('Evil' * 50, (Exception,), {})", "unnamed"),
        ("raise type('Quiet', (BaseException,), {'__str__': lambda self: 1 / 0})", "Quiet"),
    ],
)
def test_whatever_act_raises_is_a_crash(player, info, view, line, name):
    """Fault: crash; every BaseException counts, a changed view included."""
    one = player(f"def act(self, view): {line}\n", interrupts=Interrupts())
    one.start(info)
    fault = fault_of(lambda: one.act(view))

    assert (fault.kind, fault.detail, fault.answer) == (FaultKind.CRASH, f"act raised {name}", None)
    assert "a.py" in fault.traceback


def test_a_traceback_begins_in_the_bot_and_names_its_module_as_the_author_does(player, info, view):
    """What a person reads of a crash."""
    one = player("def act(self, view):\n    import nowhere.deeper\n")
    one.start(info)
    lines = fault_of(lambda: one.act(view)).traceback.splitlines()

    assert lines[0] == "Traceback (most recent call last):"
    assert "a.py" in lines[1]
    assert lines[-1] == "ModuleNotFoundError: No module named 'nowhere'"


def test_an_exception_that_cannot_be_written_is_a_crash_all_the_same(player, info, view):
    """Even an exception that fails when it is asked about itself."""
    one = player(
        """
        def act(self, view):
            class Evil(Exception):
                @property
                def __cause__(self): raise SystemExit
            raise Evil
        """
    )
    one.start(info)

    assert fault_of(lambda: one.act(view)).detail == "act raised Evil"


def test_the_interrupt_of_the_user_is_no_fault(player, info, view):
    """Only the runner knows who pressed Ctrl-C; what the bot makes of it does not matter."""
    interrupts = Interrupts()
    one = player(
        """
        def act(self, view):
            try:
                import os, signal
                os.kill(os.getpid(), signal.SIGINT)
            except KeyboardInterrupt:
                if self.clock.move_ms:
                    raise ValueError
            return view.legal_actions()[0]
        """,
        interrupts=interrupts,
    )
    before = signal.signal(signal.SIGINT, interrupts.ask)
    try:
        for clock in (Clock(move_ms=1), Clock()):
            one.start(info)
            with pytest.raises(KeyboardInterrupt):
                one.act(view, clock)
    finally:
        signal.signal(signal.SIGINT, before)


def test_without_interrupts_every_keyboard_interrupt_is_the_users(player, info, view):
    """In a notebook Ctrl-C works as ever."""
    one = player("def act(self, view): raise KeyboardInterrupt\n")
    one.start(info)

    with pytest.raises(KeyboardInterrupt):
        one.act(view)


@pytest.mark.parametrize(
    ("returned", "described", "answer"),
    [
        ("return None", "NoneType", "null"),
        ("return {'do': 'keep', 'at': 1}", "dict", '{"at":1,"do":"keep"}'),
        ("return view.legal_actions()[:2]", "tuple", '[{"do":"keep"},{"do":"turn"}]'),
        ("return {1, 2}", "set", "an object of type set"),
        ("return [{'a', 'b'}]", "list", "an object of type list"),
        ("return float('nan')", "float", "an object of type float"),
        ("return {1: 2, 'a': 3}", "dict", "an object of type dict"),
        ("return 'å\\ud800'", "str", '"\\u00e5\\ud800"'),
        ("return 'x' * 5000", "str", '"' + "x" * 1999),
        ("return Keep", "StructMeta", "an object of type StructMeta"),
        ("return type('Play', (Play,), {})(1, 1)", "Play", "an object of type Play"),
        ("return object()", "object", "an object of type object"),
        ("return lambda: 1", "function", "an object of type function"),
        ("return SetEnd.LEFT", "SetEnd", '"left"'),
        ("x = []; x.append(x); return x", "list", "an object of type list"),
    ],
)
def test_an_object_that_is_no_action_is_malformed(player, info, view, returned, described, answer):
    """Fault: malformed; the answer is canonical JSON, or says what kind of object it was."""
    fault = fault_of(lambda: answer_to(player, info, view, returned))

    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail == f"act returned an object of type {described}, no action of scout"
    assert fault.answer == answer


@pytest.mark.parametrize(
    ("returned", "answer"),
    [
        ("return Play(True, 1)", '{"at":true,"count":1,"do":"play"}'),
        ("return Play(1.0, 1)", '{"at":1.0,"count":1,"do":"play"}'),
        ("return Play('1', 1)", '{"at":"1","count":1,"do":"play"}'),
        ("return Play(None, 1)", '{"at":null,"count":1,"do":"play"}'),
        ("return Play(-1, 1)", '{"at":-1,"count":1,"do":"play"}'),
        ("return Play({1}, 1)", "an object of type Play"),
        ("return Play(type('I', (int,), {'__eq__': lambda a, b: True})(3), 1)", '{"at":3,"count":1,"do":"play"}'),
        ("return Scout('middle', False, 1)", '{"at":1,"do":"scout","end":"middle","flip":false}'),
        ("return Scout(SetEnd.LEFT, 0, 1, True)", '{"at":1,"do":"scout","end":"left","flip":0,"then_play":true}'),
    ],
)
def test_an_action_with_a_wrong_field_is_malformed(player, info, view, returned, answer):
    """Fault: malformed; `true` and `1.0` are no index, nor is an int that equals everything."""
    fault = fault_of(lambda: answer_to(player, info, view, returned))

    assert fault.kind is FaultKind.MALFORMED
    assert fault.detail == "act returned an action with a field of a wrong type"
    assert fault.answer == answer


def test_a_class_that_pretends_to_be_an_action_is_malformed(player, info, view):
    """A metaclass that calls itself equal to anything changes nothing."""
    lines = (
        "M = type('M', (type,), {'__eq__': lambda a, b: True, '__hash__': lambda a: hash(Play), '__name__': 'Play'})"
        "\n    return M('Mine', (), {})()"
    )
    fault = fault_of(lambda: answer_to(player, info, view, lines))

    assert fault.detail == "act returned an object of type Mine, no action of scout"


def test_a_well_formed_action_comes_back_as_a_clean_copy(player, info, view):
    """A plain text for a word of the rules is made one; an illegal action is for the referee to judge."""
    action = answer_to(player, info, view, "return Scout('left', False, 3)")

    assert type(action.end) is SetEnd
    assert action == Scout(SetEnd.LEFT, False, 3)
    assert answer_to(player, info, view, "return Play(99, 99)") == Play(99, 99)


def test_an_exception_in_end_is_no_fault(player, info, result):
    """What happens after the end is logged."""
    problems = []
    one = player("def end(self, result): raise SystemExit\n", on_end_error=problems.append, interrupts=Interrupts())
    one.start(info)
    one.end(result)
    one.close()

    assert problems[0].splitlines()[-1] == "SystemExit"


def test_a_bot_that_broke_the_contract_is_not_told_the_end(player, info, view, result):
    """After a fault the bot is let go of."""
    problems = []
    one = player("def act(self, view): 1 / 0\ndef end(self, result): 1 / 0\n", on_end_error=problems.append)
    one.start(info)
    fault_of(lambda: one.act(view))
    one.end(result)

    assert problems == []


def test_its_own_folder_is_named_while_a_bot_is_loaded_and_started(player, info, view, tmp_path, monkeypatch):
    """TOURNAMENT_BOT_DIR."""
    monkeypatch.delenv("TOURNAMENT_BOT_DIR", raising=False)
    one = player(
        """
        import os
        loaded = os.environ["TOURNAMENT_BOT_DIR"]
        def __init__(self): self.made = self.os.environ["TOURNAMENT_BOT_DIR"]
        def start(self, info): self.started = self.os.environ["TOURNAMENT_BOT_DIR"]
        def act(self, view): return [self.loaded, self.made, self.started]
        """
    )
    one.start(info)

    assert fault_of(lambda: one.act(view)).answer == str([str(tmp_path / "bots")] * 3).replace("'", '"').replace(
        " ", ""
    )
    assert "TOURNAMENT_BOT_DIR" not in os.environ


SCRIPT = """
import random, sys
from pathlib import Path
from tournament.entrants.entries import entrants_from
from tournament.games import load_game
from tournament.players.base import PlayerFault
from tournament.players.bot import Clock, GameStart
from tournament.players.inline import InlinePlayer, load_bot_class

(entrant,) = entrants_from(["a.py"], base=Path(sys.argv[1]))
player = InlinePlayer(load_bot_class(entrant.bots[0]), entrant.bots[0])
game = load_game("scout")
state = game.start(game.deal(3, random.Random(1)))
for seat in range(6):
    rng = random.Random(1)
    player.start(GameStart(game="scout", players=3, seat=seat, options=game.Options(), rng=rng, clock=Clock()))
    try:
        player.act(state.view(0))
    except PlayerFault as fault:
        print(fault.kind, fault.detail, fault.answer)
"""


def test_faults_are_the_same_whatever_the_hash_seed(tmp_path):
    """Equal seeds give equal bytes, crashing bots too."""
    (tmp_path / "a.py").write_text(
        "from tournament import Bot\nfrom tournament.games.scout.types import Play\nclass A(Bot):\n"
        "    def start(self, info): self.seat = info.seat\n"
        "    def act(self, view):\n"
        "        words = {'alpha', 'beta', 'gamma', object()}\n"
        "        if self.seat == 5: raise ValueError(words)\n"
        "        return [words, {'set': words}, Play(words, 1), {'b': 1, 'a': [2]}, frozenset('abc')][self.seat]\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    ]

    assert len(set(told)) == 1
    assert len(told[0].splitlines()) == 6


def test_a_command_cannot_be_loaded_into_this_process(tmp_path):
    """Isolation none is for Python bots."""
    (entrant,) = entrants_from([[sys.executable]], base=tmp_path)

    with pytest.raises(
        BotError, match=r"is a command, which cannot run inside this process\. Choose isolation: process"
    ):
        load_bot_class(entrant.bots[0])
