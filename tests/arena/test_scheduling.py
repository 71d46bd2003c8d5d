"""What is played next: placements, rounds of the ladder, challenges and the final, and how a day is shared out."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from msgspec.structs import asdict, replace

from tournament.arena.files import Lane, RoundKind
from tournament.arena.folder import CompetitionFolder
from tournament.arena.scheduling.days import day_of
from tournament.arena.scheduling.known import (
    KnownChallenge,
    KnownCheck,
    KnownCompetition,
    KnownGroup,
    KnownVersion,
    PlannedCheck,
    PlannedRound,
    Rest,
    RestReason,
)
from tournament.arena.scheduling.lanes import next_long, next_quick, paces
from tournament.arena.scheduling.paces import PacesFile, SlowVersion, paces_file, read_paces, tell_paces
from tournament.arena.scheduling.pacing import fair_shares, next_release, pace_step
from tournament.arena.transitions import CompetitionState
from tournament.configuration.resolving import Configuration
from tournament.errors import ConfigurationError
from tournament.records.run import Format
from tournament.run.budgets import fields_of
from tournament.schedule.formats import blocks_of_fields, with_deals, with_games

MIDNIGHT = datetime(2026, 12, 1, tzinfo=UTC)
NOON = MIDNIGHT + timedelta(hours=12)
BEFORE = MIDNIGHT - timedelta(days=3)
THREE = KnownGroup(name="cards-3p", players=3)
TWO = KnownGroup(name="cards-2p", players=2)


def version(name: str, *, owner: str | None = None, **known: object) -> KnownVersion:
    """Returns an active version of an owner of its own that was there yesterday and plays quickly."""
    given = {
        "owners": frozenset({owner or f"owner of {name}"}),
        "groups": frozenset({THREE.name, TWO.name}),
        "since": BEFORE,
        "game_ms": {THREE.name: 10.0, TWO.name: 10.0},
    }
    return KnownVersion(name=name, **(given | known))


def many(count: int, **known: object) -> tuple[KnownVersion, ...]:
    return tuple(version(f"bot{number}.v1", **known) for number in range(count))


HOUSE = tuple(version(f"house{number}", owner=None) for number in range(3))
HOUSE = tuple(replace(bot, owners=frozenset()) for bot in HOUSE)


def competition(*versions: KnownVersion, **known: object) -> KnownCompetition:
    given = {"name": "cup", "state": CompetitionState.OPEN, "groups": (THREE,), "house": HOUSE, "versions": versions}
    return KnownCompetition(**(given | known))


def seats_of(planned: PlannedRound) -> Counter[str]:
    """Returns how many deals each entrant gets of a round, by the schedule of an ordinary run."""
    blocks = blocks_of_fields(planned.fields, format=planned.format, seed="any")
    return Counter(name for block in blocks for name in block.order)


def tables_in(planned: PlannedRound) -> list[tuple[str, ...]]:
    return [block.order for block in blocks_of_fields(planned.fields, format=planned.format, seed="any")]


def after(known: KnownCompetition, planned: PlannedRound) -> KnownCompetition:
    """Returns a competition once a round of the ladder is complete."""
    group = planned.fields[0].group
    seats = seats_of(planned)

    def grown(one: KnownVersion) -> KnownVersion:
        deals = dict(one.deals_today)
        deals[group] = deals.get(group, 0) + seats[one.name]
        return replace(one, deals_today=deals)

    return replace(
        known,
        versions=tuple(map(grown, known.versions)),
        house=tuple(map(grown, known.house)),
        rounds_made=known.rounds_made + 1,
    )


def played_out(known: KnownCompetition, now: datetime) -> tuple[KnownCompetition, Rest, list[PlannedRound]]:
    """Returns a competition once the long lane rests, the rest, and the rounds until then."""
    rounds = []
    while isinstance(planned := next_long([known], now), PlannedRound):
        rounds.append(planned)
        known = after(known, planned)
    return known, planned, rounds


def deals_today(known: KnownCompetition, group: str = THREE.name) -> dict[str, int]:
    return {one.name: one.deals_today.get(group, 0) for one in known.versions}


# Days


@pytest.mark.parametrize(
    ("moment", "hours"),
    [
        (datetime(2026, 3, 29, 12, tzinfo=UTC), 23),
        (datetime(2026, 10, 25, 12, tzinfo=UTC), 25),
        (datetime(2026, 6, 1, 12, tzinfo=UTC), 24),
    ],
)
def test_a_day_lasts_from_midnight_to_midnight_when_clocks_are_changed_too(moment, hours):
    day = day_of(moment, "Europe/Warsaw")

    assert timedelta(hours=hours) == day.ends - day.begins
    assert day.begins <= moment < day.ends


def test_days_follow_each_other_without_a_gap_where_midnight_is_skipped_or_occurs_twice():
    moment, ends = datetime(2022, 9, 1, tzinfo=UTC), None
    for zone in ("America/Havana", "America/Santiago", "Africa/Cairo"):
        day = day_of(moment, zone)
        for _ in range(400):
            ends, day = day.ends, day_of(day.ends, zone)
            assert ends == day.begins


def test_an_unknown_time_zone_is_refused_with_what_to_write():
    with pytest.raises(ConfigurationError, match="expected the name of a time zone such as Europe/Warsaw"):
        day_of(NOON, "Mars/Olympus")


# Placements


def test_a_placement_takes_up_to_eight_that_wait_and_gives_each_ten_deals_a_group():
    known = competition(*many(10, placed=False), groups=(THREE, TWO))

    planned = next_quick([known])

    assert (RoundKind.PLACEMENT, Lane.QUICK, 8) == (planned.kind, planned.lane, len(planned.focus))
    for field in planned.fields:
        seats = seats_of(replace(planned, fields=(field,)))
        assert dict.fromkeys(planned.focus, 10) == {name: seats[name] for name in planned.focus}


def test_in_a_placement_participants_take_turns():
    flood = [version(f"flood{number}.v1", owner="a", placed=False, since=BEFORE) for number in range(12)]
    late = [version(f"late{number}.v1", placed=False, since=NOON) for number in range(2)]

    planned = next_quick([competition(*flood, *late)])

    assert ("flood0.v1", "late0.v1", "late1.v1", "flood1.v1") == planned.focus[:4]


def test_opponents_of_a_placement_are_house_bots_and_a_spread_of_the_ladder():
    ladder = [version(f"bot{number:02}.v1", strength=float(number)) for number in range(20)]

    planned = next_quick([competition(*ladder, version("new.v1", placed=False))])

    assert ("new.v1", "house0", "house1", "house2", "bot19.v1", "bot14.v1", "bot09.v1", "bot05.v1", "bot00.v1") == (
        planned.entrants
    )


def test_no_opponent_of_a_placement_shares_an_owner_with_one_that_is_placed():
    ladder = [version(f"bot{number}.v1", owner="a" if number < 3 else None) for number in range(5)]

    planned = next_quick([competition(*ladder, version("new.v1", owner="a", placed=False))])

    assert {"house0", "house1", "house2", "bot3.v1", "bot4.v1"} == set(planned.entrants) - set(planned.focus)


def test_a_version_that_plays_no_group_holds_up_nobody():
    alien = version("alien.v1", groups=frozenset(), placed=False, since=BEFORE - timedelta(days=1))

    planned = next_quick([competition(alien, version("new.v1", placed=False))])

    assert ("new.v1",) == planned.focus


def test_versions_are_placed_in_the_groups_that_they_play():
    pair = version("pair.v1", groups=frozenset({TWO.name}), placed=False)
    both = version("both.v1", placed=False)

    planned = next_quick([competition(pair, both, groups=(THREE, TWO))])

    assert [("both.v1",), ("both.v1", "pair.v1")] == [tuple(sorted(field.focus)) for field in planned.fields]


def test_a_budget_in_games_gives_the_fields_that_were_planned():
    known = competition(*many(9, placed=False), groups=(THREE, TWO))

    planned = next_quick([known])

    assert planned.fields == with_games(planned.fields, planned.budget.games)


def test_checks_and_placements_take_turns():
    check = KnownCheck(name="checked.v2", owners=frozenset({"c"}), since=NOON)
    known = competition(version("new.v1", placed=False), checks=(check,))

    assert isinstance(next_quick([known]), PlannedCheck)
    assert RoundKind.PLACEMENT is next_quick([replace(known, checked_last=True)]).kind


def test_a_check_that_the_machine_failed_at_again_and_again_comes_after_all_others():
    first = KnownCheck(name="first.v1", owners=frozenset({"a"}), since=NOON, failures=3)
    second = KnownCheck(name="second.v1", owners=frozenset({"b"}), since=NOON + timedelta(hours=1))

    assert "second.v1" == next_quick([competition(checks=(first, second))]).version
    assert "first.v1" == next_quick([competition(checks=(replace(first, failures=2), second))]).version
    assert "first.v1" == next_quick([competition(checks=(first,))]).version


def test_a_check_that_rests_is_not_begun_and_the_final_waits_for_it():
    check = KnownCheck(name="failed.v1", owners=frozenset({"a"}), since=NOON, failures=1, rests=True)
    other = KnownCheck(name="second.v1", owners=frozenset({"b"}), since=NOON + timedelta(hours=1))
    frozen = competition(state=CompetitionState.FROZEN, wants_final=True, checks=(check,))

    assert Rest(why=RestReason.NOTHING_WAITS) == next_quick([competition(checks=(check,))])
    assert "second.v1" == next_quick([competition(checks=(check, other))]).version
    assert Rest(why=RestReason.WAITS_FOR_QUICK) == next_long([frozen], NOON)


def test_checks_go_on_while_a_competition_is_paused_and_nothing_is_played():
    check = KnownCheck(name="checked.v2", owners=frozenset({"c"}), since=NOON)
    known = competition(version("new.v1", placed=False), state=CompetitionState.PAUSED)

    assert PlannedCheck(competition="cup", version="checked.v2") == next_quick([replace(known, checks=(check,))])
    assert Rest(why=RestReason.NOTHING_WAITS) == next_quick([known])
    assert Rest(why=RestReason.NOT_OPEN) == next_long([known], NOON)


# Challenges


def challenge(own: KnownVersion, *opponents: KnownVersion) -> KnownChallenge:
    return KnownChallenge(number=7, version=own, opponents=opponents, asked=NOON)


def test_a_game_can_be_had_on_demand_and_house_bots_fill_its_table():
    mine, theirs = many(2)

    planned = next_quick([competition(mine, theirs, challenges=(challenge(mine, theirs),))])

    assert (RoundKind.CHALLENGE, 7, ("bot0.v1",)) == (planned.kind, planned.challenge, planned.focus)
    assert ("bot0.v1", "bot1.v1", "house0") == planned.entrants


def test_a_challenge_waits_for_placements_but_not_for_ever():
    mine, theirs = many(2)
    known = competition(mine, theirs, version("new.v1", placed=False), challenges=(challenge(mine, theirs),))

    assert RoundKind.PLACEMENT is next_quick([known]).kind
    assert RoundKind.CHALLENGE is next_quick([replace(known, placements_in_a_row=8)]).kind


def test_who_wants_to_go_on_after_the_end_may_without_touching_the_ladder():
    mine, theirs = many(2)
    known = competition(mine, theirs, state=CompetitionState.CLOSED, challenges=(challenge(mine, theirs),))

    assert RoundKind.CHALLENGE is next_quick([known]).kind
    assert Rest(why=RestReason.NOT_OPEN) == next_long([known], NOON)


def test_own_versions_meet_at_tables_of_two_only():
    mine, older = version("keeper.v2", owner="a"), version("keeper.v1", owner="a")
    known = competition(mine, challenges=(challenge(mine, older),), groups=(THREE, TWO))

    assert [TWO.name] == [field.group for field in next_quick([known]).fields]
    assert Rest(why=RestReason.NOTHING_WAITS) == next_quick([replace(known, groups=(THREE,))])


# Rounds of the ladder


def test_a_round_of_the_ladder_takes_about_the_seconds_that_are_asked_for():
    planned = next_long([competition(*many(9))], NOON)

    assert (RoundKind.LADDER, Lane.LONG, Format.ROUND_ROBIN) == (planned.kind, planned.lane, planned.format)
    assert 24_000 < planned.expected_ms <= 30_000


def test_in_a_round_all_that_are_due_sit_equally_often():
    planned = next_long([competition(*many(9))], NOON)

    assert {*(f"bot{number}.v1" for number in range(9)), "house0", "house1", "house2"} == set(planned.entrants)
    assert 1 == len(set(seats_of(planned).values()))


def test_the_smallest_round_is_one_block():
    planned = next_long([competition(*many(9, game_ms={THREE.name: 60_000.0}))], NOON)

    assert (1, 3) == (planned.fields[0].blocks, planned.budget.games)


def test_a_round_of_many_slow_versions_is_cut_and_the_rest_come_first_in_the_next():
    known = competition(*many(9, game_ms={THREE.name: 2_000.0}), house=())

    first = next_long([known], NOON)
    second = next_long([after(known, first)], NOON)

    assert (3, 3) == (len(first.entrants), len(second.entrants))
    assert set() == set(first.entrants) & set(second.entrants)


def test_at_the_deals_of_a_day_the_referee_rests_until_midnight():
    almost = MIDNIGHT + timedelta(hours=23, minutes=55)

    known, rest, _ = played_out(competition(*many(7), deals_a_day=20), almost)

    assert Rest(why=RestReason.CEILING, until=MIDNIGHT + timedelta(days=1)) == rest
    assert {20} == set(deals_today(known).values())


@pytest.mark.parametrize("count", [4, 5, 7, 10, 11])
def test_nobody_passes_the_deals_of_a_day_and_all_who_reached_them_are_within_a_round(count):
    almost = MIDNIGHT + timedelta(hours=23, minutes=55)

    known, _, rounds = played_out(competition(*many(count), deals_a_day=33, groups=(THREE, TWO)), almost)

    most = max(max(seats_of(planned).values()) for planned in rounds)
    for group in (THREE, TWO):
        deals = deals_today(known, group.name).values()
        assert max(deals) == 33
        assert min(deals) >= 33 - most


def test_half_of_the_day_is_played_at_once_and_the_rest_over_the_day_so_that_late_ones_find_opponents():
    known, rest, _ = played_out(competition(*many(6)), MIDNIGHT)

    assert Rest(why=RestReason.PACE, until=MIDNIGHT + timedelta(minutes=10)) == rest
    assert {50} == set(deals_today(known).values())

    known, _, _ = played_out(known, NOON)

    assert {75} == set(deals_today(known).values())


@pytest.mark.parametrize(("deals", "minutes"), [(100, 10.0), (864, 10.0), (4320, 2.0), (8640, 1.0), (1_000_000, 1.0)])
def test_with_many_deals_a_day_play_goes_on_oftener_than_every_ten_minutes(deals, minutes):
    known = competition(*many(6), deals_a_day=deals)

    assert MIDNIGHT + timedelta(minutes=minutes) == next_release(known, MIDNIGHT)
    assert timedelta(minutes=minutes) == pace_step(known)


def test_who_comes_late_catches_up_against_those_who_were_there():
    known, _, _ = played_out(competition(*many(6)), NOON)
    known = replace(known, versions=(*known.versions, version("new.v1", since=NOON)))

    planned = next_long([known], NOON)

    assert (Format.GAUNTLET, ("new.v1",)) == (planned.format, planned.focus)
    assert not {f"bot{number}.v1" for number in range(6)}.isdisjoint(planned.entrants)

    known, _, _ = played_out(known, NOON)

    assert 25 == deals_today(known)["new.v1"]
    assert max(deals_today(known).values()) <= 100


def test_a_new_version_never_waits_for_opponents_when_all_others_reached_the_deals_of_a_day():
    full = many(6, deals_today={THREE.name: 100})

    known, _, rounds = played_out(competition(*full, version("new.v1", since=NOON)), NOON)

    assert {"new.v1", "house0", "house1", "house2"} >= set(rounds[0].entrants)
    assert {100} == {deals for name, deals in deals_today(known).items() if name != "new.v1"}
    assert deals_today(known)["new.v1"] >= 20


SLOW = version("slow.v1", game_ms={THREE.name: 600_000.0})


def test_one_slow_version_does_not_hold_up_the_others():
    known, now = competition(*many(8), SLOW), MIDNIGHT
    while now < MIDNIGHT + timedelta(days=1):
        planned = next_long([known], now)
        if isinstance(planned, PlannedRound):
            known, now = after(known, planned), now + timedelta(milliseconds=planned.expected_ms)
        else:
            now = planned.until

    deals = deals_today(known)
    assert {99, 100} >= {deals[name] for name in deals if name != "slow.v1"}
    assert 30 < deals["slow.v1"] < 50


def test_a_slow_version_is_told_its_pace_and_nobody_else_loses_anything():
    told = paces([competition(*many(8), SLOW)], MIDNIGHT)["cup"]

    assert {100} == {one.today for name, one in told.items() if name != "slow.v1"}
    assert 30 < told["slow.v1"].today < 50


def test_what_one_does_not_need_goes_to_others():
    assert {"little": 1.0, "some": 4.0, "much": 5.0} == fair_shares({"much": 9.0, "little": 1.0, "some": 4.0}, 10.0)
    assert {"a": 5.0, "b": 5.0} == fair_shares({"a": 9.0, "b": 8.0}, 10.0)
    assert {"a": 1.0, "b": 2.0} == fair_shares({"a": 1.0, "b": 2.0}, 10.0)


def test_bots_that_share_an_owner_never_sit_at_one_table_of_three_and_still_get_their_deals():
    siblings = [version(f"sister{number}.v1", owner="a") for number in range(3)]
    almost = MIDNIGHT + timedelta(hours=23, minutes=55)

    known, _, rounds = played_out(competition(*siblings, *many(6), deals_a_day=40), almost)

    assert all(sum(name.startswith("sister") for name in table) <= 1 for one in rounds for table in tables_in(one))
    assert min(deals_today(known).values()) >= 39


def test_bots_that_share_an_owner_may_meet_at_tables_of_two():
    siblings = [version(f"sister{number}.v1", owner="a") for number in range(2)]

    planned = next_long([competition(*siblings, groups=(TWO,), house=())], NOON)

    assert {"sister0.v1", "sister1.v1"} == set(planned.entrants)


def test_groups_take_turns():
    _, _, rounds = played_out(competition(*many(9), groups=(THREE, TWO)), MIDNIGHT)

    counts = Counter(planned.fields[0].group for planned in rounds)
    assert rounds[0].fields[0].group != rounds[1].fields[0].group
    assert counts.keys() == {THREE.name, TWO.name}


def test_house_bots_play_along_and_never_alone():
    _, _, rounds = played_out(competition(*many(4)), MIDNIGHT)

    assert {"house0", "house1", "house2"} <= {name for planned in rounds for name in planned.entrants}
    assert all(not set(planned.entrants) <= {"house0", "house1", "house2"} for planned in rounds)


def test_versions_that_are_not_placed_do_not_play_on_the_ladder():
    planned = next_long([competition(*many(5), version("new.v1", placed=False))], NOON)

    assert "new.v1" not in planned.entrants


def test_the_counters_of_a_day_start_anew_after_midnight():
    full = many(6, deals_today={THREE.name: 100})
    fresh = [replace(one, deals_today={}) for one in full]

    assert RestReason.CEILING is next_long([competition(*full)], NOON).why
    assert isinstance(next_long([competition(*fresh)], MIDNIGHT + timedelta(days=1)), PlannedRound)


def test_without_anybody_the_lane_rests_until_something_changes():
    assert Rest(why=RestReason.NOTHING_WAITS) == next_long([competition()], NOON)
    assert Rest(why=RestReason.NOTHING_WAITS) == next_long([], NOON)
    assert Rest(why=RestReason.NOTHING_WAITS) == next_quick([])
    assert Rest(why=RestReason.TOO_FEW) == next_long([competition(*many(1), house=HOUSE[:1])], NOON)


# Several competitions


def test_no_competition_starves_another():
    busy = competition(*many(9), lane_ms={Lane.LONG: 30_000})
    other = competition(*many(9), name="other")

    assert "other" == next_long([busy, other], NOON).competition
    assert "cup" == next_long([busy, replace(other, lane_ms={Lane.LONG: 60_000})], NOON).competition


def test_a_competition_that_rests_leaves_the_machine_to_the_others():
    resting = competition(*many(9, deals_today={THREE.name: 100}))
    other = competition(*many(9), name="other", lane_ms={Lane.LONG: 3_000_000})

    assert "other" == next_long([resting, other], NOON).competition


def test_a_competition_of_slow_versions_does_not_eat_the_day_of_another():
    slow = competition(*many(30, game_ms={THREE.name: 20_000.0}))
    quick = competition(*many(9), name="quick")

    told = paces([slow, quick], MIDNIGHT)

    assert {100} == {one.today for one in told["quick"].values()}
    assert max(one.today for name, one in told["cup"].items() if name.startswith("bot")) < 100


# The final


def finalist(number: int, **known: object) -> KnownVersion:
    given = {"rank": number + 1, "may_be_first": True, "deals": {THREE.name: 200, TWO.name: 200}}
    return version(f"bot{number}.v1", **(given | known))


def frozen(*versions: KnownVersion, **known: object) -> KnownCompetition:
    return competition(*versions, **({"state": CompetitionState.FROZEN, "wants_final": True} | known))


def test_the_final_has_at_most_eight_that_may_be_first_and_a_fixed_length():
    planned = next_long([frozen(*map(finalist, range(10)))], NOON)

    assert (RoundKind.FINAL, Format.ROUND_ROBIN, 8) == (planned.kind, planned.format, len(planned.entrants))
    assert with_deals(planned.fields, 50) == planned.fields
    assert 50 == planned.budget.deals


def test_the_final_has_nobody_who_cannot_be_first():
    others = [finalist(number, may_be_first=False) for number in range(4, 9)]

    assert 4 == len(next_long([frozen(*map(finalist, range(4)), *others)], NOON).entrants)


def test_the_next_by_rank_fill_the_largest_table_of_a_final():
    others = [finalist(number, may_be_first=False) for number in range(2, 6)]

    planned = next_long([frozen(*map(finalist, range(2)), *others)], NOON)

    assert ("bot0.v1", "bot1.v1", "bot2.v1") == planned.entrants


def test_of_bots_that_share_an_owner_the_better_one_plays_the_final():
    sisters = [finalist(number, owners=frozenset({"a"})) for number in range(2)]

    planned = next_long([frozen(*sisters, *map(finalist, range(2, 5)))], NOON)

    assert ("bot0.v1", "bot2.v1", "bot3.v1", "bot4.v1") == planned.entrants


def test_who_alone_may_be_first_needs_no_final():
    known = frozen(finalist(0), *(finalist(number, may_be_first=False) for number in range(1, 5)))

    assert Rest(why=RestReason.DECIDED) == next_long([known], NOON)


def test_a_final_waits_for_what_was_received_before_the_freeze():
    check = KnownCheck(name="late.v2", owners=frozenset({"c"}), since=NOON)
    ready = frozen(*map(finalist, range(4)))

    assert Rest(why=RestReason.WAITS_FOR_QUICK) == next_long([replace(ready, checks=(check,))], NOON)
    unplaced = replace(ready, versions=(*ready.versions, version("late.v1", placed=False)))
    assert Rest(why=RestReason.WAITS_FOR_QUICK) == next_long([unplaced], NOON)
    assert Rest(why=RestReason.WAITS_FOR_QUICK) == next_long([replace(ready, is_admitting=True)], NOON)


def test_who_came_shortly_before_the_freeze_is_ranked_before_the_final():
    late = version("late.v1", deals={THREE.name: 10})

    planned = next_long([frozen(*map(finalist, range(4)), late)], NOON)

    assert (RoundKind.LADDER, ("late.v1",)) == (planned.kind, planned.focus)


def test_without_a_host_who_asks_there_is_no_final():
    assert Rest(why=RestReason.NOTHING_WAITS) == next_long([frozen(*map(finalist, range(4)), wants_final=False)], NOON)


def test_the_day_of_the_freeze_ends_with_it():
    freezes = MIDNIGHT + timedelta(hours=6)
    almost = freezes - timedelta(minutes=1)

    known, rest, _ = played_out(competition(*many(6), freezes=freezes), almost)

    assert freezes == rest.until
    assert min(deals_today(known).values()) >= 98


def test_forty_that_wait_are_placed_in_five_rounds_and_a_challenge_between_costs_one_more():
    mine, theirs = many(2)
    waiting = [version(f"new{number:02}.v1", placed=False) for number in range(40)]
    known = competition(mine, theirs, *waiting, challenges=(challenge(mine, theirs),), placements_in_a_row=4)
    kinds = []
    while isinstance(planned := next_quick([known]), PlannedRound):
        kinds.append(planned.kind)
        is_challenge = planned.kind is RoundKind.CHALLENGE
        known = replace(
            known,
            versions=tuple(
                replace(one, placed=one.placed or (one.name in planned.focus and not is_challenge))
                for one in known.versions
            ),
            challenges=() if is_challenge else known.challenges,
            placements_in_a_row=0 if is_challenge else known.placements_in_a_row + 1,
        )

    assert [*["placement"] * 4, "challenge", "placement"] == kinds


def drawn_competition(rng: Random) -> KnownCompetition:
    """Returns a competition of any size, with versions of any pace, some that share owners, in any state of a day."""
    groups = tuple(KnownGroup(name=f"cards-{players}p", players=players) for players in rng.sample([2, 3, 4, 5], 2))
    names = [group.name for group in groups]
    largest = max(group.players for group in groups)
    deals_a_day = rng.choice([5, 40, 100])

    def one(name: str, **known: object) -> KnownVersion:
        return version(
            name,
            **{
                "groups": frozenset(names if rng.random() < 0.8 else names[:1]),
                "since": MIDNIGHT + timedelta(hours=rng.uniform(-48, 12)),
                "deals_today": {group: rng.randint(0, deals_a_day) for group in names},
                "deals": {group: rng.randint(0, 99) for group in names},
                "game_ms": {group: 10.0 ** rng.uniform(0, 4) for group in names if rng.random() < 0.7},
                "placed": rng.random() < 0.9,
                **known,
            },
        )

    versions = [one(f"bot{number}.v1", owner=f"owner{rng.randint(0, 20)}") for number in range(rng.randint(1, 30))]
    house = [
        one(f"house{number}", owners=frozenset(), placed=True, groups=frozenset(names)) for number in range(largest)
    ]
    state = rng.choice([CompetitionState.OPEN, CompetitionState.OPEN, CompetitionState.FROZEN])
    return competition(
        *versions,
        state=state,
        groups=groups,
        house=tuple(house),
        deals_a_day=deals_a_day,
        rounds_made=rng.randint(0, 9),
    )


@pytest.mark.parametrize("seed", range(60))
def test_whatever_is_known_a_round_can_be_played_and_keeps_the_rules(seed):
    rng = Random(seed)
    known = drawn_competition(rng)
    by_name = {one.name: one for one in (*known.versions, *known.house)}
    for planned in (next_quick([known]), next_long([known], NOON)):
        if isinstance(planned, Rest):
            continue
        assert planned.fields == with_games(planned.fields, planned.budget.games)
        for field in planned.fields:
            assert field.blocks >= 1
            assert len(set(field.entrants)) == len(field.entrants) >= field.players
            assert set(field.focus) < set(field.entrants)
        seats = seats_of(planned)
        for name in planned.entrants:
            one, group = by_name[name], planned.fields[0].group
            is_ladder = planned.kind is RoundKind.LADDER and one.owners and known.state is CompetitionState.OPEN
            assert not is_ladder or one.deals_today[group] + seats[name] <= known.deals_a_day
        for table in tables_in(planned):
            owners = [owner for name in table for owner in by_name[name].owners]
            assert len(table) == 2 or len(set(owners)) == len(owners)


def test_an_ordinary_configuration_has_the_fields_that_were_planned(tmp_path):
    """What a round is planned as is what a run makes of its entrants, games, format, focus and budget."""
    groups = (KnownGroup(name="explorers-2p", players=2), KnownGroup(name="scout-3p", players=3))
    names = frozenset(group.name for group in groups)
    house = tuple(version(f"house{number}", owners=frozenset(), groups=names) for number in range(3))
    waiting = [version(f"new{number}.v1", placed=False, groups=names) for number in range(2)]
    placed = [finalist(number, groups=names, deals=dict.fromkeys(names, 99)) for number in range(5)]
    ready = competition(*placed, groups=groups, house=house)
    rounds = [
        next_quick([replace(ready, versions=(*placed, *waiting))]),
        next_long([ready], NOON),
        next_long([replace(ready, state=CompetitionState.FROZEN, wants_final=True)], NOON),
    ]
    for planned in rounds:
        games = {"explorers": 2, "scout": 3}
        played = {field.group for field in planned.fields}
        path = tmp_path / "round.yaml"
        budget = {name: value for name, value in asdict(planned.budget).items() if value is not None}
        given = {
            "schedule": planned.format.value,
            "games": [{"game": game, "players": games[game]} for game in games if f"{game}-{games[game]}p" in played],
            "bots": [{"name": name, "bot": "random_legal"} for name in planned.entrants],
            "budget": budget,
            "isolation": "none",
        } | ({"focus": list(planned.focus)} if planned.focus else {})
        path.write_text(json.dumps(given), encoding="utf-8")

        assert planned.fields == fields_of(Configuration.from_flags(path))


# What slow versions are told


def told_of(known: KnownCompetition) -> PacesFile:
    return paces_file(known, paces([known], MIDNIGHT)["cup"], made=MIDNIGHT)


def test_who_is_slow_is_told_how_much_it_plays_and_what_its_games_take(tmp_path):
    folder = CompetitionFolder(tmp_path)

    tell_paces(folder, told_of(competition(*many(8), SLOW)))

    told = read_paces(folder)
    assert SlowVersion(name="slow.v1", deals_today=47, game_ms=600_000.0) == told.pace_of("slow.v1")
    assert None is told.pace_of("bot0.v1")


def test_where_nobody_is_slow_nothing_is_written(tmp_path):
    tell_paces(CompetitionFolder(tmp_path), told_of(competition(*many(8))))

    assert [] == list(tmp_path.iterdir())


def test_a_pace_that_hardly_changed_is_not_written_again(tmp_path):
    folder, first = CompetitionFolder(tmp_path), told_of(competition(*many(8), SLOW))
    nearly = replace(first, slow=(replace(first.slow[0], deals_today=45),))
    other = replace(first, slow=(replace(first.slow[0], deals_today=30),))
    for told in (first, nearly):
        tell_paces(folder, told)

    assert first == read_paces(folder)

    tell_paces(folder, other)

    assert other == read_paces(folder)


def test_who_became_quicker_is_slow_no_longer(tmp_path):
    folder = CompetitionFolder(tmp_path)
    tell_paces(folder, told_of(competition(*many(8), SLOW)))

    tell_paces(folder, told_of(competition(*many(9))))

    assert () == read_paces(folder).slow


def test_paces_that_cannot_be_read_are_written_anew(tmp_path):
    folder = CompetitionFolder(tmp_path)
    (tmp_path / "paces.json").write_text("{")

    tell_paces(folder, told_of(competition(*many(8))))

    assert () == read_paces(folder).slow
