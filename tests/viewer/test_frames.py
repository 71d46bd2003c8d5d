"""Frames: what each audience sees at each step, and nothing that it may not know."""

from __future__ import annotations

import json

import msgspec
import pytest
from languages.pseudo import translations
from made_records import PAIRS, illegal_fault, random_record, sealed
from msgspec import structs

from tournament.errors import UsageError
from tournament.games.contract import Ending
from tournament.games.scout.types import TURNED
from tournament.languages import Language, speaking
from tournament.records.codec import format_record, parse_record
from tournament.replaying.positions import Replay
from tournament.text import printable
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of, summarise


def all_frames(record, audience=ALL):
    """Returns the frames of a record, also of one that breaks off."""
    return frames_of(Replay.from_record(record, to_the_break=True), audience)


def as_bytes(frames):
    """Returns everything a face could draw, as bytes."""
    drawn = [(structs.replace(frame, seen={}), list(frame.seen.items())) for frame in frames]
    return msgspec.json.encode([frames.header, frames.trouble, frames.audiences, frames.marks, drawn])


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}-{pair[1]}p")
def record(request):
    """A random game of each game and number of players."""
    return random_record(*request.param, seed=11)


def test_every_step_has_a_frame_with_all_audiences(record):
    """State, last action in words, who is next, points, what each seat sees."""
    frames = all_frames(record)
    streamed = list(frames)

    assert len(record.moves) + 1 == len(frames) == len(streamed)
    assert (ALL, PUBLIC, *(Audience(seat=seat) for seat in range(record.game.players))) == frames.audiences
    assert [frames[step] for step in range(0, len(frames), 17)] == streamed[::17]
    assert f"step 0 of {len(record.moves)}" in streamed[0].where
    assert "The cards are dealt." == streamed[0].seen[ALL].words
    assert record.result.scores == streamed[-1].reading.scores
    assert "The game is over." == streamed[-1].next
    assert "The game is complete." == streamed[-1].ending[0]
    assert [frame.seen[PUBLIC].words for frame in streamed] == frames.words(PUBLIC)


def test_points_by_now_are_those_of_the_rules(record):
    """Points of the frames are the standing that the rules give."""
    walk = Replay.from_record(record)
    standings = [state.standing().scores for state in walk.states()]

    assert standings == [frame.reading.scores for frame in frames_of(walk)]


def test_points_of_a_round_of_scout_lead_to_those_at_its_end():
    """SCOUT 15: captured + tokens - cards, when a hand is emptied and nobody is exempt."""
    emptied = 0
    for seed in range(6):
        record = random_record("scout", 5, seed=seed)
        frames = all_frames(record)
        for number, detail in enumerate(record.result.detail.rounds):
            if detail.why != "emptied":
                continue
            end = frames.rounds[number + 1] if number + 1 < len(frames.rounds) else len(frames) - 1
            frame = frames[end - 1]
            move = record.moves[end - 1]
            # The play that ends the round: its cards leave the hand, the set on the table is captured.
            gained = frame.reading.round_points[move.seat] + move.count + len(frame.seen[PUBLIC].view.table)
            emptied += 1

            assert detail.points[move.seat] == gained

    assert emptied


def turn_hands_of(record, seat):
    """Returns the same game with every hand of a seat dealt the other way up, and kept where it was turned."""
    plain = json.loads(format_record(record))
    plain["seed"] = "b" * 64
    for one in plain["deal"]["rounds"]:
        one["hands"][seat] = [TURNED[card] for card in one["hands"][seat]]
    other = {"keep": "turn", "turn": "keep"}
    for move in plain["moves"]:
        if move["seat"] == seat:
            move["do"] = other.get(move["do"], move["do"])
    return sealed(parse_record(json.dumps(plain)))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_frame_tells_which_way_up_another_seat_was_dealt_its_hand(players):
    """SCOUT 6: the others never learn which; hidden swap through whole records, seed included."""
    record = sealed(structs.replace(random_record("scout", players, seed=2), seed="a" * 64))
    hidden = players - 1
    swapped = turn_hands_of(record, hidden)

    assert swapped.deal != record.deal
    assert Replay.from_record(swapped).trouble is None
    assert as_bytes(all_frames(record)) != as_bytes(all_frames(swapped))
    assert as_bytes(all_frames(record, Audience(seat=hidden))) != as_bytes(all_frames(swapped, Audience(seat=hidden)))
    for audience in (PUBLIC, *(Audience(seat=seat) for seat in range(hidden))):
        assert as_bytes(all_frames(record, audience)) == as_bytes(all_frames(swapped, audience))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("cut", [1, 8, 21])
