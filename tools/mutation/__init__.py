"""Recall by mutation: faults planted into correct code, and how many of them burnlint finds."""
