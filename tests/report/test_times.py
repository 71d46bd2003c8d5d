"""The time bots took, as `standings --show times` has it."""

from __future__ import annotations

import csv
import json

import pytest
from made_runs import small_run
from msgspec import structs
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.records.results import (
    CLOCKS_FILE,
    RESULTS_FILE,
    SPREAD_STEPS,
    ResultLine,
    format_result,
    spread_bound_ms,
    spread_step,
)
from tournament.report.facts import LEGEND, TIME_HEADERS, TimeFact, read_times, time_parts, times_of_runs


def shown(*words):
    """Returns what the command prints."""
    return CliRunner().invoke(app, ["standings", *map(str, words)], env={"COLUMNS": "120"}).stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A finished run of both games."""
    return small_run(tmp_path_factory.mktemp("runs"))


def result(number, seats, *, segment=0):
    """Returns the result of a game of a group of two."""
    return ResultLine(
        id=f"scout-2p.{segment}.000000.{number}",
        seats=seats,
        scores=(1, 2),
        places=(2, 1),
        ending="complete",
        digest="0" * 64,
    )


IDLE = {"moves": 0, "total_ms": 0.0, "longest_ms": 0.0}


def test_median_mean_and_longest_are_of_moves(tmp_path):
    """Time per move: the mean over moves, the median over games, the longest of all."""
    seats = [
        [{"moves": moves, "total_ms": total, "longest_ms": total}] for moves, total in ((1, 9.0), (2, 2.0), (7, 7.0))
    ]
    lines = [json.dumps({"id": f"scout-2p.0.000000.{number}", "seats": own}) for number, own in enumerate(seats)]
    (tmp_path / CLOCKS_FILE).write_text("\n".join([*lines, '{"id": "torn']))
    [time] = read_times([(tmp_path, [result(number, ("Ann", "Bob")) for number in range(3)])])

    assert ("scout-2p", "Ann", 3, 10) == (time.group, time.entrant, time.games, time.moves)
    assert (1.8, 1.0, 9.0, None) == (time.mean_ms, time.median_ms, time.longest_ms, time.bank_ms)


def test_quantiles_are_of_all_moves_and_too_high_by_one_step_at_most(tmp_path):
    """Each move is counted by what it took, game after game."""
    taken_ns = [20_000 * number for number in range(1, 101)]
    lines = []
    for number in range(2):
        own = taken_ns[50 * number : 50 * number + 50]
        spread = [0] * SPREAD_STEPS
        for one in own:
            spread[spread_step(one)] += 1
        clock = {"moves": 50, "total_ms": sum(own) / 1e6, "longest_ms": max(own) / 1e6, "spread": spread}
        lines.append(json.dumps({"id": f"scout-2p.0.000000.{number}", "seats": [clock]}))
    (tmp_path / CLOCKS_FILE).write_text("\n".join(lines) + "\n")
    [time] = read_times([(tmp_path, [result(number, ("Ann", "Bob")) for number in range(2)])])

    for found, exact in ((time.half_ms, 1.0), (time.most_ms, 1.8), (time.nearly_all_ms, 1.98)):
        assert exact <= found <= 1.4143 * exact
    assert time.nearly_all_ms <= time.longest_ms


def test_a_run_that_did_not_count_moves_by_time_has_no_quantiles(tmp_path):
    """As those of 0.1.0."""
    seats = [{"moves": 1, "total_ms": 9.0, "longest_ms": 9.0}]
    (tmp_path / CLOCKS_FILE).write_text(json.dumps({"id": "scout-2p.0.000000.0", "seats": seats}) + "\n")
    [time] = read_times([(tmp_path, [result(0, ("Ann", "Bob"))])])

    assert (None, None, None) == (time.half_ms, time.most_ms, time.nearly_all_ms)


@pytest.mark.parametrize("taken_ns", [0, 1, 8191, 8192, 11585, 11586, 16384, 10**6, 10**9, 10**12])
def test_a_move_is_counted_at_the_first_step_whose_bound_it_is_under(taken_ns):
    step = spread_step(taken_ns)

    assert taken_ns < 1e6 * spread_bound_ms(step)
    assert step == 0 or taken_ns >= 1e6 * spread_bound_ms(step - 1)


def test_a_move_of_days_is_counted_at_the_last_step():
    assert SPREAD_STEPS - 1 == spread_step(10**15)


def test_a_bot_without_a_move_has_no_mean(tmp_path):
    """No nan: what cannot be told is absent."""
    (tmp_path / CLOCKS_FILE).write_text(json.dumps({"id": "scout-2p.0.000000.0", "seats": [IDLE, IDLE]}) + "\n")
    times = list(read_times([(tmp_path, [result(0, ("Ann", "Bob"))])]))

    assert [(None, None, 0.0)] * 2 == [(time.mean_ms, time.median_ms, time.longest_ms) for time in times]


def test_times_are_a_table_for_each_group_of_a_run(run):
    """A further table, when asked for; the standings themselves know no time."""
    text = shown(run, "--show", "times")

    assert "scout-3p, milliseconds, measured outside the bots" in text
    assert "explorers-2p, milliseconds, measured outside the bots" in text
    assert "milliseconds" in shown(run, "--all")
    assert "milliseconds" not in shown(run)
    assert "_ms" not in shown(run, "--json", "--all")


def test_times_alone_say_what_their_columns_are_and_nothing_of_intervals(run):
    """No ranking is shown, so what to mind of one is not said; whom they are without is."""
    text = shown(run, "--show", "times", "--without", "cautious")

    assert LEGEND in " ".join(text.split())
    assert "Too few deals" not in text
    assert "Without the tables of cautious." in text
    assert "Too few deals" in shown(run)


def test_the_table_of_times_has_the_columns_of_its_csv():
    """Among them what was left of a bank, which only a clock gives."""
    facts = TimeFact(
        group="g", entrant="Ann", games=2, moves=9, mean_ms=1.0, median_ms=2.0, longest_ms=3.0, bank_ms=40.0
    )
    part, _ = time_parts([facts, structs.replace(facts, entrant="Bob", bank_ms=None)])

    assert ("Ann", "2.00", "1.00", "3.00", "40.00", "9", "2") == part.rows[0]
    assert ("Bob", "2.00", "1.00", "3.00", "", "9", "2") == part.rows[1]
    assert len(TIME_HEADERS) - 1 == len(part.columns) == len(part.rows[0])  # the group is the title


def test_times_are_csv_too(run):
    """Numbers in full, for a spreadsheet."""
    rows = list(csv.DictReader(shown(run, "--show", "times", "--format", "csv").splitlines()))

    assert {"scout-3p", "explorers-2p"} == {row["group"] for row in rows}
    assert all(float(row["median_ms"]) <= float(row["longest_ms"]) for row in rows)


def test_times_leave_out_the_tables_that_the_standings_leave_out(run):
    """--without: the same games in both tables."""
    words = (run, "--without", "cautious", "--format", "csv")
    ranked = csv.DictReader(shown(*words).splitlines())
    timed = list(csv.DictReader(shown(*words, "--show", "times").splitlines()))

    assert {(row["entrant"], row["games"]) for row in ranked} == {(row["entrant"], row["games"]) for row in timed}
    assert {"explorers-2p"} == {row["group"] for row in timed}


def test_times_are_of_one_segment_alone_when_asked_for(tmp_path):
    """As the standings beside them."""
    played = [result(0, ("Ann", "Bob")), result(0, ("Ann", "Cyd"), segment=1)]
    (tmp_path / RESULTS_FILE).write_bytes(b"".join(format_result(one) + b"\n" for one in played))
    lines = [json.dumps({"id": one.id, "seats": [IDLE, IDLE]}) + "\n" for one in played]
    (tmp_path / CLOCKS_FILE).write_text("".join(lines))

    assert {"Ann": 2, "Bob": 1, "Cyd": 1} == {time.entrant: time.games for time in times_of_runs([tmp_path])}
    assert {"Ann": 1, "Cyd": 1} == {time.entrant: time.games for time in times_of_runs([tmp_path], segment=1)}


def test_files_of_records_have_no_times(small):
    """Records are the same bytes wherever they are played: no time is in them."""
    assert shown(small, "--show", "times").startswith("No times were kept.")
    assert "milliseconds" not in shown(small, "--all")
