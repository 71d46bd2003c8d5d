"""YAML as everybody reads it: plain values, each with its line, and nothing that YAML alone takes for something else.

Files that people write are read with it, also those that they were given: none of them fills the memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tournament.errors import ConfigurationError
from tournament.languages import KeptNumber, KeptWord, gettext_noop, kept_gettext, kept_ngettext
from tournament.text import is_plain_number, is_writable, printable

if TYPE_CHECKING:
    from yaml import MarkedYAMLError

Place = tuple[str | int, ...]
"""The names and indices that lead to a part of a document."""

IsText = Callable[[Any, Place], bool]
"""Returns of a node with a value that is no text, and of its place, whether it is one as it is written."""

MOST_BYTES: Final = 1 << 24
"""The longest file."""

MOST_PARTS: Final = 100_000
"""The most parts of a document, every alias written out."""

DEEPEST: Final = 50
"""How deep parts may lie in each other."""

_HINT: Final = gettext_noop("Mind the indentation and the brackets, and write texts that have a colon in quotes.")
_NOT_PARSED: Final = gettext_noop("it cannot be parsed")

_STANDARD: Final = "tag:yaml.org,2002:"
_PLAIN: Final = frozenset({"str", "null", "bool", "int", "float", "timestamp", "merge", "value", "seq", "map"})
"""The tags of plain values, which YAML gives them by itself."""

TEXT_TAG: Final = f"{_STANDARD}str"
NOTHING_TAG: Final = f"{_STANDARD}null"
_INT: Final = f"{_STANDARD}int"
_FLOAT: Final = f"{_STANDARD}float"


class YamlError(ConfigurationError):
    """Something wrong in a YAML file, in a line of it where that is known."""

    def __init__(self, path: Path, line: int | None, text: str) -> None:
        """Takes a text that ends in what to do; those of this module are kept, so that `spoken` translates them."""
        super().__init__(path, line, text)
        self.path, self.line, self.text = path, line, text

    def __str__(self) -> str:
        return f"{self.path}{'' if self.line is None else f', line {self.line}'}: {self.text}"


class YamlText(NamedTuple):
    """A document and where its parts stand."""

    data: Any
    lines: Mapping[Place, int]


class YamlRules(NamedTuple):
    """What a document may have beyond what JSON knows, or is read as."""

    with_dates: bool = False
    """Whether values may be dates and times."""

    with_odd_numbers: bool = False
    """Whether numbers stay what YAML reads them as, such as 8 for `010`: of files that were read so before."""

    is_text: IsText | None = None
    """Which other values are texts as they are written."""


PLAIN: Final = YamlRules()


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Returns the line of a part, or of the nearest one around it; from 1."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def read_plain_yaml(path: Path, rules: YamlRules = PLAIN) -> YamlText:
    """Returns the document in a file, which may be a pipe; an empty file is an empty object.

    Raises `FileNotFoundError` and `IsADirectoryError`, for the caller knows which file to give instead, and `YamlError`
    for one that cannot be read otherwise, and where `parse_plain_yaml` does.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None
    return parse_plain_yaml(data, path, rules)


def unreadable(path: Path, error: OSError | ValueError) -> YamlError:
    """Returns the error for a file that cannot be read, or is no text."""
    told = kept_gettext("it cannot be read: {error}. Give a text file in UTF-8.", error=str(error))
    return YamlError(path, None, told)


def told_too_long(most: int) -> str:
    """Returns that a file has more bytes than are read."""
    return kept_ngettext(
        "it has more than {count} byte. Make it shorter.", "it has more than {count} bytes. Make it shorter.", most
    )


def _told_too_deep() -> str:
    return kept_gettext(
        "parts lie more than {most} deep in each other, or an alias is part of itself. Write it flatter.",
        most=KeptNumber(DEEPEST),
    )


def _told_too_many() -> str:
    return kept_gettext(
        "with its aliases written out the document has more than {most} parts. Make it shorter.",
        most=KeptNumber(MOST_PARTS),
    )


def parse_plain_yaml(data: bytes, path: Path, rules: YamlRules = PLAIN) -> YamlText:
    """Returns the document in the contents of a file.

    Raises `YamlError` for one that is no YAML, has a name twice, is too long or deep with its aliases written out, or
    has a value that JSON does not know.
    """
    import yaml

    if len(data) > MOST_BYTES:
        raise YamlError(path, None, told_too_long(MOST_BYTES))
    lines: dict[Place, int] = {}
    try:
        text = data.decode()
        loader = _bounded_loader()(text, path)
        node = loader.get_single_node()
        _Collector(path, lines, rules).collect(node, ())
        value = None if node is None else loader.construct_document(node)
    except UnicodeDecodeError as error:
        raise unreadable(path, error) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        character = printable(chr(error.character))
        odd = kept_gettext("the character {character} is none that YAML takes. Take it out.", character=character)
        raise YamlError(path, line, odd) from None
    except yaml.MarkedYAMLError as error:
        raise YamlError(path, *_told(error)) from None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        told = kept_gettext(
            "it is not YAML: {error}. {advice}", error=" ".join(str(error).split()), advice=KeptWord(_HINT)
        )
        raise YamlError(path, None, told) from None
    document = YamlText({} if value is None else value, lines)
    _check_json(document.data, (), document, path, with_dates=rules.with_dates)
    return document


