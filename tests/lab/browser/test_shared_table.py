"""A table with people who act from other threads: turns, moves taken back, hints, and the record."""

from __future__ import annotations

from random import Random
from threading import Event

import msgspec
import pytest
from made_tables import MadeTable, by_chance

from tournament.auditing import audit
from tournament.errors import GameError, UsageError
from tournament.players.base import PlayerFault
from tournament.records.codec import format_record
from tournament.records.record import FaultKind
from tournament.replaying.positions import Replay

TABLES = [("scout", 2, (0,)), ("scout", 4, (1, 2)), ("explorers", 2, (1,)), ("explorers", 3, (0, 1, 2))]


@pytest.mark.parametrize(("game", "players", "people"), TABLES)
def test_a_game_by_browser_is_an_ordinary_record_without_a_finding(game, players, people, tmp_path):
    with MadeTable(game, players=players, people=people) as made:
        rng = Random(1)
        over = made.play_to_the_end(choose=lambda sheet: int(rng.random() * len(sheet["choices"])))
    (tmp_path / "game.json").write_bytes(format_record(made.record))

    assert () == tuple(audit(tmp_path / "game.json").findings)
    assert () == made.record.faults
    assert dict.fromkeys(people, True) == {seat: sheet["over"] for seat, sheet in over.items()}
    assert all(f"{made.record.result.scores[0]} point" in " ".join(sheet["frame"]["ending"]) for sheet in over.values())


