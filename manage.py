#!/usr/bin/env python
"""Runs a command of the playground: `manage.py play` serves it, `manage.py read` reads a stream."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    execute_from_command_line(sys.argv)
