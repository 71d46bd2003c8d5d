"""A run folder on the disk: where its files lie, how they are read, written, mended and locked."""
