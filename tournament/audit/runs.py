"""A run around its records: `run.json`, the schedule, the seeds, the commitment and the standings."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from tournament.audit.differences import first_difference
from tournament.audit.model import FindingCode, Findings
from tournament.audit.records import RecordId, parse_id
from tournament.audit.schedules import MOST_GAMES, Walk
from tournament.deals import commitment_of, deal_seed, load_suite
from tournament.errors import ConfigurationError, GameError
from tournament.games import load_game
from tournament.games.base import options_from
from tournament.ranking.from_records import result_from_record
from tournament.ranking.results import GameResult
from tournament.ranking.summary import standings_file
from tournament.records.codec import AnyRecord
from tournament.records.model import SeatInfo
from tournament.records.paths import data_folder
from tournament.records.read import RUN_FILE
from tournament.records.run import Format, GroupInfo, RunInfo, RunState, SegmentInfo
from tournament.records.schema import first_misfit
from tournament.records.store import SECRET_FILE, STANDINGS_FILE
from tournament.schedule import can_tell_blocks, with_deals

SeedOf = Callable[[GroupInfo, RecordId], str | None]


class RunAudit:
    """Checks the records of one run against its `run.json`, as they come along, and then the whole."""

    def __init__(self, folder: Path, findings: Findings, notes: list[str]) -> None:
        """Reads and checks `run.json`."""
        self._folder = folder
        self._findings = findings
        self._notes = notes
        self._info = self._read()
        self._groups: dict[str, GroupInfo] = {}
        self._options: dict[str, Any] = {}
        self._bots: dict[tuple[str, str], SeatInfo] = {}
        self._seeds: dict[int, SeedOf] = {}
        self._block_seeds: dict[str, str | None] = {}
        self._results: list[GameResult] = []
        self._walk: Walk | None = None
        self._unreadable = 0
        if self._info is not None:
            self._check_info(self._info)

    # run.json

    def _read(self) -> RunInfo | None:
        path = self._folder / RUN_FILE
        self._findings.move_to(str(path))
        try:
            data = path.read_bytes()
        except OSError as error:
            self._note_run("It cannot be read.", "a readable file", error.strerror or "an error")
            return None
        try:
            return msgspec.json.decode(data, type=RunInfo)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            expected, found = "a run as the schema run.v1 describes it", str(error)
        try:
            misfit = first_misfit("run.v1", json.loads(data))
        except (ValueError, RecursionError):
            misfit = None
        if misfit is not None:
            expected, found = f"{misfit.json_path}: {misfit.expected}", misfit.found
        self._note_run("It is no valid run.", expected, found)
        return None

    def _note_run(self, message: str, expected: object, found: object) -> None:
        self._findings.add(FindingCode.RUN_FILE, message, expected=expected, found=found)

    def _check_info(self, info: RunInfo) -> None:
        known = self._check_groups(info)
        self._bots = {
            (entrant.name, bot.game): SeatInfo(bot=entrant.name, version=bot.version, fingerprint=bot.fingerprint)
            for entrant in info.entrants
            for bot in entrant.bots
        }
        for group in info.groups:
            for name in group.entrants:
                if (name, group.game) not in self._bots:
                    self._note_run(
                        "An entrant of a group has no bot for its game.", f"a bot of {name} for {group.game}", "none"
                    )
        for number, segment in enumerate(info.segments):
            if segment.number != number:
                self._note_run("Segments are numbered from 0.", number, segment.number)
            is_over = info.state is RunState.COMPLETE or segment is not info.segments[-1]
            self._check_commitment(segment, published=is_over)
            self._seeds[segment.number] = self._seed_of(segment)
        if info.state is RunState.COMPLETE and (self._folder / SECRET_FILE).exists():
            self._findings.add(
                FindingCode.COMMITMENT,
                f"The run is complete, so its master belongs in {RUN_FILE} alone.",
                expected=f"no {SECRET_FILE}",
                found=SECRET_FILE,
            )
        if self._check_size(info) and known:
            self._walk = Walk(info)

    def _check_groups(self, info: RunInfo) -> bool:
        """Returns whether all games are known, each for its number of players."""
        known = True
        for group in info.groups:
            if group.name in self._groups:
                self._note_run("A group stands twice.", "each group once", group.name)
                known = False
            self._groups[group.name] = group
            try:
                game = load_game(group.game)
                self._options[group.name] = options_from(game, group.options)
            except GameError as error:
                known = False
                self._note_run(f"The group {group.name} cannot be played.", "a known game and its options", error)
                continue
            if group.players not in game.players:
                known = False
                self._note_run(
                    f"The group {group.name} cannot be played.",
                    f"{game.players.start} to {game.players.stop - 1} players",
                    group.players,
                )
        return known

    def _check_size(self, info: RunInfo) -> bool:
        """Returns whether the schedule is one that can be walked; notes what contradicts itself."""
        if not can_tell_blocks(info):
            self._notes.append(
                f"{self._folder}: run.json does not say every block (a knockout, or a sample whose master is not "
                "published yet): which records belong to the run was not checked."
            )
            return False
        for segment in info.segments:
            blocks = sum(field.blocks for field in segment.fields)
            games = sum(field.blocks * field.players for field in segment.fields)
            if (blocks, games) != (segment.blocks, segment.games):
                self._note_run(
                    f"Segment {segment.number} is not as long as its schedule.",
                    f"{blocks} blocks, {games} games",
                    f"{segment.blocks} blocks, {segment.games} games",
                )
                return False
        first = info.segments[0]
        if "deals" in info.budget and first.format is not Format.KNOCKOUT:
            wanted = with_deals(first.fields, info.budget["deals"])
            if wanted != first.fields:
                self._note_run(
                    "Segment 0 is not as long as its budget says.",
                    f"{sum(field.blocks for field in wanted)} blocks",
                    f"{first.blocks} blocks",
                )
                return False
        total = sum(segment.games for segment in info.segments)
        if total > MOST_GAMES:
            self._note_run("The schedule is too long to be walked.", f"at most {MOST_GAMES} games", total)
        return total <= MOST_GAMES

    def _check_commitment(self, segment: SegmentInfo, *, published: bool) -> None:
        def note(message: str, expected: str, found: str) -> None:
            self._findings.add(
                FindingCode.COMMITMENT, f"Segment {segment.number}: {message}", expected=expected, found=found
            )

        if segment.suite is not None:
            return
        if segment.commitment is None:
            note("there is no commitment to its deals.", "a commitment", "none")
        elif segment.salt is None or segment.master is None:
            if published:
                note("the run is complete, so salt and master are published.", "salt and master", "not both")
        elif not published:
            note("salt and master are published before the run is complete.", "neither", "salt or master")
        elif (opened := commitment_of(salt=segment.salt, master=segment.master)) != segment.commitment:
            note("salt and master do not open the commitment.", segment.commitment, opened)

    def _seed_of(self, segment: SegmentInfo) -> SeedOf:
        """Returns the function that gives the deal seed of a record, or None while it is secret."""
        if segment.suite is None:
            master = segment.master
            return lambda group, parts: (
                None
                if master is None
                else deal_seed(master, game=group.game, players=group.players, segment=parts.segment, block=parts.block)
            )
        path = data_folder("seeds") / f"{Path(segment.suite).name}.yaml"
        try:
            suite = load_suite(path)
        except ConfigurationError:
            self._notes.append(
                f"{self._folder}: the deal suite {segment.suite} is not in {path.parent}: that the deals come from "
                "it was not checked."
            )
            return lambda group, parts: None

        def seed_of(group: GroupInfo, parts: RecordId) -> str | None:
            try:
                return suite.deal_seed(game=group.game, players=group.players, block=parts.block)
            except IndexError:
                return "none: the suite is shorter"

        return seed_of

    # Record by record

    def pass_unreadable(self, record_id: str | None) -> None:
        """Notes that a record could not be read; by its id, where it has one, it is not missing."""
        self._unreadable += 1
        if record_id is not None and self._walk is not None and (parts := parse_id(record_id)) is not None:
            self._walk.place(record_id, parts)

    def check_record(self, record: AnyRecord, *, repeated: bool, in_order: bool) -> None:
        """Notes what in a record does not belong into this run.

        `repeated`: its id came before. `in_order`: the records come from the first on, so that one
        that is late can be told.
        """
        info, add = self._info, self._findings.add
        parts = parse_id(record.id)
        if info is None or parts is None:
            self._unreadable += parts is None
            return
        self._results.append(result_from_record(record))
        if record.tournament != info.name:
            add(
                FindingCode.TOURNAMENT,
                "The record is of another tournament.",
                expected=info.name,
                found=record.tournament,
            )
        group = self._groups.get(parts.group)
        if group is None:
            add(
                FindingCode.GROUP,
                "The run has no such group.",
                expected=f"one of {', '.join(self._groups)}",
                found=parts.group,
            )
            return
        self._check_group(record, group)
        entrants = None if repeated else self._check_place(record, parts, in_order=in_order)
        self._check_seats(record, group, entrants)
        self._check_seed(record, group, parts)

    def _check_group(self, record: AnyRecord, group: GroupInfo) -> None:
        game = record.game
        options = self._options.get(group.name, game.options)
        wanted = (group.game, group.players, group.rules_version, options)
        found = (game.name, game.players, game.rules_version, game.options)
        if wanted != found:
            self._findings.add(
                FindingCode.GROUP,
                f"The record was not played as the group {group.name}.",
                expected=_group_text(wanted),
                found=_group_text(found),
            )

    def _check_place(self, record: AnyRecord, parts: RecordId, *, in_order: bool) -> tuple[str, ...] | None:
        """Returns who should sit at the table by the schedule, or None when it cannot be told."""
        if self._walk is None:
            return None
        due = self._walk.next_id()
        place = self._walk.place(record.id, parts)
        if place is None:
            self._findings.add(
                FindingCode.SCHEDULE,
                "The schedule has no such game.",
                expected="a game of the schedule",
                found=record.id,
            )
            return None
        if place.late and in_order:
            self._findings.add(
                FindingCode.SCHEDULE,
                "The record is out of order.",
                expected=f"{due or 'the end'} here",
                found=record.id,
            )
        return place.entrants

    def _check_seats(self, record: AnyRecord, group: GroupInfo, entrants: tuple[str, ...] | None) -> None:
        names = tuple(seat.bot for seat in record.seats)
        if entrants is None:
            entrants = names
        wanted = tuple(self._bots.get((name, group.game)) for name in entrants)
        if wanted != record.seats:
            found = entrants if names == entrants else names
            self._findings.add(
                FindingCode.SEATS,
                "At the table sat others than run.json and the schedule say.",
                expected=_seats_text(entrants, wanted),
                found=_seats_text(found, record.seats),
            )

    def _check_seed(self, record: AnyRecord, group: GroupInfo, parts: RecordId) -> None:
        block = record.id.rpartition(".")[0]
        first = self._block_seeds.setdefault(block, record.seed)
        if first != record.seed:
            self._findings.add(
                FindingCode.BLOCK_DEAL,
                "The rotations of a block have one deal.",
                expected=f"the seed {first}",
                found=record.seed,
            )
        seed_of = self._seeds.get(parts.segment)
        wanted = None if seed_of is None else seed_of(group, parts)
        if wanted is None:
            wanted = record.seed or "the seed of its deal"
        if wanted != record.seed:
            self._findings.add(
                FindingCode.MASTER,
                "The seed is not the one that the master or the suite gives.",
                expected=wanted,
                found=record.seed or "none",
            )

    # The whole

    def finish(self, records: Path) -> None:
        """Notes what is missing once all records have come, and checks the standings."""
        info, walk = self._info, self._walk
        if info is None:
            return
        self._findings.move_to(str(records))
        complete = info.state is RunState.COMPLETE
        missing = partial(self._findings.add, FindingCode.SCHEDULE)
        if walk is not None:
            for record_id in walk.passed:
                missing("A record is missing.", expected=record_id, found="nothing")
            following = walk.next_id()
            if complete and following is not None:
                missing("Records are missing at the end.", expected=f"{following} and those behind it", found="nothing")
            for record_id in () if complete else walk.rest_of_block():
                missing("The last block is not whole.", expected=record_id, found="nothing")
        if not complete:
            total = sum(segment.games for segment in info.segments)
            self._notes.append(
                f"{self._folder}: this run is {info.state}: what it has is interim, "
                f"{len(self._results)} of {total} games."
            )
            return
        self._check_standings(info)

    def _check_standings(self, info: RunInfo) -> None:
        path = self._folder / STANDINGS_FILE
        self._findings.move_to(str(path))

        def note(message: str, expected: str, found: str) -> None:
            self._findings.add(FindingCode.STANDINGS, message, expected=expected, found=found)

        try:
            given = json.loads(path.read_bytes())
        except OSError as error:
            note("The standings cannot be read.", "the standings of a complete run", error.strerror or "an error")
            return
        except (ValueError, RecursionError) as error:
            note("The standings are no JSON.", "the standings of a complete run", str(error))
            return
        if self._unreadable:
            self._notes.append(f"{path}: not worked out again, because not all records could be read.")
            return
        try:
            wanted = standings_file(self._results, runs=(info.name,), interim=False, weights=info.weights)
        except Exception as error:  # records with findings may say anything, and a ranking trusts them
            self._notes.append(f"{path}: could not be worked out again ({type(error).__name__}: {error}).")
            return
        if difference := first_difference(wanted, given):
            note(
                f"The standings are not what the records give, from {difference.path} on.",
                difference.expected,
                difference.found,
            )


def _group_text(values: tuple[str, int, int, Any]) -> str:
    game, players, rules_version, options = values
    plain = json.dumps(msgspec.to_builtins(options))
    return f"{game}, {players} players, rules {rules_version}, options {plain}"


def _seats_text(names: tuple[str, ...], seats: tuple[SeatInfo | None, ...]) -> str:
    return "; ".join(
        f"{name}: no such entrant" if seat is None else f"{name} {seat.version} {seat.fingerprint[:12]}"
        for name, seat in zip(names, seats, strict=True)
    )
