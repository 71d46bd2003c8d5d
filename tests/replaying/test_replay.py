"""Walking through a record: exact in both directions, and clear about records that break the rules."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import msgspec
import pytest
from made_records import PAIRS, illegal_fault, random_record, sealed, short_record
from msgspec import structs

from tournament.errors import RecordError
from tournament.games.contract import Ending
from tournament.records.codec import format_record, parse_record
from tournament.replaying.positions import Mark, MarkKind, Replay, step_after, step_before


def state_bytes(state):
    """Returns all that anybody sees of a state, and its outcome so far, as bytes."""
    views = [state.view(seat) for seat in (None, *range(state.view(None).players))]
    return msgspec.json.encode([views, state.legal_actions(), state.standing(), state.outcome()])


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}p")
def record(request):
    """A random game of each game and number of players."""
    return random_record(*request.param, seed=7)


def test_stepping_back_gives_the_bytes_that_were_there(record):
    """Stepping back is exact."""
    walk = Replay.from_record(record)
    forth = [state_bytes(walk.state)]
    while walk.position < walk.last:
        walk.forward()
        forth.append(state_bytes(walk.state))
    back = [state_bytes(walk.state)]
    while walk.position > 0:
        walk.back()
        back.append(state_bytes(walk.state))

    assert len(record.moves) + 1 == len(forth)
    assert forth == back[::-1]


def test_jumps_land_where_steps_lead(record):
    """`g N`; also between the states kept, and forward from a jump."""
    walk, rng = Replay.from_record(record), Random(1)
    stepped = [state_bytes(state) for state in walk.states()]
    for _ in range(20):
        step = int(rng.random() * (walk.last + 1))

        assert step == walk.jump(step) == walk.position
        assert stepped[step] == state_bytes(walk.state)
        assert stepped[min(step + 1, walk.last)] == (walk.forward(), state_bytes(walk.state))[1]


def test_the_last_position_is_the_result(record):
    """The record's result is where the moves lead."""
    walk = Replay.from_record(record)
    outcome = walk.state_at(walk.last).outcome()

    assert walk.trouble is None
    assert record.result.scores == outcome.scores
    assert record.result.detail == outcome.detail


def test_a_state_handed_out_may_be_changed():
    """What a caller does with a state does not reach the replay."""
    walk = Replay.from_record(random_record("scout", 3, seed=1))
    before = state_bytes(walk.state)
    mine = walk.state
    mine.apply(mine.legal_actions()[0])

    assert before == state_bytes(walk.state)
    assert before == state_bytes(walk.state_at(0))


def test_both_ends_hold():
    """Nothing lies before the deal or behind the last move."""
    walk = Replay.from_record(random_record("explorers", 2, seed=1))

    assert 0 == walk.back()
    assert walk.event is None
    assert walk.last == walk.jump(walk.last) == walk.forward()
    with pytest.raises(IndexError, match=f"has the steps 0 to {walk.last}, not {walk.last + 1}"):
        walk.jump(walk.last + 1)
    with pytest.raises(IndexError):
        walk.jump(-1)


def test_a_turn_of_explorers_is_laying_and_drawing():
    """Explorers 13: a turn is two decisions."""
    walk = Replay.from_record(random_record("explorers", 3, seed=2))

    assert tuple(range(0, walk.last + 1, 2)) == walk.turns
    assert 2 == walk.next_turn()
    walk.forward()
    assert 2 == walk.previous_turn()
    assert 0 == walk.previous_turn()


def test_a_scout_and_play_is_one_turn():
    """SCOUT 12: two decisions of one seat in a row."""
    walk = Replay.from_record(random_record("scout", 4, seed=3))
    pairs = [step for step, move in enumerate(walk.record.moves) if getattr(move, "then_play", False)]

    assert pairs, "this seed has none"
    for step in pairs:
        assert step in walk.turns
        assert step + 1 not in walk.turns
        assert step + 2 in walk.turns


def test_rounds_begin_where_the_moves_say(record):
    """SCOUT 5: as many rounds as players; explorers has none."""
    walk = Replay.from_record(record)
    begun = [0]
    while walk.position < walk.last:
        begun.append(walk.next_round())
    ends = [mark.step for mark in walk.marks if mark.kind is MarkKind.ROUND_END]

    if record.game.name == "explorers":
        assert (0,) == walk.rounds
        assert [] == ends
        assert walk.round_at(0) is None
    else:
        assert record.game.players == len(walk.rounds)
        assert list(range(record.game.players)) == [walk.round_at(step) for step in walk.rounds]
        assert begun == [*walk.rounds, walk.last]
        assert begun[1:] == ends
        assert walk.rounds[-1] == walk.previous_round()


def test_marks_are_walked_in_both_directions():
    """`n` and `N` go to faults and ends of rounds, and stay when there are no more."""
    record = random_record("scout", 3, seed=4, faults=[illegal_fault(at=5, seat=1)])
    walk = Replay.from_record(record)
    there = [walk.next_mark() for _ in walk.marks]

    assert Mark(5, MarkKind.FAULT) == walk.marks[0]
    assert [mark.step for mark in walk.marks] == there
    assert walk.last == there[-1] == walk.next_mark()
    assert there[-2::-1] == [walk.previous_mark() for _ in there[1:]]
    assert there[0] == walk.previous_mark()


