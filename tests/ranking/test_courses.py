"""Ratings over the course of a run, as the pages of bots draw them."""

from __future__ import annotations

import pytest

from tournament.ranking.compact.courses import COURSE_LOOKS, rating_courses
from tournament.ranking.ratings import history


def test_a_course_has_the_ratings_of_the_history_at_its_looks(make):
    """The same fits, without their intervals."""
    results = make.tournament("ABCD", players=3, blocks=60)
    [course] = rating_courses(results, looks=4)
    [whole] = history(results, looks=4)

    assert [point.blocks for point in whole.points] == list(course.blocks)
    for at, point in enumerate(whole.points):
        assert [row.rating.value for row in point.rows] == pytest.approx(
            [course.ratings[row.entrant][at] for row in point.rows]
        )


def test_an_entrant_has_no_rating_before_its_first_game(make):
    results = [
        *make.tournament("AB", players=2, blocks=20),
        *(
            make.game(pair, (1, 0), block=block, rotation=rotation)
            for block in range(20, 40)
            for rotation, pair in enumerate((("A", "C"), ("C", "A")))
        ),
    ]
    [course] = rating_courses(results, looks=4)

    assert (None, None) == course.ratings["C"][:2]
    assert all(isinstance(value, float) for value in course.ratings["C"][2:])


def test_a_short_run_is_looked_at_once_a_block(make):
    [course] = rating_courses(make.tournament("AB", players=2, blocks=3))

    assert COURSE_LOOKS > 3
    assert (1, 2, 3) == course.blocks


def test_of_a_long_run_every_so_manieth_block_is_taken(make):
    """The last look is at the end of the run, and near what all games give."""
    results = make.tournament("ABCD", players=2, blocks=400)
    [whole] = rating_courses(results)
    [thin] = rating_courses(results, most_games=200)

    assert (1, 4) == (whole.every, thin.every)
    assert (400, 400) == (whole.blocks[-1], thin.blocks[-1])
    for name in "ABCD":
        assert abs(whole.ratings[name][-1] - thin.ratings[name][-1]) < 150
