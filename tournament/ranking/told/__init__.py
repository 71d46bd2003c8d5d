"""What is said of a ranking beside its figures."""
