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
    from tournament.configuration.validation import Problem as Problem
    from tournament.configuration.validation import validate as validate
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
    from tournament.lab.check.examination import check_bot as check_bot
    from tournament.lab.check.report import CheckReport as CheckReport
    from tournament.lab.judge import analyse as analyse
    from tournament.lab.repro import write_repro as write_repro
    from tournament.lab.whatif import what_if as what_if
    from tournament.players.bot import Bot as Bot
    from tournament.players.bot import Clock as Clock
    from tournament.players.bot import GameEnd as GameEnd
    from tournament.players.bot import GameStart as GameStart
    from tournament.ranking.changes import compare_runs as compare_runs
    from tournament.ranking.comparison import compare as compare
    from tournament.ranking.comparison import gate as gate
    from tournament.ranking.sources import standings as standings
    from tournament.records.analysis import Analysis as Analysis
    from tournament.records.comparison import Comparison as Comparison
    from tournament.records.comparison import Gate as Gate
    from tournament.records.comparison import RunComparison as RunComparison
    from tournament.records.record import Record as Record
    from tournament.records.results import ResultLine as ResultLine
    from tournament.records.run import RunInfo as RunInfo
    from tournament.records.schema import load_schema as load_schema
    from tournament.records.schema import schema_names as schema_names
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
    from tournament.store.analyses import write_analysis as write_analysis
    from tournament.store.lines import PassedOver as PassedOver
    from tournament.store.reader import read_records as read_records
    from tournament.viewer.page import replay as replay
    from tournament.viewer.page import write_replay as write_replay

_HOME = {
    "Analysis": "tournament.records.analysis",
    "AuditReport": "tournament.auditing.findings",
    "Block": "tournament.schedule.formats",
    "Bot": "tournament.players.bot",
    "BotError": "tournament.errors",
    "Budget": "tournament.configuration.types",
    "CheckReport": "tournament.lab.check.report",
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
    "Problem": "tournament.configuration.validation",
    "Record": "tournament.records.record",
    "RecordError": "tournament.errors",
    "Replay": "tournament.replaying.positions",
    "ResultLine": "tournament.records.results",
    "Run": "tournament.run.run",
    "RunComparison": "tournament.records.comparison",
    "RunError": "tournament.errors",
    "RunInfo": "tournament.records.run",
    "Standings": "tournament.records.standings",
    "TournamentError": "tournament.errors",
    "UsageError": "tournament.errors",
    "WorkerError": "tournament.errors",
    "analyse": "tournament.lab.judge",
    "audit": "tournament.auditing",
    "check_bot": "tournament.lab.check.examination",
    "compare": "tournament.ranking.comparison",
    "compare_runs": "tournament.ranking.changes",
    "gate": "tournament.ranking.comparison",
    "load_game": "tournament.games",
    "load_schema": "tournament.records.schema",
    "plan": "tournament.run.planning",
    "read_records": "tournament.store.reader",
    "replay": "tournament.viewer.page",
    "run_tournament": "tournament.run.run",
    "schema_names": "tournament.records.schema",
    "standings": "tournament.ranking.sources",
    "validate": "tournament.configuration.validation",
    "what_if": "tournament.lab.whatif",
    "write_analysis": "tournament.store.analyses",
    "write_export": "tournament.report.export",
    "write_public_copy": "tournament.report.site",
    "write_replay": "tournament.viewer.page",
    "write_report": "tournament.report.site",
    "write_repro": "tournament.lab.repro",
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
