"""What runs bots on records and positions: a person at the table, analysis of moves, games that go another way."""
