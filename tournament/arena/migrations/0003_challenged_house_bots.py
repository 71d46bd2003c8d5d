"""Challenges may be against house bots, too."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds their names to challenges; those that are there have none."""

    dependencies = (("arena", "0002_machine_failures"),)

    operations = (migrations.AddField(model_name="challenge", name="house", field=models.JSONField(default=list)),)
