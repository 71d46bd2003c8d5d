"""What a host corrects: catalogues of the texts with a term, and what is wrong with what was written. Needs Babel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tournament.languages.catalogues import read_source, source_of
from tournament.languages.compiling import compile_catalogue
from tournament.languages.language import Language

if TYPE_CHECKING:
    from babel.messages import Catalog

VALUES: Final = re.compile(r"\{(\w*)\}|%\((\w+)\)[a-z]")
"""What stands for a value in a text: `{name}`, or `%(name)s` in a template."""

COUNT: Final = ("count", "num")
"""Values that a form for a single number may leave out: `one card` for `{count} card`."""

PERCENT: Final = re.compile(r"%%|%\(\w+\)[sd]")
"""What a percent sign may begin in a text of a template."""

NUMBERS_TRIED: Final = range(1_000)
"""For these the rule for numbers must give one of the forms; rules repeat after a hundred."""

WIDTH: Final = 120


class Text(NamedTuple):
    """A text and its translation, each in its forms: one, or those for numbers."""

    english: tuple[str, ...]
    translation: tuple[str, ...]
    context: str | None = None

    @property
    def is_translated(self) -> bool:
        """Whether each of its forms has a translation."""
        return all(self.translation)


def texts_of(catalogue: Catalog) -> Iterator[Text]:
    """Yields the texts of a catalogue in their order."""
    for message in catalogue:
        if message.id:
            yield Text(_forms(message.id), _forms(message.string), message.context)


def catalogue_texts(language: Language, folder: Path | None = None) -> list[Text]:
    """Returns the texts of our catalogue of a language, or of the one in a host's folder; none where there is none."""
    source = source_of(language) if folder is None else source_of(language, folder)
    return list(texts_of(read_source(source))) if source.is_file() else []


def problems_of(text: Text) -> list[str]:
    """Returns what is wrong with a translation: missing forms, other values than in English, odd edges."""
    problems = []
    if any(text.translation) and not text.is_translated:
        lacking = sum(not form for form in text.translation)
        problems.append(f"{lacking} of its {len(text.translation)} forms for numbers are empty")
    wanted = _values(text.english[-1])
    for form in text.translation:
        found = _values(form)
        if form and not _is_plain(form, text.english):
            problems.append(f'"{form}" has a brace or a percent sign that begins no plain value such as {{name}}')
            continue
        if (form and wanted - found - {*COUNT}) or found - wanted:
            problems.append(f'"{form}" has {_names(found)}; the English text has {_names(wanted)}')
        if form and _edges(form) != _edges(text.english[0]):
            problems.append(f'"{form}" begins or ends with other blanks or line breaks than the English text')
    return problems


def check_corrections(folder: Path) -> list[str]:
    """Returns what is wrong with the catalogues in a host's folder, a sentence each; nothing where all is well."""
    from babel.messages.pofile import PoFileError

    if not folder.is_dir():
        return [f"{folder} is no folder."]
    problems = []
    sources = [source_of(language, folder) for language in Language]
    found = [source for source in sources if source.is_file()]
    if not found:
        places = ", ".join(str(source.relative_to(folder)) for source in sources[1:])
        problems.append(f"{folder} has none of {places}.")
    for source in found:
        try:
            catalogue = read_source(source)
            _check_rule(catalogue)
        except (PoFileError, ValueError, LookupError, ArithmeticError, MemoryError) as error:
            problems.append(f"{source} is no catalogue of gettext: {error}.")
            continue
        problems += [
            f'{source}, text "{text.english[0]}": {problem}.'
            for text in texts_of(catalogue)
            for problem in problems_of(text)
        ]
    return problems


def format_corrections(language: Language, term: str | None = None) -> tuple[bytes, int]:
    """Returns a catalogue of the texts in which a term stands, in English or in the language, and how many these are.

    Without a term it has all texts. Each has its present translation.
    """
    from babel.messages.pofile import write_po

    catalogue = _english() if language is Language.ENGLISH else read_source(source_of(language))
    if term is not None:
        wanted = term.casefold()
        for message in list(catalogue):
            forms = (*_forms(message.id), *_forms(message.string))
            if message.id and not any(wanted in form.casefold() for form in forms):
                catalogue.delete(message.id, message.context)
    written = BytesIO()
    write_po(written, catalogue, width=WIDTH, omit_header=False, include_lineno=False)
    return written.getvalue(), len(catalogue)


def _english() -> Catalog:
    """Returns a catalogue in which each of our texts is translated by itself."""
    from babel.messages import Catalog

    catalogue = Catalog(locale=Language.ENGLISH.value, charset="utf-8")
    for message in read_source(source_of(Language.GERMAN)):
        if message.id:
            catalogue.add(message.id, message.id, context=message.context, auto_comments=message.auto_comments)
    return catalogue


def explain_problems(problems: Sequence[str]) -> str:
    """Returns the first of some problems, and how many there are."""
    more = f" That is one of {len(problems)} problems." if len(problems) > 1 else ""
    return f"{problems[0]}{more}"


def _forms(text: Any) -> tuple[str, ...]:
    if text is None:
        return ("",)
    return (text,) if isinstance(text, str) else tuple(form or "" for form in text)


def _values(text: str) -> set[str]:
    return {one or other for one, other in VALUES.findall(text)}


def _is_plain(form: str, english: Sequence[str]) -> bool:
    """Returns whether a form can be filled in, with the values alone; any sign may stand where nothing is filled in.

    `{name.__class__}` would tell what a value has in it, and `{name:>999}` pads it.
    """
    if any("%(" in one for one in english):
        return "%" not in PERCENT.sub("", form)
    if len(english) == 1 and not _values(english[0]):
        return True
    try:
        parts = list(Formatter().parse(form))
    except ValueError:
        return False
    fields = {name for _, name, _, _ in parts if name is not None}
    is_bare = not any(how or conversion for _, _, how, conversion in parts)
    return is_bare and fields == _values(form) and all(name.isidentifier() for name in fields)


def _check_rule(catalogue: Catalog) -> None:
    """Raises `ValueError` where the rule for numbers, `Plural-Forms`, gives no form; also what reading it raises."""
    count = catalogue.num_plurals
    rule = GNUTranslations(BytesIO(compile_catalogue(catalogue))).plural  # type: ignore[attr-defined]  # not in typeshed
    for number in NUMBERS_TRIED:
        if not 0 <= rule(number) < count:
            raise ValueError(f"Plural-Forms has form {rule(number)} for the number {number}, and only {count} forms")


def _names(values: set[str]) -> str:
    return " and ".join(f"{{{value}}}" for value in sorted(values)) or "no value"


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def count_translated(texts: Sequence[Text]) -> int:
    """Returns how many texts have a translation."""
    return sum(text.is_translated for text in texts)
