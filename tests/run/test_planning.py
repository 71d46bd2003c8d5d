"""Plans, and budgets in minutes: what a probe plays, and what is made of it."""

from __future__ import annotations

from collections import Counter

import pytest

from tournament import Run, run_tournament
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import ConfigurationError
from tournament.ranking.claims import ExpectedPoints, difference_to_tell
from tournament.records.run import Field, Format
from tournament.run import budgets, crews
from tournament.run import budgets as probing
from tournament.run.budgets import Probed, bare_fields, fields_of, probe
from tournament.run.planning import least_difference, plan
from tournament.store.folder import read_run

GAUNTLET = {"schedule": Format.GAUNTLET, "focus": ("dora",)}


@pytest.fixture(autouse=True)
def _short_probe(monkeypatch):
    monkeypatch.setattr(probing, "SECONDS_A_GROUP", 0.1)


@pytest.fixture
def two_cores(monkeypatch):
    """Lets this process seem to have two cores."""
    monkeypatch.setattr(crews, "usable_cores", lambda: 2)


@pytest.fixture
def tables(configure, monkeypatch):
    """Returns the tables that a probe of a configuration plays; it is not cut short."""
    monkeypatch.setattr(probing, "SECONDS_A_GROUP", 1e9)
    monkeypatch.setattr(probing, "SECONDS_WITH_STARTS", 1e9)
    monkeypatch.setattr(probing, "MOST_PROBED", 12)

    def tables(**changes):
        configuration = configure(**changes)
        (probed,) = probe(configuration, bare_fields(configuration), format=configuration.schedule)
        return [frozenset(result.seats) for result in probed.results if result.rotation == 0]

    return tables


def test_the_probe_of_a_round_robin_plays_all_tables(tables):
    """Six tables of four bots, two passes."""
    assert [2] * 6 == list(Counter(tables()).values())


def test_every_table_of_the_probe_of_a_gauntlet_has_the_focus_bot(tables):
    """A slow one would else be seen at half of the tables only."""
    assert {frozenset({"dora", name}): 4 for name in ("ada", "bea", "cia")} == Counter(tables(**GAUNTLET))


def test_the_probe_of_a_knockout_plays_its_rounds(tables):
    """Two tables with the best seed against the last, then who went on; then the next knockout."""
    played = tables(schedule=Format.KNOCKOUT, budget=Budget(deals=50))

    assert {frozenset({"ada", "dora"}), frozenset({"bea", "cia"})} == set(played[:2])
    assert 12 == len(played)
    assert len(set(played)) > 2


def test_a_probe_of_bots_that_are_slow_to_start_ends(configure, monkeypatch):
    """Blocks enough for a mean, then it is over."""
    monkeypatch.setattr(probing, "SECONDS_A_GROUP", 1e9)
    monkeypatch.setattr(probing, "SECONDS_WITH_STARTS", 0.0)
    configuration = configure()
    (probed,) = probe(configuration, bare_fields(configuration), format=configuration.schedule)

    assert 2 * (probing.FEWEST_PROBED + 1) == len(probed.results)


def test_minutes_are_found_from_the_tables_of_the_run(configure, monkeypatch):
    """The probe of a budget is that of the plan."""
    formats = []

    def fake(configuration, fields, *, format):  # noqa: A002 (as probe calls it)
        formats.append((format, [field.focus for field in fields]))
        return (Probed("explorers-2p", 1.0, 1000, ()),)

    monkeypatch.setattr(budgets, "probe", fake)
    fields = fields_of(configure(budget=Budget(minutes=1), **GAUNTLET))
    fields_of(configure(budget=Budget(minutes=1)))

    assert 60 == fields[0].blocks
    assert [(Format.GAUNTLET, [("dora",)]), (Format.ROUND_ROBIN, [()])] == formats


def test_workers_beyond_the_cores_add_nothing_to_minutes(configure, monkeypatch, two_cores):
    """Eight on two cores play as much as two; on a cluster they have cores of their own."""
    monkeypatch.setattr(budgets, "probe", lambda *_, **__: (Probed("explorers-2p", 1.0, 1000, ()),))
    configuration = configure(budget=Budget(minutes=1), workers=8)

    assert 120 == fields_of(configuration)[0].blocks
    assert 480 == fields_of(configuration, cluster="tcp://10.0.0.5:8786")[0].blocks


