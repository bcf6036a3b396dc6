"""Generated messages of the Play stream."""
