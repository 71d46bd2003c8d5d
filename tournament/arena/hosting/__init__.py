"""Hosting a competition: every act of a host stands here, asks `taking_part.permissions`, and is in `acts.jsonl`.

Calls take who asks, what it is about, and the time; they raise `RefusedError` with a sentence for that person, and
`ConfigurationError` for wrong rules.
"""

from __future__ import annotations

from tournament.arena.hosting.competitions import (
    add_competition,
    add_host,
    announce,
    apply_rules,
    change_rules,
    change_state,
    create_competition,
    read_trail,
    remove_host,
    steer,
)
from tournament.arena.hosting.marks import marks_csv
from tournament.arena.hosting.moderation import (
    CheckLogs,
    abandon,
    check_again,
    disqualify,
    read_check_logs,
    reinstate,
)
from tournament.arena.hosting.people import (
    Entered,
    codes_of,
    end_code,
    enter_participants,
    give_link,
    links_csv,
    make_code,
    one_time_link,
)

__all__ = [
    "CheckLogs",
    "Entered",
    "abandon",
    "add_competition",
    "add_host",
    "announce",
    "apply_rules",
    "change_rules",
    "change_state",
    "check_again",
    "codes_of",
    "create_competition",
    "disqualify",
    "end_code",
    "enter_participants",
    "give_link",
    "links_csv",
    "make_code",
    "marks_csv",
    "one_time_link",
    "read_check_logs",
    "read_trail",
    "reinstate",
    "remove_host",
    "steer",
]
