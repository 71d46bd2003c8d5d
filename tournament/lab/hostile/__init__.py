"""Bots that misbehave, each with how its attack should end: for `tournament selftest` and our tests."""
