"""Comparisons and gates: equal bots, a clearly better one, and too few games."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.records.misfits import check_valid


def call(*words):
    """Calls the command; returns its result, the text as one line each paragraph."""
    return CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "400"})


@pytest.fixture(scope="module")
def files(made, tmp_path_factory):
    """Three files: equal bots, a clearly better one, and too few games."""
    folder = tmp_path_factory.mktemp("compared")
    return {
        "equal": made.write(folder / "equal.jsonl", made.field(["Ann", "Bob"], players=2, blocks=40, spread=0)),
        "clear": made.write(
            folder / "clear.jsonl", made.field(["Ann", "Bob"], players=2, blocks=60, spread=9, forfeit_in=(7,))
        ),
        "few": made.write(folder / "few.jsonl", made.field(["Ann", "Bob"], players=2, blocks=6, spread=9)),
    }


def test_a_clear_difference_is_claimed_in_plain_words(files):
    """Difference with interval, probability that A is better, claimed or not."""
    paragraph = call("compare", files["clear"], "--bots", "Bob", "Ann").stdout.splitlines()[0]

    assert re.match(r"Bob is ahead of Ann by 0\.\d{3} ± 0\.\d{3} points in scout-2p", paragraph)
    assert "chosen before looking at the results, Bob is better with a probability of over 99.9 %." in paragraph
    assert "the probability is over 99.9 %. A claim needs 95 %, so the difference is claimed." in paragraph


def test_who_is_named_first_does_not_change_who_is_ahead(files):
    """One paragraph, from whichever side it is asked for."""
    one, other = (call("compare", files["clear"], "--bots", *pair).stdout for pair in (("Ann", "Bob"), ("Bob", "Ann")))

    assert one.splitlines()[0] == other.splitlines()[0]


def test_equal_bots_are_not_told_apart_and_the_deals_to_decide_are_said(files):
    """About how many more deals to decide."""
    paragraph = call("compare", files["equal"], "--bots", "Ann", "Bob").stdout.splitlines()[0]

    assert "they are statistically tied" in paragraph
    assert re.search(r"About [\d,]+ more deals of each group would decide", paragraph)


def test_too_few_games_are_said_to_be_too_few(files):
    """Under 10 deals nothing is claimed."""
    paragraph = call("compare", files["few"], "--bots", "Ann", "Bob").stdout.splitlines()[0]

    assert "These are too few games to say more: 6 deals so far" in paragraph
    assert "%" not in paragraph


def test_the_comparison_is_as_kept(small, snapshot):
    """A paragraph, then the numbers by group, seat and opponent."""
    result = CliRunner().invoke(app, ["compare", str(small), "--bots", "Cyd", "Bob"], env={"COLUMNS": "80"})

    snapshot("compare.txt", result.stdout)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--bots", "Ann", "Bub"], 'Did you mean "Bob"?'),
        (["--bots", "Ann", "Ann"], "given twice"),
        ([], "Give two bots"),
    ],
)
def test_what_cannot_be_compared_is_refused(files, words, message):
    """Expected, found, and what to do."""
    assert message in str(call("compare", files["equal"], *words).exception)


@pytest.mark.parametrize(
    ("results", "new", "words", "code", "reason"),
    [
        ("clear", "Bob", ["--max-faults", "1%"], 0, "Gate passed: Bob for Ann"),
        ("clear", "Bob", ["--max-faults", "0.1%"], 1, "Bob has more faults than are allowed."),
        ("clear", "Ann", ["--max-faults", "1%"], 1, "The probability that Ann is better is below what is asked for."),
        ("few", "Bob", [], 1, "There are too few games to say which is better."),
    ],
)
def test_the_exit_code_of_a_gate_is_its_verdict(files, results, new, words, code, reason):
    """Exit code as verdict, Markdown block for a pull request."""
    old = "Ann" if new == "Bob" else "Bob"
    shown = call("gate", files[results], "--new", new, "--old", old, *words)

    assert code == shown.exit_code
    assert reason in shown.stdout


@pytest.mark.parametrize("allowed", ["1%", "0.1%"])
def test_a_gate_lists_the_points_in_one_form_whether_it_passes_or_not(files, allowed):
    """The line of points is the first of a list, even where nothing follows it."""
    shown = call("gate", files["clear"], "--new", "Bob", "--old", "Ann", "--max-faults", allowed).stdout

    assert "\n- Points (group scout-2p): Bob 0.804" in shown


def test_a_gate_is_markdown_as_kept(files, snapshot):
    """A block to paste."""
    snapshot("gate.md", call("gate", files["clear"], "--new", "Bob", "--old", "Ann").stdout)


def test_a_gate_says_the_same_in_json(files):
    """For programs."""
    verdict = json.loads(call("gate", files["clear"], "--new", "Bob", "--old", "Ann", "--json").stdout)

    assert verdict["passed"] is False
    assert 1 == verdict["faults"]
    assert ["Bob has more faults than are allowed."] == verdict["failures"]


@pytest.mark.parametrize("results", ["clear", "few"])
@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("comparison-bots.v2", ["compare", "RESULTS", "--bots", "Ann", "Bob"]),
        ("comparison-runs.v2", ["compare", "RESULTS", "RESULTS"]),
        ("gate.v2", ["gate", "RESULTS", "--new", "Ann", "--old", "Bob"]),
    ],
)
def test_comparisons_and_gates_in_json_fit_their_schemas(files, tmp_path, results, schema, words):
    """Every JSON output has its schema, and `validate` finds it by the format in the file."""
    printed = call(*(files[results] if word == "RESULTS" else word for word in words), "--json").stdout
    check_valid(schema, json.loads(printed), words[0])
    cut = tmp_path / "cut.json"
    cut.write_text(printed.replace('"interim"', '"interims"'))

    assert 'interims" is not known here' in call("validate", cut).stdout


def test_comparisons_of_several_games_fit_their_schemas(small):
    """Seats, opponents and a championship, too."""
    check_valid(
        "comparison-bots.v2", json.loads(call("compare", small, "--bots", "Cyd", "Bob", "--json").stdout), "compare"
    )
    check_valid("comparison-runs.v2", json.loads(call("compare", small, small, "--json").stdout), "compare")


@pytest.fixture(scope="module")
def apart(made, tmp_path_factory):
    """Two files without a common bot, and a gauntlet of N about O, its copy, and a bot that always loses."""
    folder = tmp_path_factory.mktemp("apart")
    strong, weak = (made.field(names, players=2, blocks=40) for names in (["Ann", "Bob"], ["Cyd", "Dan"]))
    pairs = [("N", "O", 0)] * 20 + [("N", "p", 90)] * 20
    gauntlet = []
    for block, (one, other, lead) in enumerate(pairs):
        scores = {one: 5 + lead + (0, 1, 0, -1)[block % 4], other: 5}
        for rotation, seats in enumerate(((one, other), (other, one))):
            row = [scores[name] for name in seats]
            gauntlet.append(made.record(seats, row, block=block, rotation=rotation))
    return {
        "strong": made.write(folder / "strong.jsonl", strong),
        "weak": made.write(folder / "weak.jsonl", weak),
        "gauntlet": made.write(folder / "gauntlet.jsonl", gauntlet),
    }


def test_bots_that_never_met_are_not_compared(apart):
    """Two runs without a common bot: it is said, with what to play; the gate has an exit code for it."""
    words = ("--bots", "Cyd", "Bob")
    paragraph = call("compare", apart["strong"], apart["weak"], *words).stdout.splitlines()[0]
    values = json.loads(call("compare", apart["strong"], apart["weak"], *words, "--json").stdout)
    gate = call("gate", apart["strong"], apart["weak"], "--new", "Cyd", "--old", "Bob")

    assert paragraph.startswith("Cyd and Bob are not comparable in scout-2p: they never met, and no chain")
    assert "Play at least 30 deals at tables where both sit." in paragraph
    check_valid("comparison-bots.v2", values, "compare")
    assert ("not comparable", None) == (values["overall"]["basis"], values["overall"]["comparison"])
    assert 8 == gate.exception.exit_code
    assert "they never met" in str(gate.exception)


def test_standings_of_runs_that_never_met_have_two_parts(apart):
    """Each with its own first, in the table and in the CSV."""
    text = call("standings", apart["strong"], apart["weak"]).stdout
    rows = call("standings", apart["strong"], apart["weak"], "--format", "csv").stdout.splitlines()

    assert "scout-2p: 160 games on 40 deals, no faults, ranked by rating" in text
    assert "part  place" in text
    assert ["1", "1", "2", "2"] == [row.split(",")[11] for row in rows[1:]]
    assert "Nothing at all joins Ann, Bob with Cyd, Dan: they are ranked apart." in text


def test_a_gauntlet_is_compared_by_rating_and_says_so(apart):
    """What the difference is one of, and that points do not compare the two."""
    text = call("compare", apart["gauntlet"], "--bots", "N", "O").stdout
    gate = call("gate", apart["gauntlet"], "--new", "N", "--old", "O")

    assert "rating points in scout-2p. They did not meet the same opponents, so ratings compare them" in text
    assert re.search(r"scout-2p .* ratings ", text)
    assert 1 == gate.exit_code
    assert "Ratings (group scout-2p): difference" in gate.stdout