def test_steps_are_found_around_a_position():
    """The helpers under every jump, at and between steps."""
    assert 4 == step_after([0, 4, 9], 0, last=12)
    assert 12 == step_after([0, 4, 9], 9, last=12)
    assert 4 == step_before([0, 4, 9], 9)
    assert 9 == step_before([0, 4, 9], 10)
    assert 3 == step_before([4, 9], 4, first=3)


def wrong_at(record, step, **change):
    """Returns the record with one move changed and the digest made right again."""
    moves = list(record.moves)
    moves[step] = structs.replace(moves[step], **change)
    return sealed(structs.replace(record, moves=tuple(moves)))


BASE = random_record("explorers", 2, seed=5)


def test_an_illegal_move_is_named_and_all_before_it_is_shown():
    """Models 4b, 12: as much as can be shown."""
    broken = wrong_at(BASE, 6, card=next(card for card in BASE.deal.stock[20:] if card not in BASE.deal.hands[1]))
    with pytest.raises(RecordError) as caught:
        Replay.from_record(broken)
    walk = Replay.from_record(broken, to_the_break=True)

    assert str(caught.value).startswith('explorers-2p.0.000000.0, step 7: expected a legal action of seat 1, found {"')
    assert "is not in the hand of seat 1" in str(caught.value)
    assert "`tournament audit`" in str(caught.value)
    assert str(caught.value) == walk.trouble
    assert 6 == walk.last
    assert state_bytes(Replay.from_record(BASE).state_at(6)) == state_bytes(walk.state_at(6))


def test_a_move_by_the_wrong_seat_is_named():
    """Moves follow the turn."""
    with pytest.raises(RecordError, match=r"step 3: expected a move of seat 1, found \{.*\} by seat 0"):
        Replay.from_record(wrong_at(BASE, 2, seat=0))


def test_a_move_after_the_end_is_named():
    """Nothing comes after the end."""
    longer = sealed(structs.replace(BASE, moves=(*BASE.moves, BASE.moves[0])))
    with pytest.raises(RecordError, match=f"step {len(BASE.moves) + 1}: expected no move after the end of the game"):
        Replay.from_record(longer)


def test_a_record_that_stops_too_early_is_named():
    """A game goes to its end unless it was aborted."""
    shorter = sealed(structs.replace(BASE, moves=BASE.moves[:4]))
    with pytest.raises(RecordError, match="step 4: expected a move of seat 0, found the end of the record"):
        Replay.from_record(shorter)


def test_an_aborted_record_may_stop_anywhere():
    """Every seat forfeited: the game stops at once, with the points as they stand."""
    standing = Replay.from_record(BASE).state_at(3).standing()
    faults = (illegal_fault(3, 0), illegal_fault(3, 1))
    result = structs.replace(
        BASE.result,
        ending=Ending.ABORTED,
        scores=standing.scores,
        places=(1, 1),
        forfeits=(0, 1),
        detail=standing.detail,
    )
    walk = Replay.from_record(sealed(structs.replace(BASE, moves=BASE.moves[:3], faults=faults, result=result)))

    assert 3 == walk.last
    assert (Mark(3, MarkKind.FAULT),) * 2 == walk.marks


def test_a_result_that_the_moves_do_not_give_is_named():
    """A replay that ends differently does not pass unnoticed."""
    scores = (BASE.result.scores[0] + 1, *BASE.result.scores[1:])
    other = sealed(structs.replace(BASE, result=structs.replace(BASE.result, scores=scores)))
    with pytest.raises(RecordError, match=r"expected the ending complete with scores \[.*\], found complete with"):
        Replay.from_record(other)


def test_an_unknown_game_is_named():
    """A record of a game that is not installed can be read, not replayed."""
    line = format_record(BASE).replace(b'"name":"explorers"', b'"name":"explorer"')
    with pytest.raises(RecordError, match=r'There is no game "explorer"\. Did you mean "explorers"'):
        Replay.from_record(parse_record(line), to_the_break=True)


def test_a_deal_that_is_none_is_named():
    """Before the first move there must be a table."""
    empty = sealed(structs.replace(BASE, deal=structs.replace(BASE.deal, stock=())))
    with pytest.raises(RecordError, match=r"step 0: expected a deal of explorers\. The stock of this deal is empty"):
        Replay.from_record(empty, to_the_break=True)


def test_a_missing_bot_is_named():
    """Every seat has its bot."""
    lonely = sealed(structs.replace(BASE, seats=BASE.seats[:1]))
    with pytest.raises(RecordError, match="bots for 2 players, found hands for 2 and 1 bots"):
        Replay.from_record(lonely, to_the_break=True)


def test_other_rules_are_named_and_shown_as_far_as_they_go():
    """A replay is tied to a version of the rules, and says so."""
    newer = sealed(structs.replace(BASE, game=structs.replace(BASE.game, rules_version=99)))
    walk = Replay.from_record(newer, to_the_break=True)

    assert len(BASE.moves) == walk.last
    assert "expected version 1 of the rules of explorers, found version 99" in walk.trouble


def test_replay_is_a_public_name_and_starts_no_bot():
    """Showing a game never runs a bot: nothing that plays is imported."""
    code = (
        "import sys, tournament\n"
        "print(type(tournament.replay).__name__, [name for name in sys.modules if name.startswith("
        "('tournament.players', 'tournament.referee', 'tournament.run'))])"
    )
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "function []" == seen.stdout.strip()


def test_short_games_are_short():
    """Guards the helper of the snapshots: a change of the rules shows here first."""
    assert len(short_record("explorers", 2, seed=1).moves) < 80
