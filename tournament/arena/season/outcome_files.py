"""The outcomes of a competition in its folder `outcomes`: kept round by round, or made anew from the run folders.

A hundred rounds, by their numbers, are one file, and a round has its place in it by its number: so the files are the
same whether rounds were added one by one, in whatever order they ended, or all at once. Rounds of the kinds placement
and ladder are kept once they are complete; no others count on the ladder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from tournament.arena.files import ROUND_FILE, RoundFile, RoundKind, read_json, write_synced
from tournament.arena.folder import CompetitionFolder
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes, joined_outcomes, outcomes_of_games
from tournament.arena.transitions import RoundState
from tournament.errors import RunError
from tournament.ranking.compact.collecting import counted_games
from tournament.ranking.results import results_of_run
from tournament.records.record import Count, GameName, Positive
from tournament.store.files import read_regular, sync_folder
from tournament.store.folder import read_run

COUNTING: Final = frozenset({RoundKind.PLACEMENT, RoundKind.LADDER})
"""The kinds of rounds that count on the ladder."""

_ROUNDS_A_FILE: Final = 100
_NUMBER: Final = "<u4"
_PLACE: Final = "u1"


class _GroupColumns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The blocks of a group in a round."""

    group: str
    game: GameName
    players: Positive
    order: bytes
    places: bytes
    forfeits: tuple[Count, ...]
    """The seats of all games, numbered through, that were forfeited."""


