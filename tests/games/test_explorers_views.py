"""What a seat of De store oppdagere sees: views, news, sentences, and games dealt again from them."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from tournament.games.contract import GameError
from tournament.games.explorers.rules import ExplorersGame, ExplorersState
from tournament.games.explorers.types import (
    Build,
    Built,
    Discard,
    Discarded,
    Draw,
    DrawSource,
    Drew,
    ExplorersAction,
    ExplorersDeal,
    ExplorersNews,
    StartedExpedition,
    StartExpedition,
)
from tournament.games.explorers.view import ExplorersView

GAME = ExplorersGame()
STOCK = Draw(DrawSource.STOCK)
SPADES = Draw(DrawSource.SPADES)


def started(*hands: str, stock: str = "QC JC 10C 9C 8C 7C 6C 5C") -> ExplorersState:
    """Returns the state before the first action of a set-up deal."""
    return GAME.start(ExplorersDeal(tuple(tuple(hand.split()) for hand in hands), tuple(stock.split())))


def after(state: ExplorersState, *actions: ExplorersAction) -> ExplorersState:
    """Returns the same state after actions that are checked one by one."""
    for action in actions:
        state.check(action)
        state.apply(action)
    return state


def watched(seed: int, *, players: int, decisions: int) -> tuple[ExplorersState, list[list[ExplorersView]]]:
    """Returns the state after random decisions, and for each seat its views before its own decisions."""
    chance = Random(seed)
    state = GAME.start(GAME.deal(players, chance))
    seen: list[list[ExplorersView]] = [[] for _ in range(players)]
    for _ in range(decisions):
        seen[state.to_move].append(state.view(state.to_move))
        state.apply(chance.choice(state.legal_actions()))
    seen[state.to_move].append(state.view(state.to_move))
    return state, seen


def test_a_view_is_written_as_the_protocol_says():
    """Views of the protocol: names, order of the piles, `closed` in the draw phase."""
    state = after(started("6H JS 3D", "8C 5D"), Discard("JS"), STOCK, StartExpedition("8C"), STOCK, Discard("6H"))

    assert msgspec.json.decode(msgspec.json.encode(state.view(0))) == {
        "game": "explorers",
        "options": {"stall_limit": 20, "move_limit": 5000},
        "players": 2,
        "seat": 0,
        "to_move": 0,
        "phase": "draw",
        "hand": ["3D", "QC"],
        "expeditions": [[], [["8C"]]],
        "piles": {"C": [], "D": [], "H": ["6H"], "S": ["JS"]},
        "closed": "H",
        "stock": 6,
        "pile_draws": 0,
        "hand_sizes": [2, 2],
        "turns_left": 4997,
        "news": [{"do": "discard", "seat": 0, "card": "6H"}],
    }


def test_a_view_survives_the_wire():
    """A bot in another process works with an equal view and the same choices."""
    state = after(started("6H JS 3D", "8C 5D"), Discard("JS"), STOCK, StartExpedition("8C"))
    view = msgspec.json.decode(msgspec.json.encode(state.view(1)), type=ExplorersView)

    assert state.view(1) == view
    assert state.legal_actions() == view.legal_actions()


def test_the_public_view_has_no_hand_no_seat_and_nothing_to_decide():
    """Views of the protocol."""
    view = started("6H", "8C").view(None)

    assert view.seat is None
    assert not hasattr(view, "hand")
    assert view.legal_actions() == ()


def test_a_seat_that_is_not_to_move_has_nothing_to_decide():
    """The contract of views."""
    assert started("6H", "8C").view(1).legal_actions() == ()


def test_the_phase_is_over_and_nobody_moves_at_the_end():
    """Views of the protocol."""
    view = after(started("6H", "8C", stock="2D"), StartExpedition("6H"), STOCK).view(0)

    assert (view.phase, view.to_move, view.closed, view.legal_actions()) == ("over", None, None, ())


def test_news_begin_with_ones_own_last_decision():
    """Views: an own draw from the stock with its card, another seat's without."""
    state = started("9S 6H", "8C 8D")

    assert state.view(0).news == ()

    after(state, Discard("9S"))

    assert state.view(0).news == (Discarded(0, "9S"),)

    after(state, STOCK)

    assert state.view(0).news == (Drew(seat=0, source=DrawSource.STOCK, card="QC"),)
    assert state.view(1).news == (Discarded(0, "9S"), Drew(seat=0, source=DrawSource.STOCK))

    after(state, StartExpedition("8C"), SPADES)

    assert state.view(0).news == (
        Drew(seat=0, source=DrawSource.STOCK, card="QC"),
        StartedExpedition(1, "8C"),
        Drew(seat=1, source=DrawSource.SPADES, card="9S"),
    )
    assert state.view(1).news == (Drew(seat=1, source=DrawSource.SPADES, card="9S"),)


def test_the_public_news_are_those_of_the_last_event():
    """The public never decides, so for it every event is a new one."""
    state = after(started("9S 6H", "8C 8D"), Discard("9S"), STOCK, StartExpedition("8C"))

    assert state.view(None).news == (StartedExpedition(1, "8C"),)


def test_public_news_are_made_once_and_shared():
    """Views are cheap: the same object stands in all of them."""
    state = after(started("9S 6H", "8C 8D", "2D"), Discard("9S"), STOCK, StartExpedition("8C"))

    assert state.view(2).news[-1] is state.view(None).news[0]


