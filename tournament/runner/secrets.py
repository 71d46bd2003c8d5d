"""The secret of a segment, found by its commitment."""

from __future__ import annotations

from pathlib import Path

from tournament.deals import commitment_of
from tournament.errors import RunError
from tournament.records.folder import Secret, read_secrets
from tournament.records.layout import SECRET_FILE
from tournament.records.run import SegmentInfo


def secret_of(folder: Path, segment: SegmentInfo) -> Secret | None:
    """Returns master and salt of the segment under way, None for one on a suite. Raises `RunError` when lost."""
    if segment.suite is not None:
        return None
    for secret in read_secrets(folder):
        if commitment_of(salt=secret.salt, master=secret.master) == segment.commitment:
            return secret
    raise RunError(
        f"{folder / SECRET_FILE} is missing or is of another segment, and without it nobody knows the deals that are "
        "left. Put the file back from where the run was played, or begin a new run."
    )
