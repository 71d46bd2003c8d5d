"""A configuration as `run.json` has it."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from tournament.configuration import Configuration, Group
from tournament.deals import Suite, commitment_of
from tournament.entrants import Entrant
from tournament.records import run as model
from tournament.records.folder import Secret
from tournament.records.paths import data_folder
from tournament.records.run import Field, Format, RunInfo, RunState, SegmentInfo
from tournament.version import __version__


def run_info(configuration: Configuration, segment: SegmentInfo, *, folder: Path) -> RunInfo:
    """Returns what `run.json` says of a run before its first game."""
    return RunInfo(
        format=model.FORMAT,
        version=model.VERSION,
        name=configuration.name,
        state=RunState.RUNNING,
        schedule=configuration.schedule,
        budget=msgspec.to_builtins(configuration.budget),
        isolation=configuration.hosting.isolation,
        clock=configuration.hosting.clock,
        limits=configuration.hosting.limits,
        workers=configuration.workers,
        until=configuration.until,
        bounds=configuration.bounds,
        withdraw=configuration.withdraw,
        keep=configuration.keep,
        compress=configuration.compress,
        base=None if configuration.base == data_folder("bots") else _relative(configuration.base, folder),
        groups=tuple(map(group_info, configuration.groups)),
        entrants=tuple(entrant_info(entrant, configuration.groups) for entrant in configuration.entrants),
        segments=(segment,),
        weights=configuration.weights,
        finding_version=configuration.finding_version,
        versions=versions(),
        started=now(),
    )


def segment_info(
    fields: tuple[Field, ...],
    *,
    number: int,
    format: Format,  # noqa: A002 (the word of run.json)
    secret: Secret | None,
    suite: Suite | None = None,
    deals: int | None = None,
    final: bool = False,
) -> SegmentInfo:
    """Returns what `run.json` says of a segment before its first game; `secret` None: it is on a suite."""
    return SegmentInfo(
        number=number,
        format=format,
        fields=fields,
        blocks=sum(field.blocks for field in fields),
        games=sum(field.blocks * field.players for field in fields),
        deals=deals,
        final=final,
        commitment=None if secret is None else commitment_of(salt=secret.salt, master=secret.master),
        suite=None if suite is None else suite.name,
        suite_digest=None if suite is None else suite.digest,
        suite_deals=None if suite is None else len(suite.seeds),
    )


def group_info(group: Group) -> model.GroupInfo:
    """Returns what `run.json` says of a group."""
    return model.GroupInfo(
        name=group.name,
        game=group.game.name,
        players=group.players,
        rules_version=group.game.rules_version,
        options=msgspec.to_builtins(group.options),
        entrants=group.entrants,
    )


def entrant_info(entrant: Entrant, groups: tuple[Group, ...]) -> model.EntrantInfo:
    """Returns what `run.json` says of an entrant."""
    games = dict.fromkeys(group.game.name for group in groups if entrant.name in group.entrants)
    return model.EntrantInfo(
        name=entrant.name,
        bots=tuple(
            model.BotInfo(game=game, spec=bot.spec, version=bot.version, fingerprint=bot.fingerprint, params=bot.params)
            for game, bot in ((game, entrant.bot_for(game)) for game in games)
        ),
    )


def versions() -> dict[str, str]:
    """Returns what plays."""
    return {"tournament": __version__, "python": platform.python_version()}


def versions_of(info: model.RunInfo) -> dict[str, str]:
    """Returns what played a run last."""
    return info.continued[-1].versions if info.continued else info.versions


def now() -> str:
    """Returns the time, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _relative(base: Path, folder: Path) -> str:
    """Returns a folder as seen from the run, so that both can be moved together."""
    try:
        return os.path.relpath(base.resolve(), folder.resolve())
    except ValueError:  # another drive
        return str(base.resolve())
