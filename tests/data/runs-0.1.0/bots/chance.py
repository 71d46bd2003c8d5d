"""Plays at random."""

from tournament import Bot


class Chance(Bot):
    """Draws every action from the generator that the game gives it."""

    def start(self, info):
        """Keeps the generator."""
        self.rng = info.rng

    def act(self, view):
        """Returns any action."""
        choices = view.legal_actions()
        return choices[int(self.rng.random() * len(choices))]
