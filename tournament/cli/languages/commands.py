"""`tournament language`: the languages that there are, their words, and catalogues to correct."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tournament.cli.options import complete_language
from tournament.cli.output import Force, Json, print_json, print_table, say
from tournament.text import format_place

if TYPE_CHECKING:
    from tournament.languages import Language

Tag = Annotated[
    str, typer.Argument(metavar="LANGUAGE", help="A language, such as de.", autocompletion=complete_language)
]


def list_command(json: Json = False) -> None:
    """List the languages, and how many texts are translated into each."""
    from tournament.languages import OWN_FOLDER, Language

    _need_babel()
    own = os.environ.get(OWN_FOLDER)
    values = [_count(language, own) for language in Language]
    if json:
        print_json(values)
        return
    rows = [
        (value["language"], value["name"], f"{value['translated']:,} of {value['texts']:,}", value["corrected"] or "")
        for value in values
    ]
    print_table(rows, ("language", "its own name", "translated", "corrected by the host"))


def _count(language: Language, own: str | None) -> dict[str, Any]:
    from tournament.languages import Language
    from tournament.languages.corrections import catalogue_texts, count_translated

    texts = catalogue_texts(Language.GERMAN if language is Language.ENGLISH else language)
    return {
        "language": language,
        "name": language.own_name,
        "texts": len(texts),
        "translated": len(texts) if language is Language.ENGLISH else count_translated(texts),
        "corrected": count_translated(catalogue_texts(language, Path(own))) if own else 0,
    }


def glossary_command(
    language: Annotated[
        str | None,
        typer.Argument(metavar="LANGUAGE", help="Only this language.", autocompletion=complete_language),
    ] = None,
    json: Json = False,
) -> None:
    """Show the words of the texts in each language, and where they are from."""
    from tournament.languages import Language
    from tournament.languages.glossary import read_glossary

    terms = read_glossary()
    if json:
        print_json(terms)
        return
    if language is None:
        others = [one for one in Language if one is not Language.ENGLISH]
        print_table(
            [(term.about, term.english, *(term.words[one] for one in others)) for term in terms],
            ("about", "English", *(one.own_name for one in others)),
        )
        return
    chosen = _parse(language)
    rows = [
        (term.about, term.english, term.words.get(chosen, term.english), term.sources.get(chosen, "our choice"))
        for term in terms
    ]
    print_table(rows, ("about", "English", chosen.own_name, "from"))


def write_command(
    language: Tag,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder of your own catalogues.")],
    term: Annotated[
        str | None,
        typer.Option("--term", metavar="WORD", help="Only texts with this word, in English or in the language."),
    ] = None,
    force: Force = False,
) -> None:
    """Write a catalogue in which you correct texts of a language."""
    from tournament.errors import UsageError
    from tournament.languages import OWN_FOLDER
    from tournament.languages.catalogues import source_of
    from tournament.languages.corrections import format_corrections
    from tournament.store.files import check_free

    _need_babel()
    chosen = _parse(language)
    content, count = format_corrections(chosen, term)
    if not count:
        raise UsageError(f'--term "{term}": no text of {chosen} has it. See: tournament language glossary {chosen}')
    path = source_of(chosen, out)
    check_free(path, force=force)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}. Give another --out.") from None
    say(f"{path}: {count:,} {'text' if count == 1 else 'texts'}. Correct them there, and delete the others.")
    say(f"Then: export {OWN_FOLDER}={format_place(out.absolute())}")


def _parse(text: str) -> Language:
    """Returns a language by its tag. Raises `UsageError` for one that we do not speak."""
    from tournament.cli.options import no_such_language
    from tournament.languages import parse_language

    language = parse_language(text)
    if language is None:
        raise no_such_language(text)
    return language


def _need_babel() -> None:
    from tournament.errors import UsageError, install_advice
    from tournament.languages import knows_languages

    if not knows_languages():
        raise UsageError(f"Languages need their extra. {install_advice('languages')}")
