"""Collects the marked texts of the package into the catalogue of every language, and tells what each lacks.

`python docs/make_catalogues.py` brings the catalogues up to date: new texts are there without a translation, texts that
are gone are gone, and translations stay. Texts stand in the order of the files they come from, without line numbers, so
that a change of a file does not change a catalogue.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir, extract_javascript, extract_python
from babel.messages.pofile import read_po, write_po

from tournament.configuration.describing import option_meanings
from tournament.games import BUILT_IN, load_game
from tournament.languages import Language
from tournament.languages.catalogues import compile_catalogues, source_of
from tournament.languages.speaking import PAGE

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tournament"
KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "kept_gettext": None,
    "kept_ngettext": (1, 2),
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
METHODS = [
    ("**.py", "python"),
    ("**.j2", "jinja2"),
    ("**/arena/web/templates/**.html", "make_catalogues:extract_django"),
    ("**.js", "make_catalogues:extract_page"),
]
"""How the texts of a file are found. Pages that are no templates have none of their own: JavaScript fills them."""

OPTIONS: dict[str, dict[str, Any]] = {"**.j2": {"trimmed": "true"}}
WIDTH = 120

Found = Iterator[tuple[int, str, Any, list[str]]]


def extract_django(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Found:
    """Yields the texts of a template of Django, which Django itself turns into Python for this."""
    import django
    from django.conf import settings
    from django.utils.translation.template import templatize

    if not settings.configured:
        settings.configure(USE_I18N=True)
        django.setup()
    python = templatize(file.read().decode("utf-8"))
    # Django marks with functions of its own names, `_` for one.
    names = {**dict.fromkeys(keywords), "_": None}
    yield from extract_python(BytesIO(python.encode("utf-8")), names, tags, options)


def extract_page(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Found:
    """Yields the texts of our JavaScript, in a context of their own: a page carries those, and no others."""
    for line, name, texts, comments in extract_javascript(file, {"gettext", "ngettext"}, tags, options):
        forms = [texts] if isinstance(texts, str) else [text for text in texts if isinstance(text, str)]
        yield line, "npgettext" if name == "ngettext" else "pgettext", (PAGE, *forms), comments


def collect_texts() -> Catalog:
    """Returns every marked text of the package, without translations."""
    catalogue = Catalog(project="tournament", charset="utf-8")
    keywords = {**KEYWORDS, "_": None}
    for name, _line, texts, comments, context in extract_from_dir(
        PACKAGE, METHODS, OPTIONS, keywords, comment_tags=("Translators:",), strip_comment_tags=True
    ):
        catalogue.add(texts, locations=[(f"tournament/{name}", None)], auto_comments=comments, context=context)
    for name, text in _meanings():
        catalogue.add(text, locations=[(name, None)])
    return catalogue


def _meanings() -> Iterator[tuple[str, str]]:
    """Yields what the options of our games mean, which stands in docstrings, and the files of these."""
    for name in BUILT_IN:
        options = load_game(name).Options
        place = options.__module__.replace(".", "/")
        yield from ((f"{place}.py", text) for text in option_meanings(options).values())


def update_catalogue(language: Language, texts: Catalog) -> list[str]:
    """Brings the catalogue of a language up to date and returns the texts that it does not translate."""
    source = source_of(language)
    catalogue = Catalog(locale=language.value, project="tournament", charset="utf-8")
    if source.is_file():
        with source.open("rb") as file:
            catalogue = read_po(file, locale=language.value)
    catalogue.update(texts, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.fuzzy = False
    written = BytesIO()
    write_po(written, catalogue, width=WIDTH, omit_header=False, include_lineno=False, sort_by_file=True)
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(_with_short_head(written.getvalue()))
    return [str(message.id) for message in catalogue if message.id and not _is_whole(message.string)]


def _with_short_head(content: bytes) -> bytes:
    """Returns a catalogue with what gettext needs in its head, and no dates and people."""
    kept = (b'"Language:', b'"Plural-Forms:', b'"MIME-Version:', b'"Content-T')
    head, separator, texts = content.partition(b"\n\n")
    lines = [
        line for line in head.splitlines(keepends=True) if not line.startswith((b"#", b'"')) or line.startswith(kept)
    ]
    return b"".join([*lines, separator, texts])


def _is_whole(forms: str | Iterable[str] | None) -> bool:
    return bool(forms) if forms is None or isinstance(forms, str) else all(forms)


def main() -> None:
    """Updates all catalogues, compiles them, and prints how many texts each lacks."""
    texts = collect_texts()
    for language in Language:
        if language is not Language.ENGLISH:
            lacking = update_catalogue(language, texts)
            print(f"{language}: {len(texts)} texts, {len(lacking)} without a translation")
    compile_catalogues()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
