"""What a host publishes so that nobody can change a run afterwards without being found out."""

from __future__ import annotations

from hashlib import file_digest
from pathlib import Path

from msgspec import Struct

from tournament.errors import RunError
from tournament.records.files import open_regular
from tournament.records.folder import read_run
from tournament.records.results import RESULTS_FILE


class RunFingerprint(Struct, frozen=True, kw_only=True):
    """Digests that a run keeps for ever once it is complete."""

    run: str
    """Its folder, as it was given."""

    commitments: tuple[str | None, ...]
    """By segment: SHA-256 of salt and master; None where the deals come from a suite."""

    suites: tuple[str | None, ...]
    """By segment: the digest of its deal suite, where it has one."""

    results: str
    """SHA-256 of `results.jsonl`, which has the digest of every record."""


def run_fingerprint(folder: Path) -> RunFingerprint:
    """Returns what a host publishes of a run. Raises `RunError` when it cannot be read."""
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
    """Returns a fingerprint for people, a line each."""
    lines = [f"Fingerprint of {fingerprint.run}, to be published where nobody can change it:"]
    for number, (commitment, suite) in enumerate(zip(fingerprint.commitments, fingerprint.suites, strict=True)):
        lines.append(f"  segment {number}, {'commitment' if suite is None else 'suite'}: {suite or commitment}")
    return "\n".join([*lines, f"  {RESULTS_FILE}: {fingerprint.results}"])
