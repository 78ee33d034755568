"""What Rust source says, knowing nothing of burn: parsing, macros, items, names, scopes, order of
evaluation."""
