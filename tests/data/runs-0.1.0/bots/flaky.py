"""Fails in some games."""

from tournament import Bot


class Flaky(Bot):
    """Raises an exception at its first decision when its seed says so, in about half of its games."""

    def start(self, info):
        """Decides whether it fails in this game."""
        self.fails = info.rng.random() < 0.5

    def act(self, view):
        """Returns the first action, or fails."""
        if self.fails:
            raise ValueError("not today")
        return view.legal_actions()[0]
