"""Ratings against an anchor, differences of all pairs, and the course of a run."""

from __future__ import annotations

import msgspec
import pytest

from tournament.errors import UsageError
from tournament.ranking.basis import GroupScores, group_scale
from tournament.ranking.group_games import group_games
from tournament.ranking.ratings import Anchor, RatingIntervals, history, parse_anchor, rating_tables
from tournament.ranking.standings import rank
from tournament.ranking.strengths import fit_strengths


@pytest.fixture(scope="module")
def field(make):
    return make.tournament("ABCD", players=3, blocks=40)


def test_an_anchor_holds_one_rating_fast_and_moves_the_others_alike(field):
    """Every difference is what it was; the errors are those of the difference from the anchor."""
    [plain], [held] = rating_tables(field), rating_tables(field, anchor=Anchor("B", 1000.0))
    by_name = {row.entrant: row.rating for row in held.rows}
    intervals = RatingIntervals(fit_strengths(group_games(field)))
    difference = intervals.difference("D", "B")

    assert (1000.0, 0.0, 1000.0, 1000.0) == (
        by_name["B"].value,
        by_name["B"].error,
        by_name["B"].low,
        by_name["B"].high,
    )
    assert pytest.approx(1000.0 + difference.low) == by_name["D"].low
    assert [row.entrant for row in plain.rows] == [row.entrant for row in held.rows]
    assert plain.pairs == held.pairs
    assert ("B", None) == (held.anchor, plain.anchor)
    moved = {row.entrant: by_name[row.entrant].value - row.rating.value for row in plain.rows}
    assert list(moved.values()) == pytest.approx([moved["A"]] * 4)


def test_all_pairs_have_a_difference_and_a_likelihood_of_superiority(field):
    """Six pairs of four, the higher rating first; the likelihood is that of what ranks the group."""
    [table] = rating_tables(field)
    ranked_by = group_scale(GroupScores(games=group_games(field))).estimate

    assert ["D", "C", "B", "A"] == [row.entrant for row in table.rows]
    assert 6 == len(table.pairs)
    assert all(pair.difference.value >= 0 for pair in table.pairs)
    for pair in table.pairs:
        assert ranked_by.difference(pair.entrant, pair.opponent).probability_better == pair.superiority
    assert [("D", "C"), ("C", "B"), ("B", "A")] == [
        (row.next_lower.entrant, row.next_lower.opponent) for row in table.rows[:-1]
    ]
    assert table.rows[-1].next_lower is None


@pytest.mark.parametrize("text", ["B", "=1500", "B=", "B=much", "B=nan", "B=inf"])
def test_what_is_no_anchor_is_refused(text):
    """Expected and found."""
    with pytest.raises(UsageError, match="such as keeper=1500"):
        parse_anchor(text)


def test_a_name_with_an_equals_sign_can_be_an_anchor():
    """The number stands behind the last one."""
    assert ("a=b", 1200.5) == parse_anchor("a=b=1200.5")


def test_an_anchor_that_nobody_is_is_refused(field):
    """With those there are."""
    with pytest.raises(UsageError, match='no entrant "E"'):
        rating_tables(field, anchor=Anchor("E", 1500.0))


def test_a_course_ends_where_the_standings_are(field):
    """Twenty looks, evenly by blocks, in the order of play; the last one is the whole."""
    [course] = history(field)
    [group] = rank(field).groups
    last = {row.entrant: (row.points, row.rating) for row in course.points[-1].rows}

    assert list(range(2, 41, 2)) == [point.blocks for point in course.points]
    assert {row.entrant: (row.points, row.rating) for row in group.rows} == last


def test_a_look_along_a_course_knows_nothing_of_later_blocks(field):
    """The first half of the blocks, by number and not by text."""
    half = [result for result in field if int(result.block.rpartition(".")[2]) < 20]
    [course], [begun] = history(field), history(half)

    assert course.points[9] == begun.points[-1]


def test_a_short_course_has_a_look_a_block(make):
    """Never two looks at the same blocks."""
    [course] = history(make.tournament("AB", players=2, blocks=3))

    assert [1, 2, 3] == [point.blocks for point in course.points]


def test_two_that_are_not_comparable_have_no_likelihood(make):
    """A and B met, C and D met, and nobody of the one pair any of the other."""
    results = make.tournament("AB", players=2, blocks=20) + [
        msgspec.structs.replace(one, block=f"scout-2p.1.{number // 2:06}", digest=f"other {number}")
        for number, one in enumerate(make.tournament("CD", players=2, blocks=20))
    ]
    [table] = rating_tables(results)
    known = {(pair.entrant, pair.opponent): pair.superiority for pair in table.pairs}

    assert {frozenset("AB"), frozenset("CD")} == {frozenset(pair) for pair, sure in known.items() if sure is not None}
