"""What a host does at the shell: founding an arena, keeping its processes running, backups, checks of the machine."""
