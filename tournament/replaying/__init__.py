"""Records as positions to walk through."""
