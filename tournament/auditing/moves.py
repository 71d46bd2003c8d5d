"""The moves of a record, played again by the rules from its own deal: turns, legality, stand-ins, faults, the end."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from tournament.auditing.findings import FindingCode, Findings
from tournament.deals import stand_in_rng
from tournament.games import load_game
from tournament.games.contract import Game, IllegalAction, State
from tournament.ids import rotation_of
from tournament.records.codec import AnyRecord, Codec, canonical_bytes
from tournament.records.record import Fault, FaultKind

_AT_START: Final = frozenset({FaultKind.START, FaultKind.CRASH, FaultKind.MALFORMED, FaultKind.FLOOD, FaultKind.MEMORY})
"""Faults that a seat may have before the first move, in the order of the seats, whoever is to move."""

_WITH_ANSWER: Final = frozenset({FaultKind.ILLEGAL, FaultKind.MALFORMED})
_WITHOUT_ANSWER: Final = frozenset({FaultKind.CRASH, FaultKind.FLOOD, FaultKind.MEMORY})


class Followed(NamedTuple):
    """Where the moves of a record lead."""

    state: State
    forfeits: tuple[int, ...]
    """The seats that forfeited, lowest first."""


def follow_moves(record: AnyRecord, *, game: Game, codec: Codec, state: State, findings: Findings) -> Followed | None:
    """Returns where the moves lead, and notes what is wrong; None when they cannot be followed to the last.

    `state` is the state before the first move.
    """
    if not record.faults:
        if _is_clean(record.moves, state, codec):
            return Followed(state, ())
        state = game.start(record.deal, record.game.options)
    return _Follower(record, game, codec, state, findings).follow()


def _is_clean(moves: tuple[Any, ...], state: State, codec: Codec) -> bool:
    """Makes the moves; returns whether each is legal, in turn, and made by the seat's own bot, as in most records."""
    check, apply = state.check, state.apply
    seats: list[Any] = codec.own_seats(moves)
    actions: list[Any] = codec.to_actions(moves)
    try:
        for step, action in enumerate(actions):
            if seats[step] != state.to_move:
                return False
            check(action)
            apply(action)
    except IllegalAction:
        return False
    return True


