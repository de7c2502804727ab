"""Settings: their keys, the files they come from, and the merge."""
