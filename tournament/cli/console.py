"""A console of rich whose output may be cut off, as by `... | head`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournament.cli.output import hush_stdout

if TYPE_CHECKING:
    from rich.console import Console


def patient_console(**settings: Any) -> Console:
    """Returns a console that goes quiet when nobody reads it any more; one of rich would end the run."""
    from rich.console import Console  # lazy: only a terminal needs it, and it takes long

    class PatientConsole(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True
            hush_stdout()

    return PatientConsole(**settings)
