"""What the steps of a check found, as sentences that are kept in English, and that `spoken` translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournament.entrants.model import BotSource
from tournament.lab.check.trial import SPARE, Divergence, DivergenceCause, Trial
from tournament.languages import KeptNumber, KeptWord, gettext_noop, kept_gettext, kept_ngettext, kept_row
from tournament.records.settings import TimeControl

HAVE_FAULTS: Final = gettext_noop("not tried: its games have faults")


def told_bot(source: BotSource) -> str:
    """Returns a bot with what tells its versions apart."""
    return kept_gettext(
        "{bot} (version {version}, fingerprint {fingerprint})",
        bot=source.spec,
        version=source.version,
        fingerprint=source.fingerprint[:12],
    )


def told_step(name: str) -> KeptWord:
    """Returns what a step looks at, for a sentence that is kept; see `format_step_name`."""
    return KeptWord(name, "step of a check" if name == "memory" else None)


def told_faults(trial: Trial, wanted: int) -> list[str]:
    """Returns in how many games a bot had faults, and what was not played because of them."""
    faulty = len({fault.id for fault in trial.faults})
    faults = kept_ngettext(
        "faults in {faulty} of {games} games",
        "faults in {faulty} of {games} games",
        trial.games,
        faulty=KeptNumber(faulty),
        games=KeptNumber(trial.games),
    )
    if trial.games < wanted or trial.unplayed:
        faults = told_stopped(faults)
    unplayed = ", ".join(trial.unplayed)
    return [faults, kept_gettext("not played: {groups}", groups=unplayed)] if unplayed else [faults]


def told_stopped(faults: str) -> str:
    """Returns in how many games a bot had faults, where that was enough."""
    return kept_gettext("{faults}, then stopped", faults=faults)


def told_games(trial: Trial) -> str:
    """Returns how many games a bot played without a fault."""
    told = kept_ngettext(
        "{games} games without a fault, against others that play at random",
        "{games} games without a fault, against others that play at random",
        trial.games,
        games=KeptNumber(trial.games),
    )
    if not trial.unplayed:
        return told
    late = kept_gettext("not played, as its time was over: {groups}", groups=", ".join(trial.unplayed))
    return kept_row([told, late], "; ")


def told_faults_of_fixed(faulty: int, games: int) -> str:
    """Returns in how many fixed games a bot had faults."""
    return kept_ngettext(
        "faults in {faulty} of {count} game", "faults in {faulty} of {count} games", games, faulty=KeptNumber(faulty)
    )


def told_decisions(decisions: int, games: int) -> str:
    """Returns how much a bot decided in fixed games."""
    return kept_ngettext(
        "{decisions} decisions in {count} game, one of each kind and number of players",
        "{decisions} decisions in {count} games, one of each kind and number of players",
        games,
        decisions=KeptNumber(decisions),
    )


def told_repeated(games: int) -> str:
    """Returns in how many games a bot played the same again."""
    return kept_ngettext(
        "{games} games gave the same moves again, after other games and in another order",
        "{games} games gave the same moves again, after other games and in another order",
        games,
        games=KeptNumber(games),
    )


def told_divergence(divergence: Divergence) -> str:
    """Returns how a game went another way when it was played again, and when that happens."""
    difference = divergence.text
    match divergence.cause:
        case DivergenceCause.KEPT:
            return kept_gettext("{difference}, after other games in the same process", difference=difference)
        case DivergenceCause.CHANCE:
            return kept_gettext("{difference}, in a new process", difference=difference)
        case DivergenceCause.LONGER:
            return kept_gettext(
                "cannot be told: with {spare} times its time it thinks longer, so the clock decides: {difference}",
                spare=SPARE,
                difference=difference,
            )
        case DivergenceCause.CLOCK:
            return kept_gettext(
                "with {spare} times its time. With its own the clock decides, as when a machine is busy: {difference}",
                spare=SPARE,
                difference=difference,
            )


def told_times(middle_ms: float, worst_ms: float, clock: TimeControl) -> str:
    """Returns how long moves took, and how long they may take."""
    return kept_gettext(
        "median {middle} ms, worst {worst} ms; {move_ms} ms of a move are free, the rest comes from {bank_ms} ms a "
        "game",
        middle=_milliseconds(middle_ms),
        worst=_milliseconds(worst_ms),
        move_ms=KeptNumber(clock.move_ms),
        bank_ms=KeptNumber(clock.bank_ms),
    )


def told_stray(lines: Sequence[str]) -> str:
    """Returns how many lines answered no request, and the first of them."""
    return kept_ngettext(
        "{lines} lines that answer nothing, the first: {first}",
        "{lines} lines that answer nothing, the first: {first}",
        len(lines),
        lines=KeptNumber(len(lines)),
        first=lines[0],
    )


def _milliseconds(value: float) -> KeptNumber:
    """Returns a time, a short one with two decimals."""
    return KeptNumber(value, 2 if value < 10 else 0)
