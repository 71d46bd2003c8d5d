"""Never starts."""

from tournament import Bot


class Broken(Bot):
    """Is in a file that cannot be imported."""

    def act(self, view):
        """Is never called."""
        return view.legal_actions()[0]


raise RuntimeError("no model")
