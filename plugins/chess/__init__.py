"""Chess as a plug-in: the package, its tests and its benchmarks."""
