"""Several runs as one set of results: what is one game, one block, one bot."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import msgspec
import pytest

from tournament.errors import BotError, UsageError
from tournament.ranking.compact.packing import SourcedResult
from tournament.ranking.pooling import pool_results, same_bots
from tournament.ranking.results import Reason, whole_blocks
from tournament.ranking.standings import rank


def hexed(text):
    """64 hex digits."""
    return sha256(text.encode()).hexdigest()


def played(results, *, tournament="cup", run="1", seeds=True, bots=None, options=b"{}"):
    """Returns results as a run has them; `run` makes digests and seeds its own, `bots` gives fingerprints by name."""
    return [
        SourcedResult(
            result=msgspec.structs.replace(
                result, digest=hexed(f"{run} {result.digest} {sorted((bots or {}).items())}")
            ),
            tournament=tournament,
            seed=hexed(f"{run} {result.block}") if seeds else None,
            fingerprints=tuple((bots or {}).get(name, hexed(name)) for name in result.seats),
            rules=(1, options),
        )
        for result in results
    ]


@pytest.fixture(scope="module")
def cup(make):
    """12 blocks of three bots at tables of two."""
    return make.tournament("ABC", players=2, blocks=12)


def test_one_run_stays_as_it_is(cup):
    """Its standings are those in `standings.json`, to the last bit."""
    given = played(cup)

    assert [item.result for item in given] == list(pool_results([given]).results)


def test_two_runs_of_one_name_are_pooled_though_their_ids_are_equal(cup):
    """When pooling, blocks are told apart, else equal ids clash."""
    pool = pool_results([played(cup), played(cup, run="2")])
    selection = whole_blocks(pool.results)

    assert () == selection.left_out
    assert 48 == len(selection.results)


def test_the_order_of_runs_and_of_games_changes_no_byte(cup):
    """Bit-identical from the same records in any order."""
    one, two = played(cup), played(cup, run="2")
    shuffled = Random(1).sample(two, len(two))

    assert msgspec.json.encode(rank(pool_results([one, two]).results)) == msgspec.json.encode(
        rank(pool_results([shuffled, one]).results)
    )


def test_two_runs_of_one_name_in_one_file_are_told_apart_by_their_deals(cup):
    """A file of records may have been put together by hand."""
    selection = whole_blocks(pool_results([[*played(cup), *played(cup, run="2")]]).results)

    assert () == selection.left_out


def test_a_run_given_twice_counts_once(cup):
    """Games told apart by digest."""
    once, twice = pool_results([played(cup)]), pool_results([played(cup), played(cup)])

    assert whole_blocks(once.results).results == whole_blocks(twice.results).results
    assert {Reason.DUPLICATE} == {item.reason for item in whole_blocks(twice.results).left_out}


def test_a_run_in_two_files_is_one_run(cup):
    """A block is whole wherever its games come from."""
    given = played(cup)
    pool = pool_results([given[::2], given[1::2]])

    assert whole_blocks(item.result for item in given) == whole_blocks(pool.results)


def test_pooled_results_are_the_same_each_time(cup):
    pool = pool_results([played(cup), played(cup, run="2")])

    assert list(pool.results) == list(pool.results)


def test_a_copy_whose_seeds_are_not_known_yet_is_on_the_deals_of_the_other(cup):
    """Records that were written before the seeds were published are the same games."""
    pool = pool_results([played(cup), played(cup, seeds=False), played(cup, bots={"C": "f" * 64})])

    assert 12 == len({result.deal for result in pool.results})


def test_the_same_deals_with_changed_bots_are_two_blocks_on_one_deal(cup):
    """Errors are clustered by deal, also over runs."""
    pool = pool_results([played(cup), played(cup, bots={"C": "f" * 64})])
    selection = whole_blocks(pool.results)

    assert () == selection.left_out
    assert 24 == len({result.block for result in selection.results})
    assert 12 == len({result.deal for result in selection.results})


def test_another_fingerprint_is_another_bot(cup):
    """The same name with another fingerprint is another bot."""
    pool = pool_results([played(cup), played(cup, run="2", bots={"C": "1a2b3c" + "0" * 58})])

    assert {"C": tuple(sorted((f"C@{hexed('C')[:6]}", "C@1a2b3c")))} == pool.told_apart
    assert {"A", "B", *pool.told_apart["C"]} == {name for result in pool.results for name in result.seats}


def test_names_grow_until_they_are_different(cup):
    """Fingerprints may begin alike."""
    pool = pool_results([played(cup, bots={"C": "a" * 64}), played(cup, run="2", bots={"C": "a" * 7 + "b" * 57})])

    assert {"C": ("C@aaaaaaaa", "C@aaaaaaab")} == pool.told_apart


def test_merged_bots_keep_their_name(cup):
    """`--merge NAME`."""
    pool = pool_results([played(cup), played(cup, run="2", bots={"C": "f" * 64})], merge=["C"])

    assert {} == pool.told_apart
    assert {"A", "B", "C"} == {name for result in pool.results for name in result.seats}


def test_leaving_out_a_name_leaves_out_all_its_bots(cup):
    """`--without BOT`."""
    runs = [played(cup), played(cup, run="2", bots={"C": "f" * 64})]
    pool = pool_results(runs, without=["C"])
    one = pool_results(runs, without=["C@ffffff"])

    assert {"A", "B"} == {name for result in pool.results for name in result.seats}
    assert {"A", "B", f"C@{hexed('C')[:6]}"} == {name for result in one.results for name in result.seats}


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        ({"merge": ["a"]}, BotError, '"a" for `merge`'),
        ({"without": ["D"]}, BotError, '"D" for `without`'),
        ({"without": ["A", "B", "C"]}, UsageError, "nothing is left"),
    ],
)
def test_names_nobody_has_are_refused(cup, words, error, message):
    """Expected, found, what to do."""
    with pytest.raises(error, match=message):
        pool_results([played(cup)], **words)


def test_other_rules_are_not_pooled(cup):
    """A group is a game with its options."""
    with pytest.raises(UsageError, match="different rules"):
        pool_results([played(cup), played(cup, run="2", options=b'{"x":1}')])


def test_named_deals_are_equal_in_two_pools_only_where_the_deal_is(cup):
    """Two runs are compared deal by deal where they share deals, and only there."""
    same = [{result.deal for result in pool_results([played(cup)], name_deals=True).results} for _ in range(2)]
    other = {result.deal for result in pool_results([played(cup, run="2")], name_deals=True).results}
    secret = {result.deal for result in pool_results([played(cup, seeds=False)], name_deals=True).results}

    assert same[0] == same[1]
    assert set() == same[0] & other
    assert set() == same[0] & secret
    assert 12 == len(secret)


def test_entrants_that_are_one_bot_are_named_with_their_groups():
    """Two entrants with one fingerprint: what tells them apart is luck. Merged ones are several bots."""
    one, other, third = (frozenset({digit * 64}) for digit in "abc")
    fingerprints = {
        "scout-2p": {"Ann": one, "Bob": one, "Cyd": other, "Dan": one | other},
        "scout-3p": {"Ann": one, "Bob": one, "Cyd": third, "Eva": third},
    }

    assert {("Ann", "Bob"): ("scout-2p", "scout-3p"), ("Cyd", "Eva"): ("scout-3p",)} == same_bots(fingerprints)
