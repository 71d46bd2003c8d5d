"""Frames as text, and `tournament replay` where there is no terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from made_records import illegal_fault, random_record, sealed, short_record
from msgspec import Struct, structs
from rich.text import Text
from typer.testing import CliRunner

from tournament.cli.replay import replay_command
from tournament.errors import RecordError, UsageError
from tournament.games import BUILT_IN, parts_of
from tournament.games.parts import OffersPage, OffersText
from tournament.records.codec import format_record
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of
from tournament.viewer.text import draw_frame, draw_header, draw_scene, draw_scores, scene_of

SCOUT = short_record("scout", 3, seed=1, faults=[illegal_fault(7, 1)])
EXPLORERS = short_record("explorers", 2, seed=5)

app = typer.Typer()
app.command("replay")(replay_command)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs `tournament replay` on a record and returns what it prints."""
    monkeypatch.setenv("COLUMNS", "80")

    def invoke(record, *flags):
        file = tmp_path / "game.json"
        file.write_bytes(format_record(record))
        return CliRunner().invoke(app, [str(file), *flags])

    return invoke


@pytest.mark.parametrize("record", [SCOUT, EXPLORERS], ids=["scout", "explorers"])
@pytest.mark.parametrize("flags", [(), ("--seat", "1"), ("--public",)], ids=["all", "seat1", "public"])
def test_plain_output_is_as_kept(record, flags, run, snapshot):
    """`--plain` prints every step; of the limited views the first twenty are kept."""
    last = 20 if flags else len(record.moves)
    shown = run(record, "--plain", *flags, "--to", str(last))
    name = "-".join(["plain", record.game.name, *(flag.strip("-") for flag in flags)])

    assert 0 == shown.exit_code
    assert last + 1 == shown.stdout.count("\n--- step ")
    snapshot(f"{name}.txt", shown.stdout)


def test_some_steps_are_printed(run):
    """`--from` and `--to`, both ends included; without a terminal as with `--plain`."""
    shown = run(EXPLORERS, "--from", "3", "--to", "5")

    assert ["3", "4", "5"] == [line.split()[2] for line in shown.stdout.splitlines() if line.startswith("--- step")]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--to", "9999"], "--to 9999: explorers-2p.0.000000.0 has the steps 0 to "),
        (["--from", "-1"], "--from -1: explorers-2p.0.000000.0 has the steps 0 to "),
        (["--from", "5", "--to", "4"], "--from 5 comes after --to 4"),
        (["--seat", "2"], "has no seat 2: its seats are 0 to 1"),
        (["--seat", "1", "--public"], "exclude each other. Give one."),
    ],
)
def test_words_that_do_not_fit_are_refused(flags, message, run):
    """A clear sentence, as every error of a user."""
    error = run(EXPLORERS, *flags).exception

    assert isinstance(error, UsageError)
    assert message in str(error)


def test_a_broken_record_is_printed_up_to_the_break_and_then_explained(run):
    """Models 4b, 12."""
    moves = (*EXPLORERS.moves[:4], EXPLORERS.moves[0], *EXPLORERS.moves[5:])
    shown = run(sealed(structs.replace(EXPLORERS, moves=moves)))

    assert 5 == shown.stdout.count("\n--- step ")
    assert isinstance(shown.exception, RecordError)
    assert "step 5: expected a legal action of seat 0, found" in str(shown.exception)


def test_a_record_of_an_unknown_game_says_who_played(run):
    """As much as can be shown without the rules."""
    other = structs.replace(EXPLORERS, game=structs.replace(EXPLORERS.game, name="unheard-of"))
    shown = run(other)

    assert "unheard-of, 2 players: game explorers-2p.0.000000.0" == shown.stdout.splitlines()[0]
    assert "Place 1: " in shown.stdout
    assert isinstance(shown.exception, RecordError)


def test_colour_says_nothing_that_the_text_does_not():
    """Card faces, marks and who is next are readable without colour, and lines fit 80 columns."""
    frames = frames_of(Replay.from_record(random_record("scout", 5, seed=3)))
    for step in range(0, len(frames), 40):
        drawn = Text("\n").join(draw_scene(scene_of(frames[step], frames.header, ALL)))

        assert all(line.cell_len <= 80 for line in drawn.split("\n"))
        assert frames[step].to_move is None or f"▶{' ' if frames[step].actor != frames[step].to_move else '*'}" in drawn


