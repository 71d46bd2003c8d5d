"""What a bot can reach (docs/isolation.md, Attack by attack)."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from time import sleep

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError
from tournament.players.linux import child
from tournament.players.linux import files as copies
from tournament.players.linux.trees import cpu_ns, descendants
from tournament.players.preparation import prepare_hosting
from tournament.records.settings import Hosting, Isolation


def answers(raw, first, room, level, expression, **entry):
    """Returns what an expression gives in a bot, or the class of the exception it raises."""
    trouble = f"if kind == 'hello':\n    try: sys.stderr.write(str({expression}) + chr(10))\n"
    trouble += "    except BaseException as error: sys.stderr.write(type(error).__name__ + chr(10))\n"
    played = room(raw(trouble, **entry), first, isolation=level).play()

    assert () == played.faults
    (said,) = set("".join(text for name, text, _ in played.logs if name == "raw").splitlines())
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


READS = """
class Reads(Bot):
    def start(self, info):
        try: print(open({path!r}).read())
        except OSError as error: print(type(error).__name__)
    def act(self, view): return view.legal_actions()[0]
"""


def written(*parts):
    """Returns a file with a text, in a folder that is made for it."""
    path = Path(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("7")
    return str(path)


def test_a_bot_reaches_all_its_folders_below_one_that_is_closed(level, hosted, first, room, tmp_path):
    """docs/isolation.md, As root: the folders of pytest are closed to others, and this lies beside the bot's."""
    weights = written(tmp_path, "course", "deep", "weights")
    played = room(hosted(READS.format(path=weights), files=[weights]), first, isolation=level).play()

    assert ((), "7") == (played.faults, played.logs[0][1].splitlines()[0])


def test_a_bot_reaches_its_file_in_a_closed_folder_inside_its_own(hosted, first, room, tmp_path):
    """docs/isolation.md, As root: what is shown of a closed folder may have a closed one in it."""
    path = tmp_path / "hosted" / "closed" / "weights"
    entry = hosted(READS.format(path=str(path)), files=[str(path)])
    os.chmod(Path(written(path)).parent, 0o700)
    played = room(entry, first, isolation=Isolation.PROCESS).play()

    assert ((), "7") == (played.faults, played.logs[0][1].splitlines()[0])


def test_a_bot_whose_folder_is_a_link_into_a_closed_one_plays(level, hosted, first, room, tmp_path):
    """docs/isolation.md, As root: the link itself lies where everybody may go."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        os.chmod(place, 0o711)
        link = Path(place) / "course"
        link.symlink_to(tmp_path)
        bot = str(link / "hosted" / "bot.py")
        played = room({**hosted(READS.format(path=bot)), "bot": bot}, first, isolation=level).play()

    assert () == played.faults


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has bots run as other users")
def test_a_bot_sees_nothing_else_of_a_closed_folder(hosted, first, room, tmp_path):
    """docs/isolation.md, As root: its folders, and nothing else there, are shown to it."""
    diary = written(tmp_path, "diary", "text")
    played = room(hosted(READS.format(path=diary)), first, isolation=Isolation.PROCESS).play()

    assert ((), "FileNotFoundError") == (played.faults, played.logs[0][1].splitlines()[0])


PONDERS = "import threading\n"
PONDERS += "if moves == 1: threading.Thread(target=exec, args=('while True: pass',), daemon=True).start()"


def test_bots_are_stopped_outside_their_requests(level, raw, first, room):
    """Nobody thinks on others' time."""
    others = set(descendants(os.getpid()))  # what earlier tests left to this process, which adopts orphans
    one = room(raw(PONDERS), first, isolation=level)
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


@pytest.mark.long
@pytest.mark.parametrize("other", ["LOOSE_NS", "RESTLESS_NS"])
def test_a_bot_that_ponders_gains_nothing_from_others_who_are_slow(level, raw, room, monkeypatch, other):
    """Stopped after a millisecond, and at once when it ponders.

    Each rule does it without the other.
    """
    at_answer, gained = {}, Counter()
    ask = child.Child.ask

    def watched(self, line, *, time_ms):
        gained[self] += cpu_ns(self._hold.clock) - at_answer.get(self, cpu_ns(self._hold.clock))
        try:
            return ask(self, line, time_ms=time_ms)
        finally:
            at_answer[self] = cpu_ns(self._hold.clock)

    monkeypatch.setattr(child, other, 10**12)
    monkeypatch.setattr(child.Child, "ask", watched)
    one = room(raw(PONDERS, name="ponders"), raw("time.sleep(0.05 * (kind == 'act'))", name="slow"), isolation=level)
    played = one.play()

    waited_ms = played.clocks[0].seats[1].total_ms
    assert () == played.faults
    assert max(gained.values()) / 1e6 < waited_ms / 8


def test_no_bot_goes_on_while_another_is_started_or_ended(level, raw, room, monkeypatch):
    """Both take far longer than a millisecond."""
    loose = {}
    launched, wait = child.Child.launched, child.subprocess.Popen.wait

    def note_launched(self, deadline_ns):
        loose.setdefault("started", []).append(len(self._loose))
        sets.append(self._loose)
        launched(self, deadline_ns)

    def note_wait(self, timeout=None):
        loose.setdefault("ended", []).append(len(sets[-1]))
        return wait(self, timeout)

    sets = []
    room(raw(""), raw("", name="another"), isolation=level).play()  # what is found out once, by programs that end
    monkeypatch.setattr(child, "LOOSE_NS", 10**12)
    monkeypatch.setattr(child.Child, "launched", note_launched)
    monkeypatch.setattr(child.subprocess.Popen, "wait", note_wait)
    played = room(raw("", name="one"), raw("if moves == 2: os.close(1); break", name="other"), isolation=level).play()

    assert ["crash", "crash"] == [fault.kind for fault in played.faults]
    assert {"started", "ended"} == loose.keys()
    assert {0} == {*loose["started"], *loose["ended"]}


