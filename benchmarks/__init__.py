"""Measurements, all in one run on one core; ratios, since machines are shared and noisy."""
