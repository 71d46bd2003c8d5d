"""Measurements, all in one run on one core; ratios, since machines are shared and noisy."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core for everybody: before numpy is imported
