"""Withdrawals are counted from the tallies of rounds alone, where they are the same after a rebuild."""

from __future__ import annotations

from django.db import migrations


class Migration(migrations.Migration):
    """Takes the copy of their number from versions."""

    dependencies = (("arena", "0003_challenged_house_bots"),)

    operations = (migrations.RemoveField(model_name="versionrow", name="withdrawals"),)
