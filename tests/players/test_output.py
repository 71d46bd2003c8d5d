"""What a bot prints goes to its own writer, and nothing of it to the terminal."""

from __future__ import annotations

import io
import logging
import sys

import pytest

from tournament.players.inline import InlinePlayer, load_bot_class
from tournament.players.output import Output

PRINTER = """
import logging, sys, warnings
print("load")

class A(Bot):
    def __init__(self): print("make", file=sys.stderr)
    def start(self, info): sys.stdout.write("start\\n")
    def act(self, view):
        log = logging.getLogger("bot")
        log.propagate = False
        if not log.handlers:
            log.addHandler(logging.StreamHandler())
        log.warning("log")
        sys.stdout.buffer.write(b"bytes \\xff\\n")
        sys.stdout.flush()
        print(sys.stdout.isatty(), sys.stderr.encoding)
        sys.stdout.close()
        return view.legal_actions()[0]
    def end(self, result): print("end")
"""


@pytest.fixture
def terminal(monkeypatch):
    """Returns a function that puts a terminal in place of stdout and stderr, and gives it."""

    def put():
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    yield put
    logging.getLogger("bot").handlers.clear()


def text_of(stream):
    """Returns what was written to the terminal."""
    return stream.buffer.getvalue().decode()


def test_everything_a_bot_prints_goes_to_its_writer(bot_file, info, view, result, terminal):
    """print, write, bytes and logging, at every step."""
    source = bot_file(PRINTER)
    written = []
    screen = terminal()
    output = Output()
    with output.installed():
        print("before")
        bot = load_bot_class(source, output=output, write=written.append)
        player = InlinePlayer(bot, source, output=output, write=written.append)
        player.start(info)
        print("between")
        player.act(view)
        print("after", file=sys.stderr)
        player.end(result)
    print("outside")

    assert "".join(written) == "load\nmake\nstart\nlog\nbytes \\xff\nFalse utf-8\nend\n"
    assert text_of(screen) == "before\nbetween\nafter\noutside\n"


def test_two_bots_each_have_their_own_writer(player, info, view, terminal):
    """A handler that one bot installed writes to whoever plays now."""
    screen = terminal()
    output = Output()
    logs = [], []
    with output.installed():
        players = [
            player(
                "def act(self, view):\n    print('me')\n    return view.legal_actions()[0]\n",
                output=output,
                write=log.append,
            )
            for log in logs
        ]
        for one in (*players, players[0]):
            one.start(info)
            one.act(view)

    assert ["".join(log) for log in logs] == ["me\nme\n", "me\n"]
    assert text_of(screen) == ""


def test_the_terminal_is_back_after_a_fault(player, info, view, terminal):
    """Also when the bot failed."""
    screen = terminal()
    output = Output()
    with output.installed():
        one = player("def act(self, view): print('x'); 1 / 0\n", output=output, write=lambda text: None)
        one.start(info)
        with pytest.raises(Exception, match="act raised ZeroDivisionError"):
            one.act(view)
        print("terminal")

    assert text_of(screen) == "terminal\n"


def test_the_terminal_stays_what_it_was_for_others(terminal):
    """isatty, encoding, fileno and the rest are those of the real stream while no bot plays."""
    screen = terminal()
    with Output().installed():
        assert sys.stdout.isatty() is False
        assert sys.stdout.buffer is screen.buffer
        assert sys.stdout.line_buffering is screen.line_buffering
        with pytest.raises(io.UnsupportedOperation):
            sys.stdout.fileno()


def test_a_bot_has_no_file_descriptor_of_the_terminal_and_prints_only_text(player, info, view, terminal):
    """What cannot go to the writer is refused."""
    terminal()
    output = Output()
    with output.installed():
        for line, problem in (("sys.stdout.fileno()", "UnsupportedOperation"), ("sys.stdout.write(1)", "TypeError")):
            one = player(f"def act(self, view):\n    import sys\n    {line}\n", output=output, write=len)
            one.start(info)
            with pytest.raises(Exception, match=f"act raised {problem}"):
                one.act(view)
