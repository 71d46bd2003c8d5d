"""JSON Schemas: made from the types, shipped in `schemas/`, used to validate everything written and read."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from tournament.errors import GameError, RecordError, did_you_mean
from tournament.games import BUILT_IN, game_names, load_game
from tournament.paths import data_folder
from tournament.records.codec import Sealed, codec_for
from tournament.version import __version__, parse_version

if TYPE_CHECKING:
    from collections.abc import Collection

    from jsonschema_rs import Draft202012Validator

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

# By the name of its schema: where the type of a file is defined, so that none is imported before it is needed, and the
# title of the schema.
_TYPES: Final = {
    "run.v1": ("tournament.records.run:RunInfo", "What a run plays, with whom, and how far it is (run.json)"),
    "standings.v2": ("tournament.records.standings:Standings", "The ranking of a run (standings.json)"),
    "comparison-bots.v2": (
        "tournament.records.comparison:Comparison",
        "Two bots compared (`tournament compare RUN --bots A B --json`)",
    ),
    "comparison-runs.v2": (
        "tournament.records.comparison:RunComparison",
        "Two rankings compared (`tournament compare RUN RUN2 --json`)",
    ),
    "gate.v2": ("tournament.records.comparison:Gate", "Whether a new bot is let in (`tournament gate --json`)"),
    "configuration.v1": (
        "tournament.configuration.types:ConfigurationFile",
        "What a tournament plays (tournament.yaml)",
    ),
    "result.v1": (
        "tournament.records.results:ResultLine",
        "What a ranking needs of one game (a line of results.jsonl)",
    ),
    "clock.v1": ("tournament.records.results:GameClock", "The time bots took in one game (a line of clocks.jsonl)"),
    "trouble.v1": ("tournament.records.results:TroubleLine", "What befell a bot, in full (a line of faults.jsonl)"),
    "analysis.v1": (
        "tournament.records.analysis:Analysis",
        "What every decision of a game was worth (an --out file of `tournament analyse`)",
    ),
    "event.v1": ("tournament.records.results:AnyEvent", "What happens in a run (a line of an --events file)"),
    "protocol.v1": ("tournament.records.protocol:Message", "What a bot is sent and answers, a message a line"),
    "competition.v1": (
        "tournament.arena.files:CompetitionFile",
        "The rules of a competition in an arena (competition.yaml)",
    ),
    "bot.v1": ("tournament.configuration.types:BotFile", "How a bot is built and started at an arena (bot.yaml)"),
    "arena.v1": ("tournament.arena.operating.settings_file:ArenaFile", "What the host of an arena set (arena.yaml)"),
    "version.v1": ("tournament.arena.files:VersionFile", "One program that was handed in to an arena (version.json)"),
    "round.v1": ("tournament.arena.files:RoundFile", "What a run is played for in an arena (round.json)"),
    "ladder.v1": ("tournament.arena.ladder_file:LadderFile", "The ladder of a competition in an arena (ladder.json)"),
    "act.v1": ("tournament.arena.files:HostAct", "What a host of an arena did (a line of acts.jsonl)"),
    "lead.v1": (
        "tournament.arena.season.leads:LeadChange",
        "Who led the ladder of a competition in an arena from a moment on (a line of leads.jsonl)",
    ),
    "paces.v1": (
        "tournament.arena.scheduling.paces:PacesFile",
        "What slow versions in an arena are told of their pace (paces.json)",
    ),
}

_DESCRIBING: Final = {
    "configuration.v1": "tournament.configuration.describing:described",
    "bot.v1": "tournament.configuration.describing:described_bot",
    "competition.v1": "tournament.arena.operating.describing:described_competition",
    "arena.v1": "tournament.arena.operating.describing:described_arena",
}
"""By the name of a schema that a person writes by: where what its fields mean is added."""

FORMATS: Final = {
    "tournament-record": (1, None),
    "tournament-run": (1, "run.v1"),
    "tournament-standings": (2, "standings.v2"),
    "tournament-comparison-bots": (2, "comparison-bots.v2"),
    "tournament-comparison-runs": (2, "comparison-runs.v2"),
    "tournament-gate": (2, "gate.v2"),
    "tournament-event": (1, "event.v1"),
    "tournament-analysis": (1, "analysis.v1"),
    "tournament-round": (1, "round.v1"),
    "tournament-ladder": (1, "ladder.v1"),
}
"""By format the newest version that is known here, and the name of its schema; records have one a game."""

EARLIER: Final = {
    ("tournament-standings", 1): "standings.v1",
    ("tournament-comparison-bots", 1): "comparison-bots.v1",
    ("tournament-comparison-runs", 1): "comparison-runs.v1",
    ("tournament-gate", 1): "gate.v1",
}
"""By format and version the schemas of files that earlier versions wrote: read from `schemas/` as they were, for they
have no types any more.
"""


def schema_names() -> tuple[str, ...]:
    """Returns the names of all schemas: `record.v1`, one a known game, and the other files."""
    games = tuple(f"record-{game}.v1" for game in game_names())
    return ("record.v1", *games, *_TYPES, *EARLIER.values())


def full_name(name: str) -> str:
    """Returns the name of a schema with its version: of one that is named without, the newest."""
    return next((known for known in schema_names() if known.rpartition(".v")[0] == name), name)


def make_schema(name: str, *, games: Collection[str] | None = None) -> dict[str, Any]:
    """Returns the schema of that name, made from the types. Raises `RecordError` for an unknown name.

    In that of a configuration each of `games` may have a bot of its own in an entry; by default every known game.
    """
    if name == "record.v1":
        kind, title = codec_for("").record_type, "One finished game of any game"
    elif match := re.fullmatch(r"record-(.+)\.v1", name):
        try:
            game = load_game(match[1])
        except GameError as error:
            raise RecordError(str(error)) from None
        kind, title = codec_for(game.name).record_type, f"One finished game of {game.title}"
    elif name in _TYPES:
        place, title = _TYPES[name]
        kind = resolve_name(place)
    else:
        known = schema_names()
        raise RecordError(f'There is no schema "{name}".{did_you_mean(name, known)} There are: {", ".join(known)}.')
    schema = _polished(name, title, msgspec.json.schema(kind))
    describe = resolve_name(_DESCRIBING[name]) if name in _DESCRIBING else None
    return schema if describe is None else describe(schema, game_names() if games is None else games)


def _polished(name: str, title: str, schema: dict[str, Any]) -> dict[str, Any]:
    definitions: dict[str, Any] = schema.pop("$defs", {})
    names = {long: re.sub(r"^(Record|GameInfo|Result|ActionAnswer|Act)_.*", r"\1", long) for long in definitions}
    polished = {names[long]: _with_short_names(value, names) for long, value in definitions.items()}
    if "$ref" in schema:
        top = polished.pop(names[schema["$ref"].removeprefix("#/$defs/")])
    else:  # one of several
        top = _with_short_names(schema, names)
    if "moves" in top.get("properties", ()):
        # A record in memory has none before it is sealed; a record in a file always has one.
        top["required"].append("digest")
        top["properties"]["digest"] = top["properties"]["digest"]["anyOf"][0]
    return {
        "$schema": DRAFT,
        "$id": f"urn:tournament:schema:{name}",
        **top,
        "title": title,
        "$defs": dict(sorted(polished.items())),
    }


def _with_short_names(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_with_short_names(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"#/$defs/{names[item.removeprefix('#/$defs/')]}" if key == "$ref" else _with_short_names(item, names)
        for key, item in value.items()
        if key != "discriminator"  # of OpenAPI, not of JSON Schema
    }


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Returns the schema of that name from `schemas/`; of a game from elsewhere, made from its types.

    Raises `RecordError` for an unknown name.
    """
    path: Path = data_folder("schemas") / f"{name}.json"
    if not path.is_file():
        return make_schema(name)
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def modeline_of(name: str) -> str:
    """Returns the comment at the top of a YAML file by which yaml-language-server finds a schema on this machine."""
    load_schema(name)  # says which there are
    return f"# yaml-language-server: $schema={(data_folder('schemas') / f'{name}.json').as_uri()}"


