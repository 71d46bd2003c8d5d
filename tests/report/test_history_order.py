"""The course of a run as a table: who stands where."""

from __future__ import annotations

from types import SimpleNamespace

from tournament.records.figures import Figure, HistoryRow
from tournament.report.ratings import names_at_end


def figure(value):
    """A number of which nothing else is known."""
    return Figure(value=value, error=None, low=None, high=None, deals=5)


def row(name, *, points, rating):
    return HistoryRow(entrant=name, points=figure(points), rating=None if rating is None else figure(rating))


def test_a_course_of_ratings_is_in_the_order_of_ratings():
    """Who met the weak had more points and the lower rating, and came first."""
    at_end = [row("met weak", points=0.8, rating=1510.0), row("met strong", points=0.6, rating=1600.0)]

    assert ["met strong", "met weak"] == names_at_end(SimpleNamespace(points=[SimpleNamespace(rows=at_end)]))


def test_without_ratings_a_course_is_in_the_order_of_points():
    at_end = [row("low", points=0.2, rating=None), row("high", points=0.8, rating=None)]

    assert ["high", "low"] == names_at_end(SimpleNamespace(points=[SimpleNamespace(rows=at_end)]))
