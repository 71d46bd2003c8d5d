"""Replaying records: every position of a game, by the rules alone."""
