"""One record by itself: its deal, its moves, its faults and everything in its result, worked out again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from tournament.auditing.findings import FindingCode, Findings, first_difference
from tournament.auditing.moves import Followed, follow_moves
from tournament.deals import make_deal
from tournament.errors import DealError
from tournament.games import load_game
from tournament.games.contract import Ending, Game, Outcome, State, places_from_scores
from tournament.ids import GameId, format_group, is_group_of, parse_game_id
from tournament.records.codec import AnyRecord, codec_for
from tournament.records.record import Result


def parse_id(text: str) -> GameId | None:
    """Returns the parts of the id of a game; None when it is not written as a schedule writes it."""
    try:
        parts = parse_game_id(text)
    except ValueError:
        return None
    is_possible = parts.group and min(parts.segment, parts.block, parts.rotation) >= 0
    return parts if is_possible and str(parts) == text else None


def check_record(record: AnyRecord, findings: Findings) -> None:
    """Notes everything in a record that contradicts the rules or another part of it."""
    game = codec_for(record.game.name).game
    assert game is not None, "records of unknown games are not replayed"
    _check_id(record, game, findings)
    if record.game.rules_version != game.rules_version:
        message = "Other rules than those known here made this record: install the tournament that played it."
        known = f"version {game.rules_version} of the rules"
        findings.add(FindingCode.RULES_VERSION, message, known, f"version {record.game.rules_version}")
        return
    try:
        _check_by_rules(record, game, findings)
    except Exception as error:  # rules of another's game may do anything with values they never meant
        found = f"{type(error).__name__}: {error}"
        findings.add(FindingCode.RULES_FAILED, "The rules could not follow this record.", "no error", found)


def _check_by_rules(record: AnyRecord, game: Game, findings: Findings) -> None:
    state = _started(record, game, findings)
    if state is not None:
        followed = follow_moves(record, game=game, codec=codec_for(game.name), state=state, findings=findings)
        _check_result(record, followed, findings)
    parent = record.parent
    if parent is not None and parent.move > len(record.moves):
        message, last = "The game goes on from a move it does not have.", f"move {len(record.moves)} or earlier"
        findings.add(FindingCode.PARENT, message, last, f"move {parent.move}")


def _check_id(record: AnyRecord, game: Game, findings: Findings) -> None:
    players = record.game.players
    parts = parse_id(record.id)
    group = format_group(game.name, players)
    if parts is None:
        expected = f"{group}.SEGMENT.BLOCK.ROTATION, the block with six digits or more"
    elif not is_group_of(parts.group, game=game.name, players=players):
        expected = f"the group {group}, perhaps with a number behind it"
    elif parts.rotation >= players:
        expected = f"rotation 0 to {players - 1}"
    else:
        return
    findings.add(FindingCode.ID, "The id does not fit the game.", expected, record.id)


# Before the first move


class _Dealt(NamedTuple):
    """The deal that a seed gives, and what the rules refuse about it."""

    deal: Any
    problem: str | None


@lru_cache(maxsize=16)  # the rotations of a block have one deal and stand one after the other
def _dealt(name: str, players: int, seed: str, options_json: bytes) -> _Dealt:
    game = load_game(name)
    options: Any = msgspec.json.decode(options_json, type=game.Options)
    deal = make_deal(game, players=players, seed=seed, options=options)
    return _Dealt(deal, _pack_problem(game, deal, options))


def _pack_problem(game: Game, deal: Any, options: Any) -> str | None:
    try:
        game.check_deal(deal, options)
    except DealError as error:
        return str(error)
    return None


def _started(record: AnyRecord, game: Game, findings: Findings) -> State | None:
    """Checks deal and seats, and returns the state before the first move; None when the deal gives none."""
    info = record.game
    players = info.players

    def note_players(found: str) -> None:
        findings.add(FindingCode.PLAYERS, "The number of players does not fit.", f"{players} players", found)

    if players not in game.players:
        allowed = f"{game.players.start} to {game.players.stop - 1} players"
        findings.add(FindingCode.PLAYERS, "This game is not for so many players.", allowed, f"{players} players")
        return None
    if len(record.seats) != players:
        note_players(f"{len(record.seats)} seats")
    dealt = None if record.seed is None else _dealt(game.name, players, record.seed, msgspec.json.encode(info.options))
    as_dealt = dealt is not None and dealt.deal == record.deal
    problem = dealt.problem if dealt is not None and as_dealt else _pack_problem(game, record.deal, info.options)
    if problem is not None:
        findings.add(FindingCode.PACK, "The deal is not the whole pack in whole hands.", "the pack", problem)
    if dealt is not None and not as_dealt and (difference := first_difference(dealt.deal, record.deal)):
        message = f"The deal is not the one its seed gives, from {difference.path} on."
        findings.add(FindingCode.DEAL_SEED, message, difference.expected, difference.found)
    try:
        state = game.start(record.deal, info.options)
    except DealError:
        return None
    if not as_dealt and (hands := state.view(None).players) != players:
        note_players(f"hands for {hands}")
        return None
    return state


# The result


def _check_result(record: AnyRecord, followed: Followed | None, findings: Findings) -> None:
    result = record.result
    if followed is None:
        forfeits = tuple(sorted({fault.seat for fault in record.faults}))
        places = places_of(result.ending, result.scores, result.forfeits)
        _note(findings, FindingCode.FORFEITS, forfeits, result.forfeits)
        _note(findings, FindingCode.PLACES, places, result.places)
        return
    outcome = _outcome(record, followed, findings)
    if outcome is None:
        _note(findings, FindingCode.FORFEITS, followed.forfeits, result.forfeits)
        return
    wanted = Result(
        ending=outcome.ending,
        scores=outcome.scores,
        places=places_of(outcome.ending, outcome.scores, followed.forfeits),
        forfeits=followed.forfeits,
        detail=outcome.detail,
    )
    if wanted == result:
        return
    _note(findings, FindingCode.FORFEITS, wanted.forfeits, result.forfeits)
    _note(findings, FindingCode.ENDING, wanted.ending, result.ending)
    _note(findings, FindingCode.SCORES, wanted.scores, result.scores)
    _note(findings, FindingCode.PLACES, wanted.places, result.places)
    detail = _as_far_as_told(wanted.detail, result.detail)
    if detail is not wanted.detail:
        findings.leave(
            "the result, made by an earlier version, does not tell how the unfinished part of the game stood: changed "
            "moves in it could not be found.",
            of_record=True,
        )
    if difference := first_difference(detail, result.detail):
        message = f"The detail is not what the moves give, from {difference.path} on."
        findings.add(FindingCode.DETAIL, message, difference.expected, difference.found)


def _as_far_as_told(wanted: Any, told: Any) -> Any:
    """Returns a detail without the optional parts that `told` leaves out."""
    absent = {
        name: None
        for name, default in zip(reversed(wanted.__struct_fields__), reversed(wanted.__struct_defaults__), strict=False)
        if default is None and getattr(wanted, name) is not None and getattr(told, name) is None
    }
    return msgspec.structs.replace(wanted, **absent) if absent else wanted


def _outcome(record: AnyRecord, followed: Followed, findings: Findings) -> Outcome | None:
    """Returns the outcome of the game after its last move; None when it should have gone on."""
    outcome = followed.state.outcome()
    if outcome is not None:
        return outcome
    if len(followed.forfeits) == record.game.players:
        return followed.state.standing()
    still = [seat for seat in range(record.game.players) if seat not in followed.forfeits]
    if record.result.ending is Ending.ABORTED:
        message = "The game was aborted although not every seat had forfeited."
        expected = f"more moves: seats {listed(still)} were still playing"
        findings.add(FindingCode.ABORTED, message, expected, "aborted", step=len(record.moves))
        return followed.state.standing()
    message, expected = "The moves stop before the end of the game.", f"a move of seat {followed.state.to_move}"
    findings.add(FindingCode.UNFINISHED, message, expected, "no more moves", step=len(record.moves))
    return None


def places_of(ending: Ending, scores: tuple[int, ...], forfeits: tuple[int, ...]) -> tuple[int, ...]:
    """Returns places by score, forfeited seats last; in void and aborted games no seat is placed above another."""
    if ending is Ending.ABORTED:
        return (1,) * len(scores)
    return places_from_scores((0,) * len(scores) if ending is Ending.MOVE_LIMIT else scores, forfeits)


_WORDS: Final = {
    FindingCode.FORFEITS: "The forfeits are not the seats with a fault.",
    FindingCode.ENDING: "The game did not end so.",
    FindingCode.SCORES: "The scores are not what the moves give.",
    FindingCode.PLACES: "The places are not what the scores give.",
}


def _note(findings: Findings, code: FindingCode, wanted: Any, found: Any) -> None:
    if wanted != found:
        findings.add(code, _WORDS[code], _shown(wanted), _shown(found))


def _shown(value: Any) -> str:
    return f"[{listed(value)}]" if isinstance(value, tuple) else str(value)


def listed(values: Iterable[object]) -> str:
    """Returns values as one text, with commas between them."""
    return ", ".join(map(str, values))
