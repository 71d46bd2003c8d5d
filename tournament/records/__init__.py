"""One finished game as JSON: its types, its schema, reading and writing, and the folder of a run."""
