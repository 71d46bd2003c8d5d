"""A configuration file, or the options of a command, as everything a run is made of.

A `ConfigurationFile` is what a person writes. A `ConfigurationSource` also says where it was read. A `Configuration` is
the same with every bot found, every game loaded and every number checked; a run keeps of it what is in `run.json`.
"""
