"""Beyond one machine: the arena's side of a Dask cluster, and its workers."""
