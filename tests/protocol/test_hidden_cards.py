"""No request says a byte about what its seat cannot know.

At each request the hidden cards are swapped in a copy of the state itself: `redeal` would not do, because for SCOUT it
builds its state from the very view that is looked at.
"""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from needs import needs_pure_python

from tournament.deals import deal_seed, make_deal
from tournament.games import load_game
from tournament.games.cards import SUITS
from tournament.games.explorers import state as explorers_state
from tournament.games.explorers.lays import held_by_suit
from tournament.games.explorers.state import news_of
from tournament.games.explorers.types import Draw, DrawSource
from tournament.games.scout import events as scout_news
from tournament.games.scout import state as scout_state
from tournament.games.scout.types import TURNED, VALUE, Keep, Play, Scout, ScoutRound, Turn
from tournament.players import protocol
from tournament.players.bot import Clock, GameEnd
from tournament.records.record import SeatInfo
from tournament.referee import Sitting, play_game, result_of

CLOCK = Clock(move_ms=1000, bank_ms=9000)
TABLES = [(name, players) for name in ("scout", "explorers") for players in load_game(name).players]


def seed_of(name, players, number):
    """Returns the seed of a deal."""
    return deal_seed("hidden cards", game=name, players=players, segment=0, block=number)


def request(state, seat):
    """Returns the bytes of a request for a decision, legal actions included, with the same id and bank every time."""
    return protocol.act_line(7, view=state.view(seat), clock=CLOCK, legal=True)


def ending(state, seat):
    """Returns the bytes that tell a seat how the game ended, the last news included."""
    result = result_of(state.outcome(), forfeits=())
    return protocol.encode(
        protocol.end(
            GameEnd(scores=result.scores, places=result.places, ending=result.ending, news=state.view(seat).news)
        )
    )


def with_other_scout_hands(state, seat, rng):
    """Returns a copy in which the others hold other cards and did with them, unseen, something else."""
    twin = state.copy()
    others = [other for other in range(twin._players) if other != seat]
    cards = [card for other in others for card in twin._hands[other]]
    rng.shuffle(cards)
    places = iter([TURNED[card] if rng.random() < 0.5 else card for card in cards])
    for other in others:
        hand = [next(places) for _ in twin._hands[other]]
        twin._hands[other], twin._values[other] = hand, [VALUE[card] for card in hand]
    twin._later = tuple(
        ScoutRound(tuple(tuple(rng.sample(hand, len(hand))) for hand in one.hands[1:] + one.hands[:1]))
        for one in twin._later
    )
    since = twin._since[seat]
    twin._events[since:] = [event if event.seat == seat else unseen(event, rng) for event in twin._events[since:]]
    del twin._shared_news[since:]
    return twin


def unseen(event, rng):
    """Returns an event of SCOUT in which everything is different that the others do not see (rules 6 and 20)."""
    action = event.action
    if type(action) is Play:
        return replace(event, action=replace(action, at=action.at + 1))
    if type(action) is Scout:
        return replace(event, action=replace(action, at=rng.randrange(9), flip=not action.flip))
    return replace(event, action=Turn() if type(action) is Keep else Keep())


def with_other_explorers_hands(state, seat, rng):
    """Returns a copy in which the cards that the seat has never seen lie elsewhere: in hands, stock and past draws."""
    twin = state.copy()
    taken = {other: set() for other in range(twin.players)}
    for event in twin._events:
        if type(event.action) is Draw and event.action.source is not DrawSource.STOCK:
            taken[event.seat].add(event.card)
        else:
            taken[event.seat].discard(event.card)
    hidden = list(twin._stock[twin._drawn :])
    for other, owned in enumerate(twin._seats):
        hidden += [card for card in owned.cards if other != seat and card not in taken[other]]
    rng.shuffle(hidden)
    moved = dict(zip(hidden, hidden[1:] + hidden[:1], strict=True))
    twin._stock = tuple(moved.get(card, card) for card in twin._stock)
    for other, owned in enumerate(twin._seats):
        if other != seat:
            owned.cards = [moved.get(card, card) for card in owned.cards]
            owned.held, owned.lays = held_by_suit(owned.cards), [None] * len(SUITS)
    since = twin._seats[seat].since
    twin._events[since:] = [
        replace(event, card=moved.get(event.card, event.card))
        if type(event.action) is Draw and event.action.source is DrawSource.STOCK and event.seat != seat
        else event
        for event in twin._events[since:]
    ]
    del twin._told[since:]
    return twin


SWAPPED = {"scout": with_other_scout_hands, "explorers": with_other_explorers_hands}


def hidden_from(state, seat):
    """Returns what the others hold."""
    return [state.view(other).hand for other in range(len(state.view(None).hand_sizes)) if other != seat]


@pytest.mark.parametrize(
    "games", [range(12), pytest.param(range(12, 72), marks=pytest.mark.long)], ids=["some", "many"]
)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_hidden_cards_do_not_change_a_byte_of_what_a_seat_is_sent(name, players, games):
    """At each request of the games, and at the end of each: 500 with the long ones, 72 of each number of players."""
    game, swapped = load_game(name), SWAPPED[name]
    for number in games:
        rng = Random(number)
        state = game.start(make_deal(game, players=players, seed=seed_of(name, players, number)))
        while (seat := state.to_move) is not None:
            twin = swapped(state, seat, rng)

            assert hidden_from(state, seat) != hidden_from(twin, seat)
            assert request(state, seat) == request(twin, seat)
            legal = state.legal_actions()
            state.apply(legal[int(rng.random() * len(legal))])

        for seat in range(players):
            assert ending(state, seat) == ending(swapped(state, seat, rng), seat)


@needs_pure_python
@pytest.mark.parametrize(
    ("name", "rules", "function", "told"),
    [
        ("scout", scout_state, "public_news", scout_news.own_news),
        ("explorers", explorers_state, "news_of", lambda event, *, whole: news_of(event, whole=True)),
    ],
)
def test_a_game_that_told_all_to_everybody_would_be_caught(name, rules, function, told, monkeypatch):
    """The test above can fail: news of what others drew, or of where they put a card, are other bytes."""
    monkeypatch.setattr(rules, function, told)

    with pytest.raises(AssertionError):
        test_hidden_cards_do_not_change_a_byte_of_what_a_seat_is_sent(name, 3, range(12))


class Wire:
    """A player that keeps the request by which its game begins."""

    taken_ns, start_ms, lists = 0, 0.0, False

    def start(self, info):
        """Encodes what the bot is told."""
        self.sent = protocol.encode(protocol.start(7, info))

    def act(self, view, clock=None):
        """Does what it may."""
        return view.legal_actions()[0]

    def end(self, result):
        """The game is over."""


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_request_that_begins_a_game_is_the_same_whatever_the_cards(name, players):
    """`start` says the seat's own chance, from the seed of the deal, and nothing of the deal itself."""
    game, seed = load_game(name), seed_of(name, players, 0)
    deals = [make_deal(game, players=players, seed=one) for one in (seed, seed_of(name, players, 1))]
    sent = []
    for deal in deals:
        wires = [Wire() for _ in range(players)]
        sitting = Sitting(
            id="a",
            tournament="a",
            game=game,
            options=game.Options(),
            deal=deal,
            seed=seed,
            rotation=0,
            seats=tuple(SeatInfo(bot=str(seat), version="1", fingerprint="") for seat in range(players)),
            clocks=(CLOCK,) * players,
        )
        play_game(sitting, wires)
        sent.append([wire.sent for wire in wires])

    assert deals[0] != deals[1]
    assert sent[0] == sent[1]
    assert players == len(set(sent[0]))
