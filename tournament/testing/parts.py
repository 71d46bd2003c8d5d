"""The check of the parts a game offers beyond its rules: see `tournament.games.parts`."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import prod
from typing import Any

from tournament.games import parts_of
from tournament.games.addressing import OffersAddress
from tournament.games.buttons import ListedChoice, OffersButtons, OffersChoiceList
from tournament.games.parts import (
    Numbering,
    OffersGuide,
    OffersLabels,
    OffersNumbering,
    OffersPage,
    OffersPointing,
    OffersReading,
    OffersText,
    OffersTraining,
    Pointed,
    Reading,
    Scene,
    Training,
    WritesNumbers,
)
from tournament.testing.case import Case, who

STEPS = 8
"""Every eighth state is asked, and the last."""


def check_parts(case: Case, deal: Any, actions: Sequence[Any]) -> None:
    """Plays a recorded game again and asks the parts. Raises `AssertionError` with the first finding."""
    check, event = PartsCheck(case, deal), None
    state = case.game.start(deal)
    for case.step, action in enumerate(actions):
        if case.step % STEPS == 0:
            check.ask(state, event)
        event = state.apply(action)
    case.step = len(actions)
    check.ask(state, event)


class PartsCheck:
    """The parts of a game, asked about many states of one game."""

    def __init__(self, case: Case, deal: Any) -> None:
        self._case, self._parts = case, parts_of(case.game)
        parts, players = self._parts, case.players
        self._numbering = parts.number_actions(players) if isinstance(parts, OffersNumbering) else None
        self._training = parts.training(players) if isinstance(parts, OffersTraining) else None
        if self._numbering is not None:
            names = self._numbering.names
            case.same("the number of names of numbers", self._numbering.size, len(names))
            case.same("the number of different names of numbers", len(names), len(set(names)))
        if self._training is not None:
            self._ask_dealing(self._training, deal)
        if isinstance(parts, OffersPage):
            found = parts.page_script()
            case.need("page_script", parts.page_function in found, expected=parts.page_function, found=found)
        if isinstance(parts, OffersGuide):
            case.need("guide", bool(parts.guide), expected="a file name or a spec", found=repr(parts.guide))

    def ask(self, state: Any, event: Any) -> None:
        """Asks the parts about a state; `event` led to it and is None at the deal."""
        case, parts = self._case, self._parts
        views = {seat: state.view(seat) for seat in case.seats}
        for seat, view in views.items():
            reading = parts.read_view(view) if isinstance(parts, OffersReading) else Reading()
            case.need(f"read_view for {who(seat)}", isinstance(reading, Reading), expected="a Reading", found=reading)
            scores = case.players if reading.scores is None else len(reading.scores)
            case.same(f"the number of scores that read_view gives {who(seat)}", case.players, scores)
            if isinstance(parts, OffersText):
                hands = {} if seat is None else {seat: view}
                self._ask_drawing(parts, state, event, reading, seat=seat, hands=hands)
                if seat is None:
                    self._ask_drawing(parts, state, event, reading, seat=None, hands=views)
        if event is not None and isinstance(parts, OffersAddress):
            told = parts.tell_own_event(event)
            case.need("tell_own_event", bool(told) and "\n" not in told, expected="one line", found=repr(told))
        mover = state.to_move
        if mover is not None:
            self._ask_actions(views[mover])
        if self._training is not None:
            self._ask_training(self._training, views)

    def _ask_drawing(
        self, parts: OffersText, state: Any, event: Any, reading: Reading, *, seat: int | None, hands: dict[Any, Any]
    ) -> None:
        case = self._case
        scene = Scene(
            view=state.view(seat),
            news=() if event is None else state.news(event, seat),
            hands={one: view for one, view in hands.items() if one is not None},
            seat=seat,
            reading=reading,
            names=tuple(f"player {one}" for one in range(case.players)),
            actor=None if event is None else event.seat,
            to_move=state.to_move,
            pointed=None if seat is None else Pointed(),
        )
        for line in parts.draw_text(scene):
            fits = line.cell_len <= scene.width
            case.need(f"draw_text for {who(seat)}", fits, expected=f"at most {scene.width} columns", found=line.plain)

    def _ask_actions(self, view: Any) -> None:
        case, parts = self._case, self._parts
        if isinstance(parts, OffersAddress):
            asked = parts.ask_for_move(view)
            case.need("ask_for_move", bool(asked) and "\n" not in asked, expected="one line", found=repr(asked))
        for action in view.legal_actions():
            if isinstance(parts, OffersLabels):
                words = parts.explain_action(action, view)
                case.need(f"explain_action({action})", "\n" not in words, expected="one line", found=repr(words))
            if isinstance(parts, OffersButtons):
                words = parts.word_button(action, view)
                case.need(f"word_button({action})", "\n" not in words, expected="one line", found=repr(words))
            if isinstance(parts, OffersChoiceList):
                listed = parts.list_choice(action, view)
                is_one = isinstance(listed, ListedChoice)
                case.need(f"list_choice({action})", is_one, expected="a ListedChoice", found=listed)
            if isinstance(parts, OffersPointing):
                pointed = parts.point_at(action, view)
                case.need(f"point_at({action})", isinstance(pointed, Pointed), expected="a Pointed", found=pointed)
        if self._numbering is not None:
            self._ask_numbers(self._numbering, view)

    def _ask_numbers(self, numbering: Numbering, view: Any) -> None:
        case, choices = self._case, numbering.choices(view)
        case.same("the numbers of the legal actions, lowest first", sorted(choices), list(choices))
        case.same("the number of legal actions with a number", len(view.legal_actions()), len(choices))
        legal = view.legal_actions()
        numbers = [numbering.number_of(view, action) for action in legal]
        case.same("the numbers of all legal actions at once", numbers, numbering.numbers_of(view, legal))
        for number, action in choices.items():
            case.same(f"the number of {action}", number, numbering.number_of(view, action))
            case.same(f"the action of number {number}", action, numbering.action_of(view, number))

    def _ask_training(self, training: Training, views: dict[int | None, Any]) -> None:
        case = self._case
        for seat in range(case.players):
            known = _written(training, views[seat], seat)
            if isinstance(training, WritesNumbers):
                flat = [int(number) for written in known.values() for number in written]
                case.same(f"write_numbers for seat {seat}", flat, _written_flat(training, views[seat], seat))
            for name, numbers in known.items():
                piece = training.pieces[name]
                fits = bool((numbers >= piece.low).all() and (numbers <= piece.high).all())
                expected = f"numbers from {piece.low} to {piece.high}"
                case.need(f"piece {name} for seat {seat}", fits, expected=expected, found=numbers.tolist())
            public = [name for name, piece in training.pieces.items() if not piece.private]
            told = _written(training, views[None], seat)
            for name in public:
                case.same(f"public piece {name} for seat {seat}", told[name].tolist(), known[name].tolist())
            rows = [*training.hand_rows(views[seat]), *(training.news_row(item, seat) for item in views[seat].news)]
            for row in rows:
                case.same(f"the width of a row for seat {seat}", training.row_width, len(row))

    def _ask_dealing(self, training: Training, deal: Any) -> None:
        case = self._case
        options = case.game.Options()
        bounds, dealing = training.bounds(options), training.dealing(options)
        case.need("bounds", bounds.lowest < bounds.highest, expected="lowest below highest", found=bounds)
        numbers = dealing.outcomes_of(deal)
        case.same("the number of cards drawn", dealing.length, len(numbers))
        case.same("a deal drawn card by card", deal, dealing.deal_of(numbers))
        for drawn, number in enumerate(numbers):
            outcomes = dict(dealing.outcomes(numbers[:drawn]))
            whole = number in outcomes and abs(sum(outcomes.values()) - 1) < 1e-9
            expected = f"{number} among them, probabilities that add up to 1"
            case.need(f"the outcomes after {drawn} cards", whole, expected=expected, found=outcomes)


def _written(training: Training, view: Any, seat: int) -> dict[str, Any]:
    import numpy as np

    arrays = {name: np.zeros(prod(piece.shape), np.int16) for name, piece in training.pieces.items()}
    training.write_pieces(view, seat, {name: arrays[name].reshape(training.pieces[name].shape) for name in arrays})
    return arrays


def _written_flat(training: Training, view: Any, seat: int) -> list[int]:
    assert isinstance(training, WritesNumbers)
    numbers = array("h", bytes(2 * sum(prod(piece.shape) for piece in training.pieces.values())))
    training.write_numbers(view, seat, numbers)
    return numbers.tolist()
