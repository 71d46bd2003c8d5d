"""The entry point of the command `tournament`: turns errors and Ctrl-C into messages and exit codes.

It imports little, so that Ctrl-C is also caught while the rest is loaded.
"""

from __future__ import annotations

import errno
import os
import signal
import sys

from tournament.cli.streams import GOES_ON, PatientStream, stopped, write_any_text
from tournament.errors import Interrupted, TournamentError, UsageError


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


def _file_limit() -> int:
    """Returns how many files a process may have open."""
    import resource

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def _check_working_directory() -> None:
    """Ends the process when its working directory was deleted: no relative path would work."""
    try:
        os.getcwd()
    except FileNotFoundError:
        sys.stderr.write("Error: The working directory was deleted. Change to another one: cd\n")
        sys.exit(UsageError.exit_code)


def _run() -> None:
    # The caller may have closed a stream (`>&-`): Python then has None for it, and output goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open to the end)
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    write_any_text(sys.stdout)
    write_any_text(sys.stderr)
    sys.stderr = PatientStream(sys.stderr)  # the exit code tells of an error, even if nobody reads its message
    if sys.argv[1:2] and sys.argv[1] in GOES_ON:
        sys.stdout = PatientStream(sys.stdout)  # the result of these commands is the run folder, not their output
    _check_working_directory()
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
        if error.errno in (errno.EMFILE, errno.ENFILE):
            complain(f"{error.strerror}: this process may have {_file_limit()} open. Allow more: ulimit -n 1024")
            sys.exit(UsageError.exit_code)
        if error.errno != errno.ENOSPC:
            raise
        hush_stdout()  # otherwise Python would try to write the rest at exit, and fail again
        problem = f"{error.filename or 'The output'} cannot be written: {error.strerror}. Make room for it."
        complain(problem)
        sys.exit(UsageError.exit_code)
