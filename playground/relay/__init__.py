"""A request becomes a run: run.py."""
