"""A run: a schedule played and written, block by block; signals and concurrency belong to nobody else."""

from __future__ import annotations

from tournament.run.growth import extend_tournament
from tournament.run.listeners import Observer, Observers
from tournament.run.resuming import resume_tournament
from tournament.run.run import free_folder, run_tournament

__all__ = ["Observer", "Observers", "extend_tournament", "free_folder", "resume_tournament", "run_tournament"]
