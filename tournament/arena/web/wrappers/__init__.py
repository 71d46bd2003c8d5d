"""What stands around the site as an application of ASGI."""
