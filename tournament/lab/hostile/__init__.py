"""Bots that misbehave, and what should become of them: for `tournament selftest` and our tests."""
