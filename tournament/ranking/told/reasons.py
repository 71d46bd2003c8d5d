"""Why entrants were withdrawn, in the language of the reader.

`run.json` keeps it as a sentence in English. It is worked out again from the results, and only where another language
asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path

from tournament.errors import TournamentError
from tournament.languages import Language, is_kept, present_language, spoken
from tournament.records.run import Withdrawal
from tournament.schedule.withdrawals import Withdrawals
from tournament.store.folder import read_run
from tournament.store.results import read_results


def reason_withdrawn(folder: Path, withdrawal: Withdrawal) -> Callable[[], str]:
    """Returns what tells why an entrant was withdrawn, in the present language; as it is kept where that is not known.

    Cost of the first call in another language than English: reading the results up to the last withdrawal.
    """
    return partial(_spoken_reason, folder, withdrawal)


def _spoken_reason(folder: Path, withdrawal: Withdrawal) -> str:
    if present_language() is Language.ENGLISH:
        return withdrawal.why
    if not is_kept(withdrawal.why):
        with suppress(TournamentError):  # then it is told in English; who reads the run for itself says what is wrong
            _work_out(folder, withdrawal)
    return spoken(withdrawal.why)


@lru_cache
def _work_out(folder: Path, withdrawal: Withdrawal) -> None:
    """Withdraws as the run did, at least up to one entrant, so that `spoken` knows the sentences that `run.json` keeps.

    Those of all others become known, too. The cache is for sentences that the results do not give.
    """
    info = read_run(folder)
    withdrawals = Withdrawals(info.segments, info.withdraw)
    to_come = {one.after for one in (withdrawal, *info.withdrawn)}
    for block, results in groupby(read_results(folder), key=lambda result: result.block):
        withdrawals.note(block, list(results))
        to_come.discard(block)
        if not to_come:
            return
