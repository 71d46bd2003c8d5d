"""The views of the site: each reads what it shows, or calls what a form asks for."""
