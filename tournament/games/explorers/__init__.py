"""De store oppdagere ("The great explorers"). The rules are in `rules.py`, what else a game offers lies beside them."""
