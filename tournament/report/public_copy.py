"""A copy of a run that anybody may have: what was played, and nothing about the machine it was played on."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from tournament.errors import RunError, UsageError
from tournament.records.configuration_text import read_configuration_file
from tournament.records.folder import read_run
from tournament.records.layout import (
    COMPRESSED_FILE,
    CONFIGURATION_FILE,
    RECORDS_FILE,
    RUN_FILE,
    STANDINGS_FILE,
    index_path,
)
from tournament.records.results import RESULTS_FILE
from tournament.records.run import BotInfo, RunInfo, RunState
from tournament.report.facts import named_spec

_AS_THEY_ARE: Final = (RECORDS_FILE, COMPRESSED_FILE, RESULTS_FILE, STANDINGS_FILE)
_ABOUT_THE_MACHINE: Final = ("env", "python", "build")
"""Keys of an entry of `bots`."""


def write_public_copy(folder: Path, out: Path) -> None:
    """Writes configuration, `run.json`, records, results and standings of a complete run into a new folder.

    Left out are times, tracebacks, logs, the report, environments, and where programs lie. The copy says of itself
    that it is one, and is audited as such. Raises `RunError` for a run that is not complete, whose deals are still
    secret, and `UsageError` for a folder that is there or cannot be written.
    """
    info = read_run(folder)
    if info.state is not RunState.COMPLETE:
        raise RunError(f"{folder} is {info.state}, so its deals are still secret. Go on with it: tournament resume.")
    if out.exists():
        raise UsageError(f"{out} is there already. Give another --out, or move it away.")
    configuration = _public_configuration(folder / CONFIGURATION_FILE)
    beside = out.with_name(f"{out.name}.new")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for name in (*_AS_THEY_ARE, *(index_path(Path(name)).name for name in (RECORDS_FILE, COMPRESSED_FILE))):
            if (folder / name).is_file():
                shutil.copyfile(folder / name, beside / name)
        (beside / CONFIGURATION_FILE).write_text(configuration, encoding="utf-8")
        (beside / RUN_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(_public(info)), indent=2) + b"\n")
        beside.replace(out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}. Give another --out.") from None


def _public(info: RunInfo) -> RunInfo:
    entrants = tuple(
        msgspec.structs.replace(entrant, bots=tuple(map(_without_path, entrant.bots))) for entrant in info.entrants
    )
    return msgspec.structs.replace(info, entrants=entrants, base=None, public=True)


def _without_path(bot: BotInfo) -> BotInfo:
    try:
        words = shlex.split(bot.spec)
    except ValueError:  # no command: a file whose name has a quote in it
        words = [bot.spec]
    spec = shlex.join(map(named_spec, words)) if len(words) > 1 else named_spec(bot.spec)
    return msgspec.structs.replace(bot, spec=spec)


def _public_configuration(path: Path) -> str:
    import yaml

    values = msgspec.to_builtins(read_configuration_file(path).file)
    if "deals_from" in values:
        values["deals_from"] = named_spec(values["deals_from"])
    if "bots" in values:
        values["bots"] = [_public_entry(entry) for entry in values["bots"]]
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
    return text


def _public_entry(entry: Any) -> Any:
    """Returns an entry of `bots` with names in place of paths, and without what is about a machine."""
    if isinstance(entry, Mapping):
        return {
            key: value if key in ("name", "params") else _public_entry(value)
            for key, value in entry.items()
            if key not in _ABOUT_THE_MACHINE
        }
    if isinstance(entry, list | tuple):
        return [_public_entry(word) for word in entry]
    return named_spec(entry) if isinstance(entry, str) else entry
