"""Network in, reads out. client.py is the way in: a Call goes in, an Answer and its Reads come out."""
