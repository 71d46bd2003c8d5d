"""The command with which people play."""