def test_no_frame_tells_cards_of_explorers_that_lie_hidden(players, cut):
    """Explorers 15: hidden are hands and the stock; up to a step, records that differ only there look the same."""
    record = random_record("explorers", players, seed=3)
    hidden = players - 1
    laid = {getattr(move, "card", None) for move in record.moves[:cut]}
    held = list(record.deal.hands[hidden])
    ours = next(card for card in held if card not in laid)
    held[held.index(ours)] = stock_card = record.deal.stock[-1]
    hands = (*record.deal.hands[:hidden], tuple(held))
    stock = (*record.deal.stock[:-3], record.deal.stock[-2], record.deal.stock[-3], ours)
    short = sealed(structs.replace(record, moves=record.moves[:cut]))
    swapped = sealed(structs.replace(short, deal=structs.replace(record.deal, hands=hands, stock=stock)))

    assert ours != stock_card
    assert cut == len(all_frames(swapped)) - 1
    assert as_bytes(all_frames(short)) != as_bytes(all_frames(swapped))
    for audience in (PUBLIC, *(Audience(seat=seat) for seat in range(hidden))):
        assert as_bytes(all_frames(short, audience)) == as_bytes(all_frames(swapped, audience))


def test_a_fault_is_told_whole_only_to_its_seat():
    """The detail and the answer of a fault may name cards that others do not see."""
    record = random_record("explorers", 3, seed=4, faults=[illegal_fault(5, 2, detail="build: 5H is lower than 6H")])
    frame = all_frames(record)[5]
    whole = (
        "gamma forfeits: its action was not allowed (build: 5H is lower than 6H), "
        'it answered {"do":"play","at":0,"count":3}. A stand-in takes its seat.'
    )

    assert (whole,) == frame.seen[ALL].faults == frame.seen[Audience(seat=2)].faults
    assert ("gamma forfeits: its action was not allowed. A stand-in takes its seat.",) == (
        frame.seen[Audience(seat=0)].faults
    )
    assert frame.seen[Audience(seat=0)].faults == frame.seen[PUBLIC].faults
    assert () == all_frames(record)[4].seen[ALL].faults
    assert () == all_frames(record)[4].forfeits
    assert (2,) == frame.forfeits == all_frames(record)[6].forfeits


def test_a_move_of_a_stand_in_is_told_as_one():
    """Who chose belongs to the story."""
    record = random_record("explorers", 2, seed=4, faults=[illegal_fault(0, 0)])
    frame = all_frames(record)[1]

    assert frame.stand_in
    assert frame.seen[ALL].words.endswith(". (A stand-in chose.)")
    assert "forfeited" in all_frames(record)[len(record.moves)].ending[-1]


def test_the_last_fault_of_an_aborted_game_ends_it():
    """Every seat forfeited: nobody is left."""
    base = random_record("explorers", 2, seed=5)
    standing = Replay.from_record(base).state_at(2).standing()
    result = structs.replace(base.result, ending=Ending.ABORTED, scores=standing.scores, places=(1, 1), forfeits=(0, 1))
    faults = (illegal_fault(1, 0), illegal_fault(2, 1))
    frames = all_frames(sealed(structs.replace(base, moves=base.moves[:2], faults=faults, result=result)))

    assert frames[1].seen[ALL].faults[0].endswith("A stand-in takes its seat.")
    assert frames[2].seen[ALL].faults[0].endswith("Nobody is left to play.")
    assert "The game was aborted: every seat had forfeited." == frames[2].ending[0]


