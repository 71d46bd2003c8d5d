"""Deals are known by their seed, suites by their digest: also own ones, changed copies, and such as are gone."""

from __future__ import annotations

import shutil

import pytest

from tournament import run_tournament
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.deals import load_suite
from tournament.paths import data_folder
from tournament.ranking.pooling import BlockSeeds, Suites
from tournament.ranking.sources import read_sources
from tournament.store.folder import read_run

CONFIGURATION = """
games: [{{game: explorers, players: 2}}]
bots: [{{name: one, bot: {bot}}}, {{name: two, bot: {bot}}}]
deals_from: {suite}
budget: {{deals: 3}}
isolation: none
"""


def suite_text(name, seeds):
    return f"name: {name}\npurpose: a test\nseeds: {seeds}\n"


def play(folder, suite):
    """Returns a run on a suite whose file lies beside its configuration."""
    path = folder / f"{suite}-configuration.yaml"
    path.write_text(CONFIGURATION.format(bot=data_folder("bots") / "random_legal.py", suite=f"{suite}.yaml"))
    out = folder / f"{suite}-{len(list(folder.iterdir()))}"
    return run_tournament(resolve(read_configuration(path)), out=out)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with an own suite, a longer one that begins alike, and a changed copy of `open`."""
    folder = tmp_path_factory.mktemp("suites")
    (folder / "mine.yaml").write_text(suite_text("mine", [1, 2, 3]))
    (folder / "longer.yaml").write_text(suite_text("mine", [1, 2, 4, 5]))
    changed = load_suite(data_folder("seeds") / "open.yaml").seeds[::-1]
    (folder / "open.yaml").write_text(suite_text("open", list(changed)))
    return folder


@pytest.fixture(scope="module")
def runs(folder):
    return {name: [play(folder, name), play(folder, name)] for name in ("mine", "longer", "open")}


def deals(run, suites=None):
    """Returns the names of a run's deals in the order of its blocks."""
    results = read_sources([run], name_deals=True, suites=suites or Suites([run])).results
    return list(dict.fromkeys(result.deal for result in sorted(results, key=lambda result: result.block)))


def test_two_runs_on_an_own_suite_share_their_deals(runs, folder):
    """The suite is found where the run's configuration names it, and its seeds are the names of the deals."""
    one, other = runs["mine"]
    suite = load_suite(folder / "mine.yaml")

    assert deals(one) == deals(other)
    assert [suite.deal_seed(game="explorers", players=2, block=block) for block in range(3)] == deals(one)


def test_suites_that_begin_alike_share_these_deals_and_no_others(runs):
    """A deal is its seed, whichever suite it stands in."""
    mine, longer = deals(runs["mine"][0]), deals(runs["longer"][0])

    assert mine[:2] == longer[:2]
    assert mine[2] != longer[2]


def test_a_changed_copy_of_a_suite_that_comes_along_is_another_suite(runs):
    """The name alone is none: of that, the deals were another suite's before."""
    own = BlockSeeds(read_run(runs["open"][0]), Suites([runs["open"][0]]))
    shipped = load_suite(data_folder("seeds") / "open.yaml")

    assert "open" == read_run(runs["open"][0]).segments[0].suite
    assert shipped.deal_seed(game="explorers", players=2, block=0) != own.seed_of("explorers-2p.0.000000")


def test_runs_on_a_suite_that_is_gone_share_deals_by_its_digest(runs, tmp_path):
    """Also where only one of the two names a file that is still there."""
    one, other = runs["mine"]
    moved = tmp_path / "moved" / "run"
    shutil.copytree(other, moved)

    assert deals(moved) != deals(one)  # each for itself
    shared = Suites([one, moved])
    assert deals(moved, shared) == deals(one, shared)
    gone = tmp_path / "also" / "run"
    shutil.copytree(one, gone)
    assert deals(moved) == deals(gone)


def test_a_block_beyond_its_suite_has_no_known_deal(runs):
    """Results that were tampered with give no traceback."""
    assert None is BlockSeeds(read_run(runs["mine"][0]), Suites(runs["mine"])).seed_of("explorers-2p.0.000099")
