"""A console of rich whose output may be cut off, as by `... | head`."""

from __future__ import annotations

from rich.console import Console

from tournament.cli.output import hush_stdout


class PatientConsole(Console):
    """Goes quiet when nobody reads it any more, where rich would end the process: a run goes on."""

    def on_broken_pipe(self) -> None:
        """Prints nothing more."""
        self.quiet = True
        hush_stdout()
