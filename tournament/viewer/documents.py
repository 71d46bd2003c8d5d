"""What every page of one file needs: a template in the language of its reader, data that cannot end it, a policy."""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from tournament.languages import (
    format_page_texts,
    gettext,
    ngettext,
    npgettext,
    page_functions,
    pgettext,
    present_language,
)

if TYPE_CHECKING:
    from jinja2 import Environment


def format_document(
    package: str, name: str, *, title: str, script: str, style: str, markup: Mapping[str, str], connects: bool = False
) -> str:
    """Returns a page in the present language from a template in the folder `web` of a package.

    It extends `page.html.j2`, and `markup` is put into it as it is. `connects`: see `format_policy`.
    """
    from markupsafe import Markup

    whole = f"{page_functions()}\n{script}"
    values = {"texts": format_page_texts(), "script": whole, "style": style, **markup}
    values["policy"] = format_policy(script=whole, style=style, connects=connects)
    return render(package, name, title=title, **{key: Markup(value) for key, value in values.items()})


def render(package: str, name: str, **values: str) -> str:
    """Returns a template in the folder `web` of a package, filled in; what is no `Markup` is escaped."""
    return _environment(package).get_template(name).render(language=present_language(), **values)


@cache
def _environment(package: str) -> Environment:
    from tournament.viewer.templates import template_environment

    environment = template_environment(
        package, "tournament.viewer", extensions=["jinja2.ext.i18n"], keep_trailing_newline=True
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext
    )
    return environment


def items(lines: Iterable[str]) -> str:
    """Returns lines as the items of a list, a line each."""
    return "\n".join(f"<li>{html.escape(line, quote=False)}</li>" for line in lines)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Returns the template with every `{{name}}` filled in; what is filled in may itself contain `{{name}}`."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], template)


def inert(json_text: str) -> str:
    """Returns the same JSON in a form that cannot end the element it stands in."""
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def format_policy(*, script: str, style: str, connects: bool = False) -> str:
    """Returns the policy of a page that runs this script, has this style, and loads nothing.

    `connects`: whether its script may send and receive where the page came from.
    """
    connections = "connect-src 'self'; " if connects else ""
    return (
        f"default-src 'none'; script-src {_hash_source(script)}; style-src {_hash_source(style)}; {connections}"
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
