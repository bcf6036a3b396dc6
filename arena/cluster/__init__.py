"""Past one machine: the arena's side of a Dask cluster, and what its workers run."""
