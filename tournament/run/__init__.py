"""A run: a schedule played and written, block by block; signals and concurrency belong to nobody else."""
