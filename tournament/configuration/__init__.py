"""A configuration file, or the flags of the command, as everything a run is made of."""

from __future__ import annotations

from tournament.configuration.bots import build, has_builds
from tournament.configuration.file import ConfigurationSource, default_source, read_configuration
from tournament.configuration.flags import parse_isolation, parse_workers, spec_from_here, with_flags
from tournament.configuration.resolving import Configuration, Group, find_entrants, hosting_of, resolve, usable_cores

__all__ = [
    "Configuration",
    "ConfigurationSource",
    "Group",
    "build",
    "default_source",
    "find_entrants",
    "has_builds",
    "hosting_of",
    "parse_isolation",
    "parse_workers",
    "read_configuration",
    "resolve",
    "spec_from_here",
    "usable_cores",
    "with_flags",
]