@cache
def _bounded_loader() -> Any:
    """Returns the class that reads a text, and stops where it is too deep or has too many parts, not after it."""
    import yaml

    class BoundedLoader(yaml.SafeLoader):
        def __init__(self, text: str, path: Path) -> None:
            super().__init__(text)
            self._path, self._parts, self._depth = path, 0, -1

        def compose_node(self, parent: Any, index: Any) -> Any:
            self._parts += 1
            self._depth += 1
            if self._depth > DEEPEST or self._parts > 2 * MOST_PARTS:  # names count here, too
                line = self.peek_event().start_mark.line + 1  # type: ignore[no-untyped-call]
                told = _told_too_deep() if self._depth > DEEPEST else _told_too_many()
                raise YamlError(self._path, line, told)
            node = super().compose_node(parent, index)
            self._depth -= 1
            return node

    return BoundedLoader


def _is_odd_number(node: Any) -> bool:
    """Returns whether YAML reads a number that people would not: `010`, `1:30`, `1_0`; infinite ones are told apart."""
    is_number = node.tag in (_INT, _FLOAT) and any(map(str.isdigit, node.value))
    return is_number and not is_plain_number(node.value, whole=node.tag == _INT)


def _told(error: MarkedYAMLError) -> tuple[int | None, str]:
    """Returns the line of an error of the parser, and the error as a sentence."""
    mark = error.problem_mark or error.context_mark
    what = error.problem or error.context or KeptWord(_NOT_PARSED)
    if mark is None:
        return None, kept_gettext("this is not YAML: {error}. {advice}", error=what, advice=KeptWord(_HINT))
    told = kept_gettext(
        "this is not YAML: {error} (column {column}). {advice}",
        error=what,
        column=KeptNumber(mark.column + 1),
        advice=KeptWord(_HINT),
    )
    return mark.line + 1, told


class _Collector(NamedTuple):
    """Notes the line of every part, and refuses what is no plain value and a name given twice."""

    path: Path
    lines: dict[Place, int]
    rules: YamlRules

    def collect(self, node: Any, place: Place) -> None:
        import yaml

        if node is None:
            return
        lines = self.lines
        line = node.start_mark.line + 1
        if len(place) > DEEPEST:
            raise YamlError(self.path, line, _told_too_deep())
        if len(lines) >= MOST_PARTS:
            raise YamlError(self.path, line, _told_too_many())
        lines.setdefault(place, line)
        if node.tag.removeprefix(_STANDARD) not in _PLAIN:
            tag = node.tag.replace(_STANDARD, "!!")
            problem = kept_gettext("{tag} is a tag, and only plain values are read here. Take it out.", tag=tag)
            raise YamlError(self.path, line, problem)
        if isinstance(node, yaml.ScalarNode):
            if self.rules.is_text is not None and self.rules.is_text(node, place):
                node.tag = TEXT_TAG
            elif _is_odd_number(node) and not self.rules.with_odd_numbers:
                problem = kept_gettext(
                    "YAML reads {written} as {read}. Write a number in plain digits, or a text in quotes.",
                    written=node.value,
                    read=str(yaml.safe_load(node.value)),
                )
                raise YamlError(self.path, line, problem)
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                inner = (*place, key.value if isinstance(key, yaml.ScalarNode) else str(key.start_mark.line))
                if inner in lines:
                    problem = kept_gettext(
                        '"{key}" stands here a second time (first in line {line}). Take one out.',
                        key=str(key.value),
                        line=KeptNumber(lines[inner]),
                    )
                    raise YamlError(self.path, key.start_mark.line + 1, problem)
                lines[inner] = key.start_mark.line + 1
                self.collect(value, inner)
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                self.collect(value, (*place, index))


def _check_json(value: Any, place: Place, document: YamlText, file: Path, *, with_dates: bool) -> None:
    """Refuses what JSON cannot say (infinite numbers, half a surrogate pair, dates), names that are no texts, and NUL.

    No path and no word of a command may have that character. Dates as values are left alone `with_dates`.
    """
    problem = None if with_dates and isinstance(value, date) else _problem(value)
    if problem is not None:
        raise YamlError(file, line_of(place, document.lines), problem)
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                problem = kept_gettext("expected a text as a name, found {found}. Write it in quotes.", found=str(key))
                raise YamlError(file, line_of((*place, str(key)), document.lines), problem)
            _check_json(key, (*place, key), document, file, with_dates=False)
            _check_json(item, (*place, key), document, file, with_dates=with_dates)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_json(item, (*place, index), document, file, with_dates=with_dates)


def _problem(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return kept_gettext("expected a finite number, found {found}. Write one.", found=str(value))
    if isinstance(value, str) and not is_writable(value):
        return kept_gettext(
            "expected a text, found {found}, which has half a surrogate pair. Write it without.", found=ascii(value)
        )
    if isinstance(value, str) and "\0" in value:
        return kept_gettext(
            "expected a text, found {found}, which has the character NUL. Write it without.", found=ascii(value)
        )
    if value is None or isinstance(value, str | int | float | dict | list):
        return None
    return kept_gettext(
        "expected a text, a number, a list or an object, found {found}. Write a text in quotes.", found=ascii(value)
    )
