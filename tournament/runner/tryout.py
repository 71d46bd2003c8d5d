"""Every bot started once before the first game: who cannot start is told while it can still be mended."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tournament.configuration import Configuration
from tournament.configuration.missing import missing_arguments
from tournament.deals import bot_rng, bot_rng_text, deal_seed
from tournament.entrants import BotSource
from tournament.errors import BotError
from tournament.players.base import PlayerFault
from tournament.players.bot import Clock, GameStart
from tournament.players.cast import Cast
from tournament.players.preparing import isolation_of
from tournament.records.hosting import Isolation

MASTER: Final = "no deal: bots are only started"
KEPT_PROCESSES: Final = 8
"""So many live at the same time; they are let go of together, so that slow ones end at once."""


def who_cannot_start(configuration: Configuration, *, hidden: Sequence[Path] = ()) -> dict[str, str]:
    """Returns by entrant why it cannot start, as a sentence; nothing of those that can.

    Each bot that plays in a process of its own is started once for each game that it plays here. Cost: its start, one
    after the other; for one that hangs all the time that it has for that.
    """
    hosting = configuration.hosting
    entrants = [
        entrant
        for entrant in configuration.entrants
        if all(isolation_of(bot, hosting) is not Isolation.NONE for bot in entrant.bots)
    ]
    problems: dict[str, str] = {}
    places = [str(folder.resolve()) for folder in hidden]
    cast = Cast(entrants, hosting, hidden=places, kept=KEPT_PROCESSES, only_bots=True)
    try:
        for entrant in entrants:
            cast.begin_block()  # which ends those beyond the ones that are kept
            groups = {group.game.name: group for group in configuration.groups if entrant.name in group.entrants}
            for group in groups.values():
                game = group.game
                control = cast.time_control(entrant.name, game.name)
                seed = deal_seed(MASTER, game=game.name, players=group.players, segment=0, block=0)
                info = GameStart(
                    game=game.name,
                    players=group.players,
                    seat=0,
                    options=group.options,
                    rng=bot_rng(seed, rotation=0, seat=0),
                    clock=Clock(move_ms=control.move_ms, bank_ms=control.bank_ms),
                    seed=bot_rng_text(seed, rotation=0, seat=0),
                )
                try:
                    cast.player(entrant.name, game.name, 0).start(info)
                except PlayerFault as fault:
                    problems[entrant.name] = _told(entrant.bot_for(game.name), fault)
                    break
                except BotError as error:
                    problems[entrant.name] = str(error)
                    break
    finally:
        cast.close()
    return problems


def format_cannot_start(problems: dict[str, str]) -> list[str]:
    """Returns lines that say who cannot start, and what to do; none when all can."""
    if not problems:
        return []
    lines = [f"{name} cannot start: {text}" for name, text in problems.items()]
    who, them = ("It forfeits its games", "it") if len(problems) == 1 else ("They forfeit their games", "them")
    return [*lines, f"{who}. To mend {them} first, stop here with Ctrl-C, try `tournament bot check`, and begin again."]


def _told(bot: BotSource, fault: PlayerFault) -> str:
    """Returns why a bot did not start: the file that is not there, else its fault and the last that it said."""
    missing = missing_arguments(bot)
    if missing is not None:
        return missing
    said = (fault.traceback or fault.stderr or "").strip().splitlines()
    return f"{fault.detail}." + (f" It said: {said[-1].strip()}" if said else "")
