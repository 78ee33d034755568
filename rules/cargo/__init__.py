"""Rules about Cargo manifests and side files."""
