"""Developer tools: generators of stubs, pages and goldens, the compiler of the rules, set-up scripts."""
