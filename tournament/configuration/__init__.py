"""A configuration file, or the options of a command, as everything a run is made of."""
