"""What a bot can reach (docs/isolation.md, Attack by attack)."""

from __future__ import annotations

import os
from pathlib import Path
from time import sleep

from tournament.players.trees import descendants
from tournament.records.hosting import Isolation


def answers(raw, first, room, level, expression, **entry):
    """Returns what an expression gives in a bot, or the class of the exception it raises."""
    trouble = f"if kind == 'hello':\n    try: sys.stderr.write(str({expression}) + chr(10))\n"
    trouble += "    except BaseException as error: sys.stderr.write(type(error).__name__ + chr(10))\n"
    played = room(raw(trouble, **entry), first, isolation=level).play()

    assert () == played.faults
    (said,) = set("".join(text for name, text in played.logs if name == "raw").splitlines())
    return said


def test_a_bot_cannot_read_the_memory_of_its_runner(level, raw, first, room):
    """docs/isolation.md: not dumpable, another user, or not visible."""
    said = answers(raw, first, room, level, f"open('/proc/{os.getpid()}/mem', 'rb')")
    expected = {Isolation.PROCESS: "PermissionError", Isolation.SANDBOX: "FileNotFoundError"}

    assert expected[level] == said


def test_a_bot_sees_no_variable_of_its_runner(level, raw, first, room, monkeypatch):
    """docs/isolation.md: seeds from the environment."""
    monkeypatch.setenv("MASTER", "secret")

    assert "False" == answers(raw, first, room, level, "'secret' in str(dict(os.environ))")


def test_a_bot_has_no_descriptor_but_its_three_pipes(level, raw, first, room):
    """docs/isolation.md: seeds from an open file."""
    said = answers(raw, first, room, level, "[n for n in range(3, 64) if os.path.exists(f'/proc/self/fd/{n}')]")

    assert "[]" == said


def test_a_bot_in_a_sandbox_sees_neither_the_run_nor_the_network(raw, first, room, tmp_path, level):
    """docs/isolation.md: other files of the user, the network."""
    (tmp_path / "master.secret").write_text("x")
    files = answers(raw, first, room, level, f"os.path.exists('{tmp_path}/master.secret')")
    interfaces = answers(raw, first, room, level, "len(open('/proc/net/dev').readlines()) > 3")

    if level is Isolation.SANDBOX:
        assert "False" == files
        assert "False" == interfaces


def test_the_run_folder_is_hidden_even_inside_a_folder_the_bot_sees(hosted, first, room, tmp_path, level):
    """docs/isolation.md: the run folder."""
    run = tmp_path / "hosted" / "run"
    entry = hosted(
        f"""
        import os
        class A(Bot):
            def start(self, info): print(os.listdir({str(run)!r}))
            def act(self, view): return view.legal_actions()[0]
        """
    )
    run.mkdir()
    (run / "master.secret").write_text("x")
    log = room(entry, first, isolation=level, hidden=(str(run),)).play().logs[0][1]

    assert {Isolation.PROCESS: "['master.secret']", Isolation.SANDBOX: "[]"}[level] == log.splitlines()[0]


def test_bots_are_stopped_outside_their_requests(level, raw, first, room):
    """protocol.md, Time: nobody thinks on others' time."""
    others = set(descendants(os.getpid()))  # what earlier tests left to this process, which adopts orphans
    ponders = "import threading\n"
    ponders += "if moves == 1: threading.Thread(target=exec, args=('while True: pass',), daemon=True).start()"
    one = room(raw(ponders), first, isolation=level)
    assert () == one.play().faults

    def states():
        found = []
        for pid in set(descendants(os.getpid())) - others:
            name, _, rest = Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
            if name != "bwrap":
                found.append(rest.split()[0])
        return found

    for _ in range(100):
        if {"T"} == set(states()):
            break
        sleep(0.01)

    assert ["T", "T"] == states()
