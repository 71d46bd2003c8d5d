"""How Linux keeps a bot to itself: its process, its limits, its sandbox, and its end."""
