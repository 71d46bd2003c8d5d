"""Takes its last choice."""

from _taking import taken

from tournament import Bot


class Last(Bot):
    """Takes the last legal action; `place` says which from the end."""

    version = "3"

    def __init__(self, place=1):
        """Takes its parameter."""
        self.place = place

    def act(self, view):
        """Returns an action from the end."""
        return taken(view.legal_actions(), self.place)
