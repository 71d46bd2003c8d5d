"""Was changed while its run was interrupted: before, it took the first action."""

from tournament import Bot


class Changing(Bot):
    """Takes the last legal action."""

    def act(self, view):
        """Returns the last action."""
        return view.legal_actions()[-1]
