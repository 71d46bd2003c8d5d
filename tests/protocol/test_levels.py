"""The same bots at every level, in every language."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import yaml
from needs import need_programs

from tournament import blocks, referee
from tournament.players.base import PlayerFault
from tournament.players.linux.child import Child
from tournament.players.preparation import build_bots
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation

BOTS = Path(__file__).parents[2] / "bots"
TABLES = [
    ("scout", ("scout_cautious.py", "scout_greedy.py", "scout_planner.py")),
    ("scout", ("scout_keeper.py", "random_legal.py")),
    ("explorers", ("explorers_cautious.py", "explorers_planner.py")),
    ("explorers", ("explorers_threshold.py", "random_legal.py")),
]
"""Each example bot at a small table: every seat of every game has a process of its own."""


@pytest.fixture(scope="module")
def lines_inside():
    """What was played without processes, by the files of the bots: played once, and compared with each level."""
    return {}


@pytest.mark.parametrize(("game", "files"), TABLES)
def test_the_example_bots_play_the_same_moves_at_every_level(game, files, level, room, lines_inside):
    """The same Python bot plays the same moves at all levels from the same seed."""
    entries = [str(BOTS / name) for name in files]
    if files not in lines_inside:
        lines_inside[files] = room(*entries, game=game, isolation=Isolation.NONE).play().lines
    outside = room(*entries, game=game, isolation=level).play()

    assert () == outside.faults
    assert lines_inside[files] == outside.lines


@pytest.fixture(scope="module")
def lines_outside():
    """What bots in other languages played, by game: played once, and again at each level."""
    return {}


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_bots_in_javascript_and_c_play_whole_games_legally(game, level, room, lines_outside):
    """Working example bots in other languages, which play the same again, at this level and at the other."""
    need_programs("node", "cc")
    folder = BOTS / "other-languages"
    entries = yaml.safe_load((folder / "tournament.yaml").read_text())["bots"]
    build_bots(entries, base=folder, say=print)
    if game not in lines_outside:
        lines_outside[game] = room(*entries, game=game, isolation=level, base=folder).play().lines
    played = room(*entries, game=game, isolation=level, base=folder).play()

    assert () == played.faults
    assert {"complete"} == {str(record.result.ending) for record in played.records}
    assert lines_outside[game] == played.lines


REMEMBERS = """
import os, pathlib
games = []
class Remembers(Bot):
    def start(self, info):
        disk = pathlib.Path("games") if os.environ.get("TMPDIR") == os.getcwd() else None
        before = disk.read_text() if disk is not None and disk.exists() else ""
        print(len(games), len(before))
        games.append(info.seat)
        if disk is not None:
            disk.write_text(before + "x")
    def act(self, view): return view.legal_actions()[0]
