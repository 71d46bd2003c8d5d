"""How the tables of the arena came to be as they are."""
