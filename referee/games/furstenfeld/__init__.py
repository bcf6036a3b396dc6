"""Fürstenfeld (Friedemann Friese, 2010): sell to the breweries, build, and give it all up for a palace."""
