"""The results of a run, read from its `results.jsonl`: each fits itself and its run, so that no reader asks again."""

from __future__ import annotations

from collections.abc import Iterator
from os import SEEK_END
from pathlib import Path

import msgspec

from tournament.errors import RecordError, did_you_mean
from tournament.ids import group_of, segment_of
from tournament.records.results import RESULTS_FILE, ResultLine, parse_result, shape_misfit
from tournament.store.files import bounded_lines, open_regular, read_regular
from tournament.store.layout import RUN_FILE


class _Group(msgspec.Struct, frozen=True):
    name: str
    game: str
    players: int


class _Bot(msgspec.Struct, frozen=True):
    game: str


class _Entrant(msgspec.Struct, frozen=True):
    name: str
    bots: tuple[_Bot, ...]


class _Run(msgspec.Struct, frozen=True):
    """The few fields of `run.json` that a result has to fit."""

    groups: tuple[_Group, ...]
    entrants: tuple[_Entrant, ...]
    segments: tuple[msgspec.Raw, ...]


_DECODER = msgspec.json.Decoder(_Run)


class ResultFitting:
    """Checks results for themselves and against their run; without a readable `run.json` only for themselves."""

    def __init__(self, folder: Path) -> None:
        try:
            run = _DECODER.decode(read_regular(folder / RUN_FILE))
        except (OSError, msgspec.DecodeError):
            self._groups: dict[str, _Group] | None = None
            return
        self._groups = {group.name: group for group in run.groups}
        playing = {(entrant.name, bot.game) for entrant in run.entrants for bot in entrant.bots}
        self._playing = {
            group.name: frozenset(name for name, game in playing if game == group.game) for group in run.groups
        }
        self._segments = len(run.segments)

    def misfit(self, result: ResultLine) -> str | None:
        """Returns what is wrong with a result, as a sentence; None when nothing is."""
        named = (*result.forfeits, *(seat for seat, _ in result.faults))
        own = shape_misfit(len(result.seats), scores=result.scores, places=result.places, named=named)
        return own or self._misfit_of_run(result.id, result.seats)

    def _misfit_of_run(self, record_id: str, seats: tuple[str, ...]) -> str | None:
        if self._groups is None:
            return None
        name, segment = group_of(record_id), segment_of(record_id)
        group = self._groups.get(name)
        if group is None:
            known = ", ".join(self._groups)
            return f"the run has no group {name}.{did_you_mean(name, self._groups)} It has: {known}."
        if segment is None or not segment < self._segments:
            return f"{record_id} is of a segment that the run has not. It has {self._segments}."
        if len(seats) != group.players:
            return f"expected {group.players} seats in {name}, found {len(seats)}."
        players = self._playing[name]
        for seat, entrant in enumerate(seats):
            if entrant not in players:
                return f"seat {seat}: {entrant} is no entrant of {name}.{did_you_mean(entrant, sorted(players))}"
        return None


def parse_fitting(data: bytes, where: str, *, fitting: ResultFitting) -> ResultLine:
    """Returns the result in a line that fits itself and its run. Raises `RecordError` naming `where`."""
    result = parse_result(data, where)
    if misfit := fitting.misfit(result):
        raise RecordError(
            f"{where}: {result.id}: {misfit} `tournament validate` of the run says which lines do not fit; take the "
            "file from a copy."
        )
    return result


def read_results(folder: Path) -> Iterator[ResultLine]:
    """Yields the results of a run, a torn last line passed over.

    Raises `RecordError` for any other line that is no result, or does not fit itself or the run.
    """
    path = folder / RESULTS_FILE
    fitting = ResultFitting(folder)
    try:
        with open_regular(path) as file:
            for number, data in enumerate(bounded_lines(file, path), start=1):
                if data.endswith(b"\n"):
                    yield parse_fitting(data, f"{path}, line {number}", fitting=fitting)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}. Check the path and its permissions.") from None


def read_last_results(folder: Path, *, most_bytes: int) -> list[ResultLine]:
    """Returns the last results of a run, as many as fit in so many bytes, the oldest first.

    Raises what `read_results` does; a line that cannot be read is named by its place from the end.
    """
    path = folder / RESULTS_FILE
    try:
        with open_regular(path) as file:
            begin = max(0, file.seek(0, SEEK_END) - most_bytes)
            file.seek(begin)
            lines = [data for data in bounded_lines(file, path) if data.endswith(b"\n")]
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}. Check the path and its permissions.") from None
    whole = lines[1:] if begin else lines  # the first began before
    fitting = ResultFitting(folder)
    last = len(whole)
    return [
        parse_fitting(data, f"{path}, line {last - number} from its end", fitting=fitting)
        for number, data in enumerate(whole)
    ]
