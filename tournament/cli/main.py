"""The entry point of the command `tournament`: turns errors and Ctrl-C into messages and exit codes.

It imports little, so that Ctrl-C is also caught while the rest is loaded.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

from tournament.cli.streams import GOES_ON, PatientStream, stopped, write_any_text
from tournament.errors import Interrupted, TournamentError, UsageError, refused_by_system

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

POSSIBLE_SIZES = range(4, 10_000)
"""How many columns or lines a terminal may have."""

AGAIN_SECONDS = 0.05
"""After which Ctrl-C is repeated."""


def run() -> None:
    """Runs the command line, and ends the process with 0 or the exit code of the error (see `errors.py`)."""
    try:
        _run()
    except (Interrupted, KeyboardInterrupt) as stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # another Ctrl-C would cut off the message
        reason = stopped(stop)
        if text := str(reason):
            sys.stderr.write(f"{text}\n")
        sys.exit(reason.exit_code)


def repeat_lost_interrupt(lost: UnraisableHookArgs) -> None:
    """Repeats a Ctrl-C that came while Python ran a callback, from which no exception can be raised; tells all else."""
    if lost.exc_type is KeyboardInterrupt:
        from threading import Timer

        Timer(AGAIN_SECONDS, _interrupt).start()
    else:
        sys.__unraisablehook__(lost)


def _interrupt() -> None:
    """Sends Ctrl-C to the main thread."""
    if sys.platform == "win32":
        from _thread import interrupt_main

        interrupt_main()  # without a signal: what waits at present goes on first
    else:
        from threading import main_thread

        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)


def _check_working_directory() -> None:
    """Ends the process when its working directory was deleted: no relative path would work."""
    try:
        os.getcwd()
    except FileNotFoundError:
        sys.stderr.write("Error: The working directory was deleted. Change to another one: cd\n")
        sys.exit(UsageError.exit_code)


def _forget_odd_sizes() -> None:
    """Takes sizes of a terminal out of the environment that no terminal has.

    Libraries would make lines so long, or print nothing at all.
    """
    for name in ("COLUMNS", "LINES"):
        size = os.environ.get(name)
        if size is not None and not (size.isascii() and size.isdigit() and int(size[:6]) in POSSIBLE_SIZES):
            del os.environ[name]


def _run() -> None:
    # The caller may have closed a stream (`>&-`): Python then has None for it, and output goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open to the end)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    write_any_text(sys.stdout)
    write_any_text(sys.stderr)
    sys.unraisablehook = repeat_lost_interrupt
    sys.stderr = PatientStream(sys.stderr)  # the exit code tells of an error, even if nobody reads its message
    if sys.argv[1:2] and sys.argv[1] in GOES_ON:
        sys.stdout = PatientStream(sys.stdout)  # the result of these commands is the run folder, not their output
    _check_working_directory()
    _forget_odd_sizes()
    # One thread for matrices: the last digits do not depend on the number of cores, and no thread waits for another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from tournament.cli.app import app
    from tournament.cli.output import complain, hush_stdout

    try:
        app()
    except Interrupted:
        raise
    except TournamentError as error:
        complain(error)
        sys.exit(error.exit_code)
    except OSError as error:
        refused = refused_by_system(error)
        if refused is None:
            raise
        if error.filename is None:
            hush_stdout()  # otherwise Python would try to write the rest at exit, and fail again
        complain(refused)
        sys.exit(refused.exit_code)