"""


def memories(played, name="a"):
    """Returns what a bot knew at the start of each game of a block: games in a module global, games on disk."""
    log = "".join(text for who, text, _ in played.logs if who == name)
    return [tuple(map(int, line.split())) for line in log.splitlines()]


def test_no_process_meets_a_deal_twice(level, hosted, room):
    """Process r plays rotation r of every block, so what it remembers is never of this block."""
    one = room(*(hosted(REMEMBERS, name) for name in ("a", "b", "c")), isolation=level)

    assert [(0, 0)] * 3 == memories(one.play(0))
    assert [(1, 1)] * 3 == memories(one.play(1))


def test_a_bot_in_this_process_does_remember_its_block(hosted, room):
    """The test above can fail: a bot that all rotations share has met the deal before."""
    one = room(hosted(REMEMBERS, "a"), hosted(REMEMBERS, "b"), isolation=Isolation.NONE)

    assert [(0, 0), (1, 0)] == memories(one.play(0))


def test_a_block_that_is_played_again_meets_new_processes(level, hosted, room, monkeypatch):
    """Before a block is played again all processes of its table are replaced."""
    one = room(hosted(REMEMBERS, "a"), hosted(REMEMBERS, "b"), isolation=level)
    one.play(0)
    trouble = iter([None, RuntimeError("ours"), None, None])

    def play_game(*arguments):
        error = next(trouble)
        if error is not None:
            raise error
        return referee.play_game(*arguments)

    monkeypatch.setattr(blocks, "play_game", play_game)

    assert [(0, 0)] * 2 == memories(one.play(1))


def test_an_error_of_ours_that_stays_is_raised_after_three_attempts(hosted, first, room, monkeypatch):
    """An error of ours plays the block again, at most twice."""
    one = room(hosted(REMEMBERS, "a"), first, isolation=Isolation.NONE)
    attempts = []

    def play_game(*arguments):
        attempts.append(1)
        raise RuntimeError("ours")

    monkeypatch.setattr(blocks, "play_game", play_game)
    with pytest.raises(RuntimeError, match="ours"):
        one.play()

    assert 3 == len(attempts)


@pytest.mark.parametrize(("late_games", "timeouts"), [(1, 0), (1000, 2)])
def test_a_timeout_while_the_machine_was_late_plays_the_block_again_once(
    hosted, first, room, monkeypatch, late_games, timeouts
):
    """A second time it stands."""
    one = room(hosted(REMEMBERS, "a"), first, isolation=Isolation.PROCESS)
    late = iter([True] * late_games + [False] * 1000)
    ask = Child.ask

    def sometimes_late(child, line, *, time_ms):
        if b'"act"' in line and next(late):
            raise PlayerFault(FaultKind.TIMEOUT, "no answer in time", late=True)
        return ask(child, line, time_ms=time_ms)

    monkeypatch.setattr(Child, "ask", sometimes_late)

    assert timeouts == len(one.play().faults)


def test_a_process_is_kept_from_block_to_block_and_makes_a_new_bot_for_each_game(level, hosted, room):
    """Processes are kept over games, with a fresh bot object a game."""
    text = """
    import os
    made = []
    class Counts(Bot):
        def start(self, info):
            made.append(self)
            print(os.getpid(), len(made), len({id(one) for one in made}))
        def act(self, view): return view.legal_actions()[0]
    """
    one = room(hosted(text, "a"), hosted(text, "b"), isolation=level)
    logs = ["".join(text for name, text, _ in one.play(number).logs if name == "a") for number in range(2)]
    before, after = ([line.split() for line in log.splitlines()] for log in logs)

    assert [["1", "1"]] * 2 == [line[1:] for line in before]
    assert [["2", "2"]] * 2 == [line[1:] for line in after]
    assert [line[0] for line in before] == [line[0] for line in after]


def test_a_fresh_process_plays_after_a_fault(level, raw, first, room):
    """After a fault the process is replaced."""
    one = room(raw("if moves == 2: os._exit(1)"), first, isolation=level)

    assert [2, 2] == [len(one.play(number).faults) for number in range(2)]


def test_what_a_bot_does_after_the_end_is_no_fault(level, raw, first, room):
    """What happens after the end is logged, no fault."""
    trouble = "if kind == 'end': say('unasked\\n'); sys.stderr.write('bye\\n'); sys.exit(9)"
    one = room(raw(trouble), first, isolation=level)
    played = [one.play(number) for number in range(3)]

    assert [(), (), ()] == [block.faults for block in played]
    assert "bye" in "".join(text for block in played for _, text, _ in block.logs)


def test_lines_after_the_end_are_passed_over_by_a_kept_process(level, raw, first, room):
    """What happens after the end is no fault."""
    one = room(raw("if kind == 'end': say('thanks\\n' * 3)"), first, isolation=level)

    assert [(), (), ()] == [one.play(number).faults for number in range(3)]


def test_prints_of_a_python_bot_reach_its_log_and_not_the_protocol(level, hosted, first, room):
    """The protocol lies on a private descriptor; print goes to stderr."""
    text = """
    import os, sys
    class Prints(Bot):
        def act(self, view):
            print('{"type":"action"}'); sys.stderr.write("error\\\\n"); os.write(1, b"raw\\\\n"); sys.stdout.flush()
            assert sys.stdin.read() == ""
            return view.legal_actions()[0]
    """
    played = room(hosted(text), first, isolation=level).play()
    log = "".join(text for name, text, _ in played.logs if name == "hosted")

    assert () == played.faults
    assert all(text in log for text in ('{"type":"action"}', "error", "raw"))


def test_a_child_has_a_clean_environment(level, hosted, first, room, monkeypatch):
    """PYTHONHASHSEED=0, one BLAS thread, a clean environment."""
    monkeypatch.setenv("SECRET_OF_THE_RUNNER", "x")
    text = """
    import os
    class Shows(Bot):
        def start(self, info): print(sorted(os.environ.items()), os.getcwd() == os.environ["HOME"])
        def act(self, view): return view.legal_actions()[0]
    """
    played = room(hosted(text, env={"LEVEL": "2"}), first, isolation=level).play()
    log = played.logs[0][1]

    assert "SECRET" not in log
    assert all(
        f"('{name}', '{value}')" in log
        for name, value in [("PYTHONHASHSEED", "0"), ("OMP_NUM_THREADS", "1"), ("LEVEL", "2")]
    )
    assert log.strip().endswith("True")


def test_a_bot_sees_its_own_folder_and_may_write_only_to_scratch(level, hosted, first, room):
    """A bot may read its own folder, its working directory is scratch."""
    text = """
    import os, pathlib
    class Writes(Bot):
        def act(self, view):
            folder = pathlib.Path(os.environ["TOURNAMENT_BOT_DIR"])
            pathlib.Path("note").write_text((folder / "bot.py").read_text()[:10])
            return view.legal_actions()[0]
    """
    played = room(hosted(text), first, isolation=level).play()

    assert () == played.faults


def test_an_interpreter_of_its_own_runs_a_bot(level, hosted, first, room, tmp_path):
    """Per bot in the configuration: python."""
    import venv

    venv.create(tmp_path / "env", symlinks=True)
    text = """
    import sys
    class Shows(Bot):
        def start(self, info): print(sys.prefix)
        def act(self, view): return view.legal_actions()[0]
    """
    played = room(hosted(text, python=str(tmp_path / "env")), first, isolation=level).play()

    assert () == played.faults
    assert str(tmp_path / "env") == played.logs[0][1].split("\n")[0]
    assert sys.prefix != str(tmp_path / "env")


def test_a_kept_process_is_asked_for_no_game_that_it_said_it_does_not_play(level, raw, first, room):
    """`games` in `ready` says what the bot plays, also when its process began with another game."""
    one = room(raw("if kind == 'hello': answer(type='ready', games=['scout']); continue"), first, isolation=level)
    scout = one.play()
    one.game = "explorers"
    faults = [fault for record in one.play().records for fault in record.faults]

    assert () == scout.faults
    assert [("start", "ready says that it does not play explorers")] * 2 == [
        (fault.kind, fault.detail) for fault in faults
    ]
