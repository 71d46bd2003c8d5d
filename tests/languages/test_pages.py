"""Texts that the scripts of a page show: which go with the page, and which form of them fits a number."""

from __future__ import annotations

import json
import subprocess
from gettext import GNUTranslations, NullTranslations
from importlib import import_module
from io import BytesIO

import pytest
from needs import need_module, need_programs

from tournament.languages import Language, format_number, format_page_texts, npgettext, page_functions, speaking
from tournament.languages.catalogues import read_source, source_of
from tournament.languages.compiling import compile_catalogue


class MadeCatalogue(NullTranslations):
    """A catalogue with these texts, by context and English text."""

    def __init__(self, texts):
        super().__init__()
        self._catalog = texts

    def npgettext(self, context, msgid1, msgid2, n):
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        return self._catalog[f"{context}\x04{msgid1}", 0 if n == 1 else 1 if few else 2]


@pytest.fixture
def polish(monkeypatch):
    """Speaks Polish of a few texts, one of them of no page."""
    texts = {
        "Play": "Graj w terminalu",
        "page\x04Play": "Graj",
        "page\x04{name} & </script> {what}": "</script> {what}: {name}",
        **{("page\x04{count} card", form): f"{{count}} {word}" for form, word in enumerate(["karta", "karty", "kart"])},
    }
    # The package has a function of that name, so the module is asked for by its own.
    module = import_module("tournament.languages.speaking")
    monkeypatch.setattr(module, "catalogue_of", lambda language: MadeCatalogue(texts))
    with speaking(Language.POLISH):
        yield


def made_catalogue(folder, rule: str) -> GNUTranslations:
    """Returns a catalogue with this plural rule, in which a text of a page says which of its forms it is."""
    forms = int(rule.partition("nplurals=")[2].partition(";")[0])
    lines = [f'msgstr[{form}] "form {form}"' for form in range(forms)]
    source = folder / "made.po"
    head = f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: {rule}\\n"\n'
    text = 'msgctxt "page"\nmsgid "{count} card"\nmsgid_plural "{count} cards"\n'
    source.write_text("\n".join([head, text + lines[0], *lines[1:], ""]))
    return GNUTranslations(BytesIO(compile_catalogue(read_source(source))))


def said(script: str, *, lang: str, texts: str = "") -> list[str]:
    """Returns what a script says with the functions of a page in a language; `texts` is the element of its texts."""
    need_programs("node")
    content = texts.partition(">")[2].rpartition("</script>")[0]
    document = {"documentElement": {"lang": lang}}
    found = f"{{ textContent: {json.dumps(content)} }}" if content else "null"
    page = f"const document = {json.dumps(document)}; document.getElementById = () => ({found});\n"
    whole = f"{page}{page_functions()}\nconsole.log(JSON.stringify({script}));"
    ended = subprocess.run(["node", "-e", whole], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ended.stdout)


def test_an_english_page_carries_no_texts():
    assert "" == format_page_texts()


def test_a_page_carries_the_texts_of_its_scripts_and_nothing_that_ends_its_element(polish):
    element = format_page_texts()

    assert element.index("</script>") == len(element) - len("</script>\n")
    assert {
        "Play": ["Graj"],
        "{count} card": ["{count} karta", "{count} karty", "{count} kart", "{count} kart"],
        "{name} & </script> {what}": ["</script> {what}: {name}"],
    } == json.loads(element.partition(">")[2].rpartition("</script>")[0])


def test_a_script_speaks_the_language_of_its_page(polish):
    script = 'gettext("Play"), gettext("{name} & </script> {what}", { name: "{what}", what: 0 }), gettext("Not there")'

    assert ["Graj", "</script> 0: {what}", "Not there"] == said(f"[{script}]", lang="pl", texts=format_page_texts())


@pytest.mark.parametrize(
    ("count", "expected"),
    [(0, "0 kart"), (1, "1 karta"), (2, "2 karty"), (5, "5 kart"), (22, "22 karty"), (12345, "12\xa0345 kart")],
)
def test_the_form_of_a_text_fits_the_number_in_polish(polish, count, expected):
    script = f'[ngettext("{{count}} card", "{{count}} cards", {count})]'

    assert [expected] == said(script, lang="pl", texts=format_page_texts())


@pytest.mark.parametrize("language", list(Language))
def test_scripts_choose_the_form_of_a_text_that_python_chooses(monkeypatch, tmp_path, language):
    """Each form of this text says its number, by the plural rule of the catalogue itself."""
    counts = [0, 1, 2, 3, 5, 11, 12, 14, 21, 22, 25, 100, 112, 1000, 999_999, 1_000_000, 1_000_001, 2_000_000]
    own = source_of(language)
    rule = read_source(own).plural_forms if own.is_file() else "nplurals=2; plural=(n != 1);"
    catalogue = made_catalogue(tmp_path, rule)
    module = import_module("tournament.languages.speaking")
    monkeypatch.setattr(module, "catalogue_of", lambda language: catalogue)
    with speaking(language):
        expected = [npgettext("page", "{count} card", "{count} cards", count) for count in counts]
        script = f'{counts}.map((count) => ngettext("{{count}} card", "{{count}} cards", count))'

        assert expected == said(script, lang=language, texts=format_page_texts())


def test_scripts_follow_a_catalogue_of_fewer_forms_than_the_language_has(monkeypatch, tmp_path):
    catalogue = made_catalogue(tmp_path, "nplurals=2; plural=(n != 1);")
    module = import_module("tournament.languages.speaking")
    monkeypatch.setattr(module, "catalogue_of", lambda language: catalogue)
    with speaking(Language.SPANISH):
        script = '[1, 5, 1000000].map((count) => ngettext("{count} card", "{count} cards", count))'

        assert ["form 0", "form 1", "form 1"] == said(script, lang="es", texts=format_page_texts())


@pytest.mark.parametrize("lang", ["en", "de", "es", "nb"])
def test_a_language_without_texts_has_the_forms_of_english(lang):
    script = (
        '[0, 1, 2].map((count) => ngettext("{count} card, {name}", "{count} cards, {name}", count, { name: "ann" }))'
    )

    assert ["0 cards, ann", "1 card, ann", "2 cards, ann"] == said(script, lang=lang)


@pytest.mark.parametrize("language", list(Language))
def test_scripts_write_numbers_of_each_size_as_python_does(language):
    need_module("babel", extra="languages")
    numbers = [0, 1, 12, 999, 1000, 1001, 9999, 10_000, 12_345, 999_999, 1_000_000, 12_345_678]
    with speaking(language):
        expected = [format_number(number) for number in numbers]

    assert expected == said(f"{numbers}.map(formatNumber)", lang=language)


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", ["ærlig", "Anders", "bot 2", "bot 10", "Zorro"]),
        ("nb", ["Anders", "bot 2", "bot 10", "Zorro", "ærlig"]),
        ("pl", ["ærlig", "Anders", "bot 2", "bot 10", "Zorro"]),
    ],
)
def test_names_are_in_the_order_of_the_language(lang, expected):
    assert expected == said(f"{sorted(expected)}.sort(compareNames)", lang=lang)


def test_numbers_are_written_as_the_language_does():
    assert ["0,25", "12.345"] == said("[formatNumber(0.25), formatNumber(12345)]", lang="de")
    assert ["0.25", "12,345"] == said("[formatNumber(0.25), formatNumber(12345)]", lang="en")
