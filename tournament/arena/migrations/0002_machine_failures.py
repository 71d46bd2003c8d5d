"""How often the machine failed at the check of a version: that counts in nobody's quota."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the count to versions; those that are there have none."""

    dependencies = (("arena", "0001_initial"),)

    operations = (
        migrations.AddField(
            model_name="versionrow", name="machine_failures", field=models.PositiveIntegerField(default=0)
        ),
    )