@pytest.mark.parametrize(
    ("action", "news"),
    [
        (StartExpedition("3H"), StartedExpedition(0, "3H")),
        (Build("6H", 0), Built(0, "6H", 0)),
        (Discard("6H"), Discarded(0, "6H")),
    ],
)
@pytest.mark.parametrize("seat", [0, 1, None])
def test_everybody_sees_a_lay(action, news, seat):
    """News of one event."""
    state = after(started("3H 3H 6H", "8C 8D"), StartExpedition("3H"), STOCK, Discard("8C"), STOCK)

    assert state.news(state.apply(action), seat) == (news,)


@pytest.mark.parametrize(("seat", "card"), [(0, "QC"), (1, None), (None, None)])
def test_a_card_from_the_stock_is_shown_to_its_drawer_only(seat, card):
    """News of one event; rule 15."""
    state = after(started("3H", "8C"), Discard("3H"))

    assert state.news(state.apply(STOCK), seat) == (Drew(seat=0, source=DrawSource.STOCK, card=card),)


def test_news_leave_out_a_hidden_card_when_written():
    """The protocol: a draw from the stock does not show the card."""
    told = msgspec.json.encode(
        [Drew(seat=0, source=DrawSource.STOCK), Drew(seat=1, source=DrawSource.SPADES, card="9S")]
    )

    assert told == b'[{"do":"draw","seat":0,"from":"stock"},{"do":"draw","seat":1,"from":"S","card":"9S"}]'
    assert msgspec.json.decode(told, type=list[ExplorersNews])[0] == Drew(seat=0, source=DrawSource.STOCK)


def test_describe_says_each_event_in_one_sentence():
    """`describe`: the card drawn from the stock is named to its drawer only."""
    state = started("3H 6H 9S", "8C KD")
    moves = (StartExpedition("3H"), STOCK, Discard("8C"), STOCK, Build("6H", 0), Draw(DrawSource.CLUBS))
    events = [state.apply(move) for move in moves]

    assert [GAME.describe(event) for event in events] == [
        "Seat 0 starts an expedition with the 3 of hearts.",
        "Seat 0 draws a card from the stock.",
        "Seat 1 discards the 8 of clubs.",
        "Seat 1 draws a card from the stock.",
        "Seat 0 builds the 6 of hearts on its expedition 0.",
        "Seat 0 takes the 8 of clubs from the pile.",
    ]
    assert GAME.describe(events[1], 0) == "Seat 0 draws the queen of clubs from the stock."
    assert GAME.describe(events[1], 1) == "Seat 0 draws a card from the stock."


def test_a_view_prints_readably():
    """`str(view)` for people who write bots."""
    state = after(
        started("3H 6H JS", "8C KD"), Discard("JS"), STOCK, StartExpedition("8C"), STOCK, StartExpedition("3H"), STOCK
    )
    after(state, Discard("KD"), STOCK, Discard("6H"))

    assert str(state.view(0)).splitlines() == [
        "seat 0 of 2, draw, 4 cards in the stock",
        "hand    QC 10C",
        "seat 0  0: 3H",
        "seat 1  0: 8C",
        "piles   diamonds: KD | hearts (closed): 6H | spades: JS",
    ]


def test_redeal_puts_cards_openly_taken_into_the_hand_that_took_them():
    """`redeal`: what anybody may remember is kept."""
    chance = Random(5)
    deal = GAME.deal(2, chance)
    card = deal.hands[0][0]
    state = GAME.start(deal)
    seen = [state.view(0)]
    after(state, Discard(card))
    seen.append(state.view(0))
    after(state, STOCK, Discard(deal.hands[1][0] if deal.hands[1][0][-1] != card[-1] else deal.hands[1][1]))
    after(state, Draw(DrawSource(card[-1])))
    seen.append(state.view(0))

    assert all(card in GAME.redeal(seen, Random(seed)).view(1).hand for seed in range(20))


def test_redeal_draws_what_a_seat_cannot_know():
    """`redeal`: other hands and the stock differ from one time to the next."""
    _, seen = watched(3, players=2, decisions=20)
    hands = {GAME.redeal(seen[0], Random(seed)).view(1).hand for seed in range(20)}

    assert len(hands) == 20


def test_redeal_deals_hidden_cards_evenly():
    """`redeal`: before anything happened each unseen card is in the other hand as often as any other."""
    chance = Random(1)
    view = GAME.start(GAME.deal(2, chance)).view(0)
    counts = dict.fromkeys((card for card in GAME.deal(2, chance).hands[0] if card not in view.hand), 0)
    for _ in range(2000):
        for card in GAME.redeal([view], chance).view(1).hand:
            if card in counts:
                counts[card] += 1

    assert all(380 < count < 580 for count in counts.values())


def test_redeal_of_no_view_is_refused():
    """`redeal`."""
    with pytest.raises(GameError, match="there is no view"):
        GAME.redeal([], Random(1))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda seen, other: seen[1:], id="first view missing"),
        pytest.param(lambda seen, other: seen[:3] + seen[4:], id="a view missing"),
        pytest.param(lambda seen, other: [*seen, seen[-1]], id="a view twice"),
        pytest.param(lambda seen, other: seen[::-1], id="newest first"),
        pytest.param(lambda seen, other: seen[:4] + other[4:], id="views of two games"),
    ],
)
def test_redeal_refuses_views_that_are_not_one_game_from_its_start(spoil):
    """`redeal`."""
    _, seen = watched(3, players=3, decisions=40)
    _, other = watched(4, players=3, decisions=40)

    with pytest.raises(GameError, match="needs the views of one seat"):
        GAME.redeal(spoil(seen[1], other[1]), Random(1))


def test_redeal_refuses_views_of_two_seats():
    """`redeal`."""
    _, seen = watched(3, players=2, decisions=20)

    with pytest.raises(GameError, match="differ in seat"):
        GAME.redeal([seen[0][0], seen[1][0]], Random(1))
