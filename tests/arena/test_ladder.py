"""The ladder: who is listed, ranked and claimed, by which games, and what a page can read of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from tournament.arena.folder import CompetitionFolder
from tournament.arena.ladder import make_ladder
from tournament.arena.ladder_file import LadderMeeting, format_ladder, parse_ladder, read_ladder, write_ladder
from tournament.arena.season.figures import Contest, LadderEntrant
from tournament.arena.season.outcomes import GroupOutcomes, Outcomes, joined_outcomes
from tournament.errors import RunError

MADE = "2026-12-01T12:00:00Z"
GROUP = "cards-2p"
CONTEST = Contest(competition="cup", season=1, games={GROUP: "cards"}, anchor="house")


def entrant(name: str, *, active: bool = True, is_out: bool = False) -> LadderEntrant:
    """Returns a house bot, or a version named like `keeper.v3`."""
    if name.startswith("house"):
        return LadderEntrant(name=name, bot=name, number=None, active=True)
    bot, _, number = name.partition(".v")
    return LadderEntrant(name, bot, int(number), active=active, since=MADE, is_out=is_out)


def round_of(number: int, *meetings: tuple[str, str, int, int], group: str = GROUP) -> Outcomes:
    """Returns a round of two players: (first, second, blocks, how many of their games the first wins, from block 0)."""
    names = sorted({name for first, second, *_ in meetings for name in (first, second)})
    order, places = [], []
    for first, second, blocks, won in meetings:
        for block in range(blocks):
            order.append([names.index(first), names.index(second)])
            wins = [2 * block + rotation < won for rotation in range(2)]
            # in rotation 1 the second sits in front
            places.append([[1, 2] if wins[0] else [2, 1], [2, 1] if wins[1] else [1, 2]])
    own = GroupOutcomes(
        group=group,
        game=group.partition("-")[0],
        players=2,
        rounds=np.full(len(order), number),
        order=np.array(order),
        places=np.array(places, dtype=np.int8),
        forfeited=np.zeros((len(order), 2, 2), dtype=np.bool_),
    )
    return Outcomes(names=tuple(names), rounds=(number,), groups={group: own}, faults={})


def mixed(number: int, first: str, second: str, *, blocks: int, won: int) -> Outcomes:
    """Returns a round in which the games that the first wins are spread evenly over the blocks."""
    one = round_of(number, (first, second, blocks, 0))
    own = one.groups[GROUP]
    so_far = np.arange(2 * blocks + 1) * won // (2 * blocks)
    wins = np.diff(so_far).astype(bool).reshape(-1, 2)
    own.places[:, 0, 0], own.places[:, 0, 1] = np.where(wins[:, 0], 1, 2), np.where(wins[:, 0], 2, 1)
    own.places[:, 1, 1], own.places[:, 1, 0] = np.where(wins[:, 1], 1, 2), np.where(wins[:, 1], 2, 1)
    return one


def ladder_of(*rounds: Outcomes, entrants: list[LadderEntrant], contest: Contest = CONTEST):
    return make_ladder(contest, joined_outcomes(rounds), entrants, made=MADE)


THREE = [entrant("house"), entrant("ada.v1"), entrant("bea.v1")]


@pytest.fixture
def rounds() -> tuple[Outcomes, ...]:
    """Ada beats Bea in 3 games of 4, and both beat the house in 9 of 10, in many deals."""
    return (
        mixed(1, "ada.v1", "bea.v1", blocks=200, won=300),
        mixed(2, "ada.v1", "house", blocks=200, won=360),
        mixed(3, "bea.v1", "house", blocks=200, won=360),
    )


def test_a_ladder_without_any_game_lists_who_is_active():
    ladder = ladder_of(entrants=THREE)

    assert [("ada.v1", True), ("bea.v1", True), ("house", False)] == sorted(
        (row.name, row.provisional and not row.house) for row in ladder.rows
    )
    assert [None] * 3 == [row.points for row in ladder.rows]


def test_versions_are_ranked_by_expected_points_and_house_bots_are_listed_without_a_rank(rounds):
    ladder = ladder_of(*rounds, entrants=THREE)

    assert [("ada.v1", 1), ("bea.v1", 2), ("house", None)] == [(row.name, row.rank) for row in ladder.rows]


def test_expected_points_are_the_mean_of_what_is_expected_against_each_other_one(rounds):
    ladder = ladder_of(*rounds, entrants=THREE)

    assert pytest.approx([(0.75 + 0.9) / 2, (0.25 + 0.9) / 2, 0.1], abs=0.01) == [
        row.points.value for row in ladder.rows if row.points
    ]


def test_the_anchor_has_strength_1500_and_odds_of_nine_to_one_are_380_more(rounds):
    ladder = ladder_of(*rounds[1:], entrants=THREE)
    strengths = {row.name: row.strength.value for row in ladder.rows if row.strength}

    assert 1500.0 == strengths["house"]
    assert pytest.approx(1500 + 400 * np.log10(9), abs=5) == strengths["ada.v1"]


def test_without_the_anchor_the_mean_of_the_field_has_strength_1500(rounds):
    ladder = ladder_of(rounds[0], entrants=THREE)

    assert ladder.anchor is None
    assert pytest.approx(3000.0, abs=0.02) == sum(row.strength.value for row in ladder.rows if row.strength)


def test_a_version_under_thirty_deals_in_a_group_is_listed_unranked_and_unclaimed():
    ladder = ladder_of(
        mixed(1, "ada.v1", "bea.v1", blocks=500, won=600),
        mixed(2, "cia.v1", "bea.v1", blocks=29, won=58),
        entrants=[entrant("ada.v1"), entrant("bea.v1"), entrant("cia.v1")],
    )
    rows = {row.name: row for row in ladder.rows}

    assert (True, None, None, ()) == (
        rows["cia.v1"].provisional,
        rows["cia.v1"].rank,
        rows["cia.v1"].best_rank,
        rows["cia.v1"].above,
    )
    assert rows["cia.v1"].points is not None
    assert [("ada.v1", 1), ("bea.v1", 2), ("cia.v1", None)] == [(row.name, row.rank) for row in ladder.rows]


def test_a_version_that_lacks_a_group_has_no_figures_over_all_groups():
    contest = CONTEST._replace(games={GROUP: "cards", "dice-2p": "dice"})
    ladder = ladder_of(
        mixed(1, "ada.v1", "bea.v1", blocks=50, won=60),
        round_of(2, ("ada.v1", "cia.v1", 50, 60), group="dice-2p"),
        mixed(3, "cia.v1", "bea.v1", blocks=50, won=60),
        entrants=[entrant("ada.v1"), entrant("bea.v1"), entrant("cia.v1")],
        contest=contest,
    )
    row = ladder.row("bea.v1")

    assert row is not None
    assert (None, None, True, {"cards-2p": 100, "dice-2p": 0}) == (row.points, row.strength, row.provisional, row.deals)
    assert ["cards-2p"] == list(row.strength_by_group)


def test_a_group_that_is_none_of_the_competition_does_not_count(rounds):
    stray = round_of(4, ("bea.v1", "ada.v1", 50, 100), group="dice-2p")
    without, ladder = (ladder_of(*played, entrants=THREE) for played in (rounds, (*rounds, stray)))

    assert [row.points for row in without.rows] == [row.points for row in ladder.rows]
    assert (without.games, without.groups) == (ladder.games, ladder.groups)


def test_weights_decide_what_each_game_adds():
    contest = CONTEST._replace(games={GROUP: "cards", "dice-2p": "dice"}, weights={"cards": 3.0, "dice": 1.0})
    ladder = ladder_of(
        mixed(1, "ada.v1", "bea.v1", blocks=1000, won=1600),
        round_of(2, *[("ada.v1", "bea.v1", 1, won) for won in (0, 1) * 500], group="dice-2p"),
        entrants=[entrant("ada.v1"), entrant("bea.v1")],
        contest=contest,
    )
    row = ladder.row("ada.v1")

    assert row.points is not None
    assert [0.75, 0.25] == [group.weight for group in ladder.groups]
    assert pytest.approx(0.75 * 0.8 + 0.25 * 0.25, abs=0.002) == row.points.value


def test_a_difference_that_is_large_for_its_error_is_claimed_and_narrows_the_ranges(rounds):
    ladder = ladder_of(*rounds, entrants=THREE)

    assert [("bea.v1", "house"), ("house",), ()] == [row.above for row in ladder.rows]
    assert [(1, 1), (2, 2), (None, None)] == [(row.best_rank, row.worst_rank) for row in ladder.rows]


def test_equal_versions_share_a_rank_and_both_ranges_hold_both_ranks():
    ladder = ladder_of(
        mixed(1, "ada.v1", "bea.v1", blocks=100, won=100), entrants=[entrant("ada.v1"), entrant("bea.v1")]
    )

    assert [(1, 1, 2), (1, 1, 2)] == [(row.rank, row.best_rank, row.worst_rank) for row in ladder.rows]


def test_games_of_a_retired_version_go_on_counting_as_evidence_about_its_opponents(rounds):
    met = (mixed(4, "ada.v1", "old.v1", blocks=300, won=570), mixed(5, "bea.v1", "old.v1", blocks=300, won=300))
    without = ladder_of(rounds[1], rounds[2], entrants=THREE)
    ladder = ladder_of(rounds[1], rounds[2], *met, entrants=[*THREE, entrant("old.v1", active=False)])

    def lead(one):
        return one.row("ada.v1").points.value - one.row("bea.v1").points.value

    assert pytest.approx(0.0, abs=1e-9) == lead(without)
    assert lead(ladder) > 0.02
    assert ladder.row("old.v1") is None
    assert [("old.v1", 1200)] == [(row.name, row.games) for row in ladder.former]


def test_tables_with_a_disqualified_version_count_for_nobody(rounds):
    met = mixed(4, "ada.v1", "bad.v1", blocks=300, won=0)
    without = ladder_of(*rounds, entrants=THREE)
    ladder = ladder_of(*rounds, met, entrants=[*THREE, entrant("bad.v1", is_out=True)])

    assert without.rows[0].points == ladder.rows[0].points
    assert [("bad.v1", 600)] == [(one.name, one.games) for one in ladder.left_out]
    assert (without.games, 4) == (ladder.games, ladder.rounds)


def test_a_version_that_comes_back_after_a_disqualification_has_its_games_again(rounds):
    met = mixed(4, "ada.v1", "bad.v1", blocks=300, won=0)
    never = ladder_of(*rounds, met, entrants=[*THREE, entrant("bad.v1")])
    out = ladder_of(*rounds, met, entrants=[*THREE, entrant("bad.v1", is_out=True)])
    back = ladder_of(*rounds, met, entrants=[*THREE, entrant("bad.v1")])

    assert never == back != out


def test_head_to_head_counts_games_of_all_rounds_from_either_side(rounds):
    ladder = ladder_of(*rounds, mixed(4, "bea.v1", "ada.v1", blocks=10, won=20), entrants=THREE)

    assert LadderMeeting(0, 1, 420, 300, 0) == ladder.meetings_of("ada.v1")["bea.v1"]
    assert LadderMeeting(1, 0, 420, 120, 0) == ladder.meetings_of("bea.v1")["ada.v1"]
    assert ["ada.v1", "bea.v1"] == sorted(ladder.meetings_of("house"))


def test_faults_are_counted_by_kind(rounds):
    last = rounds[2]
    faulty = Outcomes(
        names=last.names, rounds=last.rounds, groups=last.groups, faults={"bea.v1": Counter(timeout=2, crash=1)}
    )
    ladder = ladder_of(rounds[0], rounds[1], faulty, entrants=THREE)
    row = ladder.row("bea.v1")

    assert row is not None
    assert {"crash": 1, "timeout": 2} == row.faults


def test_a_line_has_a_point_for_each_stretch_a_version_played_in_and_ends_at_its_strength(rounds):
    ladder = ladder_of(*rounds, entrants=THREE)
    row = ladder.row("bea.v1")

    assert row.strength is not None
    assert [1, 3] == [point.round for point in row.history]
    assert round(row.strength.value, 1) == row.history[-1].strength
    assert row.history[0].strength < row.history[1].strength


def test_a_line_has_at_most_two_dozen_points():
    played = [mixed(number, "ada.v1", "bea.v1", blocks=4, won=5) for number in range(1, 101)]
    ladder = ladder_of(*played, entrants=[entrant("ada.v1"), entrant("bea.v1")])
    row = ladder.row("ada.v1")

    assert row is not None
    assert (24, 100) == (len(row.history), row.history[-1].round)
    assert max(point.strength for point in row.history) - min(point.strength for point in row.history) < 25


def test_a_fit_that_begins_at_a_former_ladder_ends_at_the_same_figures(rounds):
    before = ladder_of(*rounds[:2], entrants=THREE)
    fresh = ladder_of(*rounds, entrants=THREE)
    warm = make_ladder(CONTEST, joined_outcomes(rounds), THREE, made=MADE, before=before)

    assert fresh == warm


def test_the_order_in_which_entrants_are_told_does_not_matter(rounds):
    assert ladder_of(*rounds, entrants=THREE) == ladder_of(*rounds, entrants=THREE[::-1])


def test_a_ladder_that_is_written_is_read_again(rounds, tmp_path):
    folder = CompetitionFolder(tmp_path)
    ladder = ladder_of(*rounds, entrants=THREE)

    assert read_ladder(folder) is None
    write_ladder(folder, ladder)
    assert ladder == read_ladder(folder) == parse_ladder(format_ladder(ladder), "here")


def test_a_damaged_ladder_is_refused_with_what_to_do(tmp_path):
    folder = CompetitionFolder(tmp_path)
    folder.ladder.write_text('{"format":"tournament-ladder"')

    with pytest.raises(RunError, match="tournament arena rebuild"):
        read_ladder(folder)


def test_a_ladder_of_a_newer_version_is_refused(rounds, tmp_path):
    folder = CompetitionFolder(tmp_path)
    newer = replace(ladder_of(*rounds, entrants=THREE), version=2)
    folder.ladder.write_bytes(format_ladder(newer))

    with pytest.raises(RunError, match="version"):
        read_ladder(folder)
