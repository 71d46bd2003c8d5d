"""Records made by random play, without bots: for the tests of replay and of the viewers."""

from __future__ import annotations

from random import Random

from msgspec import structs

from tournament.games import load_game
from tournament.games.contract import places_from_scores
from tournament.records.codec import AnyRecord, codec_for, seal
from tournament.records.record import FORMAT, VERSION, By, Fault, GameInfo, Record, Result, SeatInfo

PAIRS = [("scout", players) for players in (2, 3, 4, 5)] + [("explorers", players) for players in (2, 3, 4)]
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon")


def random_record(
    game_name, players, seed, *, options=None, faults=(), names=NAMES, prefer=None, stock=None, deal=None
) -> AnyRecord:
    """Returns the sealed record of a random game; `prefer(state, legal)` may choose among the legal actions.

    `stock` cuts the stock of explorers to that many cards; `deal` is one made by hand.
    """
    game, rng = load_game(game_name), Random(seed)
    options = game.Options(**(options or {}))
    deal = game.deal(players, rng, options) if deal is None else deal
    if stock is not None:
        deal = structs.replace(deal, stock=deal.stock[:stock])
    state = game.start(deal, options)
    codec = codec_for(game_name)
    gone = {fault.seat: fault.at for fault in faults}
    moves = []
    while (seat := state.to_move) is not None:
        legal = state.legal_actions()
        if prefer is not None:
            legal = prefer(state, legal)
        action = legal[int(rng.random() * len(legal))]
        by = By.STAND_IN if len(moves) >= gone.get(seat, len(moves) + 1) else None
        moves.append(codec.to_move(seat, action, by))
        state.apply(action)
    outcome = state.outcome()
    forfeits = tuple(sorted(gone))
    return sealed(
        Record(
            format=FORMAT,
            version=VERSION,
            id=f"{game_name}-{players}p.0.000000.0",
            tournament="made",
            game=GameInfo(name=game_name, players=players, rules_version=game.rules_version, options=options),
            deal=deal,
            seats=tuple(SeatInfo(bot=name, version="1", fingerprint="0" * 64) for name in names[:players]),
            moves=tuple(moves),
            faults=tuple(faults),
            result=Result(
                ending=outcome.ending,
                scores=outcome.scores,
                places=places_from_scores(outcome.scores, forfeits),
                forfeits=forfeits,
                detail=outcome.detail,
            ),
        )
    )


def short_record(game_name, players, seed, **given) -> AnyRecord:
    """Returns a record with few moves: explorers without draws from piles, SCOUT with the longest plays."""

    def prefer(state, legal):
        drawing = [action for action in legal if action.do == "draw"]
        plays = [action for action in legal if action.do == "play"]
        longest = max((play.count for play in plays), default=0)
        return drawing[:1] or [play for play in plays if play.count == longest] or legal

    return random_record(game_name, players, seed, prefer=prefer, **given)


def sealed(record) -> AnyRecord:
    """Returns the record with the digest that belongs to it."""
    return seal(structs.replace(record, digest=None)).record


def illegal_fault(at, seat, detail="play: 1 2 4 is no set", answer='{"do":"play","at":0,"count":3}'):
    """Returns a fault for an illegal action."""
    return Fault(at=at, seat=seat, kind="illegal", detail=detail, answer=answer)
