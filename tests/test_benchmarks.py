"""What `make bench` makes of the figures of benchmarks; the figures themselves are no test."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks.costs import TURNS, Cost, cost_of, least_costs
from benchmarks.figures import Better, Measured, goal_text, number_text
from benchmarks.quiet import Noise
from benchmarks.reading import few_of

FOLDER = Path(bench.__file__).parent


def test_every_benchmark_that_is_listed_offers_figures():
    """Read and not imported: some need yardsticks that are not installed here."""
    without = [
        one.name
        for one in bench.BENCHMARKS
        if "figures"
        not in {
            node.name
            for node in ast.parse((FOLDER / f"{one.name}.py").read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef)
        }
    ]

    assert [] == without


@pytest.mark.parametrize(
    ("value", "better", "is_met"),
    [(2.0, Better.MORE, True), (1.9, Better.MORE, False), (2.0, Better.LESS, True), (2.1, Better.LESS, False)],
)
def test_a_goal_is_met_from_its_own_value_on(value, better, is_met):
    figure = Measured(name="speed", value=value, unit="times", goal=2.0, better=better)

    assert is_met is figure.is_met


def test_what_was_not_measured_meets_and_misses_nothing():
    assert None is Measured(name="speed", value=None, unit="times", goal=2.0).is_met


def test_numbers_show_three_digits():
    assert ["-", "0.0123", "0.12", "12.3", "1,234"] == [
        number_text(one) for one in (None, 0.01234, 0.1234, 12.34, 1234.4)
    ]


def test_a_goal_says_its_direction():
    figure = Measured(name="memory", value=1.0, unit="MB", goal=300, better=Better.LESS)

    assert "at most 300" == goal_text(figure)


def test_a_benchmark_that_fails_is_told_in_the_table(monkeypatch):
    """And never ends the run: figures of others would be lost."""
    monkeypatch.setattr(bench, "look", lambda when: None)
    report = bench.measure([bench.Benchmark("no_such_module", is_on_one_core=False)], 10)

    assert "not measured: ModuleNotFoundError" in bench.text_of(report)


def test_figures_of_a_time_that_was_not_quiet_are_marked():
    noise = Noise(when="rules", seconds=1.0, load_average=3.0, others_cores=0.5, stolen_cores=0.0)
    figure = Measured(name="speed", value=2.0, unit="times")
    told = bench.Told(benchmark="rules", figure=figure, is_met=None, is_quiet=noise.is_quiet)
    report = bench.Report(
        version="1", python="3", machine="any", cores=2, games=10, seconds=1.0, noise=(noise,), figures=(told,)
    )

    assert "~2.00" in bench.text_of(report)
    assert "NOT QUIET" in bench.text_of(report)


def test_the_memory_of_a_command_is_its_own():
    """Linux counts that of the process which starts it, too: here far more than the command needs."""
    ours = bytearray(b"x" * 200_000_000)

    assert cost_of("--version").peak_mb < len(ours) / 1_000_000


def test_measurements_that_are_compared_take_turns_and_the_fastest_of_each_counts():
    order = []

    def measuring(name, seconds):
        def measure():
            order.append(name)
            return Cost(seconds + order.count(name) % 2, seconds, peak_mb=order.count(name))

        return measure

    costs = least_costs([measuring("start", 0.5), measuring("many", 1.5)])

    assert ["start", "many"] * TURNS == order
    assert [Cost(0.5, 0.5, TURNS), Cost(1.5, 1.5, TURNS)] == costs


def test_what_takes_seconds_is_measured_once():
    taken = iter([Cost(60.0, 30.0, 100.0)])

    assert [Cost(60.0, 30.0, 100.0)] == least_costs([lambda: next(taken)])


def test_many_games_are_compared_with_a_tenth_of_them_or_with_2_500():
    assert [10_000, 2_500, 2_500, 250] == [few_of(most) for most in (100_000, 25_000, 10_000, 1_000)]


def test_a_command_that_fails_has_no_cost():
    with pytest.raises(RuntimeError, match="ended with 2"):
        cost_of("nonsense")