@cache
def validator_for(name: str) -> Draft202012Validator:
    """Returns the fast validator of a schema, which does not explain."""
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(load_schema(name))


@cache
def record_schema_name(game: str) -> str:
    """Returns the name of the schema of a game's records; the general one for a game that is not known."""
    return f"record-{game}.v1" if game in game_names() else "record.v1"


class SealedValidator:
    """Tells whether sealed records of one game fit their schema, and looks at each different move only once.

    A schema says nothing of moves as a whole.
    """

    def __init__(self, game: str) -> None:
        self._validator = validator_for(record_schema_name(game))
        self._is_known = codec_for(game).game is not None
        self._fitting: set[Any] = set()
        """Moves that fitted."""

    def is_valid(self, sealed: Sealed) -> bool:
        """Returns whether a record fits. Raises `ValueError` where it is nested too deep."""
        moves = sealed.record.moves
        if not self._is_known:  # its moves are JSON values
            return self._validator.is_valid({**sealed.values, "moves": [*moves]})
        if self._fitting.issuperset(moves):
            return self._validator.is_valid({**sealed.values, "moves": []})
        new = set(moves) - self._fitting
        if not self._validator.is_valid({**sealed.values, "moves": msgspec.to_builtins(list(new))}):
            return False
        self._fitting |= new
        return True


@cache
def sealed_validator_for(game: str) -> SealedValidator:
    """Returns the validator of a game's sealed records."""
    return SealedValidator(game)


class _Continued(Struct, frozen=True):
    versions: dict[str, str] = {}


class _Writers(Struct, frozen=True):
    """What a file of any version says about its writers."""

    format: str
    version: int = 0
    versions: dict[str, str] = {}
    continued: tuple[_Continued, ...] = ()


def written_by_newer(value: Any) -> str | None:
    """Returns which newer tournament wrote a file and what to do, as sentences; None when no newer one did.

    `value` is the JSON value or the bytes of a file that no version known here can read.
    """
    try:
        if isinstance(value, bytes):
            writers = msgspec.json.decode(value, type=_Writers)
        else:
            writers = msgspec.convert(value, type=_Writers)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if writers.format not in FORMATS:
        return None
    known, _ = FORMATS[writers.format]
    played = (writers.versions, *(one.versions for one in writers.continued))
    newest = max((versions.get("tournament", "") for versions in played), key=parse_version)
    is_newer_format = writers.version > known
    if not is_newer_format and parse_version(newest) <= parse_version(__version__):
        return None
    who = f"tournament {newest}" if parse_version(newest) > parse_version(__version__) else "a newer tournament"
    what = (
        f": it is version {writers.version} of {writers.format}, and {known} is known here" if is_newer_format else ""
    )
    return (
        f"{who[0].upper()}{who[1:]} wrote this, and this is tournament {__version__}{what}. "
        f"Use {who} or a later one for it."
    )


if __name__ == "__main__":
    import sys

    for made in ("record.v1", *(f"record-{game}.v1" for game in BUILT_IN), *_TYPES):
        schema_text = json.dumps(make_schema(made, games=BUILT_IN), indent=2, ensure_ascii=False) + "\n"
        Path(sys.argv[1], f"{made}.json").write_text(schema_text, encoding="utf-8")
