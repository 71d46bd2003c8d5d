"""A person at the table: what they are shown and may answer, and the record of their game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from textual.widgets import Input, OptionList, Static
from typer.testing import CliRunner

from tournament.auditing import audit
from tournament.cli.app import app
from tournament.errors import Interrupted, UsageError
from tournament.games import load_game
from tournament.games.scout.types import Keep, Play, ScoutDeal, ScoutRound
from tournament.lab.guide import Guide, Seating, entrants_for
from tournament.lab.labels import choices_of, parse_choice
from tournament.lab.person import IS_FINAL, NOTHING_TO_TAKE_BACK, LeftTable
from tournament.lab.screen import TableApp
from tournament.lab.table import PERSON, PlainFace, play_with_person
from tournament.paths import data_folder
from tournament.records.codec import format_record
from tournament.records.settings import Hosting, Isolation
from tournament.replaying.positions import Replay
from tournament.store.layout import parse_reference
from tournament.store.reader import find_record

INLINE = Hosting(isolation=Isolation.NONE)


def bot(name):
    return str(data_folder("bots") / f"{name}.py")


class Script:
    """A person who writes what a list says, and then always the first choice, without being asked again."""

    def __init__(self, *answers, forever=None):
        self.answers = [f"{answer}\n" for answer in answers]
        self.forever = forever
        self.printed = []
        self.face = PlainFace(self.read, self.printed.append)

    def read(self, prompt):
        if self.answers:
            return self.answers.pop(0)
        return f"{self.face._shown.options[0].answer}\n" if self.forever is None else self.forever

    def play(self, game_name, *bots, seat=0, master="a", guide=None, asks=False):
        game = load_game(game_name)
        return play_with_person(
            game,
            entrants_for(game_name, [bot(name) for name in bots], players=len(bots) + 1),
            self.face,
            seat=seat,
            master=master,
            guide=guide,
            options=game.Options(),
            hosting=INLINE,
            asks=asks,
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
    """The game is an ordinary record, replayable and auditable."""
    record = Script().play(game, *bots, seat=seat)
    path = tmp_path / "game.json"
    path.write_bytes(format_record(record))

    assert f"{game}-{len(bots) + 1}p.0.000000.0" == record.id
    assert record.seats[seat] == PERSON
    assert () == record.faults
    assert () == tuple(audit(path).findings)


def test_a_person_is_shown_the_view_of_their_seat_and_nothing_else():
    """Sees only their view."""
    moments = []

    class Watching(PlainFace):
        def ask(self, moment):
            moments.append(moment)
            return super().ask(moment)

    game = load_game("scout")
    script = Script()
    face = script.face = Watching(script.read, script.printed.append)
    entrants = entrants_for("scout", [bot("scout_greedy"), bot("scout_greedy")], players=3)
    record = play_with_person(
        game, entrants, face, seat=1, master="a", guide=None, options=game.Options(), hosting=INLINE, asks=False
    )
    walk = Replay.from_record(record)
    decisions = [step for step in range(walk.last) if walk.to_move_at(step) == 1]

    assert decisions == list(dict.fromkeys(moment.step for moment in moments))
    assert {(1,)} == {tuple(moment.scene.hands) for moment in moments}
    assert not any(record.seed in msgspec.json.encode(moment).decode() for moment in moments)
    assert all(walk.state_at(moment.step).view(1) == moment.view for moment in moments)
    assert "12 cards face down" in "\n".join(script.printed)


def test_what_happened_since_is_told_in_sentences():
    """And what happened since."""
    script = Script("keep")
    script.play("scout", "scout_greedy", "scout_greedy")

    assert "You keep your hand." in script.printed
    assert "scout_greedy decides which way up to hold its hand." in script.printed


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("undo", NOTHING_TO_TAKE_BACK),
        ("99", "99: the choices have the numbers 1 to 2."),
        ("2 4", '"2 4": choice 2 needs no place. Write 2 alone.'),
        ("kepe", '"kepe" is none of the actions. Did you mean "keep"? Write a number, or words as in the list.'),
        ('{"do":"play","at":0,"count":2}', "first every seat decides to keep or to turn its hand (6)"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_reason(answer, said):
    """Undo is refused with a reason."""
    script = Script(answer)
    script.play("scout", "scout_greedy", "scout_greedy")

    assert said in script.printed


def test_what_is_no_action_says_where_the_json_goes_wrong():
    """Legal actions by typing, JSON too."""
    script = Script('{"do":"jump"}')
    script.play("scout", "scout_greedy")

    assert any(text.startswith('{"do":"jump"} is no action of this game') for text in script.printed)


@pytest.mark.parametrize("answer", ["turn", "t", "2", '{"do":"turn"}', "  TURN "])
def test_an_action_is_a_number_words_or_json(answer):
    """Legal actions by number or by typing."""
    record = Script(answer).play("scout", "scout_greedy")

    assert "turn" == record.moves[0].__struct_config__.tag


def test_a_question_mark_gives_what_an_example_bot_would_do():
    """Hints with ?."""
    seating = Seating(game="scout", players=2, options=load_game("scout").Options())
    script = Script("keep", "?")
    script.play("scout", "scout_greedy", guide=Guide(seating))

    assert any(text.startswith("scout_swift would: play ") for text in script.printed)


def test_leaving_is_asked_once_more_and_leaves_no_record():
    script = Script("q", "n", "keep", "q", "y")

    with pytest.raises(LeftTable):
        script.play("scout", "scout_greedy")


def test_an_input_that_ends_early_says_that_nothing_is_recorded():
    """--plain for pipes."""
    with pytest.raises(Interrupted, match="nothing is recorded"):
        Script("keep", forever="").play("scout", "scout_greedy")


def test_the_command_writes_the_record_and_says_where(tmp_path, monkeypatch):
    """`tournament play`."""
    monkeypatch.chdir(tmp_path)
    words = ["play", "explorers", "--against", bot("explorers_cautious"), "--seed", "7", "--plain", "--out", "me.json"]
    done = CliRunner().invoke(app, words, input="1\n\n" * 400)
    record = find_record(parse_reference("me.json"))

    assert 0 == done.exit_code
    assert "Recorded: me.json." in done.stdout
    assert ["person", "explorers_cautious"] == [seat.bot for seat in record.seats]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", "{bot}", "--seat", "2"], "a table of 2 has the seats 0 to 1"),
        (["--against", ","], "--against names no bot"),
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


# Taking back


def test_a_turn_that_passes_is_asked_about_before_it_is_played():
    """The next player moves at once, so the last moment to take back is before."""
    script = Script("turn", "u", "keep", "y")
    record = script.play("scout", "scout_greedy", asks=True)

    assert "keep" == record.moves[0].__struct_config__.tag
    assert 2 == script.printed.count(IS_FINAL) - script.printed[script.printed.index("\n--- step 2, round 0") :].count(
        IS_FINAL
    )


def test_what_is_no_answer_to_the_question_plays_nothing():
    script = Script("keep", "frob", "u", "turn", "y")
    record = script.play("scout", "scout_greedy", asks=True)

    assert "turn" == record.moves[0].__struct_config__.tag
    assert f'"frob" is not an answer here. {IS_FINAL}' in script.printed


def test_the_first_half_of_a_turn_can_be_taken_back():
    """A discard shows nothing new; a card drawn from the stock does, so it is asked about before."""
    script = Script("discard", "u")
    game = load_game("explorers")
    first = game.start(record_deal := Script().play("explorers", "explorers_cautious").deal, game.Options())
    discards = [action for action in first.legal_actions() if action.do == "discard"]
    script.answers = [f"discard {discards[0].card}\n", "u\n", f"discard {discards[1].card}\n", "draw stock\n", "y\n"]
    record = script.play("explorers", "explorers_cautious", asks=True)

    assert record_deal == record.deal
    assert discards[1].card == record.moves[0].card


def test_taking_back_goes_no_further_than_the_own_turn():
    script = Script("keep", "y", "u")
    script.play("scout", "scout_greedy", asks=True)

    assert NOTHING_TO_TAKE_BACK in script.printed


# Choices and places


def _first_scout(seat=0):
    """Returns a view in which the seat may scout, and its choices."""
    record = Script().play("scout", "scout_greedy", "scout_greedy", seat=seat)
    walk = Replay.from_record(record)
    for step in range(walk.last):
        view = walk.state_at(step).view(seat)
        if walk.to_move_at(step) == seat and any(action.do == "scout" for action in view.legal_actions()):
            return step, view, choices_of(view)
    raise AssertionError("nobody scouts")


def test_scouts_that_differ_only_in_the_place_are_one_choice():
    """Eight rows read "takes 7/1" before."""
    _, view, choices = _first_scout()
    scouts = [choice for choice in choices if choice.actions[0].do == "scout"]

    assert len(scouts) == len({(one.actions[0].end, one.actions[0].flip, one.actions[0].then_play) for one in scouts})
    assert {action for choice in choices for action in choice.actions} == set(view.legal_actions())
    assert all(choice.needs_place for choice in scouts if not choice.actions[0].then_play)


@pytest.mark.parametrize("ways", ["number, then place", "number and place", "words"])
def test_a_place_is_said_after_the_choice_or_with_it(ways):
    step, _, choices = _first_scout()
    number, choice = next((number, one) for number, one in enumerate(choices, start=1) if one.needs_place)
    wanted = choice.actions[2]
    before = ["1"] * step  # too many: those that are left answer later questions
    answers = {
        "number, then place": [f"{number}", "2"],
        "number and place": [f"{number} 2"],
        "words": [" ".join(choice.text.partition(":")[0].replace("PLACE", "2").split())],
    }[ways]
    own = sum(1 for one in range(step) if _mover(one) == 0)
    record = Script(*before[:own], *answers).play("scout", "scout_greedy", "scout_greedy")

    assert (wanted.end, wanted.flip, wanted.at) == (
        record.moves[step].end,
        record.moves[step].flip,
        record.moves[step].at,
    )


def _hand_of_eleven():
    """Returns a view of a hand of eleven cards, of which the last alone beats the single 6 on the table."""
    hands = ("6/1 1/2", "1/3 3/2 1/4 3/4 1/5 3/5 1/6 3/6 1/7 3/7 7/8", "1/8 1/9")
    state = load_game("scout").start(ScoutDeal(rounds=(ScoutRound(hands=tuple(tuple(one.split()) for one in hands)),)))
    for _ in hands:
        state.apply(Keep())
    state.apply(Play(at=0, count=1))
    return state.view(1)


@pytest.mark.parametrize("typed", ["play 1", "play  1 "])
def test_a_number_cut_short_is_not_another_number(typed):
    """`play 1` played `play 10 1` where that was the only play."""
    view = _hand_of_eleven()

    with pytest.raises(UsageError, match="none of the actions"):
        parse_choice(typed, choices_of(view), view=view, action_type=load_game("scout").Action)


@pytest.mark.parametrize("typed", ["p", "play", "play 10", "play 10 1"])
def test_words_may_be_cut_where_one_action_is_meant(typed):
    view = _hand_of_eleven()

    assert Play(at=10, count=1) == parse_choice(
        typed, choices_of(view), view=view, action_type=load_game("scout").Action
    )


def test_two_places_for_one_choice_are_told_as_that():
    """A choice that needs a place was said to need none."""
    view = _hand_of_eleven()
    choices = choices_of(view)
    number = next(number for number, choice in enumerate(choices, start=1) if choice.needs_place)

    with pytest.raises(UsageError, match=f"choice {number} needs one place"):
        parse_choice(f"{number} 1 2", choices, view=view, action_type=load_game("scout").Action)


@pytest.mark.parametrize("typed", ["1", "2", "keep"])
def test_what_is_typed_at_the_last_question_is_no_answer_but_yes_or_no(typed):
    """Who typed another choice there, to correct the one before, played the one before."""
    script = Script("turn", typed, "u", "keep", "y", "q", "y")
    with pytest.raises(LeftTable):
        script.play("scout", "scout_greedy", asks=True)

    assert any(text.startswith(f'"{typed}" is not an answer here.') for text in script.printed)
    assert any("You keep" in text for text in script.printed)
    assert not any("You turn" in text for text in script.printed)


def _mover(step):
    return Replay.from_record(Script().play("scout", "scout_greedy", "scout_greedy")).to_move_at(step)


# The screen


class Sitting:
    """A game on the screen, driven key by key."""

    def __init__(self, game_name, *bots, size=(100, 34)):
        self.game = load_game(game_name)
        self.entrants = entrants_for(game_name, [bot(name) for name in bots], players=len(bots) + 1)
        self.table = TableApp(self._play)
        self.size = size

    def _play(self, face):
        return play_with_person(
            self.game,
            self.entrants,
            face,
            seat=0,
            master="s",
            guide=None,
            options=self.game.Options(),
            hosting=INLINE,
        )

    def run(self, act):
        """Runs the app while `act(pilot, self)` presses keys."""

        async def go():
            async with self.table.run_test(size=self.size) as pilot:
                await self.ready(pilot)
                await act(pilot, self)

        asyncio.run(go())

    async def ready(self, pilot):
        """Waits until the game asks."""
        while not self.table._waiting and self.table.record is None:
            await pilot.pause(0.001)
        await pilot.pause()

    async def type(self, pilot, text):
        """Types into the box and presses Enter."""
        await pilot.press(*text, "enter")
        await self.ready(pilot)

    def shown(self, selector):
        return str(self.table.query_one(selector, Static).render())

    @property
    def box(self):
        return self.table.query_one("#typed", Input).value

    @property
    def moves(self):
        return [] if self.table.record is None else self.table.record.moves


def test_the_box_is_where_typing_goes():
    """Typing `turn` and Enter kept the hand, because the list had the focus."""
    sitting = Sitting("scout", "scout_greedy")

    async def act(pilot, sitting):
        assert isinstance(sitting.table.focused, Input)
        await sitting.type(pilot, "turn")
        assert IS_FINAL == sitting.shown("#question")
        assert "play it: turn" in str(sitting.table.query_one("#choices", OptionList).get_option_at_index(0).prompt)

    sitting.run(act)


@pytest.mark.parametrize(("typed", "chosen"), [("2", "turn"), ("1", "keep"), ("turn", "turn")])
def test_what_is_typed_is_what_is_played(typed, chosen):
    """`2` played choice 1."""
    sitting = Sitting("scout", "scout_greedy")

    async def act(pilot, sitting):
        await sitting.type(pilot, typed)
        assert f"play it: {chosen}" in str(
            sitting.table.query_one("#choices", OptionList).get_option_at_index(0).prompt
        )

    sitting.run(act)


def test_a_move_that_cannot_be_read_is_said_stays_in_the_box_and_plays_nothing():
    """`frob` played choice 1."""
    sitting = Sitting("scout", "scout_greedy")

    async def act(pilot, sitting):
        await sitting.type(pilot, "frob")
        assert '"frob" is none of the actions.' in sitting.shown("#said")
        assert "frob" == sitting.box
        assert IS_FINAL != sitting.shown("#question")

    sitting.run(act)


def test_what_the_choice_under_the_bar_lays_is_marked_on_the_cards():
    sitting = Sitting("explorers", "explorers_cautious")

    async def act(pilot, sitting):
        first = sitting.shown("#cards")
        await pilot.press("down")
        await pilot.pause()
        assert 1 == first.count("+")
        assert 1 == sitting.shown("#cards").count("+")

    sitting.run(act)


def test_the_places_of_the_hand_are_numbered():
    sitting = Sitting("scout", "scout_greedy")

    async def act(pilot, sitting):
        assert "  0  1  2  3  4  5  6  7  8  9 10" in sitting.shown("#cards")

    sitting.run(act)


def test_leaving_is_asked_and_a_choice_plays_on():
    """After one `q` the next choice left the table, although it said that any plays on."""
    sitting = Sitting("scout", "scout_greedy")

    async def act(pilot, sitting):
        await sitting.type(pilot, "q")
        assert "not be recorded" in sitting.shown("#said")
        await sitting.type(pilot, "turn")
        await sitting.type(pilot, "")
        assert sitting.table.failure is None
        assert isinstance(sitting.table.focused, Input)

    sitting.run(act)


def test_a_game_is_played_on_the_screen_with_the_enter_key_alone():
    """A person plays in the terminal viewer."""
    game = load_game("explorers")
    entrants = entrants_for("explorers", [bot("explorers_cautious")], players=2)

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
                    await pilot.pause()
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
    game = load_game("scout")
    entrants = entrants_for("scout", [bot("scout_greedy")], players=2)
    table = TableApp(
        lambda face: play_with_person(
            game, entrants, face, seat=0, master="s", guide=None, options=game.Options(), hosting=INLINE
        )
    )

    async def go():
        async with table.run_test(size=(80, 24)) as pilot:
            while not table._waiting:
                await pilot.pause(0.001)
            await pilot.press("escape")
            assert "not be recorded" in str(table.query_one("#said", Static).render())
            await pilot.press("escape")

    asyncio.run(go())

    assert table.record is None
    assert isinstance(table.failure, LeftTable)
