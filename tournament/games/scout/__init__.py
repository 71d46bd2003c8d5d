"""SCOUT: Kei Kajino, Oink Games 2019. The rules are in `rules.py`, what else a game offers lies beside them."""
