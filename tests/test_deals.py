"""Seeds, deals and suites."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from tournament import deals
from tournament.errors import ConfigurationError
from tournament.games import load_game
from tournament.paths import data_folder

VECTORS = json.loads((Path(__file__).parent / "data" / "vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['players']}p")
def test_a_master_gives_the_deal_of_the_vectors(vector):
    """vectors.json: seed and deal."""
    game = load_game(vector["game"])
    seed = deals.deal_seed(
        vector["master"],
        game=vector["game"],
        players=vector["players"],
        segment=vector["segment"],
        block=vector["block"],
    )
    deal = deals.make_deal(game, players=vector["players"], seed=seed)

    assert vector["seed"] == seed
    assert vector["deal"] == json.loads(msgspec.json.encode(deal))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['players']}p")
def test_the_deal_seed_gives_the_seeds_of_bots_and_stand_ins(vector):
    """vectors.json: bot and stand-in of rotation 1, seat 0."""
    seed = vector["seed"]

    assert vector["bot_seed_rotation_1_seat_0"] == deals.bot_seed(seed, rotation=1, seat=0)
    assert vector["stand_in_seed_rotation_1_seat_0"] == deals.stand_in_seed(seed, rotation=1, seat=0)


def test_only_half_of_a_bots_seed_reaches_the_bot():
    """`rng` is 32 hex digits."""
    seed = VECTORS[0]["seed"]

    assert VECTORS[0]["bot_seed_rotation_1_seat_0"][:32] == deals.bot_rng_text(seed, rotation=1, seat=0)


def test_the_number_seven_and_the_text_seven_are_the_same_master():
    """The master is a text."""
    asked = {"game": "scout", "players": 3, "segment": 0, "block": 0}

    assert deals.deal_seed(str(7), **asked) == deals.deal_seed("7", **asked)


def test_every_part_of_a_block_changes_its_deal_seed():
    """Master, game, players, segment, block."""
    asked = {"game": "scout", "players": 3, "segment": 0, "block": 0}
    changed = [{**asked, "game": "explorers"}, {**asked, "players": 4}, {**asked, "segment": 1}, {**asked, "block": 1}]
    seeds = {deals.deal_seed("7", **parts) for parts in (asked, *changed)} | {deals.deal_seed("8", **asked)}

    assert 6 == len(seeds)


def test_a_commitment_is_the_hash_of_salt_and_master():
    """Commitment = sha256(salt + master)."""
    expected = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"  # of "a"

    assert expected == deals.commitment_of(salt="", master="a")


@pytest.mark.parametrize(
    ("master", "predictable"), [("7", True), ("20261130", True), ("0" * 31, True), ("0" * 32, False), ("x" * 22, False)]
)
def test_a_master_under_128_bits_can_be_predicted(master, predictable):
    """A master under 128 bits prints that its deals can be predicted."""
    assert predictable == deals.is_predictable(master)


def test_a_drawn_master_has_256_bits_and_is_never_the_same():
    """32 random bytes as hex."""
    assert 64 == len(deals.draw_master())
    assert deals.draw_master() != deals.draw_master()


@pytest.mark.parametrize("name", ["smoke", "open"])
def test_the_suites_that_come_along_can_be_used(name):
    """`seeds/*.yaml`, named, frozen, with a purpose."""
    suite = deals.load_suite(data_folder("seeds") / f"{name}.yaml")

    assert name == suite.name
    assert suite.purpose
    assert 64 == len(suite.deal_seed(game="scout", players=3, block=len(suite.seeds) - 1))


def test_the_first_deal_of_a_suite_is_frozen():
    """Sha256("{suite seed n}|{game}|{players}") for block n."""
    suite = deals.load_suite(data_folder("seeds") / "smoke.yaml")

    assert "8bb49e9f5e66dc64" == suite.seeds[0]
    assert "9e130f36508805df451d3237fe5228dd03d9eac04e72b2b280e20303bde02713" == suite.deal_seed(
        game="scout", players=3, block=0
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: x\n", "is not a deal suite"),
        ("name: x\npurpose: y\nseeds: [a, a]\n", "twice"),
        ("name: [\n", "line 2: this is not YAML"),
        ("name: x\npurpose: y\nseeds: [0_1]\n", "line 3: YAML reads 0_1 as 1. Write a number in plain digits"),
        ("name: x\npurpose: y\nseeds: [010]\n", "line 3: YAML reads 010 as 8. Write a number in plain digits"),
        ("name: x\npurpose: y\nseeds: [1]\nseeds: [2]\n", "a second time"),
        (f"name: x\npurpose: y\nseeds: {'[' * 10_000}", "more than 50 deep"),
        (f"name: x\npurpose: y\nseeds: [{'9' * 10_000}]", "it is not YAML: Exceeds the limit"),
        ("name: x\npurpose: y\nseeds: [a\0]\n", r"line 3: the character \\x00 is none that YAML takes"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path, text, words):
    """Errors say what to do."""
    path = tmp_path / "suite.yaml"
    path.write_text(text)

    with pytest.raises(ConfigurationError, match=words):
        deals.load_suite(path)


def test_a_suite_that_is_no_regular_file_is_refused_without_waiting_for_it(tmp_path):
    """A run of somebody else may name any file."""
    os.mkfifo(tmp_path / "pipe.yaml")

    for path in (tmp_path / "pipe.yaml", tmp_path):
        with pytest.raises(ConfigurationError, match="it is no regular file"):
            deals.load_suite(path)


def test_a_suite_that_is_missing_is_refused(tmp_path):
    """Errors say what to do."""
    with pytest.raises(ConfigurationError, match="There is no deal suite"):
        deals.load_suite(tmp_path / "none.yaml")
