"""Generated messages of Fürstenfeld."""
