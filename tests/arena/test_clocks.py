"""The clock of the machine jumps at each moment, and another referee has another clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from arena.courts import RULES, go_on, make_competition
from msgspec.structs import replace

from tournament import audit
from tournament.arena.ladder_file import read_ladder
from tournament.arena.play import ladders, lane_runner, works
from tournament.records.results import RESULTS_FILE

pytestmark = pytest.mark.long

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
JUMPS = (HOUR, -HOUR, DAY, -DAY, -HOUR, HOUR, -DAY, DAY)
PROGRAM = b"""
from tournament import Bot


class Keeper(Bot):
    def act(self, view):
        return view.legal_actions()[%d %% len(view.legal_actions())]
"""


class JumpingClock:
    """A clock that is set forward and back."""

    def __init__(self):
        self.off = timedelta()
        self.jumped = []
        self._jumps = iter(JUMPS)

    def now(self):
        return datetime.now(UTC) + self.off

    def jump(self, moment):
        self.off += next(self._jumps)
        self.jumped.append(moment)

    def jump_before(self, monkeypatch, module, name):
        """Jumps when a function of a module is called next."""
        function = getattr(module, name)

        def call(*words, **named):
            if name not in self.jumped:
                self.jump(name)
            return function(*words, **named)

        monkeypatch.setattr(module, name, call)


@pytest.fixture
def competition(arena):
    """Returns the folder of a competition with a bot of ada's, its account, and what hands in a program at a time."""
    from arena.making import make_bot, make_participant

    from tournament.arena.taking_part import hand_in

    folder, row = make_competition(arena, rules=replace(RULES, versions_a_day=100))
    row.closes = datetime.now(UTC) + timedelta(days=3)
    row.save()
    owner = make_participant(row, "ada")
    bot = make_bot(owner, "keeper")

    def take(number, *, at):
        return hand_in(owner.account, bot, file_name="bot.py", chunks=[PROGRAM % number], now=at).version

    return folder, take


def rows():
    from tournament.arena.models import RoundRow, VersionRow

    rounds = RoundRow.objects.order_by("number").values_list("number", "state", "kind", "games")
    return list(rounds), list(VersionRow.objects.order_by("number").values_list("number", "state", "placed"))


def check_whole(arena, folder, refereeing):
    """Asserts that all is as it is made anew from the folders."""
    from tournament.arena.play.rebuilding import rebuild

    refereeing.end()
    refereeing.tick()
    refereeing.end()
    before, ladder = rows(), read_ladder(folder)
    complete = [number for number, state, *_ in before[0] if state == "complete"]
    assert [] == [finding for number in complete for finding in audit(folder.round(number)).findings]
    (rebuilt,) = rebuild(arena, now=datetime.now(UTC))
    assert before == rows()
    assert [(one.name, one.deals, one.games) for one in ladder.rows] == [
        (one.name, one.deals, one.games) for one in rebuilt.ladder.rows
    ]


def test_a_clock_that_jumps_by_an_hour_or_a_day_at_each_moment_loses_nothing(arena, referee, competition, monkeypatch):
    from tournament.arena.models import CompetitionRow, RoundRow, Trouble, VersionRow

    folder, take = competition
    clock = JumpingClock()
    refereeing = referee(now=clock.now)
    refereeing.tick()
    take(0, at=clock.now())
    clock.jump("handed in")
    go_on(refereeing, lambda: refereeing.lanes[0].work is not None)
    clock.jump("checked")
    clock.jump_before(monkeypatch, lane_runner, "make_round")
    clock.jump_before(monkeypatch, works, "settle_round")
    clock.jump_before(monkeypatch, ladders, "write_ladder")
    go_on(refereeing, lambda: any(one.stat().st_size for one in folder.rounds.glob(f"*/{RESULTS_FILE}")))
    clock.jump("games written")
    go_on(refereeing, lambda: len(clock.jumped) == len(JUMPS) - 2)
    take(1, at=clock.now() - DAY)
    clock.jump("handed in by the clock of yesterday")
    go_on(refereeing, lambda: VersionRow.objects.get(number=2).placed)
    clock.jump("placed")
    ladder = RoundRow.objects.filter(state="complete", kind="ladder")
    before = ladder.count()
    go_on(refereeing, lambda: ladder.count() > before)

    assert ([(1, "retired", True), (2, "active", True)], "open") == (rows()[1], CompetitionRow.objects.get().state)
    told = "".join(Trouble.objects.values_list("text", flat=True))
    assert ("went forward by" in told, "went back by" in told) == (True, True)
    check_whole(arena, folder, refereeing)


def test_another_referee_with_a_clock_of_yesterday_goes_on_with_what_the_first_one_left(arena, referee, competition):
    from tournament.arena.models import RoundRow

    folder, take = competition
    first = referee()
    take(0, at=datetime.now(UTC))
    go_on(first, lambda: RoundRow.objects.filter(state="playing").exists())
    for lane in first.lanes:
        if lane.work is not None:
            lane.work.child._process.kill()
            lane.work.child._process.join()
            lane.work = None  # as if its machine had lost its power
    second = referee(now=lambda: datetime.now(UTC) - DAY)

    go_on(second, lambda: RoundRow.objects.filter(state="complete", kind="ladder").exists())

    check_whole(arena, folder, second)
