"""The referee: one line-up on one deal."""

from __future__ import annotations

import pytest

from tournament.deals import deal_seed, make_deal, stand_in_rng
from tournament.games import load_game
from tournament.games.contract import LISTED
from tournament.players.base import PlayerFault
from tournament.records.codec import codec_for, seal
from tournament.records.misfits import check_sealed
from tournament.records.record import By, FaultKind, SeatInfo
from tournament.referee import Sitting, play_game

SEED = deal_seed("referee", game="scout", players=2, segment=0, block=0)


class Scripted:
    """A player that takes the first legal action, and does `trouble` at its decision number `at`."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(self, *, at=None, trouble=None, start_trouble=None):
        self.at, self.trouble, self.start_trouble = at, trouble, start_trouble
        self.asked = 0
        self.ends = []

    def start(self, info):
        self.info = info
        if self.start_trouble is not None:
            raise self.start_trouble

    def act(self, view, clock=None):
        number, self.asked = self.asked, self.asked + 1
        if number == self.at:
            if isinstance(self.trouble, PlayerFault):
                raise self.trouble
            return self.trouble
        return view.legal_actions()[0]

    def end(self, result):
        self.ends.append(result)

    def dismiss(self):
        return None

    def close(self):
        pass


def sitting(name="scout", players=3, options=None):
    game = load_game(name)
    seed = deal_seed("referee", game=name, players=players, segment=0, block=0)
    return Sitting(
        id=f"{name}-{players}p.0.000000.1",
        tournament="test",
        game=game,
        options=game.Options(**(options or {})),
        deal=make_deal(game, players=players, seed=seed),
        seed=seed,
        rotation=1,
        seats=tuple(SeatInfo(bot=f"b{seat}", version="1", fingerprint="0" * 64) for seat in range(players)),
    )


def crash():
    return PlayerFault(FaultKind.CRASH, "act raised ValueError", traceback="the traceback")


def play(*players, name="scout", options=None):
    played = play_game(sitting(name, len(players), options), players)
    sealed = seal(played.record)
    check_sealed(sealed)
    return sealed.record, played


@pytest.mark.parametrize(("name", "players"), [("scout", 2), ("scout", 5), ("explorers", 2), ("explorers", 4)])
def test_a_game_without_faults_is_complete(name, players):
    """Faults and forfeits are always present."""
    record, played = play(*(Scripted() for _ in range(players)), name=name)

    assert () == record.faults
    assert () == record.result.forfeits
    assert "complete" == record.result.ending
    assert sum(time.moves for time in played.times) == len(record.moves)


def test_the_record_of_equal_players_is_the_same_twice():
    """Equal seeds and deterministic bots give equal bytes."""
    first, _ = play(Scripted(), Scripted(), Scripted())
    second, _ = play(Scripted(), Scripted(), Scripted())

    assert first == second


def test_a_fault_ends_the_seat_and_a_stand_in_plays_on():
    """The first fault of a seat ends it for that game."""
    broken = Scripted(at=1, trouble=crash())
    record, played = play(Scripted(), broken, Scripted())
    fault = record.faults[0]

    assert 2 == broken.asked
    assert (1, "crash", "act raised ValueError") == (fault.seat, fault.kind, fault.detail)
    assert (1,) == record.result.forfeits
    assert ["the traceback"] == [cause.traceback for cause in played.causes]
    assert {By.STAND_IN} == {move.by for move in record.moves[fault.at :] if move.seat == 1}
    assert {None} == {move.by for move in record.moves if move.seat != 1 or move in record.moves[: fault.at]}


def test_at_counts_the_moves_before_the_fault():
    """Faults[].at = number of moves recorded before it."""
    record, _ = play(Scripted(), Scripted(at=0, trouble=crash()), Scripted())

    assert 1 == record.faults[0].at


def test_the_stand_in_chooses_as_its_seed_says():
    """Legal[int(rng.random() * len(legal))] at each of its decisions."""
    record, _ = play(Scripted(), Scripted(), Scripted(start_trouble=crash()))
    state = load_game("scout").start(record.deal, record.game.options)
    codec = codec_for("scout")
    rng = stand_in_rng(record.seed, rotation=1, seat=2)
    expected, found = [], []
    for move in record.moves:
        if move.seat == 2:
            legal = state.legal_actions()
            expected.append(legal[int(rng.random() * len(legal))])
            found.append(codec.to_action(move))
        state.apply(codec.to_action(move))

    assert expected == found


def test_a_fault_at_the_start_is_at_nought():
    """0 at start."""
    record, _ = play(Scripted(start_trouble=PlayerFault(FaultKind.START, "__init__ raised OSError")), Scripted())

    assert (0, "start") == (record.faults[0].at, record.faults[0].kind)


def test_an_illegal_action_is_a_fault_with_its_sentence_and_answer():
    """Illegal, a well-formed action the rules do not allow."""
    play_action = load_game("scout").actions(2)[2]
    record, _ = play(Scripted(at=0, trouble=play_action), Scripted())
    fault = record.faults[0]

    assert "illegal" == fault.kind
    assert "first every seat decides to keep or to turn its hand (6)" == fault.detail
    assert '{"at":0,"count":1,"do":"play"}' == fault.answer


def test_forfeited_seats_share_the_last_place_whatever_their_score():
    record, _ = play(Scripted(at=2, trouble=crash()), Scripted(at=3, trouble=crash()), Scripted(), Scripted())
    places = record.result.places

    assert (3, 3) == places[:2]
    assert {1, 2} == set(places[2:]) or (1, 1) == places[2:]


@pytest.mark.parametrize(("name", "players"), [("scout", 3), ("explorers", 2)])
def test_when_every_seat_has_forfeited_the_game_is_aborted_at_once(name, players):
    """Aborted, all place 1."""
    record, _ = play(*(Scripted(at=1, trouble=crash()) for _ in range(players)), name=name)

    assert "aborted" == record.result.ending
    assert tuple(range(players)) == record.result.forfeits
    assert (1,) * players == record.result.places
    assert record.faults[-1].at == len(record.moves)


def test_a_game_where_nobody_starts_is_aborted_without_a_move():
    """Aborted; SCOUT's finished rounds are none."""
    record, _ = play(*(Scripted(start_trouble=crash()) for _ in range(3)))

    assert () == record.moves
    assert (0, 0, 0) == record.result.scores
    assert () == record.result.detail.rounds


