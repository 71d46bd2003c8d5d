"""A schedule played and written, block by block; the only owner of signals and of concurrency."""

from __future__ import annotations

from tournament.runner.extending import extend_tournament
from tournament.runner.observing import Observer, Observers
from tournament.runner.resuming import resume_tournament
from tournament.runner.starting import free_folder, run_tournament

__all__ = ["Observer", "Observers", "extend_tournament", "free_folder", "resume_tournament", "run_tournament"]
