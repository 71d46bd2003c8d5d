"""An analysis beside a replay: in words, as a graph of letters, and in the terminal viewer."""

from __future__ import annotations

import pytest
from made_analyses import made_analysis
from made_records import illegal_fault, short_record
from msgspec import structs
from textual.widgets import Static
from walking import screen_text, walk

from tournament.cli.app import app as command
from tournament.errors import UsageError
from tournament.records.codec import format_record
from tournament.replaying.positions import Replay
from tournament.store.analyses import write_analysis
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of
from tournament.viewer.judgement import Judgement
from tournament.viewer.terminal import Graph, ReplayApp, Timeline
from tournament.viewer.timeline import draw_graph

SCOUT = short_record("scout", 3, seed=1, faults=[illegal_fault(7, 1)])
SEATS = [move.seat for move in SCOUT.moves]
STEPS = [SEATS.index(seat, 4) for seat in range(3)]
"""Of each seat the first decision from step 4 on, which costs something."""

COSTS = dict(zip(STEPS, ((3.0, 1.0), (2.0, 2.5), (5.0, 0.5)), strict=True))
ANALYSIS = made_analysis(SCOUT, costs=COSTS)


def judgement(analysis=ANALYSIS, audience=ALL):
    """Returns what an analysis says to the frames of an audience, and these."""
    frames = frames_of(Replay.from_record(SCOUT), audience)
    return Judgement(analysis, frames), frames


def viewer(analysis=ANALYSIS, audience=ALL):
    """Returns the terminal viewer with an analysis."""
    judged, frames = judgement(analysis, audience)
    return ReplayApp(frames, judged)


def test_a_seat_is_told_of_its_own_decisions_and_the_public_of_none():
    """Words tell of a hand: only who may know it is told."""
    judged, _ = judgement()
    told = {
        audience: [step for step in range(len(SEATS)) if judged.words(step, audience)]
        for audience in (ALL, PUBLIC, Audience(seat=1))
    }

    assert {
        ALL: list(range(len(SEATS))),
        PUBLIC: [],
        Audience(seat=1): [step for step, seat in enumerate(SEATS) if seat == 1],
    } == told
    assert [(0, 1, 2), (), (1,)] == [judged.seats(audience) for audience in (ALL, PUBLIC, Audience(seat=1))]


def test_costs_are_told_in_words_and_those_that_may_be_chance_as_such():
    """What it cost, and what was better."""
    judged, _ = judgement()
    sure, perhaps, nothing = (judged.words(step, ALL) for step in (STEPS[0], STEPS[1], 0))

    assert sure.startswith(
        f"alpha chose play {STEPS[0]}. Cost 3.0 ± 1.0: better was better than {STEPS[0]}. Expected was a"
    )
    assert "Cost 2.0 ± 2.5, which may be chance: better was" in perhaps
    assert "Nothing better was found: expected was a margin of" in nothing


def test_what_a_file_says_cannot_steer_a_terminal():
    """Words of an analysis come from a file."""
    judged, _ = judgement(made_analysis(SCOUT, costs={}, words="\x1b[2J{step}"))

    assert "chose \\x1b[2J0." in judged.words(0, ALL)


def test_frames_of_somebody_of_whom_nothing_is_said_are_refused():
    """The public, or a seat that was not judged."""
    for audience, said in (
        (PUBLIC, "nothing for public"),
        (Audience(seat=1), "nothing for seat 1: it judges .* of seat 0,"),
    ):
        with pytest.raises(UsageError, match=said):
            judgement(made_analysis(SCOUT, costs={}, seats=[0]), audience)


def test_the_graph_has_a_line_a_seat_below_and_above_zero_and_the_step():
    """Each line is drawn with the number of its seat: nothing depends on colour."""
    judged, frames = judgement()
    last = len(frames) - 1
    lines = [line.plain for line in draw_graph(judged, ALL, step=0, last=last, columns=60, rows=7)]
    alone = [line.plain for line in draw_graph(judged, Audience(seat=2), step=last, last=last, columns=60, rows=7)]

    assert {66} == {len(line) for line in lines}
    assert ["   +6", "    0", "   -6"] == [lines[row][:5] for row in (0, 3, 6)]
    assert "2" in lines[0]
    assert "2" in lines[6]
    assert {"0", "1", "2"} <= set("".join(line[6:] for line in lines))
    assert {"0", "1"}.isdisjoint("".join(line[6:] for line in alone))
    assert "│" == alone[6][-1]


@pytest.mark.parametrize(
    ("keys", "size", "name"),
    [
        (["c"], (80, 24), "judged"),
        (["2", "c"], (80, 24), "judged-seat2"),
        (["C", "end", "C"], (130, 40), "judged-wide"),
    ],
    ids=["all", "seat", "wide"],
)
def test_the_screen_with_an_analysis_is_as_kept(keys, size, name, snapshot):
    """A graph in the terminal viewer."""

    async def script(pilot):
        await pilot.press(*keys)
        await pilot.pause()

        snapshot(f"terminal-{name}.txt", screen_text(pilot.app))

    walk(viewer(), script, size=size)


