"""The referee's work, a look at a time, with real processes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from arena.courts import (
    FIRST,
    NOW,
    RULES,
    go_on,
    made_round,
    make_competition,
    make_received,
    make_version,
    planned,
    read_version_file,
)
from msgspec.structs import replace
from needs import need_sandbox

from tournament import audit, validate
from tournament.arena.acts import append_act, read_acts
from tournament.arena.files import ActKind, HostAct, format_moment
from tournament.arena.ladder_file import read_ladder
from tournament.arena.play.tallies import Tallies, run_in
from tournament.arena.scheduling.paces import read_paces
from tournament.arena.transitions import VersionState
from tournament.records.settings import Isolation


def states(model, **filters):
    return list(model.objects.filter(**filters).order_by("pk").values_list("state", flat=True))


@pytest.mark.long
def test_a_version_is_checked_placed_and_plays_on_the_ladder(arena, referee):
    from tournament.arena.models import RoundRow, VersionRow

    folder, row = make_competition(arena)
    make_received(folder, row)
    refereeing = referee()

    go_on(refereeing, lambda: RoundRow.objects.filter(state="complete", kind="ladder").exists())
    refereeing.end()

    version = VersionRow.objects.get()
    assert ("active", True) == (version.state, version.placed)
    assert "active" == read_version_file(folder, "keeper", 1).state
    placement = RoundRow.objects.get(number=1)
    assert ("placement", "complete") == (placement.kind, placement.state)
    assert [] == list(audit(folder.round(1)).findings)
    assert read_ladder(folder).row("keeper.v1").games > 0
    assert [] == [line for line in refereeing.said if "cup" in line]
    version_file, round_file = folder.version("keeper", 1).path / "version.json", folder.round(1) / "round.json"
    assert () == validate(folder.path / "competition.yaml", version_file, round_file, folder.ladder)


@pytest.mark.long
@pytest.mark.parametrize("isolation", [Isolation.PROCESS, Isolation.SANDBOX])
def test_rounds_are_played_with_bots_kept_apart(arena, referee, isolation):
    from tournament.arena.models import RoundRow, Trouble

    if isolation is Isolation.SANDBOX:
        need_sandbox()
    folder, row = make_competition(arena, rules=replace(RULES, isolation=isolation))
    make_version(folder, row, placed=False)
    refereeing = referee()

    go_on(refereeing, lambda: RoundRow.objects.filter(number=1, state="complete").exists())

    info = run_in(folder.round(1))
    assert (isolation, []) == (info.isolation, list(info.withdrawn))
    assert ([], 0) == (list(audit(folder.round(1)).findings), Trouble.objects.count())


@pytest.mark.long
def test_a_version_that_crashes_is_refused_with_what_to_do(arena, referee):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena)
    make_received(folder, row, program=FIRST.replace("legal_actions", "legal_axtions"))
    refereeing = referee()

    go_on(refereeing, lambda: VersionRow.objects.get().state == "refused")

    assert "AttributeError" in VersionRow.objects.get().why


@pytest.mark.long
def test_a_check_that_the_machine_cuts_short_puts_the_version_back_and_is_done_again(arena, referee):
    """Submissions that stayed running for ever ate the quota of their owners elsewhere."""
    from tournament.arena.models import Trouble, VersionRow

    folder, row = make_competition(arena)
    make_received(folder, row)
    refereeing = referee()
    go_on(refereeing, lambda: refereeing.lanes[0].work is not None)

    refereeing.lanes[0].work.child._process.kill()

    go_on(refereeing, lambda: VersionRow.objects.get().state == "active")
    assert ["received", "checking", "received", "checking", "accepted", "active"] == [
        change.state for change in read_version_file(folder, "keeper", 1).changes
    ]
    assert "ended without a word (SIGKILL)" in Trouble.objects.get().text
    assert 1 == VersionRow.objects.get().machine_failures


@pytest.mark.long
def test_a_round_whose_process_is_killed_goes_on_and_is_complete_once(arena, referee):
    """A result that was not stored when a bot crashed let a queue stand still elsewhere."""
    from tournament.arena.models import RoundRow

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    refereeing = referee()
    results = folder.round(1) / "results.jsonl"
    go_on(refereeing, lambda: results.exists() and results.stat().st_size > 0)

    refereeing.lanes[0].work.child._process.kill()

    go_on(refereeing, lambda: RoundRow.objects.get(number=1).state == "complete")
    assert [] == list(audit(folder.round(1)).findings)
    assert 1 == sum(tally.number == 1 for tally in Tallies(folder).of_season(1))


@pytest.mark.long
def test_a_referee_that_is_stopped_interrupts_its_rounds_and_the_next_goes_on(arena, referee):
    from tournament.arena.models import RoundRow

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    first = referee()
    go_on(first, lambda: RoundRow.objects.filter(state="playing").exists())

    first.end()

    assert ["interrupted"] == states(RoundRow)
    second = referee()
    go_on(second, lambda: RoundRow.objects.get(number=1).state == "complete")


def test_what_a_killed_referee_left_is_put_right_by_the_next(arena, referee):
    from tournament.arena.models import RoundRow, VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, "keeper", state="checking")
    make_version(folder, row, "bold", state="accepted")
    made_round(folder, planned("random", "cautious", "steady"))
    (folder.rounds / ".new-000002").mkdir()
    VersionRow.objects.filter(bot__name="bold").delete()

    referee().tick()

    by_name = dict(VersionRow.objects.values_list("bot__name", "state"))
    assert "active" == by_name["bold"]
    assert by_name["keeper"] in ("received", "checking")
    assert [(1, "planned")] == list(RoundRow.objects.values_list("number", "state"))
    assert ["000001"] == [path.name for path in folder.rounds.iterdir()]
    row.refresh_from_db()
    assert 1 == row.rounds_made


@pytest.mark.long
def test_a_version_that_is_disqualified_stops_its_round_which_counts_for_nothing(arena, referee):
    """Elsewhere only the results of a bot could be ignored, and the bot itself was still played."""
    from tournament.arena.models import RoundRow, VersionRow
    from tournament.arena.states import move_version

    folder, row = make_competition(arena, rules=replace(RULES, placement_deals=1000))
    make_version(folder, row, placed=False)
    refereeing = referee()
    go_on(refereeing, (folder.round(1) / "run.json").exists)

    version = VersionRow.objects.select_related("bot").get()
    move_version(version, VersionState.DISQUALIFIED, folder=folder, at=NOW, why="copied")

    go_on(refereeing, lambda: RoundRow.objects.get(number=1).state == "abandoned")
    assert "keeper.v1 was disqualified." == RoundRow.objects.get(number=1).why
    assert run_in(folder.round(1)).segments[0].commitment is not None


@pytest.mark.long
def test_a_paused_competition_plays_nothing_and_goes_on_where_it_was(arena, referee):
    from tournament.arena.models import CompetitionRow, RoundRow

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    refereeing = referee()
    go_on(refereeing, lambda: RoundRow.objects.filter(state="playing").exists())

    CompetitionRow.objects.update(state="paused")
    go_on(refereeing, lambda: RoundRow.objects.filter(state="interrupted").exists())
    for _ in range(3):
        refereeing.tick()

    assert ["interrupted"] == states(RoundRow)
    CompetitionRow.objects.update(state="open")
    go_on(refereeing, lambda: RoundRow.objects.get(number=1).state == "complete")


def test_with_little_room_on_the_disk_nothing_is_played_and_hosts_are_told_once(arena, referee):
    from tournament.arena.models import RoundRow, Trouble

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    refereeing = referee(free_share=lambda: 0.09)

    for _ in range(3):
        refereeing.tick()

    assert ([], 1) == (states(RoundRow), Trouble.objects.count())
    assert "Less than 10 % of the disk is free" in Trouble.objects.get().text


def test_a_clock_that_jumps_is_told_and_freezes_nothing_before_it_is_steady(arena, referee):
    from tournament.arena.models import CompetitionRow, Trouble

    make_competition(arena, state="paused")
    CompetitionRow.objects.update(freezes=NOW + timedelta(days=7))
    moved, passed = timedelta(), 0.0
    refereeing = referee(now=lambda: NOW + moved + timedelta(seconds=passed), steady=lambda: passed)
    refereeing.tick()

    moved = timedelta(days=8)
    refereeing.tick()

    assert "paused" == CompetitionRow.objects.get().state
    assert "went forward by 691200 s" in Trouble.objects.get().text
    passed = 301.0
    refereeing.tick()
    assert "frozen" == CompetitionRow.objects.get().state


def test_a_clock_that_jumps_past_the_end_of_a_competition_keeps_no_round_from_being_begun(arena, referee):
    from tournament.arena.models import CompetitionRow, RoundRow

    folder, row = make_competition(arena)
    make_version(folder, row)
    CompetitionRow.objects.update(closes=NOW + timedelta(hours=12))
    moved = timedelta()
    refereeing = referee(now=lambda: NOW + moved, steady=lambda: 0.0)

    moved = timedelta(days=1)
    refereeing.tick()

    assert (["playing"], "open") == (states(RoundRow), CompetitionRow.objects.get().state)


def test_no_round_is_begun_once_the_date_has_come_at_which_a_competition_closes(arena, referee):
    from tournament.arena.models import CompetitionRow, RoundRow

    folder, row = make_competition(arena)
    make_version(folder, row)
    made_round(folder, planned("keeper.v1", "random", "cautious"))
    CompetitionRow.objects.update(closes=NOW)
    refereeing = referee(now=lambda: NOW, steady=lambda: 0.0)

    refereeing.tick()

    assert (1, "open") == (RoundRow.objects.count(), CompetitionRow.objects.get().state)


def test_dates_open_freeze_and_close_and_stand_among_the_acts(arena, referee):
    from tournament.arena.models import CompetitionRow

    folder, _ = make_competition(arena, state="draft")
    days = {"opens": 1, "freezes": 2, "closes": 3}
    CompetitionRow.objects.update(**{name: NOW + timedelta(days=day) for name, day in days.items()})
    passed = [0]
    refereeing = referee(now=lambda: NOW + timedelta(days=passed[0]), steady=lambda: 86400.0 * passed[0])

    seen = []
    for day in range(4):
        passed[0] = day
        refereeing.tick()
        seen.append(CompetitionRow.objects.get().state)

    assert ["draft", "open", "frozen", "closed"] == seen
    assert ["open", "freeze", "close"] == [act.kind for act in read_acts(folder)]


def test_a_program_that_is_handed_in_again_lets_its_former_version_play_again(arena, referee):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, number=1, state="retired", digest="a" * 64)
    make_version(folder, row, number=2, digest="b" * 64)
    make_version(folder, row, number=3, state="accepted", digest="a" * 64)

    referee().tick()

    assert ["active", "retired", "retired"] == states(VersionRow)
    assert "The same program as version 1, which plays again, with its games." == VersionRow.objects.get(number=3).why


def test_a_program_that_was_disqualified_stays_so_when_it_is_handed_in_again(arena, referee):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, number=1, state="disqualified", digest="a" * 64)
    make_version(folder, row, number=2, state="accepted", digest="a" * 64)

    referee().tick()

    assert ["disqualified", "disqualified"] == states(VersionRow)


def test_a_version_that_was_only_to_be_checked_does_not_play(arena, referee):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, state="accepted", check_only=True)

    referee().tick()

    assert ["retired"] == states(VersionRow)


@pytest.mark.long
def test_a_round_that_cannot_go_on_is_abandoned_with_its_reason_and_the_lane_is_free(arena, referee):
    from tournament.arena.models import RoundRow, Trouble

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False)
    (folder.version("keeper", 1).program / "bot.py").write_text("broken (")
    make_version(folder, row, "bold", placed=False)
    made_round(folder, planned("keeper.v1", "random", "cautious"))
    refereeing = referee()

    go_on(refereeing, lambda: RoundRow.objects.filter(state="complete").exists())

    go_on(refereeing, lambda: RoundRow.objects.get(number=1).state == "abandoned")
    assert "failed 3 times" in RoundRow.objects.get(number=1).why
    assert "bot.py" in "".join(Trouble.objects.values_list("text", flat=True))


@pytest.mark.long
def test_a_challenge_of_house_bots_is_played_against_them_and_counts_for_nothing(arena, referee):
    from tournament.arena.models import Challenge, RoundRow

    folder, row = make_competition(arena, state="closed")
    version = make_version(folder, row)
    challenge = Challenge.objects.create(competition=row, version=version, asked=NOW, house=["cautious", "steady"])
    refereeing = referee()

    go_on(refereeing, lambda: RoundRow.objects.filter(state="complete").exists())

    played = RoundRow.objects.get()
    challenge.refresh_from_db()
    assert ("challenge", played) == (played.kind, challenge.round)
    assert {"keeper.v1", "cautious", "steady"} == {one.name for one in run_in(folder.round(1)).entrants}
    assert 0 == read_ladder(folder).games


@pytest.mark.long
def test_a_version_withdrawn_in_two_rounds_is_parked(arena, referee):
    """Bots that crash gained points elsewhere."""
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena)
    make_version(folder, row, placed=False, program=FIRST.replace("return view", "raise RuntimeError; return view"))
    refereeing = referee()

    go_on(refereeing, lambda: VersionRow.objects.get().state == "parked")

    version = VersionRow.objects.get()
    assert "parked" == read_version_file(folder, "keeper", 1).state
    assert "It was withdrawn in 2 rounds" in version.why


def rows_of_index():
    from tournament.arena.models import CompetitionRow, RoundRow, VersionRow

    names = {
        CompetitionRow: ("name", "title", "state", "season", "rounds_made"),
        VersionRow: (
            "bot__name",
            "number",
            "state",
            "received",
            "changed",
            "digest",
            "placed",
            "why",
            "machine_failures",
        ),
        RoundRow: ("number", "season", "kind", "lane", "state", "planned", "started", "ended", "games", "why"),
    }
    return {model.__name__: sorted(model.objects.values_list(*columns)) for model, columns in names.items()}


@pytest.mark.long
def test_a_version_for_whose_deals_the_day_is_too_short_is_told_how_many_it_plays(arena, referee):
    folder, row = make_competition(arena, rules=replace(RULES, deals_a_day=100_000_000))
    make_received(folder, row)
    refereeing = referee()

    go_on(refereeing, lambda: read_paces(folder) is not None)
    refereeing.end()

    told = read_paces(folder).pace_of("keeper.v1")
    assert 0 < told.deals_today < 100_000_000
    assert told.game_ms > 0


@pytest.mark.long
def test_what_is_rebuilt_from_the_folders_is_what_was_there(arena, referee):
    from tournament.arena.models import BotRow, RoundRow, VersionRow
    from tournament.arena.play.rebuilding import rebuild

    folder, row = make_competition(arena)
    append_act(folder, HostAct(at=format_moment(NOW), by="ada", kind=ActKind.CREATE))
    append_act(folder, HostAct(at=format_moment(NOW), by="ada", kind=ActKind.OPEN))
    make_version(folder, row, placed=False)
    make_version(folder, row, "bold", program=FIRST.replace("[0]", "[-1]"), placed=False)
    refereeing = referee()
    go_on(refereeing, lambda: RoundRow.objects.filter(state="complete", kind="ladder").exists())
    refereeing.end()
    refereeing.tick()
    refereeing.end()
    before, ladder = rows_of_index(), read_ladder(folder)
    sat = set(RoundRow.versions.through.objects.values_list("roundrow__number", "versionrow__bot__name"))

    RoundRow.objects.all().delete()
    VersionRow.objects.all().delete()
    BotRow.objects.all().delete()
    row.delete()
    (rebuilt,) = rebuild(arena, now=NOW)

    assert before == rows_of_index()
    assert sat == set(RoundRow.versions.through.objects.values_list("roundrow__number", "versionrow__bot__name"))
    assert ladder.rounds == rebuilt.ladder.rounds
    assert [(one.name, one.deals, one.games) for one in ladder.rows] == [
        (one.name, one.deals, one.games) for one in rebuilt.ladder.rows
    ]
    for one in ladder.rows:
        assert one.points_by_group == pytest.approx(rebuilt.ladder.row(one.name).points_by_group, abs=0.01)
