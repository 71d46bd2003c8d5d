"""What a person is sent says nothing that their seat may not know: change what is hidden, and not a byte changes."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from made_tables import MadeTable, by_chance
from msgspec import structs

from tournament.replaying.positions import Replay
from tournament.viewer.actions import short_text


def played(game, players):
    """Returns the record of a game with a person in seat 0, everybody choosing at random."""
    rng = Random(4)
    with MadeTable(game, players=players, people=(0,)) as made:
        made.play_to_the_end(choose=lambda sheet: int(rng.random() * len(sheet["choices"])))
    return made.record


def sent(record, deal, *, seat, steps):
    """Returns the bytes of the sheets of a seat, when the moves of a record are made on a deal, up to a step."""
    walk = Replay.from_record(record)
    made_by = {place: [] for place in range(len(record.seats))}
    for step in range(1, walk.last + 1):
        event = walk.event_at(step)
        made_by[event.seat].append(event.action)

    def decide(place):
        waiting = iter(made_by[place])
        return lambda view: next(waiting)

    found, own = [], iter(made_by[seat])
    game, players = record.game.name, len(record.seats)
    with MadeTable(game, players=players, people=(seat,), decide=decide, deal=deal) as made:
        while len(found) <= steps:
            found += made.table.wait_for_sheets(seat, after=found[-1][0] if found else 0, seconds=20)
            number, packed = found[-1]
            words = [choice["words"] for choice in msgspec.json.decode(packed)["choices"]]
            if words:
                made.table.act(seat, number=number, choice=words.index(short_text(next(own))))
    return [packed for _, packed in found[: steps + 1]]


def swapped_hands(deal, walk, steps):
    """Returns the deal with two cards swapped that two seats still held at a step, and nobody else had seen."""
    hands = [list(hand) for hand in deal.rounds[0].hands]
    held = [set(walk.state_at(steps).view(seat).hand) for seat in (1, 2)]
    here, there = (
        next(
            place
            for place, card in enumerate(hand)
            if card in held[seat] or "/".join(card.split("/")[::-1]) in held[seat]
        )
        for seat, hand in enumerate(hands[1:3])
    )
    hands[1][here], hands[2][there] = hands[2][there], hands[1][here]
    first = structs.replace(deal.rounds[0], hands=tuple(map(tuple, hands)))
    return structs.replace(deal, rounds=(first, *deal.rounds[:0:-1]))  # and later rounds the other way round


def swapped_stock(deal, walk, steps):
    """Returns the deal with a card of seat 1 that it had not laid at a step swapped with the last of the stock."""
    kept = set(walk.state_at(steps).view(1).hand)
    hand = list(deal.hands[1])
    place = next(place for place, card in enumerate(hand) if card in kept)
    stock = (*deal.stock[:-1], hand[place])
    hand[place] = deal.stock[-1]
    return structs.replace(deal, hands=(deal.hands[0], tuple(hand)), stock=stock)


def last_step_of_first_round(walk):
    return next(step for step in range(walk.last) if getattr(walk.state_at(step).view(0), "round", 0)) - 1


CASES = {
    "scout": (3, last_step_of_first_round, swapped_hands),
    "explorers": (2, lambda walk: walk.last // 2, swapped_stock),
}


@pytest.mark.parametrize("game", CASES)
def test_not_a_byte_depends_on_what_the_seat_cannot_know(game):
    players, last, swap = CASES[game]
    record = played(game, players)
    walk = Replay.from_record(record)
    steps = last(walk)
    other = swap(record.deal, walk, steps)

    assert record.deal != other
    assert steps > 10
    assert sent(record, record.deal, seat=0, steps=steps) == sent(record, other, seat=0, steps=steps)
    assert sent(record, record.deal, seat=1, steps=steps) != sent(record, other, seat=1, steps=steps)


def test_neither_the_seed_nor_a_card_that_is_hidden_is_sent_before_the_end():
    """The hands of the others, and the stock, are looked for in all that was sent."""
    sheets = []
    with MadeTable("explorers", players=2, people=(0,), decide=by_chance) as made:
        sheet = made.turn(0)
        for _ in range(20):
            sheets += made.table.wait_for_sheets(0, after=sheets[-1][0] if sheets else 0, seconds=20)
            made.table.act(0, number=sheet["number"], choice=0)
            sheet = made.turn(0, after=sheet["number"])
        moves = made.sheets(0)[-1]["frame"]
    text = b"".join(packed for _, packed in sheets).decode()
    seen = set(made.sitting.deal.hands[0]) | {card for card in made.sitting.deal.stock if f'"{card}"' in text}

    assert made.sitting.seed not in text
    assert moves["step"] > 20
    assert not any(f'"{card}"' in text for card in made.sitting.deal.stock[-5:])
    assert len(seen) < 52