def test_a_void_game_places_everybody_first_but_forfeits():
    """Rule 14 of explorers: all seats that did not forfeit take place 1."""
    options = {"move_limit": 9}
    record, _ = play(Scripted(), Scripted(at=1, trouble=crash()), Scripted(), name="explorers", options=options)

    assert "move-limit" == record.result.ending
    assert (1, 3, 1) == record.result.places


def test_every_player_but_a_forfeited_one_hears_how_it_ended():
    """The hook `end`."""
    players = [Scripted(), Scripted(at=0, trouble=crash()), Scripted()]
    record, _ = play(*players)

    assert [1, 0, 1] == [len(player.ends) for player in players]
    assert record.result.scores == players[0].ends[0].scores
    assert record.result.places == players[0].ends[0].places


def test_players_are_told_their_seat_and_nothing_of_the_record():
    """Ids never reach a bot."""
    players = [Scripted(), Scripted()]
    play(*players)

    assert [0, 1] == [player.info.seat for player in players]
    told = {str(getattr(players[0].info, name)) for name in players[0].info.__struct_fields__}
    assert not any("000000" in text or SEED in text for text in told)


def test_nothing_is_listed_for_a_player_that_lists_legal_actions_itself():
    """What the state has listed is no part of a view, and costs as much as the rest of it."""

    class Looking(Scripted):
        def __init__(self, *, lists):
            super().__init__()
            self.lists, self.seen = lists, set()

        def act(self, view, clock=None):
            self.seen.add(LISTED in view.__dict__)
            return super().act(view, clock)

    one, other = Looking(lists=True), Looking(lists=False)
    play(one, other, name="explorers")

    assert ({False}, {True}) == (one.seen, other.seen)
