"""`run.json`: whether it can be read, agrees with itself, and opens its commitments; what a host publishes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from functools import partial
from hashlib import file_digest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tournament.auditing.claims import check_balance, check_claims, check_extents
from tournament.auditing.contradictions import check_facts
from tournament.auditing.findings import FindingCode, Findings
from tournament.auditing.lines import repeated_name
from tournament.auditing.schedule import (
    MOST_MISSING,
    Schedule,
    SuiteDeals,
    check_knockouts,
    schedule_of,
    schedule_problem,
)
from tournament.deals import Suite, commitment_of, deal_seed
from tournament.errors import GameError, RunError
from tournament.games import load_game
from tournament.games.contract import options_from
from tournament.ids import GameId
from tournament.records.misfits import first_misfit
from tournament.records.record import SeatInfo
from tournament.records.results import RESULTS_FILE, ResultLine
from tournament.records.run import (
    Format,
    GroupInfo,
    RunInfo,
    RunState,
    SegmentInfo,
    format_cluster_play,
    format_versions,
)
from tournament.records.schema import written_by_newer
from tournament.records.settings import is_keep
from tournament.store.files import open_regular, read_regular
from tournament.store.folder import read_run
from tournament.store.layout import COMPRESSED_FILE, RECORDS_FILE, RUN_FILE, SECRET_FILE
from tournament.version import __version__

SeedOf = Callable[[GroupInfo, GameId], str | None]


class RunFile:
    """What `run.json` says, checked on construction; `info` is None when it cannot be read."""

    def __init__(self, folder: Path, findings: Findings, notes: list[str], *, suites: Collection[Suite] = ()) -> None:
        """Reads the file and notes what is wrong with it. `suites`: known besides those that come with the package."""
        self._folder = folder
        self._findings = findings
        self._notes = notes
        self.groups: dict[str, GroupInfo] = {}
        self.options: dict[str, Any] = {}
        """The options of each group, in the types of its game."""

        self.bots: dict[tuple[str, str], SeatInfo] = {}
        """By entrant and game."""

        self.schedule: Schedule | None = None
        """None where `run.json` does not give it."""

        self._has_schedule = False
        self._given_suites = suites
        self.note = partial(findings.add, FindingCode.RUN_FILE)
        """Notes what is wrong with `run.json`."""

        self._seeds: dict[int, SeedOf] = {}
        self._suites: dict[int, SuiteDeals] = {}
        findings.move_to(str(folder / RUN_FILE))
        self.info = self._read()
        if self.info is not None:
            self._check(self.info)

    @property
    def is_complete(self) -> bool:
        """Whether the run says that it has been played to its end."""
        return self.info is not None and self.info.state is RunState.COMPLETE

    def seed_of(self, group: GroupInfo, parts: GameId) -> str | None:
        """Returns the deal seed that the master or the suite gives a game; None while neither is known."""
        seed_of = self._seeds.get(parts.segment)
        return None if seed_of is None else seed_of(group, parts)

    def note_seed(self, group: GroupInfo, parts: GameId, seed: str | None) -> None:
        """Takes the deal seed of a record: all of them together tell which suite was played."""
        if parts.segment in self._suites:
            self._suites[parts.segment].note_seed(group, parts, seed)

    def finish(self) -> None:
        """Notes what only all records together can tell."""
        for suite in self._suites.values():
            suite.finish()

    def _believe(self, claim: str) -> None:
        self._notes.append(f"{self._folder}: {claim} {RUN_FILE} alone says so.")

    def _read(self) -> RunInfo | None:
        try:
            data = read_regular(self._folder / RUN_FILE)
        except OSError as error:
            self.note("It cannot be read.", "a readable file", error.strerror)
            return None
        repeated = repeated_name(data)
        if repeated is not None:
            self.note("A name stands twice: readers disagree on which counts.", "each name once", repeated)
        try:
            return msgspec.json.decode(data, type=RunInfo)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            expected, found = "a run as the schema run.v1 describes it", str(error)
        try:
            misfit = first_misfit("run.v1", msgspec.json.decode(data))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            misfit = None
        if newer := written_by_newer(data):
            self.note("It cannot be checked by this tournament.", f"a run that is known here ({__version__})", newer)
            return None
        if misfit is not None:
            expected, found = f"{misfit.json_path}: {misfit.expected}", misfit.found
        self.note("It is no valid run.", expected, found)
        return None

    def _check(self, info: RunInfo) -> None:
        for one in info.continued:
            self._believe(f"From game {one.games + 1} on it was played with {format_versions(one.versions)}.")
        for segment in info.segments:
            if segment.cluster is not None:
                self._believe(f"Segment {segment.number} was played by {format_cluster_play(segment.cluster)}.")
        playable = [self._is_playable(group) for group in info.groups]
        self.bots = {
            (entrant.name, bot.game): SeatInfo(bot=entrant.name, version=bot.version, fingerprint=bot.fingerprint)
            for entrant in info.entrants
            for bot in entrant.bots
        }
        for group in info.groups:
            for name in group.entrants:
                if (name, group.game) not in self.bots:
                    self.note(
                        "An entrant of a group has no bot for its game.", f"a bot of {name} for {group.game}", "none"
                    )
        if not is_keep(info.keep):
            self.note("It does not say which records are kept.", "all, faults, none or sample:N%", info.keep)
        for segment in info.segments:
            is_published = segment is not info.segments[-1] or info.state is RunState.COMPLETE
            self._check_commitment(segment, is_published=is_published)
            self._seeds[segment.number] = self._seeds_of(segment)
        self._check_files(info)
        if info.state is RunState.COMPLETE and (self._folder / SECRET_FILE).exists():
            message = f"The run is complete, so its master belongs in {RUN_FILE} alone."
            self._findings.add(FindingCode.COMMITMENT, message, f"no {SECRET_FILE}", SECRET_FILE)
        problem = schedule_problem(info)
        if problem is not None:
            self.note(*problem)
        elif all(playable):
            self._has_schedule = True
            check_claims(info, self.note, self._believe)
            check_facts(info, self.note)

    def work_out_schedule(self, results: Iterable[ResultLine], *, played: int) -> None:
        """Works out which blocks belong to the run, and notes where `run.json` and the results disagree about them.

        `played` is how many blocks have results.
        """
        info = self.info
        if info is None or not self._has_schedule:
            return
        try:
            schedule = schedule_of(info, results, played=played)
        except Exception as error:  # results with findings may say anything, and a knockout follows from them
            self.note(
                "The knockout cannot be worked out again.", "results of a knockout", f"{type(error).__name__}: {error}"
            )
            return
        if schedule is None:
            self._notes.append(
                f"{self._folder}: {RUN_FILE} alone does not tell the schedule (a sample whose master is still "
                "secret): which games belong to the run was not checked."
            )
            return
        self.schedule = schedule
        if self.is_complete and schedule.goes_on:
            expected = f"at most {MOST_MISSING} blocks without results"
            self.note("The run is complete, and its schedule goes on.", expected, "more")
        elif self.is_complete:
            check_balance(info, schedule.blocks(), self.note)
            check_extents(info, schedule.blocks(), self.note)
            check_knockouts(info, schedule.blocks(), self.note)
        if all(segment.format is Format.KNOCKOUT for segment in info.segments):
            for one in info.void:
                if one.block not in schedule.void:
                    self.note("A block is void that the knockout has not.", "a block of the knockout", one.block)

    def _is_playable(self, group: GroupInfo) -> bool:
        if group.name in self.groups:
            self.note("A group stands twice.", "each group once", group.name)
            return False
        self.groups[group.name] = group
        try:
            game = load_game(group.game)
            self.options[group.name] = options_from(game, group.options)
        except GameError as error:
            self.note(f"The group {group.name} cannot be played.", "a known game and its options", error)
            return False
        if group.players not in game.players:
            allowed = f"{game.players.start} to {game.players.stop - 1} players"
            self.note(f"The group {group.name} cannot be played.", allowed, group.players)
            return False
        if group.rules_version != game.rules_version:
            self._findings.leave(
                f"whether the games of {group.name} can have ended so: they were played by version "
                f"{group.rules_version} of the rules, and {game.rules_version} is known here."
            )
        return True

    def _check_files(self, info: RunInfo) -> None:
        """Notes records that are not in the one file that `run.json` names."""
        wanted, other = (COMPRESSED_FILE, RECORDS_FILE) if info.compress else (RECORDS_FILE, COMPRESSED_FILE)
        found = [name for name in (RECORDS_FILE, COMPRESSED_FILE) if (self._folder / name).exists()]
        if other in found:
            kept = "compressed" if info.compress else "not compressed"
            self.note(f"The records are {kept}, so they lie in {wanted} alone.", wanted, " and ".join(found))

    def _check_commitment(self, segment: SegmentInfo, *, is_published: bool) -> None:
        def note(message: str, expected: str, found: str) -> None:
            self._findings.add(FindingCode.COMMITMENT, f"Segment {segment.number}: {message}", expected, found)

        if segment.suite is not None:
            given = [name for name in ("commitment", "salt", "master") if getattr(segment, name) is not None]
            if given:
                note("its deals come from a suite, so there is no master to commit to.", "none", ", ".join(given))
            return
        if segment.suite_digest is not None:
            note("its deals come from a master, so there is no suite.", "no suite_digest", segment.suite_digest)
        if segment.commitment is None:
            note("there is no commitment to its deals.", "a commitment", "none")
        elif segment.salt is None or segment.master is None:
            if is_published:
                note("it is over, so salt and master are published.", "salt and master", "not both")
        elif not is_published:
            note("salt and master are published before it is over.", "neither", "salt and master")
        elif (opened := commitment_of(salt=segment.salt, master=segment.master)) != segment.commitment:
            note("salt and master do not open the commitment.", segment.commitment, opened)

    def _seeds_of(self, segment: SegmentInfo) -> SeedOf:
        if segment.suite is not None:
            deals = SuiteDeals(segment, self._given_suites, self._findings)
            self._suites[segment.number] = deals
            return deals.seed_of
        return partial(_master_seed, segment.master)


def _master_seed(master: str | None, group: GroupInfo, parts: GameId) -> str | None:
    if master is None:
        return None
    return deal_seed(master, game=group.game, players=group.players, segment=parts.segment, block=parts.block)


def group_text(game: str, players: int, rules_version: int, options: Any) -> str:
    """Returns a group in words: game, players, rules, options."""
    return f"{game}, {players} players, rules {rules_version}, options {json.dumps(msgspec.to_builtins(options))}"


class RunFingerprint(Struct, frozen=True, kw_only=True):
    """Digests of a complete run, which no longer change."""

    run: str
    """Its folder, as it was given."""

    commitments: tuple[str | None, ...]
    """By segment: SHA-256 of salt and master; None where the deals come from a suite."""

    suites: tuple[str | None, ...]
    """By segment: the digest of its deal suite, where it has one."""

    results: str
    """SHA-256 of `results.jsonl`, which has the digest of every record."""


def run_fingerprint(folder: Path) -> RunFingerprint:
    """Returns the digests that a host publishes. Raises `RunError` when the run cannot be read."""
    info = read_run(folder)
    try:
        with open_regular(folder / RESULTS_FILE) as file:
            digest = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RunError(f"{folder / RESULTS_FILE} cannot be read: {error.strerror}. Take it from a copy.") from None
    return RunFingerprint(
        run=str(folder),
        commitments=tuple(segment.commitment for segment in info.segments),
        suites=tuple(segment.suite_digest for segment in info.segments),
        results=digest,
    )


def format_fingerprint(fingerprint: RunFingerprint) -> str:
    """Returns a fingerprint as text, one digest a line."""
    lines = [f"Fingerprint of {fingerprint.run}, to be published where nobody can change it:"]
    for number, (commitment, suite) in enumerate(zip(fingerprint.commitments, fingerprint.suites, strict=True)):
        lines.append(f"  segment {number}, {'commitment' if suite is None else 'suite'}: {suite or commitment}")
    return "\n".join([*lines, f"  {RESULTS_FILE}: {fingerprint.results}"])
