"""The data card of an export: what it contains, where it comes from, and what it should not be used for.

It says nothing about the time or the machine, so the same records and the same command give the same card.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from tournament.games.contract import Ending
from tournament.ids import group_of
from tournament.numbering import numbering_of
from tournament.records.codec import AnyRecord, canonical_bytes
from tournament.records.run import RunInfo, RunState, format_versions
from tournament.records.settings import KEEP_ALL
from tournament.report.choices import COLUMNS, TYPE_WORDS, Rows, Seats
from tournament.report.facts import named_spec
from tournament.report.tables import markdown_text
from tournament.version import __version__

_WHAT: Final = {
    Rows.GAMES: "Each row is one seat of one game: who sat there, and how it ended for them.",
    Rows.MOVES: "Each row is one move of a game, as an action and in words.",
    Rows.VIEWS: "Each row is one decision in a game: what the seat knew, what it could do, what it did, and "
    "how the game ended for it. Made for imitation, for value functions, and for looking at what a bot saw.",
}
_WHOSE: Final = {
    Seats.ALL: "They are of all seats.",
    Seats.WINNER: "They are of the seats in place 1, all of them where they tie. A seat that forfeited has not won, "
    "and nobody has won a game that was void or aborted.",
}
_LICENCE: Final = (
    "Unknown. The records belong to those who ran the tournament and wrote its bots: ask them before you pass this on. "
    "The licence of the program that made it says nothing about them."
)

_GAME_COUNTS: Final = ("games", "with forfeits", "void or aborted", "rows")
_BOT_COUNTS: Final = ("seats", "in place 1", "forfeits", "rows")


class _Group(NamedTuple):
    name: str
    game: str
    players: int
    rules_version: int
    options: str


class _Bot(NamedTuple):
    entrant: str
    game: str
    version: str
    fingerprint: str


class ExportCounts:
    """Counts the games and rows of an export; needs memory for each group and bot, not for each game."""

    def __init__(self) -> None:
        self.tournaments: dict[str, None] = {}
        self.groups: defaultdict[_Group, Counter[str]] = defaultdict(Counter)
        """For each group the numbers named in `_GAME_COUNTS`."""

        self.bots: defaultdict[_Bot, Counter[str]] = defaultdict(Counter)
        """For each bot the numbers named in `_BOT_COUNTS`."""

        self.stand_ins = 0
        """How many rows are moves that a stand-in chose."""

        self.unnumbered = 0
        """How many rows have actions without a number."""

        self.digests: list[str | None] = []
        """Of games that are not in the digest of all yet."""

        self._hash: Any = None

    def add(self, record: AnyRecord, rows: Sequence[Mapping[str, Any]]) -> None:
        """Counts a game and its rows."""
        game, result = record.game, record.result
        self.tournaments[record.tournament] = None
        self.digests.append(record.digest)
        group = _Group(
            group_of(record.id), game.name, game.players, game.rules_version, canonical_bytes(game.options).decode()
        )
        counts = (1, bool(result.forfeits), result.ending is not Ending.COMPLETE, len(rows))
        self.groups[group].update(dict(zip(_GAME_COUNTS, counts, strict=True)))
        of_seat = Counter(row["seat"] for row in rows)
        for seat, info in enumerate(record.seats):
            bot = _Bot(info.bot, game.name, info.version, info.fingerprint)
            counts = (1, result.places[seat] == 1, seat in result.forfeits, of_seat[seat])
            self.bots[bot].update(dict(zip(_BOT_COUNTS, counts, strict=True)))
        self.stand_ins += sum(row.get("stand_in", False) for row in rows)
        self.unnumbered += sum(row.get("legal_numbers", ()) is None for row in rows)

    def merge(self, later: ExportCounts) -> None:
        """Counts the games and rows of a later part of the same export."""
        self.tournaments |= later.tournaments
        for group, counts in later.groups.items():
            self.groups[group].update(counts)
        for bot, counts in later.bots.items():
            self.bots[bot].update(counts)
        self.stand_ins += later.stand_ins
        self.unnumbered += later.unnumbered
        self.digests += later.digests
        self._hash_digests()

    def _hash_digests(self) -> None:
        self._hash = self._hash or sha256()
        self._hash.update("".join(f"{digest}\n" for digest in self.digests).encode())
        self.digests.clear()

    @property
    def digest(self) -> str:
        """SHA-256 over the digests of all games, one per line, as in the report of the run."""
        self._hash_digests()
        return str(self._hash.hexdigest())

    def total(self, what: str) -> int:
        """Returns the sum over all groups of one of the numbers named in `_GAME_COUNTS`."""
        return sum(counts[what] for counts in self.groups.values())


def format_card(counted: ExportCounts, *, kind: Rows, seats: Seats, source: str, out: Path, run: RunInfo | None) -> str:
    """Returns the data card of a Parquet file as Markdown; `run` is the run that `source` names, if it names one."""
    sections = {
        "Where it comes from": _origin(counted, kind=kind, seats=seats, source=source, out=out, run=run),
        "Games": _games(counted, kind),
        "Bots": _bots(counted),
        "Rows": _rows(counted, kind, seats),
        "Columns": _columns(kind),
        "Limits": [f"- {limit}" for limit in _limits(counted, kind=kind, seats=seats, run=run)],
        "Licence": [_LICENCE],
    }
    parts = [f"# Data card: {markdown_text(out.name)}", _WHAT[kind]]
    parts += [f"## {title}\n\n" + "\n".join(lines) for title, lines in sections.items()]
    return "\n\n".join(parts) + "\n"


def _origin(
    counted: ExportCounts, *, kind: Rows, seats: Seats, source: str, out: Path, run: RunInfo | None
) -> Iterator[str]:
    games = counted.total("games")
    if run is None:
        named = ", ".join(map(markdown_text, counted.tournaments)) or "none"
        yield f"{games} records, of the tournament: {named}. How they were chosen is unknown: no run was given."
    else:
        scheduled = sum(segment.games for segment in run.segments)
        yield (
            f"{games} records of the run {markdown_text(run.name)}, which is {run.state}, has {scheduled} games "
            f"scheduled and keeps records of: {run.keep}. It was played with "
            f"{'; later with '.join(map(format_versions, (run.versions, *(one.versions for one in run.continued))))}."
        )
    yield f"SHA-256 over the digests of their records, one a line: `{counted.digest}`."
    words = ["tournament", "export", named_spec(source), "--rows", kind, "--seat", seats]
    command = shlex.join([*words, "--format", "parquet", "--out", out.name])
    yield f"\nMade by tournament {__version__} with\n\n```sh\n{command}\n```"


def _games(counted: ExportCounts, kind: Rows) -> Iterator[str]:
    headers = ("group", "game", "players", "rules version", "options", *_GAME_COUNTS)
    yield from _table(
        headers,
        [
            (*(markdown_text(str(fact)) for fact in group), *(str(counts[what]) for what in _GAME_COUNTS))
            for group, counts in sorted(counted.groups.items())
        ],
    )
    if kind is Rows.VIEWS:
        yield "\nThe numbers of actions change only with the version of the rules. What they mean:\n"
        for game, players in sorted({(group.game, group.players) for group in counted.groups}):
            size = numbering_of(game, players).size
            names = f'tournament.numbering.numbering_of("{game}", {players}).names'
            yield f"- {game}, {players} players, 0 to {size - 1}: `{names}`"


def _bots(counted: ExportCounts) -> Iterator[str]:
    headers = ("entrant", "game", "version", "fingerprint", *_BOT_COUNTS)
    yield from _table(
        headers,
        [
            (*map(markdown_text, bot), *(str(counts[what]) for what in _BOT_COUNTS))
            for bot, counts in sorted(counted.bots.items())
        ],
    )
    yield "\nA fingerprint is the SHA-256 of a bot's code and parameters."


def _rows(counted: ExportCounts, kind: Rows, seats: Seats) -> Iterator[str]:
    yield f"{counted.total('rows')} rows. {_WHOSE[seats]}"
    if kind is not Rows.GAMES:
        yield (
            f"{counted.stand_ins} of them are moves of stand-ins, uniformly random, in place of a bot that had failed: "
            "leave out rows with `stand_in` to learn from bots."
        )
    if counted.unnumbered:
        yield f"{counted.unnumbered} have no numbers: their deals were made by hand, with actions that have none."


def _columns(kind: Rows) -> Iterator[str]:
    yield from _table(
        ("column", "type", "what it says"),
        [(f"`{name}`", TYPE_WORDS[column.type], column.meaning) for name, column in COLUMNS[kind].items()],
    )
    optional = ", ".join(f"`{name}`" for name, column in COLUMNS[kind].items() if column.optional)
    yield (
        "\nIn this order. Text is UTF-8, a number a 64-bit integer, numbers a list of them, truth a "
        f"boolean. Absent may be: {optional or 'none'}. The schema of the file has what each says as its `description`."
    )


def _limits(counted: ExportCounts, *, kind: Rows, seats: Seats, run: RunInfo | None) -> Iterator[str]:
    if kind is not Rows.GAMES:
        yield (
            "Nobody explored: positions and moves are those that these bots came to, and what they never did is not "
            "here. A policy that imitates them meets other positions as soon as it errs."
        )
    if seats is Seats.WINNER:
        yield (
            "Who won had good cards too: the move of a winner need not be a good one. Scores and places are those of "
            "winners alone: do not learn from them what a position is worth."
        )
    yield (
        "Rows are not independent: a game has many, and a block plays one deal from every seat. Split training and "
        "test data by group, segment and block."
    )
    yield "Entrants and groups with more games have more rows, and places depend on who else played."
    if forfeits := counted.total("with forfeits"):
        yield f"Seats forfeited in games: {forfeits}. The others went on there against random moves."
    if void := counted.total("void or aborted"):
        yield f"Void or aborted games: {void}. Scores and places say nothing of strength there."
    if run is None:
        return
    if run.keep != KEEP_ALL:
        yield f"Only some games of the run have records ({run.keep}): this is no picture of all of them."
    if run.state is not RunState.COMPLETE:
        yield f"The run was {run.state} when this was made: more games may follow."
    if run.void:
        yield f"Blocks that could not be played: {len(run.void)}."
    for left in run.withdrawn:
        yield f"{markdown_text(left.entrant)} was taken out of the run ({markdown_text(left.why)}): it has fewer games."
    for gone in run.disqualified:
        reason = markdown_text(gone.reason)
        yield f"{markdown_text(gone.entrant)} was disqualified ({reason}); its games are here all the same."


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headers)} |"
    yield f"|{' --- |' * len(headers)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
