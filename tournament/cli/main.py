"""The command `tournament`: what becomes of an error and of Ctrl-C, also while all the rest is loaded."""

from __future__ import annotations

import errno
import os
import signal
import sys

from tournament.cli.streams import GOES_ON, PatientStream, stopped, write_any_text
from tournament.errors import Interrupted, TournamentError, UsageError


def run() -> None:
    """Runs the command line and ends the process: 0, or the exit code of the error (see `errors.py`)."""
    try:
        _run()
    except (Interrupted, KeyboardInterrupt) as stop:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all that is left is to say so
        reason = stopped(stop)
        if text := str(reason):
            sys.stderr.write(f"{text}\n")
        sys.exit(reason.exit_code)


def _file_limit() -> int:
    """Returns how many files a process may have open."""
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _check_working_directory() -> None:
    """Ends the process when its working directory is gone: every relative path starts there."""
    try:
        os.getcwd()
    except FileNotFoundError:
        sys.stderr.write("Error: The folder that this was started in is gone. Go to one that is there: cd\n")
        sys.exit(UsageError.exit_code)


def _run() -> None:
    # Closed by who started this, as by `>&-`: then Python has none, and what is printed goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open to the end)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    write_any_text(sys.stdout)
    write_any_text(sys.stderr)
    sys.stderr = PatientStream(sys.stderr)  # what a complaint is about counts, and its exit code
    if sys.argv[1:2] and sys.argv[1] in GOES_ON:
        sys.stdout = PatientStream(sys.stdout)  # what counts of these is in the folder of the run
    _check_working_directory()

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
        if error.errno in (errno.EMFILE, errno.ENFILE):
            complain(f"{error.strerror}: {_file_limit()} may be open. Allow more: ulimit -n 1024")
            sys.exit(UsageError.exit_code)
        if error.errno != errno.ENOSPC:
            raise
        hush_stdout()  # what it holds back would be written at the end
        problem = f"{error.filename or 'What is printed'} cannot be written: {error.strerror}. Make room for it."
        complain(problem)
        sys.exit(UsageError.exit_code)
