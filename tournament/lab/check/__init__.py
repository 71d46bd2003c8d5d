"""`tournament bot check`: what an author runs before a bot is handed in."""
