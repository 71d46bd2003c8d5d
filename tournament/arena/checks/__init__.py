"""What is handed in: unpacked, built and checked, or refused with what to do about it."""
