"""How the referee reaches one bot: the class authors write, and the ways to host it."""
