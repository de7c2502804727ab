"""What stays up: the shell hook's worker and the HTTP service."""
