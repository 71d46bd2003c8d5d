"""`compare RUN RUN2`: rules, options and fingerprints are regarded, and what cannot be compared is said."""

from __future__ import annotations

import json
from itertools import groupby

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import UsageError
from tournament.records.misfits import check_valid

NAMES = ["Ann", "Bob", "Cyd"]


def call(*words):
    """Calls the command; a paragraph is a line."""
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "400"})


@pytest.fixture
def before(made, tmp_path):
    """A file of three bots."""
    return made.write(tmp_path / "before.jsonl", made.field(NAMES, players=3, blocks=60, seed=1))


def other(records, **changes):
    """Returns records of which something is different, with digests of their own."""
    return [{**record, **changes, "digest": record["digest"][::-1]} for record in records]


def with_bots(records, **fingerprints):
    """Returns records in which some entrants are other bots."""
    return [
        {
            **record,
            "seats": [{**seat, "fingerprint": fingerprints.get(seat["bot"], seat["fingerprint"])} for seat in seats],
            "digest": record["digest"][::-1],
        }
        for record in records
        for seats in [record["seats"]]
    ]


def test_who_moved_and_whose_bot_is_another_one_is_shown(made, tmp_path, before, snapshot):
    """Deal by deal: a changed bot became better, an unchanged one met others."""
    stronger = with_bots(made.field(NAMES, players=3, blocks=60, seed=1, spread=12), Cyd="c" * 64)
    text = call("compare", before, made.write(tmp_path / "after.jsonl", stronger)).stdout

    assert "More than luck: Cyd became better." in text
    assert "The same bot in both, whose points changed because other bots did: Ann." in text
    assert "tau" not in text
    snapshot("compare-runs.txt", text)


def test_other_rules_are_not_compared(made, tmp_path, before):
    """Rules 1 against 2 gave "real" without a word."""
    records = [json.loads(line) for line in before.read_text().splitlines()]
    newer = other(records, game={**records[0]["game"], "rules_version": 2})
    raised = call("compare", before, made.write(tmp_path / "after.jsonl", newer)).exception

    assert isinstance(raised, UsageError)
    assert "scout-3p: other rules: version 1, options {} before, version 2, options {} after" in str(raised)


def test_other_options_are_not_compared(made, tmp_path):
    """Another length of play is another game."""
    before = made.write(tmp_path / "before.jsonl", made.field(NAMES, players=3, blocks=12, options={"a": 1}))
    after = made.write(tmp_path / "after.jsonl", made.field(NAMES, players=3, blocks=12, options={"a": 2}))

    assert 'options {"a":1} before, version 1, options {"a":2} after' in str(call("compare", before, after).exception)


def test_without_a_common_entrant_nothing_is_compared(made, tmp_path, before):
    """It said "Nothing here is more than noise"."""
    strangers = made.write(tmp_path / "after.jsonl", made.field(["Dan", "Eva", "Fay"], players=3, blocks=60))
    raised = call("compare", before, strangers).exception

    assert isinstance(raised, UsageError)
    assert "no entrant in common: Ann, Bob, Cyd before, Dan, Eva, Fay after" in str(raised)
    assert "tournament standings RUN RUN2" in str(raised)


def test_a_group_that_cannot_be_compared_is_named_beside_those_that_can(made, tmp_path, small):
    """And there is no championship then."""
    records = [json.loads(line) for line in small.read_text().splitlines()]
    changed = [
        other([one], game={**one["game"], "rules_version": 2})[0] if one["game"]["name"] == "scout" else one
        for one in records
    ]
    assert {"scout", "explorers"} == {name for name, _ in groupby(one["game"]["name"] for one in records)}
    after = made.write(tmp_path / "after.jsonl", changed)
    text = call("compare", small, after).stdout
    values = json.loads(call("compare", small, after, "--json").stdout)

    assert "scout-3p is not compared: other rules:" in text
    assert "championship is not compared: not all of its groups can be compared." in text
    assert {"explorers-2p"} == set(values["changes"])
    assert {"scout-3p", "championship"} == set(values["not_compared"])
    check_valid("comparison-runs.v2", values, "compare")


def test_what_is_more_than_luck_is_not_called_nothing_because_the_field_changed(made, tmp_path, before):
    """Other opponents are another measure, which is said beside what is real, not against it."""
    new = made.field(["Ann", "Bob", "Dan"], players=3, blocks=60, seed=1, spread=12)
    text = call("compare", before, made.write(tmp_path / "after.jsonl", new)).stdout

    assert "The same bot in both" in text
    assert "met other opponents, which alone changes points" in text


def test_a_bot_that_met_other_opponents_is_not_called_better(made, tmp_path):
    """A gauntlet in which Bob met its like alone, then a round robin: it said "More than luck: Bob became better"."""
    whole = made.field(["Ann", "Bob", "Cyd", "Dan"], players=2, blocks=240, seed=1, spread=3)
    gauntlet = [one for one in whole if "Ann" in {seat["bot"] for seat in one["seats"]}]
    before = made.write(tmp_path / "before.jsonl", gauntlet)
    after = made.write(tmp_path / "after.jsonl", with_bots(whole, Bob="b" * 64))
    text = call("compare", before, after).stdout
    values = json.loads(call("compare", before, after, "--json").stdout)
    moved = {one["entrant"]: one for one in values["changes"]["scout-2p"]["changes"]}

    assert "opposition" == moved["Bob"]["verdict"]
    assert (
        "Met other opponents, or the same ones more or less often, which alone changes points: Cyd, Bob. Play" in text
    )
    assert "became" not in text
    check_valid("comparison-runs.v2", values, "compare")


def test_places_of_two_runs_are_those_of_their_standings(made, tmp_path):
    """In a gauntlet ranks go by rating; here they went by points, which put apart whom the standings did not."""
    whole = made.field(["Ann", "Bob", "Cyd", "Dan"], players=2, blocks=240, seed=1, spread=3)
    path = made.write(
        tmp_path / "runs.jsonl", [one for one in whole if "Ann" in {seat["bot"] for seat in one["seats"]}]
    )
    ranks = {
        row["entrant"]: row["rank"] for row in json.loads(call("standings", path, "--json").stdout)["groups"][0]["rows"]
    }
    changes = json.loads(call("compare", path, path, "--json").stdout)["changes"]["scout-2p"]["changes"]

    assert {name: (rank["place"], rank["best_rank"], rank["worst_rank"]) for name, rank in ranks.items()} == {
        one["entrant"]: tuple(one["before"][key] for key in ("place", "best_rank", "worst_rank")) for one in changes
    }


def test_advice_to_rank_runs_together_is_given_only_where_they_can_be(made, tmp_path, before):
    """Other rules cannot be ranked together: the command that was named refused them, too."""
    newer = other([json.loads(line) for line in before.read_text().splitlines()])
    newer = [{**one, "game": {**one["game"], "rules_version": 2}} for one in newer]
    raised = call("compare", before, made.write(tmp_path / "after.jsonl", newer)).exception

    assert "tournament standings" not in str(raised)


def test_a_run_compared_with_itself_shows_no_change(small):
    """Equal deals cancel out: no change, with the least error that a difference can have."""
    changes = json.loads(call("compare", small, small, "--json").stdout)["changes"]

    assert {"explorers-2p", "scout-3p", "championship"} == set(changes)
    assert all(
        (0.0, pytest.approx(1 / (moved["difference"]["deals"] + 2)), "luck", True)
        == (moved["difference"]["value"], moved["difference"]["error"], moved["verdict"], moved["same_bot"])
        for change in changes.values()
        for moved in change["changes"]
    )