def test_each_sheet_shows_the_view_of_its_seat_the_news_and_its_choices():
    sheets = {}
    with MadeTable("scout", players=3, people=(1,)) as made:
        sheet = made.turn(1)
        while not sheet["over"]:
            sheets[sheet["frame"]["step"]] = sheet
            made.table.act(1, number=sheet["number"], choice=len(sheet["choices"]) // 2)
            sheet = made.turn(1, after=sheet["number"])
        made._thread.join(20)
    walk = Replay.from_record(made.record)

    assert [step for step in range(walk.last) if walk.to_move_at(step) == 1] == list(sheets)
    for step, sheet in sheets.items():
        view = walk.state_at(step).view(1)
        values = msgspec.json.decode(msgspec.json.encode(view))
        values.pop("news")
        assert {"seat1": values} == {seat: seen["view"] for seat, seen in sheet["frame"]["seen"].items()}
        assert len(view.legal_actions()) == len(sheet["choices"])
        assert step + 1 == len(sheet["told"])


def test_a_person_reads_you_of_themselves_and_names_of_the_others():
    with MadeTable("explorers", players=3, people=(0, 1)) as made:
        over = made.play_to_the_end()
    actors = ["", *(move.seat for move in made.record.moves)]
    for seat in (0, 1):
        names = {other: ("You" if other == seat else f"{'bot' if other == 2 else 'ann'}-{other}") for other in range(3)}
        told, places = over[seat]["told"], over[seat]["frame"]["ending"][1:]

        assert [names[actor] for actor in actors[1:]] == [line.split()[0] for line in told[1:]]
        assert {"you", *names.values()} - {"You"} == {line.split(": ")[1].split(",")[0] for line in places}


def test_a_choice_counts_only_on_the_sheet_that_the_table_shows_now():
    """Two pages of one seat, or a second tap, do not make two moves."""
    with MadeTable("explorers", players=2, people=(0,)) as made:
        sheet = made.turn(0)
        made.table.act(0, number=sheet["number"], choice=0)
        made.turn(0, after=sheet["number"])

        with pytest.raises(UsageError, match="moved on"):
            made.table.act(0, number=sheet["number"], choice=0)


def test_a_choice_that_comes_while_the_one_before_is_being_made_is_refused(monkeypatch):
    """It would be made at the person's next turn, and until then nobody else could act."""
    refused = []
    made = MadeTable("explorers", players=2, people=(0,))
    choose = made.table.choose

    def choose_and_post_again(seat, view):
        ((number, _),) = made.table.wait_for_sheets(seat, after=None, seconds=0)
        action = choose(seat, view)
        try:
            made.table.act(seat, number=number, choice=0)
        except UsageError:
            refused.append(number)
        return action

    monkeypatch.setattr(made.table, "choose", choose_and_post_again)
    with made:
        sheet = made.turn(0)
        made.table.act(0, number=sheet["number"], choice=0)
        made.turn(0, after=sheet["number"])

    assert [sheet["number"]] == refused


def test_while_a_move_is_being_taken_back_nothing_is_chosen_on_what_was_shown_before():
    """The page still shows the later sheet while the bots start anew."""
    waiting, going_on = Event(), Event()

    def wait_the_second_time(starts):
        if starts == 1:
            waiting.set()
            going_on.wait(20)

    with MadeTable("explorers", players=2, people=(0,), before_bots=wait_the_second_time) as made:
        first = made.turn(0)
        made.table.act(0, number=first["number"], choice=0)
        drawing = made.turn(0, after=first["number"])
        made.table.take_back(0, step=drawing["take_back"])
        waiting.wait(20)
        try:
            with pytest.raises(UsageError, match="moved on"):
                made.table.act(0, number=drawing["number"], choice=0)
            with pytest.raises(UsageError, match="wait until it is your turn"):
                made.table.hint(0, number=drawing["number"])
        finally:
            going_on.set()
        again = made.turn(0, after=drawing["number"])

    assert (0, first["choices"]) == (again["frame"]["step"], again["choices"])


@pytest.mark.parametrize("choice", [-1, 10_000])
def test_a_choice_that_is_none_of_the_list_is_refused(choice):
    with MadeTable("explorers", players=2, people=(0,)) as made:
        sheet = made.turn(0)

        with pytest.raises(GameError, match="There is no choice"):
            made.table.act(0, number=sheet["number"], choice=choice)


def test_nobody_acts_for_another_seat():
    with MadeTable("explorers", players=3, people=(0, 1)) as made:
        sheet = made.turn(0)

        with pytest.raises(UsageError, match="moved on"):
            made.table.act(1, number=sheet["number"], choice=0)


def test_alone_against_bots_a_move_is_taken_back_with_what_the_bots_answered():
    with MadeTable("explorers", players=2, people=(0,)) as made:
        first = made.turn(0)
        made.table.act(0, number=first["number"], choice=0)
        draw = made.turn(0, after=first["number"])
        made.table.act(0, number=draw["number"], choice=0)
        second = made.turn(0, after=draw["number"])
        made.table.take_back(0, step=second["take_back"])
        again = made.turn(0, after=second["number"])

        assert (1, draw["choices"]) == (again["frame"]["step"], again["choices"])
        assert draw["frame"]["seen"] == again["frame"]["seen"]
        assert "You took a move back." == again["notice"]
        made.table.take_back(0, step=again["take_back"])
        start = made.turn(0, after=again["number"])
        assert (0, None, first["choices"]) == (start["frame"]["step"], start["take_back"], start["choices"])


def test_bots_answer_as_before_up_to_the_move_that_was_taken_back():
    """Even one that leaves everything to chance: what it answered counts, and it is asked so that it has seen all."""
    seeds = iter(range(100))
    with MadeTable("scout", players=3, people=(0,), decide=lambda seat: by_chance(next(seeds))) as made:
        sheet = made.turn(0)
        for _ in range(6):
            made.table.act(0, number=sheet["number"], choice=0)
            sheet = made.turn(0, after=sheet["number"])
        before = sheet
        made.table.act(0, number=sheet["number"], choice=0)
        sheet = made.turn(0, after=sheet["number"])
        asked = [bot.asked for bot in made.started[0].values()]
        made.table.take_back(0, step=sheet["take_back"])
        again = made.turn(0, after=sheet["number"])

        assert before["told"] == again["told"]
        assert before["frame"]["seen"] == again["frame"]["seen"]
        assert all(0 < now.asked < then for then, now in zip(asked, made.started[1].values(), strict=True))


def test_the_record_tells_how_many_moves_were_taken_back_and_is_without_a_finding(tmp_path):
    with MadeTable("explorers", players=2, people=(1,)) as made:
        sheet = made.turn(1)
        for _ in range(2):
            made.table.act(1, number=sheet["number"], choice=0)
            sheet = made.turn(1, after=sheet["number"])
            made.table.take_back(1, step=sheet["take_back"])
            sheet = made.turn(1, after=sheet["number"])
        made.play_to_the_end()
    (tmp_path / "game.json").write_bytes(format_record(made.record))

    assert "person, took back 2" == made.record.seats[1].version
    assert () == tuple(audit(tmp_path / "game.json").findings)


def test_with_others_a_move_is_taken_back_until_somebody_has_acted():
    with MadeTable("scout", players=2, people=(0, 1)) as made:
        mine = made.turn(0)
        made.table.act(0, number=mine["number"], choice=0)
        theirs = made.turn(1)
        shown = made.until(0, lambda sheet: sheet["frame"]["step"] == 1)
        assert 0 == shown["take_back"]
        made.table.take_back(0, step=0)
        mine = made.turn(0, after=shown["number"])
        told = made.until(1, lambda sheet: sheet["frame"]["step"] == 0, after=theirs["number"])

        assert 0 == mine["frame"]["step"]
        assert ("You took a move back.", "ann-0 took a move back.") == (mine["notice"], told["notice"])
        with pytest.raises(UsageError, match="moved on"):
            made.table.act(1, number=theirs["number"], choice=0)
        made.table.act(0, number=mine["number"], choice=1)
        theirs = made.turn(1, after=theirs["number"])
        made.table.act(1, number=theirs["number"], choice=0)
        after = made.until(0, lambda sheet: sheet["frame"]["step"] == 2, after=mine["number"])
        assert after["take_back"] is None


def test_with_others_a_move_that_showed_its_player_a_card_is_not_taken_back():
    """A card from the stock has been seen; one that was laid comes back into the hand."""
    with MadeTable("explorers", players=2, people=(0, 1)) as made:
        lay = made.turn(0)
        made.table.act(0, number=lay["number"], choice=0)
        draw = made.turn(0, after=lay["number"])
        assert 0 == draw["take_back"]
        stock = [choice["words"] for choice in draw["choices"]].index("draw stock")
        made.table.act(0, number=draw["number"], choice=stock)
        after = made.until(0, lambda sheet: sheet["frame"]["step"] == 2, after=draw["number"])

        assert after["take_back"] is None
        with pytest.raises(UsageError, match="cannot be taken back"):
            made.table.take_back(0, step=1)


def failing(kind):
    def decide(view):
        raise PlayerFault(kind, "made to fail")

    return decide


def test_a_bot_that_forfeited_has_forfeited_when_the_game_is_played_again():
    """Its stand-in does what it did before."""
    with MadeTable("scout", players=3, people=(0,), decide=lambda seat: failing(FaultKind.CRASH)) as made:
        sheet = made.turn(0)
        for _ in range(3):
            made.table.act(0, number=sheet["number"], choice=0)
            sheet = made.turn(0, after=sheet["number"])
        told, forfeits = sheet["told"], sheet["frame"]["forfeits"]
        made.table.act(0, number=sheet["number"], choice=0)
        sheet = made.turn(0, after=sheet["number"])
        made.table.take_back(0, step=sheet["take_back"])
        again = made.turn(0, after=sheet["number"])

    assert ([1, 2], [1, 2]) == (forfeits, again["frame"]["forfeits"])
    assert told == again["told"]
    assert any("bot-1 forfeits" in line for line in told)


def test_a_hint_is_a_legal_choice_and_names_the_bot_that_gives_it():
    with MadeTable("scout", players=3, people=(2,)) as made:
        sheet = made.turn(2)
        hint = made.table.hint(2, number=sheet["number"])

        assert hint.words == sheet["choices"][hint.choice]["words"]
        assert "scout_swift" == made.table.head(2).hints


def test_a_hint_is_only_for_those_who_are_to_move():
    with MadeTable("scout", players=2, people=(0, 1), hints=False) as made:
        sheet = made.turn(0)
        with pytest.raises(UsageError, match="wait until it is your turn"):
            made.table.hint(1, number=sheet["number"])
        with pytest.raises(UsageError, match="no example bot"):
            made.table.hint(0, number=sheet["number"])


def test_a_page_that_comes_late_gets_the_latest_sheet_and_one_that_was_away_what_it_missed():
    with MadeTable("explorers", players=2, people=(0,)) as made:
        sheet = made.turn(0)
        made.table.act(0, number=sheet["number"], choice=0)
        made.turn(0, after=sheet["number"])
        (latest,) = made.sheets(0)
        missed = made.sheets(0, after=sheet["number"])

    assert latest == missed[-1]
    assert [sheet["number"] + 1] == [one["number"] for one in missed]


def test_a_table_that_is_closed_ends_its_game_without_a_record():
    made = MadeTable("explorers", players=2, people=(0,))
    with made:
        made.turn(0)

    assert (None, []) == (made.record, made.table.wait_for_sheets(0, after=10_000, seconds=0))
