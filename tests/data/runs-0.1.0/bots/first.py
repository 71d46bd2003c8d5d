"""Takes its first choice."""

from tournament import Bot


class First(Bot):
    """Takes the first legal action."""

    def act(self, view):
        """Returns the first action."""
        return view.legal_actions()[0]