class _Follower:
    def __init__(self, record: AnyRecord, game: Game, codec: Codec, state: State, findings: Findings) -> None:
        self._record = record
        self._codec = codec
        self._state = state
        self._findings = findings
        self._decoder = _action_decoder(game.name)
        self._stand_ins: dict[int, Random | None] = {}
        """One for each forfeited seat; None in a record without a seed."""

        self._faults = _faults_by_step(record, findings) if record.faults else {}

    def follow(self) -> Followed | None:
        record, state, add = self._record, self._state, self._findings.add
        players, stand_ins, faults = record.game.players, self._stand_ins, self._faults
        actions, check, apply = self._codec.actions, state.check, state.apply
        moves = record.moves
        for step, move in enumerate(moves):
            if step in faults:
                self._judge_faults(step)
            seat = state.to_move
            if seat is None or len(stand_ins) == players:
                code, end = FindingCode.ABORTED, "every seat had forfeited"
                if seat is None:
                    code, end = FindingCode.AFTER_END, "the end of the game"
                add(code, f"There are moves after {end}.", f"{step} moves", f"{len(moves)} moves", step=step)
                break
            if move.seat != seat:
                message = "A seat moved that was not to move."
                add(FindingCode.TURN, message, f"seat {seat}", f"seat {move.seat}", step=step)
            action = actions[move]
            if stand_ins or move.by is not None:
                self._check_stand_in(step, seat, move, action)
            try:
                check(action)
            except IllegalAction as error:
                refusal = f"The rules refuse this move: {error}."
                add(FindingCode.ILLEGAL, refusal, "a legal action", _text(action), step=step)
                return None
            apply(action)
        if len(moves) in faults:
            self._judge_faults(len(moves))
        return Followed(state, tuple(sorted(stand_ins)))

    def _check_stand_in(self, step: int, seat: int, move: Any, action: Any) -> None:
        forfeited = seat in self._stand_ins
        if forfeited != (move.by is not None):
            message = "A stand-in moves for a seat that forfeited, and for no other."
            expected = "by a stand-in" if forfeited else f"by the bot of seat {seat}"
            found = f"by a {move.by}" if move.by is not None else "by the bot"
            self._findings.add(FindingCode.STAND_IN, message, expected, found, step=step)
        rng = self._stand_ins.get(seat)
        if rng is None:
            return
        legal = self._state.legal_actions()
        wanted = legal[int(rng.random() * len(legal))]
        if action != wanted:
            message = "The stand-in did not move as its seed says."
            self._findings.add(FindingCode.STAND_IN, message, _text(wanted), _text(action), step=step)

    def _judge_faults(self, step: int) -> None:
        """Judges the faults between two moves: those at the start, by seat, then at most one of the seat to move."""
        last_seat, acted = -1, False
        for fault in self._faults[step]:
            starting = step == 0 and not acted and fault.kind in _AT_START and fault.seat > last_seat
            in_turn = not acted and fault.seat == self._state.to_move and fault.kind is not FaultKind.START
            if starting:
                last_seat = fault.seat
            elif in_turn:
                acted = True
            else:
                expected = _expected_fault(self._state.to_move, step=step, acted=acted)
                found = f"{fault.kind} of seat {fault.seat}"
                self._note(fault, "This fault could not happen at this point.", expected, found)
            if in_turn:
                self._check_refusal(fault)
            seed = self._record.seed
            self._stand_ins[fault.seat] = (
                None if seed is None else stand_in_rng(seed, rotation=rotation_of(self._record.id), seat=fault.seat)
            )

    def _check_refusal(self, fault: Fault) -> None:
        """Checks that a fault is `illegal` if and only if the rules refuse its answer in the words of the fault."""
        action = self._action_of(fault)
        refusal = None
        if action is not None:
            try:
                self._state.check(action)
            except IllegalAction as error:
                refusal = str(error)
        if fault.kind is not FaultKind.ILLEGAL:
            if refusal is not None and refusal == fault.detail:
                self._note(fault, "This is how the rules refuse an action.", "illegal", fault.kind)
        elif action is None:
            self._note(fault, "The answer is no action of the game.", "an action in canonical form", fault.answer)
        elif refusal is None:
            self._note(fault, "The answer is a legal action.", "an action the rules refuse", fault.answer)
        elif refusal != fault.detail:
            self._note(fault, "The rules refuse it with another sentence.", refusal, fault.detail)

    def _action_of(self, fault: Fault) -> Any | None:
        if fault.answer is None:
            return None
        try:
            action = self._decoder.decode(fault.answer)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        return action if canonical_bytes(action) == fault.answer.encode() else None

    def _note(self, fault: Fault, message: str, expected: object, found: object) -> None:
        self._findings.add(FindingCode.FAULT, message, expected, found, step=fault.at)


def _faults_by_step(record: AnyRecord, findings: Findings) -> dict[int, list[Fault]]:
    """Returns by step the faults that can be judged in play, and notes what is wrong with the others."""
    faults: dict[int, list[Fault]] = {}
    forfeited: set[int] = set()
    players, moves = record.game.players, len(record.moves)
    latest = 0

    def note(message: str, expected: object, found: object) -> None:
        findings.add(FindingCode.FAULT, message, expected, found, step=fault.at)

    for fault in record.faults:
        if fault.at < latest:
            note("The faults are out of order.", f"at {latest} or later", f"at {fault.at}")
        latest = max(latest, fault.at)
        if fault.answer is None and fault.kind in _WITH_ANSWER:
            note("A fault of this kind keeps the answer.", "an answer", "none")
        if fault.answer is not None and fault.kind in _WITHOUT_ANSWER:
            note("A fault of this kind has no answer.", "none", fault.answer)
        if fault.at > moves:
            note("The fault is later than the last move.", f"at {moves} or earlier", f"at {fault.at}")
        elif fault.seat >= players:
            note("There is no such seat.", f"seat 0 to {players - 1}", f"seat {fault.seat}")
        elif fault.seat in forfeited:
            note("This seat had forfeited already.", "one fault a seat", f"a second one of seat {fault.seat}")
        else:
            forfeited.add(fault.seat)
            faults.setdefault(fault.at, []).append(fault)
    return faults


def _expected_fault(to_move: int | None, *, step: int, acted: bool) -> str:
    if to_move is None:
        return "none: the game was over"
    if acted:
        return "one fault at most between two moves"
    if step == 0:
        return f"faults at the start in the order of the seats, then one of seat {to_move}"
    return f"a fault of seat {to_move}, which was to move; and start only before the first move"


@cache
def _action_decoder(name: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(load_game(name).Action)


def _text(action: Any) -> str:
    return canonical_bytes(action).decode()
