"""One-file bots: what one is, how one is loaded, and the program that plays one."""
