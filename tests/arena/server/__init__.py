"""The server as its users meet it: real processes, real sockets."""
