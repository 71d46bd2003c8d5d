"""What a command says that the user stops with Ctrl-C."""

from __future__ import annotations

import sys
from typing import Final

from tournament.errors import Interrupted

GOES_ON: Final = {"resume": "Go on", "run": "Begin again", "extend": "Begin again", "final": "Begin again"}
"""The commands that play, and what the same words do once more as long as nothing was played."""


def stopped(stop: BaseException) -> Interrupted:
    """Returns what ends a command: what a run that was stopped says, or else how the command is given again.

    Nothing is said of commands that leave nothing undone.
    """
    reason: BaseException | None = stop
    while reason is not None:  # Ctrl-C once more, while it ends
        if isinstance(reason, Interrupted):
            return reason
        reason = reason.__context__
    words = sys.argv[1:]
    if not words or words[0] not in GOES_ON:
        return Interrupted()
    from shlex import join  # lazy: `--help` answers at once

    return Interrupted(f"Stopped before a game was played. {GOES_ON[words[0]]} with:\n  {join(['tournament', *words])}")
