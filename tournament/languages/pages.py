"""What a page needs so that its scripts speak the present language: their texts, and the functions that find them."""

from __future__ import annotations

from functools import cache

from tournament.languages.speaking import texts_of_page


def format_page_texts() -> str:
    """Returns the element with the texts of our scripts, which stands before them; empty where they stay English."""
    texts = texts_of_page()
    if not texts:
        return ""
    import json  # lazy, as below: bots, and `tournament --help`, read no page

    inert = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="texts-data">{inert}</script>\n'


@cache
def page_functions() -> str:
    """Returns the script with `gettext`, `ngettext`, `formatNumber` and `compareNames`, the first of every page."""
    from importlib.resources import files

    return (files(__package__) / "texts.js").read_text(encoding="utf-8")