def test_nobody_reads_the_parameters_of_another(level, hosted, raw, room):
    """docs/isolation.md: what stands on a command line can be read by all."""
    entry = hosted(
        "class A(Bot):\n    def __init__(self, plan): self.plan = plan\n"
        "    def act(self, view): return view.legal_actions()[0]\n",
        params={"plan": "the-plan-of-" + "a" * 100_000},
        env={"HINT": "the-plan-of-b"},
    )
    looks = "found = 0\nfor one in filter(str.isdecimal, os.listdir('/proc') * (moves == 1 and kind == 'act')):\n"
    looks += "    for file in ('cmdline', 'environ'):\n"
    looks += "        try: found += b'the-plan-' + b'of' in open('/proc/' + one + '/' + file, 'rb').read()\n"
    looks += "        except OSError: pass\nif moves == 1: sys.stderr.write(str(found) + chr(10))"
    played = room({**entry, "isolation": str(level)}, raw(looks), isolation=Isolation.PROCESS).play()

    assert () == played.faults
    assert {"0"} == {line for name, text, _ in played.logs if name == "raw" for line in text.splitlines()}


@pytest.mark.parametrize("place", ["/opt", "/usr/local"])
def test_a_run_below_the_system_is_hidden(place, raw, first, room):
    """docs/isolation.md: the run folder, also where the bot's folder is not."""
    if not os.access(place, os.W_OK):
        pytest.skip(f"{place} is not ours to write")
    with tempfile.TemporaryDirectory(dir=place) as run:
        os.chmod(run, 0o755)
        written(run, "master.secret")
        trouble = f"if kind == 'start': sys.stderr.write(str(os.listdir({run!r})) + chr(10))"
        played = room(raw(trouble), first, isolation=Isolation.SANDBOX, hidden=(run,)).play()

    assert ((), {"[]\n"}) == (played.faults, {text for name, text, _ in played.logs if name == "raw"})


def test_a_run_is_hidden_from_a_bot_whose_folder_is_reached_through_a_link(hosted, first, room, tmp_path):
    """docs/isolation.md: real paths are compared."""
    entry = hosted(READS.format(path=str(tmp_path / "link" / "hosted" / "run" / "master.secret")))
    written(tmp_path, "hosted", "run", "master.secret")
    (tmp_path / "link").symlink_to(tmp_path)
    bot = str(tmp_path / "link" / "hosted" / "bot.py")
    hidden = (str(tmp_path / "hosted" / "run"),)
    played = room({**entry, "bot": bot}, first, isolation=Isolation.SANDBOX, hidden=hidden).play()

    assert ((), "FileNotFoundError") == (played.faults, played.logs[0][1].splitlines()[0])


def test_a_copy_has_what_a_bot_needs_and_neither_runs_nor_environments(hosted, first, room, tmp_path):
    """docs/isolation.md, The sandbox."""
    entry = hosted(
        """
        import os
        class A(Bot):
            def start(self, info):
                for place, folders, files in os.walk(os.environ["TOURNAMENT_BOT_DIR"]):
                    print(os.path.basename(place), sorted(folders), sorted(files))
            def act(self, view): return view.legal_actions()[0]
        """
    )
    for name in ("data/weights", "old-run/run.json", "env/pyvenv.cfg", ".git/config", ".hidden"):
        written(tmp_path, "hosted", name)
    (tmp_path / "hosted" / "link").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "hosted" / "pipe")
    played = room(entry, first, isolation=Isolation.SANDBOX).play()

    assert () == played.faults
    assert ["hosted ['data'] ['.hidden', 'bot.py', 'link']", "data [] ['weights']"] == played.logs[0][1].splitlines()[
        :2
    ]


def test_a_bot_with_too_much_to_copy_is_refused_with_what_to_do(hosted, tmp_path, monkeypatch):
    """docs/isolation.md, The sandbox: a copy for each process."""
    monkeypatch.setattr(copies, "COPY_MB", 1)
    entrants = entrants_from([hosted("class A(Bot):\n    def act(self, view): ...\n")], base=tmp_path)
    (tmp_path / "hosted" / "weights").write_bytes(b"x" * (2 << 20))

    with pytest.raises(BotError, match=r"holds more than 1 MB: .*hosted\. Put the bot into a folder with only what"):
        prepare_hosting(entrants, Hosting(isolation=Isolation.SANDBOX), allow_mixed=False)
    assert () == prepare_hosting(entrants, Hosting(isolation=Isolation.PROCESS), allow_mixed=False)


SHOWS_ADDRESS = """
class Shows(Bot):
    def start(self, info): print(id(object))
    def act(self, view): return view.legal_actions()[0]
"""


def test_where_a_bot_is_in_a_sandbox_nobody_can_tell_where_programs_lie(level, hosted, room):
    """docs/isolation.md: with strangers at the table the kernel's shuffling is kept, for all of the run."""
    for file in Path("/proc/self/personality"), Path("/proc/sys/kernel/randomize_va_space"):
        if int(file.read_text(), 16) == (0x40000 if file.name == "personality" else 0):
            pytest.skip("the kernel does not shuffle here")
    one = room(
        hosted(SHOWS_ADDRESS, "a", isolation=str(level)), hosted(SHOWS_ADDRESS, "b"), isolation=Isolation.PROCESS
    )
    played = one.play()
    found = {name: {line for who, text, _ in played.logs if who == name for line in text.splitlines()} for name in "ab"}

    assert () == played.faults
    if level is Isolation.SANDBOX:
        assert (2, 2) == (len(found["a"]), len(found["b"]))
