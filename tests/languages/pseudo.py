"""A language that shows which words of a page are marked for translation: they stand in ⟦brackets⟧.

    from languages.pseudo import PSEUDO, pseudo_language, unmarked_in_page, unmarked_in_text

    with pseudo_language():
        page = format_html(record)
    assert [] == unmarked_in_page(page, allowed=["ann", "bob", record.id])

Within the block `PSEUDO` (German, as far as anybody asks: numbers and dates are German) is spoken by this thread and,
as the language of the process, by others. A server of this process speaks it, too: ask it with `Accept-Language: de`.
Django speaks it where it is set up before the block. Other processes do not.

Every text is wrapped piece by piece, and its values are not: `{name} plays {cards}.` becomes `{name} ⟦plays⟧ {cards}.`
So a value that is an English word is found, too. A text that is marked but that `docs/make_catalogues.py` does not find
(made at run time, in an f-string) is not wrapped.

`unmarked_in_page(html)` looks at what a reader sees or hears: text, and the attributes `title`, `alt`, `aria-label`,
`placeholder` and such. Give it `page.content()` of Playwright for what JavaScript makes. It passes over scripts and
styles, `<code>`, `<pre>`, `<kbd>`, `<samp>`, and over elements with `translate="no"` or a `lang` of their own. Words of
a single letter (suits, keys) are none. `unmarked_in_text(text)` does the same with lines of a terminal: draw them wide,
for a bracket that is cut off at the end of a line hides the rest. Both return what is not marked, each with what is
around it.

`allowed` are words and phrases that no language translates: names of bots and people, ids, words of files. A compiled
pattern is fine, too. Never allow an English word to make a test pass: mark it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from gettext import NullTranslations
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tournament.languages import Language, present_language, set_language, speaking
from tournament.languages.speaking import PAGE

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
SPEAKING: Final = import_module("tournament.languages.speaking")
"""The package has a function of that name, so the module is asked for by its own."""

PSEUDO: Final = Language.GERMAN
"""The language in whose place the brackets are spoken."""

_PIECE: Final = re.compile(r"(<[a-zA-Z/][^>]*>|\{[^{}]*\}|%\(\w+\)[a-z]|%[sd]|%%|&\w+;)")
"""What stays outside the brackets: values, tags, entities."""

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_SEPARATOR: Final = "\x04"
_UNSEEN: Final = frozenset({"script", "style", "code", "pre", "kbd", "samp", "textarea"})
_EMPTY: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_SPOKEN: Final = frozenset({"title", "alt", "aria-label", "aria-description", "aria-roledescription", "placeholder"})
_BUTTONS: Final = frozenset({"submit", "button", "reset"})

Allowed = Iterable[str | re.Pattern[str]]


def wrapped(text: str) -> str:
    """Returns a text with each of its pieces in brackets, but for values and tags."""
    return "".join(piece if index % 2 else _in_brackets(piece) for index, piece in enumerate(_PIECE.split(text)))


def _in_brackets(piece: str) -> str:
    words = piece.strip()
    if not any(char.isalpha() for char in words):
        return piece
    return piece.replace(words, f"⟦{words}⟧")


class PseudoCatalogue(NullTranslations):
    """A catalogue in which every text of ours, or where `takes_all` any text, is translated by brackets."""

    def __init__(self, *, takes_all: bool = False) -> None:
        super().__init__()
        self._takes_all = takes_all
        self._catalog: dict[Any, str] = {}
        for context, forms in known_texts():
            if context == PAGE:
                for form, text in enumerate(forms):
                    key = f"{PAGE}{_SEPARATOR}{forms[0]}"
                    self._catalog[key if len(forms) == 1 else (key, form)] = wrapped(text)

    def gettext(self, message: str) -> str:
        context, separator, text = message.rpartition(_SEPARATOR)
        return self._wrapped(context if separator else None, text, (text,))

    def ngettext(self, one: str, many: str, count: int) -> str:
        context, separator, first = one.rpartition(_SEPARATOR)
        forms = (first, many.rpartition(_SEPARATOR)[2])
        return self._wrapped(context if separator else None, forms[0 if count == 1 else 1], forms)

    def pgettext(self, context: str, message: str) -> str:
        return self._wrapped(context, message, (message,))

    def npgettext(self, context: str, one: str, many: str, count: int) -> str:
        key = (f"{context}{_SEPARATOR}{one}", 0 if count == 1 else 1)
        if context == PAGE and key in self._catalog:  # what goes with a page is asked for by its first form
            return self._catalog[key]
        return self._wrapped(context, one if count == 1 else many, (one, many))

    def to_language(self) -> str:
        """Returns what Django asks a catalogue for."""
        return PSEUDO.value

    def _wrapped(self, context: str | None, text: str, forms: tuple[str, ...]) -> str:
        return wrapped(text) if self._takes_all or (context, forms) in known_texts() else text


@cache
def known_texts() -> frozenset[tuple[str | None, tuple[str, ...]]]:
    """Returns context and forms of every text that the catalogues get."""
    sys.path.insert(0, str(DOCS))
    try:
        from make_catalogues import collect_texts
    finally:
        sys.path.remove(str(DOCS))
    found = ((one.context, (one.id,) if isinstance(one.id, str) else tuple(one.id)) for one in collect_texts())
    return frozenset((context, forms) for context, forms in found if forms != ("",))


@contextmanager
def pseudo_language() -> Iterator[Language]:
    """Speaks in brackets within the block."""
    usual, before = SPEAKING.catalogue_of, present_language()
    ours = PseudoCatalogue()
    SPEAKING.catalogue_of = lambda language: ours if language is PSEUDO else usual(language)
    set_language(PSEUDO)
    try:
        with _django_speaks(), speaking(PSEUDO):
            yield PSEUDO
    finally:
        set_language(before)
        SPEAKING.catalogue_of = usual


class TranslatedCatalogue(NullTranslations):
    """A catalogue of a few texts, by their English."""

    def __init__(self, texts: dict[str, str], usual: Any) -> None:
        super().__init__()
        self._texts = texts
        self.add_fallback(usual)

    def gettext(self, message: str) -> str:
        return self._texts.get(message) or super().gettext(message)

    def pgettext(self, context: str, message: str) -> str:
        return self._texts.get(message) or super().pgettext(context, message)


@contextmanager
def translations(language: Language, texts: dict[str, str]) -> Iterator[None]:
    """Translates a few texts within the block, whatever the catalogue says of them; it does not choose the language."""
    usual = SPEAKING.catalogue_of
    ours = TranslatedCatalogue(texts, usual(language))
    SPEAKING.catalogue_of = lambda asked: ours if asked is language else usual(asked)
    try:
        yield
    finally:
        SPEAKING.catalogue_of = usual


@contextmanager
def _django_speaks() -> Iterator[None]:
    """Lets Django speak in brackets, too, where it is set up. Its own texts and those of allauth count as marked."""
    settings = sys.modules.get("django.conf")
    if settings is None or not settings.settings.configured:
        yield
        return
    from django.utils import translation
    from django.utils.translation import trans_real

    usual = trans_real._translations.get(PSEUDO.value)
    trans_real._translations[PSEUDO.value] = PseudoCatalogue(takes_all=True)
    try:
        with translation.override(PSEUDO.value):
            yield
    finally:
        del trans_real._translations[PSEUDO.value]
        if usual is not None:
            trans_real._translations[PSEUDO.value] = usual


def unmarked_in_text(text: str, *, allowed: Allowed = ()) -> list[str]:
    """Returns the words of a text that stand outside brackets, each with what is around it."""
    return _unmarked([text], allowed)


def unmarked_in_page(html: str, *, allowed: Allowed = ()) -> list[str]:
    """Returns the words of a page that a reader sees or hears and that stand outside brackets."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [*_unmarked(reader.spoken, allowed, is_each_whole=True), *_unmarked(reader.seen, allowed)]


