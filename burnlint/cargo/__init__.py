"""What Cargo says: workspaces, manifests with spans, feature resolution, lock files, side files."""
