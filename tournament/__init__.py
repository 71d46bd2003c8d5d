"""Tournaments for card-game bots: play, record, replay, audit and rank.

Everything in `__all__` is public; a name is imported when it is first asked for, so that the
command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tournament import pure as _pure

if _pure.is_pure_chosen():
    _pure.prefer_sources()

from tournament.version import __version__ as __version__

if TYPE_CHECKING:
    from tournament.auditing import audit as audit
    from tournament.auditing.findings import AuditReport as AuditReport
    from tournament.configuration.resolving import Configuration as Configuration
    from tournament.configuration.types import Budget as Budget
    from tournament.errors import BotError as BotError
    from tournament.errors import ConfigurationError as ConfigurationError
    from tournament.errors import GameError as GameError
    from tournament.errors import IllegalAction as IllegalAction
    from tournament.errors import Interrupted as Interrupted
    from tournament.errors import NotComparableError as NotComparableError
    from tournament.errors import RecordError as RecordError
    from tournament.errors import RunError as RunError
    from tournament.errors import TournamentError as TournamentError
    from tournament.errors import UsageError as UsageError
    from tournament.errors import WorkerError as WorkerError
    from tournament.games import load_game as load_game
    from tournament.games.contract import Game as Game
    from tournament.players.bot import Bot as Bot
    from tournament.players.bot import Clock as Clock
    from tournament.players.bot import GameEnd as GameEnd
    from tournament.players.bot import GameStart as GameStart
    from tournament.ranking.comparison import compare as compare
    from tournament.ranking.comparison import gate as gate
    from tournament.ranking.sources import standings as standings
    from tournament.records.comparison import Comparison as Comparison
    from tournament.records.comparison import Gate as Gate
    from tournament.records.record import Record as Record
    from tournament.records.results import ResultLine as ResultLine
    from tournament.records.run import RunInfo as RunInfo
    from tournament.records.standings import Standings as Standings
    from tournament.replaying.positions import Replay as Replay
    from tournament.report.export import write_export as write_export
    from tournament.report.site import write_public_copy as write_public_copy
    from tournament.report.site import write_report as write_report
    from tournament.run.listeners import Observer as Observer
    from tournament.run.planning import Plan as Plan
    from tournament.run.planning import plan as plan
    from tournament.run.run import Run as Run
    from tournament.run.run import run_tournament as run_tournament
    from tournament.schedule.formats import Block as Block
    from tournament.store.lines import PassedOver as PassedOver
    from tournament.store.reader import read_records as read_records
    from tournament.viewer.page import replay as replay

_HOME = {
    "AuditReport": "tournament.auditing.findings",
    "Block": "tournament.schedule.formats",
    "Bot": "tournament.players.bot",
    "BotError": "tournament.errors",
    "Budget": "tournament.configuration.types",
    "Clock": "tournament.players.bot",
    "Comparison": "tournament.records.comparison",
    "Configuration": "tournament.configuration.resolving",
    "ConfigurationError": "tournament.errors",
    "Game": "tournament.games.contract",
    "GameEnd": "tournament.players.bot",
    "GameError": "tournament.errors",
    "GameStart": "tournament.players.bot",
    "Gate": "tournament.records.comparison",
    "IllegalAction": "tournament.errors",
    "Interrupted": "tournament.errors",
    "NotComparableError": "tournament.errors",
    "Observer": "tournament.run.listeners",
    "PassedOver": "tournament.store.lines",
    "Plan": "tournament.run.planning",
    "Record": "tournament.records.record",
    "RecordError": "tournament.errors",
    "Replay": "tournament.replaying.positions",
    "ResultLine": "tournament.records.results",
    "Run": "tournament.run.run",
    "RunError": "tournament.errors",
    "RunInfo": "tournament.records.run",
    "Standings": "tournament.records.standings",
    "TournamentError": "tournament.errors",
    "UsageError": "tournament.errors",
    "WorkerError": "tournament.errors",
    "audit": "tournament.auditing",
    "compare": "tournament.ranking.comparison",
    "gate": "tournament.ranking.comparison",
    "load_game": "tournament.games",
    "plan": "tournament.run.planning",
    "read_records": "tournament.store.reader",
    "replay": "tournament.viewer.page",
    "run_tournament": "tournament.run.run",
    "standings": "tournament.ranking.sources",
    "write_export": "tournament.report.export",
    "write_public_copy": "tournament.report.site",
    "write_report": "tournament.report.site",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Returns a public name, imported now."""
    if name not in _HOME:
        raise AttributeError(f"module 'tournament' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Returns the public names."""
    return sorted([*globals(), *__all__])
