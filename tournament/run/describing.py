"""A configuration as `run.json` has it, and what changed since the run began."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tournament.configuration.resolving import Configuration, Group
from tournament.deals import Suite, commitment_of
from tournament.entrants.model import Entrant
from tournament.errors import BotError, RunError, UsageError, did_you_mean
from tournament.paths import data_folder, path_from, real_path
from tournament.records import run as model
from tournament.records.run import (
    Bounds,
    Disqualification,
    EntrantInfo,
    Field,
    Format,
    GroupInfo,
    RunInfo,
    RunState,
    SegmentInfo,
)
from tournament.records.settings import WithdrawalRule
from tournament.store.folder import Secret
from tournament.text import is_writable, option
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
    """Returns the versions of tournament and Python that play now."""
    return {"tournament": __version__, "python": platform.python_version()}


def versions_of(info: model.RunInfo) -> dict[str, str]:
    """Returns the versions of tournament and Python that played a run last."""
    return info.continued[-1].versions if info.continued else info.versions


def now() -> str:
    """Returns the time, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _relative(base: Path, folder: Path) -> str:
    """Returns a folder as seen from the run, so that both can be moved together."""
    return path_from(real_path(base), real_path(folder))


class Changes(NamedTuple):
    """What differs, each as a sentence."""

    others: tuple[str, ...]
    """Of configuration and rules."""

    bots: dict[str, str]
    """By entrant."""

    new: tuple[str, ...]
    """Entrants that are not in the run; one is left by an extension that was killed before it began."""

    def refuse(
        self,
        folder: Path,
        *,
        accept_changes: bool = False,
        accept_new: bool = False,
        advice: str | None = None,
    ) -> None:
        """Raises `RunError` for changes with which a run cannot go on; `advice` is for those of bots."""
        if advice is None:
            advice = f"give {option('--accept-changes')}: then each goes on as a new entrant"
        new = () if accept_new else tuple(f"The entrant {name} is new in the configuration." for name in self.new)
        if self.others or new:
            raise RunError(
                f"{folder} cannot go on, because it is no longer what was begun: {' '.join((*self.others, *new))} "
                "Undo the change, or begin a new run."
            )
        if self.bots and not accept_changes:
            raise RunError(
                f"{folder} cannot go on, because bots changed: {' '.join(self.bots.values())} "
                f"Undo the change, or {advice}."
            )


def changes_of(info: RunInfo, configuration: Configuration) -> Changes:
    """Returns what differs between a run and its configuration as it is now."""
    segment = info.segments[-1]
    playing = dict.fromkeys(name for field in segment.fields for name in field.entrants)
    known = {entrant.name: None for entrant in info.entrants}
    # In what comes after a complete run all may play, not only those of its last segment, which may be a final.
    checked = known if info.state is RunState.COMPLETE else playing
    return Changes(
        others=tuple(_other_changes(info, configuration, set(playing))),
        bots=dict(_bot_changes(info, configuration, list(checked))),
        new=tuple(entrant.name for entrant in configuration.entrants if entrant.name not in known),
    )


def _other_changes(info: RunInfo, configuration: Configuration, playing: set[str]) -> Iterator[str]:
    for name, before, now in (
        ("schedule", info.schedule, configuration.schedule),
        ("budget", info.budget, msgspec.to_builtins(configuration.budget)),
        ("isolation", info.isolation, configuration.hosting.isolation),
        ("clock", info.clock, configuration.hosting.clock),
        ("limits", info.limits, configuration.hosting.limits),
        ("keep", info.keep, configuration.keep),
        ("until", info.until, configuration.until),
        ("bounds", info.bounds or Bounds(), configuration.bounds or Bounds()),
        ("withdraw", info.withdraw or WithdrawalRule(), configuration.withdraw),
        ("compress", info.compress, configuration.compress),
        ("weights", info.weights, configuration.weights),
        ("groups", [group.name for group in info.groups], [group.name for group in configuration.groups]),
    ):
        if before != now:
            yield f"{name} was {_shown(before)} and is {_shown(now)}."
    yield from _suite_changes(info.segments[0], configuration.suite)
    groups = {group.name: group_info(group) for group in configuration.groups}
    for before_group in info.groups:
        now_group = groups.get(before_group.name)
        if now_group is not None:
            yield from _group_changes(before_group, now_group)
    names = [entrant.name for entrant in configuration.entrants]
    for name in sorted(playing.difference(names)):
        yield f"The entrant {name} is gone from the configuration."


