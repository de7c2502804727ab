"""The commands: flags in, one call, text out."""
