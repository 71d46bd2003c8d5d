"""What tests of killed arenas run in processes of their own, as Django is set up once in a process.

`python killed_arena.py prepare|write|rest|rebuild FOLDER ...` prints lines of JSON.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from tournament.arena.folder import ArenaFolder
from tournament.arena.settings import SQLITE_BEGINNING, set_up

RULES = """\
title: Cup
games: [{game: scout, players: 3}]
isolation: none
round_seconds: 1
versions_a_day: 1000
deals_a_day: 100000
bots_a_participant: 1
"""

NAMES = ("ada", "bob", "cleo", "dan")
"""Whoever hands in; each has one bot."""

WRITER = "eve"
"""Takes part without a bot, and changes her public name again and again."""

HELD_SECONDS = 0.02
"""So long is a transaction of the writer open, of each tenth of a second."""


def password_of(name):
    return f"{name}-likes-tea-7"


def prepare(place):
    """Makes an open competition with a bot for each name, and prints a token for each."""
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting import add_competition
    from tournament.arena.hosting.competitions import change_state
    from tournament.arena.taking_part import join, make_bot, make_token
    from tournament.arena.transitions import CompetitionState

    now = datetime.now(UTC)
    competition = add_competition("cup", RULES, by="the command", now=now)
    change_state(competition, CompetitionState.OPEN, account=None, now=now)
    tokens = {}
    for name in (*NAMES, WRITER):
        account = get_user_model().objects.create_user(username=name, password=password_of(name))
        join(account, competition, public_name=name.title(), now=now)
        if name != WRITER:
            bot = make_bot(account, competition, f"{name}-bot", now=now)
            tokens[name] = make_token(account, bot, label="test", now=now).text
    print(json.dumps(tokens))


def write_for_ever(path, begin):
    """Changes a name again and again, in transactions that take a while; prints each number once it is there.

    It writes as the arena does, without Django, whose start is most of the time of a process that is killed at once.
    """
    folder = ArenaFolder(path)
    rename = (
        "UPDATE arena_participant SET public_name = ? WHERE account_id = (SELECT id FROM auth_user WHERE username = ?)"
    )
    with closing(sqlite3.connect(folder.database, timeout=20, isolation_level=None)) as connection:
        connection.executescript(SQLITE_BEGINNING)
        number = begin
        while True:
            number += 1
            try:
                connection.execute("BEGIN IMMEDIATE")
                assert 1 == connection.execute(rename, (f"Eve {number}", WRITER)).rowcount
                time.sleep(HELD_SECONDS)
                connection.execute("COMMIT")
            except sqlite3.OperationalError:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            else:
                print(json.dumps(number), flush=True)
            time.sleep(0.1 - HELD_SECONDS)


def rows():
    from tournament.arena.models import Participant, RoundRow, Trouble, VersionRow

    versions = VersionRow.objects.order_by("bot__name", "number")
    rounds = RoundRow.objects.order_by("number")
    return {
        "versions": [list(one) for one in versions.values_list("bot__name", "number", "state", "placed")],
        "rounds": [list(one) for one in rounds.values_list("number", "kind", "state", "season", "games")],
        "name": Participant.objects.get(account__username=WRITER).public_name,
        "troubles": list(Trouble.objects.order_by("pk").values_list("text", flat=True)),
    }


def wait_for_rest(place, seconds):
    """Prints what is there once all versions are checked and placed, and a round of the ladder is complete after that.

    Where nothing becomes of any version or round for so many seconds, what is there by then.
    """
    from django.db import DatabaseError, connections

    seen, complete = None, None
    ends = time.monotonic() + seconds
    while True:
        try:
            now = rows()
        except DatabaseError:
            connections.close_all()
            continue
        if now != seen:
            seen, ends = now, time.monotonic() + seconds
        if time.monotonic() >= ends:
            break
        if is_under_way(seen):
            complete = None
        elif complete is None:
            complete = complete_rounds(seen)
        elif complete_rounds(seen) > complete:
            break
        time.sleep(0.5)
    print(json.dumps(seen))


def is_under_way(seen):
    return any(
        state in ("received", "checking", "accepted") or (state == "active" and not placed)
        for _, _, state, placed in seen["versions"]
    )


def complete_rounds(seen):
    return sum(one[1:3] == ["ladder", "complete"] for one in seen["rounds"])


def make_anew(place):
    from tournament.arena.play.rebuilding import rebuild

    (rebuilt,) = rebuild(place, now=datetime.now(UTC))
    print(json.dumps(rows() | {"ladder": [[row.name, row.deals, row.games] for row in rebuilt.ladder.rows]}))


def main():
    what, folder, *others = sys.argv[1:]
    if what == "write":
        write_for_ever(Path(folder), *map(int, others))
    place = set_up(Path(folder))
    calls = {"prepare": prepare, "rest": wait_for_rest, "rebuild": make_anew}
    calls[what](place, *map(int, others))


if __name__ == "__main__":
    main()
