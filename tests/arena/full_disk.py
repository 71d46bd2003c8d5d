"""What `test_full_disk.py` runs where a small disk is mounted: fills it at each moment, and makes room again.

`python full_disk.py FOLDER` prints a line of JSON: what was said at each moment, and what is there in the end.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

PATIENCE = 150
"""Seconds: the longest that it waits for what has to come."""

AFTER_FULL = 12
"""So many looks does the referee take while the disk is full, a tenth of a second apart at most."""

RULES = """\
title: Cup
games: [{game: scout, players: 3}]
isolation: none
round_seconds: 1
"""

PROGRAM = b"""
from tournament import Bot


class Keeper(Bot):
    def act(self, view):
        return view.legal_actions()[0]
"""

UPLOAD = "/api/competitions/cup/bots/keeper/versions?file_name=bot.py"


class SmallDisk:
    """An arena on a small disk."""

    def __init__(self, place, arena):
        from tournament.arena.play.desk import Desk
        from tournament.arena.play.refereeing import Refereeing

        self.arena = arena
        self.folder = arena.competition("cup")
        self.said = []
        self.by_moment = {}
        self._filler = place / "filler"
        self._desk = Desk(folder=arena, say=self.said.append, patience_seconds=0.01, free_share=lambda: 1.0)
        self.refereeing = Refereeing(self._desk, cores=(None, None))

    def fill(self):
        """Writes until not a byte has room any more."""
        with self._filler.open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 10, 1):
                with suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def go_on(self, until):
        ends = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < ends, f"it did not come to that; it said {self.said}"
            self.refereeing.tick()
            self.refereeing.wait(0.1)

    def stay_full(self, moment, before):
        """Lets the referee work while the disk is full, until it says more than `before`; then there is room."""
        for _ in range(AFTER_FULL):
            self.fill()
            self.refereeing.tick()
            self.refereeing.wait(0.1)
        self.go_on(lambda: len(self.said) > before)
        self.by_moment[moment] = self.said[before:]
        self._filler.unlink()
        self.go_on(self.is_well)

    def is_well(self):
        """Returns whether the referee does not wait for the database."""
        return self.refereeing._why_no_database is None

    def full_before(self, module, name, moment):
        """Has the disk be full when a function of a module is called next, and some time after that."""
        called, before = [], len(self.said)
        function = getattr(module, name)

        def call(*words, **named):
            if not called:
                called.append(name)
                self.fill()
            return function(*words, **named)

        setattr(module, name, call)
        self.go_on(lambda: bool(called))
        self.stay_full(moment, before)

    def full_during(self, moment, begins):
        """Has the disk be full once something holds, and some time after that."""
        self.go_on(begins)
        self.fill()
        self.stay_full(moment, len(self.said))


def work(place):
    from arena.conftest import django_set_to, make_arena

    arena = make_arena(place / "arena")
    with django_set_to(arena):
        return worked(place, arena)


def worked(place, arena):
    from django.core.management import call_command

    from tournament.arena.play import ladders, lane_runner, works
    from tournament.records.results import RESULTS_FILE

    call_command("migrate", verbosity=0)
    token = prepare()
    disk = SmallDisk(place, arena)
    statuses = hand_in(disk, token)
    disk.full_during("check", lambda: disk.refereeing.lanes[0].work is not None)
    disk.full_before(lane_runner, "make_round", "begin")
    disk.full_during("games", lambda: any(one.stat().st_size for one in disk.folder.rounds.glob(f"*/{RESULTS_FILE}")))
    disk.full_before(works, "settle_round", "count")
    disk.full_before(ladders, "write_ladder", "ladder")
    backup = back_up_twice(disk, place)
    return whole(disk) | {"statuses": statuses, "backup": backup, "said": disk.by_moment}


def prepare():
    """Makes an open competition with a bot; returns a token for it."""
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting import add_competition
    from tournament.arena.hosting.competitions import change_state
    from tournament.arena.taking_part import join, make_bot, make_token
    from tournament.arena.transitions import CompetitionState

    now = datetime.now(UTC)
    competition = add_competition("cup", RULES, by="the command", now=now)
    change_state(competition, CompetitionState.OPEN, account=None, now=now)
    account = get_user_model().objects.create_user("ada")
    join(account, competition, public_name="Ada", now=now)
    return make_token(account, make_bot(account, competition, "keeper", now=now), label="test", now=now).text


def hand_in(disk, token):
    """Returns the statuses with which an upload is answered, on a full disk and with room."""
    from django.test import Client

    headers = {"Authorization": f"Bearer {token}", "Host": "127.0.0.1"}
    client = Client(raise_request_exception=False, headers=headers)
    disk.fill()
    statuses = [client.post(UPLOAD, PROGRAM, content_type="application/octet-stream").status_code]
    left = [*disk.arena.incoming.iterdir(), *disk.folder.bots.glob("*/*")]
    assert [] == left, left
    disk.stay_full("hand-in", len(disk.said))
    statuses.append(client.post(UPLOAD, PROGRAM, content_type="application/octet-stream").status_code)
    return statuses


def back_up_twice(disk, place):
    """Returns what is said of a backup for which there is no room, what it leaves, and what the next one has."""
    from tournament.arena.operating.backup import back_up
    from tournament.errors import TournamentError

    out = place / "backup.tar.gz"
    disk.fill()
    try:
        back_up(disk.arena, out)
        said = None
    except TournamentError as error:
        said = str(error)
    left = [path.name for path in place.iterdir() if path.name.startswith(out.name)]
    disk.stay_full("backup", len(disk.said))
    return {"said": said, "left": left, "versions": back_up(disk.arena, out).versions}


def whole(disk):
    """Returns what is there once every round so far and another of the ladder are complete, and what `rebuild` makes.

    A round that failed while the disk was full waits for a while, and others are played meanwhile.
    """
    from tournament import audit
    from tournament.arena.ladder_file import read_ladder
    from tournament.arena.models import RoundRow, Trouble, VersionRow
    from tournament.arena.play.rebuilding import rebuild

    def rows():
        rounds = RoundRow.objects.order_by("number")
        versions = VersionRow.objects.order_by("number")
        return {
            "rounds": list(map(list, rounds.values_list("number", "state", "kind", "games"))),
            "versions": list(map(list, versions.values_list("number", "state", "placed"))),
        }

    def sums(ladder):
        return sorted([row.name, row.deals, row.games] for row in ladder.rows)

    complete = RoundRow.objects.filter(state="complete", kind="ladder")
    last = max(RoundRow.objects.values_list("number", flat=True))
    waiting = RoundRow.objects.filter(number__lte=last, state__in=("planned", "playing", "interrupted"))
    before = complete.count()
    disk.go_on(lambda: complete.count() > before and not waiting.exists())
    disk.refereeing.end()
    disk.refereeing.tick()
    disk.refereeing.end()
    numbers = RoundRow.objects.filter(state="complete").values_list("number", flat=True)
    found = rows()
    ladder = sums(read_ladder(disk.folder))
    (rebuilt,) = rebuild(disk.arena, now=datetime.now(UTC))
    return found | {
        "told": list(Trouble.objects.values_list("text", flat=True)),
        "findings": [str(finding) for number in numbers for finding in audit(disk.folder.round(number)).findings],
        "rebuilt": rows() == found and sums(rebuilt.ladder) == ladder,
        "database": disk.arena.database.stat().st_size > 0,
    }


if __name__ == "__main__":
    print(json.dumps(work(Path(sys.argv[1]))))
