"""One file per agent host: its payload to a Request, a Verdict to its payload."""
