"""Taking an entrant out of a run after it was played, and back in: its records stay, its tables do not count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from tournament.errors import BotError, RunError, UsageError, did_you_mean
from tournament.ranking.results import results_of_run
from tournament.ranking.summary import standings_file
from tournament.records.fitting import read_results
from tournament.records.folder import read_run
from tournament.records.lock import RunLock
from tournament.records.run import Disqualification, RunInfo, RunState
from tournament.records.store import RunWriter

REASON_CHARACTERS: Final = 500


def disqualify(folder: Path, entrant: str, *, reason: str) -> RunInfo:
    """Takes an entrant out of a run, writes its standings anew, and returns the run.

    Raises `BotError` for an entrant that takes no part, `UsageError` without a reason of at most 500 characters,
    `RunError` when it is out already, when no game would be left, or while another process plays the run.
    """
    with RunLock(folder):
        info = read_run(folder)
        _check_entrant(info, entrant)
        _check_reason(reason.strip())
        if any(one.entrant == entrant for one in info.disqualified):
            raise RunError(f"{entrant} is disqualified already. To give another reason, --undo it first.")
        return _write(folder, info, (*info.disqualified, Disqualification(entrant=entrant, reason=reason.strip())))


def reinstate(folder: Path, entrant: str) -> RunInfo:
    """Takes an entrant back in, writes the standings anew, and returns the run.

    Raises `BotError` for an entrant that takes no part, `RunError` when it is not disqualified or while another
    process plays the run.
    """
    with RunLock(folder):
        info = read_run(folder)
        _check_entrant(info, entrant)
        left = tuple(one for one in info.disqualified if one.entrant != entrant)
        if left == info.disqualified:
            raise RunError(f"{entrant} is not disqualified in {folder}, so there is nothing to undo.")
        return _write(folder, info, left)


def _check_reason(reason: str) -> None:
    if not reason:
        raise UsageError('Say why: --reason "...". It is shown with the standings.')
    if len(reason) > REASON_CHARACTERS:
        raise UsageError(f"--reason has {len(reason)} characters, and {REASON_CHARACTERS} are the most. Shorten it.")


def _check_entrant(info: RunInfo, entrant: str) -> None:
    names = [one.name for one in info.entrants]
    if entrant not in names:
        raise BotError(f'There is no entrant "{entrant}".{did_you_mean(entrant, names)} Known: {", ".join(names)}.')


def _write(folder: Path, info: RunInfo, disqualified: Sequence[Disqualification]) -> RunInfo:
    changed = replace(info, disqualified=tuple(disqualified))
    with RunWriter(folder, keep=info.keep, compressed=info.compress) as writer:
        if info.state is RunState.COMPLETE:
            if next(results_of_run(folder, changed), None) is None:
                raise RunError(f"{folder} would have no game left that counts. Play a new run without that bot.")
            writer.write_standings(standings_file(changed, read_results(folder)))
        writer.write_run(changed)
    return changed