class _RoundColumns(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round that counts."""

    number: Positive
    season: Positive
    names: tuple[str, ...]
    groups: tuple[_GroupColumns, ...]
    faults: tuple[tuple[str, tuple[tuple[str, Positive], ...]], ...]


class _OutcomesFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of a file of outcomes, in MessagePack."""

    format: Literal["tournament-outcomes"] = "tournament-outcomes"
    version: Literal[1] = 1
    rounds: tuple[_RoundColumns, ...]


class OutcomeFiles(NamedTuple):
    """The outcomes in the folder of a competition. Only the referee, and what makes them anew, writes there."""

    folder: CompetitionFolder

    def add(self, number: int) -> bool:
        """Keeps a round, and returns whether it counts. Nothing changes where it is kept already.

        Raises `RunError` or `RecordError` where its folder cannot be read.
        """
        columns = self._columns(number)
        if columns is None:
            return False
        self._keep([columns])
        return True

    def keep(self, rounds: Iterable[Outcomes], *, season: int) -> None:
        """Keeps rounds whose outcomes are known already, each by itself."""
        self._keep([_round_columns(one, season=season) for one in rounds])

    def brought_up(self, season: int) -> Outcomes:
        """Keeps every complete round that counts and is not kept yet, and returns how the games of a season ended.

        Each file is read once. Raises `RunError`, or `RecordError` where the folder of a round cannot be read.
        """
        kept = {path: _read(path) for path in self._paths()}
        known = {one.number for rounds in kept.values() for one in rounds}
        missing: list[_RoundColumns] = []
        try:
            missing.extend(filter(None, map(self._columns, (one for one in self._folders() if one not in known))))
        finally:  # those before a damaged one are kept
            for path, new in self._by_file(missing).items():
                kept[path] = self._write(path, [*kept.get(path, ()), *new])
        return _season(kept, season)

    def rebuild(self) -> None:
        """Makes all files anew from the run folders."""
        rounds = self._by_file(filter(None, map(self._columns, self._folders())))
        for path in self._paths():
            if path not in rounds:
                path.unlink()
        for path, own in rounds.items():
            self._write(path, own)

    def season(self, number: int) -> Outcomes:
        """Returns how the games of a season ended. Raises `RunError` for a damaged file."""
        return _season({path: _read(path) for path in self._paths()}, number)

    def _keep(self, rounds: Iterable[_RoundColumns]) -> None:
        for path, own in self._by_file(rounds).items():
            new = {one.number for one in own}
            others = [one for one in _read(path) if one.number not in new] if path.exists() else []
            self._write(path, [*others, *own])

    def _by_file(self, rounds: Iterable[_RoundColumns]) -> dict[Path, list[_RoundColumns]]:
        found: dict[Path, list[_RoundColumns]] = {}
        for one in rounds:
            found.setdefault(self._path(one.number), []).append(one)
        return found

    def _path(self, number: int) -> Path:
        return self.folder.outcomes / f"{(number - 1) // _ROUNDS_A_FILE:06d}.msgpack"

    def _paths(self) -> list[Path]:
        return sorted(self.folder.outcomes.glob("*.msgpack"))

    def _folders(self) -> list[int]:
        """Returns the numbers of all rounds that have a folder."""
        names = [path.parent.name for path in self.folder.rounds.glob(f"*/{ROUND_FILE}")]
        return sorted(int(name) for name in names if name.isdecimal())

    def _columns(self, number: int) -> _RoundColumns | None:
        """Returns a round from its run folder; None where it does not count."""
        folder = self.folder.round(number)
        told = read_json(folder / ROUND_FILE, RoundFile)
        if told.kind not in COUNTING or told.state is not RoundState.COMPLETE:
            return None
        games = counted_games(results_of_run(folder, read_run(folder)))
        return _round_columns(outcomes_of_games(games, round_number=number), season=told.season)

    def _write(self, path: Path, rounds: Iterable[_RoundColumns]) -> tuple[_RoundColumns, ...]:
        """Returns the rounds in their order, as they stand in the file then."""
        if not path.parent.exists():
            path.parent.mkdir()
            sync_folder(path.parent.parent)
        ordered = tuple(sorted(rounds, key=lambda one: one.number))
        write_synced(path, msgspec.msgpack.encode(_OutcomesFile(rounds=ordered)))
        return ordered


def _season(kept: Mapping[Path, tuple[_RoundColumns, ...]], number: int) -> Outcomes:
    rounds = (one for _, own in sorted(kept.items()) for one in own if one.season == number)
    return joined_outcomes([_outcomes(one) for one in rounds])


def _read(path: Path) -> tuple[_RoundColumns, ...]:
    try:
        return msgspec.msgpack.decode(read_regular(path), type=_OutcomesFile).rounds
    except (OSError, msgspec.DecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RunError(f"{path} cannot be used: {reason}. Make it anew: tournament arena rebuild") from None


def _round_columns(outcomes: Outcomes, *, season: int) -> _RoundColumns:
    return _RoundColumns(
        number=outcomes.rounds[0],
        season=season,
        names=outcomes.names,
        groups=tuple(
            _GroupColumns(
                group=name,
                game=own.game,
                players=own.players,
                order=own.order.astype(_NUMBER).tobytes(),
                places=own.places.astype(_PLACE).tobytes(),
                forfeits=tuple(np.flatnonzero(own.forfeited).tolist()),
            )
            for name, own in sorted(outcomes.groups.items())
        ),
        faults=tuple(
            (name, tuple(sorted((str(kind), count) for kind, count in counts.items())))
            for name, counts in sorted(outcomes.faults.items())
        ),
    )


def _outcomes(columns: _RoundColumns) -> Outcomes:
    return Outcomes(
        names=columns.names,
        rounds=(columns.number,),
        groups={own.group: _group(own, columns.number) for own in columns.groups},
        faults={name: Counter(dict(counts)) for name, counts in columns.faults},
    )


def _group(columns: _GroupColumns, number: int) -> GroupOutcomes:
    players = columns.players
    order = np.frombuffer(columns.order, dtype=_NUMBER).reshape(-1, players)
    places: Any = np.frombuffer(columns.places, dtype=_PLACE).reshape(-1, players, players).astype(np.int8)
    forfeited = np.zeros(places.shape, dtype=np.bool_)
    forfeited.ravel()[list(columns.forfeits)] = True
    return GroupOutcomes(
        group=columns.group,
        game=columns.game,
        players=players,
        rounds=np.full(len(order), number, dtype=np.int32),
        order=order,
        places=places,
        forfeited=forfeited,
    )
