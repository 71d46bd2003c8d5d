"""The deal suites that the audit of a run can look into: those that were given, and those that come along."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tournament.audit.model import FindingCode, Findings
from tournament.deals import Suite, load_suite
from tournament.ids import GameId
from tournament.records.model import Hex256
from tournament.records.paths import data_folder
from tournament.records.run import GroupInfo, SegmentInfo


def load_suites(paths: Iterable[Path]) -> tuple[Suite, ...]:
    """Returns the suites in some files. Raises `ConfigurationError` for a file that is none."""
    return tuple(map(load_suite, paths))


class SuiteDeals:
    """The deals that a segment has from its suite, told by the suite's digest and not by its name."""

    def __init__(self, segment: SegmentInfo, given: Iterable[Suite], findings: Findings) -> None:
        """Looks for the suite of a segment, and notes when it is another one, or none that is known here."""
        name, digest = str(segment.suite), segment.suite_digest
        self._segment = segment
        self._findings = findings
        self._suspect: Suite | None = None
        """A suite of that name with another digest: a digest is false when its deals were played all the same."""

        self._is_suspect = True
        known = [*given, *_shipped(name)]
        self._suite = _of_digest(known, name, digest)
        if self._suite is not None:
            return
        namesake = next((suite for suite in known if suite.name == name), None)
        if namesake is not None and namesake in given:
            self._note(f"The suite {name} that was given is another one.", digest, namesake.digest)
            return
        self._suspect = namesake
        findings.leave(
            f"whether the deals of segment {segment.number} come from the suite {name} (digest "
            f"{digest or 'not told'}). It does not come along: give its file with --suite."
        )

    def seed_of(self, group: GroupInfo, parts: GameId) -> str | None:
        """Returns the seed of a game's deal, or why there is none; None while the suite is not known."""
        return None if self._suite is None else _seed(self._suite, group, parts)

    def note_seed(self, group: GroupInfo, parts: GameId, seed: str | None) -> None:
        """Takes the seed that a record has."""
        if self._suspect is not None and seed != _seed(self._suspect, group, parts):
            self._is_suspect = False

    def finish(self) -> None:
        """Notes a false digest, once all records have come; ask only where there were some."""
        if self._suspect is not None and self._is_suspect:
            self._note(
                f"All deals are those of the suite {self._suspect.name} that comes along, and the digest is not.",
                self._suspect.digest,
                self._segment.suite_digest,
            )

    def _note(self, message: str, expected: str | None, found: str | None) -> None:
        self._findings.add(
            FindingCode.SUITE,
            f"Segment {self._segment.number}: {message}",
            expected=f"the digest {expected}",
            found=found or "none",
        )


def _of_digest(known: Iterable[Suite], name: str, digest: Hex256 | None) -> Suite | None:
    if digest is None:
        return next((suite for suite in known if suite.name == name), None)
    return next((suite for suite in known if suite.digest == digest), None)


def _shipped(name: str) -> tuple[Suite, ...]:
    path = data_folder("seeds") / f"{Path(name).name}.yaml"
    return (load_suite(path),) if path.is_file() else ()


def _seed(suite: Suite, group: GroupInfo, parts: GameId) -> str:
    try:
        return suite.deal_seed(game=group.game, players=group.players, block=parts.block)
    except IndexError:
        return f"none: the suite {suite.name} has {len(suite.seeds)} seeds"