def test_names_and_answers_cannot_steer_a_terminal():
    """Escape sequences, line breaks and signs that turn the direction are written out."""
    name = "\x1b[2Jevil\u202e\n"
    record = random_record("explorers", 2, seed=6, names=(name, "beta"))
    frames = all_frames(record)

    assert "\\x1b[2Jevil\\u202e\\n" == printable(name) == frames.header.names[0]
    assert "\x1b" not in as_bytes(frames).decode()
    assert any("\\x1b[2Jevil" in line for line in summarise(record))


def test_a_broken_record_has_the_frames_before_the_break():
    """Models 4b, 12; and the message itself shows no cards to a seat."""
    base = random_record("explorers", 2, seed=5)
    moves = (*base.moves[:6], structs.replace(base.moves[6], seat=0), *base.moves[7:])
    broken = sealed(structs.replace(base, moves=moves))
    whole, one = all_frames(broken), all_frames(broken, Audience(seat=0))

    assert 7 == len(whole) == len(one)
    assert () == whole[6].ending
    assert "step 7: expected a move of seat 1, found {" in whole.trouble
    assert "explorers-2p.0.000000.0 does not follow its rules after step 6. Run `tournament audit`." == one.trouble


def test_a_seat_that_is_not_there_is_refused():
    """A clear sentence for `--seat 7`."""
    with pytest.raises(UsageError, match="has no seat 7: its seats are 0 to 2"):
        all_frames(random_record("scout", 3, seed=1), Audience(seat=7))


@pytest.mark.parametrize("game", ["scout", "explorers"])
def test_steps_are_told_by_name_as_the_game_describes_them_by_seat(game):
    """The same words, and a short notation beside them."""
    record = random_record(game, 3, 5)
    walk = Replay.from_record(record)
    frames = frames_of(walk)
    audiences = (ALL, PUBLIC, Audience(seat=1))
    told = {audience: frames.words(audience)[1:] for audience in audiences}
    described = {
        audience: [
            walk.game.describe(event, event.seat if audience.sees_all else audience.seat)
            for event in map(walk.event_at, range(1, walk.last + 1))
        ]
        for audience in audiences
    }
    by_seat = {f"Seat {seat}": name for seat, name in enumerate(frames.header.names)}

    assert told == {
        audience: [f"{by_seat[line[:6]]}{line[6:]}" for line in lines] for audience, lines in described.items()
    }


def test_steps_have_a_short_notation_that_tells_no_more_than_the_sentence():
    """A card from the stock is named to the seat that drew it; a scouted card by its number in play."""
    record = random_record("explorers", 2, 4)
    step = next(step for step, move in enumerate(record.moves, 1) if getattr(move, "source", None) == "stock")
    seen = all_frames(record)[step].seen
    drew = record.moves[step - 1].seat
    name = record.seats[drew].bot

    assert f"{name}: draws" == seen[PUBLIC].short == seen[Audience(seat=1 - drew)].short
    assert seen[ALL].short == seen[Audience(seat=drew)].short
    assert seen[ALL].short.startswith(f"{name}: draws ")


def test_seats_of_one_bot_are_told_apart():
    """A bot that sits twice is called by its name and its seat."""
    frames = frames_of(Replay.from_record(random_record("scout", 3, 3, names=("ann", "bob", "ann"))))

    assert ["ann (seat 0)", "bob", "ann (seat 2)"] == [frames.call(Audience(seat=seat)) for seat in range(3)]


def test_marks_say_what_they_are():
    """The end of a round by its number, a fault by who forfeits."""
    frames = frames_of(Replay.from_record(random_record("scout", 3, 3, faults=(illegal_fault(9, 2),))))

    assert {"gamma forfeits", "round 0 ends", "round 1 ends", "round 2 ends"} == {
        frames.explain_mark(mark) for mark in frames.marks
    }


@pytest.mark.parametrize(("game", "subtitle"), [("explorers", "Die großen Entdecker"), ("scout", "")])
def test_a_replay_says_what_the_title_of_its_game_means(game, subtitle):
    german = {"The Great Explorers": "Die großen Entdecker"}
    with translations(Language.GERMAN, german), speaking(Language.GERMAN):
        assert subtitle == all_frames(random_record(game, 2, seed=1)).header.subtitle
