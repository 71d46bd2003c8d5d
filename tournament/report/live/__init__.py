"""Pages for those who watch: a featured game move by move, a projector's, and what happened; nothing here ranks."""
