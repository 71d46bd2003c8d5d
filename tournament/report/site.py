"""The folders that are written for others: the report of a run, and its public copy."""

from __future__ import annotations

import errno
import shlex
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from glob import escape
from itertools import count
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from tournament.configuration.file import read_configuration
from tournament.errors import RecordError, RunError, UsageError, writing_advice
from tournament.languages import Language, gettext, parse_language, present_language, speaking
from tournament.languages.catalogues import own_digest
from tournament.records.codec import canonical_bytes
from tournament.records.results import RESULTS_FILE, has_record
from tournament.records.run import BotInfo, RunInfo, RunState
from tournament.report.facts import RunFacts, named_spec, read_facts
from tournament.report.listing import ALL_GAMES, chunks
from tournament.report.live.featured import complete_blocks
from tournament.report.pages import bot_page, chunk_script, games_page, index_page, json_twins
from tournament.report.shown.bot_facts import pages_of_bots
from tournament.report.shown.replays import Replays
from tournament.store.files import RunLock, UnlockableError, stamp_of
from tournament.store.folder import read_run
from tournament.store.layout import (
    COMPRESSED_FILE,
    CONFIGURATION_FILE,
    RECORDS_FILE,
    RUN_FILE,
    STANDINGS_FILE,
    Reference,
    index_path,
)
from tournament.store.reader import find_record
from tournament.store.results import read_results
from tournament.text import each, option
from tournament.version import __version__
from tournament.viewer.page import format_html

_MOST_MOVES: Final = 20
"""How many times a folder is moved away that another process put in place meanwhile."""