def test_workers_beyond_the_cores_do_not_shorten_a_plan(configure, two_cores):
    """Time with the workers that play at once."""
    planned = plan(configure(workers=8))

    assert (8, 2) == (planned.workers, planned.at_once)
    assert pytest.approx(sum(group.seconds for group in planned.groups) / 2) == planned.seconds


def test_a_plan_in_minutes_counts_the_workers_that_play_at_once(configure, monkeypatch, two_cores):
    """What a plan says is what the run would freeze."""
    monkeypatch.setattr("tournament.run.planning.rounds_in", lambda minutes, probed, *, workers: 100 * workers)

    assert 200 == plan(configure(budget=Budget(minutes=1), workers=8)).blocks


def test_the_plan_of_a_gauntlet_tells_focus_and_field_apart(configure):
    """The focus bot sits at every table, three times as often as each of the others: its interval is narrower."""
    (group,) = plan(configure(budget=Budget(deals=200), **GAUNTLET)).groups
    each = {one.entrant: one for one in group.each}

    assert {"ada": 200, "bea": 200, "cia": 200, "dora": 600} == {name: one.blocks for name, one in each.items()}
    assert each["dora"].half_width < each["ada"].half_width == each["cia"].half_width < group.tells < 0.3


def test_the_plan_of_a_gauntlet_promises_what_the_shared_tables_tell():
    """What a focus bot gets from others does not compare it with who did not meet them: as two bots alone would."""
    field = Field(group="g", players=2, entrants=("F", "a", "b", "c"), blocks=300, focus=("F",))
    shared = ExpectedPoints(100, 0.125)
    alone = difference_to_tell(shared, shared, together=100, players=2, entrants=4)
    expected = {name: ExpectedPoints(300 if name == "F" else 100, 0.125) for name in field.entrants}

    assert pytest.approx(alone, abs=0.001) == least_difference(field, expected)
    few = {name: ExpectedPoints(27 if name == "F" else 9, 0.125) for name in field.entrants}
    assert least_difference(field, few) is None


def test_the_plan_of_a_knockout_is_of_who_goes_out_first(configure):
    """Who goes on plays more, and who that is nobody knows."""
    (group,) = plan(configure(schedule=Format.KNOCKOUT, budget=Budget(deals=20))).groups

    assert 60 == group.blocks
    assert {20} == {one.blocks for one in group.each}
    assert group.tells is None


def test_a_plan_counts_without_playing_the_run(configure):
    """The command plan: tables, blocks, games, interval, time, disk, what can be told apart."""
    planned = plan(configure(budget=Budget(deals=200), games=(GameEntry(game="explorers", players=2),)))
    (group,) = planned.groups

    assert (6, 1200, 2400) == (group.tables, group.blocks, group.games)
    assert 1 == len({(one.blocks, one.half_width) for one in group.each})
    assert 600 == group.each[0].blocks
    assert 0 < group.each[0].half_width < group.tells < 0.2
    assert group.seconds > 0
    assert group.bytes > 2400 * 1000


def test_a_plan_is_refused_where_the_run_would_be(configure):
    """A suite that is too short is told before anybody waits for the run."""
    games = (GameEntry(game="explorers", players=2),)

    with pytest.raises(ConfigurationError, match="The suite smoke has 60 deals, and this run needs "):
        plan(configure(deals_from="seeds/smoke.yaml", seed=None, budget=Budget(deals=200), games=games))


def test_minutes_of_an_extension_count_the_workers_that_play_it(configure, monkeypatch, tmp_path, two_cores):
    """The flag, not what the run began with; and no more than the cores."""
    folder = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    monkeypatch.setattr(budgets, "probe", lambda *_, **__: (Probed("explorers-2p", 1.0, 1000, ()),))
    Run.open(folder, workers=3).extend(budget=Budget(minutes=0.05))

    assert 6 == read_run(folder).segments[1].blocks
