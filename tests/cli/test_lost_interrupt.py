"""Ctrl-C ends a command wherever Python is at that moment."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, signal, sys, time, weakref
from tournament.cli import main

class Thing:
    pass

def command():
    sys.unraisablehook = main.repeat_lost_interrupt
    thing = Thing()
    seen = weakref.ref(thing, lambda _: (os.kill(os.getpid(), signal.SIGINT), time.sleep(0)))
    del thing
    print("lost", flush=True)
    time.sleep(60)

main._run = command
main.run()
"""


def test_an_interrupt_that_came_during_a_callback_is_repeated():
    """Python takes no exception from a callback of a weak reference: the command would go on for ever."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False)

    assert (130, "lost\n") == (done.returncode, done.stdout), done.stderr


def test_every_other_lost_error_is_told_as_ever():
    program = PROGRAM.replace("os.kill(os.getpid(), signal.SIGINT)", "1 / 0").replace("time.sleep(60)", "pass")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0
    assert "ZeroDivisionError" in done.stderr
