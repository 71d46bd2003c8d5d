"""A person at the table: what they are shown and may answer, and the record of their game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.widgets import OptionList, Static
from typer.testing import CliRunner

from tournament.audit import audit
from tournament.cli.commands import app
from tournament.errors import Interrupted
from tournament.games import load_game
from tournament.lab.guides import Guide, Seating, entrants_for
from tournament.lab.person import NO_UNDO, PERSON, LeftTable, play_with_person
from tournament.lab.plain import PlainFace
from tournament.lab.screen import TableApp
from tournament.records.codec import format_record
from tournament.records.hosting import Hosting, Isolation
from tournament.records.paths import data_folder
from tournament.records.read import find_record, parse_reference
from tournament.replay import replay

INLINE = Hosting(isolation=Isolation.NONE)


def bot(name):
    return str(data_folder("bots") / f"{name}.py")


class Script:
    """A person who writes what a list says, and then always the first action."""

    def __init__(self, *answers, forever="1\n"):
        self.answers = [f"{answer}\n" for answer in answers]
        self.forever = forever
        self.printed = []

    def read(self, prompt):
        return self.answers.pop(0) if self.answers else self.forever

    def play(self, game_name, *bots, seat=0, master="a", guide=None):
        game = load_game(game_name)
        return play_with_person(
            game,
            entrants_for(game_name, [bot(name) for name in bots]),
            PlainFace(self.read, self.printed.append),
            seat=seat,
            master=master,
            guide=guide,
            options=game.Options(),
            hosting=INLINE,
        )


@pytest.mark.parametrize(
    ("game", "bots", "seat"),
    [
        ("scout", ["scout_greedy"], 0),
        ("scout", ["scout_greedy", "random_legal", "scout_cautious"], 2),
        ("explorers", ["explorers_cautious"], 1),
        ("explorers", ["explorers_cautious", "random_legal"], 0),
    ],
)
def test_a_game_with_a_person_is_an_ordinary_record_without_a_finding(game, bots, seat, tmp_path):
    """Issue 7, 6: the game is an ordinary record, replayable and auditable."""
    record = Script().play(game, *bots, seat=seat)
    path = tmp_path / "game.json"
    path.write_bytes(format_record(record))

    assert f"{game}-{len(bots) + 1}p.0.000000.0" == record.id
    assert record.seats[seat] == PERSON
    assert () == record.faults
    assert () == tuple(audit(path).findings)


def test_a_person_is_shown_the_view_of_their_seat_and_nothing_else():
    """Issue 7, 6: sees only their view."""
    moments = []

    class Watching(PlainFace):
        def ask(self, moment):
            moments.append(moment)
            return super().ask(moment)

    game = load_game("scout")
    script = Script()
    face = Watching(script.read, script.printed.append)
    entrants = entrants_for("scout", [bot("scout_greedy"), bot("scout_greedy")])
    record = play_with_person(
        game, entrants, face, seat=1, master="a", guide=None, options=game.Options(), hosting=INLINE
    )
    walk = replay(record)
    decisions = [step for step in range(walk.last) if walk.to_move_at(step) == 1]

    assert decisions == [moment.frame.step for moment in moments]
    assert {("seat1",)} == {tuple(moment.frame.seen) for moment in moments}
    assert {None} == {moment.header.seed for moment in moments}
    assert [walk.state_at(step).view(1) for step in decisions] == [moment.view for moment in moments]
    assert "12 cards face down" in "\n".join(script.printed)


def test_what_happened_since_is_told_in_sentences():
    """Issue 7, 6: and what happened since."""
    script = Script("keep")
    script.play("scout", "scout_greedy", "scout_greedy")

    assert "Seat 0 keeps its hand." in script.printed
    assert "Seat 1 decides which way up to hold its hand." in script.printed


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("undo", NO_UNDO),
        ("99", "99: the actions have the numbers 1 to 2."),
        ("kepe", '"kepe" is none of the actions. Did you mean "keep"? Write a number, or words as in the list.'),
        ('{"do":"play","at":0,"count":2}', "first every seat decides to keep or to turn its hand (6)"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(answer, said):
    """Issue 7, 6: undo is refused with a reason."""
    script = Script(answer)
    script.play("scout", "scout_greedy", "scout_greedy")

    assert said in script.printed


def test_what_is_no_action_says_where_the_json_goes_wrong():
    """Issue 7, 6: legal actions by typing, JSON too."""
    script = Script('{"do":"jump"}')
    script.play("scout", "scout_greedy")

    assert any(text.startswith('{"do":"jump"} is no action of this game') for text in script.printed)


@pytest.mark.parametrize("answer", ["turn", "t", "2", '{"do":"turn"}', "  TURN "])
def test_an_action_is_a_number_words_or_json(answer):
    """Issue 7, 6: legal actions by number or by typing."""
    record = Script(answer).play("scout", "scout_greedy")

    assert "turn" == record.moves[0].__struct_config__.tag


def test_a_question_mark_gives_what_an_example_bot_would_do():
    """Issue 7, 6: hints with ?."""
    seating = Seating(game="scout", players=2, options=load_game("scout").Options())
    script = Script("keep", "?")
    script.play("scout", "scout_greedy", guide=Guide(seating))

    assert any(text.startswith("scout_swift would: play ") for text in script.printed)


def test_leaving_is_asked_once_more_and_leaves_no_record():
    """Issue 7, 6: q leaves."""
    script = Script("q", "n", "keep", "q", "y")

    with pytest.raises(LeftTable):
        script.play("scout", "scout_greedy")


def test_an_input_that_ends_early_says_that_nothing_is_recorded():
    """Issue 7, 6: --plain for pipes."""
    with pytest.raises(Interrupted, match="nothing is recorded"):
        Script("keep", forever="").play("scout", "scout_greedy")


def test_the_command_writes_the_record_and_says_where(tmp_path, monkeypatch):
    """`tournament play`."""
    monkeypatch.chdir(tmp_path)
    words = ["play", "explorers", "--against", bot("explorers_cautious"), "--seed", "7", "--plain", "--out", "me.json"]
    done = CliRunner().invoke(app, words, input="1\n" * 400)
    record = find_record(parse_reference("me.json"))

    assert 0 == done.exit_code
    assert "Recorded: me.json." in done.stdout
    assert ["person", "explorers_cautious"] == [seat.bot for seat in record.seats]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "{bot}", "--seat", "2"], "a table of 2 has the seats 0 to 1"),
        (["--against", ","], "--against names nobody"),
        (["--against", "{bot}", "--out", "."], "exists already"),
        (["--against", "{folder}"], "one bot for each seat"),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused(words, said):
    """`tournament play`: errors for users."""
    places = {"bot": bot("scout_greedy"), "folder": str(Path(bot("x")).parent)}
    done = CliRunner().invoke(app, ["play", "scout", *(word.format(**places) for word in words)], input="1\n")

    assert done.exception is not None
    assert said in str(done.exception)


def test_a_game_is_played_on_the_screen_with_the_enter_key_alone():
    """Issue 7, 6: a person plays in the terminal viewer."""
    game = load_game("explorers")
    entrants = entrants_for("explorers", [bot("explorers_cautious")])

    def play(face):
        return play_with_person(
            game, entrants, face, seat=0, master="s", guide=None, options=game.Options(), hosting=INLINE
        )

    table = TableApp(play)

    async def go():
        async with table.run_test(size=(100, 32)) as pilot:
            for _ in range(2000):
                if table.record is not None:
                    break
                if table._waiting:
                    await pilot.press("enter")
                else:
                    await pilot.pause(0.001)
            await pilot.pause()
            assert "The game is over" in str(table.query_one("#title", Static).render())
            assert 0 == table.query_one("#choices", OptionList).option_count
            await pilot.press("q")

    asyncio.run(go())

    assert table.record is not None
    assert "complete" == table.record.result.ending


def test_the_screen_leaves_without_a_record_when_asked_twice():
    """Issue 7, 6: q leaves."""
    game = load_game("scout")
    entrants = entrants_for("scout", [bot("scout_greedy")])
    table = TableApp(
        lambda face: play_with_person(
            game, entrants, face, seat=0, master="s", guide=None, options=game.Options(), hosting=INLINE
        )
    )

    async def go():
        async with table.run_test(size=(80, 24)) as pilot:
            while not table._waiting:
                await pilot.pause(0.001)
            await pilot.press("q")
            assert "not recorded" in str(table.query_one("#said", Static).render())
            await pilot.press("q")

    asyncio.run(go())

    assert table.record is None
    assert isinstance(table.failure, LeftTable)
