"""Knockouts: each table follows from the results before it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_files import BOTS, Values, claim, found_in, results_of, write_results

from tournament import audit, run_tournament
from tournament.auditing import FindingCode

CONFIGURATION = f"""
name: cup
seed: 7
games:
  - {{game: explorers, players: 2, options: {{stall_limit: 5}}}}
bots:
{"".join(f"  - {{name: {name}, bot: {BOTS / 'random_legal.py'}}}{chr(10)}" for name in ("a", "b", "c", "d", "e", "f"))}
schedule: knockout
budget: {{deals: 2}}
keep: none
isolation: none
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knockout of six, of whom two have a bye in the first round; its records are not kept."""
    folder = tmp_path_factory.mktemp("cup")
    (folder / "cup.yaml").write_text(CONFIGURATION)
    return run_tournament(folder / "cup.yaml", out=folder / "run")


def test_nothing_is_wrong_with_a_knockout_as_it_was_played(run: Path) -> None:
    """Who went on, byes and seeding are worked out again, and all of it is checked but the records."""
    report = audit(run)

    assert report.clean, report.findings
    assert [f"{len(results_of(run))} results have no record: believed, not checked."] == [
        note.removeprefix(f"{run}: ") for note in report.notes
    ]


def test_a_winner_who_was_swapped_is_found_at_the_table_that_follows(run: Path) -> None:
    """The loser of the first table would sit at a later one."""
    results = results_of(run)
    names = set(results[0]["seats"])
    for result in results:
        if set(result["seats"]) == names:
            for field in ("scores", "places"):
                result[field].reverse()
    write_results(run, results)
    later = [one for one in results if set(one["seats"]) & names and set(one["seats"]) != names]

    found = [finding for finding in audit(run).findings if finding.code is FindingCode.SEATS]

    assert (later[0]["id"], ", ".join(later[0]["seats"])) in [(one.record, one.found) for one in found]
    assert not {one["id"] for one in results if set(one["seats"]) == names}.intersection(one.record for one in found)


def test_a_table_of_somebody_who_is_out_is_found(run: Path) -> None:
    """A bye and a place at a table are earned."""
    results = results_of(run)
    final = [one for one in results if one["id"].rpartition(".")[0] == results[-1]["id"].rpartition(".")[0]]
    out = next(name for name in "abcdef" if name not in final[0]["seats"])
    for result in final:
        result["seats"][0] = out
    write_results(run, results)

    assert {final[0]["id"], final[1]["id"]} <= {
        finding.record for finding in audit(run).findings if finding.code is FindingCode.SEATS
    }


def test_another_seeding_gives_other_tables(run: Path) -> None:
    """The order of the entrants is the seeding, and the best seeds have the byes."""
    claim(run, lambda values: values["segments"][0]["fields"][0]["entrants"].reverse())

    assert FindingCode.SEATS in {finding.code for finding in audit(run).findings}


def test_a_final_that_is_missing_is_found(run: Path) -> None:
    """A complete knockout is complete."""
    results = results_of(run)
    write_results(run, results[:-2])

    assert (FindingCode.SCHEDULE, results[-1]["id"]) in [(one.code, one.expected) for one in audit(run).findings]


def test_games_after_the_final_are_found(run: Path) -> None:
    """Nothing else is in a run."""
    results = results_of(run)
    more = [
        results[-1] | {"id": f"explorers-2p.0.000099.{rotation}", "digest": f"{rotation}" * 64} for rotation in (0, 1)
    ]
    write_results(run, [*results, *more])

    assert {more[0]["id"], more[1]["id"]} == {
        one.record for one in audit(run).findings if one.message == "The schedule has no such game."
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda values: values["segments"][0]["fields"][0].update(blocks=11),
            "The knockout of explorers-2p has another number of blocks.",
        ),
        (lambda values: values["segments"][0].update(games=99), "Segment 0 is not as long as its knockout."),
        (lambda values: values["segments"][0].update(deals=0), "Segment 0 is no knockout of explorers-2p."),
        (lambda values: values["segments"][0].pop("deals"), "Segment 0 is no knockout of explorers-2p."),
        (lambda values: values["budget"].update(deals=3), "The knockout has other deals than the budget."),
        (
            lambda values: values.update(void=[{"block": "explorers-2p.0.000099", "why": "fire"}]),
            "A block is void that the knockout has not.",
        ),
    ],
)
def test_a_claim_that_contradicts_a_knockout_is_found(run: Path, change: Callable[[Values], Any], message: str) -> None:
    """Its length and its void blocks follow from entrants, deals and results."""
    claim(run, change)

    assert (FindingCode.RUN_FILE, message) in [(one.code, one.message) for one in audit(run).findings]


def test_a_knockout_under_way_is_interim_and_no_finding(run: Path) -> None:
    """Up to the first results that are missing its tables are known."""
    results = results_of(run)
    first = [one for one in results if one["id"] < "explorers-2p.0.000003"]
    write_results(run, first)
    for name in ("master", "salt"):
        claim(run, lambda values, name=name: values["segments"][0].pop(name))
    claim(run, lambda values: values["segments"][0].update(blocks=10, games=20))
    claim(run, lambda values: (values.update(state="interrupted"), values.pop("finished")))
    (run / "standings.json").unlink()

    report = audit(run)

    assert report.clean, report.findings


def test_results_of_a_knockout_that_make_no_sense_are_no_traceback(run: Path) -> None:
    """Never a traceback."""
    results = results_of(run)
    results[0]["places"] = [1]
    write_results(run, results)

    assert (FindingCode.RUN_FILE, "The knockout cannot be worked out again.") in found_in(run)