class _Reader(HTMLParser):
    """What of a page is seen, in its order, and what is spoken of attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[str] = []
        self.spoken: list[str] = []
        self._passed_over: list[str] = []
        """The elements that are open since one that is passed over, that one first."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        is_passed = tag in _UNSEEN or attributes.get("translate") == "no" or ("lang" in attributes and tag != "html")
        if self._passed_over or is_passed:
            if tag not in _EMPTY:
                self._passed_over.append(tag)
            return
        self.spoken += [value for name, value in attributes.items() if name in _SPOKEN]
        if tag == "input" and attributes.get("type") in _BUTTONS:
            self.spoken.append(attributes.get("value", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._passed_over:
            last = len(self._passed_over) - 1 - self._passed_over[::-1].index(tag)
            del self._passed_over[last:]

    def handle_data(self, data: str) -> None:
        if not self._passed_over:
            self.seen.append(data)


def _unmarked(texts: Iterable[str], allowed: Allowed, *, is_each_whole: bool = False) -> list[str]:
    found: list[str] = []
    depth = 0
    for text in texts:
        if is_each_whole:
            depth = 0
        outside = []
        for char in text:
            depth = max(0, depth + (char == "⟦") - (char == "⟧"))
            outside.append(char if depth == 0 and char != "⟧" else "\0")
        left = _without("".join(outside), allowed)
        for match in _WORD.finditer(left):
            around = text[max(0, match.start() - 40) : match.end() + 40]
            found.append(f"{match[0]} in {' '.join(around.split())!r}")
    return found


def _without(text: str, allowed: Allowed) -> str:
    """Returns a text of the same length in which what is allowed is blank."""
    literal = sorted((one for one in allowed if isinstance(one, str) and one), key=len, reverse=True)
    patterns = [re.compile(rf"(?<![^\W\d_]){re.escape(one)}(?![^\W\d_])") for one in literal]
    for pattern in [*patterns, *(one for one in allowed if isinstance(one, re.Pattern))]:
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text
