"""What burn means: API facts per version, types, values and where they come from."""
