"""A run as text, Markdown, CSV, JSON and pages; shows what the rooms below worked out, and works out nothing."""
