"""The rules: one file each, in a folder per topic; found, never registered."""
