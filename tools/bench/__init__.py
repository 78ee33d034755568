"""Measure burnlint against the floor: reading and bare-parsing the same files, in the same run."""