def replace_folder(out: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Writes files, given with their names, into a folder that replaces `out` in one step.

    Nobody sees a half-written folder: the files are written into a folder beside `out`, the old one is moved away, the
    new one is put in its place, and then the old one is deleted. What a killed process left behind, the next removes.

    Another process may do the same at the same time: the last one stays. Raises `UsageError` for a link, behind which
    nothing is written, and where it cannot be written.
    """
    if out.is_symlink():
        raise UsageError(
            f"{out} is a link, and nothing is written behind it. Give another {option('--out')}, or delete the link."
        )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        _clear(out)
        with ExitStack() as stack:
            new = _locked_folder(out, stack) / "new"
            new.mkdir()
            for name, data in files:
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            _put_in_place(new, out)
    except OSError as error:
        raise UsageError(
            f"{out} cannot be written: {error.strerror}. {writing_advice(error)}, or give another {option('--out')}."
        ) from None


def _locked_folder(out: Path, stack: ExitStack) -> Path:
    """Returns a locked folder beside `out`, which other processes do not remove.

    Until it is locked, another process may take it for a leftover and remove it: then another one is made.
    """
    for number in count():
        beside = TemporaryDirectory(prefix=f".{out.name}-", suffix=".new", dir=out.parent, ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(beside))
        try:
            stack.enter_context(RunLock(folder))
        except UnlockableError:  # where nothing can be locked, nobody clears it either
            return folder
        except RunError:  # it is being cleared, or was
            if number == _MOST_MOVES:
                raise
        else:
            if folder.is_dir():
                return folder
    raise AssertionError("the last try returns or raises")


def _clear(out: Path) -> None:
    """Removes the folders beside `out` that killed processes left, and none that is in use."""
    for path in out.parent.glob(f".{escape(out.name)}-*.new"):
        if path.is_symlink() or not path.is_dir():
            continue
        with suppress(RunError), RunLock(path):
            shutil.rmtree(path, ignore_errors=True)


def _put_in_place(new: Path, out: Path) -> None:
    for number in count():
        away = new.with_name(f"old-{number}")
        try:
            with suppress(FileNotFoundError):
                out.rename(away)
            new.rename(out)
        except BaseException as error:
            if not out.exists() and away.exists():
                away.rename(out)
            is_there_again = isinstance(error, OSError) and error.errno in (errno.ENOTEMPTY, errno.EEXIST)
            if not is_there_again or number == _MOST_MOVES:
                raise
        else:
            return


_AS_THEY_ARE: Final = (RESULTS_FILE, RECORDS_FILE, COMPRESSED_FILE, STANDINGS_FILE)
"""Results come first: whatever is added meanwhile, each of them has its record."""

_ABOUT_THE_MACHINE: Final = ("env", "python", "build")
"""Keys of an entry of `bots` that say something about the machine."""


def write_public_copy(folder: str | PathLike[str], out: str | PathLike[str]) -> None:
    """Writes configuration, `run.json`, records, results and standings of a complete run into a new folder.

    `tournament publish` does the same.

    Left out are times, tracebacks, logs, the report, environments, and where programs lie. The copy says of itself
    that it is one, and is audited as such. Raises `RunError` for a run that is not complete, whose deals are still
    secret, and `UsageError` for a folder that is there or cannot be written.
    """
    folder, out = Path(folder), Path(out)
    info = read_run(folder)
    if info.state is not RunState.COMPLETE:
        raise RunError(f"{folder} is {info.state}, so its deals are still secret. Go on with it: tournament resume.")
    _write_copy(folder, out, info)


def write_copy_so_far(folder: Path, out: Path) -> None:
    """Writes what a run that goes on may show already: its finished blocks, whole, and nothing that is secret.

    Of a block that is not whole no result is in it, not even where a write was torn; pages go by the results. Raises
    what `write_public_copy` raises, and `RecordError` for results that cannot be read.
    """
    _write_copy(folder, out, read_run(folder), only_whole_blocks=True)


def _write_copy(folder: Path, out: Path, info: RunInfo, *, only_whole_blocks: bool = False) -> None:
    if out.exists():
        raise UsageError(f"{out} is there already. Give another {option('--out')}, or move it away.")
    configuration = _public_configuration(folder / CONFIGURATION_FILE)
    beside = out.with_name(f"{out.name}.new")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        for name in (*_AS_THEY_ARE, *(index_path(Path(name)).name for name in (RECORDS_FILE, COMPRESSED_FILE))):
            if (folder / name).is_file():
                shutil.copyfile(folder / name, beside / name)
        if only_whole_blocks and (beside / RESULTS_FILE).is_file():
            _leave_whole_blocks(beside / RESULTS_FILE, info)
        (beside / CONFIGURATION_FILE).write_bytes(configuration.encode())
        (beside / RUN_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(_public(info)), indent=2) + b"\n")
        beside.replace(out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}. Give another {option('--out')}.") from None


def _leave_whole_blocks(path: Path, info: RunInfo) -> None:
    """Takes out of copied results those of a block of which a game is missing: its deal is still secret."""
    results = list(read_results(path.parent))
    whole = {result.id for games in complete_blocks(results, info) for result in games}
    with path.open("rb") as file:
        lines = [line for result, line in zip(results, file, strict=False) if result.id in whole]
    path.write_bytes(b"".join(lines))


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

    values = msgspec.to_builtins(read_configuration(path).file)
    if "deals_from" in values:
        values["deals_from"] = named_spec(values["deals_from"])
    if "bots" in values:
        values["bots"] = [_public_entry(entry) for entry in values["bots"]]
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
    return text


def _public_entry(entry: Any) -> Any:
    """Returns an entry of `bots` with names in place of paths, and without keys about the machine."""
    if isinstance(entry, Mapping):
        return {
            key: value if key in ("name", "params") else _public_entry(value)
            for key, value in entry.items()
            if key not in _ABOUT_THE_MACHINE
        }
    if isinstance(entry, list | tuple):
        return [_public_entry(word) for word in entry]
    return named_spec(entry) if isinstance(entry, str) else entry


REPORT_FOLDER: Final = "report"
MADE_BY_FILE: Final = "data/made-by.json"
_MARK: Final = "data/standings.json"
_NAMES: Final = {"index.html", "games.html", "data", "games", "bots"}


class MadeBy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is needed to write the same report again."""

    tournament: str
    """The version of tournament that wrote it."""

    analyses: tuple[str, ...]
    """The ids of the games it shows with an analysis; analyses are no part of the run."""

    language: Language = Language.ENGLISH
    """Its pages are in this language; its JSON is in English."""

    catalogue: str | None = None
    """The SHA-256 of the host's own catalogue of this language; None where its texts are all ours."""


def write_report(
    folder: str | PathLike[str],
    out: str | PathLike[str] | None = None,
    *,
    analyses: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    language: str | None = None,
) -> Path:
    """Writes the report of a run, by default into its folder, and returns its first page.

    The games that `analyses` judge, files or folders of files, are shown with them. An older report is
    replaced. The pages are in a `language`, such as `de`; by default in the one that is spoken at present. Raises
    `RunError` when there is no run, `UsageError` for a language that we do not speak, and when the folder holds
    something else or cannot be written, and `RecordError` for an analysis of no game of this run.
    """
    spoken = present_language() if language is None else _language(language)
    folder = Path(folder)
    read_run(folder)  # before anything is made: a folder that is not a run stays as it is
    own = folder / REPORT_FOLDER
    out = own if out is None else Path(out)
    if not _is_replaceable(out, is_own=out == own):
        raise UsageError(f"{out} is there and is no report. Give another {option('--out')}, or move it away.")
    if out == own:
        _clear_earlier(own.with_name(f"{REPORT_FOLDER}.new"))
    for is_last in (False, False, True):
        with suppress(_RunChangedError), speaking(spoken):
            replace_folder(out, _files_of(folder, list(map(Path, each(analyses))), whatever_changes=is_last))
            break
    return out / "index.html"


def _language(tag: str) -> Language:
    found = parse_language(tag)
    if found is None:
        raise UsageError(f'{option("--language")} is one of {", ".join(Language)}; found "{tag}".')
    return found


class _RunChangedError(Exception):
    """Another process changed the run while its report was being made."""


def _files_of(folder: Path, analyses: Sequence[Path], *, whatever_changes: bool) -> Iterator[tuple[str, bytes]]:
    before = stamp_of(folder / RUN_FILE)
    yield from report_files(read_facts(folder, analyses))
    if stamp_of(folder / RUN_FILE) != before and not whatever_changes:
        raise _RunChangedError


def _clear_earlier(beside: Path) -> None:
    """Removes the folder that version 0.1.0 left beside a report when it was killed."""
    if not beside.is_symlink() and beside.is_dir() and _is_replaceable(beside, is_own=True):
        shutil.rmtree(beside, ignore_errors=True)


def _is_replaceable(out: Path, *, is_own: bool) -> bool:
    """Returns whether `out` does not exist or is an older report; in the run itself also a half-deleted one."""
    if not out.exists() or (out / _MARK).is_file():
        return True
    return out.is_dir() and {path.name for path in out.iterdir()} <= (_NAMES if is_own else set())


def report_files(facts: RunFacts) -> Iterator[tuple[str, bytes]]:
    """Yields the name and the bytes of every file of a report, its pages in the present language."""
    available = set()
    for record_id, chosen in facts.chosen.items():
        if not has_record(chosen.result, keep=facts.info.keep):
            continue
        try:
            record = find_record(Reference(facts.folder, record_id))
            page = format_html(
                record, back="../index.html", back_to=gettext("Report"), analysis=facts.analyses.get(record_id)
            )
        except (RecordError, RunError):
            continue  # lost, or of a game that is not installed here
        available.add(record_id)
        yield f"games/{record_id}.html", page.encode()
    lists = []
    numbers: Counter[str] = Counter()
    for chunk in chunks(facts.results, entrants=facts.entrants, keep=facts.info.keep):
        name = f"data/games-{chunk.group}-{numbers[chunk.group]:03}.js"
        numbers[chunk.group] += 1
        lists.append((chunk.group, name))
        yield name, chunk_script(chunk).encode()
    lists.sort(key=lambda item: list(facts.games).index(item[0]))
    made_by = MadeBy(
        tournament=__version__,
        analyses=tuple(sorted(facts.analyses)),
        language=present_language(),
        catalogue=own_digest(present_language()),
    )
    yield MADE_BY_FILE, canonical_bytes(made_by) + b"\n"
    for name, value in json_twins(facts).items():
        yield f"data/{name}.json", canonical_bytes(value) + b"\n"
    replays = Replays(
        keep=facts.info.keep,
        available=available,
        chosen=facts.chosen,
        is_whole=len(facts.results) <= ALL_GAMES,
    )
    for number, address in enumerate(pages_of_bots(facts).values(), start=1):
        yield address, (bot_page(facts, number, replays=replays) or "").encode()
    yield "games.html", games_page(facts, lists=lists, replays=replays).encode()
    yield "index.html", index_page(facts, replays=replays).encode()
