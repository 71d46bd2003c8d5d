"""Who led a ladder: a line in `leads.jsonl` for each change, as the ladder was shown then; nothing is ranked by it."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from tournament.arena.files import Moment, unwritten
from tournament.arena.folder import CompetitionFolder
from tournament.arena.ladder_file import LadderFile
from tournament.errors import RunError
from tournament.records.record import Positive
from tournament.store import layout
from tournament.store.files import append_to_regular, read_regular

LEADS_FILE: Final = layout.LEADS_FILE


class LeadChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of `leads.jsonl`: somebody else led a ladder from a moment on."""

    at: Moment
    """When the ladder was made that says so."""

    season: Positive
    """Of the ladder: a new season has a lead of its own."""

    bots: tuple[str, ...]
    """Who had rank 1, several where they were equal."""


def note_lead(folder: CompetitionFolder, ladder: LadderFile) -> None:
    """Writes down who leads a ladder, where it is somebody else than the last line says. Raises `RunError`.

    A ladder on which nobody is ranked changes nothing.
    """
    bots = tuple(row.bot for row in ladder.rows if row.rank == 1)
    last = (read_leads(folder) or (None,))[-1]
    if not bots or (last is not None and (last.season, last.bots) == (ladder.season, bots)):
        return
    line = msgspec.json.encode(LeadChange(at=ladder.made, season=ladder.season, bots=bots)) + b"\n"
    path = folder.path / LEADS_FILE
    try:
        with append_to_regular(path) as file:
            torn = read_regular(path)[-1:] not in (b"", b"\n")  # the machine may have stopped in the middle of a line
            file.write(b"\n" + line if torn else line)
    except OSError as error:
        raise unwritten(path, error) from None


def read_leads(folder: CompetitionFolder) -> tuple[LeadChange, ...]:
    """Returns every change of the lead, the oldest first; lines that cannot be read are passed over.

    Raises `RunError` for a file that cannot be opened.
    """
    path = folder.path / LEADS_FILE
    try:
        lines = read_regular(path).splitlines()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror}. Mend its rights.") from None
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=LeadChange))
        except msgspec.DecodeError:
            continue  # torn as the machine stopped; it is only told, never counted
    return tuple(found)