def test_keys_lead_to_the_costly_moves_of_whom_is_shown():
    """Keys c and C: of all seats, of one, and nowhere in the public view."""

    async def script(pilot):
        stops = {}
        for view, back in (("a", "C"), ("1", "C"), ("p", "C")):
            pilot.app.go_to(0)
            await pilot.press(view, "c", "c", "c", "c")
            there = pilot.app.step
            await pilot.press(back)
            stops[view] = (there, pilot.app.step)

        steps = sorted(STEPS)
        assert {"a": (steps[2], steps[1]), "1": (STEPS[1], STEPS[1]), "p": (0, 0)} == stops

    walk(viewer(), script)


def test_costly_moves_are_marked_on_the_line_of_steps_by_how_sure_they_are():
    """▼, and ▽ where it may be chance; only those of the view."""

    async def script(pilot):
        line = pilot.app.query_one(Timeline)
        marks = {}
        for view in ("a", "0", "1", "p"):
            await pilot.press(view)
            marks[view] = [char for char in line.render().plain if char in "▼▽"]

        assert {"▼": 2, "▽": 1} == {char: marks["a"].count(char) for char in marks["a"]}
        assert (["▼"], ["▽"], []) == (marks["0"], marks["1"], marks["p"])

    walk(viewer(), script)


def test_a_click_on_the_graph_goes_there():
    """As on the line of steps."""

    async def script(pilot):
        graph = pilot.app.query_one(Graph)
        await pilot.click(Graph, offset=(graph.size.width, 1))
        assert len(SCOUT.moves) == pilot.app.step
        await pilot.click(Graph, offset=(2, 1))
        assert 0 == pilot.app.step

    walk(viewer(), script)


def test_without_an_analysis_the_keys_for_costly_moves_do_nothing():
    """And neither the footer nor the help names them."""

    async def script(pilot):
        await pilot.press("c")
        assert 0 == pilot.app.step
        assert "▼" not in screen_text(pilot.app)
        await pilot.press("question_mark")
        assert "costly" not in screen_text(pilot.app)

    walk(ReplayApp(frames_of(Replay.from_record(SCOUT))), script)


def test_the_help_names_the_keys_for_costly_moves_and_their_marks():
    """One table of keys."""

    async def script(pilot):
        await pilot.press("question_mark")
        await pilot.pause()
        text = str(pilot.app.screen.query_one(Static).render())

        assert "c  next costly move" in text
        assert "▼ costly move, ▽ one whose cost may be chance." in text

    walk(viewer(), script)


def test_plain_says_of_every_step_what_the_decision_cost(tmp_path):
    """`tournament replay --plain --analysis`: for grep and screen readers, no drawing."""
    from typer.testing import CliRunner

    (tmp_path / "game.json").write_bytes(format_record(SCOUT))
    write_analysis(ANALYSIS, tmp_path / "judged.json")
    words = ["replay", str(tmp_path / "game.json"), "--plain", "--analysis", str(tmp_path / "judged.json")]
    text = CliRunner().invoke(command, words).stdout
    own = CliRunner().invoke(command, [*words, "--seat", "2"]).stdout

    assert len(SEATS) == text.count(" chose play ")
    assert SEATS.count(2) == own.count(" chose play ")
    assert f"The costliest moves, the surest first: step {STEPS[2]} (gamma, 5.0 ± 0.5)." in own
    assert "Judged in 200 worlds a decision, a_guide playing on: " in text


def test_the_costliest_moves_are_listed_the_surest_first_and_what_may_be_chance_as_such():
    """As `tournament analyse` has them: by the low end of the interval, not in the order of the game."""
    judged, _ = judgement()
    first, perhaps, last = STEPS

    assert (
        "The costliest moves of each seat, the surest first: "
        f"step {last} (gamma, 5.0 ± 0.5); step {first} (alpha, 3.0 ± 1.0); "
        f"step {perhaps} (beta, 2.0 ± 2.5, which may be chance)."
    ) == judged.list_costly(ALL)


def test_an_analysis_of_another_game_is_refused_by_the_command(tmp_path):
    """`tournament replay --analysis`: the digest must be that of the record."""
    from typer.testing import CliRunner

    (tmp_path / "game.json").write_bytes(format_record(SCOUT))
    write_analysis(structs.replace(ANALYSIS, digest="0" * 64), tmp_path / "judged.json")
    words = ["replay", str(tmp_path / "game.json"), "--plain", "--analysis", str(tmp_path / "judged.json")]

    assert "Judge it anew" in str(CliRunner().invoke(command, words).exception)
