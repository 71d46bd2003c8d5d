"""The languages that pages, viewers and sentences about moves are shown in: catalogues, numbers and dates.

Texts stand in English where they are made, marked with the functions of gettext:

    gettext("{name} plays {cards}", name=name, cards=cards)
    ngettext("{count} game", "{count} games", count)
    pgettext("heading of a table", "rank")

They are translated there and then, into the present language: the one that `set_language` chose for the process, or
that `speaking` chose for a block of code, such as the answer to one reader. A text that is kept in a table until it is
shown is marked with `gettext_noop`, and translated where it is shown; a sentence with values that is kept in English,
and shown in several languages, is made with `kept_gettext`, and shown with `spoken`. Our JavaScript has functions of
the same names, from `page_functions`. Never translate what is kept for ever or compared: records, JSON, CSV, logs and
refusals stay English.

There is one catalogue a language, `catalogues/de/LC_MESSAGES/django.po`: the templates of Django look for that name.
`python docs/make_catalogues.py` collects the marked texts into them.
"""

from tournament.languages.kept import (
    KeptNumber,
    KeptWord,
    is_kept,
    kept_gettext,
    kept_ngettext,
    kept_row,
    kept_text,
    spoken,
)
from tournament.languages.language import (
    OWN_FOLDER,
    Language,
    language_of_environment,
    language_of_header,
    parse_language,
)
from tournament.languages.numbers import (
    format_clock,
    format_date,
    format_day,
    format_decimal,
    format_moment,
    format_number,
    format_time,
    knows_languages,
    with_percent_sign,
    with_unit,
)
from tournament.languages.pages import format_page_texts, page_functions
from tournament.languages.present import present_language
from tournament.languages.speaking import (
    gettext,
    gettext_noop,
    ngettext,
    npgettext,
    pgettext,
    set_language,
    speaking,
    speaking_everywhere,
    texts_of_page,
)
from tournament.languages.zones import in_present_zone, present_zone, showing_times_in

__all__ = [
    "OWN_FOLDER",
    "KeptNumber",
    "KeptWord",
    "Language",
    "format_clock",
    "format_date",
    "format_day",
    "format_decimal",
    "format_moment",
    "format_number",
    "format_page_texts",
    "format_time",
    "gettext",
    "gettext_noop",
    "in_present_zone",
    "is_kept",
    "kept_gettext",
    "kept_ngettext",
    "kept_row",
    "kept_text",
    "knows_languages",
    "language_of_environment",
    "language_of_header",
    "ngettext",
    "npgettext",
    "page_functions",
    "parse_language",
    "pgettext",
    "present_language",
    "present_zone",
    "set_language",
    "showing_times_in",
    "speaking",
    "speaking_everywhere",
    "spoken",
    "texts_of_page",
    "with_percent_sign",
    "with_unit",
]
