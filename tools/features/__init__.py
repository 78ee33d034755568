"""Generates burn's feature graph and release data from the released manifests, as Cargo's registry index
has them."""
