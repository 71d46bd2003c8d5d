"""How a season stands: outcomes of its rounds, and the figures and claims that follow from them."""
