"""Texts that the host of an arena corrected, in its folder `languages`."""

from __future__ import annotations

import pytest

from tournament.arena.folder import ArenaFolder
from tournament.arena.settings import use_corrections
from tournament.errors import ConfigurationError
from tournament.languages import OWN_FOLDER, Language, gettext, speaking
from tournament.languages.catalogues import catalogue_folders, source_of
from tournament.languages.speaking import catalogue_of

HEAD = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of an arena; what the environment says is as before afterwards."""
    monkeypatch.setenv(OWN_FOLDER, "")
    monkeypatch.delenv(OWN_FOLDER)
    yield ArenaFolder(tmp_path)
    catalogue_of.cache_clear()


def correct(folder, texts):
    source = source_of(Language.GERMAN, folder.languages)
    source.parent.mkdir(parents=True)
    source.write_text(HEAD + texts, encoding="utf-8")


def test_texts_in_the_folder_of_an_arena_go_before_ours(folder):
    correct(folder, 'msgid "token"\nmsgstr "Chip"\n')
    use_corrections(folder)
    with speaking(Language.GERMAN):
        assert "Chip" == gettext("token")


def test_templates_find_them_first_and_compiled(folder):
    correct(folder, 'msgid "token"\nmsgstr "Chip"\n')
    use_corrections(folder)

    assert folder.languages == catalogue_folders()[0]
    assert source_of(Language.GERMAN, folder.languages).with_suffix(".mo").is_file()


def test_an_arena_with_a_wrong_correction_does_not_start(folder):
    correct(folder, 'msgid "plays {cards}"\nmsgstr "spielt {karten}"\n')
    with pytest.raises(ConfigurationError) as refused:
        use_corrections(folder)

    assert (
        f'{source_of(Language.GERMAN, folder.languages)}, text "plays {{cards}}": "spielt {{karten}}" has {{karten}}; '
        "the English text has {cards}. Mend that text, or move the catalogue away."
    ) == str(refused.value)


def test_an_arena_without_corrections_says_what_we_wrote(folder):
    use_corrections(folder)
    with speaking(Language.ENGLISH):
        assert "token" == gettext("token")
