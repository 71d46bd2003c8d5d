"""People at a table by browser: what each is shown, how they act and take back, and the server of their pages."""