def _suite_changes(first: SegmentInfo, now: Suite | None) -> Iterator[str]:
    """Later segments have masters of their own; the configuration is about the first."""
    name = None if now is None else now.name
    if first.suite != name:
        yield f"deals_from was {first.suite or 'left out'} and is {name or 'left out'}."
    elif now is not None and first.suite_digest not in (None, now.digest):
        yield f"The seeds of the deal suite {name} are no longer those that the run was begun with."


def _group_changes(before: GroupInfo, now: GroupInfo) -> Iterator[str]:
    for field, text in (
        ("rules_version", f"the rules version of {before.game}"),
        ("options", f"the options of {before.name}"),
        ("players", f"the players of {before.name}"),
    ):
        was, is_now = getattr(before, field), getattr(now, field)
        if was != is_now:
            yield f"{text.capitalize()} was {_shown(was)} and is {_shown(is_now)}."


def _bot_changes(info: RunInfo, configuration: Configuration, playing: list[str]) -> Iterator[tuple[str, str]]:
    before = {entrant.name: entrant for entrant in info.entrants}
    now = {entrant.name: entrant_info(entrant, configuration.groups) for entrant in configuration.entrants}
    for name in playing:
        if name in now and name in before:
            changes = list(_differences(before[name], now[name]))
            if changes:
                yield name, f"{name}: {', '.join(changes)}."


def _differences(before: EntrantInfo, now: EntrantInfo) -> Iterator[str]:
    bots = {bot.game: bot for bot in now.bots}
    for was in before.bots:
        bot = bots.get(was.game)
        if bot is None:
            yield f"it does not play {was.game} any more"
            continue
        for field in ("version", "fingerprint", "params"):
            if getattr(was, field) != getattr(bot, field):
                before_text, now_text = _shown(getattr(was, field)), _shown(getattr(bot, field))
                yield f"the {field} for {was.game} was {before_text} and is {now_text}"
    played = {bot.game for bot in before.bots}
    for game in bots:
        if game not in played:
            yield f"it plays {game} now"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:12]}..."


def rename(configuration: Configuration, names: Mapping[str, str]) -> Configuration:
    """Returns a configuration with other names for some entrants."""
    if not names:
        return configuration
    return configuration._replace(
        entrants=tuple(
            msgspec.structs.replace(entrant, name=names.get(entrant.name, entrant.name))
            for entrant in configuration.entrants
        ),
        groups=tuple(
            group._replace(entrants=tuple(names.get(name, name) for name in group.entrants))
            for group in configuration.groups
        ),
        focus=tuple(names.get(name, name) for name in configuration.focus),
    )


REASON_CHARACTERS: Final = 500
"""Of a reason for a disqualification at most."""


def with_disqualified(info: RunInfo, entrant: str, *, reason: str) -> RunInfo:
    """Returns a run without an entrant.

    Raises `BotError` for one that takes no part, `UsageError` without a reason of at most 500 characters, `RunError`
    when it is out already.
    """
    _check_entrant(info, entrant)
    reason = reason.strip()
    if not reason:
        raise UsageError(f'Say why: {option("--reason")} "...". It is shown with the standings.')
    if len(reason) > REASON_CHARACTERS:
        raise UsageError(
            f"{option('--reason')} has {len(reason)} characters, and {REASON_CHARACTERS} are the most. Shorten it."
        )
    if not is_writable(reason):
        raise UsageError(f"{option('--reason')} has a character that is not in UTF-8. Write it without.")
    if any(one.entrant == entrant for one in info.disqualified):
        raise RunError(
            f"{entrant} is disqualified already. To give another reason, {option('--undo', 'reinstate')} it first."
        )
    disqualification = Disqualification(entrant=entrant, reason=reason)
    return msgspec.structs.replace(info, disqualified=(*info.disqualified, disqualification))


def with_reinstated(info: RunInfo, entrant: str, *, folder: Path) -> RunInfo:
    """Returns a run with an entrant that was disqualified.

    Raises `BotError` for one that takes no part, `RunError` when it is not disqualified.
    """
    _check_entrant(info, entrant)
    left = tuple(one for one in info.disqualified if one.entrant != entrant)
    if left == info.disqualified:
        raise RunError(f"{entrant} is not disqualified in {folder}, so there is nothing to undo.")
    return msgspec.structs.replace(info, disqualified=left)


def _check_entrant(info: RunInfo, entrant: str) -> None:
    names = [one.name for one in info.entrants]
    if entrant not in names:
        raise BotError(f'There is no entrant "{entrant}".{did_you_mean(entrant, names)} Known: {", ".join(names)}.')
