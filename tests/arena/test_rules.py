"""The rules of a competition: what a host may write, and what a mistake is told."""

from __future__ import annotations

import pytest
from arena.making import RULES

from tournament.arena.rules import changed_parts, parse_rules, zone_of
from tournament.errors import ConfigurationError


def rules_of(tmp_path, text: str):
    path = tmp_path / "competition.yaml"
    path.write_text(text, encoding="utf-8")
    return parse_rules(path)


def test_what_is_left_out_has_a_default(tmp_path):
    rules = rules_of(tmp_path, RULES)

    assert ("Winter Cup", 100, 10, "UTC") == (rules.title, rules.deals_a_day, rules.versions_a_day, rules.time_zone)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("gams: []", r'a line: gams does not exist. Did you mean "games"\?'),
        ("seed: 7", "a line: seed does not exist"),
        ("versions_a_day: 0", r"Expected `int` >= 1 - at `\$.versions_a_day`"),
        ("time_zone: Europe/Warsow", r'there is no Europe/Warsow. Did you mean "Europe/Warsaw"\?'),
        ('opens: "2026-12-02T00:00:00Z"\ncloses: "2026-12-01T00:00:00Z"', "closes has to be later than opens"),
        ('opens: "tomorrow"', "opens"),
        ("weights: {chess: 2}", "weights: a game: chess does not exist"),
        ("joining: anybody", "anybody"),
    ],
)
def test_a_mistake_says_where_it_is(tmp_path, line, told):
    with pytest.raises(ConfigurationError, match=told):
        rules_of(tmp_path, RULES + line + "\n")


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ("[{game: chess, players: 2}]", 'games: There is no game "chess"'),
        ("[{game: scout, players: 9}]", "games: .*9"),
        ("[{game: scout, players: 3, options: {cards: 7}}]", "games: .*cards"),
        ("[{game: scout, players: 3}, {game: scout, players: 3}]", "stands twice"),
        (
            "[{game: scout, players: 3}, {game: scout, players: [3, 4], options: {move_limit: 90}}]",
            "scout with 3 players stands",
        ),
    ],
)
def test_games_that_cannot_be_played_are_told(tmp_path, games, told):
    with pytest.raises(ConfigurationError, match=told):
        rules_of(tmp_path, f"title: Cup\ngames: {games}\n")


@pytest.mark.parametrize(
    ("written", "zone", "moment"),
    [
        ("2026-12-01", "UTC", "2026-12-01T00:00:00Z"),
        ("2026-12-01", "Europe/Warsaw", "2026-11-30T23:00:00Z"),
        ('"2026-12-01"', "Europe/Warsaw", "2026-11-30T23:00:00Z"),
        ("2026-07-01 08:00:00", "Europe/Warsaw", "2026-07-01T06:00:00Z"),
        ("2026-12-01 08:00", "Europe/Warsaw", "2026-12-01T07:00:00Z"),
        ("2026-12-01T08:00:00Z", "Europe/Warsaw", "2026-12-01T08:00:00Z"),
        ("2026-12-01T08:00:00+05:30", "Europe/Warsaw", "2026-12-01T02:30:00Z"),
        ('"2026-12-01T08:00:00Z"', "Europe/Warsaw", "2026-12-01T08:00:00Z"),
    ],
)
def test_a_date_without_an_offset_is_meant_in_the_zone_of_the_competition(tmp_path, written, zone, moment):
    assert moment == rules_of(tmp_path, f"{RULES}opens: {written}\ntime_zone: {zone}\n").opens


@pytest.mark.parametrize("written", ["2026-13-01", "0001-01-01T00:00:00+05:00", "20261201", "[2026-12-01]"])
def test_what_is_no_date_is_refused(tmp_path, written):
    with pytest.raises(ConfigurationError, match=r"competition\.yaml"):
        rules_of(tmp_path, f"{RULES}opens: {written}\n")


def test_a_date_stands_where_a_date_is_due_alone(tmp_path):
    with pytest.raises(ConfigurationError, match=r"Expected `str`, got `.*` - at `\$.about`"):
        rules_of(tmp_path, f"{RULES}about: 2026-12-01\n")


def test_the_zone_of_the_days_is_the_one_that_is_named(tmp_path):
    assert zone_of(rules_of(tmp_path, RULES + "time_zone: Asia/Tokyo\n")).key == "Asia/Tokyo"


def test_what_changed_is_named_in_the_order_of_the_file(tmp_path):
    before = rules_of(tmp_path, RULES)
    after = rules_of(tmp_path, RULES.replace("[3]", "[3, 4]") + "about: More of it.\n")

    assert ("games", "about") == changed_parts(before, after)
