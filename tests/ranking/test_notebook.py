"""Standings and comparisons as a notebook shows them."""

from __future__ import annotations

from msgspec.structs import replace

from tournament.ranking.comparison import compare_results
from tournament.ranking.standings import rank

NAME = "<b>x\u202e"
WRITTEN = r"&lt;b&gt;x\u202e"


def test_standings_show_a_table_of_each_group_and_of_the_championship(make):
    """Two groups and what is over both."""
    results = [
        *make.tournament("ABC", players=2, blocks=40),
        *make.tournament("ABC", players=3, blocks=40, name="explorers"),
    ]
    html = rank(results)._repr_html_()

    assert ["explorers-3p", "scout-2p", "championship"] == [
        part.partition("</caption>")[0] for part in html.split("<caption>")[1:]
    ]
    assert "<th>place</th><th>tied</th><th>bot</th><th>points</th><th>rating</th><th>games</th>" in html
    assert html.endswith("<p>Bots sharing a letter are statistically tied; brackets show the possible ranks.</p>")


def test_standings_show_their_caveats_and_that_they_are_interim(make):
    """Nobody believes a table without what is below it."""
    html = replace(rank(make.tournament("AB", players=2, blocks=5)), interim=True)._repr_html_()

    assert "<p>Too few deals: A, B played 5 each; no interval is given under 10.</p>" in html
    assert "<p>Interim, not a test: not everything has been played.</p>" in html


def test_names_in_standings_are_escaped_and_hide_nothing(make):
    """A bot may be called anything."""
    html = rank(make.tournament([NAME, "B"], players=2, blocks=40))._repr_html_()

    assert f"<td>{WRITTEN}</td>" in html
    assert NAME not in html


def test_a_comparison_shows_a_line_for_each_group_and_for_all_of_them(make):
    """The last one is the championship."""
    results = [
        *make.tournament("ABC", players=2, blocks=40),
        *make.tournament("ABC", players=3, blocks=40, name="explorers"),
    ]
    html = compare_results(results, ("C", "A"))._repr_html_()

    assert html.startswith("<table><caption>C and A</caption>")
    assert ["explorers-3p", "scout-2p", "championship"] == [
        row.removeprefix("<td>").partition("</td>")[0] for row in html.split("<tr>")[2:]
    ]


def test_names_in_a_comparison_are_escaped_and_hide_nothing(make):
    """Of bots, and in what runs say of themselves."""
    compared = compare_results(make.tournament([NAME, "B"], players=2, blocks=40), (NAME, "B"))
    html = replace(compared, notes=(f"{NAME} was withdrawn",))._repr_html_()

    assert f"<caption>{WRITTEN} and B</caption>" in html
    assert f"<p>{WRITTEN} was withdrawn</p>" in html
    assert NAME not in html
