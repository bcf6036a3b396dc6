"""T21: does one bot feed another? What the decisions of every bot did to every seat, from records alone."""
