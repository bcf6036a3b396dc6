"""The arena's server: tokens and limits, submissions, tournaments, and the public gRPC service over them."""
