"""Rules and findings: registry, engine, selection, suppressions, fixes."""
