"""Answers with what is not allowed."""

from tournament import Bot


class Cheat(Bot):
    """Sends something illegal in each game, late in it."""

    def start(self, info):
        """Counts from the first decision."""
        self.decisions = 0

    def act(self, view):
        """Returns the first action, and after five of them none that exists."""
        self.decisions += 1
        return {"do": "win"} if self.decisions > 5 else view.legal_actions()[0]
