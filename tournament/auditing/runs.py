"""A run as a whole: its results, schedule, seats, seeds and standings, and whether its records fit them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Final

from tournament.auditing.checking import CheckedLine, RecordFacts
from tournament.auditing.claims import can_decide, check_against_results, check_decision
from tournament.auditing.configuration import check_configuration, most_bank_ms
from tournament.auditing.contradictions import result_problems
from tournament.auditing.files import Looked, MachineAudit, look_at_report
from tournament.auditing.findings import FindingCode, Findings, first_difference
from tournament.auditing.lines import loads
from tournament.auditing.records import parse_id
from tournament.auditing.results import KnownResults
from tournament.auditing.run_file import RunFile, group_text
from tournament.auditing.schedule import Due
from tournament.deals import Suite
from tournament.errors import RecordError
from tournament.ids import GameId, NumberByGame, block_of, format_game_id, rotation_of
from tournament.ranking.sources import standings_file
from tournament.records.record import SeatInfo
from tournament.records.results import RESULTS_FILE, ResultLine, format_result, has_record, parse_result
from tournament.records.run import GroupInfo, RunInfo
from tournament.records.settings import is_keep
from tournament.store.files import bounded_lines, open_regular, read_regular
from tournament.store.layout import RUN_FILE, STANDINGS_FILE
from tournament.version import is_of_first_release
from tournament.workers import WorkerPool


class RunAudit:
    """Checks the records of one run against its other files, one by one, and then the run as a whole."""

    def __init__(
        self,
        folder: Path,
        findings: Findings,
        notes: list[str],
        *,
        seen: NumberByGame,
        suites: Collection[Suite] = (),
    ) -> None:
        """Reads and checks `run.json`, then the results. `seen` has the ids of the records that have come, with 0."""
        self._folder = folder
        self._findings = findings
        self._notes = notes
        self._findings_before = len(findings.all)
        self._run = RunFile(folder, findings, notes, suites=suites)
        self._results = KnownResults(folder / RESULTS_FILE)
        self._are_results_whole = True
        self._last_place = -1
        self._seen = seen
        self._has_records = False
        self._without_result = 0
        self._seeds = _FirstSeeds()
        self._machine = MachineAudit(folder, findings, seen)
        self._report: Callable[[], Looked] | None = None
        if self._run.info is not None:
            self._read_results()

    def close(self) -> None:
        """Closes the file of the results."""
        self._results.close()

    def begin_report(self, pool: WorkerPool) -> None:
        """Has a worker look at the report while the records are checked; of one worker that is done at the end."""
        if self._is_clean():
            self._report = pool.begin(look_at_report, self._folder)

    def _is_clean(self) -> bool:
        """Returns whether the run is complete, and nothing is wrong with it so far."""
        return self._run.info is not None and self._run.is_complete and len(self._findings.all) == self._findings_before

    # The results and the schedule

    def _read_results(self) -> None:
        path = self._folder / RESULTS_FILE
        self._findings.move_to(str(path))
        begin, before = 0, len(self._findings.all)
        trouble: object = None
        try:
            with open_regular(path) as file:
                for number, data in enumerate(bounded_lines(file, path), start=1):
                    self._findings.move_to(str(path), line=number)
                    self._read_result(data, begin)
                    begin += len(data)
        except OSError as error:
            trouble = error.strerror
        except RecordError as error:
            trouble = error
        self._check_digests(path, before)
        if trouble is not None:
            self._spoil("The results cannot be read.", "a line for each game", trouble)
        self._findings.move_to(str(self._folder / RUN_FILE))
        self._run.work_out_schedule(self._results, played=self._results.blocks)
        self._findings.move_to(str(path))
        self._check_schedule()
        if self._run.info is not None and self._are_results_whole:
            self._findings.move_to(str(self._folder / RUN_FILE))
            check_against_results(self._run.info, self._results, self._findings)
            self._check_decision(self._run.info)

    def _check_decision(self, info: RunInfo) -> None:
        """Decides again where the run ended, but only when nothing else is wrong: that might change the decision."""
        schedule = self._run.schedule
        if schedule is not None and len(self._findings.all) == self._findings_before and can_decide(info):
            check_decision(info, schedule, self._results, self._run.note)

    def _spoil(self, message: str, expected: object, found: object) -> None:
        self._are_results_whole = False
        self._findings.add(FindingCode.RESULTS, message, expected, found)

    def _read_result(self, data: bytes, begin: int) -> None:
        if not data.endswith(b"\n"):
            self._spoil("The last line is torn.", "a newline at the end", "the end of the file")
            return
        try:
            result = parse_result(data)
        except (RecordError, RecursionError, ValueError) as error:
            self._spoil("This is no result.", "a result as one JSON object", error)
            return
        self._findings.record = result.id
        if format_result(result) + b"\n" != data:
            written = format_result(result).decode()
            self._spoil("The line is not written as results are.", written, data.decode().strip())
        parts = parse_id(result.id)
        if parts is None or parts.group not in self._run.groups:
            self._spoil("The run has no such game.", f"a game of {', '.join(self._run.groups)}", result.id)
        elif result.id in self._results:
            self._spoil("This result stands here a second time.", "each game once", result.id)
        else:
            self._results.add(result, begin)
            self._check_alone(result, self._run.groups[parts.group])

    def _check_alone(self, result: ResultLine, group: GroupInfo) -> None:
        """Checks a result by itself, which is all there is of a game whose record was not kept."""
        for message, expected, found in result_problems(result, group):
            self._findings.add(FindingCode.RESULTS, message, expected, found)

    def _check_digests(self, path: Path, before: int) -> None:
        """Notes digests that stand there twice, each behind what else is wrong with its line."""
        findings = self._findings
        line, record_id = findings.line, findings.record
        for repeated in self._results.repeated_digests():
            findings.move_to(str(path), line=repeated.line, record=repeated.result.id)
            found = repeated.result.digest
            findings.add(FindingCode.RESULTS, "Another game has this digest.", "one of its own", found)
        findings.move_to(str(path), line=line, record=record_id)
        findings.all[before:] = sorted(findings.all[before:], key=lambda finding: finding.line or 0)

    def _check_schedule(self) -> None:
        """Checks that the results are those of the schedule, in its order, up to where the run has come."""
        schedule, add = self._run.schedule, self._findings.add
        if schedule is None:
            return
        last = (-1, 0)
        for result in self._results:
            self._findings.record = record_id = result.id
            due, rotation = self._due(record_id)
            if due is None:
                add(FindingCode.SCHEDULE, "The schedule has no such game.", "no such game", record_id)
                continue
            if (due.place, rotation) < last:
                add(FindingCode.SCHEDULE, "The game is out of order.", "an earlier line", record_id)
            last = max(last, (due.place, rotation))
            wanted = due.block.seats(rotation)
            if result.seats != wanted:
                message = "At the table sat others than the schedule says."
                add(FindingCode.SEATS, message, ", ".join(wanted), ", ".join(result.seats))
        self._findings.record = None
        for due in schedule.dues():
            if due.place > last[0] and (schedule.goes_on or not self._run.is_complete):
                break
            for rotation in range(len(due.block.order)):
                record_id = due.block.record_id(rotation)
                if record_id not in self._results:
                    add(FindingCode.SCHEDULE, "A game is missing.", record_id, "nothing")

    def _due(self, record_id: str) -> tuple[Due | None, int]:
        """Returns the scheduled block of a game, None where there is none, and the rotation of the game."""
        rotation = rotation_of(record_id)
        due = None if self._run.schedule is None else self._run.schedule.get(block_of(record_id))
        return (due if due is not None and rotation < len(due.block.order) else None), rotation

    # Record by record

    def note_line(self, line: CheckedLine, *, is_alone: bool) -> None:
        """Notes what in a record does not fit this run; `is_alone`: it is the only record that is looked at.

        A record that could not be read only does not count as missing.
        """
        if line.facts is not None:
            self._check_record(line.facts, is_alone=is_alone)
        elif line.id is not None:
            self._has_records = True

    def _check_record(self, record: RecordFacts, *, is_alone: bool) -> None:
        info, add = self._run.info, self._findings.add
        parts = parse_id(record.id)
        if info is None or parts is None:
            return
        self._has_records = True
        self._machine.note_record(record)
        if record.tournament != info.name:
            add(FindingCode.TOURNAMENT, "The record is of another tournament.", info.name, record.tournament)
        group = self._run.groups.get(parts.group)
        if group is None:
            add(FindingCode.GROUP, "The run has no such group.", f"one of {', '.join(self._run.groups)}", parts.group)
            return
        if record.parent is not None:
            found = f"move {record.parent.move} of {record.parent.digest}"
            add(FindingCode.PARENT, "A what-if is no game of a run.", "no parent", found)
        self._check_group(record, group)
        self._check_seats(record, group)
        self._check_seed(record, group, parts)
        self._check_result(record, is_alone=is_alone)

    def _check_group(self, record: RecordFacts, group: GroupInfo) -> None:
        game = record.game
        options = self._run.options.get(group.name, game.options)
        wanted = (group.game, group.players, group.rules_version, options)
        found = (game.name, game.players, game.rules_version, game.options)
        if wanted != found:
            message = f"The record was not played as the group {group.name}."
            self._findings.add(FindingCode.GROUP, message, group_text(*wanted), group_text(*found))

    def _check_seats(self, record: RecordFacts, group: GroupInfo) -> None:
        due, rotation = self._due(record.id)
        names = tuple(seat.bot for seat in record.seats) if due is None else due.block.seats(rotation)
        wanted = tuple(self._run.bots.get((name, group.game)) for name in names)
        if wanted != record.seats:
            expected = "; ".join(
                f"{name}: no such entrant" if seat is None else _seat_text(seat)
                for name, seat in zip(names, wanted, strict=True)
            )
            message = "At the table sat others than run.json and the schedule say."
            self._findings.add(FindingCode.SEATS, message, expected, "; ".join(map(_seat_text, record.seats)))

    def _check_seed(self, record: RecordFacts, group: GroupInfo, parts: GameId) -> None:
        first = self._seeds.first(block_of(record.id), record.seed)
        if first != record.seed:
            message = "The rotations of a block have one deal."
            self._findings.add(FindingCode.BLOCK_DEAL, message, f"the seed {first}", record.seed)
        self._run.note_seed(group, parts, record.seed)
        wanted = self._run.seed_of(group, parts) or record.seed
        if wanted is None or wanted != record.seed:
            message = "The seed is not the one that the master or the suite gives."
            self._findings.add(FindingCode.MASTER, message, wanted or "the seed of its deal", record.seed or "none")

    def _check_result(self, record: RecordFacts, *, is_alone: bool) -> None:
        add = self._findings.add
        line = self._results.line(record.id)
        if line is None:
            if self._run.is_complete and self._are_results_whole:
                add(FindingCode.RESULTS, "The record has no result.", f"its line in {RESULTS_FILE}", "none")
            self._without_result += 1
            return
        if line != record.result and (difference := first_difference(parse_result(record.result), parse_result(line))):
            message = f"{RESULTS_FILE} has another result, in {difference.path}."
            add(FindingCode.RESULTS, message, difference.expected, difference.found)
        place = self._results.place(record.id) or 0
        if place < self._last_place and not is_alone:
            add(FindingCode.SCHEDULE, "The record is out of order.", f"the order of {RESULTS_FILE}", record.id)
        self._last_place = max(self._last_place, place)

    # The whole

    def finish(self, records: Path) -> None:
        """Notes what is missing once all records have come, and checks standings, configuration and the other files."""
        info = self._run.info
        if info is None:
            return
        if self._has_records:
            self._findings.move_to(str(self._folder / RUN_FILE))
            self._run.finish()
        self._findings.move_to(str(records))
        believed = 0
        for result in self._results if is_keep(info.keep) else ():
            if result.id in self._seen:
                continue
            if has_record(result, keep=info.keep):
                self._findings.add(FindingCode.SCHEDULE, "A record is missing.", result.id, "only its result")
            else:
                believed += 1
        if believed:
            have = "result has" if believed == 1 else "results have"
            self._notes.append(f"{self._folder}: {believed} {have} no record: believed, not checked.")
        configuration = check_configuration(self._folder, info, self._findings)
        if self._run.is_complete:
            before = len(self._findings.all)
            if self._are_results_whole:
                most = None if configuration is None else most_bank_ms(configuration, info)
                self._machine.finish(self._results, is_public=info.public, most_bank_ms=most)
            of_machine = self._findings.all[before:]
            del self._findings.all[before:]
            self._let_go()
            self._check_standings(info)
            self._findings.all += of_machine
            if self._report is not None and self._is_clean():
                found = self._report()
                self._findings.all += found.findings
                self._findings.note_unchecked(found.unchecked)
            return
        without = f", and {self._without_result} records without a result" if self._without_result else ""
        self._notes.append(
            f"{self._folder}: this run is {info.state}, so it is interim: {len(self._results)} games{without}."
        )

    def _let_go(self) -> None:
        """Forgets what was kept of records and schedule, which neither standings nor report need: these take much."""
        self._run.schedule = None
        self._seeds = _FirstSeeds()
        self._machine.forget()
        self._seen.clear()

    def _check_standings(self, info: RunInfo) -> None:
        path = self._folder / STANDINGS_FILE
        self._findings.move_to(str(path))
        note = partial(self._findings.add, FindingCode.STANDINGS)
        try:
            given, repeated = loads(read_regular(path))
        except OSError as error:
            note("The standings cannot be read.", "the standings of a complete run", error.strerror)
            return
        except (ValueError, RecursionError) as error:
            note("The standings are no JSON.", "the standings of a complete run", error)
            return
        if repeated is not None:
            note("A name stands twice: readers disagree on which counts.", "each name once", repeated)
        if made_by := self._earlier_version(given, info):
            self._findings.leave(f"the standings: made by {made_by}.")
            return
        if not self._are_results_whole:
            self._findings.leave("the standings, because not all results could be read.")
            return
        try:
            wanted = standings_file(info, self._results)
        except Exception as error:  # results with findings may say anything, and a ranking trusts them
            note("The standings cannot be worked out again.", "results that can be ranked", _named(error))
            return
        if difference := first_difference(wanted, given):
            message = f"The standings are not what the results give, from {difference.path} on."
            note(message, difference.expected, difference.found)

    @staticmethod
    def _earlier_version(standings: object, info: RunInfo) -> str | None:
        """Returns the version that wrote standings in an earlier format; None for standings that can be checked."""
        written = standings.get("version") if isinstance(standings, dict) else None
        made_by = info.versions.get("tournament", "")
        return made_by if written == 1 and is_of_first_release(made_by) else None


class _FirstSeeds:
    """The deal seed of the first record of each block, in forty bytes."""

    def __init__(self) -> None:
        self._places = NumberByGame()
        """By the first game of a block: 1 + how many seeds came before it; 0 where the record has none."""

        self._seeds = bytearray()

    def first(self, block: str, seed: str | None) -> str | None:
        """Returns the seed that was given first for a block, perhaps this one."""
        game = format_game_id(block, 0)
        place = self._places.get(game)
        if place is None:
            self._places[game] = 0 if seed is None else 1 + len(self._seeds) // _SEED_BYTES
            self._seeds += bytes.fromhex(seed or "")
            return seed
        return self._seeds[(place - 1) * _SEED_BYTES : place * _SEED_BYTES].hex() if place else None


_SEED_BYTES: Final = 32


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _seat_text(seat: SeatInfo) -> str:
    return f"{seat.bot} {seat.version} {seat.fingerprint[:12]}"