def test_nothing_is_coloured_where_nobody_wants_it(run):
    """No escape sequences where there is no terminal."""
    assert "\x1b" not in run(SCOUT).stdout


def test_the_card_just_scouted_is_marked_in_the_hand_of_its_seat():
    """Models 4b, 6: highlight of the last action; others see the card leave, not where it went."""
    frames = frames_of(Replay.from_record(SCOUT))
    step = next(index for index, move in enumerate(SCOUT.moves, start=1) if type(move).__name__ == "ScoutMove")
    move, frame = SCOUT.moves[step - 1], frames[step]
    card = frame.seen[Audience(seat=move.seat)].view.hand[move.at]
    marked = f"*{card.partition('/')[0]:>2}"

    assert marked in plain(frame, frames.header, ALL)
    assert marked in plain(frame, frames.header, Audience(seat=move.seat))
    assert marked not in plain(frame, frames.header, PUBLIC)


def test_a_card_drawn_from_the_stock_is_marked_for_its_seat_only():
    """Explorers 15."""
    frames = frames_of(Replay.from_record(EXPLORERS))
    drawn = frames[2].seen[Audience(seat=0)].view.hand[-1]

    assert "stock" == EXPLORERS.moves[1].source
    assert f"*{drawn}" in plain(frames[2], frames.header, ALL)
    assert f"*{drawn}" in plain(frames[2], frames.header, Audience(seat=0))
    assert f"*{drawn}" not in plain(frames[2], frames.header, Audience(seat=1))
    assert f"*{drawn}" not in plain(frames[2], frames.header, PUBLIC)


def test_long_names_leave_room_for_the_points():
    """Names and scores are always visible."""
    names = tuple(f"{letter}" * 64 for letter in "abcde")
    frames = frames_of(Replay.from_record(random_record("scout", 5, seed=3, names=names)))
    line = draw_scores(scene_of(frames[-1], frames.header, ALL, width=78)).plain

    assert len(line) <= 78
    for seat, score in enumerate(frames[-1].reading.scores):
        assert f"{seat} {'abcde'[seat]}" in line
        assert f"… {score}" in line


class TalkingView:
    """A view with a text of its own."""

    game = "token"

    def __str__(self):
        return "the tower is\nthree high"


class TokenView(Struct):
    """The view of a game that is not built in."""

    token: int
    game: str = "token"


@pytest.mark.parametrize(("view", "expected"), [(TokenView(3), '"token": 3'), (TalkingView(), "the tower is\nthree")])
def test_a_game_that_is_not_built_in_is_drawn_from_its_view(view, expected):
    """Third-party games work: their own text, or their values as JSON."""
    frames = frames_of(Replay.from_record(EXPLORERS))
    frame = frames[1]
    seen = {audience: structs.replace(one, view=view) for audience, one in frame.seen.items()}
    header = structs.replace(frames.header, game="token")
    drawn = plain(structs.replace(frame, seen=seen), header, ALL)

    assert expected in drawn
    assert "as seat 1 sees it" in drawn
    assert "alpha" in drawn


def test_the_header_names_options_that_are_not_usual():
    """A reader sees what rules were played."""
    record = random_record("explorers", 2, seed=1, options={"stall_limit": None, "move_limit": 30})
    header = draw_header(frames_of(Replay.from_record(record)).header, ALL).plain

    assert "options: stall_limit null, move_limit 30" in header
    assert "options" not in draw_header(frames_of(Replay.from_record(EXPLORERS)).header, ALL).plain


def test_no_bot_is_loaded_to_show_a_game():
    """Showing a game never runs a bot: nothing that plays is imported."""
    code = (
        "import sys, tournament.viewer.text, tournament.viewer.terminal, tournament.cli.replay\n"
        "print([name for name in sys.modules if name.startswith("
        "('tournament.players', 'tournament.referee', 'tournament.run'))])"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == seen.stdout.strip()


def plain(frame, header, audience):
    """Returns a drawn frame as bare text."""
    return draw_frame(frame, header, audience).plain


def test_every_built_in_game_has_its_drawing():
    """Neither built-in falls back to the general one."""
    drawn = {
        name for name in BUILT_IN if isinstance(parts_of(name), OffersText) and isinstance(parts_of(name), OffersPage)
    }

    assert set(BUILT_IN) == drawn
