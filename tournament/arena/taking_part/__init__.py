"""Taking part in a competition: every rule of who may do what stands here; pages and API call it.

Calls take who asks (an account of Django, or None), what it is about, and the time; they raise `RefusedError` with a
sentence for that person. What needs files writes them to the disk before rows change.
"""

from __future__ import annotations

from tournament.arena.folder import CheckFile
from tournament.arena.taking_part.challenges import challenge
from tournament.arena.taking_part.handing_in import HandedIn, activate_version, find_version, hand_in
from tournament.arena.taking_part.joining import add_owner, consent, join, make_bot, remove_owner, rename
from tournament.arena.taking_part.leaving import delete_account, remove_left_files, write_data
from tournament.arena.taking_part.own_files import (
    entrant_name,
    read_check_file,
    read_program,
    read_round_faults,
    read_round_log,
)
from tournament.arena.taking_part.permissions import (
    ArenaRole,
    Call,
    find_bot,
    find_competition,
    may,
    participant_of,
    require,
    roles_of,
)
from tournament.arena.taking_part.quotas import Quota, Quotas, quotas_of
from tournament.arena.taking_part.tokens import NewToken, end_token, make_token, tokens_of, use_token

__all__ = [
    "ArenaRole",
    "Call",
    "CheckFile",
    "HandedIn",
    "NewToken",
    "Quota",
    "Quotas",
    "activate_version",
    "add_owner",
    "challenge",
    "consent",
    "delete_account",
    "end_token",
    "entrant_name",
    "find_bot",
    "find_competition",
    "find_version",
    "hand_in",
    "join",
    "make_bot",
    "make_token",
    "may",
    "participant_of",
    "quotas_of",
    "read_check_file",
    "read_program",
    "read_round_faults",
    "read_round_log",
    "remove_left_files",
    "remove_owner",
    "rename",
    "require",
    "roles_of",
    "tokens_of",
    "use_token",
    "write_data",
]
