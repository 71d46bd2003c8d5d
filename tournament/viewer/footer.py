"""The line at the bottom of a screen of the terminal: its keys and what they do, in the present language."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

from tournament.languages import gettext


class SpokenFooter(Footer):
    """A footer that translates what bindings say: they stand in classes, which are made before a language is chosen."""

    def compose(self) -> ComposeResult:
        """Yields the keys."""
        for shown in super().compose():
            if isinstance(shown, FooterKey):
                shown.description = gettext(shown.description)
                shown.key_display = gettext(shown.key_display)
            yield shown
